"""Building tables of losses, from rows and from a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import TallyingBandit


def tallying(actions: int, memory: int, row: Callable[[int], Sequence[Fraction]]) -> TallyingBandit:
    """A tallying bandit from a function that gives the row of an action."""
    check_entries(actions * memory)
    return TallyingBandit([row(action) for action in range(actions)])


def drawn(
    actions: int, memory: int, denominator: int, seed: int, row: Callable[[Random], Sequence[int]]
) -> TallyingBandit:
    """One row of numerators per action, drawn in the order of the actions."""
    rng = Random(seed)
    return tallying(actions, memory, lambda action: [Fraction(n, denominator) for n in row(rng)])


def check_entries(entries: int, bits: int = 24) -> None:
    """Refuse a table that is too large to be written down."""
    if entries > 2**bits:
        raise InvalidInput(
            f"the table would have more than 2^{bits} entries; choose fewer actions or a shorter memory."
        )


def uniform_integers(rng: Random, count: int, low: int, high: int) -> list[int]:
    """Independent integers, uniform in low .. high; `randrange` is the only source of randomness here."""
    return [low + rng.randrange(high - low + 1) for _ in range(count)]


def climb(rng: Random, length: int, low: int, high: int) -> list[int]:
    """An increasing row of `length` integers from low to high; a row of one is low."""
    return [low] if length == 1 else [low, *sorted(uniform_integers(rng, length - 2, low, high)), high]


def convex_descent(rng: Random, length: int, high: int, low: int) -> list[int]:
    """A decreasing and convex row of `length` integers from high to low; a row of one is low."""
    steps = sorted(after - before for before, after in pairwise(climb(rng, length, low, high)))
    return list(accumulate(steps, initial=low))[::-1]


def ends(rng: Random, denominator: int) -> tuple[int, int]:
    """Two random numbers in 0 .. denominator, the lower one first."""
    low, high = sorted(uniform_integers(rng, 2, 0, denominator))
    return low, high


def chosen_arm(best: int | None, drawn: int, actions: int) -> int:
    """The arm that was asked for, if it exists, or the drawn one."""
    if best is not None and best >= actions:
        raise InvalidInput(f"best is {best}; the actions are 0 to {actions - 1}.")
    return drawn if best is None else best
