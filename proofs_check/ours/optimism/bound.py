"""Optimism, the bound: from one epoch to the regret, and how far the rate is the right one.

<<<<<<< HEAD
An epoch plays a word of least mean under its lower table, which is below the losses. So this mean is at most
that of an optimal sequence of T steps repeated, which loses at most m - 1 more per period than OPT: T times
the mean is at most OPT + m - 1 (`optimism/optimum`). With `optimism/epoch`, the regret is at most what the
losses exceed the lower tables by, and (m - 1)(epochs + 1). The excess is bounded cell by cell
(`optimism/cell`), the number of epochs by `optimism/epochs`: that is the theorem (`optimism`).
=======
The lower table is below the losses, so that its least mean is at most the least mean of the losses
(`optimism/lower-mean`). An optimal sequence, repeated forever, loses at most m - 1 more per period than OPT,
so that OPT >= T least - (m - 1) (`optimism/optimum`). Together with `optimism/epoch`, the regret is at most
what the losses exceed the lower tables by, and (m - 1)(epochs + 1) (`optimism/overhead`). The excess is
bounded by `optimism/radii`, the number of epochs by `optimism/epochs`: that is the theorem (`optimism`).
>>>>>>> main

With Theorem 2, repaired, the rate is right up to the root of the logarithm and a constant, if T is at least
m^3 K log2(2T/(Km)) (`optimism/range`).
"""

from __future__ import annotations

from proofs_check.bounds import OPTIMISM, OPTIMISM_ENOUGH, OPTIMISM_GAP
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.ours.optimism.learner import DOMAIN, GRID, MEAN_GIVEN_THE_PAST, WHERE
from proofs_check.paper.theorem_2.short import WORST
from proofs_check.proving import Setting
from proofs_check.steps import Verdict
from proofs_check.witness import Witness

<<<<<<< HEAD
AGAIN = "repeated(best(T), T)"
REPEATED = Setting(
    define={"repeated(w, L, t)": "w(t - L * quotient(t - 1, L))"},
    variables="g(integer, integer) real",
=======
A, B, U = Play("a"), Play("b"), Play("u")
LEAST = "the least loss per step of a word that is repeated forever"
LOWER = (
    f"{SIZES}; {U.variables}; n i integer; "
    "g(integer, integer) u_lower(integer) u_low_total(integer) low least real"
>>>>>>> main
)
TABLES = [[[0, 1], [1, 0]], [[0, "1/2"], [1, 0]], [[0, 0], [0, 0]]]
STEPS = ("optimism/epoch", "optimism/rotation", "optimism/visit", "optimism/optimum")
USES = (*STEPS, "lemma-7/step-ii", "optimism/cell", "optimism/epochs", "optimism/event")
ARGUMENT = (
    "On the event every lower bound is at most its loss (optimism/visit), so the word of an epoch, of least "
    "mean under the lower table, has a mean low with T low <= OPT + m - 1 (optimism/optimum).",
    "An epoch of n steps loses under its lower table at most n low + (m - 1) (optimism/epoch; its rotation "
    "is that of optimism/rotation). Over all epochs: at most OPT + (m - 1)(epochs + 1).",
    "A step to a cell that was seen n times before its epoch exceeds its lower bound by at most width(n) "
    "(optimism/visit). Collected by cells, these excesses are the sums of optimism/cell.",
)
COUNTED = (
    "The K m cells cost at most F times the sum of sqrt(N_c), F = (2 + sqrt(2)) sqrt(log(2KmT/delta)), minus "
    "1 for each cell that was seen, plus 3 T / G <= 1. The sum is at most sqrt(K m T) (lemma-7/step-ii).",
    "Every epoch but the last was ended by a cell, and a cell that was seen N times has ended at most "
    "log2(2 N) (optimism/epochs). The logarithm is concave: epochs <= K m log2(2 max(T, Km)/(Km)) + 1.",
)
<<<<<<< HEAD
LOGS = Setting(define={"log2(r)": "log(r) / log(2)"}, variables="r worst real")
=======
def rounding(request: Request) -> Outcome:
    """The integer part, for all values."""
    f = request.formulas
    last = for_all("G integer; h observed r up low real", given=request.domain, then=f.stated)
    return request.conclude(request.show("stated", [last]), method="z3")


@claim(
    "optimism/lower-mean",
    statement="If no loss of the lower table g is above the loss of h, their least means satisfy {stated}.",
    where=WHERE,
    formulas={"stated": "low <= least"},
    domain={"memory": "m >= 1", "word": "n >= 1"},
    integers="m n",
    symbols={
        "low": "the least loss per step, under g, of a word that is repeated forever",
        "least": LEAST,
        "n": "the length of a word of least mean under h",
    },
)
def lower_mean(request: Request) -> Outcome:
    """Sum the losses of a best word over a period, under both tables."""
    f = request.formulas
    tally = "u_count(u(m + i + 1), m + i + 1) - u_count(u(m + i + 1), max(m + i + 1 - m, 0))"
    table = [
        definition("the losses under g", f"implies(i >= 0, u_lower(m + i + 1) == g(u(m + i + 1), {tally}))"),
        definition("a lower table", f"g(u(m + i + 1), {tally}) <= h(u(m + i + 1), {tally})"),
        definition(
            "the total under g",
            "implies(i >= 0, u_low_total(m + i + 1) == u_low_total(m + i) + u_lower(m + i + 1))",
        ),
    ]
    sums = induction(
        LOWER,
        on="i",
        start=0,
        given=[f.memory, *table, U.adds("m + i + 1"), U.loses("m + i + 1")],
        then="u_low_total(m + i) - u_low_total(m) <= u_total(m + i) - u_total(m)",
        words="any stretch loses no more under g",
    )
    last = for_all(
        LOWER,
        given=[
            *request.domain,
            sums.at(i="n"),
            definition(
                "a word of least mean, in a period from step m on", "n * least == u_total(m + n) - u_total(m)"
            ),
            definition("low", "n * low <= u_low_total(m + n) - u_low_total(m)"),
        ],
        then=f.stated,
        words="a period of the best word",
    )
    return request.conclude(request.show("stated", [sums, last]), method="induction on the steps, z3")
>>>>>>> main


@claim(
    "optimism/optimum",
    statement="If no loss of the lower table g is above that of h, the least mean under g of a word, here of "
    "m T letters, satisfies {stated}.",
    where=WHERE,
    formulas={"stated": "T * mu(g, K, m, m * T) <= OPT(T) + m - 1"},
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 1",
        "table": "table(h)",
        "lower": "all(0 <= g(x, y) <= h(x, y) for x in between(1, K) for y in between(1, m))",
    },
    integers="K m T",
    setting=REPEATED,
    symbols={"g": "g(x, y), the lower bound of the loss of action x at tally y"},
    model={"K": 2, "m": 2, "T": 2, "h": [[0, 1], [1, 0]], "g": [[0, "1/2"], [1, 0]]},
)
def optimum(request: Request) -> Outcome:
<<<<<<< HEAD
    """Repeat an optimal sequence: a period loses at most m - 1 more than OPT, its first m - 1 steps."""
    p = request.proof()
    now = "repeated(best(T), T, t)"
    p.have("implies(1 <= t and t <= T, quotient(t - 1, T) == 0)", all="t")
    p.have("implies(1 <= t and t <= T, t - T * quotient(t - 1, T) == t)", all="t")
    p.have(f"implies(1 <= t and t <= T, {now} == best(T, t))", all="t")
    p.have("quotient(t + T, T) == quotient(t, T) + 1", all="t")
    p.have(f"repeated(best(T), T, t + T) == {now}", all="t", hints=["quotient(t - 1, T)"])
    p.induct("j", f"repeated(best(T), T, t + j * T) == {now}", all="t")
    p.have(f"repeated(best(T), T, t + m * T) == {now}", all="t")
    p.have(f"1 <= {now} <= K", all="t")
    within = ["j >= 0", "1 <= i", "i <= T"]
    p.have("repeated(best(T), T, i + j * T) == best(T, i)", all="i j", given=within)
    p.induct("t", f"implies(s <= t, 0 <= count({AGAIN}, x, t) - count({AGAIN}, x, s) <= t - s)", all="x s")
    p.have(
        f"1 <= count({AGAIN}, {now}, t) - count({AGAIN}, {now}, t - m) <= m",
        all="t",
        given=["1 <= t"],
        hints=[f"count({AGAIN}, {now}, t - 1)"],
=======
    """An optimal sequence, repeated forever, has a mean, and loses at most m - 1 more in a period."""
    f = request.formulas
    repeated = alike(
        REPEATED,
        B,
        "m * T",
        A,
        "0",
        agree=lambda i: definition(
            "the repeated sequence", f"implies(1 <= {i} and {i} <= T, b(m * T + {i}) == a({i}))", "b"
        ),
        given=[f.memory, f.horizon],
        upto="T",
>>>>>>> main
    )
    p.have(f"loss({AGAIN}, g, m, t) <= loss({AGAIN}, t) <= 1", all="t", given=["1 <= t"])
    p.have(f"0 <= loss({AGAIN}, t)", all="t", given=["1 <= t"])
    counted = f"count({AGAIN}, x, i + j * T) - count({AGAIN}, x, j * T) == count(best(T), x, i)"
    p.induct("i", counted, upto="T", all="x", given=["j >= 0"])
    p.have(f"loss({AGAIN}, i + j * T) == loss(best(T), i)", all="i j", given=[*within, "m <= i"])
    return request.conclude(
        p.shown(),
        method="windows and counts of the repeated sequence",
        box={"K": [1, 2], "m": [1, 2], "T": [1, 2, 3], "h": TABLES, "g": TABLES},
        tight=Tight(
            "attained by one action, h(m) = 1, every other loss 0", Verdict.CHECKED, Witness({"K": 1, "m": 4})
        ),
    )


<<<<<<< HEAD
=======
def epochs_added_up(request: Request, epoch: str, cost: str) -> list[Step]:
    """What epochs that cost so much each lose under their lower tables, and the optimum from below.

    `epoch` is the claim about one epoch. The last step concludes what the claim states.
    """
    f = request.formulas
    one = for_all(
        EPOCHS,
        given=[
            f.memory,
            "k >= 0",
            definition("an epoch", "word(k + 1) >= 1 and before(k + 1) >= 0 and steps(k + 1) >= 0", "epoch"),
            definition("a lower table", "up(k + 1) >= 0"),
            definition("the gap of a plan", "up(k + 1) <= low(k + 1) + off(k + 1)"),
            request.quote(
                epoch,
                lost="lower(k + 1) - lower(k)",
                length="steps(k + 1)",
                low="up(k + 1)",
                p="before(k + 1)",
                n="word(k + 1)",
            ),
            request.quote("optimism/lower-mean", low="low(k + 1)", n="word(k + 1)"),
        ],
        then=f"lower(k + 1) - lower(k) <= steps(k + 1) * (least + off(k + 1)) + {cost}",
        words="one epoch: at most the least mean per step and the gap of its plan, and what an epoch costs",
    )
    added = induction(
        EPOCHS,
        on="k",
        start=0,
        given=[
            f.memory,
            definition("what the lower tables lose", "lower(0) == 0"),
            definition(
                "the time",
                "before(1) == 0 and implies(k >= 0, before(k + 2) == before(k + 1) + steps(k + 1))",
            ),
            definition(
                "the gaps",
                "gaps(0) == 0 and implies(k >= 0, gaps(k + 1) == gaps(k) + steps(k + 1) * off(k + 1))",
            ),
            one.at(),
        ],
        then=f"lower(k) <= before(k + 1) * least + {cost} * k + gaps(k)",
        words="k epochs",
    )
    last = for_all(
        EPOCHS,
        given=[
            *request.domain,
            added.at(k="epochs"),
            definition("the epochs", "before(epochs + 1) == T"),
            definition("the excess", "loss == lower(epochs) + excess", "excess"),
            definition("gap", "gap == gaps(epochs)", "gap"),
            request.quote("optimism/optimum"),
        ],
        then=f.stated,
        words="all epochs, and the optimum from below",
    )
    return [one, added, last]


GAP = (
    "what the words of the epochs may lose beyond the least means of the lower tables, summed over the steps"
)
OVERHEAD_DOMAIN = {"memory": "m >= 1", "horizon": "T >= 0", "played": "epochs >= 0"}
OVERHEAD_SYMBOLS = {
    "excess": "what the losses exceed the lower tables by, summed over all steps",
    "epochs": "the number of epochs",
    "gap": GAP,
}


@claim(
    "optimism/overhead",
    statement="On the event, after any number of epochs the regret satisfies {stated}.",
    where=WHERE,
    formulas={"overhead": "(m - 1) * (epochs + 1)", "stated": "loss - OPT <= excess + overhead + gap"},
    domain=OVERHEAD_DOMAIN,
    integers="m T epochs",
    symbols=OVERHEAD_SYMBOLS,
    uses=("optimism/epoch", "optimism/lower-mean", "optimism/optimum"),
)
def overhead(request: Request) -> Outcome:
    """Every epoch by what it loses under its lower table, added up; then the optimum from below."""
    steps = epochs_added_up(request, "optimism/epoch", "(m - 1)")
    return request.conclude(request.show("stated", steps), method="induction on the epochs, z3")


SEEN = f"{EPOCHS}; all_ended(integer) all_met(integer) integer; costs(integer) real"
EXACT_PLANS = definition("exact plans", "gap == 0", "gap")
EXCESS: list[Given | str] = [
    definition("the steps at the cells", "all_met(K * m) == T", "all_met"),
    definition("epochs", "k == epochs and epochs >= 1", "k"),
]


def few_epochs(request: Request) -> Step:
    """All epochs but the last were ended by a cell."""
    return for_all(
        SEEN,
        given=[
            *(request.formulas.actions, request.formulas.memory),
            definition("the steps at the cells", "all_met(K * m) == T", "all_met"),
            definition("epochs", "epochs >= 1 and epochs <= all_ended(K * m) + 1", "epochs"),
            request.quote("optimism/epochs"),
        ],
        then="epochs - 1 <= K * m * log2(2 * max(T, K * m) / (K * m)) and epochs >= 1",
        words="every epoch but the last was ended by a cell",
    )


def one_visit(request: Request, radius: str, twice: str) -> list[Step]:
    """A visit to a cell that was seen n times exceeds its lower bound by at most two radii and the rounding.

    `radius` and `twice` are formulas in n and l, the logarithm.
    """
    each = for_all(
        "G integer; h observed r up low real",
        given=[
            *("G >= 1", "0 <= h", "abs(observed - h) <= r", "r <= up and up <= r + 2 / G"),
            "low == max(0, floor(G * (observed - up)) / G)",
            request.quote("optimism/rounding"),
        ],
        then=f"low <= h and h - low <= 2 * r + {ROUNDING}",
        words="a visit to a cell that was seen: twice the radius, and the rounding",
    )
    width = for_all(
        "n l real", given=["n >= 1", "l >= 0"], then=f"2 * {radius} == {twice}", words="twice the radius"
    )
    return [each, width]


HOEFFDING = ("sqrt(l / (2 * n))", "sqrt(2 * l / n)")  # the radius, and twice the radius


def all_together(
    request: Request,
    *,
    event: str = "optimism/event",
    radii: str = "optimism/radii",
    overhead: str = "optimism/overhead",
    radius: tuple[str, str] = HOEFFDING,
    exact: bool = True,
    remarks: Sequence[str] = (),
) -> Outcome:
    """The overhead with the number of epochs, and the excess by cells and epochs, with the radii."""
    f = request.formulas
    few, each = few_epochs(request), one_visit(request, *radius)
    cheap = for_all(
        SEEN,
        given=[*request.domain, *EXCESS, request.quote("optimism/grouping"), request.quote(radii)],
        then=f"excess <= {request.run.claim(radii).formula('bound')}",
        words="grouped by cells and epochs; radii, and the rounding, for which the radii leave room",
    )
    likely = request.result(event).outcome.verdict
    last = for_all(
        SEEN,
        given=[
            *request.domain,
            *conclusions(few, cheap),
            request.quote(overhead),
            *([EXACT_PLANS] if exact else []),
        ],
        then=f.stated,
        words="overhead and excess",
    )
    return request.conclude(
        request.show("stated", [few, *each, cheap, last]),
        method="the overhead, the number of epochs, the radii and the rounding",
        remarks=(f"The event has probability at least 1 - delta: {likely} (claim {event}).", *remarks),
    )


USES = (
    "optimism/epochs",
    "optimism/event",
    "optimism/grouping",
    "optimism/overhead",
    "optimism/radii",
    "optimism/rounding",
)
ON_THE_EVENT = "on the event of {}, of probability at least 1 - delta"
ASSUMING = (ON_THE_EVENT.format("optimism/event"), MEAN_GIVEN_THE_PAST)
DOMAIN: dict[str, Formula | str] = {**PARAMETERS, "grid": OPTIMISM_GRID}
GRID = {"G": "estimates are multiples of 1 / G, rounded down"}


>>>>>>> main
@claim(
    "optimism",
    statement="For every tallying bandit and every T >= 1, with probability at least 1 - delta the learner "
    "optimistic-planner has {stated}.",
    where=WHERE,
    formulas={"bound": OPTIMISM, "stated": "loss - OPT <= bound"},
    domain=DOMAIN,
    integers="K m T G",
    symbols=GRID,
    assuming=(MEAN_GIVEN_THE_PAST,),
    uses=USES,
)
def optimism(request: Request) -> Outcome:
    """The overhead of the epochs, and the excess of the losses over their lower bounds, cell by cell."""
    return request.conclude(
        request.argue(*ARGUMENT, *COUNTED),
        method="the claims about one epoch, one visit and one cell, added up",
        remarks=("With delta = 1/T the expected regret is at most the bound plus 1: no regret exceeds T.",),
    )


@claim(
    "optimism/range",
    statement="Where Theorem 2, repaired, holds, the bound is for T >= {enough} within sqrt(log) of it: "
    "{stated}.",
    where=WHERE,
    formulas={
        "bound": OPTIMISM,
        "constant": OPTIMISM_GAP,
        "enough": OPTIMISM_ENOUGH,
        "stated": "bound <= constant * sqrt(log(2 * K * m * T / delta)) * worst",
    },
    domain={
        "actions": "K >= 2",
        "memory": "m >= 1",
        "horizon": "T >= m * K",
        "long": "T >= enough",
        "probability": "0 < delta and delta < 1",
        "forced": "432 * worst >= sqrt(K * m * T)",
    },
    integers="K m T",
    symbols={"worst": WORST},
    setting=LOGS,
    uses=("theorem-2/repaired",),
)
def in_range(request: Request) -> Outcome:
    """The overhead is at most a multiple of the root where T is that large; then Theorem 2, repaired."""
    return request.conclude(
        request.argue(
            "Write C = K m, l = log2(2T/C) >= 1 and g = log(2 C T / delta); as 2T/C <= 2 C T / delta, "
            "g >= l log(2) >= 69/100 l.",
            "From T >= m^2 C l: (m C l)^2 <= C T l <= C T g / (69/100), so m C l <= 1204/1000 sqrt(C T g).",
            "As C >= 2 m, (m - 1)(C l + 2) <= m C l; so the bound is at most 4619/1000 sqrt(C T g).",
            "sqrt(C T) <= 432 worst, by Theorem 2, repaired; 432 * 4619/1000 < 1996.",
        ),
        method="roots and logarithms; some sizes evaluated",
        box={
            "K": [2, 3],
            "m": [1, 2, 8],
            "T": [64, 10**4, 10**8],
            "delta": ["1/100", "99/100"],
            "worst": ["1/4", 5, 400, 2000],
        },
        remarks=(
            "Between T of the order mK and of the order m^3 K the two bounds differ by more; the most is a "
            "factor of the order sqrt(m), near T = m^2 K, up to logarithms. What is right there is open.",
        ),
    )
