"""Arms that can be left out, exactly, by two rules; docs/certificates.md has the proofs, `fewer-actions`.

**Replaced.** If h_z is nonincreasing and h_z(y) <= h_x(y) for every tally y, z can be played wherever x was.
(But plays of x before the game stay what they are: then x must be kept.) So of several constant arms the
cheapest is enough, and of equal arms with nonincreasing losses one.

**Expensive.** Keep the 2m - 1 arms with the least h(1), and every arm with a loss below the largest of these
numbers. One of the former was not played for m steps whenever another arm was to be, and will not be for m
steps. For words of length L, min(L, 2m - 1) arms and h(ceil(m/L)) stand for these.

For m = 3, three cheap arms are not enough: of h/6 = (0, 5, 6), (4, 6, 6), (5, 6, 3), (5, 5, 5), the last arm
saves a sixth in a game of seven steps after the first two. Whether fewer than 2m - 1 ever are, is open.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, TypeVar

from tallyplan.answers import CyclicPolicy, MeanCycle, Plan
from tallyplan.certificates import Dual, Proof
from tallyplan.model.graph import Array, integer_type, np
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.words import Word

EDGES_WORTH_SAVING = 2**16  # a state graph of fewer edges is quick enough as it is
LEAST_SAVING = 2  # by which factor there must be fewer
MOST_STAND_INS = 1000  # arms that may play for others; with more of them, comparing takes long
AnyAnswer = TypeVar("AnyAnswer", MeanCycle, Plan, CyclicPolicy)


@dataclass(frozen=True)
class FewerArms:
    """A bandit without the arms that can be left out.

    Attributes
    ----------
    bandit : what is left; its arm i is the arm kept[i] of the original.
    kept : the arms that stay.
    steps : what a certificate says about each reduction, the first outermost, but for the proof inside.
    """

    bandit: TallyingBandit
    kept: Word
    steps: tuple[dict[str, Any], ...] = ()

    def original(self, word: Sequence[int]) -> Word:
        """A word of the smaller bandit in the names of the original."""
        return tuple(self.kept[action] for action in word)

    def renamed(self, actions: Sequence[int]) -> Word:
        """Actions of the original, all of them kept, in the names of the smaller bandit."""
        return tuple(self.kept.index(action) for action in actions)

    def dual(self, proof: Dual) -> dict[str, Any]:
        """A proof about the smaller bandit as one about the original."""
        return reduce(lambda inner, step: {**step, "proof": inner}, reversed(self.steps), dict(proof))

    def about_all(self, bandit: TallyingBandit, answer: AnyAnswer, **changes: Any) -> AnyAnswer:
        """An answer about the smaller bandit as one about the original, with these parts in its names."""
        return replace(answer, bandit=bandit, proof=Proof(self.dual(answer.proof.dual)), **changes)

    def without(self, left: Sequence[int], step: dict[str, Any]) -> FewerArms:
        """The same with these arms of the smaller bandit only."""
        if len(left) == self.bandit.actions:
            return self
        rows = [self.bandit.losses[x] for x in left]
        smaller = TallyingBandit(rows, name=self.bandit.name)
        return FewerArms(smaller, self.original(left), (*self.steps, step))


def without_useless_arms(
    bandit: TallyingBandit, played: Collection[int] = (), period: int | None = None
) -> FewerArms:
    """Leave out every arm that the rules allow; arms that were `played` before stay.

    `period` is the length of the words that are compared, if they are repeated forever.

    >>> without_useless_arms(TallyingBandit([["1/2", "1/2"], ["0", "1"], ["1/2", "1"]])).kept
    (0, 1)
    >>> without_useless_arms(TallyingBandit([["0", "1"]] * 1000)).kept
    (0, 1, 2)
    """
    fewer = without_expensive_arms(bandit, played, period)
    pairs = _replaced(_integers(fewer.bandit), fewer.renamed(tuple(played)))
    left = [x for x in range(fewer.bandit.actions) if x not in pairs]
    replaced = [[x, pairs[x]] for x in sorted(pairs)]
    return fewer.without(left, {"rule": "fewer-actions", "replaced": replaced})


def without_expensive_arms(
    bandit: TallyingBandit, played: Collection[int] = (), period: int | None = None
) -> FewerArms:
    """Leave out the arms of the second rule only."""
    everything = FewerArms(bandit, tuple(range(bandit.actions)))
    enough, tally = 2 * bandit.memory - 1, 1
    if period is not None:
        enough, tally = min(period, enough), ceil_div(bandit.memory, period)
    if bandit.actions <= enough:
        return everything
    table = _integers(bandit)
    cheapest = np.argsort(table[:, tally - 1], kind="stable")[:enough]
    stays = table.min(axis=1) < table[cheapest[-1], tally - 1]
    stays[[*cheapest, *played]] = True
    left = np.flatnonzero(stays).tolist()
    return everything.without(left, {"rule": "fewer-actions", "kept": left})


def _integers(bandit: TallyingBandit) -> Array:
    """The table as integers of a type in which rows can be added up."""
    kind = integer_type(bandit.memory * bandit.denominator)
    return np.array(bandit.integers, dtype=object if kind is object else np.int64)


def _replaced(table: Array, played: Collection[int]) -> dict[int, int]:
    """x -> z: the arms that the first rule leaves out, and for each the first arm that can play for it.

    Of two arms, the one that is nowhere above the other has the smaller sum; of equal ones, one that was
    played stays, or else the first.
    """
    sums = table.sum(axis=1).tolist()
    rises: Array = np.any(table[:, 1:] > table[:, :-1], axis=1)
    pairs: dict[int, int] = {}
    stand_ins: list[int] = []
    for x in sorted(range(len(table)), key=lambda x: (sums[x], x not in played)):
        nowhere_above: Array = np.all(table[stand_ins] <= table[x], axis=1)
        if nowhere_above.any() and x not in played:
            pairs[x] = min(z for z, below in zip(stand_ins, nowhere_above, strict=True) if below)
        elif not rises[x] and len(stand_ins) < MOST_STAND_INS:
            stand_ins.append(x)
    return pairs


def few_arms(
    bandit: TallyingBandit, played: Collection[int] = (), period: int | None = None
) -> FewerArms | None:
    """What is left of the arms, if the state graph is large and becomes much smaller without the others."""
    before = bandit.actions**bandit.memory
    if before <= EDGES_WORTH_SAVING:
        return None
    fewer = without_useless_arms(bandit, played, period)
    return fewer if LEAST_SAVING * fewer.bandit.actions**bandit.memory <= before else None
