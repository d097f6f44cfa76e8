"""The style sheet of all pictures: hues, ink, and the settings of Matplotlib.

The hues are those of Okabe and Ito, which the colour-blind tell apart; where lines may cross, each also has a
marker of its own. Pictures do not depend on the user's settings: they are made inside `sheet()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

# Okabe and Ito's hues; their yellow is left to the marker of the optimal cycle.
HUES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00", "#666666")
MARKERS = "os^Dv*PX"  # the shape that goes with each hue
MARKER = "#FFD92F"  # the yellow band under what is optimal
INK = "#333333"
FAINT = "#666666"  # what is there for comparison only
GRID = "#DDDDDD"
SHADES = "Blues"  # of numbers, the darker the larger

VERDICTS = {  # dark enough for text on white, and told apart by their words as well
    "proved": "#00694F",
    "argued": "#3D6B1F",
    "checked": "#005A8C",
    "refuted": "#A63A00",
    "undecided": "#5F5F5F",
}

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
    """A function that draws, within the style sheet.

    >>> from matplotlib.figure import Figure
    >>> axes = styled(lambda: Figure().add_subplot())()
    >>> bool(axes.spines["top"].get_visible()), axes.plot([0])[0].get_color() == HUES[0]
    (False, True)
    """

    @wraps(draw)
    def drawn(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Made:
        with sheet():
            return draw(*args, **kwargs)

    return drawn


def text_on(hue: str) -> str:
    """White or black, whichever has the greater contrast on the hue (relative luminance of WCAG 2).

    >>> text_on("#000000"), text_on("#FFD92F")
    ('white', 'black')
    """
    from matplotlib.colors import to_rgb

    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(hue)]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"
