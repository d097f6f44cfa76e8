"""The optimistic planners next to CARMAB, SE-TB and ALG_stoch: what is proved, and what is measured.

    python -m benchmarks.optimism useful     the least T at which each bound is below T, into docs/optimism.md
    python -m benchmarks.optimism regrets    bounds and regrets from T = 10^2 to 10^12, into RECORDS.md
    python -m benchmarks.optimism unknown    what not knowing the memory costs, into RECORDS.md
    python -m benchmarks.optimism picture    docs/images/optimism.svg, from the table of regrets

delta = 1/20. A regret is told as *uniform / hard / forced*:

uniform     the family of that name, mean of 2 games with Bernoulli feedback
hard        the worst of these, found by one game each, then the mean of 2 games: Theorem 2's construction
            (every mean 1/2 but for one cell (x, m), better by eps) at four eps around sqrt(Km/T); near-ties
            (a uniform table, shrunk towards 1/2 to a width of that order); and the uniform table, of 20, on
            which the optimistic planner loses most in 10^4 steps
forced      the same tables, but nothing is random: the mean of the first n observations of a cell is at the
            end of its confidence interval, the upper one for the cells of the optimal cycle and the lower one
            for all others, as far as observations in [0, 1] allow; the worst of them

SE-TB plays, and its bounds hold, only at sqrt(T) = 4Km(2^S - 1): the largest such T up to that of the line.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

import tallyplan as tp
from benchmarks import ROOT
from tallyplan.games.bounds import (
    CARMAB,
    OPTIMISM,
    OPTIMISM_ANYTIME,
    OPTIMISM_FEW_EPOCHS,
    SHARPENED,
    SHARPENED_HOEFFDING,
    THEOREM_1,
    Bound,
    Setting,
)
from tallyplan.games.feedback import Bernoulli, Feedback
from tallyplan.games.game import simulate
from tallyplan.games.optimism import RADIUS_GRID, anytime_radius, hoeffding_radius
from tallyplan.games.registry import find
from tallyplan.games.regret import complete_policy_regret
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import period_counts
from tallyplan.pictures import write_picture
from tallyplan.pictures.style import FAINT, HUES, MARKERS, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE = ROOT / "benchmarks" / "RECORDS.md"
PAGES = {"useful": ROOT / "docs" / "optimism.md", "regrets": PAGE, "unknown": PAGE}
PICTURE = ROOT / "docs" / "images" / "optimism.svg"
DELTA = Fraction(1, 20)
SIZES = [(2, 2), (3, 3), (2, 6), (5, 3)]
MOST_EPOCHS = {(2, 2): 12, (3, 3): 8, (2, 6): 4, (5, 3): 5}  # of SE-TB, so that a game takes seconds
EXPONENTS = (2, 4, 6, 8, 10, 12)
BOUNDS = (OPTIMISM, OPTIMISM_ANYTIME, OPTIMISM_FEW_EPOCHS, CARMAB, THEOREM_1, SHARPENED, SHARPENED_HOEFFDING)
LEARNERS = ("optimistic-planner", "optimistic-planner-anytime", "carmab", "alg-stoch")
SEARCHED, SEARCHED_STEPS = 20, 10**4

Regrets = tuple[Fraction, ...]  # three


def useful() -> Iterator[str]:
    """The least T at which each bound is below T and proved, by doubling and halving."""
    names = "optimistic planner | anytime | few epochs | CARMAB-style | SE-TB, Theorem 1 | SE-TB, sharpened"
    yield f"| (K, m) | {names} | SE-TB sharp, sharpened |"
    yield "|---" * (len(BOUNDS) + 1) + "|"
    for size in SIZES:
        least = []
        for bound in BOUNDS:
            apart = bound.horizons.apart  # T as sqrt(T) = 4Km(2^S - 1) allows it, or any T
            horizons = [horizon_root(*size, S) ** 2 for S in range(1, 40)] if apart else range(1, 10**6)
            says = partial(_says_something, bound, size)
            least.append(f"{horizons[bisect_left(horizons, True, key=says)]:,}")
        yield f"| {size} | {' | '.join(least)} |"


def _says_something(bound: Bound, size: tuple[int, int], horizon: int) -> bool:
    return bound.is_nontrivial(Setting(*size, horizon, DELTA))


def uniform(actions: int, memory: int, seed: int = 0) -> TallyingBandit:
    bandit = tp.make("uniform", actions=actions, memory=memory, seed=seed)
    assert isinstance(bandit, TallyingBandit)
    return bandit


def apart(table: list[list[Fraction]]) -> TallyingBandit:
    """The table, its cells told apart by less than 10^-13, so that feedback can know a cell by its mean."""
    tiny, memory = Fraction(1, 10**15), len(table[0])
    return TallyingBandit(
        [[loss + tiny * (x * memory + y) for y, loss in enumerate(row)] for x, row in enumerate(table)]
    )


def construction(actions: int, memory: int, eps: Fraction) -> TallyingBandit:
    """Theorem 2: every mean 1/2, but for the last action in a full window."""
    plain = [Fraction(1, 2)] * memory
    return apart([*([plain] * (actions - 1)), [*plain[1:], Fraction(1, 2) - eps]])


def near_ties(actions: int, memory: int, eps: Fraction) -> TallyingBandit:
    """A uniform table, shrunk towards 1/2."""
    losses = uniform(actions, memory).losses
    return apart([[Fraction(1, 2) + eps * (loss - Fraction(1, 2)) for loss in row] for row in losses])


@cache
def searched(actions: int, memory: int) -> TallyingBandit:
    """The uniform table, of many, on which the optimistic planner loses most."""
    tables = [uniform(actions, memory, seed) for seed in range(SEARCHED)]
    worst = max(tables, key=lambda one: regret("optimistic-planner", one, SEARCHED_STEPS))
    return apart([[loss * Fraction(9, 10) for loss in row] for row in worst.losses])


def hard_tables(actions: int, memory: int, steps: int) -> list[TallyingBandit]:
    """Those of the docstring."""
    root = isqrt(steps // (actions * memory))
    widths = [Fraction(2**j, max(2 ** (j + 2), 4 * root)) for j in range(2, 6)]
    return [
        *(construction(actions, memory, eps) for eps in widths),
        near_ties(actions, memory, widths[-1]),
        searched(actions, memory),
    ]


@dataclass
class Forced(Feedback):
    """The mean of the first n observations of a cell, known by its loss, is at an end of its interval."""

    steps: int
    bandit: TallyingBandit
    anytime: bool
    seen: dict[Fraction, tuple[int, Fraction]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        word = tp.minimum_mean_cycle(self.bandit).word
        self._optimal = {self.bandit.losses[x][y - 1] for x, y in period_counts(word, self.bandit.memory)}

    def radius(self, plays: int) -> Fraction:
        """Not above the true one."""
        cells = self.bandit.actions * self.bandit.memory
        law, share = (anytime_radius, 1) if self.anytime else (hoeffding_radius, self.steps)
        return max(Fraction(0), law(plays, DELTA / (cells * share)) - Fraction(2, RADIUS_GRID))

    def total(self, mean: Fraction, plays: int, rng: np.random.Generator) -> Fraction:
        """As near to the end of the interval as observations in [0, 1] allow."""
        before, total = self.seen.get(mean, (0, Fraction(0)))
        now = before + plays
        end = mean + self.radius(now) if mean in self._optimal else mean - self.radius(now)
        after = min(max(now * end, total), total + plays)
        self.seen[mean] = now, after
        return after - total


def regret(learner: str, bandit: TallyingBandit, steps: int, seed: int = 0, **options: Any) -> Fraction:
    """Of one game; options are those of the learner, or `feedback`."""
    feedback = options.pop("feedback", Bernoulli())
    player: Any = find(learner).build(bandit, delta=DELTA)
    played = simulate(bandit, replace(player, **options), steps, seed=seed, feedback=feedback)
    return complete_policy_regret(bandit, played.runs)


def mean_regret(learner: str, bandit: TallyingBandit, steps: int, seeds: int = 2, **options: Any) -> Fraction:
    """Over the seeds 0, 1, ..."""
    regrets = [regret(learner, bandit, steps, seed, **options) for seed in range(seeds)]
    return sum(regrets, Fraction(0)) / seeds


@cache
def all_measured() -> dict[tuple[str, int, int, int], Regrets]:
    """Of all learners at all sizes and horizons, in two processes."""
    longest_first = product(reversed(EXPONENTS), reversed(SIZES), LEARNERS)
    tasks = [(learner, *size, 10**exponent) for exponent, size, learner in longest_first]
    with ProcessPoolExecutor(2) as pool:
        return dict(zip(tasks, pool.map(_measured, tasks), strict=True))


def _measured(task: tuple[str, int, int, int]) -> Regrets:
    """On the uniform table, on the worst hard one, and on the worst one with forced estimates."""
    learner, actions, memory, steps = task
    tables = hard_tables(actions, memory, steps)
    worst = max(tables, key=lambda one: regret(learner, one, steps))
    anytime = learner == OPTIMISM_ANYTIME.algorithm
    forced = [regret(learner, one, steps, feedback=Forced(steps, one, anytime)) for one in tables]
    played = (mean_regret(learner, one, steps) for one in (uniform(actions, memory), worst))
    return (*played, max(forced))


def played(learner: str, actions: int, memory: int, steps: int) -> str:
    """The three regrets."""
    return " / ".join(f"{float(one):.3g}" for one in all_measured()[learner, actions, memory, steps])


def of_se_tb(learner: str, actions: int, memory: int, steps: int) -> str:
    """The regret of one game on the uniform table, at the largest horizon of Algorithm 1 up to T."""
    epochs = int(Setting(actions, memory, steps, DELTA).sizes["S"] or 0)
    if not 0 < epochs <= MOST_EPOCHS[actions, memory]:
        return "-"
    horizon = horizon_root(actions, memory, epochs) ** 2
    return f"{float(regret(learner, uniform(actions, memory), horizon)):.3g}"


def value(bound: Bound, actions: int, memory: int, steps: int) -> str:
    """The bound at the largest T up to this one for which it is proved; in parentheses if it says nothing."""
    setting = Setting(actions, memory, steps, DELTA)
    below = bound.horizons.nearest(setting)[0]
    if below is None:
        return "-"
    there = Setting(actions, memory, below, DELTA)
    text = f"{float(bound(there)):.3g}"
    return text if bound.is_nontrivial(there) else f"({text})"


def regrets() -> Iterator[str]:
    ours = "bound | optimistic planner | bound | any time | bound | CARMAB | ALG_stoch"
    yield f"| (K, m) | T | {ours} | Theorem 1 | SE-TB | sharpened, C_s/8 | SE-TB sharp |"
    yield "|---" * 13 + "|"
    for size, exponent in product(SIZES, EXPONENTS):
        at = (*size, 10**exponent)
        cells = []
        for bound in (OPTIMISM, OPTIMISM_ANYTIME, CARMAB):
            cells += [value(bound, *at), played(bound.algorithm, *at)]
        cells += [played("alg-stoch", *at), value(THEOREM_1, *at), of_se_tb("se-tb", *at)]
        cells += [value(SHARPENED_HOEFFDING, *at), of_se_tb("se-tb-sharp", *at)]
        yield f"| {size} | 10^{exponent} | {' | '.join(cells)} |"


UNKNOWN: dict[str, tuple[tp.Bandit, int]] = {
    "(1 1 0 1; 1 1 0 1)": (TallyingBandit([[1, 1, 0, 1]] * 2), 4),
    "counterexample 3": (tp.make("counterexample-3"), 4),
    "uniform, K = 3, m = 2": (tp.make("uniform", actions=3, memory=2, seed=4), 3),
    "memory 1, (1/2; 1/4)": (TallyingBandit([["1/2"], ["1/4"]]), 4),
}


def unknown() -> Iterator[str]:
    """Mean regrets of five games: memory known; M known; the Discussion's scheme, sharp, with the same M."""
    yield "| table | m | M | T | memory known | optimistic, M known | the Discussion's scheme |"
    yield "|---|---|---|---|---|---|---|"
    for (name, (bandit, most)), root in product(UNKNOWN.items(), (72, 144, 288)):
        assert isinstance(bandit, TallyingBandit)
        players: dict[str, dict[str, Any]] = {
            "optimistic-planner": {},
            "optimistic-unknown-memory": {"most_memory": most},
            "se-tb-unknown-memory": {"most_memory": most, "sharp": True},
        }
        lost = [mean_regret(player, bandit, root**2, 5, **how) for player, how in players.items()]
        figures = " | ".join(f"{float(one):.0f}" for one in lost)
        yield f"| {name} | {bandit.memory} | {most} | {root**2} | {figures} |"


@styled
def _figure() -> Figure:
    """Bounds as lines where they say something; the regrets of the page as points: hard, and forced."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 5.6), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    for axes, size in zip(panels, ((2, 2), (5, 3)), strict=True):
        _panel(axes, size)
    panels[0].set_ylabel("complete policy regret")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


LINES = (  # a bound, the number of its hue, and how it is drawn: two of them nearly coincide
    (OPTIMISM, 0, "-"),
    (OPTIMISM_ANYTIME, 2, "-"),
    (CARMAB, 3, ":"),
    (THEOREM_1, 1, "-"),
    (SHARPENED, 6, "-"),
    (SHARPENED_HOEFFDING, 5, "-"),
)
POINTS = {  # of a learner: its column in the table, the number of its hue, a shift that keeps points apart
    "optimistic-planner": (3, 0, 0.75),
    "optimistic-planner-anytime": (5, 2, 0.9),
    "carmab": (7, 3, 1.1),
    "alg-stoch": (8, 4, 1.35),
}
SE_TB_COLUMN = 10


def rows_of(size: tuple[int, int]) -> dict[int, list[str]]:
    """The lines of the table of regrets in the page, by T."""
    table = PAGE.read_text(encoding="utf-8").split("<!-- regrets -->")[1].split("<!-- end")[0]
    cells = [[one.strip() for one in line.split(" | ")] for line in table.splitlines()]
    return {10 ** int(row[1].removeprefix("10^")): row for row in cells if row[0] == f"| {size}"}


def _panel(axes: Axes, size: tuple[int, int]) -> None:
    horizons = [10**exponent for exponent in EXPONENTS]
    axes.plot(horizons, horizons, color=FAINT, lw=1, label="T")
    for bound, number, style in LINES:
        useful = _useful_settings(bound, size, horizons[-1])
        axes.plot(
            [one.horizon for one in useful],
            [float(bound(one)) for one in useful],
            style,
            color=HUES[number],
            label=bound.name,
        )
    rows = rows_of(size)
    for learner, (column, number, shift) in POINTS.items():
        found = {shift * T: [float(one) for one in row[column].split(" / ")] for T, row in rows.items()}
        for index, filled, what in ((1, "full", "hard tables"), (2, "none", "forced estimates")):
            lost = {T: regrets[index] for T, regrets in found.items()}
            _points(axes, lost, number, label=f"{learner}, {what}", fillstyle=filled)
    games = {T: float(row[SE_TB_COLUMN]) for T, row in rows.items() if row[SE_TB_COLUMN] != "-"}
    at = {horizon_root(*size, int(Setting(*size, T, DELTA).sizes["S"])) ** 2: games[T] for T in games}
    _points(axes, at, 1, label="se-tb, uniform table")
    axes.set(xscale="log", yscale="log", xlabel="T", title=f"K = {size[0]}, m = {size[1]}", ylim=(1, 3e12))
    axes.grid(True)


def _useful_settings(bound: Bound, size: tuple[int, int], longest: int) -> list[Setting]:
    """Where a bound is drawn: proved, and below T."""
    settings = [Setting(*size, round(10 ** (j / 4)), DELTA) for j in range(8, 49)]
    if bound.horizons.apart:
        settings = [Setting(*size, horizon_root(*size, S) ** 2, DELTA) for S in range(1, 17)]
    return [one for one in settings if bound.is_nontrivial(one) and one.horizon <= longest]


def _points(axes: Axes, lost: Mapping[int, float] | Mapping[float, float], number: int, **how: Any) -> None:
    axes.plot(
        list(lost), list(lost.values()), color=HUES[number], marker=MARKERS[number], ms=5, linestyle="", **how
    )


def write(name: str, lines: list[str]) -> None:
    """Replace what stands between the marks of a table in its page."""
    page = PAGES[name]
    before, rest = page.read_text(encoding="utf-8").split(begin := f"<!-- {name} -->\n")
    after = rest.split(end := f"<!-- end of {name} -->")[1]
    page.write_text(before + begin + "\n".join(lines) + "\n" + end + after, encoding="utf-8")


def main() -> None:
    asked = sys.argv[1] if len(sys.argv) == 2 else ""
    if asked == "picture":
        write_picture(PICTURE, _figure())
    elif asked in (tables := {"useful": useful, "regrets": regrets, "unknown": unknown}):
        lines = []
        for line in tables[asked]():
            print(line, flush=True)
            lines.append(line)
        write(asked, lines)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
