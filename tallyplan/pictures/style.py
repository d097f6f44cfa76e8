"""The style sheet of all pictures: hues, ink, the settings of Matplotlib, labels, and how files are written.

The hues are those of Okabe and Ito, which the colour-blind tell apart; where lines may cross, each also has a
marker of its own. Pictures do not depend on the user's settings: they are made inside `sheet()`.
"""

from __future__ import annotations

import inspect
import io
import os
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from tallyplan.errors import InvalidInput
from tallyplan.model.files import write
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import plain
from tallyplan.model.words import Word, written

FORMATS = (".svg", ".png", ".pdf")
MAX_LABEL = 10  # characters of a loss that still fit on an arrow

# Okabe and Ito's hues; their yellow is left to the marker of the optimal cycle.
HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00", "#666666")
ON_HUES = ("white", "black", "black", "black", "white", "black", "black", "white")  # letters on each hue
MARKERS = "os^Dv*PX"  # the shape that goes with each hue
MARKER = "#FFD92F"  # the yellow band under what is optimal
INK = "#333333"
FAINT = "#666666"  # what is there for comparison only
GRID = "#DDDDDD"
SHADES = "Blues"  # of numbers, the darker the larger

SHEET: dict[str, Any] = {
    "svg.fonttype": "none",  # text in SVG stays text
    "svg.hashsalt": "tallyplan",  # and the same picture is the same file
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "savefig.dpi": 150,
}

Parameters = ParamSpec("Parameters")
Made = TypeVar("Made")


@contextmanager
def sheet() -> Iterator[None]:
    """The settings of the style sheet, whatever the user's are."""
    import matplotlib.style
    from cycler import cycler

    with matplotlib.style.context(["default", SHEET, {"axes.prop_cycle": cycler(color=HUES)}]):
        yield


def styled(draw: Callable[Parameters, Made]) -> Callable[Parameters, Made]:
    """Decorate a function that draws: it uses the style sheet, and its figure is written to `path`.

    The suffix of the path is checked before anything is drawn.

    >>> from matplotlib.figure import Figure
    >>> axes = styled(lambda: Figure().add_subplot())()
    >>> bool(axes.spines["top"].get_visible()), axes.plot([0])[0].get_color() == HUES[0]
    (False, True)
    """
    signature = inspect.signature(draw)

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Made:
        path = signature.bind(*args, **kwargs).arguments.get("path")
        if path is not None:
            picture_format(path)
        with sheet():
            made = draw(*args, **kwargs)
        if path is not None:
            write_picture(path, made)
        return made

    return drawn


def write_at(axes: Any, place: complex, text: str, **how: Any) -> None:
    """Write centred at a point of the plane."""
    axes.text(place.real, place.imag, text, **{"ha": "center", "va": "center"} | how)


def picture_format(path: str | os.PathLike[str]) -> str:
    """The suffix of a picture file.

    >>> picture_format("Plan.SVG")
    '.svg'
    >>> picture_format("plan.gif")
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: plan.gif does not end in .svg, .png or .pdf, the formats of a picture.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise InvalidInput(f"{path} does not end in .svg, .png or .pdf, the formats of a picture.")
    return suffix


def write_picture(path: str | os.PathLike[str], figure: Any) -> None:
    """Write a Matplotlib figure in the format that the suffix names; the same figure is the same file.

    >>> from tempfile import TemporaryDirectory
    >>> from matplotlib.figure import Figure
    >>> with TemporaryDirectory() as folder:
    ...     write_picture(Path(folder, "empty.svg"), Figure())
    ...     Path(folder, "empty.svg").read_text("utf-8").startswith("<?xml")
    True
    """
    write(path, picture_bytes(figure, picture_format(path)))


def picture_bytes(figure: Any, suffix: str) -> bytes:
    """The content of a picture file: text in SVG stays text, and no format carries a date.

    >>> from matplotlib.figure import Figure
    >>> picture_bytes(Figure(), ".png")[1:4]
    b'PNG'
    """
    buffer = io.BytesIO()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix, {})
    with sheet():
        figure.savefig(buffer, format=suffix[1:], metadata=metadata)
    return buffer.getvalue()


def short(value: Fraction, longest: int = MAX_LABEL) -> str:
    """A rational for a picture: whole numbers without a denominator, long ones as a decimal, ≈ if rounded.

    >>> short(Fraction(1)), short(Fraction(2, 4)), short(Fraction(10**20, 3 * 10**20 + 1))
    ('1', '1/2', '≈0.3333')
    >>> short(Fraction(489, 500), 5)
    '0.978'
    """
    exact, rounded = plain(value), f"{float(value):.4g}"
    return exact if len(exact) <= longest else rounded if Fraction(rounded) == value else f"≈{rounded}"


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


def sizes(bandit: Bandit) -> str:
    """K, and m or the states of the arms."""
    return f"K = {bandit.actions}, m = {bandit.memory}" if bandit.memory else bandit.size


def first_line(bandit: Bandit, title: str | None = None) -> str:
    """The title, or the name of the instance, as one line of printable letters."""
    line = (
        title if title is not None else bandit.name or ("tallying bandit" if bandit.memory else "arm bandit")
    )
    # XML has no place for control characters, and a picture none for a page of text.
    printable = "".join(letter if letter.isprintable() else " " for letter in line)
    return textwrap.shorten(printable, 80, placeholder="…") if len(printable) > 80 else printable
