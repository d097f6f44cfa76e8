"""The theorems' bounds on regret, each one text that is printed and evaluated.

K = actions, m = memory, T = horizon, delta = the failure probability, S = log2(sqrt(T) / (4 K m) + 1) = the
number of epochs of SE-TB. A bound is proved where `proved` says so; elsewhere its formula still has a value,
which a picture may show as a line. Values are Arb balls: a comparison that a ball cannot decide is left
undecided.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from tallyplan.formula import Formula

EPOCHS = Formula("log2(sqrt(T) / (4 * K * m) + 1)")


@dataclass(frozen=True)
class Setting:
    """What a bound depends on."""

    actions: int
    memory: int
    horizon: int
    delta: Fraction

    @property
    def epochs(self) -> int | None:
        """S if sqrt(T) = 4 K m (2^S - 1) for an integer S >= 1, else None.

        >>> Setting(2, 2, (16 * 7) ** 2, Fraction(1, 20)).epochs
        3
        """
        root, unit = math.isqrt(self.horizon), 4 * self.actions * self.memory
        power = root // unit + 1
        whole = root**2 == self.horizon and root % unit == 0 and power >= 2 and power & (power - 1) == 0
        return power.bit_length() - 1 if whole else None


@dataclass(frozen=True)
class Bound:
    """An upper bound on the complete policy regret, as a formula.

    Attributes
    ----------
    name, text : what it is called, and the formula in K, m, T, delta and S.
    proved : where it is a theorem.
    of : the learner that it is about; empty if it holds for everyone.

    >>> print(PROPOSITION_1)
    (m + 1) * K
    >>> PROPOSITION_1(Setting(2, 3, 100, Fraction(1, 20)))
    8.00000000000000
    """

    name: str
    text: str
    proved: Callable[[Setting], bool]
    of: str = ""

    def __call__(self, setting: Setting) -> arb:
        """The value of the formula; not finite where it is undefined."""
        given = {"T": setting.horizon, "K": setting.actions, "m": setting.memory, "delta": setting.delta}
        S = EPOCHS.ball(**given)
        return Formula(self.text).ball(S=S, **given)  # type: ignore[no-any-return]

    def exceeded_by(self, regret: Fraction, setting: Setting) -> bool:
        """Whether the regret is certainly above the bound.

        >>> PROPOSITION_1.exceeded_by(Fraction(17, 2), Setting(2, 3, 100, Fraction(1, 20)))
        True
        """
        return bool(arb(fmpq(regret.numerator, regret.denominator)) > self(setting))

    def __str__(self) -> str:
        return self.text


def _on_se_tb_horizons(setting: Setting) -> bool:
    return setting.epochs is not None


def _long_enough(setting: Setting) -> bool:
    return setting.horizon >= setting.actions * setting.memory


TRIVIAL = Bound("trivial", "T", lambda setting: True)

THEOREM_1 = Bound(
    "Theorem 1",
    "1200 * K * m * sqrt(T) * (sqrt(log(2 * K * m * log(T) / delta)) + log2(sqrt(T) / (2 * K * m)))",
    _on_se_tb_horizons,
    of="se-tb",
)

SHARPENED = Bound(
    "Theorem 1, sharpened",
    "32 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta))"
    " + 4 * K * m * sqrt(T) + (S - 1) * K * m * (m - 1) + (m - 1) * sqrt(T)",
    _on_se_tb_horizons,
    of="se-tb",
)

SHARPENED_HOEFFDING = Bound(
    "Theorem 1, sharpened, C_s / 8",
    "4 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta))"
    " + 4 * K * m * sqrt(T) + (S - 1) * K * m * (m - 1) + (m - 1) * sqrt(T)",
    _on_se_tb_horizons,
    of="se-tb-sharp",
)

PROPOSITION_1 = Bound("Proposition 1", "(m + 1) * K", _long_enough, of="alg-det")

PROPOSITION_1_SHARP = Bound(
    "Proposition 1, sharp",
    "min(T - m, m * K - 1)",
    lambda setting: _long_enough(setting) and setting.actions > 1,
    of="alg-det",
)


def bounds_to_show(algorithm: str) -> tuple[Bound, ...]:
    """The bounds that a picture of this learner shows: its own, or else SE-TB's as a yardstick."""
    if algorithm == "alg-det":
        return PROPOSITION_1, PROPOSITION_1_SHARP, TRIVIAL
    if algorithm == "se-tb-sharp":
        return SHARPENED, SHARPENED_HOEFFDING, TRIVIAL
    return THEOREM_1, SHARPENED, TRIVIAL
