"""Many games of learners as the items of a study, and their summary from what the store keeps.

A game is an item of the question `play`, with the loss of its first t steps at some 40 times t, so that a
picture can be drawn later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tallyplan.answers import Interval
from tallyplan.games.regret import optimum_of
from tallyplan.games.trials import LONGEST_DRAWN, Outcome, Setup, Summary, spread_times, summarised
from tallyplan.model.rationals import text
from tallyplan.studies.questions import find
from tallyplan.studies.spec import Asked, Instance, Study
from tallyplan.studies.store import Result

POINTS = 40  # times at which the loss of a game is kept


@dataclass(frozen=True)
class Games:
    """The games of every setup on every instance, with the seeds S, S + 1, ..., `repeats` of them.

    Attributes
    ----------
    over_time : whether the summaries have the regret of the first t steps.
    """

    instances: Sequence[Instance]
    setups: Sequence[Setup]
    repeats: int
    over_time: bool = False

    @property
    def study(self) -> Study:
        """What is asked: the games of each instance."""
        question = find("play")
        seeds = range(self.repeats)
        games = (replace(setup, seed=setup.seed + i) for setup in self.setups for i in seeds)
        return Study(tuple(self.instances), tuple(Asked(question, _parameters(game)) for game in games))

    def summaries(self, answers: Sequence[Result]) -> Iterator[Summary]:
        """What the games lost, by instance and setup, from the answers to the study in their order."""
        found = iter(answers)
        for instance in self.instances:
            for setup in self.setups:
                games = [next(found) for _ in range(self.repeats)]
                outcomes = [_outcome(game, self.over_time) for game in games]
                loss, regret = outcomes[0][0], games[0].ends
                optimum = Interval(loss - regret.upper, loss - regret.lower)
                times = _times(setup) if self.over_time else ()
                optima = [optimum_of(instance.bandit, t) for t in times]
                yield summarised(instance.bandit, setup, outcomes, optimum, times, optima)


def _parameters(setup: Setup) -> dict[str, Any]:
    given = {"learner": setup.algorithm, "horizon": setup.horizon, "seed": setup.seed}
    given |= {"delta": text(setup.delta), "points": POINTS if _times(setup) else 0}
    return given if setup.feedback is None else given | {"feedback": setup.feedback}


def _times(setup: Setup) -> tuple[int, ...]:
    return spread_times(setup.horizon, POINTS) if 1 <= setup.horizon <= LONGEST_DRAWN else ()


def _outcome(game: Result, over_time: bool) -> Outcome:
    found = game.facts["game"]
    curve = tuple(map(Fraction, found["curve"])) if over_time else ()
    return Fraction(game.facts["loss"]), curve, found["departures"], Fraction(found["gap"])
