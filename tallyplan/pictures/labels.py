"""Numbers, words and names as pictures write them: short, and honest where they round."""

from __future__ import annotations

import textwrap
from fractions import Fraction

from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text
from tallyplan.model.words import Word, written

MAX_LABEL = 10  # characters of a loss that still fit on an arrow


def short(value: Fraction, longest: int = MAX_LABEL) -> str:
    """A rational for a picture: whole numbers without a denominator, long ones as a decimal that says so.

    See Also
    --------
    tallyplan.pictures.draw_heat_map : a picture full of such numbers.

    Examples
    --------
    >>> short(Fraction(1)), short(Fraction(2, 4)), short(Fraction(10**20, 3 * 10**20 + 1))
    ('1', '1/2', '≈0.3333')
    """
    exact = str(value.numerator) if value.denominator == 1 else text(value)
    return exact if len(exact) <= longest else f"≈{float(value):.4g}"


def inches(lines: str) -> float:
    """The width that a title takes."""
    return 0.4 + 0.092 * max(map(len, lines.split("\n")))


def equals(value: Fraction) -> str:
    """`= p/q`, or `≈` and a decimal where that would be too long."""
    shown = short(value, 40)
    return f"≈ {shown[1:]}" if shown.startswith("≈") else f"= {shown}"


def joined(word: Word, actions: int) -> str:
    """A word as it is written everywhere; the empty one is ε."""
    return written([(word, 1)], actions) or "ε"


def shortened(label: str, longest: int) -> str:
    """A label without its middle, if it is too long."""
    half = (longest - 1) // 2
    return label if len(label) <= longest else f"{label[:half]}…{label[-half:]}"


def first_line(bandit: Bandit, title: str | None = None) -> str:
    """The title, or the name of the instance, as one line of printable letters."""
    line = title if title is not None else bandit.name or "tallying bandit"
    # XML has no place for control characters, and a picture none for a page of text.
    printable = "".join(letter if letter.isprintable() else " " for letter in line)
    return textwrap.shorten(printable, 80, placeholder="…") if len(printable) > 80 else printable
