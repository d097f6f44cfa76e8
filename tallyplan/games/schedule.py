"""Algorithm 1 (SE-TB) in integers: periods, epochs, steps, and confidence radii that are rounded up.

`bounds` has the printed formulas of the same quantities; here is what is played.

L = floor(sqrt(T)); S = the largest integer with 4 K m (2^S - 1) <= L; n_s = 2^s; T_s = 2 n_s K m L. On the
paper's horizons, sqrt(T) = 4 K m (2^S - 1), the T_s add up to T. On others a rest of T - 4 K m L (2^S - 1)
steps is left.

C_s = sqrt(c K m / (n L) ln(2 K m S / delta)) with the paper's c = 32 and n = n_s. Hoeffding's inequality
needs only c = 1/2 (a factor of 8 in C_s), the option `sharp`. With the option `short_burn_in` the samples of
2 n_s periods, all but the first m - 1 steps, are stored: at least 2 n_s - 1 periods' worth, so n = 2 n_s - 1.

Estimates are rounded to integers over G = ESTIMATE_GRID, an error of at most 1/(2G). The confidence radius
R_s covers C_s and this rounding. It is computed with Arb balls and rounded up to a multiple of 1/(G L), so
that it is never too small, and exceeds C_s by at most 1/(2G) + 1/(G L).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import share, shown

ESTIMATE_GRID = 10**6  # estimates of losses are integers over this
PAPER, HOEFFDING = Fraction(32), Fraction(1, 2)


def failure_probability(delta: object) -> Fraction:
    """A delta as an exact rational strictly between 0 and 1."""
    number = share(delta, "delta")
    if not 0 < number < 1:
        raise InvalidInput(f"delta is {shown(delta)}; it must lie strictly between 0 and 1.")
    return number


def rounded_up(ball: arb, grid: int) -> Fraction:
    """The upper end of a ball, rounded up to a multiple of 1 / grid.

    >>> rounded_up(arb(2).sqrt(), 2**32) ** 2 > 2
    True
    """
    multiple = (ball * grid).upper().ceil().unique_fmpz()
    assert multiple is not None  # the upper end of a ball is one number
    return Fraction(int(multiple), grid)


def full_epochs(actions: int, memory: int, period: int) -> int:
    """The largest S with 4 K m (2^S - 1) <= period: as many epochs as fit.

    >>> [full_epochs(2, 2, period) for period in (15, 16, 47, 48, 16 * 8191)]
    [0, 1, 1, 2, 13]
    """
    return (period // (4 * actions * memory) + 1).bit_length() - 1


def horizon_root(actions: int, memory: int, epochs: int) -> int:
    """sqrt(T) on the horizon of Algorithm 1 with S epochs: 4 K m (2^S - 1).

    >>> [horizon_root(2, 2, S) for S in (0, 1, 2, 13)]
    [0, 16, 48, 131056]
    """
    return int(4 * actions * memory * (2**epochs - 1))


@dataclass(frozen=True)
class Schedule:
    """What Algorithm 1 fixes before it plays."""

    actions: int
    memory: int
    horizon: int
    delta: Fraction
    sharp: bool = False
    short_burn_in: bool = False

    @property
    def cells(self) -> int:
        """K m."""
        return self.actions * self.memory

    @property
    def period(self) -> int:
        """L, the length of the policies."""
        return math.isqrt(self.horizon)

    @property
    def epochs(self) -> int:
        """S, the number of whole epochs."""
        return full_epochs(self.actions, self.memory, self.period)

    def periods(self, epoch: int) -> int:
        """n_s: the number of periods that are played without storing, and again with."""
        return int(2**epoch)

    def steps(self, epoch: int) -> int:
        """T_s."""
        return 2 * self.periods(epoch) * self.cells * self.period

    @property
    def rest(self) -> int:
        """The steps after the last epoch; 0 on the paper's horizons.

        >>> Schedule(2, 2, (16 * 7) ** 2, Fraction(1, 20)).rest, Schedule(2, 2, 1000, Fraction(1, 20)).rest
        (0, 504)
        """
        return self.horizon - sum(self.steps(epoch) for epoch in range(1, self.epochs + 1))

    def radius(self, epoch: int) -> Fraction:
        """R_s: the estimated losses of policies are this close to the true ones, with high probability."""
        return Fraction(self.reach(epoch), ESTIMATE_GRID * self.period)

    @property
    def guarantee(self) -> Fraction:
        """With probability at least 1 - delta, a game has at most this regret, if every question about a
        policy set is answered exactly.

        >>> Schedule(2, 2, 48**2, Fraction(1, 20)).guarantee == 48**2
        True
        """
        return self.guarantee_with(
            [4 * self.radius(epoch) for epoch in range(1, self.epochs)],
            2 * self.radius(self.epochs) if self.rest and self.epochs else Fraction(0),
        )

    def guarantee_with(self, gaps: Sequence[Fraction], last: Fraction) -> Fraction:
        """The same from what the epochs show: Lemmas 5 to 8 with R_s for C_s and m - 1 for sqrt(T), and
        Lemma 3 with m - 1. No regret exceeds T.

        Parameters
        ----------
        gaps : by epoch but the last, how much worse than the best the policies left after it can be.
        last : the same for the best policy of the last epoch, which plays the rest.
        """
        if not self.epochs:
            return Fraction(self.horizon)
        keep = self.memory - 1
        total = Fraction(self.steps(1))
        for epoch, gap in enumerate(gaps, start=2):
            total += self.cells * keep + self.steps(epoch) * gap
        if self.rest:
            total += keep + self.rest * last
        turns, over = divmod(self.horizon, self.period)
        return min(total + turns * keep + over, Fraction(self.horizon))

    def reach(
        self, epoch: int, excess: Fraction = Fraction(1), missed: int = 0, events: int | None = None
    ) -> int:
        """The confidence radius of the policies' estimated losses, in units of 1/(G L), rounded up.

        Parameters
        ----------
        excess : the greatest ratio, over the cells that were sampled, of the proved bound for N_xy to the
            N_xy that was played; 1 if all questions were answered exactly. The paper's c = 32 covers a ratio
            up to 64.
        missed : how many steps of a period may fall into cells without any sample.
        events : how many radii of a cell share delta; S by default.
        """
        needed = HOEFFDING * excess
        constant = needed if self.sharp else max(PAPER, needed)
        n = 2 * self.periods(epoch) - 1 if self.short_burn_in else self.periods(epoch)
        failures = 2 * self.cells * (events or self.epochs) / self.delta
        return (
            rounded_reach(constant * self.cells / (n * self.period), failures, self.period)
            + missed * ESTIMATE_GRID
        )


def rounded_reach(ratio: Fraction, failures: Fraction, period: int) -> int:
    """G L sqrt(ratio ln(failures)) + L/2, rounded up: a radius and half a unit of the grid.

    >>> rounded_reach(Fraction(1, 100), Fraction(3), 1000) >= 10**9 * 0.1048147
    True
    """
    inside = arb(fmpq(*failures.as_integer_ratio())).log() * arb(fmpq(*ratio.as_integer_ratio()))
    return int(rounded_up(inside.sqrt() * (ESTIMATE_GRID * period) + arb(period) / 2, grid=1))
