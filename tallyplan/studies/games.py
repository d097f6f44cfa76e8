"""Many games of learners as the items of a study, and their summary from what the store keeps.

A game is an item of the question `play`, with the loss of its first t steps at some 40 times t, so that a
picture can be drawn later; OPT_t at these times are items of the question `plan`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tallyplan.answers import Interval
from tallyplan.games.trials import LONGEST_DRAWN, Setup, Summary, spread_times
from tallyplan.model.rationals import text
from tallyplan.studies.questions import find
from tallyplan.studies.runners import facts_of, interval_of
from tallyplan.studies.spec import Asked, Instance, Study
from tallyplan.studies.store import Result

POINTS = 40  # times at which the loss of a game is kept


@dataclass(frozen=True)
class Games:
    """The games of every setup on every instance, with the seeds S, S + 1, ..., `repeats` of them.

    Attributes
    ----------
    over_time : whether the optimum of the first t steps is asked too.
    """

    instances: Sequence[Instance]
    setups: Sequence[Setup]
    repeats: int
    over_time: bool = False

    @property
    def study(self) -> Study:
        """What is asked: for each instance the games, and then the optima."""
        return Study(tuple(self.instances), (*self._games(), *self._optima()))

    def _games(self) -> Iterator[Asked]:
        question = find("play")
        for setup in self.setups:
            for seed in range(setup.seed, setup.seed + self.repeats):
                yield Asked(question, _parameters(replace(setup, seed=seed)))

    def _optima(self) -> Iterator[Asked]:
        if self.over_time:
            question = find("plan")
            yield from (Asked(question, {"horizon": t}) for setup in self.setups for t in _times(setup))

    def summaries(self, answers: Sequence[Result]) -> Iterator[Summary]:
        """What the games lost, by instance and setup, from the answers to the study in their order."""
        found = iter(answers)
        for instance in self.instances:
            games = [[next(found) for _ in range(self.repeats)] for _ in self.setups]
            times = [_times(setup) if self.over_time else () for setup in self.setups]
            optima = [tuple(_interval(next(found)) for _ in some) for some in times]
            for setup, played, some, best in zip(self.setups, games, times, optima, strict=True):
                yield _summary(instance, setup, [_facts(game) for game in played], some, best)


def _parameters(setup: Setup) -> dict[str, Any]:
    given = {"learner": setup.algorithm, "horizon": setup.horizon, "seed": setup.seed}
    given |= {"delta": text(setup.delta), "points": POINTS if _times(setup) else 0}
    return given if setup.feedback is None else given | {"feedback": setup.feedback}


def _times(setup: Setup) -> tuple[int, ...]:
    return spread_times(setup.horizon, POINTS) if 1 <= setup.horizon <= LONGEST_DRAWN else ()


def _facts(game: Result) -> dict[str, Any]:
    facts = facts_of(game)
    loss = Fraction(facts["loss"])
    regret = _interval(game)
    return {
        "loss": loss,
        "optimum": Interval(loss - regret.upper, loss - regret.lower),
        "departures": facts["departures"],
        "gap": Fraction(facts["gap"]),
        "curve": tuple(map(Fraction, facts["curve"])),
    }


def _interval(answer: Result) -> Interval:
    return Interval(*interval_of(answer))


def _summary(
    instance: Instance,
    setup: Setup,
    games: Sequence[dict[str, Any]],
    times: tuple[int, ...],
    optima: tuple[Interval, ...],
) -> Summary:
    departures = dict.fromkeys(reason for game in games for reason in game["departures"])
    curves = tuple(game["curve"] if times else () for game in games)
    losses = tuple(game["loss"] for game in games)
    optimum, gap = games[0]["optimum"], max(game["gap"] for game in games)
    return Summary(instance.bandit, setup, losses, optimum, tuple(departures), times, curves, optima, gap)
