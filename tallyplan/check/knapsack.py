"""Least sums of one number for each action: tables by the total of their counts, action after action."""

from collections.abc import Sequence
from itertools import accumulate
from operator import add

from .instance import Problem
from .verdict import Meter

Row = Sequence[int]  # by a count 0, 1, ..


def merged(pairs: Sequence[tuple[Row, Row]], last: bool) -> list[int]:
    """For each total, the least left[i] + right[total - i] of a pair; `last`: for the largest total alone."""
    top = len(pairs[0][0]) - 1
    turned = [(left, right[::-1]) for left, right in pairs]
    return [
        min(min(map(add, left[: total + 1], right[top - total :])) for left, right in turned)
        for total in ([top] if last else range(top + 1))
    ]


def least_sum(rows: Sequence[Row], bits: int, meter: Meter) -> int:
    """The least sum of rows[x][c_x] over counts c_x that add up to the largest."""
    charge(len(rows), len(rows[0]), bits, meter)
    totals = rows[0]
    for row in rows[1:]:
        totals = merged([(totals, row)], row is rows[-1])
    return totals[-1]


def charge(arms: int, size: int, bits: int, meter: Meter, tables: int = 1) -> None:
    """For merging so many rows of this size, each into so many tables."""
    meter.spend(tables * (arms * (10 + size) + max(0, arms - 2) * size * (10 + size // 4)), bits)


def openings(problem: Problem, start: Sequence[int], steps: int, meter: Meter) -> list[list[int]]:
    """`[x][c]`: the cost of playing x c times while nothing leaves the window."""
    meter.spend(problem.K * (10 + 2 * steps + len(start) // 4), problem.bits() + steps.bit_length())
    rows = []
    for x, table in enumerate(problem.tallied):
        held = start.count(x)
        rows.append(list(accumulate((table[held + c] for c in range(1, steps + 1)), initial=0)))
    return rows
