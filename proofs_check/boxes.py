"""The finite boxes that claims are checked on, and words for them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random

from tallyplan.model.instance import TallyingBandit


def binary_rows(memory: int) -> list[tuple[int, ...]]:
    """All {0,1} rows h(1..m), in lexicographic order."""
    return list(product((0, 1), repeat=memory))


def binary_tables(actions: int, memory: int) -> Iterator[TallyingBandit]:
    """Every {0,1} table, up to the order of the actions.

    >>> len(list(binary_tables(2, 2)))
    10
    """
    return (TallyingBandit(rows) for rows in combinations_with_replacement(binary_rows(memory), actions))


def random_table(rng: Random, actions: int, memory: int, denominator: int) -> TallyingBandit:
    """A table of multiples of 1/denominator, uniform."""
    return TallyingBandit(
        [[Fraction(rng.randint(0, denominator), denominator) for _ in range(memory)] for _ in range(actions)]
    )


def needle(actions: int, memory: int) -> TallyingBandit:
    """The construction of Proposition 1, x* being the first action: h_{x*}(m) = 0, every other loss is 1."""
    return TallyingBandit([[1] * (memory - 1) + [0]] + [[1] * memory] * (actions - 1))


def span(values: range) -> str:
    """A range of integers in words.

    >>> span(range(1, 4)), span(range(2, 3))
    ('1..3', '2')
    """
    return f"{values[0]}..{values[-1]}" if len(values) > 1 else str(values[0])
