"""Seeded random tables."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.families.registry import (
    Count,
    Denominator,
    Seed,
    Share,
    Spread,
    check_entries,
    drawn,
    family,
    tallying,
    uniform_integers,
)
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div


@drawn("uniform")
def uniform(rng: Random, memory: int, denominator: int) -> list[int]:
    """Independent uniform losses without any structure.

    Every h_x(y) is uniform on {0, 1/d, ..., 1}.

    Source: a standard test instance of this package.

    >>> [[str(loss) for loss in row] for row in uniform(actions=2, memory=3, denominator=100).losses]
    [['49/100', '97/100', '53/100'], ['1/20', '33/100', '13/20']]
    """
    return uniform_integers(rng, memory, 0, denominator)


@drawn("decreasing")
def decreasing(rng: Random, memory: int, denominator: int) -> list[int]:
    """Uniform random rows sorted down: the loss falls with the tally, convex or not.

    h_x(1) >= h_x(2) >= ... >= h_x(m) are m sorted uniform draws from {0, 1/d, ..., 1}. The counterpart, rows
    sorted up, is `congested`; with convexity it is `improving`.

    Source: a standard test instance of this package.

    >>> [[str(loss) for loss in row] for row in decreasing(actions=2, memory=3, denominator=100).losses]
    [['97/100', '53/100', '49/100'], ['13/20', '33/100', '1/20']]
    """
    return sorted(uniform_integers(rng, memory, 0, denominator), reverse=True)


@family("sparse")
def sparse(
    *,
    actions: Count,
    memory: Count,
    cheap: Share = Fraction(3, 20),
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> TallyingBandit:
    """A few cheap entries in a table of ones.

    Exactly ceil(cheap * K * m) entries, a uniform random set of them, are uniform on {0, 1/d, ..., (d-1)/d};
    all others are 1. Good plans must find the tallies that are worth their set-up.

    Source: a standard test instance of this package.

    Parameters
    ----------
    cheap : share of the K * m entries that cost less than 1.
    denominator : cheap losses are integers over this number d.

    >>> [[str(loss) for loss in row] for row in sparse(actions=2, memory=3, cheap="1/3").losses]
    [['1', '1', '1'], ['97/125', '41/1000', '1']]
    """
    entries = actions * memory
    check_entries(entries)
    rng = Random(seed)
    cells = list(range(entries))
    losses = [Fraction(1)] * entries
    for i in range(ceil_div(cheap.numerator * entries, cheap.denominator)):
        j = i + rng.randrange(entries - i)
        cells[i], cells[j] = cells[j], cells[i]
        losses[cells[i]] = Fraction(rng.randrange(denominator), denominator)
    return tallying(actions, memory, lambda x: losses[x * memory : (x + 1) * memory])


@family("near-tie")
def near_tie(
    *,
    actions: Count,
    memory: Count,
    spread: Spread = 2,
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> TallyingBandit:
    """Losses that hardly differ: all within a few units of 1/2.

    h_x(y) = (floor(d/2) + j)/d with j uniform on {-s, ..., s}, s the spread. Ties and near ties are where a
    planner that rounds goes wrong; spread=0 makes every plan optimal.

    Source: a standard test instance of this package.

    Parameters
    ----------
    spread : s, the largest deviation in units of 1/d; at most d/2.

    >>> [[str(loss) for loss in row] for row in near_tie(actions=2, memory=3).losses]
    [['501/1000', '501/1000', '249/500'], ['1/2', '251/500', '501/1000']]
    """
    if 2 * spread > denominator:
        raise InvalidInput(
            f"spread is {spread}; with denominator={denominator} it must be at most {denominator // 2}."
        )
    rng, low, high = Random(seed), denominator // 2 - spread, denominator // 2 + spread
    unit = Fraction(1, denominator)
    return tallying(actions, memory, lambda _: [n * unit for n in uniform_integers(rng, memory, low, high)])


@drawn("equal-arms", alike=True)
def equal_arms(rng: Random, memory: int, denominator: int) -> list[int]:
    """All arms share one uniform random row.

    h_x = h for every x, and every h(y) is uniform on {0, 1/d, ..., 1}. Only the rhythm of play matters, and
    every relabelling of the arms of an optimal plan is optimal.

    Source: a standard test instance of this package.

    >>> [[str(loss) for loss in row] for row in equal_arms(actions=2, memory=3, denominator=100).losses]
    [['49/100', '97/100', '53/100'], ['49/100', '97/100', '53/100']]
    """
    return uniform_integers(rng, memory, 0, denominator)
