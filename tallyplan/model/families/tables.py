"""Building tables of losses, from rows and from a seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.families.registry import Count, Denominator, Seed, family
from tallyplan.model.instance import TallyingBandit

Draw = Callable[[Random, int, int], Sequence[int]]


def tallying(actions: int, memory: int, row: Callable[[int], Sequence[Fraction]]) -> TallyingBandit:
    """A tallying bandit from a function that gives the row of an action."""
    check_entries(actions * memory)
    return TallyingBandit([row(action) for action in range(actions)])


def drawn(
    name: str, *, alike: bool = False, **meanings: str
) -> Callable[[Draw], Callable[..., TallyingBandit]]:
    """A family of tables: the function draws the numerators of each row, or of one row for all arms."""

    def register(draw: Draw) -> Callable[..., TallyingBandit]:
        def build(
            *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
        ) -> TallyingBandit:
            check_entries(actions * memory)
            rng = Random(seed)
            numerators = [draw(rng, memory, denominator) for _ in range(1 if alike else actions)]
            rows = [[Fraction(n, denominator) for n in row] for row in numerators]
            return TallyingBandit(rows * actions if alike else rows)

        build.__doc__, build.__module__, build.__qualname__ = draw.__doc__, draw.__module__, draw.__qualname__
        return family(name, **meanings)(build)

    return register


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
