"""The gap of Lemma 3, T mu(pi*) - OPT_T, on one instance, by the certified planners."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.certified import least_cyclic_mean, optimum
from proofs_check.witness import Witness
from tallyplan.model.instance import TallyingBandit

SMALL_ENOUGH = 2**13  # sequences in X^T that the definitions can go through


@dataclass(frozen=True)
class Case:
    """One instance and one square horizon, mu(pi*) and OPT_T there."""

    bandit: TallyingBandit
    period: int
    mu: Fraction
    OPT: Fraction

    @property
    def gap(self) -> Fraction:
        """T mu(pi*) - OPT_T."""
        return self.period**2 * self.mu - self.OPT

    @property
    def values(self) -> dict[str, int | Fraction]:
        """For formulas."""
        K, m, L = self.bandit.actions, self.bandit.memory, self.period
        return {"K": K, "m": m, "T": L**2, "L": L, "mu": self.mu, "OPT": self.OPT}

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.period**2, "gap": self.gap}, self.bandit)

    def confirmed(self) -> bool:
        """Are these mu and OPT, when every sequence and every word is tried as the paper defines them?"""
        L = self.period
        if self.bandit.actions ** (L**2) > SMALL_ENOUGH:
            return False
        OPT, mu = definitions.optimum(self.bandit, L**2), definitions.least_mu(self.bandit, L)
        return (OPT, mu) == (self.OPT, self.mu)


def rested(actions: int, memory: int) -> TallyingBandit:
    """h(1) = 0, h(y) = 1 for y >= 2 on the first m actions; all others always lose 1."""
    row = [0] + [1] * (memory - 1)
    return TallyingBandit([row if x < memory else [1] * memory for x in range(actions)])


def gap_of(bandit: TallyingBandit, period: int) -> Case:
    """The gap, by the certified planners."""
    return Case(bandit, period, least_cyclic_mean(bandit, period), optimum(bandit, period**2))
