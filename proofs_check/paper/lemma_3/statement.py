"""Lemma 3: some sqrt(T)-cyclic policy is nearly optimal.

Stated (label lem:cyclic_approx_well). With pi* the sqrt(T)-cyclic policy of least mean mu and OPT_T the least
loss over X^T, the *gap* T mu(pi*) - OPT_T is at most (m + 1) sqrt(T).

Shown. The gap is at most (m - 1) sqrt(T) (`repeated_block`) and at least -(m - 1) (`from_the_start`), for all
K, m, T and tables: the model itself is in the formulas. Both ends are attained, the upper one by h(1) = 0,
h(y) = 1 for y >= 2 on m actions (any further ones always lose 1) with L = qm - 1.

The gap is also computed on every {0,1} table of a box and, by the certified planners, on random tables with T
up to 10^12. The mean mu is that of the second period; all later ones agree for m <= sqrt(T) + 1 (`lemma-2`).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from proofs_check.bounds import LEMMA_3 as STATED
from proofs_check.bounds import LEMMA_3_SHARP as SHARPER
from proofs_check.boxes import first_failing, needle, random_table, span
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.computations.cyclic_gap import Case, gap_of, largest_gaps, least_gaps, rested, well_defined
from proofs_check.paper.lemma_3 import from_the_start, repeated_block
from proofs_check.steps import Step, argued, weakest
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula

WHERE = "Lemma 3 (lem:cyclic_approx_well)"
Size = tuple[int, int]  # (K, m)

LOWER_END = Formula("-(m - 1)")
HORIZONS = {"memory": "m >= 1", "period": "L >= 1", "square": "T == L * L"}
LARGE_SIZES = ((1, 4), (2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (2, 8))  # (K, m) of the random tables
LARGE_PERIODS = (97, 1000, 30030)
MORE_LARGE_PERIODS = (10**6,)  # of a thorough run
DENOMINATOR = 1000


def picture(path: str) -> None:
    """The largest gap against sqrt(T), and both bounds."""
    from proofs_check.pictures.lemma_3 import draw

    draw(path, STATED, SHARPER)


@claim(
    "lemma-3",
    statement="{stated}.",
    where=WHERE,
    picture=picture,
    formulas={
        "bound": STATED,
        "stated": "T * mu - OPT <= bound",
        "sharper": SHARPER,
        "sharp": "T * mu - OPT <= sharper",
    },
    domain=HORIZONS,
    integers="K m L T",
    uses=("lemma-3/attained",),
)
def lemma_3(request: Request) -> Outcome:
    """Carry out the argument for all K, m and T; compute the gap on a box and on large random tables."""
    f = request.formulas
    sizes, periods = _box(request)
    extremes = [case for size in sizes for case in largest_gaps(*size, periods, request)]
    large = _large(request)
    highest = max(case.gap / case.period for case in large)
    return request.conclude(
        request.show("stated", repeated_block.steps(request, f.stated)),
        method="the best block, repeated; every {0,1} table of a box; large random tables",
        cases=_size_of(sizes, periods) + len(large),
        checked_on=_describe(sizes, periods),
        violation=_first_violation(request, extremes + large),
        remarks=(
            f"The largest gap of the box, divided by sqrt(T), is {_largest_ratios(extremes)}.",
            f"Random tables of multiples of 1/{DENOMINATOR}, planned and certified, (K,m) among "
            f"{_listed(LARGE_SIZES)}, sqrt(T) among {', '.join(map(str, _large_periods(request)))}: "
            f"the largest gap, divided by sqrt(T), is about {float(highest):.2g}.",
        ),
        tight=_tight_upper_end(request),
    )


@claim(
    "lemma-3/lower-end",
    statement="{stated} (not in the paper: the other end of the same range).",
    where=WHERE,
    formulas={
        "lowest": LOWER_END,
        "stated": "T * mu - OPT >= lowest",
        "attained": "T * mu - OPT == lowest",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "square": "T == L * L", "well_defined": "m <= L + 1"},
    integers="K m L T",
)
def lower_end(request: Request) -> Outcome:
    """Carry out the argument for all K, m and T; compute the least gap on a box."""
    f = request.formulas
    sizes, periods = _box(request)
    extremes = [case for size in sizes for case in least_gaps(*size, periods, request)]
    steps = from_the_start.steps(request, f.stated)
    return request.conclude(
        request.show("stated", steps),
        method="pi* from the empty history, step by step; every {0,1} table of a box",
        cases=_size_of(sizes, periods),
        checked_on=_describe(sizes, periods),
        violation=_first_violation(request, extremes),
        remarks=(f"The least gap of the box is {_least_by_memory(extremes)}.",),
        tight=_tight_lower_end(request, steps),
    )


@claim(
    "lemma-3/attained",
    statement="(not in the paper) For h(1) = 0, h(y) = 1 for y >= 2 on m actions, all others 1: {stated}.",
    where=WHERE,
    formulas={"stated": f"T * mu - OPT == {SHARPER}"},
    domain={**HORIZONS, "actions": "K >= m", "multiple": "L == q * m - 1"},
    integers="K m L T q",
    symbols={"q": "a number of turns"},
)
def upper_end_attained(request: Request) -> Outcome:
    """Count the steps of a period at which an action was not played for m - 1 steps; compute small gaps."""
    f = request.formulas
    cases = [gap_of(rested(K, m), q * m - 1) for m in (1, 2, 3) for K in (m, m + 1) for q in (2, 3)]
    return request.conclude(
        request.show("stated", _attained_steps(request, f.stated)),
        method="the plays at tally 1, counted; small cases",
        cases=len(cases),
        checked_on="m <= 3, K = m and m + 1, q = 2 and 3",
        violation=first_failing(cases, f.stated),
    )


def _first_violation(request: Request, cases: Sequence[Case]) -> Case | None:
    """The first case of the domain at which the statement fails."""
    f = request.formulas
    inside = [case for case in cases if all(case.satisfies(one) for one in request.domain)]
    return first_failing(inside, f.stated)


def _attained_steps(request: Request, conclusion: Formula) -> list[Step]:
    """A period loses m - 1, a sequence that takes turns nothing."""
    f = request.formulas
    variables = "K m L T q g turns integer; mu OPT real"
    return [
        argued(
            "an action has tally 1 only m or more steps after its last turn, and its distances sum to L in a "
            "period; g is the number of these plays",
            then="g * m <= L",
        ),
        for_all(
            variables,
            given=[f.memory, f.multiple, "g * m <= L"],
            then="g <= q - 1",
            words="so an action has tally 1 at most q - 1 times in a period",
        ),
        argued(
            "the m actions have tally 1 at most m times as often, and every other play loses 1",
            then="L * mu >= L - m * (q - 1)",
        ),
        argued(
            "some word plays so, and m actions in turn, if there are as many, lose nothing",
            then="implies(K >= m, L * mu <= m - 1 and OPT == 0)",
        ),
        for_all(
            variables,
            given=[
                *(f.memory, f.period, f.square, f.actions, f.multiple),
                "g <= q - 1",
                "L * mu >= L - m * (q - 1)",
                "implies(K >= m, L * mu <= m - 1 and OPT == 0)",
            ],
            then=conclusion,
            words="L periods",
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


def _large_periods(request: Request) -> tuple[int, ...]:
    return LARGE_PERIODS + (MORE_LARGE_PERIODS if request.thorough else ())


def _large(request: Request) -> list[Case]:
    """Random tables, the same in every run."""
    cases = []
    for seed in range(5 if request.thorough else 1):
        for K, m in LARGE_SIZES:
            for L in _large_periods(request):
                request.progress(f"lemma-3: random table with K = {K}, m = {m}, sqrt(T) = {L}")
                table = random_table(Random(f"{seed}/{K}/{m}/{L}"), K, m, DENOMINATOR)
                cases.append(gap_of(table, L))
    return cases


def _tight_upper_end(request: Request) -> Tight | None:
    """The sharper bound, if it is shown and the example meets it."""
    f = request.formulas
    sharp = request.show("sharp", repeated_block.steps(request, f.sharp))
    attained = request.result("lemma-3/attained").outcome.verdict
    example = gap_of(rested(2, 2), 3)
    if example.gap != example.value(f.sharper) or not example.confirmed():
        return None
    return Tight(
        f"{f.sharper}; attained for every K >= m and sqrt(T) = qm - 1 (claim lemma-3/attained)",
        weakest(sharp.verdict, attained),
        example.witness(),
    )


def _tight_lower_end(request: Request, lower: Sequence[Step]) -> Tight | None:
    """Attained by the needle: always x* has mean 0, and any policy loses 1 in its first m - 1 steps."""
    f = request.formulas
    steps = from_the_start.attained(request, f.attained, lower[-1])
    attained = request.show("attained", [*lower, *steps])
    example = gap_of(needle(2, 2), 2)
    if not example.satisfies(f.attained) or not example.confirmed():
        return None
    return Tight(
        f"{f.lowest}; attained for all K, m and T by h_1(m) = 0, every other loss 1",
        attained.verdict,
        example.witness(),
    )


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
