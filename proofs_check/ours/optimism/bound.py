"""Optimism, the bound: from one epoch to the regret, and how far the rate is the right one.

The lower table is below the losses, so that its least mean is at most the least mean of the losses
(`optimism/lower-mean`). An optimal sequence, repeated forever, loses at most m - 1 more per period than OPT,
so that OPT >= T least - (m - 1) (`optimism/optimum`). Together with `optimism/epoch`, the regret is at most
what the losses exceed the lower tables by, and (m - 1)(epochs + 1) (`optimism/overhead`). The excess is
bounded by `optimism/radii`, the number of epochs by `optimism/epochs`: that is the theorem (`optimism`).

With Theorem 2, repaired, the rate is right up to the root of the logarithm and a constant, if T is at least
m^3 K log2(2T/(Km)) (`optimism/range`).
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs_check import definitions
from proofs_check.bounds import OPTIMISM, OPTIMISM_ENOUGH, OPTIMISM_GAP, OPTIMISM_GRID
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.ours.optimism.epochs import WHERE
from proofs_check.ours.optimism.radii import INSIDE, LOG, MEAN_GIVEN_THE_PAST, ROUNDING
from proofs_check.ours.optimism.radii import SIZES as PARAMETERS
from proofs_check.paper.theorem_2.short import WORST
from proofs_check.steps import Given, Step, Verdict, conclusions, weakest
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import grows, log2_as_log
from proofs_check.ways.sequences import SIZES, Play, alike, definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

A, B, U = Play("a"), Play("b"), Play("u")
LEAST = "the least loss per step of a word that is repeated forever"
LOWER = (
    f"{SIZES}; {U.variables}; n i integer; "
    "g(integer, integer) u_lower(integer) u_low_total(integer) low least real"
)
REPEATED = f"{SIZES}; {A.variables}; {B.variables}; x i integer; least OPT real"
EPOCHS = (
    "K m T epochs ended k t p n length steps(integer) before(integer) word(integer) G integer; "
    "lower(integer) low(integer) up(integer) off(integer) gaps(integer) least loss OPT excess lost delta gap "
    "real"
)


@claim(
    "optimism/rounding",
    statement="If the mean of the observations of a cell is off by at most r, its lower bound low satisfies "
    "{stated}.",
    where=WHERE,
    formulas={
        "rounding": ROUNDING,
        "planned": "max(0, floor(G * (observed - up)) / G)",
        "stated": "low <= h and h - low <= 2 * r + rounding",
    },
    domain={
        "grid": "G >= 1",
        "a_loss": "0 <= h",
        "event": "abs(observed - h) <= r",
        "radius": "r <= up and up <= r + 2 / G",
        "lower": "low == planned",
    },
    integers="G",
    symbols={
        "G": "estimates are multiples of 1 / G",
        "h": "the loss of the cell",
        "observed": "the mean of its observations",
        "r": "the radius",
        "up": "the radius, rounded up to a multiple of 1 / G",
        "low": "the lower bound",
    },
)
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


@claim(
    "optimism/optimum",
    statement="{stated}.",
    where=WHERE,
    formulas={"stated": "OPT >= T * least - (m - 1)"},
    domain={"memory": "m >= 1", "horizon": "T >= 0"},
    integers="m T",
    symbols={"least": LEAST},
)
def optimum(request: Request) -> Outcome:
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
    )
    mean = definition(
        "least", "T * least <= b_total(m * T + T) - b_total(m * T)", "least"
    )  # the window is full by then, as m T >= m - 1
    last = for_all(
        REPEATED,
        given=[*request.domain, repeated.totals.at(i="T"), mean, A.begins(), A.is_optimal()],
        then=f.stated,
        words="the first m - 1 steps of a period may cost up to 1 more each",
    )
    shown = request.show("stated", [*repeated.steps, last])
    bandit, T = TallyingBandit([[0, 0, 0, 1]]), 9  # one action, m = 4
    least = min(definitions.total_loss(bandit, one) for one in definitions.everything(bandit, T))
    equal = Formula(str(f.stated).replace(">=", "=="))
    attained = equal.holds(OPT=least, T=T, least=1, m=bandit.memory)
    return request.conclude(
        shown,
        method="windows and counts of the repeated sequence, z3",
        tight=Tight(
            "attained by one action, h(m) = 1, every other loss 0",
            weakest(shown.verdict, Verdict.CHECKED),
            Witness({"horizon": T, "OPT": least, "least": 1}, bandit),
        )
        if attained
        else None,
    )


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


@claim(
    "optimism",
    statement="For every tallying bandit and every T >= 1, with probability at least 1 - delta the learner "
    "optimistic-planner has {stated}.",
    where=WHERE,
    formulas={"bound": OPTIMISM, "stated": "loss - OPT <= bound"},
    domain=DOMAIN,
    integers="K m T G",
    symbols=GRID,
    assuming=ASSUMING,
    uses=USES,
)
def optimism(request: Request) -> Outcome:
    """The overhead with the number of epochs, and the excess with the radii and the rounding."""
    expected = "With delta = 1/T the expected regret is at most the bound plus 1, as no regret exceeds T."
    return all_together(request, remarks=[expected])


@claim(
    "optimism/range",
    statement="For T >= {enough} the bound is within sqrt(log) of Theorem 2: {stated}.",
    where=WHERE,
    formulas={
        "bound": OPTIMISM,
        "constant": OPTIMISM_GAP,
        "enough": OPTIMISM_ENOUGH,
        "stated": f"bound <= constant * sqrt({LOG}) * worst",
    },
    domain={
        "actions": "K >= 2",
        "memory": "m >= 1",
        "horizon": "T >= m * K",
        "long": "T >= enough",
        "probability": "0 < delta and delta < 1",
    },
    integers="K m T",
    symbols={"worst": WORST},
    uses=("theorem-2/repaired",),
)
def in_range(request: Request) -> Outcome:
    """The overhead is at most a multiple of the root where T is that large; then Theorem 2, repaired."""
    f = request.formulas
    sizes = [f.actions, f.memory, f.horizon]
    log2, root_of = "log2(2 * T / (K * m))", f"sqrt(K * m * T * {LOG})"
    same = for_all(
        "K m T integer",
        given=sizes,
        then="max(T, K * m) == T and K * m >= 2 and K * m >= 2 * m and T >= 2 and T / (K * m) >= 1",
    )
    half = in_balls("69 / 100", "log(2)")
    ratio = for_all(
        "K m T integer",
        given=[*sizes, *conclusions(same), f.probability],
        then=f"2 * T / (K * m) >= 2 and 2 * T / (K * m) <= {INSIDE}",
        words="2T/(Km) is at least 2, and at most what is in the logarithm",
    )
    logs = for_all(
        "K m T integer",
        given=[
            *conclusions(ratio, half),
            *(grows("log", "2", "2 * T / (K * m)"), grows("log", "2 * T / (K * m)", INSIDE)),
            log2_as_log("2 * T / (K * m)"),
        ],
        then=f"{log2} >= 1 and 69 / 100 * {log2} <= {LOG}",
        words="the two logarithms",
    )
    cube = for_all(
        "K m T integer", given=[f.long], then=f"T >= m * m * (K * m) * {log2}", words="where T is that large"
    )
    root = for_all(
        "C t l g m real",
        given=["C >= 2", "t >= 1", "m >= 1", "l >= 1", "69 / 100 * l <= g", "t >= m * m * C * l"],
        then="m * C * l <= 1204 / 1000 * sqrt(C * t * g)",
        words="the overhead against the root",
    )
    small = for_all(
        "C l m q r real",
        given=[
            *("C >= 2 * m", "m >= 1", "l >= 1", "q >= 0", "r <= 1415 / 1000"),
            "m * C * l <= 1204 / 1000 * q",
        ],
        then="(2 + r) * q + (m - 1) * (C * l + 2) <= 4619 / 1000 * q",
        words="both terms of the bound",
    )
    ends = "2 * T / (K * m)", "2 * max(T, K * m) / (K * m)"
    two = for_all("", then="sqrt(2) <= 1415 / 1000")
    below = for_all(
        "K m T integer",
        given=[
            *(f.memory, *conclusions(same, logs, cube, two)),
            root.at(C="K * m", t="T", l=log2, g=LOG, m="m"),
            small.at(C="K * m", l=log2, q=root_of, m="m", r="sqrt(2)"),
            *(grows("log2", low, high) for low, high in (ends, ends[::-1])),
        ],
        then=f"{f.bound} <= 4619 / 1000 * {root_of}",
        words="the bound against the root",
    )
    lower = for_all(
        "K m T integer",
        given=[*sizes, *conclusions(same), request.quote("theorem-2/repaired")],
        then="432 * worst >= sqrt(K * m * T)",
        words="Theorem 2, repaired",
    )
    product = for_all(
        "x y w real",
        given=["x >= 0", "y >= 0", "432 * w >= sqrt(x)"],
        then="sqrt(x * y) <= 432 * w * sqrt(y)",
        words="a product of roots",
    )
    last = for_all(
        "K m T integer",
        given=[
            *(f.actions, f.memory, *conclusions(same, logs, below, lower)),
            product.at(x="K * m * T", y=LOG, w="worst"),
        ],
        then=f.stated,
        words="both together",
    )
    steps = [same, half, ratio, logs, cube, root, small, two, below, lower, product, last]
    return request.conclude(
        request.show("stated", steps),
        method="roots and logarithms, z3",
        remarks=(
            "Between T of the order mK and of the order m^3 K the two bounds differ by more; the most is a "
            "factor of the order sqrt(m), near T = m^2 K, up to logarithms. What is right there is open.",
        ),
    )
