"""The gap of Lemma 3, T mu(pi*) - OPT_T: on one instance by the certified planners, on all tables at once."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.certified import least_cyclic_mean, optimum
from proofs_check.claim import Request, Witness
from proofs_check.computations.every_table import EveryTable
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

GAP = Formula("T * mu - OPT")
SMALL_ENOUGH = 2**13  # sequences in X^T that the definitions can go through


@dataclass(frozen=True)
class Case:
    """One instance, one square horizon, and the gap there."""

    bandit: TallyingBandit
    period: int
    gap: Fraction

    def bound(self, formula: Formula) -> Fraction:
        """A formula in K, m and T, here."""
        given = {"K": self.bandit.actions, "m": self.bandit.memory, "T": self.period**2}
        return formula(**{name: given[name] for name in formula.names})

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.period**2, "gap": self.gap}, self.bandit)

    def confirmed(self) -> bool:
        """Is this the gap when every sequence and every word is tried, as the paper defines them?"""
        bandit, T = self.bandit, self.period**2
        if bandit.actions**T > SMALL_ENOUGH:
            return False
        OPT, mu = definitions.optimum(bandit, T), definitions.least_mu(bandit, self.period)
        return self.gap == GAP(T=T, mu=mu, OPT=OPT)


def rested(actions: int, memory: int) -> TallyingBandit:
    """h(1) = 0, h(y) = 1 for y >= 2 on the first m actions; all others always lose 1."""
    row = [0] + [1] * (memory - 1)
    return TallyingBandit([row if x < memory else [1] * memory for x in range(actions)])


def largest_gaps(actions: int, memory: int, periods: range, request: Request, levels: int = 1) -> list[Case]:
    """For each period, the first table of the grid with the largest gap."""
    return _extreme_gaps(EveryTable(actions, memory, levels), periods, request, largest=True)


def least_gaps(actions: int, memory: int, periods: range, request: Request) -> list[Case]:
    """For each period, the first {0,1} table with the least gap."""
    return _extreme_gaps(EveryTable(actions, memory), periods, request, largest=False)


def gap_of(bandit: TallyingBandit, period: int) -> Case:
    """The gap, by the certified planners."""
    mu, OPT = least_cyclic_mean(bandit, period), optimum(bandit, period**2)
    return Case(bandit, period, GAP(T=period**2, mu=mu, OPT=OPT))


def _extreme_gaps(tables: EveryTable, periods: range, request: Request, *, largest: bool) -> list[Case]:
    request.progress(f"lemma-3: every table with K = {tables.actions}, m = {tables.memory}")
    wanted = well_defined(tables.memory, periods)
    losses, optima = tables.least_period_losses(wanted[-1]), tables.optima([L**2 for L in wanted])
    cases = []
    for L in wanted:
        gaps = L * losses[L] - optima[L**2]
        row = int(gaps.argmax() if largest else gaps.argmin())
        cases.append(Case(tables.bandit(row), L, Fraction(int(gaps[row]), tables.levels)))
    return cases


def well_defined(memory: int, periods: range) -> list[int]:
    """The periods at which mu is well defined, m <= L + 1 (`lemma-2`)."""
    return [L for L in periods if memory <= L + 1]
