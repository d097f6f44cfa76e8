"""Arms that can be left out, exactly.

**Rule.** If h_z is nonincreasing and h_z(y) <= h_x(y) for every tally y, the arm x can be left out: some
optimal policy does without it. *Proof.* Write z for every x in a sequence of plays. No other arm's tallies
change. A former play of x at the tally y is now one of z at a tally y' >= y, and h_z(y') <= h_z(y) <= h_x(y).
A play of z at the tally y is now at some y' >= y, and h_z(y') <= h_z(y). So no step became more expensive: in
the long run, and for every horizon. (If x was played before the game began, those plays stay what they are,
and the argument breaks: such an x must be kept.)

A constant arm is nonincreasing: of several constant arms the cheapest is enough, and an arm that never loses
less than a constant one can go. Of equal arms with nonincreasing losses one is enough.

Without "nonincreasing" the rule is false, even for equal arms: h = (0, 1) twice has mean 0 by taking turns,
and one such arm alone has mean 1. Equal arms can then only be permuted, which shortens no proof here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning.without_graph.proofs import Dual

METHOD = "fewer-arms"


@dataclass(frozen=True)
class FewerArms:
    """A bandit without the arms that can be left out.

    Attributes
    ----------
    bandit : what is left; its arm i is the arm kept[i] of the original.
    kept : the arms that stay.
    removed : ((x, z), ...): x is left out, z, which stays, plays for it.
    """

    bandit: TallyingBandit
    kept: Word
    removed: tuple[tuple[int, int], ...]

    def original(self, word: Sequence[int]) -> Word:
        """A word of the smaller bandit in the names of the original."""
        return tuple(self.kept[action] for action in word)

    def renamed(self, actions: Sequence[int]) -> Word:
        """Actions of the original, all of them kept, in the names of the smaller bandit."""
        return tuple(self.kept.index(action) for action in actions)

    def dual(self, proof: Dual) -> dict[str, Any]:
        """A proof about the smaller bandit as one about the original."""
        if not self.removed:
            return dict(proof)
        return {"method": METHOD, "removed": [list(pair) for pair in self.removed], "proof": dict(proof)}


def without_useless_arms(bandit: TallyingBandit, played: Collection[int] = ()) -> FewerArms:
    """Leave out every arm that the rule allows; arms that were `played` before stay.

    >>> without_useless_arms(TallyingBandit([["1/2", "1/2"], ["0", "1"], ["1/2", "1"]])).removed
    ((2, 0),)
    """
    rows = bandit.losses
    falling = [x for x, row in enumerate(rows) if all(a >= b for a, b in pairwise(row))]
    removed: dict[int, int] = {}
    for x in sorted(set(range(bandit.actions)) - set(played), reverse=True):
        others = (z for z in falling if z != x and z not in removed)
        better = next((z for z in others if _nowhere_above(rows[z], rows[x])), None)
        if better is not None:
            removed[x] = better
    # z may have been removed after x was: let x follow to the arm that stayed
    final = tuple((x, _end(removed, removed[x])) for x in sorted(removed))
    kept = tuple(x for x in range(bandit.actions) if x not in removed)
    smaller = TallyingBandit([rows[x] for x in kept], name=bandit.name) if removed else bandit
    return FewerArms(smaller, kept, final)


def _nowhere_above(lower: Sequence[Fraction], upper: Sequence[Fraction]) -> bool:
    return all(a <= b for a, b in zip(lower, upper, strict=True))


def _end(removed: dict[int, int], z: int) -> int:
    while z in removed:
        z = removed[z]
    return z
