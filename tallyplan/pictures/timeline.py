"""A plan as a timeline: which arm, which tally, which loss, step by step.

A row for each arm, a square for each play with the tally in it, and the loss of each step as a bar below. Of
a word that repeats, the repetitions that differ are drawn and one more; all that follow are alike, and a
break says how many there are. So a plan of 10^15 steps is a picture of a few dozen.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import digits
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import Runs, length
from tallyplan.pictures.files import picture_format, write_picture
from tallyplan.pictures.labels import equals, first_line, inches, joined, shortened
from tallyplan.pictures.plays import Play, Stretch, repetitions_that_differ, stretches
from tallyplan.pictures.style import FAINT, HUES, styled, text_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_STEPS = 120  # squares in a row
MOST_ARMS = 20
SQUARE = 0.3  # inches
LETTER = 0.23  # the width of a letter in a break, in squares


@styled
def draw_timeline(
    bandit: Bandit,
    runs: Runs,
    path: str | os.PathLike[str] | None = None,
    *,
    start: Sequence[int] = (),
    title: str = "",
) -> Figure:
    """Draw a plan, such as the `runs` of `optimal_plan`, as a timeline.

    Parameters
    ----------
    runs : the plan as words with their repeats.
    path : where to write the picture, if anywhere; .svg, .png or .pdf.
    start : actions played before; they are not drawn, but stay in the window.
    title : what the plan is, for the second line, such as "optimal for T = 100".

    Raises
    ------
    InvalidInput : there is nothing to draw, too many arms, or more than 120 steps that differ.

    See Also
    --------
    tallyplan.optimal_plan : plans to draw.
    tallyplan.pictures.draw_ring : a word that is repeated for ever.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> figure = draw_timeline(TallyingBandit([["0", "1"], ["0", "1"]]), [((0, 1), 10**15)])
    >>> [text.get_text() for text in figure.axes[0].texts if text.get_gid().startswith("break-")]
    ['999999999999998\\nmore 01']
    """
    if path is not None:
        picture_format(path)
    from matplotlib.figure import Figure

    _require_drawable(bandit, runs)
    shown = stretches(bandit, runs, tuple(start))
    breaks = [_break(one, bandit) for one in shown]
    width = sum(len(one.plays) + _width(label) for one, label in zip(shown, breaks, strict=True))
    high = SQUARE * bandit.actions
    steps = f"{digits(length(runs))} steps, total loss {equals(replay_runs(bandit, runs, start))}"
    heading = f"{first_line(bandit)}\n{f'{title}: ' if title else ''}{steps}"
    size = (max(width * SQUARE + 1.4, inches(heading)), high + 2.3)
    figure = Figure(figsize=size, layout="constrained")
    arms, losses = figure.subplots(2, 1, sharex=True, height_ratios=(high, 1.0))
    arms.set(
        xlim=(-0.6, max(width, (size[0] - 1.4) / SQUARE) - 0.4),
        ylim=(bandit.actions - 0.4, -0.6),
        ylabel="arm",
    )
    arms.set_yticks(range(bandit.actions))
    _draw_stretches(arms, losses, shown, breaks)
    arms.tick_params(length=0)
    arms.spines[["bottom", "left"]].set_visible(False)
    losses.set(xlabel="step", ylabel="loss", ylim=(0, 1.05 * max(_greatest(shown), 1e-9)))
    figure.suptitle(heading, fontsize=11, parse_math=False)
    if path is not None:
        write_picture(path, figure)
    return figure


def _require_drawable(bandit: Bandit, runs: Runs) -> None:
    if not length(runs):
        raise InvalidInput("the plan has no step; there is nothing to draw.")
    if bandit.actions > MOST_ARMS:
        raise InvalidInput(f"there are {bandit.actions} arms; a timeline shows at most {MOST_ARMS}.")
    steps = sum(repetitions_that_differ(bandit, word, repeats) * len(word) for word, repeats in runs if word)
    if steps > MOST_STEPS:
        raise InvalidInput(
            f"the plan has {steps} steps that differ; a timeline shows at most {MOST_STEPS}. A shorter "
            "horizon or memory has fewer."
        )


def _greatest(shown: Sequence[Stretch]) -> float:
    return float(max(play.loss for one in shown for play in one.plays))


def _break(stretch: Stretch, bandit: Bandit) -> str:
    """What a break says: how many repetitions of which word are left out."""
    if not stretch.unseen:
        return ""
    return f"{digits(stretch.unseen)}\nmore {shortened(joined(stretch.word, bandit.actions), 12)}"


def _width(label: str) -> float:
    """The width of a break, in squares."""
    return 0.6 + LETTER * max(map(len, label.split("\n"))) if label else 0


def _draw_stretches(arms: Axes, losses: Axes, shown: Sequence[Stretch], breaks: Sequence[str]) -> None:
    place, ticks = 0.0, {}
    for number, (stretch, label) in enumerate(zip(shown, breaks, strict=True)):
        for play in stretch.plays:
            _draw_play(arms, losses, play, place)
            if play is stretch.plays[0] or play is stretch.plays[-1] or play.step % 5 == 0:
                ticks[place] = digits(play.step) if play.step < 10**6 else ""
            place += 1
        if label:
            end = place + _width(label)
            for axes in (arms, losses):
                axes.axvspan(place - 0.45, end - 0.55, color=FAINT, alpha=0.15, lw=0)
            arms.text(
                (place + end - 1) / 2,
                sum(arms.get_ylim()) / 2,
                label,
                ha="center",
                va="center",
                size=7.5,
                gid=f"break-{number}",
            )
            place = end
    losses.set_xticks(list(ticks), list(ticks.values()), fontsize=8)


def _draw_play(arms: Axes, losses: Axes, play: Play, place: float) -> None:
    from matplotlib.patches import Rectangle

    hue = HUES[play.arm % len(HUES)]
    corner = (place - 0.45, play.arm - 0.45)
    arms.add_patch(Rectangle(corner, 0.9, 0.9, fc=hue, lw=0, gid=f"play-{play.step}"))
    arms.text(
        place,
        play.arm,
        str(play.tally),
        ha="center",
        va="center",
        size=8.5,
        color=text_on(hue),
        gid=f"tally-{play.step}",
    )
    losses.bar(place, float(play.loss), width=0.9, color=hue)
