"""The questions that a study can ask, by name: every function that is decorated with `@question(name)`.

A question is a function of an instance, its parameter `bandit`, or of none, with keyword parameters. It
returns an `Outcome`. What it returns must depend on its arguments alone, and not on the time it was given: a
study computes everything once, on whatever machine.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Annotated, Any, TypeVar

from tallyplan.answers import Answer, Interval, Plan
from tallyplan.games.feedback import feedback_named
from tallyplan.games.registry import find as find_learner
from tallyplan.games.regret import regret_of
from tallyplan.games.schedule import failure_probability
from tallyplan.games.trials import Setup, losses_at, spread_times
from tallyplan.model.instance import Bandit
from tallyplan.model.plugins import Kind, Named, Registry, is_plugin, load_plugin, read_integer
from tallyplan.model.rationals import natural, text
from tallyplan.model.words import Runs, written
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.effort import known_method
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

LONGEST_WORD = 200  # actions of a word that a row shows
PLANS_KEPT = 64  # optima that a worker keeps, for games on the same instance


@dataclass(frozen=True)
class Outcome:
    """The answer to one question.

    Attributes
    ----------
    lower, upper : the value, or the interval in which it lies; None if the answer is not a number.
    facts : what else is kept of it; numbers and texts are further columns of its row.
    certificate : the document that the checker verifies, or None where there is none.
    """

    lower: Fraction | None
    upper: Fraction | None
    facts: Mapping[str, Any] = field(default_factory=dict)
    certificate: dict[str, Any] | None = None


Check = Callable[..., Iterable[str]]


@dataclass(frozen=True)
class Question(Named):
    """A kind of question.

    Attributes
    ----------
    check : refuses parameters that make no sense together, before anything is computed; and names the code
        of the user that the question runs, module:name.
    """

    check: Check

    @cached_property
    def about_instances(self) -> bool:
        """Whether it is asked about each instance, or by itself."""
        return "bandit" in inspect.signature(self.function).parameters

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a call, read and complete."""
        values = super().read(given)
        for name in self.check(**values):
            load_plugin(name)
        return values


_REGISTRY: Registry[Question] = Registry("question", "questions")
questions, find = _REGISTRY.all, _REGISTRY.find

Ask = TypeVar("Ask", bound=Callable[..., Outcome])


def question(name: str, *, check: Check = lambda **_: ()) -> Callable[[Ask], Ask]:
    """Register a question under a name; see `Question` for the rest."""

    def register(ask: Ask) -> Ask:
        _REGISTRY.add(Question(name, ask, check))
        return ask

    return register


def _known(find: Callable[[str], object]) -> Kind:
    """The kind of a name that `find` accepts."""

    def read(value: str, what: str) -> str:
        find(value)
        return value

    return Kind("text", read)


def _at_least(least: int) -> Kind:
    return Kind("integer", lambda value, what: natural(read_integer(value, what), what, least))


Natural = Annotated[int, _at_least(0)]
Positive = Annotated[int, _at_least(1)]
Method = Annotated[str, _known(known_method)]
Learner = Annotated[str, _known(find_learner)]
Feedback = Annotated[str, _known(feedback_named)]
Probability = Annotated[Fraction, Kind("rational", lambda value, what: failure_probability(value))]


@question("plan")
def plan(bandit: Bandit, *, horizon: Natural, method: Method = "auto") -> Outcome:
    """The least total loss of `horizon` steps."""
    answer = _plan(bandit, horizon, method)
    return _outcome(answer, plan=_shortly(answer.runs, bandit))


@question("cycle")
def cycle(bandit: Bandit, *, method: Method = "auto") -> Outcome:
    """The least long-run loss per step."""
    answer = minimum_mean_cycle(bandit, method=method)
    return _outcome(answer, word=_shortly([(answer.word, 1)], bandit))


@question("cyclic")
def cyclic(bandit: Bandit, *, period: Positive) -> Outcome:
    """The least loss per step of a word of `period` actions, repeated forever."""
    answer = optimal_cyclic_policy(bandit, period)
    return _outcome(answer, word=_shortly([(answer.word, 1)], bandit))


@question("play", check=lambda learner, **_: filter(is_plugin, [learner]))
def play(
    bandit: Bandit,
    *,
    learner: Learner,
    horizon: Natural,
    seed: Natural = 0,
    feedback: Feedback | None = None,
    delta: Probability = Fraction(1, 20),
    points: Natural = 0,
) -> Outcome:
    """The complete policy regret of a learner's game.

    The losses of its first t steps, at some `points` times t, are kept but no column of a table.
    """
    played = Setup(learner, horizon, seed, feedback, delta).play(bandit)
    best = _plan(bandit, horizon, "auto")
    optimum = Interval(best.lower, best.upper)
    regret = regret_of(played.loss, optimum)
    known = text(optimum.upper) if optimum.exact else f"{text(optimum.lower)} to {text(optimum.upper)}"
    times = spread_times(horizon, points) if points else ()
    curve = [text(loss) for loss in losses_at(bandit, played.runs, times)]
    game = {"departures": list(played.departures), "gap": text(played.gap), "curve": curve}
    facts = {"loss": text(played.loss), "optimum": known, "game": game}
    return Outcome(regret.lower, regret.upper, facts, best.certificate)


@lru_cache(PLANS_KEPT)
def _plan(bandit: Bandit, horizon: int, method: str) -> Plan:
    """The optimum, computed once for all games of a worker on the same instance."""
    return optimal_plan(bandit, horizon, method=method)


def _outcome(answer: Answer, **facts: str) -> Outcome:
    return Outcome(answer.lower, answer.upper, facts, answer.certificate)


def _shortly(runs: Runs, bandit: Bandit) -> str:
    """Runs that can be read back, or nothing where they would fill the table."""
    if sum(len(word) for word, _ in runs) > LONGEST_WORD:
        return ""
    return written(runs, bandit.actions)
