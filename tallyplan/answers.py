"""Answers: what every question returns, and the certificate that it hands to the checker.

An answer is an interval [lower, upper] for an optimum. What attains the upper end (a word, or a plan as
runs) was replayed before the answer was made, and a *proof* shows that nothing is below the lower end.
Where the ends meet, the answer is exact and has a `value`. One class per question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from tallyplan.certificates import Proof, document
from tallyplan.errors import InternalError, InvalidInput, OnlyAnInterval
from tallyplan.model.arms import ArmBandit
from tallyplan.model.display import SmallTable, card, displayable, grid
from tallyplan.model.files import AnyPath, write_json
from tallyplan.model.graph import number_of_states, states_of
from tallyplan.model.instance import Bandit, State
from tallyplan.model.rationals import plain, shown, text
from tallyplan.model.replay import history_of, loss_of_runs, mean_of_actions
from tallyplan.model.words import Word, length, written

RUNS_SHOWN, LETTERS_SHOWN = 20, 100  # of a plan and of a word, in a notebook
ROWS_LISTED = 10**5  # of the table of a policy
POLICY_FORMAT, POLICY_VERSION = "tallyplan-policy", 1


class Ends:
    """A number that is known exactly, or to lie between two ends."""

    lower: Fraction
    upper: Fraction

    _NUMBER: ClassVar[str] = "number"  # what it is, in words

    @property
    def _called(self) -> str:
        return self._NUMBER.format(self)

    @property
    def exact(self) -> bool:
        """Whether both ends are equal; if not, time, memory or the methods did not suffice."""
        return self.lower == self.upper

    @property
    def value(self) -> Fraction:
        """The number; OnlyAnInterval is raised where it is not known exactly."""
        if not self.exact:
            raise OnlyAnInterval(
                f"the {self._called} is only known to lie between {text(self.lower)} and {text(self.upper)}; "
                "ask for lower and upper."
            )
        return self.upper


@dataclass(frozen=True)
class Interval(Ends):
    """The two ends alone.

    >>> str(Interval(Fraction(1, 3), Fraction(1, 2)))
    'between 1/3 and 1/2'
    """

    lower: Fraction
    upper: Fraction

    def __str__(self) -> str:
        return plain(self.upper) if self.exact else f"between {plain(self.lower)} and {plain(self.upper)}"


@displayable
@dataclass(frozen=True)
class Choice:
    """What each action costs after a history, if everything after it is played optimally (its Q-values).

    Attributes
    ----------
    losses : by action. With t steps to go, the total loss; in the long run, the total of loss - mean until
        the optimal cycle is reached. None: arms forbid the action, or what would have to follow it.

    >>> choice = Choice((Fraction(1, 2), Fraction(1, 3)))
    >>> choice.action, choice.value, choice.regrets
    (1, Fraction(1, 3), (Fraction(1, 6), Fraction(0, 1)))
    """

    losses: tuple[Fraction | None, ...]

    @property
    def value(self) -> Fraction:
        """The least of the losses; InvalidInput is raised where arms forbid every action."""
        allowed = [loss for loss in self.losses if loss is not None]
        if not allowed:
            raise InvalidInput("the arms forbid every action here, or what would have to follow it.")
        return min(allowed)

    @property
    def action(self) -> int:
        """The optimal action; the smallest, if there are several."""
        return self.losses.index(self.value)

    @property
    def regrets(self) -> tuple[Fraction | None, ...]:
        """By action, how much more it costs than an optimal one."""
        return tuple(None if loss is None else loss - self.value for loss in self.losses)

    def shown(self) -> SmallTable:
        """What notebooks show."""
        pairs = zip(self.losses, self.regrets, strict=True)
        rows = (["-" if part is None else part for part in pair] for pair in pairs)
        named = [(f"action {x}", row) for x, row in enumerate(rows)]
        return grid("what each action costs", ["loss", "more than the best"], named)


class Policy(ABC):
    """What to play after any history; only its last m - 1 actions count.

    >>> import tallyplan as tp
    >>> policy = tp.minimum_mean_cycle(tp.make("counterexample-3")).policy
    >>> policy.action((1, 0)), policy.action((1,))
    (1, 0)
    """

    bandit: Bandit

    @abstractmethod
    def _value(self, state: State, to_go: int | None) -> Fraction | None:
        """The least cost from a state; None: there is no such play."""

    @abstractmethod
    def _following(self, state: State, to_go: int | None) -> Fraction | None:
        """What is to be added to the loss of a step that leads to the state."""

    @abstractmethod
    def _written(self) -> dict[str, Any]:
        """What a file says besides the instance."""

    def after(self, history: Sequence[int] = (), to_go: int | None = None) -> Choice:
        """What each action costs after `history`, with `to_go` steps left, the next one included.

        Of the long run the time to go does not matter, and costs are loss - mean, and then the least excess
        to the cycle.
        """
        return self.at(self._state(history), to_go)

    def at(self, state: State, to_go: int | None = None) -> Choice:
        """The same in a state: a history of at most m - 1 actions, or the states of the arms."""
        losses: list[Fraction | None] = [None] * self.bandit.actions
        for action in self.bandit.allowed(state):
            loss, following = self.bandit.step(state, action)
            more = self._following(following, to_go)
            losses[action] = None if more is None else loss + more
        return Choice(tuple(losses))

    def action(self, history: Sequence[int] = (), to_go: int | None = None) -> int:
        """An optimal action; the smallest, where several are."""
        return self.after(history, to_go).action

    def value(self, history: Sequence[int] = (), to_go: int | None = None) -> Fraction:
        """The least total loss of `to_go` steps after `history`; or of (loss - mean), until the cycle."""
        state = self._state(history)
        found = self._value(state, to_go)
        if found is None:
            raise InvalidInput(f"there is no such play from the state {state} of the arms.")
        return found

    def table(self, to_go: int | None = None) -> list[dict[str, Any]]:
        """A row per history: history, action, value and the cost of each action; small instances only."""
        count, name = number_of_states(self.bandit), "history" if self.bandit.memory else "state"
        if count > ROWS_LISTED:
            raise InvalidInput(f"the table would have {shown(count)} rows; it is for at most {ROWS_LISTED}.")
        rows: list[dict[str, Any]] = []
        for state in states_of(self.bandit):
            choice = self.at(state, to_go)
            losses = {f"loss_{a}": loss for a, loss in enumerate(choice.losses)}
            if any(loss is not None for loss in choice.losses):
                rows.append({name: state, "action": choice.action, "value": choice.value} | losses)
        return rows

    def to_dataframe(self, to_go: int | None = None) -> Any:
        """The table as a pandas DataFrame; the numbers in it are Fractions."""
        import pandas

        return pandas.DataFrame(self.table(to_go))

    def save(self, path: AnyPath) -> None:
        """Write the policy: the instance and what is asked, from which loading finds it again."""
        header = {"format": POLICY_FORMAT, "version": POLICY_VERSION, "instance": self.bandit.to_json()}
        write_json(path, header | self._written())

    def _state(self, history: Sequence[int]) -> State:
        return self.bandit.state_after(history_of(self.bandit, history))


@dataclass(frozen=True)
class Answer(Ends, ABC):
    """What every answer has; a question adds its word or its runs.

    Attributes
    ----------
    lower : a proved lower bound of the optimum.
    upper : the loss of the word or plan of the answer.
    value : the optimum, if `exact`; otherwise OnlyAnInterval is raised.

    >>> import tallyplan as tp
    >>> answer = tp.minimum_mean_cycle(tp.make("counterexample-3"))
    >>> answer.exact, answer.lower, answer.upper
    (True, Fraction(0, 1), Fraction(0, 1))
    """

    bandit: Bandit = field(repr=False)
    lower: Fraction
    upper: Fraction
    proof: Proof = field(repr=False, compare=False)
    ask: Callable[[], Policy] | None = field(default=None, repr=False, compare=False, kw_only=True)

    @property
    def _steps(self) -> int:
        """The number of steps that the optimum is a total of."""
        return 1

    @abstractmethod
    def _claim(self) -> dict[str, Any]:
        """The question, as a certificate has it."""

    @abstractmethod
    def _primal(self) -> dict[str, Any]:
        """What attains the upper end, as a certificate has it."""

    @abstractmethod
    def _in_words(self) -> dict[str, str]:
        """What attains the upper end, for people."""

    @property
    def original(self) -> Interval:
        """The optimum in the original numbers (`bandit.units`): the least loss, or the largest reward."""
        return in_units(self.bandit, self.lower, self.upper, self._steps)

    @property
    def argument(self) -> str:
        """The proof of `lower` in words."""
        return self.proof.argument

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The document that `tallyplan.check` verifies; built on first use, as large as answer and proof."""
        ends = ({} if self.exact else {"lower": text(self.lower)}) | {"value": text(self.upper)}
        primal, dual = {"rule": "replay"} | self._primal(), self.proof.to_json()
        return document(
            "instance", self.bandit.to_json(), claim=self._claim() | ends, primal=primal, dual=dual
        )

    @cached_property
    def policy(self) -> Policy:
        """What to play after any history, with any number of steps to go; prepared on first use.

        An answer that was found without the state graph has none, nor has a best word of a given length:
        NoPolicy, which is InvalidInput, is raised.
        """
        if self.ask is None:
            raise NoPolicy(
                "this answer was found without the state graph, or is a word of a given length, and has no "
                'policy for every history; ask for a plan or a cycle with method="graph".'
            )
        return self.ask()

    def shown(self) -> SmallTable:
        """What notebooks show."""
        units, original = self.bandit.units, self.original
        ends: dict[str, Any] = {"at least": self.lower, "at most": self.upper}
        found = {"optimum": self.upper} if self.exact else ends
        in_units = {f"as {units.of}": original.upper if self.exact else original} if units else {}
        return card(self._called, found | in_units | self._in_words() | {"proof": self.argument})


@displayable
@dataclass(frozen=True)
class Plan(Answer):
    """The answer to `optimal_plan`, see `Answer`.

    Attributes
    ----------
    lower, upper : an interval for OPT_T, the least total loss.
    runs : a sequence that loses `upper`, as ((word, repeats), ...); `tallyplan.model.words.expand` writes it
        out.

    >>> import tallyplan as tp
    >>> plan = tp.optimal_plan(tp.make("counterexample-3"), horizon=5)
    >>> plan.value, plan.runs
    (Fraction(0, 1), (((0, 1), 2), ((0,), 1)))
    """

    horizon: int
    start: Word
    runs: tuple[tuple[Word, int], ...]

    _NUMBER = "least total loss of {0.horizon} steps"

    def __post_init__(self) -> None:
        loss = loss_of_runs(self.bandit, self.runs, self.start)
        _require(length(self.runs) == self.horizon and loss == self.upper >= self.lower, "plan")

    @property
    def _steps(self) -> int:
        return self.horizon

    def _claim(self) -> dict[str, Any]:
        return {"question": "horizon", "horizon": self.horizon, "start": list(self.start)}

    def _primal(self) -> dict[str, Any]:
        return {"runs": [[list(word), repeats] for word, repeats in self.runs]}

    def _in_words(self) -> dict[str, str]:
        return {"plan": written(self.runs[:RUNS_SHOWN], self.bandit.actions)}


@displayable
@dataclass(frozen=True)
class MeanCycle(Answer):
    """The answer to `minimum_mean_cycle`, see `Answer`.

    Attributes
    ----------
    lower, upper : an interval for lambda*, the least long-run loss per step.
    word : a word that loses `upper` per step when repeated forever.
    opening : what an arm bandit plays before that; other bandits need no opening.

    >>> import tallyplan as tp
    >>> cycle = tp.minimum_mean_cycle(tp.make("counterexample-3"))
    >>> cycle.value, cycle.word
    (Fraction(0, 1), (0, 1))
    """

    word: Word
    opening: Word = ()

    _NUMBER = "least long-run loss per step"

    def __post_init__(self) -> None:
        mean = mean_of_actions(self.bandit, self.word, self.opening)
        _require(mean == self.upper >= self.lower, "minimum mean cycle")

    def _claim(self) -> dict[str, Any]:
        return {"question": "mean-cycle"}

    def _primal(self) -> dict[str, Any]:
        before = {"opening": list(self.opening)} if isinstance(self.bandit, ArmBandit) else {}
        return before | {"word": list(self.word)}

    def _in_words(self) -> dict[str, str]:
        parts = {"opening": self.opening, "word": self.word[:LETTERS_SHOWN]}
        return {name: written([(part, 1)], self.bandit.actions) for name, part in parts.items() if part}


@displayable
@dataclass(frozen=True)
class CyclicPolicy(MeanCycle):
    """The answer to `optimal_cyclic_policy`, see `Answer`.

    Attributes
    ----------
    lower, upper : an interval for the least loss per step of a word of length `period`, repeated forever.
    word : such a word that loses `upper` per step.
    opening : what an arm bandit plays before that; the word then brings its arms back to where they are.

    >>> import tallyplan as tp
    >>> found = tp.optimal_cyclic_policy(tp.make("counterexample-3"), period=3)
    >>> found.value, len(found.word)
    (Fraction(1, 3), 3)
    """

    _NUMBER = "least loss per step of a word of {0.period} actions"

    def __post_init__(self) -> None:
        # The word may have millions of actions: the search has replayed it in its compact form.
        _require(self.upper >= self.lower, "cyclic policy")

    @property
    def period(self) -> int:
        """The length of the word."""
        return len(self.word)

    def _claim(self) -> dict[str, Any]:
        return {"question": "cyclic", "period": self.period}


class NoPolicy(InvalidInput, AttributeError):
    """The answer has no policy: `hasattr(answer, "policy")` is False."""


def in_units(bandit: Bandit, lower: Fraction, upper: Fraction, steps: int = 1) -> Interval:
    """An interval for the loss of `steps` steps, in the numbers that the bandit's table was made from."""
    return Interval(*(bandit.units.ends(lower, upper, steps) if bandit.units else (lower, upper)))


def _require(held: bool, what: str) -> None:
    if not held:
        raise InternalError(f"the {what} failed its own replay; please report this instance.")
