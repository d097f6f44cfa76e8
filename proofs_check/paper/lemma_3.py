"""Lemma 3: some sqrt(T)-cyclic policy is nearly optimal.

Stated (label lem:cyclic_approx_well). With pi* the sqrt(T)-cyclic policy of least mean mu and OPT_T the least
loss over X^T: T mu(pi*) - OPT_T <= (m + 1) sqrt(T).

Checked. The *gap* T mu(pi*) - OPT_T is computed by the planners on every {0,1} table of a box, and on random
rational tables with T up to 10^12. The largest gap for each m gives the best constant on the box, the
smallest gap the lower end (which the paper does not state). T is a square, and m <= sqrt(T) + 1, where mu is
well defined (`lemma-2`); for larger m the bound is trivial, T mu <= T <= (m - 1) sqrt(T). Extreme cases are
evaluated again from the definitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from proofs_check import definitions
from proofs_check.boxes import binary_tables, random_table, span
from proofs_check.claim import Evidence, Outcome, Request, Tight, Verdict, Witness, after_search, claim
from proofs_check.exact import least_cyclic_mean, optimum
from proofs_check.formula import Formula
from tallyplan.instance import TallyingBandit

WHERE = "Lemma 3 (lem:cyclic_approx_well)"
Size = tuple[int, int]  # (K, m)
Question = tuple[TallyingBandit, int]  # an instance and sqrt(T)

GAP = Formula("T * mu - OPT")
STATED = Formula("(m + 1) * sqrt(T)")
SHARPER = Formula("(m - 1) * sqrt(T)")
LOWER_END = Formula("-(m - 1)")

LARGE_SIZES = ((1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5))  # (K, m) of the random tables
LARGE_PERIODS = (97, 1000, 30030, 10**6)
HUGE = 10**6  # a period whose certificate takes a second: for one size only, unless the run is thorough
DENOMINATOR = 1000
SMALL_ENOUGH = 2**13  # sequences in X^T that the definitions can go through


@dataclass(frozen=True)
class Case:
    """One instance, one square horizon, and the gap there."""

    bandit: TallyingBandit
    period: int
    gap: Fraction

    def bound(self, formula: Formula) -> Fraction:
        """A formula in m and T, here."""
        return formula(m=self.bandit.memory, T=self.period**2)

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


@claim("lemma-3", statement=f"T mu(pi*) - OPT_T <= {STATED}.", where=WHERE)
def lemma_3(request: Request) -> Outcome:
    """Compute the gap on the whole box and on large random tables; compare with this and a sharper bound."""
    sizes, periods = _box(request)
    small = _cases(_small(sizes, periods), request, "lemma-3")
    large = _cases(_large(request), request, "lemma-3, random tables")
    violation = next((case for case in small + large if case.gap > case.bound(STATED)), None)
    largest = {m: max(case.gap / case.period for case in small if case.bandit.memory == m) for _, m in sizes}
    shown = ", ".join(f"{value} for m = {m}" for m, value in largest.items())
    return Outcome(
        after_search(violation, Case.confirmed),
        f"{_describe(sizes, periods)}; {len(large)} random tables with K <= 3, m <= 5, T up to 10^12",
        Evidence(
            "every {0,1} table of the box and large random tables, planned and certified",
            len(small) + len(large),
            (
                f"The largest gap on the {len(small)} cases of the box, divided by sqrt(T), is {shown}.",
                f"The random tables hold multiples of 1/{DENOMINATOR}, (K,m) is one of {_listed(LARGE_SIZES)}"
                f" and sqrt(T) one of {', '.join(map(str, LARGE_PERIODS))}; there the largest gap, divided "
                f"by sqrt(T), is about {float(max(case.gap / case.period for case in large)):.2g}.",
            ),
        ),
        witness=violation.witness() if violation else None,
        tight=_tight(small, large),
    )


@claim(
    "lemma-3/lower-end",
    statement=f"T mu(pi*) - OPT_T >= {LOWER_END} (not in the paper: the other end of the same range).",
    where=WHERE,
)
def lower_end(request: Request) -> Outcome:
    """Compute the gap on the whole box; compare its least value for each m with the formula."""
    sizes, all_periods = _box(request)
    periods = all_periods if request.thorough else all_periods[:3]
    cases = _cases(_small(sizes, periods), request, "lemma-3/lower-end")
    violation = next((case for case in cases if case.gap < case.bound(LOWER_END)), None)
    attained = _attained(cases, LOWER_END)
    least = {m: min(case.gap for case in cases if case.bandit.memory == m) for _, m in sizes}
    shown = ", ".join(f"{value} for m = {m}" for m, value in least.items())
    return Outcome(
        after_search(violation, Case.confirmed),
        _describe(sizes, periods),
        Evidence(
            "every {0,1} table of the box, planned and certified",
            len(cases),
            (f"The least gap is {shown}.",),
        ),
        witness=violation.witness() if violation else None,
        tight=Tight(f"{LOWER_END}, attained for every m of the box", Verdict.CHECKED, attained.witness())
        if attained
        else None,
    )


def _box(request: Request) -> tuple[list[Size], range]:
    """The sizes (K, m), m growing, and the periods sqrt(T)."""
    sizes = [(K, m) for m in range(1, 4) for K in range(1, 4)]
    return ([*sizes, (4, 2), (4, 3), (2, 4)], range(2, 11)) if request.thorough else (sizes, range(2, 7))


def _describe(sizes: Sequence[Size], periods: range) -> str:
    return (
        f"every {{0,1}} table (up to the order of the actions) with (K,m) among {_listed(sizes)} and "
        f"sqrt(T) = {span(periods)}, m <= sqrt(T) + 1"
    )


def _small(sizes: Sequence[Size], periods: range) -> list[Question]:
    return [(h, L) for K, m in sizes for L in periods if m <= L + 1 for h in binary_tables(K, m)]


def _large(request: Request) -> list[Question]:
    """Random tables, the same in every run."""
    return [
        (random_table(Random(f"{seed}/{K}/{m}/{L}"), K, m, DENOMINATOR), L)
        for seed in range(5 if request.thorough else 1)
        for K, m in LARGE_SIZES
        for L in LARGE_PERIODS
        if L < HUGE or request.thorough or (K, m) == (3, 3)
    ]


def _cases(questions: Sequence[Question], request: Request, name: str) -> list[Case]:
    """The gaps, in the order of the questions."""
    cases: list[Case] = []
    for bandit, period in questions:
        request.progress(f"{name}: {len(cases)} of {len(questions)} cases")
        mu, OPT = least_cyclic_mean(bandit, period), optimum(bandit, period**2)
        cases.append(Case(bandit, period, GAP(T=period**2, mu=mu, OPT=OPT)))
    return cases


def _attained(cases: Sequence[Case], formula: Formula) -> Case | None:
    """If some case of every m attains the formula: the first with m >= 2, confirmed from the definitions."""
    attaining = [case for case in cases if case.gap == case.bound(formula)]
    everywhere = {case.bandit.memory for case in attaining} == {case.bandit.memory for case in cases}
    first = next((case for case in attaining if case.bandit.memory > 1), None)
    return first if everywhere and first is not None and first.confirmed() else None


def _tight(small: Sequence[Case], large: Sequence[Case]) -> Tight | None:
    """The sharper bound, if it holds in every case and is attained for every m that comes with K >= m."""
    attained = _attained([case for case in small if case.bandit.actions >= case.bandit.memory], SHARPER)
    if attained is None or any(case.gap > case.bound(SHARPER) for case in (*small, *large)):
        return None
    return Tight(
        f"{SHARPER}, attained for every m of the box that comes with K >= m",
        Verdict.CHECKED,
        attained.witness(),
    )


def _listed(sizes: Sequence[Size]) -> str:
    return ", ".join(f"({K},{m})" for K, m in sizes)
