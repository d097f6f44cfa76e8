"""Plans, step by step: which arm, which tally, which loss.

There is a row for each arm, a square for each play with the tally in it, and the loss of each step as a bar
below. Of a word that repeats, the repetitions that differ are drawn and one more; all that follow are alike,
and a break says how many there are. So a plan of 10^15 steps is a picture of a few dozen.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit, State
from tallyplan.model.rationals import digits
from tallyplan.model.replay import checked_runs, history_of, replay_runs, turns_of
from tallyplan.model.words import Runs, Word, length
from tallyplan.pictures.style import (
    FAINT,
    HUES,
    ON_HUES,
    equals,
    first_line,
    inches,
    joined,
    shortened,
    styled,
    write_at,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_STEPS = 120  # squares in a row
MOST_ARMS = 20
SQUARE = 0.3  # inches
LETTER = 0.23  # the width of a letter in a break, in squares
ROW = 34  # squares side by side; what is longer goes on below


@dataclass(frozen=True)
class Play:
    """One step: the number of the step, the arm, how often it is in the window, and the loss h_x(y)."""

    step: int
    arm: int
    tally: int
    loss: Fraction


@dataclass(frozen=True)
class Stretch:
    """Steps that follow each other, and how many more repetitions of the word follow that are not drawn.

    After the plays of the stretch every repetition has the tallies and losses of the last one.
    """

    plays: tuple[Play, ...]
    word: Word
    unseen: int


def plays(bandit: Bandit, actions: Iterable[int], state: State, first: int = 1) -> tuple[Play, ...]:
    """The steps of the actions from a state on; of an arm bandit, with the state of the arm for a tally.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [(play.arm, play.tally, str(play.loss)) for play in plays(bandit, (0, 0, 1), ())]
    [(0, 1, '0'), (0, 2, '1'), (1, 1, '0')]
    """
    found = []
    for step, action in enumerate(actions, first):
        tally = bandit.seen_at(state, action)
        loss, after = bandit.step(state, action)
        found.append(Play(step, action, tally, loss))
        state = after
    return tuple(found)


def stretches(bandit: Bandit, runs: Runs, start: Word = ()) -> list[Stretch]:
    """The runs as stretches: of a word that repeats, as many repetitions as differ, and one more.

    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [(len(one.plays), one.unseen) for one in stretches(bandit, [((0, 1), 10), ((1,), 1)])]
    [(4, 8), (1, 0)]
    """
    state, first, found = bandit.state_after(history_of(bandit, start)), 1, []
    for word, repeats in checked_runs(bandit, runs):
        turns = turns_of(bandit, state, word, repeats)
        seen = min(repeats, len(turns.states))
        found.append(Stretch(plays(bandit, word * seen, state, first), word, repeats - seen))
        state = turns.after
        first += repeats * len(word)
    return found


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

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> figure = draw_timeline(TallyingBandit([["0", "1"], ["0", "1"]]), [((0, 1), 10**15)])
    >>> [text.get_text() for text in figure.axes[0].texts if text.get_gid().startswith("break-")]
    ['999999999999998\\nmore 01']
    """
    from matplotlib.figure import Figure

    if not length(runs):
        raise InvalidInput("the plan has no step; there is nothing to draw.")
    shown = stretches(bandit, runs, tuple(start))
    _require_drawable(bandit, shown)
    rows = _rows(shown, bandit)
    wide = max(sum(width for _, width in row) for row in rows)
    high = SQUARE * bandit.actions
    steps = f"{digits(length(runs))} steps, total loss {equals(replay_runs(bandit, runs, start))}"
    heading = f"{first_line(bandit)}\n{f'{title}: ' if title else ''}{steps}"
    size = (max(wide * SQUARE + 1.4, inches(heading)), (high + 1.6) * len(rows) + 0.7)
    figure = Figure(figsize=size, layout="constrained")
    pairs = figure.subplots(2 * len(rows), 1, height_ratios=(high, 1.0) * len(rows), squeeze=False)[:, 0]
    most = float(max(mark.loss for row in rows for mark, _ in row if isinstance(mark, Play)))
    for row, arms, losses in zip(rows, pairs[::2], pairs[1::2], strict=True):
        for axes in (arms, losses):
            axes.set_xlim(-0.6, max(wide, (size[0] - 1.4) / SQUARE) - 0.4)
        arms.set(ylim=(bandit.actions - 0.4, -0.6), ylabel="arm", yticks=range(bandit.actions), xticks=[])
        arms.tick_params(length=0)
        arms.spines[["bottom", "left"]].set_visible(False)
        losses.set(ylabel="loss", ylim=(0, 1.05 * max(most, 1e-9)))
        _draw_row(arms, losses, row)
    pairs[-1].set_xlabel("step")
    figure.suptitle(heading, fontsize=11, parse_math=False)
    return figure


def _require_drawable(bandit: Bandit, shown: Sequence[Stretch]) -> None:
    if bandit.actions > MOST_ARMS:
        raise InvalidInput(f"there are {bandit.actions} arms; a timeline shows at most {MOST_ARMS}.")
    steps = sum(len(stretch.plays) for stretch in shown)
    if steps > MOST_STEPS:
        raise InvalidInput(
            f"the plan has {steps} steps that differ; a timeline shows at most {MOST_STEPS}. A shorter "
            "horizon or memory has fewer."
        )


def _rows(shown: Sequence[Stretch], bandit: Bandit) -> list[list[tuple[Play | str, float]]]:
    """Plays and breaks with their widths, in rows that fit a page."""
    rows: list[list[tuple[Play | str, float]]] = [[]]
    for stretch in shown:
        marks: list[tuple[Play | str, float]] = [(play, 1.0) for play in stretch.plays]
        if stretch.unseen:
            word = shortened(joined(stretch.word, bandit.actions), 12)
            label = f"{digits(stretch.unseen)}\nmore {word}"
            marks.append((label, 0.6 + LETTER * max(map(len, label.split("\n")))))
        for mark, width in marks:
            if rows[-1] and sum(taken for _, taken in rows[-1]) + width > ROW:
                rows.append([])
            rows[-1].append((mark, width))
    return rows


def _draw_row(arms: Axes, losses: Axes, row: Sequence[tuple[Play | str, float]]) -> None:
    place, ticks, resumed = 0.0, {}, True
    for mark, width in row:
        if isinstance(mark, Play):
            _draw_play(arms, losses, mark, place)
            if resumed or mark is row[-1][0] or mark.step % 5 == 0:
                ticks[place] = digits(mark.step) if mark.step < 10**6 else ""
        else:
            for axes in (arms, losses):
                axes.axvspan(place - 0.45, place + width - 0.55, color=FAINT, alpha=0.15, lw=0)
            middle = complex(place + width / 2 - 0.5, sum(arms.get_ylim()) / 2)
            write_at(arms, middle, mark, size=7.5, gid=f"break-{place:g}")
        place, resumed = place + width, isinstance(mark, str)
    losses.set_xticks(list(ticks), list(ticks.values()), fontsize=8)


def _draw_play(arms: Axes, losses: Axes, play: Play, place: float) -> None:
    from matplotlib.patches import Rectangle

    hue, letters = HUES[play.arm % len(HUES)], ON_HUES[play.arm % len(HUES)]
    corner = (place - 0.45, play.arm - 0.45)
    arms.add_patch(Rectangle(corner, 0.9, 0.9, fc=hue, lw=0, gid=f"play-{play.step}"))
    middle = complex(place, play.arm)
    write_at(arms, middle, str(play.tally), size=8.5, color=letters, gid=f"tally-{play.step}")
    losses.bar(place, float(play.loss), width=0.9, color=hue)
