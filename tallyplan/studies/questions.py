"""The questions that a study can ask, by name: every function that is decorated with `@question(name)`.

A question is a function of an instance, its parameter `bandit`, or of none, with keyword parameters. It
returns an `Outcome`. What it returns must depend on its arguments alone, and not on the time it was given: a
study computes everything once, on whatever machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from tallyplan.answers import Answer, Interval, Plan
from tallyplan.games.feedback import feedback_named
from tallyplan.games.registry import find as find_learner
from tallyplan.games.regret import regret_of
from tallyplan.games.schedule import failure_probability
from tallyplan.games.trials import Setup, losses_at, spread_times
from tallyplan.model.instance import Bandit
from tallyplan.model.plugins import Named, Registry, is_plugin, load_plugin, translated_errors
from tallyplan.model.rationals import natural, text
from tallyplan.model.words import Runs, written
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.effort import known_method
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

LONGEST_WORD = 200  # actions of a word that a row shows
PLANS_KEPT = 64  # optima that a worker keeps, for games on the same instance

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The answer to one question.

    Attributes
    ----------
    lower, upper : the value, or the interval in which it lies; None if the answer is not a number.
    facts : further columns of its row, by the names that the question declares; facts with other names are
        kept as JSON, but are not columns.
    certificate : the document that the checker verifies, or None where there is none.
    """

    lower: Fraction | None
    upper: Fraction | None
    facts: Mapping[str, Any] = field(default_factory=dict)
    certificate: dict[str, Any] | None = None


@dataclass(frozen=True)
class Question(Named):
    """A kind of question.

    Attributes
    ----------
    facts : the further columns that its outcomes have.
    about_instances : whether it is asked about each instance, or by itself.
    code : from the parameters, the names of the user's own code that it runs, module:name.
    check : refuses parameters that no instance could be asked with, before anything is computed.
    """

    facts: tuple[str, ...]
    about_instances: bool
    code: Callable[[Parameters], Iterable[str]]
    check: Callable[..., None] | None

    def read(self, given: Parameters) -> dict[str, Any]:
        """The parameters of a call, read and complete.

        Raises
        ------
        InvalidInput : one is unknown, missing or not of its kind; or code of the user that may not run.
        """
        values = super().read(given)
        for name in self.code(values):
            load_plugin(name)
        if self.check is not None:
            self.check(**values)
        return values


_REGISTRY: Registry[Question] = Registry("question", "questions")

Ask = TypeVar("Ask", bound=Callable[..., Outcome])


def question(
    name: str,
    *,
    facts: tuple[str, ...] = (),
    about_instances: bool = True,
    code: Callable[[Parameters], Iterable[str]] = lambda parameters: (),
    check: Callable[..., None] | None = None,
) -> Callable[[Ask], Ask]:
    """Register a question under a name; see `Question` for the rest."""

    def register(ask: Ask) -> Ask:
        _REGISTRY.add(Question(name, ask, facts, about_instances, code, check))
        return ask

    return register


questions = _REGISTRY.all
find = _REGISTRY.find


def _check_planning(*, method: str, horizon: int = 0) -> None:
    natural(horizon, "horizon", 0)
    known_method(method)


def _check_period(*, period: int) -> None:
    natural(period, "period", 1)


def _check_game(
    *, learner: str, horizon: int, seed: int, feedback: str | None, delta: Fraction, points: int
) -> None:
    find_learner(learner)
    natural(horizon, "horizon", 0)
    natural(seed, "seed", 0)
    failure_probability(delta)
    if natural(points, "points", 0):
        spread_times(horizon, 2)
    if feedback is not None:
        feedback_named(feedback)


@question("plan", facts=("plan",), check=_check_planning)
def plan(bandit: Bandit, *, horizon: int, method: str = "auto") -> Outcome:
    """The least total loss of `horizon` steps."""
    answer = _plan(bandit, horizon, method)
    return _outcome(answer, {"plan": _shortly(answer.runs, bandit)})


@question("cycle", facts=("word",), check=_check_planning)
def cycle(bandit: Bandit, *, method: str = "auto") -> Outcome:
    """The least long-run loss per step."""
    answer = minimum_mean_cycle(bandit, method=method)
    return _outcome(answer, {"word": _shortly([(answer.word, 1)], bandit)})


@question("cyclic", facts=("word",), check=_check_period)
def cyclic(bandit: Bandit, *, period: int) -> Outcome:
    """The least loss per step of a word of `period` actions, repeated forever."""
    answer = optimal_cyclic_policy(bandit, period)
    return _outcome(answer, {"word": _shortly([(answer.word, 1)], bandit)})


def _own_learner(parameters: Parameters) -> Iterable[str]:
    return filter(is_plugin, [parameters["learner"]])


@question("play", facts=("loss", "optimum"), code=_own_learner, check=_check_game)
def play(
    bandit: Bandit,
    *,
    learner: str,
    horizon: int,
    seed: int = 0,
    feedback: str | None = None,
    delta: Fraction = Fraction(1, 20),
    points: int = 0,
) -> Outcome:
    """The complete policy regret of a learner's game.

    The losses of its first t steps, at some `points` times t, are kept but no column of a table.
    """
    setup = Setup(learner, horizon, seed, feedback, delta)
    with translated_errors(learner):
        played = setup.play(bandit)
    best = _plan(bandit, horizon, "auto")
    optimum = Interval(best.lower, best.upper)
    regret = regret_of(played.loss, optimum)
    known = text(optimum.upper) if optimum.exact else f"{text(optimum.lower)} to {text(optimum.upper)}"
    times = spread_times(horizon, points) if points else ()
    facts = {
        "loss": text(played.loss),
        "optimum": known,
        "departures": list(played.departures),
        "gap": text(played.gap),
        "curve": [text(loss) for loss in losses_at(bandit, played.runs, times)],
    }
    return Outcome(regret.lower, regret.upper, facts, best.certificate)


@lru_cache(PLANS_KEPT)
def _plan(bandit: Bandit, horizon: int, method: str) -> Plan:
    """The optimum, computed once for all games of a worker on the same instance."""
    return optimal_plan(bandit, horizon, method=method)


def _outcome(answer: Answer, facts: Mapping[str, str | int]) -> Outcome:
    return Outcome(answer.lower, answer.upper, facts, answer.certificate)


def _shortly(runs: Runs, bandit: Bandit) -> str:
    """Runs that can be read back, or nothing where they would fill the table."""
    if sum(len(word) for word, _ in runs) > LONGEST_WORD:
        return ""
    return written(runs, bandit.actions)
