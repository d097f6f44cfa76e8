"""The numbers that a table was made from, where these were not losses in [0, 1].

Every loss l of the table stands for the number origin + factor * l: a loss of another size if factor > 0, a
reward if factor < 0. The map is affine, so that every result can be mapped back to those numbers:

    a total of T steps    T * origin + factor * total
    a mean per step       origin + factor * mean
    a regret              |factor| * regret

Planning never looks at it: the optimum is attained by the same plans. Like a name it carries no mathematics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import rational, shown, text

LOSSES, REWARDS = "losses", "rewards"
Table = list[list[Fraction]]


@dataclass(frozen=True)
class Units:
    """The affine map back, from losses in [0, 1].

    >>> ten_to_twenty = Units(Fraction(20), Fraction(-10))  # rewards between 10 and 20
    >>> ten_to_twenty.of, ten_to_twenty.total(Fraction(3, 2), steps=4), ten_to_twenty.regret(Fraction(1, 2))
    ('rewards', Fraction(65, 1), Fraction(5, 1))
    """

    origin: Fraction
    factor: Fraction

    @property
    def of(self) -> str:
        """What the numbers are: losses, or rewards."""
        return LOSSES if self.factor > 0 else REWARDS

    def total(self, loss: Fraction, steps: int = 1) -> Fraction:
        """A total loss of `steps` steps in these numbers; of one step, a mean too."""
        return steps * self.origin + self.factor * loss

    def ends(self, lower: Fraction, upper: Fraction, steps: int = 1) -> tuple[Fraction, Fraction]:
        """The same for the two ends of an interval; of rewards, the larger loss is the smaller reward."""
        one, other = sorted((self.total(lower, steps), self.total(upper, steps)))
        return one, other

    def regret(self, regret: Fraction) -> Fraction:
        """What a difference of losses is in these numbers; of rewards, how much less was earned."""
        return abs(self.factor) * regret

    def to_json(self) -> dict[str, str]:
        """As an instance file has it; `of` is for the reader, and held against the sign of the factor."""
        return {"of": self.of, "origin": text(self.origin), "factor": text(self.factor)}

    @classmethod
    def from_json(cls, document: Any) -> Units:
        """Read what `to_json` writes."""
        if not isinstance(document, dict) or set(document) != {"of", "origin", "factor"}:
            raise InvalidInput("units are an object with the keys 'of', 'origin' and 'factor'.")
        units = cls(*(rational(document[key], f"the {key} of the units") for key in ("origin", "factor")))
        if units.factor == 0:
            raise InvalidInput("the factor of the units is 0, so that all losses would be the same number.")
        if document["of"] != units.of:
            raise InvalidInput(
                f"the units are of {shown(document['of'])}, but their factor is one of {units.of}: "
                "positive for losses, negative for rewards."
            )
        return units


def rescaled(
    rows: Sequence[Sequence[Any]], of: str, least: Any = None, most: Any = None
) -> tuple[Table, Units]:
    """A table of losses in [0, 1] from one of any numbers, and the map back.

    `least` becomes the loss 0 and `most` the loss 1, the other way round for rewards; without them, the
    least and the largest entry do. A table of one number only, and no range, becomes a table of zeros.

    >>> table, units = rescaled([[1, 3], [2, 5]], REWARDS)
    >>> table
    [[Fraction(1, 1), Fraction(1, 2)], [Fraction(3, 4), Fraction(0, 1)]]
    >>> units
    Units(origin=Fraction(5, 1), factor=Fraction(-4, 1))
    """
    table = [
        [rational(value, f"{of}[{x}][{y}]") for y, value in enumerate(row)] for x, row in enumerate(rows)
    ]
    entries = [value for row in table for value in row]
    low = min(entries) if least is None else rational(least, "least")
    high = max(entries) if most is None else rational(most, "most")
    if low > high:
        raise InvalidInput(f"the least of the {of} is {text(low)}, and the most {text(high)}.")
    for x, y in product(range(len(table)), range(len(table[0]))):
        if not low <= table[x][y] <= high:
            within = f"between {text(low)} and {text(high)}"
            raise InvalidInput(f"{of}[{x}][{y}] is {text(table[x][y])}; it must lie {within}.")
    width = high - low or Fraction(1)
    units = Units(low, width) if of == LOSSES else Units(high, -width)
    return [[(value - units.origin) / units.factor for value in row] for row in table], units
