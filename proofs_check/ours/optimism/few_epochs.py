"""Optimism without log T in the overhead: epochs that end at the levels of a cell.

The levels are l(1) = 1, l(j + 1) = l(j) + max(l(j), floor(m sqrt(l(j) / log))), with log = log(2KmT/delta).
As long as l(j) is below A = m^2 / log, A / l(j + 1) is at most the root of A / l(j): so log(A / l(j)) halves,
and at most 2 + log2(log2(max(2, A))) levels are below A (`optimism/levels`). The visits between such a level
and the next cost at most sqrt(2) m, and the epoch that ends there m - 1. From A on, levels double, and m is
at most sqrt(log l(j)): both together cost (3 + 2 sqrt(2)) sqrt(log) times the growth of the root of the count
(`optimism/few-epochs-radii`). That is the bound (`optimism/few-epochs`).
"""

from __future__ import annotations

from dataclasses import replace

from proofs_check.bounds import OPTIMISM_FEW_EPOCHS, OPTIMISM_GRID
from proofs_check.claim import Formulas, Outcome, Request, claim
from proofs_check.ours.optimism.bound import (
    ASSUMING,
    DOMAIN,
    EXACT_PLANS,
    EXCESS,
    GRID,
    HOEFFDING,
    SEEN,
    one_visit,
)
from proofs_check.ours.optimism.epochs import WHERE
from proofs_check.ours.optimism.radii import (
    COSTS,
    INSIDE,
    LOG,
    ROUNDING,
    SIZES,
    SUMS,
    doubling,
    product_of_roots,
    sum_of_roots,
)
from proofs_check.steps import Fact, Step, conclusions
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import (
    grows,
    log2_as_log,
    log2_of_power,
    log_of_product,
    log_of_root,
    power_of_sum,
)
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula

LEVELS = "K m T G j k c i n v integer; level(integer) integer; delta A S x l real"
CELLS = (
    f"{LEVELS}; N(integer, integer) J(integer, integer) ended(integer, integer) integer; "
    "all_met(integer) all_ended(integer) seen(integer) integer; "
    "charge(integer) wid(integer) W(integer, integer) cost(integer, integer) costs(integer) "
    "roots(integer) real"
)
FEW = f"log2(log2(max(2, m**2 / {LOG})))"
LEVEL = "level(j), the counts of a cell at which an epoch ends"


def level(j: str) -> Fact:
    """The level after the j-th."""
    step = f"max(level({j}), floor(m * sqrt(level({j}) / {LOG})))"
    return definition(
        "the levels", f"level(1) == 1 and implies({j} >= 1, level({j} + 1) == level({j}) + {step})", "level"
    )


def logarithm(sizes: list[Formula]) -> list[Step]:
    """The logarithm is at least log(2)."""
    half = in_balls("69 / 100", "log(2)")
    large = for_all(
        LEVELS, given=[*sizes, grows("log", "2", INSIDE), *conclusions(half)], then=f"{LOG} >= 69 / 100"
    )
    return [half, large]


@claim(
    "optimism/levels",
    statement="A level of a cell that is below m^2 / log(2KmT/delta) is one of the first: {stated}.",
    where=WHERE,
    formulas={"few": FEW, "stated": "j <= 2 + few"},
    domain={**SIZES, "number": "j >= 1", "small": f"level(j) < m**2 / {LOG}"},
    integers="K m T j",
    symbols={"level": LEVEL, "j": "the number of a level"},
)
def levels(request: Request) -> Outcome:
    """The logarithm of m^2 / log, divided by the level, halves from one level to the next."""
    f = request.formulas
    sizes = [f.actions, f.memory, f.horizon, f.probability]
    *balls, large = logarithm(sizes)
    ratio = definition("A", f"A * {LOG} == m**2", "A")
    root = for_all(
        "m n integer; x l A real",
        given=["m >= 1", "n >= 1", "l >= 69 / 100", "A * l == m**2", "x == m * sqrt(n / l)"],
        then="A > 0 and x >= 0 and x * x == A * n",
    )
    grown = for_all(
        "n k integer; x A real",
        given=["n >= 1", "x >= 0", "x * x == A * n", "k == n + max(n, floor(x))"],
        then="k >= 2 * n and k * k >= A * n",
        words="a level at least doubles, and its square is at least A times the level before",
    )
    following = for_all(
        LEVELS,
        given=[
            *sizes,
            *conclusions(large),
            "j >= 1",
            "level(j) >= 1",
            ratio,
            level("j"),
            root.at(n="level(j)", l=LOG, x=f"m * sqrt(level(j) / {LOG})"),
            grown.at(n="level(j)", k="level(j + 1)", x=f"m * sqrt(level(j) / {LOG})"),
        ],
        then="A > 0 and level(j + 1) >= 2 * level(j) and level(j + 1) * level(j + 1) >= A * level(j)",
    )
    positive = induction(
        LEVELS,
        on="j",
        start=1,
        given=[*sizes, *conclusions(large), ratio, level("j"), following.at()],
        then="level(j) >= 1",
    )
    quotient = for_all(
        "a n k real",
        given=["a > 0", "n >= 1", "k >= 1", "k * k >= a * n"],
        then="a / k > 0 and a / n > 0 and a / k <= sqrt(a / n) and sqrt(a / n) > 0",
    )
    halves = induction(
        LEVELS,
        on="j",
        start=1,
        given=[
            *sizes,
            *conclusions(large),
            ratio,
            level("j"),
            positive.at(),
            positive.at(j="j + 1"),
            following.at(),
            quotient.at(a="A", n="level(j)", k="level(j + 1)"),
            grows("log", "A / level(j + 1)", "sqrt(A / level(j))"),
            log_of_root("A / level(j)"),
            grows("log", "A / level(1)", "A"),
            power_of_sum("2", "j - 1", "1"),
            definition("a power", "2**(j - 1) > 0 and 2**(1 - 1) == 1 and 2**(j + 1 - 1) == 2**(j - 1 + 1)"),
        ],
        then="2**(j - 1) * log(A / level(j)) <= log(A)",
        words="the logarithm of A / level(j) halves",
    )
    four = for_all(
        LEVELS,
        given=[
            *sizes,
            *conclusions(large),
            ratio,
            "j >= 3",
            "level(j) < A",
            positive.at(j="j - 2"),
            positive.at(j="j - 1"),
            positive.at(),
            following.at(j="j - 2"),
            following.at(j="j - 1"),
            halves.at(j="j - 2"),
            grows("log", "4", "A / level(j - 2)"),
            log_of_product("2", "2"),
            grows("log", "2 * 2", "4"),
            grows("log", "4", "2 * 2"),
            power_of_sum("2", "j - 3", "1"),
            definition(
                "a power", "2**(j - 2 - 1) == 2**(j - 3) and 2**(j - 3 + 1) == 2**(j - 2) and 2**(j - 3) > 0"
            ),
        ],
        then="2**(j - 2) * log(2) <= log(A) and A >= 4",
        words="two levels before one below A, the quotient is above 4",
    )
    last = for_all(
        LEVELS,
        given=[
            *request.domain,
            *conclusions(*balls, large),
            ratio,
            four.at(),
            log2_as_log("A"),
            log2_of_power("2", "1"),
            log2_of_power("1", "0"),
            definition("powers", "2**1 == 2 and 2**0 == 1 and 2**(j - 2) > 0"),
            grows("log2", "2", f"max(2, m**2 / {LOG})"),
            grows("log2", "A", f"max(2, m**2 / {LOG})"),
            grows("log2", "1", f"log2(max(2, m**2 / {LOG}))"),
            *(
                grows("log2", "2**(j - 2)", "log2(A)"),
                grows("log2", "log2(A)", f"log2(max(2, m**2 / {LOG}))"),
            ),
            log2_of_power("2**(j - 2)", "j - 2"),
        ],
        then=f.stated,
    )
    steps = [*balls, large, root, grown, following, positive, quotient, halves, four, last]
    return request.conclude(request.show("stated", steps), method="induction on the levels, z3")


F = "(3 + 2 * sqrt(2))"
REST = f"{F} * (sqrt(K * m * T * {LOG}) + K * m**2) + (1 + sqrt(2)) * K * m**2 * {FEW} + 1"
WIDTH = definition("the width at a level", f"wid(j) == sqrt(2 * {LOG} / level(j))", "wid")
CHARGE = definition(
    "what a cell is charged",
    "charge(1) == m and implies(j >= 1, "
    "charge(j + 1) == charge(j) + (level(j + 1) - level(j)) * wid(j) + (m - 1))",
    "charge",
)
SMALL = definition("S", f"S == 2 + {FEW}", "S")


def between_levels() -> tuple[list[Step], Step, Step, Step]:
    """What visits after a level n cost, and an epoch that ends at the next one, below and from m^2 / log on.

    x = m sqrt(n / l), l the logarithm. The steps on the way, and three: the visits after a small level, all
    visits after a large one with the end of the epoch, and some visits after a large one.
    """
    known = ["m >= 1", "n >= 1", "l >= 69 / 100", "x == m * sqrt(n / l)"]
    narrow = for_all(
        "m n v integer; x l real",
        given=[*known, "n * l < m**2", "0 <= v", "v <= max(n, floor(x))"],
        then="v <= x and x >= 0",
        words="below m^2 / log the step is at most m sqrt(n / log)",
    )
    across = for_all(
        "m n integer; x l real",
        given=known,
        then="x * sqrt(2 * l / n) == sqrt(2) * m",
        words="which times the width is sqrt(2) m",
    )
    small = for_all(
        "m n v integer; x l real",
        given=[*known, "n * l < m**2", "0 <= v", "v <= max(n, floor(x))", narrow.at(), across.at()],
        then="v * sqrt(2 * l / n) <= sqrt(2) * m",
        words="the visits between two small levels",
    )
    wide = for_all(
        "m n integer; x l real",
        given=[*known, "n * l >= m**2"],
        then="floor(x) <= n and m <= sqrt(l) * sqrt(n)",
        words="from m^2 / log on levels double",
    )
    *shapes, visits = doubling()
    ended = for_all(
        "m n integer; l real",
        given=["m >= 1", "n >= 1", "l >= 69 / 100", "m <= sqrt(l) * sqrt(n)"],
        then="m - 1 <= (1 + sqrt(2)) * sqrt(l) * (sqrt(n + n) - sqrt(n))",
        words="and an epoch costs less than the root grows",
    )
    both = for_all(
        "a b d k m n r s w real",
        given=["k == n + n", "n * w <= (2 + r) * s * d", "m - 1 <= (1 + r) * s * d"],
        then="(k - n) * w + (m - 1) <= (3 + 2 * r) * s * d",
        words="both together",
    )
    doubled = for_all(
        "m n k integer; x l real",
        given=[*known, "n * l >= m**2", "k == n + max(n, floor(x))", wide.at()],
        then="k == n + n and m <= sqrt(l) * sqrt(n)",
    )
    double = for_all(
        "m n k integer; x l real",
        given=[
            *known,
            "n * l >= m**2",
            "k == n + max(n, floor(x))",
            doubled.at(),
            ended.at(),
            visits.at(v="n"),
            both.at(d="sqrt(n + n) - sqrt(n)", r="sqrt(2)", s="sqrt(l)", w="sqrt(2 * l / n)"),
        ],
        then=f"k == n + n and (k - n) * sqrt(2 * l / n) + (m - 1) <= {F} * sqrt(l) * (sqrt(n + n) - sqrt(n))",
        words="the visits between two large levels, and the epoch that ends there",
    )
    return [narrow, across, wide, *shapes, visits, ended, both, doubled], small, double, visits


@claim(
    "optimism/few-epochs-radii",
    statement="On the event, what the visits of all cells cost beyond the lower bounds, and the epochs that "
    "cells ended, m - 1 each, is {stated}.",
    where=WHERE,
    formulas={
        "width": f"1 if N(c, k) == 0 else sqrt(2 * {LOG} / N(c, k)) + {ROUNDING}",
        "bound": REST,
        "stated": "costs(K * m) + (m - 1) * all_ended(K * m) <= bound",
    },
    domain={**SIZES, "counts": "all_met(K * m) == T", "epochs": "k >= 0", "grid": OPTIMISM_GRID},
    integers="K m T k G",
    symbols={
        "costs": COSTS + " that meets a cell v times, N times before it",
        "all_met": "all_met(i), the steps of these epochs at which the first i cells were met",
        "all_ended": "all_ended(i), the epochs that the first i cells have ended",
        "k": "the number of epochs",
        "N": "N(c, k), the steps of k epochs at which cell c was met",
        "c": "a cell",
        "G": "estimates are multiples of 1 / G, rounded down",
    },
    uses=("optimism/levels",),
)
def few_epochs_radii(request: Request) -> Outcome:
    """Cell by cell, from level to level; few levels are small, and the others telescope."""
    f = request.formulas
    sizes = [f.actions, f.memory, f.horizon, f.probability]
    *balls, large = logarithm(sizes)
    known = [*sizes, *conclusions(large)]
    shapes, small, double, visits = between_levels()
    positive = induction(LEVELS, on="j", start=1, given=[level("j")], then="level(j) >= 1")
    at = {"n": "level(j)", "x": f"m * sqrt(level(j) / {LOG})", "l": LOG}
    fewer = for_all(
        CELLS,
        given=[*known, "j >= 1", positive.at(), SMALL, request.quote("optimism/levels")],
        then=f"implies(level(j) * {LOG} < m**2, j <= S)",
        words="few levels are small",
    )
    least = for_all(
        CELLS,
        given=[
            *known,
            SMALL,
            log2_of_power("2", "1"),
            log2_of_power("1", "0"),
            definition("powers", "2**1 == 2 and 2**0 == 1"),
            grows("log2", "2", f"max(2, m**2 / {LOG})"),
            grows("log2", "1", f"log2(max(2, m**2 / {LOG}))"),
        ],
        then="S >= 2",
    )
    rise = for_all(
        CELLS,
        given=[
            *known,
            "j >= 1",
            positive.at(),
            level("j"),
            WIDTH,
            CHARGE,
            small.at(v="level(j + 1) - level(j)", **at),
            double.at(k="level(j + 1)", **at),
            same_root("level(j) + level(j)", "level(j + 1)"),
        ],
        then=f"level(j + 1) >= level(j) and (charge(j + 1) <= charge(j) + (1 + sqrt(2)) * m"
        f" if level(j) * {LOG} < m**2 else charge(j + 1) <= charge(j)"
        f" + {F} * sqrt({LOG}) * (sqrt(level(j + 1)) - sqrt(level(j))))",
        words="from one level to the next",
    )
    counted = for_all(
        "j integer; S m q real",
        given=["j >= 1", "S >= 2", "m >= 1"],
        then="m * min(j, S) >= m * min(j - 1, S) and implies(j <= S, m * min(j, S) == m * min(j - 1, S) + m)"
        " and m * min(j - 1, S) <= m * S and implies(j <= S, m * min(j - 1, S) + m <= m * S)"
        " and m * min(0, S) == 0",
    )
    rooted = for_all("n k real", given=["n >= 0", "k >= n"], then="sqrt(k) >= sqrt(n) and sqrt(n) >= 0")
    closed = induction(
        CELLS,
        on="j",
        start=1,
        given=[
            *known,
            CHARGE,
            level("j"),
            positive.at(),
            least.at(),
            fewer.at(),
            rise.at(),
            counted.at(),
            rooted.at(n="0", k=LOG),
            rooted.at(n="level(j)", k="level(j + 1)"),
            rooted.at(n="0", k="level(1)"),
        ],
        then=f"charge(j) <= m + (1 + sqrt(2)) * (m * min(j - 1, S)) + {F} * (sqrt({LOG}) * sqrt(level(j)))",
        words="what a cell is charged up to a level",
    )
    cell = _cell(f, known, positive)
    whole = _whole_cell(f, known, cell, closed, small, visits, positive, fewer, least, counted, rooted)
    return _sum_up(
        request,
        known,
        [
            *balls,
            large,
            *shapes,
            small,
            double,
            positive,
            fewer,
            least,
            rise,
            counted,
            rooted,
            closed,
            cell,
            whole,
        ],
        whole,
    )


def same_root(one: str, other: str) -> Fact:
    """Equal numbers have equal roots."""
    return for_all(
        "n k real", given=["n >= 0", "k == n"], then="sqrt(k) == sqrt(n)", words="equal numbers, equal roots"
    ).at(n=one, k=other)


def _cell(f: Formulas, known: list[Formula], positive: Step) -> Step:
    """A cell in k epochs, by what it is charged up to its last level."""
    J = "J(c, k)"
    smaller = for_all(
        "n k l real", given=["n >= 1", "k >= n", "l >= 0"], then="sqrt(2 * l / k) <= sqrt(2 * l / n)"
    )
    more = for_all("v w u real", given=["v >= 0", "w <= u"], then="v * w <= v * u")
    wider = for_all(
        CELLS,
        given=[
            *known,
            definition("the width", f"W(c, k) == ({f.width})", "W"),
            *_places("k"),
            _at(WIDTH, j=J),
            positive.at(j=J),
            smaller.at(n=f"level({J})", k="N(c, k)", l=LOG),
        ],
        then=f"W(c, k) <= (1 if N(c, k) == 0 else wid({J}) + {ROUNDING})",
        words="the width of a cell is at most that at its last level",
    )
    return induction(
        CELLS,
        on="k",
        start=0,
        given=[
            *known,
            wider.at(),
            *_places("k"),
            *_places("k + 1"),
            *_epochs_of_a_cell(),
            _at(CHARGE, j=J),
            _at(level("j"), j=J),
            positive.at(j=J),
            positive.at(j=f"{J} + 1"),
            more.at(v="N(c, k + 1) - N(c, k)", w="W(c, k)", u=f"wid({J}) + {ROUNDING}"),
            definition("a grid", "G >= 1"),
        ],
        then="cost(c, k) + (m - 1) * ended(c, k) <= (0 if N(c, k) == 0 else "
        f"charge({J}) + (N(c, k) - level({J})) * wid({J}) + {ROUNDING} * N(c, k))",
        words="a cell in k epochs, by what it is charged up to its last level",
    )


def _at(fact: Fact, **instance: str) -> Fact:
    """A definition at other arguments."""
    return replace(fact, formula=fact.formula.where(**instance))


def _places(k: str) -> list[Fact]:
    """The last level that the count of a cell has reached after k epochs is the J-th."""
    N, J = f"N(c, {k})", f"J(c, {k})"
    between = f"{J} >= 1 and level({J}) <= {N} and {N} < level({J} + 1)"
    return [
        definition("the last level", f"{N} >= 0 and ({J} == 0 if {N} == 0 else {between})", "J"),
        definition("the counts", "N(c, 0) == 0", "N"),
    ]


def _epochs_of_a_cell() -> list[Fact]:
    reached = "N(c, k + 1) == level(J(c, k) + 1)"
    return [
        definition(
            "an epoch", "implies(k >= 0, N(c, k) <= N(c, k + 1) and N(c, k + 1) <= level(J(c, k) + 1))"
        ),
        definition(
            "the last level",
            f"implies(k >= 0, J(c, k + 1) == J(c, k) + (1 if {reached} else 0))",
            "J",
        ),
        definition(
            "the epochs that a cell ended",
            f"ended(c, 0) == 0 and implies(k >= 0, ended(c, k + 1) <= ended(c, k) + (1 if {reached} else 0))",
            "ended",
        ),
        definition(
            "what the visits of a cell cost",
            "cost(c, 0) == 0 and implies(k >= 0, "
            "cost(c, k + 1) == cost(c, k) + (N(c, k + 1) - N(c, k)) * W(c, k))",
            "cost",
        ),
    ]


def _whole_cell(
    f: Formulas,
    known: list[Formula],
    cell: Step,
    closed: Step,
    small: Step,
    visits: Step,
    positive: Step,
    fewer: Step,
    least: Step,
    counted: Step,
    rooted: Step,
) -> Step:
    """A cell in k epochs, in closed form."""
    J = "J(c, k)"
    at = {"n": f"level({J})", "l": LOG}
    x, v = f"m * sqrt(level({J}) / {LOG})", f"N(c, k) - level({J})"
    halved = for_all(
        "m n integer; x l real",
        given=["m >= 1", "n >= 1", "l >= 69 / 100", "x == m * sqrt(n / l)", "n * l >= m**2"],
        then="floor(x) <= n",
    )
    root = f"sqrt({LOG})"
    after = for_all(
        CELLS,
        given=[
            *known,
            "k >= 0",
            "N(c, k) >= 1",
            *_places("k"),
            _at(level("j"), j=J),
            _at(WIDTH, j=J),
            positive.at(j=J),
            small.at(v=v, x=x, **at),
            visits.at(v=v, **at),
            halved.at(x=x, **at),
            same_root(f"level({J}) + ({v})", "N(c, k)"),
        ],
        then=f"(({v}) * wid({J}) <= sqrt(2) * m if level({J}) * {LOG} < m**2 else "
        f"({v}) * wid({J}) <= (2 + sqrt(2)) * {root} * (sqrt(N(c, k)) - sqrt(level({J}))))",
        words="the visits after the last level",
    )
    at_small = for_all(
        "p q y g m M S s a b r real",
        given=[
            "p <= q + y + g",
            "q <= m + (1 + r) * M + (3 + 2 * r) * (s * a)",
            "y <= r * m",
            "M + m <= S",
            "r >= 0",
            "m >= 1",
            "s >= 0",
            "a <= b",
        ],
        then="p <= m + (1 + r) * S + (3 + 2 * r) * (s * b) + g",
    )
    at_large = for_all(
        "p q y g m M S s a b r real",
        given=[
            "p <= q + y + g",
            "q <= m + (1 + r) * M + (3 + 2 * r) * (s * a)",
            "y <= (2 + r) * s * (b - a)",
            "M <= S",
            "r >= 0",
            "s >= 0",
            "a <= b",
        ],
        then="p <= m + (1 + r) * S + (3 + 2 * r) * (s * b) + g",
    )
    here = {
        "p": "cost(c, k) + (m - 1) * ended(c, k)",
        "q": f"charge({J})",
        "y": f"({v}) * wid({J})",
        "g": f"{ROUNDING} * N(c, k)",
        "M": f"m * min({J} - 1, S)",
        "S": "m * S",
        "s": root,
        "a": f"sqrt(level({J}))",
        "b": "sqrt(N(c, k))",
        "r": "sqrt(2)",
    }
    positive_terms = for_all(
        CELLS,
        given=[*known, "k >= 0", "N(c, k) == 0", least.at(), cell.at()],
        then=f"cost(c, k) + (m - 1) * ended(c, k) <= m + (1 + sqrt(2)) * (m * S)"
        f" + {F} * ({root} * sqrt(N(c, k))) + {ROUNDING} * N(c, k)",
        words="a cell that was never met",
    )
    return for_all(
        CELLS,
        given=[
            *known,
            "k >= 0",
            *_places("k"),
            cell.at(),
            closed.at(j=J),
            after.at(),
            positive_terms.at(),
            positive.at(j=J),
            fewer.at(j=J),
            least.at(),
            counted.at(j=J),
            rooted.at(n=f"level({J})", k="N(c, k)"),
            rooted.at(n="0", k=LOG),
            at_small.at(**here),
            at_large.at(**here),
        ],
        then=f"cost(c, k) + (m - 1) * ended(c, k) <= m + (1 + sqrt(2)) * (m * S)"
        f" + {F} * ({root} * sqrt(N(c, k))) + {ROUNDING} * N(c, k)",
        words="a cell in k epochs, in closed form",
    )


def _sum_up(request: Request, known: list[Formula], steps: list[Step], whole: Step) -> Outcome:
    f = request.formulas
    sums = [
        *SUMS,
        definition(
            "the sums",
            "all_ended(0) == 0 and implies(i >= 0, all_ended(i + 1) == all_ended(i) + ended(i + 1, k))",
        ),
    ]
    added = induction(
        CELLS,
        on="i",
        start=0,
        given=[*known, f.epochs, *sums, whole.at(c="i + 1")],
        then=f"costs(i) + (m - 1) * all_ended(i) <= i * (m + (1 + sqrt(2)) * (m * S))"
        f" + {F} * (sqrt({LOG}) * roots(i)) + {ROUNDING} * all_met(i)",
        words="all cells",
    )
    rounded = for_all(
        CELLS, given=[f.horizon, f.grid], then=f"{ROUNDING} * T <= 1", words="T visits, rounded"
    )
    *roots, together = sum_of_roots([f.actions, f.memory, f.horizon])
    product = product_of_roots()
    shorter = for_all(
        "s r u q real", given=["s >= 0", "r <= u", "s * u == q"], then="s * r <= q", words="times the root"
    )
    last = for_all(
        CELLS,
        given=[
            *request.domain,
            *conclusions(*[one for one in steps if one.then in known], rounded, together),
            added.at(i="K * m"),
            product.at(n="K * m * T", l=LOG),
            SMALL,
            shorter.at(s=f"sqrt({LOG})", r="roots(K * m)", u="sqrt(K * m * T)", q=f"sqrt(K * m * T * {LOG})"),
        ],
        then=f.stated,
        words="all together",
    )
    return request.conclude(
        request.show("stated", [*steps, added, rounded, *roots, together, product, shorter, last]),
        method="from level to level, cell by cell, z3",
    )


@claim(
    "optimism/few-epochs",
    statement="For every tallying bandit and every T >= 1, with probability at least 1 - delta the learner "
    "optimistic-planner-few-epochs has {stated}.",
    where=WHERE,
    formulas={"bound": OPTIMISM_FEW_EPOCHS, "stated": "loss - OPT <= bound"},
    domain=DOMAIN,
    integers="K m T G",
    symbols=GRID,
    assuming=ASSUMING,
    uses=(
        "optimism/event",
        "optimism/few-epochs-radii",
        "optimism/grouping",
        "optimism/overhead",
        "optimism/rounding",
    ),
)
def few_epochs(request: Request) -> Outcome:
    """The overhead and the excess, both cell by cell."""
    f = request.formulas
    each = one_visit(request, *HOEFFDING)
    likely = request.result("optimism/event").outcome.verdict
    last = for_all(
        SEEN,
        given=[
            *request.domain,
            *EXCESS,
            EXACT_PLANS,
            definition("the epochs", "epochs <= all_ended(K * m) + 1", "epochs"),
            request.quote("optimism/grouping"),
            request.quote("optimism/few-epochs-radii"),
            request.quote("optimism/overhead"),
        ],
        then=f.stated,
        words="every epoch but the last was ended by a cell; overhead and excess",
    )
    return request.conclude(
        request.show("stated", [*each, last]),
        method="the overhead, the radii and the rounding, cell by cell",
        remarks=(f"The event has probability at least 1 - delta: {likely} (claim optimism/event).",),
    )
