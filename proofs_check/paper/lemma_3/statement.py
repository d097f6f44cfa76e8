"""Lemma 3: some sqrt(T)-cyclic policy is nearly optimal.

Stated (label lem:cyclic_approx_well). With pi* the sqrt(T)-cyclic policy of least mean mu and OPT_T the least
loss over X^T, the *gap* T mu(pi*) - OPT_T is at most (m + 1) sqrt(T).

Shown. Write L = sqrt(T). Cut an optimal sequence into L blocks; some block loses at most OPT_T / L. Repeat it
for ever: from its m-th step on, a window lies inside the block, so that only the first m - 1 steps of a
period can cost more than in the block, by at most 1 each: L mu <= (m - 1) + OPT_T / L, and the gap is at most
(m - 1) L. Conversely pi*, played from the empty history, differs from its steady state in its first m - 1
steps at most: the gap is at least -(m - 1). Both ends are attained, the upper one by h(1) = 0, h(y) = 1 for y
>= 2 on m actions (any further ones always lose 1) with L = qm - 1: in a period each of the m actions has
tally 1 at most floor(L/m) = q - 1 times, so that m - 1 steps lose 1, while playing the m actions in turn
never loses.

The gap is also computed on every {0,1} table of a box and, by the certified planners, on random tables with T
up to 10^12. The mean mu is well defined for m <= sqrt(T) + 1 (`lemma-2`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from proofs_check.boxes import needle, random_table, span
from proofs_check.claim import Evidence, Outcome, Request, Tight, by_proof, claim
from proofs_check.computations.cyclic_gap import Case, gap_of, largest_gaps, least_gaps, rested, well_defined
from proofs_check.steps import Step, Verdict
from proofs_check.ways.arguments import (
    losses_sum_to_at_most_their_number,
    settled,
    smallest_is_at_most_the_mean,
    window_lies_inside,
)
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula

WHERE = "Lemma 3 (lem:cyclic_approx_well)"
Size = tuple[int, int]  # (K, m)

STATED = Formula("(m + 1) * sqrt(T)")
SHARPER = Formula("(m - 1) * sqrt(T)")
LOWER_END = Formula("-(m - 1)")

LARGE_SIZES = ((1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (2, 8))  # (K, m) of the random tables
LARGE_PERIODS = (97, 1000, 30030, 10**6)
DENOMINATOR = 1000


def picture(path: str) -> None:
    """The largest gap against sqrt(T), and both bounds."""
    from proofs_check.pictures.lemma_3 import draw

    draw(path, STATED, SHARPER)


@claim("lemma-3", statement=f"T mu(pi*) - OPT_T <= {STATED}.", where=WHERE, picture=picture)
def lemma_3(request: Request) -> Outcome:
    """Carry out the argument for all K, m and T; compute the gap on a box and on large random tables."""
    sizes, periods = _box(request)
    extremes = [case for size in sizes for case in largest_gaps(*size, periods, request)]
    large = _large(request)
    violation = next((case for case in extremes + large if case.gap > case.bound(STATED)), None)
    steps = upper_steps(STATED)
    verdict = settled(violation, Case.confirmed, steps)
    box = _describe(sizes, periods)
    highest = max(case.gap / case.period for case in large)
    return Outcome(
        verdict,
        "all K, m and square T with m <= sqrt(T) + 1" if verdict is Verdict.ARGUED else box,
        Evidence(
            "the block argument, step by step; every {0,1} table of a box; random tables up to T = 10^12",
            _size_of(sizes, periods) + len(large),
            (
                *steps,
                f"Box: {box}. The largest gap, divided by sqrt(T), is {_largest_ratios(extremes)}.",
                f"Random tables of multiples of 1/{DENOMINATOR}, planned and certified, (K,m) among "
                f"{_listed(LARGE_SIZES)}, sqrt(T) among {', '.join(map(str, LARGE_PERIODS))}: the largest "
                f"gap, divided by sqrt(T), is about {float(highest):.2g}.",
            ),
        ),
        witness=violation.witness() if violation else None,
        tight=_tight_upper_end(extremes + large),
    )


@claim(
    "lemma-3/lower-end",
    statement=f"T mu(pi*) - OPT_T >= {LOWER_END} (not in the paper: the other end of the same range).",
    where=WHERE,
)
def lower_end(request: Request) -> Outcome:
    """Carry out the argument for all K, m and T; compute the least gap on a box."""
    sizes, periods = _box(request)
    extremes = [case for size in sizes for case in least_gaps(*size, periods, request)]
    violation = next((case for case in extremes if case.gap < case.bound(LOWER_END)), None)
    steps = lower_steps(LOWER_END)
    verdict = settled(violation, Case.confirmed, steps)
    box = _describe(sizes, periods)
    return Outcome(
        verdict,
        "all K, m and square T with m <= sqrt(T) + 1" if verdict is Verdict.ARGUED else box,
        Evidence(
            "pi* from the empty history, step by step; every {0,1} table of a box",
            _size_of(sizes, periods),
            (*steps, f"Box: {box}. The least gap is {_least_by_memory(extremes)}."),
        ),
        witness=violation.witness() if violation else None,
        tight=_tight_lower_end(extremes),
    )


def upper_steps(bound: Formula) -> list[Step]:
    """The block argument for a bound in m and T, T = L^2; the last step is the only one that uses it."""
    return [
        smallest_is_at_most_the_mean(),
        window_lies_inside(
            "1",
            "m",
            where="s t m integer",
            given=["m >= 1"],
            words="a step at place t >= m of a block has its window inside the block, so the repeated block "
            "loses there what the block lost in the optimal sequence",
        ),
        losses_sum_to_at_most_their_number(),
        for_all(
            "L m T mu OPT block late first real",
            given=[
                "L >= 1",
                "m >= 1",
                "T == L * L",
                "L * block <= OPT",
                "late <= block",
                "first <= m - 1",
                "L * mu <= first + late",
            ],
            then=f"T * mu - OPT <= {_in_terms_of_period(bound)}",
            words="a block that loses at most OPT/L, of that `late` from its m-th step on, and at most m - "
            f"1 before: T mu - OPT <= {bound}",
        ),
    ]


def lower_steps(bound: Formula) -> list[Step]:
    """The argument for a lower bound in m: pi* from the empty history against its steady state."""
    return [
        window_lies_inside(
            "1",
            "m",
            where="s t m integer",
            given=["m >= 1"],
            words="from step m on, no window reaches back before the first step, so pi* loses what it loses "
            "in its steady state",
        ),
        losses_sum_to_at_most_their_number(),
        for_all(
            "T m mu OPT first steady rest real",
            given=["OPT <= first + rest", "first <= m - 1", "steady >= 0", "T * mu == steady + rest"],
            then=f"T * mu - OPT >= {bound}",
            words="pi* loses `first` <= m - 1 in its first m - 1 steps and the steady losses after: T mu - "
            f"OPT >= {bound}",
        ),
    ]


def attained_steps(value: Formula) -> list[Step]:
    """h(1) = 0, h(y) = 1 for y >= 2 on m actions, all others always 1; L = qm - 1: the gap is `value`."""
    return [
        for_all(
            "g q m integer",
            given=["m >= 1", "g * m <= q * m - 1"],
            then="g <= q - 1",
            words="an action has tally 1 only m or more steps after its last turn, and its distances sum to "
            "L = qm - 1 in a period; so it has tally 1 at most q - 1 times",
        ),
        identity(
            "q * m - 1 - m * (q - 1)",
            "m - 1",
            words="m actions: at least L - m (q - 1) = m - 1 steps of a period lose 1",
        ),
        for_all(
            "s t k m integer",
            given=["m >= 1", "t - s == k * m", "s <= t", "t - s <= m - 1"],
            then="s == t",
            words="m actions played in turn: a window holds each of them once, so nothing is lost and OPT = 0",
        ),
        identity(
            "L * (m - 1)",
            _in_terms_of_period(value),
            words=f"the gap, L times what a period loses, is {value} for every K >= m and L = qm - 1",
        ),
    ]


def _box(request: Request) -> tuple[list[Size], range]:
    """The sizes (K, m), m growing, and the periods sqrt(T): T up to 100 and more."""
    sizes = [(K, m) for m in range(1, 4) for K in range(1, 4)] + [(1, 4), (2, 4), (2, 5)]
    return (
        ([*sizes, (4, 2), (4, 3), (2, 6), (3, 4)], range(1, 17))
        if request.thorough
        else (sizes, range(1, 13))
    )


def _size_of(sizes: Sequence[Size], periods: range) -> int:
    return sum(2 ** (K * m) * len(well_defined(m, periods)) for K, m in sizes)


def _describe(sizes: Sequence[Size], periods: range) -> str:
    return f"every {{0,1}} table, (K,m) among {_listed(sizes)}, sqrt(T) = {span(periods)}, m <= sqrt(T) + 1"


def _large(request: Request) -> list[Case]:
    """Random tables, the same in every run."""
    cases = []
    for seed in range(5 if request.thorough else 1):
        for K, m in LARGE_SIZES:
            for L in LARGE_PERIODS:
                request.progress(f"lemma-3: random table with K = {K}, m = {m}, sqrt(T) = {L}")
                table = random_table(Random(f"{seed}/{K}/{m}/{L}"), K, m, DENOMINATOR)
                cases.append(gap_of(table, L))
    return cases


def _tight_upper_end(cases: Sequence[Case]) -> Tight | None:
    """The sharper bound, if it and its attainment are proved, confirmed, and no case exceeds it."""
    example = gap_of(rested(2, 2), 3)
    further = [gap_of(rested(m, m), q * m - 1) for m in range(1, 4) for q in (2, 3)]
    shown = by_proof(upper_steps(SHARPER) + attained_steps(SHARPER))
    met = all(case.gap == case.bound(SHARPER) for case in [example, *further])
    if shown is not Verdict.ARGUED or not met or any(case.gap > case.bound(SHARPER) for case in cases):
        return None
    statement = (
        f"{SHARPER}; attained for every K >= m and sqrt(T) = qm - 1 by h(1) = 0, h(y) = 1 for y >= 2 on m "
        "actions"
    )
    return Tight(statement, shown, example.witness()) if example.confirmed() else None


def _tight_lower_end(cases: Sequence[Case]) -> Tight | None:
    """Attained by the needle: always x* has mean 0, and any policy loses 1 in its first m - 1 steps."""
    example = gap_of(needle(2, 2), 2)
    further = [gap_of(needle(K, m), L) for K in (1, 3) for m in range(1, 5) for L in (3, 4)]
    steps = [
        *lower_steps(LOWER_END),
        for_all(
            "t y m integer",
            given=["t <= m - 1", "y <= t"],
            then="y < m",
            words="in the first m - 1 steps no tally is m, so every policy loses m - 1 there; always x* "
            "loses no more, and nothing in its steady state",
        ),
        identity("0 - (m - 1)", str(LOWER_END), words=f"the gap of the needle is {LOWER_END}"),
    ]
    met = all(case.gap == case.bound(LOWER_END) for case in [example, *further])
    if by_proof(steps) is not Verdict.ARGUED or not met or not example.confirmed():
        return None
    statement = f"{LOWER_END}; attained for all K, m and T by h_1(m) = 0, every other loss 1"
    return Tight(statement, by_proof(steps), example.witness())


def _in_terms_of_period(formula: Formula) -> str:
    """L for sqrt(T), which z3 does not know."""
    return formula.text.replace("sqrt(T)", "L")


def _largest_ratios(cases: Sequence[Case]) -> str:
    largest: dict[int, Fraction] = {}
    for case in cases:
        m = case.bandit.memory
        largest[m] = max(case.gap / case.period, largest.get(m, Fraction(0)))
    return ", ".join(f"{value} for m = {m}" for m, value in largest.items())


def _least_by_memory(cases: Sequence[Case]) -> str:
    memories = sorted({case.bandit.memory for case in cases})
    least = {m: min(case.gap for case in cases if case.bandit.memory == m) for m in memories}
    return ", ".join(f"{value} for m = {m}" for m, value in least.items())


def _listed(sizes: Sequence[Size]) -> str:
    return " ".join(f"({K},{m})" for K, m in sizes)
