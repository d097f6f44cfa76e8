"""Optimism, the radii: the event on which all lower bounds are right, and what they cost.

The mean of the first n observations of a cell is within r(n) = sqrt(log(2KmT/delta) / (2n)) of its loss, for
all Km cells and all n <= T, but for probability delta (`optimism/event`): for one cell and one n the
deviations are martingale differences of range 1, since the mean of an observation given the past and the
action is the loss. On this event a visit to a cell that was met N times before the epoch costs at most 2 r(N)
more than its lower bound, and the first visit at most 1. In an epoch a cell is met at most max(1, N) times,
and v 2 r(N) <= F (sqrt(N + v) - sqrt(N)) with F = (2 + sqrt(2)) sqrt(log(2KmT/delta)) for v <= N. The first
visit is charged F >= 2, which leaves at least 1 for the rounding of the estimates, 3 / G for each of T visits
(`optimism/radii`).
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs_check.bounds import OPTIMISM_GRID, OPTIMISM_LOG
from proofs_check.claim import Outcome, Request, claim
from proofs_check.ours.optimism.epochs import WHERE
from proofs_check.steps import Given, Step, argued, conclusions
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import exp_of_minus_log, grows, log_of_one
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula

LOG = str(OPTIMISM_LOG)
INSIDE = LOG.removeprefix("log(").removesuffix(")")
SIZES: dict[str, Formula | str] = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "probability": "0 < delta and delta < 1",
}
ROUNDING = "3 / G"  # what an estimate may be too low by; multiples of 1 / G, rounded down
VARIABLES = (
    "K m T n c i k G integer; N(integer, integer) met(integer) all_met(integer) seen(integer) integer; "
    "cost(integer, integer) costs(integer) roots(integer) failing(integer) delta real"
)
MEAN_GIVEN_THE_PAST = "the mean of an observation given the past and the action is the loss"


@claim(
    "optimism/event",
    statement="The probability that for some cell and some n <= T the mean of its first n observations is "
    "off by more than r(n) = {radius} satisfies {stated}.",
    where=WHERE,
    formulas={
        "radius": f"sqrt({LOG} / (2 * n))",
        "stated": "missing <= delta",
        "each": "failing(n) <= delta / (K * m * T)",
    },
    domain={**SIZES, "number": "n >= 1"},
    integers="K m T n",
    symbols={
        "missing": "that probability",
        "failing": "failing(n), the largest probability that the mean of the first n observations of one "
        "cell is off by more than r(n)",
        "n": "a number of observations",
    },
    assuming=(MEAN_GIVEN_THE_PAST,),
)
def event(request: Request) -> Outcome:
    """Hoeffding's bound for martingale differences at each cell and n, and a union bound."""
    f = request.formulas
    positive = for_all(
        VARIABLES,
        given=[f.actions, f.memory, f.horizon, f.probability, grows("log", "1", INSIDE), log_of_one()],
        then=f"{LOG} >= 0",
    )
    exponent = f"-2 * n * ({f.radius})**2"
    tail = argued(
        "Azuma and Hoeffding: n martingale differences of range 1 (fewer than n observations: the rest 0)",
        then=f"failing(n) <= 2 * exp({exponent})",
    )
    exact = for_all(
        VARIABLES,
        given=[f.number, *conclusions(positive)],
        then=f"{exponent} <= -{LOG}",
        words="the exponent at the radius",
    )
    each = for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, f.horizon, f.probability, *conclusions(tail, exact)),
            grows("exp", exponent, f"-{LOG}"),
            exp_of_minus_log(INSIDE),
        ],
        then=f.each,
        words="one cell and one n",
    )
    union = argued(
        "the probabilities of K m T pairs of a cell and an n add up",
        given=conclusions(each),
        then="missing <= K * m * T * (delta / (K * m * T))",
    )
    last = for_all(
        VARIABLES,
        given=[f.actions, f.memory, f.horizon, f.probability, *conclusions(union)],
        then=f.stated,
    )
    shown = [positive, tail, exact, each]
    request.show("each", shown)
    return request.conclude(
        request.show("stated", [*shown, union, last]), method="Hoeffding's bound and a union bound"
    )


def counts_of(width: Formula) -> list[Given]:
    """The counts of a cell, and what its visits cost, epoch by epoch."""
    return [
        definition("the counts", "N(c, 0) == 0 and N(c, k) >= 0 and N(c, k) <= T", "N"),
        definition(
            "the counts",
            "implies(k >= 0, N(c, k) <= N(c, k + 1) and N(c, k + 1) <= N(c, k) + max(1, N(c, k)))",
            "N",
        ),
        definition(
            "what the visits of a cell cost",
            f"cost(c, 0) == 0 and implies(k >= 0, "
            f"cost(c, k + 1) == cost(c, k) + (N(c, k + 1) - N(c, k)) * ({width}))",
            "cost",
        ),
    ]


SUMS: list[Given | str] = [
    definition("the sums", "costs(0) == 0 and roots(0) == 0 and all_met(0) == 0 and seen(0) == 0"),
    definition("the sums", "implies(i >= 0, costs(i + 1) == costs(i) + cost(i + 1, k))"),
    definition("the sums", "implies(i >= 0, all_met(i + 1) == all_met(i) + N(i + 1, k))"),
    definition("the sums", "implies(i >= 0, roots(i + 1) == roots(i) + sqrt(N(i + 1, k)))"),
    definition("the sums", "implies(i >= 0, seen(i + 1) == seen(i) + (1 if N(i + 1, k) >= 1 else 0))"),
    definition("the counts", "N(i + 1, k) >= 0", "N"),
]
COSTS = (
    "costs(i), what the visits of the first i cells cost, in k epochs: v(N) in an epoch that meets a cell v"
)


def sum_of_roots(sizes: Sequence[Given]) -> list[Step]:
    """The roots of the counts of all cells add up to at most sqrt(K m T); the last step concludes it."""
    square = for_all(
        "x u C real", then="2 * u * C * x <= C * C * (x * x) + u * u", words="a root lies below its tangents"
    )
    tangents = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[*sizes, *SUMS, square.at(x="sqrt(N(i + 1, k))", u="sqrt(K * m * T)", C="K * m")],
        then="2 * sqrt(K * m * T) * (K * m) * roots(i) <= K * m * (K * m) * all_met(i) + i * (K * m * T)",
        words="all cells",
    )
    cauchy = for_all(
        "u C r t real",
        given=["C >= 1", "t >= 1", "u >= 0", "u * u == C * t", "2 * u * C * r <= C * C * t + C * (C * t)"],
        then="r <= u",
        words="the sum of the roots is at most sqrt(K m T)",
    )
    together = for_all(
        VARIABLES,
        given=[
            *sizes,
            "all_met(K * m) == T",
            tangents.at(i="K * m"),
            cauchy.at(u="sqrt(K * m * T)", C="K * m", r="roots(K * m)", t="T"),
        ],
        then="roots(K * m) <= sqrt(K * m * T)",
    )
    return [square, tangents, cauchy, together]


def doubling() -> list[Step]:
    """v sqrt(2 l / n) <= (2 + sqrt(2)) sqrt(l) (sqrt(n + v) - sqrt(n)) for v <= n: the last step."""
    doubled = for_all(
        "a b r g real",
        given=["a > 0", "b >= a", "b * b <= 2 * a * a", "r >= 0", "r * r == 2", "g >= 0"],
        then="(b * b - a * a) * r * g <= (2 + r) * g * (b - a) * a",
        words="v = b^2 - a^2, where b <= sqrt(2) a",
    )
    divided = for_all(
        "n l real",
        given=["n >= 1", "l >= 0"],
        then="sqrt(2 * l / n) * sqrt(n) == sqrt(2) * sqrt(l)",
        words="the radius times the root of the count",
    )
    visits = for_all(
        "n v l real",
        given=[
            *("n >= 1", "0 <= v", "v <= n", "l >= 0"),
            doubled.at(a="sqrt(n)", b="sqrt(n + v)", r="sqrt(2)", g="sqrt(l)"),
            divided.at(),
        ],
        then="v * sqrt(2 * l / n) <= (2 + sqrt(2)) * sqrt(l) * (sqrt(n + v) - sqrt(n))",
        words="an epoch that at most doubles a cell",
    )
    return [doubled, divided, visits]


def product_of_roots() -> Step:
    """sqrt(l) sqrt(n) = sqrt(n l)."""
    return for_all(
        "n l real",
        given=["n >= 0", "l >= 0"],
        then="sqrt(l) * sqrt(n) == sqrt(n * l)",
        words="a product of roots",
    )


@claim(
    "optimism/radii",
    statement="On the event, what the visits of all cells cost beyond the lower bounds is {stated}.",
    where=WHERE,
    formulas={
        "factor": f"(2 + sqrt(2)) * sqrt({LOG})",
        "width": f"1 if N(c, k) == 0 else sqrt(2 * {LOG} / N(c, k)) + {ROUNDING}",
        "bound": f"(2 + sqrt(2)) * sqrt(K * m * T * {LOG})",
        "stated": "costs(K * m) <= bound",
    },
    domain={**SIZES, "counts": "all_met(K * m) == T", "epochs": "k >= 0", "grid": OPTIMISM_GRID},
    integers="K m T k G",
    symbols={
        "costs": COSTS + " that meets a cell v times, N times before it",
        "all_met": "all_met(i), the steps of these epochs at which the first i cells were met",
        "k": "the number of epochs",
        "N": "N(c, k), the steps of k epochs at which cell c was met",
        "c": "a cell",
        "G": "estimates are multiples of 1 / G, rounded down",
    },
)
def radii(request: Request) -> Outcome:
    """Each epoch of each cell by roots, telescoped; then the sum of roots over the cells."""
    f = request.formulas
    sizes = [f.actions, f.memory, f.horizon, f.probability]
    half = in_balls("69 / 100", "log(2)")
    large = for_all(
        VARIABLES,
        given=[*sizes, grows("log", "2", INSIDE), *conclusions(half)],
        then=f"{LOG} >= 69 / 100",
        words="the logarithm is at least log(2)",
    )
    root = for_all(
        "l real", given=["l >= 69 / 100"], then="sqrt(l) >= 4 / 5 and sqrt(2) >= 7 / 5 and sqrt(2) > 0"
    )
    two = for_all(
        VARIABLES,
        given=[*conclusions(large), root.at(l=LOG)],
        then=f"{f.factor} >= 2",
        words="a first visit is charged at least 2",
    )
    *shapes, visits = doubling()
    cell = induction(
        VARIABLES,
        on="k",
        start=0,
        given=[
            *(f.grid, f.horizon, *conclusions(large, two)),
            *counts_of(f.width),
            visits.at(n="N(c, k)", v="N(c, k + 1) - N(c, k)", l=LOG),
        ],
        then=f"cost(c, k) <= {f.factor} * sqrt(N(c, k)) - (1 if N(c, k) >= 1 else 0) + {ROUNDING} * N(c, k)",
        words="a cell in k epochs: the first visit costs 1 and is charged 2, the others telescope",
    )
    added = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[*(f.grid, f.horizon, *conclusions(large, two)), f.epochs, *SUMS, cell.at(c="i + 1")],
        then=f"costs(i) <= {f.factor} * roots(i) - seen(i) + {ROUNDING} * all_met(i)",
        words="all cells",
    )
    some = induction(
        VARIABLES,
        on="i",
        start=0,
        given=SUMS,
        then="seen(i) >= 0 and all_met(i) >= 0 and implies(all_met(i) >= 1, seen(i) >= 1)",
        words="some cell was met",
    )
    small = for_all(
        VARIABLES, given=[f.horizon, f.grid], then=f"{ROUNDING} * T <= 1", words="T visits, rounded"
    )
    *roots, together = sum_of_roots([f.actions, f.memory, f.horizon])
    product = product_of_roots()
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            *conclusions(large, two, small, together),
            *(added.at(i="K * m"), some.at(i="K * m"), product.at(n="K * m * T", l=LOG)),
        ],
        then=f.stated,
        words="all together",
    )
    steps = [half, large, root, two, *shapes, visits, cell, added, some, small]
    return request.conclude(
        request.show("stated", [*steps, *roots, together, product, last]),
        method="roots that telescope over the epochs, and the sum of roots over the cells, z3",
    )
