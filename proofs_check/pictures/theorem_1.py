"""Theorem 1 in one picture: where its right side is negative, where it exceeds T, where it is nontrivial.

The right side depends on Km, T and delta. Every field of the picture is decided by an Arb ball, at integers
Km and sqrt(T); one that a ball would leave open stays white. Two curves show from where on the
sharpened bound (`theorem-1/sharpened`) is below T, with S = log2(sqrt(T)/(4Km) + 1) taken as a real number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from proofs_check.balls import less, sign
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS, SHARPENED, SHARPENED_HOEFFDING, THEOREM_1
from tallyplan.pictures.style import HUES, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STATED = THEOREM_1.formula
NEGATIVE, VACUOUS, MEANINGFUL = "negative, so false", "at least T, vacuous", "below T, nontrivial"
COLOURS = {NEGATIVE: "#E8A07A", VACUOUS: "#E6E6E6", MEANINGFUL: "#8CCDB9"}
DELTAS = (Fraction(9, 10), Fraction(1, 20), Fraction(1, 10**6))
LARGEST_KM, LARGEST_ROOT = 10**4, 10**9
FIELDS_PER_DECADE = 8


def region(km: int, root: int, delta: Fraction) -> str | None:
    """Which of the three it is at Km, sqrt(T) = root and delta; None if a ball leaves it open.

    >>> region(3, 2, Fraction(7, 10)), region(2, 10, Fraction(1, 2)), region(2, 10**6, Fraction(1, 2))
    ('negative, so false', 'at least T, vacuous', 'below T, nontrivial')
    """
    case: dict[str, int | Fraction] = {"K": km, "m": 1, "T": root * root, "delta": delta}
    if sign(STATED, **case) == -1:
        return NEGATIVE
    return {True: MEANINGFUL, False: VACUOUS, None: None}[less(STATED, Formula("T"), **case)]


def spaced(first: int, last: int) -> list[int]:
    """Integers whose logarithms are about equally far apart.

    >>> spaced(1, 10)
    [1, 2, 3, 4, 6, 7, 10]
    """
    exponents = range(FIELDS_PER_DECADE * len(str(last)))
    return sorted(
        {first, *(n for n in (round(10 ** (e / FIELDS_PER_DECADE)) for e in exponents) if first <= n <= last)}
    )


def regions(delta: Fraction) -> dict[tuple[int, int], str | None]:
    """The region of every field, by (Km, sqrt(T))."""
    return {
        (km, root): region(km, root, delta)
        for km in spaced(1, LARGEST_KM)
        for root in spaced(2, LARGEST_ROOT)
    }


def first_root_below(bound: Formula, km: int, delta: Fraction) -> int:
    """The least sqrt(T) >= 4Km at which the bound (m = 1, S as a real number) is below T, by bisection."""
    real = Formula(str(bound).replace("S", f"({EPOCHS})"))
    low, high = 4 * km - 1, LARGEST_ROOT
    while high - low > 1:
        middle = (low + high) // 2
        below = less(real, Formula("T"), K=km, m=1, T=middle * middle, delta=delta)
        low, high = (low, middle) if below else (middle, high)
    return high


@styled
def figure(path: str | None = None) -> Figure:
    """One panel for each delta."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    drawing = Figure(figsize=(11, 4.6), layout="constrained")
    panels: Sequence[Any] = drawing.subplots(1, len(DELTAS), sharey=True)
    for axes, delta in zip(panels, DELTAS, strict=True):
        _panel(axes, delta)
    panels[0].set_ylabel("sqrt(T)")
    fields = [Patch(color=colour, label=name) for name, colour in COLOURS.items()]
    lines = panels[0].get_lines()
    drawing.legend(handles=[*fields, *lines], loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    drawing.suptitle("Theorem 1: the right side of the bound, by Km and T", fontsize=11)
    return drawing


def _panel(axes: Axes, delta: Fraction) -> None:
    from matplotlib.colors import ListedColormap

    found = regions(delta)
    kms, roots = spaced(1, LARGEST_KM), spaced(2, LARGEST_ROOT)
    order = {name: number for number, name in enumerate(COLOURS)}
    fields = [[order.get(found[km, root] or "", float("nan")) for km in kms] for root in roots]
    axes.pcolormesh(
        _edges(kms), _edges(roots), fields, cmap=ListedColormap(list(COLOURS.values())), vmin=0, vmax=2
    )
    axes.plot(
        kms, [4 * km for km in kms], color="black", label="sqrt(T) = 4Km (S = 1): below, no epoch is run"
    )
    for bound, hue, name in (
        (SHARPENED.formula, HUES[0], "from here on the sharpened bound is below T (m = 1)"),
        (SHARPENED_HOEFFDING.formula, HUES[3], "the same with C_s from Hoeffding's constant 1/2"),
    ):
        axes.plot(kms, [first_root_below(bound, km, delta) for km in kms], color=hue, label=name)
    axes.set(xscale="log", yscale="log", xlabel="Km", title=f"delta = {float(delta):g}")
    axes.set(xlim=(1, LARGEST_KM), ylim=(2, LARGEST_ROOT))


def _edges(values: Sequence[int]) -> list[float]:
    """Borders between the fields, half-way in the logarithm."""
    inner = [(one * two) ** 0.5 for one, two in pairwise(values)]
    return [values[0] ** 2 / inner[0], *inner, values[-1] ** 2 / inner[-1]]
