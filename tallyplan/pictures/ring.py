"""A cycle as a ring: a disc for each step of the word, clockwise from the top, with its tally and loss."""

from __future__ import annotations

import cmath
import math
import os
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit
from tallyplan.model.replay import checked_action, mean_of_word
from tallyplan.pictures.files import picture_format, write_picture
from tallyplan.pictures.labels import equals, first_line, inches, joined, short, shortened
from tallyplan.pictures.plays import Play, plays_of_cycle
from tallyplan.pictures.style import HUES, INK, MARKER, styled, text_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST_RING = 60
DISC = 0.24  # inches, the radius of a disc
LABEL = 1.35  # inches from the ring to the end of a label
ROOM = 0.75  # inches between two centres


@styled
def draw_ring(
    bandit: Bandit, path: str | os.PathLike[str] | None = None, *, word: Sequence[int] | None = None
) -> Figure:
    """Draw the cycle of a word, an optimal one by default: arm, tally and loss of every step.

    Parameters
    ----------
    path : where to write the picture, if anywhere; .svg, .png or .pdf.
    word : the word that is repeated for ever, of at most 60 actions.

    Raises
    ------
    InvalidInput : the word is empty, too long or no word of the instance; or the file cannot be written.

    See Also
    --------
    tallyplan.minimum_mean_cycle : the optimal word.
    tallyplan.pictures.draw_state_graph : the cycle among all states.
    tallyplan.pictures.draw_timeline : a plan of finitely many steps.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> figure = draw_ring(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> [text.get_text() for text in figure.axes[0].texts if text.get_gid().startswith("loss-")]
    ['tally 1\\nloss 0', 'tally 1\\nloss 0']
    """
    if path is not None:
        picture_format(path)
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    given = word is not None
    if word is None:
        word = minimum_mean_cycle(bandit).word
    shown = tuple(checked_action(bandit, action, f"word[{i}]") for i, action in enumerate(word))
    _require_short(len(shown))
    steps = plays_of_cycle(bandit, shown)
    mean = mean_of_word(bandit, shown)
    told = f"mean {equals(mean)}" if given else f"λ* {equals(mean)}"
    heading = f"{first_line(bandit)}\nK = {bandit.actions}, m = {bandit.memory}, {told}"
    radius = _radius(len(steps))
    figure, axes = _paper(radius, heading)
    _draw_band(axes, radius)
    for number, play in enumerate(steps):
        _draw_step(axes, play, radius, number, len(steps))
    repeated = textwrap.fill(shortened(joined(shown, bandit.actions), 60), 14)
    axes.text(0, 0, f"repeat\n{repeated}\n{told}", ha="center", va="center", gid="centre")
    if path is not None:
        write_picture(path, figure)
    return figure


def _paper(radius: float, heading: str) -> tuple[Figure, Axes]:
    """A figure just large enough, its axes in inches."""
    from matplotlib.figure import Figure

    width, side = max(2 * (radius + LABEL), inches(heading)), 2 * (radius + LABEL) - 0.4
    figure = Figure(figsize=(width, side + 0.5))
    axes = figure.add_axes((0, 0, 1, side / (side + 0.5)))
    axes.set(xlim=(-width / 2, width / 2), ylim=(-side / 2, side / 2))
    axes.set_axis_off()
    figure.suptitle(heading, fontsize=11, y=1 - 0.08 / side, va="top", parse_math=False)
    return figure, axes


def _require_short(length: int) -> None:
    if not length:
        raise InvalidInput("the word is empty; a cycle plays at least one action.")
    if length > LONGEST_RING:
        raise InvalidInput(f"the word has {length} actions; a ring shows at most {LONGEST_RING}.")


def _radius(count: int) -> float:
    return max(1.0, ROOM / (2 * math.sin(math.pi / count)) if count > 1 else 0)


def _place(number: int, count: int, radius: float) -> complex:
    return radius * 1j * cmath.exp(-2j * math.pi * number / count)


def _draw_band(axes: Axes, radius: float) -> None:
    """The way round, and an arrow head between the first two steps that says which."""
    from matplotlib.patches import Circle, FancyArrowPatch

    axes.add_patch(Circle((0, 0), radius, fill=False, ec=MARKER, lw=9, zorder=1))
    axes.add_patch(Circle((0, 0), radius, fill=False, ec=INK, lw=1, zorder=2))
    inner = radius - 0.42
    tail, head = (inner * 1j * cmath.exp(-1j * angle) for angle in (0.0, 0.55))
    axes.add_patch(
        FancyArrowPatch(
            (tail.real, tail.imag),
            (head.real, head.imag),
            connectionstyle="arc3,rad=-0.15",
            arrowstyle="-|>",
            mutation_scale=12,
            color=INK,
            gid="direction",
        )
    )


def _draw_step(axes: Axes, play: Play, radius: float, number: int, count: int) -> None:
    from matplotlib.patches import Circle

    place, beside = (_place(number, count, r) for r in (radius, radius + DISC + 0.14))
    hue = HUES[play.arm % len(HUES)]
    axes.add_patch(Circle((place.real, place.imag), DISC, fc=hue, ec=INK, zorder=3, gid=f"step-{number}"))
    axes.text(
        place.real,
        place.imag,
        str(play.arm),
        ha="center",
        va="center",
        color=text_on(hue),
        weight="bold",
        zorder=4,
        gid=f"arm-{number}",
    )
    sideways, upwards = beside.real / radius, beside.imag / radius
    axes.text(
        beside.real,
        beside.imag,
        f"tally {play.tally}\nloss {short(play.loss)}",
        size=8.5,
        ha="left" if sideways > 0.2 else "right" if sideways < -0.2 else "center",
        va="bottom" if upwards > 0.6 else "top" if upwards < -0.6 else "center",
        gid=f"loss-{number}",
    )
