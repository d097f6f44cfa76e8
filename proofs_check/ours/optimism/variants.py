"""Optimism, other starts and other plans: CARMAB, and plans within a gap.

CARMAB goes to its cycle on a shortest way, at most m - 1 letters, and enters it anywhere. A stretch of the
cycle then loses at most m - 1 more than its mean: what is left of the period, repeated forever, has at least
the least mean, and differs from what it loses on the cycle in its first m - 1 steps only. So an epoch costs
2 (m - 1) (`optimism/any-start`), and the regret grows accordingly (`optimism/carmab`).

A plan whose mean is within a gap of the least adds this gap in every step of its epoch
(`optimism/within-gaps`).
"""

from __future__ import annotations

from proofs_check.bounds import CARMAB, OPTIMISM_WITHIN_GAPS
from proofs_check.claim import Outcome, Request, claim
from proofs_check.ours.optimism.bound import (
    ASSUMING,
    DOMAIN,
    GAP,
    GRID,
    OVERHEAD_DOMAIN,
    OVERHEAD_SYMBOLS,
    USES,
    all_together,
    epochs_added_up,
)
from proofs_check.ours.optimism.epochs import WHERE, never_above
from proofs_check.steps import Fact
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import SIZES, Play, alike, definition

A, B = Play("a"), Play("b")
EPOCH = f"{SIZES}; {A.variables}; {B.variables}; p q n length x i j e R integer; top(integer) low lost real"


@claim(
    "optimism/any-start",
    statement="An epoch that begins after p steps, goes to the cycle of its word by at most m - 1 "
    "letters and enters it anywhere satisfies {stated} under its table.",
    where=WHERE,
    formulas={"stated": "lost <= length * low + 2 * (m - 1)"},
    domain={"memory": "m >= 1", "before": "p >= 0", "word": "n >= 1", "steps": "length >= 0"},
    integers="m p n length",
    symbols={
        "lost": "what the epoch loses under the table that it was planned with, of losses in [0, 1]",
        "length": "the number of its steps",
        "low": "the least loss per step of a word that is repeated forever, under that table",
        "p": "the steps before the epoch",
        "n": "the length of its word, which attains it",
    },
)
def any_start(request: Request) -> Outcome:
    """What is left of a period, repeated forever, has at least the least mean."""
    f = request.formulas
    way = definition(
        "the way to the cycle", "0 <= q and q <= m - 1 and e == p + q - (m - 1) and e >= 0", "q"
    )  # after q letters the last m - 1 actions, those from step e + 1 on, are on the cycle
    sizes = [f.memory, f.before, f.word]

    def repeats(i: str) -> Fact:
        return definition("an epoch", f"implies({i} >= 1, a(e + {i}) == a(e + n + {i}))", "a")

    mean = definition("the mean of the word", "n * low == a_total(e + n + m - 1) - a_total(e + m - 1)", "low")

    def excess(i: str) -> str:
        return f"a_total(e + m - 1 + {i}) - a_total(e + m - 1) - ({i}) * low"

    same = alike(EPOCH, A, "e", A, "e + n", agree=repeats, given=[*sizes, way])
    periods = induction(
        EPOCH,
        on="i",
        start=0,
        given=[*sizes, way, mean, A.adds("e + n + m + i"), A.adds("e + m + i"), same.losses.at(i="m + i")],
        then="a_total(e + n + m - 1 + i) - a_total(e + m - 1 + i) == n * low",
        words="on the cycle, every n steps lose the same",
    )
    one = induction(
        EPOCH,
        on="i",
        start=0,
        given=["p >= 0", A.adds("p + i + 1"), A.bounded("p + i + 1")],
        then="a_total(p + i) - a_total(p) <= i and a_total(p + i) - a_total(p) >= 0",
        words="a step loses between 0 and 1",
    )
    rest = alike(
        EPOCH,
        B,
        "m * R",
        A,
        "j",
        agree=lambda i: definition(
            "the repeated rest", f"implies(1 <= {i} and {i} <= R, b(m * R + {i}) == a(j + {i}))", "b"
        ),
        given=[f.memory, "R >= 0", "j >= 0"],
        upto="R",
    )
    least = for_all(
        EPOCH,
        given=[
            *sizes,
            way,
            mean,
            "0 <= j",
            "j < n",
            rest.totals.at(i="n - j", R="n - j", j="e + m - 1 + j"),
            definition(
                "the least mean", "(n - j) * low <= b_total(m * (n - j) + (n - j)) - b_total(m * (n - j))"
            ),
        ],
        then=f"{excess('j')} <= m - 1",
        words="a stretch, from what is left of the period",
    )
    below, main = never_above(
        EPOCH,
        excess,
        given=[*sizes, way],
        chosen=lambda j: least.at(j=j),
        shifted=lambda i: periods.at(i=i),
        top="m - 1",
    )
    positive = for_all(
        EPOCH,
        given=[*sizes, way, mean, one.at(p="e + m - 1", i="n")],
        then="low >= 0",
    )
    last = for_all(
        EPOCH,
        given=[
            *request.domain,
            way,
            positive.at(),
            definition("the epoch", "lost == a_total(p + length) - a_total(p)", "lost"),
            one.at(i="length"),
            one.at(i="q"),
            below.at(i="length - q", j="length - q"),
            main.at(j="length - q"),
        ],
        then=f.stated,
        words="m - 1 letters at most 1 each, the others at most the mean and m - 1",
    )
    steps = [*same.steps, periods, one, *rest.steps, least, below, main, positive, last]
    return request.conclude(
        request.show("stated", steps), method="windows, counts and totals of the played sequence, z3"
    )


@claim(
    "optimism/overhead-any-start",
    statement="On the event, if epochs enter their cycles anywhere, the regret satisfies {stated}.",
    where=WHERE,
    formulas={
        "overhead": "2 * (m - 1) * epochs + (m - 1)",
        "stated": "loss - OPT <= excess + overhead + gap",
    },
    domain=OVERHEAD_DOMAIN,
    integers="m T epochs",
    symbols=OVERHEAD_SYMBOLS,
    uses=("optimism/any-start", "optimism/lower-mean", "optimism/optimum"),
)
def overhead_any_start(request: Request) -> Outcome:
    """Every epoch by what it loses under its lower table, added up; then the optimum from below."""
    steps = epochs_added_up(request, "optimism/any-start", "2 * (m - 1)")
    return request.conclude(request.show("stated", steps), method="induction on the epochs, z3")


@claim(
    "optimism/carmab",
    statement="For every tallying bandit and every T >= 1, with probability at least 1 - delta the learner "
    "carmab has {stated}.",
    where=WHERE,
    formulas={"bound": CARMAB, "stated": "loss - OPT <= bound"},
    domain=DOMAIN,
    integers="K m T G",
    symbols=GRID,
    assuming=ASSUMING,
    uses=tuple("optimism/overhead-any-start" if one == "optimism/overhead" else one for one in USES),
)
def carmab(request: Request) -> Outcome:
    """As for the optimistic planner, with epochs that cost twice as much."""
    ours = "The radius and the way to the cycle are ours; the paper's bound has a constant that is not given."
    return all_together(request, overhead="optimism/overhead-any-start", remarks=[ours])


@claim(
    "optimism/within-gaps",
    statement="For every tallying bandit and every T >= 1, with probability at least 1 - delta the learner "
    "optimistic-planner-within-gaps has {stated}.",
    where=WHERE,
    formulas={"bound": OPTIMISM_WITHIN_GAPS, "stated": "loss - OPT <= bound"},
    domain=DOMAIN,
    integers="K m T G",
    symbols={**GRID, "gap": GAP},
    assuming=ASSUMING,
    uses=USES,
)
def within_gaps(request: Request) -> Outcome:
    """As for the optimistic planner, with the gaps of its plans."""
    told = "The learner sums up the gaps, certified by its planner: they are at least the true ones."
    return all_together(request, exact=False, remarks=[told])
