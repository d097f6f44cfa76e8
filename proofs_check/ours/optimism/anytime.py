"""Optimism without a horizon: radii that hold for all n at once, and the bound for all T at once.

For one cell let S(n) be the sum of (observation - loss) over its first n observations. By Hoeffding's lemma
exp(x S(n) - x^2 n / 8) is a supermartingale for every x, and so is its mixture over a normal x with variance
4, which is exp(2 S(n)^2 / (n + 1)) / sqrt(n + 1). By Ville's inequality this ever reaches Km/delta with
probability at most delta/(Km), and it has done so if |S(n)| > n r(n) with
r(n) = sqrt((1 + 1/n) log(Km sqrt(n + 1)/delta) / (2n)) (`optimism/anytime-event`). No T occurs.

With l = log(Km sqrt(T + 1)/delta) and v <= N visits in an epoch,

    2 v r(N) <= sqrt(l) (g(N + v) - g(N)),   g(N) = (2 + sqrt(2)) sqrt(N) - (1 + sqrt(2)) / sqrt(N):

the factor sqrt(1 + 1/N) costs no more than what the first visit is charged anyhow. The rounding, 3 / G with
G >= 512 N^2, telescopes too (`optimism/anytime-radii`). The epochs are those of `optimism/epochs`.
"""

from __future__ import annotations

from dataclasses import replace

from proofs_check.bounds import OPTIMISM_ANYTIME, OPTIMISM_ANYTIME_LOG
from proofs_check.claim import Outcome, Request, claim
from proofs_check.ours.optimism.bound import ON_THE_EVENT, all_together
from proofs_check.ours.optimism.epochs import WHERE
from proofs_check.ours.optimism.radii import (
    COSTS,
    MEAN_GIVEN_THE_PAST,
    SIZES,
    SUMS,
    VARIABLES,
    counts_of,
    product_of_roots,
    sum_of_roots,
)
from proofs_check.steps import Fact, Step, argued, conclusions
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.for_all import equal_zero, for_all, induction
from proofs_check.ways.laws import grows, log_of_one, log_of_product, log_of_root
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula

LOG = str(OPTIMISM_ANYTIME_LOG)
CHARGED = f"{VARIABLES}; v integer; charge(integer) real"
AT_N = "log(K * m * sqrt({0} + 1) / delta)"
ROUNDING = "3 / (512 * {0}**2)"
SAME = ("K * m * sqrt(n + 1) / delta", "K * m / delta * sqrt(n + 1)")
PARAMETERS = {one: SIZES[one] for one in ("actions", "memory", "probability")}


def mixture() -> Step:
    """The mixture of exp(x S - x^2 n / 8) over a normal x of variance 4; sympy evaluates the integral.

    The square in the exponent is completed by x = a y + b, after which e^(-y^2) is left to integrate.
    """
    import sympy

    x, y, S = sympy.symbols("x y S", real=True)
    n = sympy.Symbol("n", positive=True)
    place = sympy.sqrt(8 / (n + 1)) * y + 4 * S / (n + 1)
    exponent = sympy.expand((x * S - x**2 * n / 8 - x**2 / 8).subs(x, place))
    bell = sympy.integrate(sympy.exp(-(y**2)), (y, -sympy.oo, sympy.oo))
    scale = sympy.diff(place, y) / sympy.sqrt(8 * sympy.pi)
    found = sympy.exp(sympy.simplify(exponent + y**2)) * scale * bell
    step = equal_zero(sympy.simplify(found * sympy.sqrt(n + 1) * sympy.exp(-2 * S**2 / (n + 1))) - 1)
    return replace(
        step,
        words="the mixture of the exponential supermartingales over x, normal with variance 4",
        then=Formula("mixed(S, n) == exp(2 * S**2 / (n + 1)) / sqrt(n + 1)"),
    )


@claim(
    "optimism/anytime-event",
    statement="The probability that for some cell and some n >= 1 the mean of its first n observations is "
    "off by more than r(n) = {radius} satisfies {stated}.",
    where=WHERE,
    formulas={
        "radius": "sqrt((1 + 1 / n) * log(K * m * sqrt(n + 1) / delta) / (2 * n))",
        "stated": "missing <= delta",
    },
    domain={**PARAMETERS, "number": "n >= 1"},
    integers="K m n",
    symbols={"missing": "that probability", "n": "a number of observations"},
    assuming=(MEAN_GIVEN_THE_PAST,),
)
def anytime_event(request: Request) -> Outcome:
    """A mixture of exponential supermartingales at each cell, Ville's inequality, and a union bound."""
    f = request.formulas
    variables = "K m n integer; delta S real"
    mixed = mixture()
    inside = for_all(
        variables,
        given=[f.actions, f.memory, f.probability, f.number],
        then=f"K * m / delta >= 1 and sqrt(n + 1) > 0 and {SAME[0]} == {SAME[1]}",
    )
    logs = for_all(
        variables,
        given=[
            f.number,
            *conclusions(inside),
            log_of_product("K * m / delta", "sqrt(n + 1)"),
            log_of_root("n + 1"),
            *(grows("log", *ends) for ends in (SAME, SAME[::-1])),
            grows("log", "1", "K * m / delta"),
            grows("log", "1", "n + 1"),
            log_of_one(),
        ],
        then="log(K * m * sqrt(n + 1) / delta) == log(K * m / delta) + log(n + 1) / 2"
        " and log(K * m / delta) >= 0 and log(n + 1) >= 0",
        words="the logarithm of the product",
    )
    radius = for_all(
        "n l real",
        given=["n >= 1", "l >= 0"],
        then="2 * (n * sqrt((1 + 1 / n) * l / (2 * n)))**2 / (n + 1) == l",
        words="the exponent at the radius",
    )
    crossed = for_all(
        variables,
        given=[
            f.number,
            *conclusions(logs),
            f"abs(S) > n * {f.radius}",
            radius.at(l="log(K * m * sqrt(n + 1) / delta)"),
        ],
        then="2 * S**2 / (n + 1) - log(n + 1) / 2 > log(K * m / delta)",
        words="off by more than r(n): the logarithm of the mixture is above log(K m / delta)",
    )
    ville = argued(
        "Hoeffding's lemma: exp(x S(n) - x^2 n / 8) is a supermartingale for every x, and so is the mixture; "
        "Ville's inequality: it ever exceeds K m / delta with probability at most delta / (K m)",
        then="failing <= delta / (K * m)",
        given=conclusions(mixed),
    )
    union = argued(
        "the probabilities of the K m cells add up",
        given=conclusions(ville),
        then="missing <= K * m * (delta / (K * m))",
    )
    last = for_all(variables, given=[f.actions, f.memory, f.probability, *conclusions(union)], then=f.stated)
    return request.conclude(
        request.show("stated", [mixed, inside, logs, radius, crossed, ville, union, last]),
        method="the method of mixtures (Laplace), Ville's inequality and a union bound",
        remarks=("No horizon occurs: the event is one for all T.",),
    )


@claim(
    "optimism/anytime-radii",
    statement="On the event, what the visits of all cells cost beyond the lower bounds is {stated}.",
    where=WHERE,
    formulas={
        "factor": f"(2 + sqrt(2)) * sqrt({LOG})",
        "width": "1 if N(c, k) == 0 else "
        f"sqrt(2 * (1 + 1 / N(c, k)) * {AT_N.format('N(c, k)')} / N(c, k)) + {ROUNDING.format('N(c, k)')}",
        "bound": f"(2 + sqrt(2)) * sqrt(K * m * T * {LOG})",
        "stated": "costs(K * m) <= bound",
    },
    domain={**SIZES, "counts": "all_met(K * m) == T", "epochs": "k >= 0"},
    integers="K m T k",
    symbols={
        "costs": COSTS + " that meets a cell v times, N times before it",
        "all_met": "all_met(i), the steps of these epochs at which the first i cells were met",
        "k": "the number of epochs",
        "N": "N(c, k), the steps of k epochs at which cell c was met",
        "c": "a cell",
    },
)
def anytime_radii(request: Request) -> Outcome:
    """Each epoch of each cell by roots, telescoped; then the sum of roots over the cells."""
    f = request.formulas
    sizes = [f.actions, f.memory, f.horizon, f.probability]
    *shapes, visits = _visits()
    rounded = for_all(
        "n v real",
        given=["n >= 1", "0 <= v", "v <= n"],
        then=f"v * ({ROUNDING.format('n')}) <= 3 / 256 * (1 / n - 1 / (n + v))",
        words="the rounding telescopes",
    )
    *logs, less = _logarithms(sizes)
    move, first, grown = _charges(sizes, visits, rounded, less)
    cell = induction(
        CHARGED,
        on="k",
        start=0,
        given=[
            *sizes,
            *counts_of(f.width),
            first.at(),
            grown.at(n="N(c, k)", v="N(c, k + 1) - N(c, k)"),
            definition("the counts", "N(c, k + 1) <= T", "N"),
        ],
        then="cost(c, k) <= (0 if N(c, k) == 0 else charge(N(c, k)))",
        words="a cell in k epochs: the first visit costs 1, the others telescope",
    )
    *reasons, large, roots_of, small, room = _room(sizes)
    charged = for_all(
        CHARGED,
        given=[
            *sizes,
            "k >= 0",
            *counts_of(f.width)[:1],
            cell.at(),
            *conclusions(large),
            _charge("N(c, k)"),
            room.at(N="N(c, k)", l=LOG),
        ],
        then=f"cost(c, k) <= {f.factor} * sqrt(N(c, k))",
        words="which leaves room for the first visit and for the rounding",
    )
    added = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[*sizes, f.epochs, *conclusions(large), *SUMS, charged.at(c="i + 1")],
        then=f"costs(i) <= {f.factor} * roots(i)",
        words="all cells",
    )
    *roots, together = sum_of_roots([f.actions, f.memory, f.horizon])
    product = product_of_roots()
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            *conclusions(large, together),
            added.at(i="K * m"),
            product.at(n="K * m * T", l=LOG),
        ],
        then=f.stated,
        words="all together",
    )
    steps = [*shapes, visits, rounded, *logs, less, move, first, grown, cell]
    steps += [*reasons, large, roots_of, small, room, charged, added]
    return request.conclude(
        request.show("stated", [*steps, *roots, together, product, last]),
        method="roots that telescope over the epochs, and the sum of roots over the cells, z3",
    )


def _charge(n: str) -> Fact:
    """What a cell that was met n times is charged: g(n) - g(1), 1 for the first visit, and the rounding."""
    return definition(
        "what a cell is charged",
        f"charge({n}) == 1 + sqrt({LOG}) * ((2 + sqrt(2)) * sqrt({n}) - 1 - (1 + sqrt(2)) * (1 / sqrt({n})))"
        f" + 3 / 256 * (1 - 1 / ({n}))",
        "charge",
    )


def _charges(sizes: list[Formula], visits: Step, rounded: Step, less: Step) -> list[Step]:
    """The charge grows by at least what an epoch costs: the last step."""
    move = for_all(
        "a b e f g h i j r s real",
        given=[
            "e <= s * ((2 + r) * (b - a) + (1 + r) * (i - j))",
            "f <= 3 / 256 * (g - h)",
        ],
        then="1 + s * ((2 + r) * a - 1 - (1 + r) * i) + 3 / 256 * (1 - g) + (e + f)"
        " <= 1 + s * ((2 + r) * b - 1 - (1 + r) * j) + 3 / 256 * (1 - h)",
        words="the two sums telescope",
    )
    first = for_all(CHARGED, given=[_charge("1")], then="charge(1) == 1", words="the first visit")
    width = f"sqrt(2 * (1 + 1 / n) * {AT_N.format('n')} / n)"
    grown = for_all(
        CHARGED,
        given=[
            *sizes,
            "n >= 1",
            "0 <= v",
            "v <= n",
            "n + v <= T",
            _charge("n"),
            _charge("n + v"),
            less.at(),
            visits.at(l=AT_N.format("n"), L=LOG),
            rounded.at(),
            move.at(
                a="sqrt(n)",
                b="sqrt(n + v)",
                e=f"v * {width}",
                f=f"v * ({ROUNDING.format('n')})",
                g="1 / n",
                h="1 / (n + v)",
                i="1 / sqrt(n)",
                j="1 / sqrt(n + v)",
                r="sqrt(2)",
                s=f"sqrt({LOG})",
            ),
        ],
        then=f"charge(n) + v * ({width} + {ROUNDING.format('n')}) <= charge(n + v)",
        words="an epoch of a cell that was seen",
    )
    return [move, first, grown]


def _visits() -> list[Step]:
    """2 v r(n) <= sqrt(L) (g(n + v) - g(n)) for v <= n and l <= L: the last step."""
    short = for_all(
        "a b r real",
        given=["a >= 1", "b >= 0", "b * b <= 2 * a * a", "r >= 0", "r * r == 2"],
        then="b <= r * a",
    )
    two = for_all(
        "a b r real",
        given=["a >= 1", "b >= a", "b <= r * a", "r >= 0", "r * r == 2"],
        then="(b + a) * r <= (2 + r) * a and (b + a) * r * b <= 2 * (1 + r) * a * a",
        words="where b <= sqrt(2) a",
    )
    whole = for_all(
        "a b r x y real",
        given=[
            "a >= 1",
            "b >= a",
            "x == (b + a) * r",
            "y == x * b",
            "x <= (2 + r) * a",
            "y <= 2 * (1 + r) * a * a",
        ],
        then="y * (2 * a * a + 1) <= 2 * a * a * a * b * (2 + r) + 2 * a * a * (1 + r)",
        words="both together",
    )
    tangent = for_all(
        "a c real",
        given=["a >= 1", "c >= 0", "c * c == a * a + 1"],
        then="2 * a * c <= 2 * a * a + 1",
        words="sqrt(n + 1) lies below its tangent",
    )
    scaled = for_all(
        "a c q r s t real",
        given=[
            "a >= 1",
            "r >= 0",
            "s >= t",
            "t >= 0",
            "q * a * a == r * t * c",
            "c >= 0",
            "2 * a * c <= 2 * a * a + 1",
        ],
        then="q * (2 * a * a * a) <= r * s * (2 * a * a + 1)",
        words="the width, times 2 n sqrt(n)",
    )
    times = for_all(
        "a b r s q x y real",
        given=[
            "a >= 1",
            "b >= a",
            "s >= 0",
            "x == (b + a) * r",
            "y == x * b",
            "q * (2 * a * a * a) <= r * s * (2 * a * a + 1)",
            "y * (2 * a * a + 1) <= 2 * a * a * a * b * (2 + r) + 2 * a * a * (1 + r)",
        ],
        then="(b + a) * b * (q * (2 * a * a * a)) <= s * (2 * a * a * a * b * (2 + r) + 2 * a * a * (1 + r))",
        words="times b + a and b",
    )
    divided = for_all(
        "a b r s q real",
        given=[
            "a >= 1",
            "b >= a",
            "(b + a) * b * (q * (2 * a * a * a)) <= s * (2 * a * a * a * b * (2 + r) + 2 * a * a * (1 + r))",
        ],
        then="(b + a) * q <= s * ((2 + r) + (1 + r) / (a * b))",
        words="divided by 2 n sqrt(n) b",
    )
    less = for_all(
        "a b r s q real",
        given=["a >= 1", "b >= a", "(b + a) * q <= s * ((2 + r) + (1 + r) / (a * b))"],
        then="(b * b - a * a) * q <= s * ((2 + r) * (b - a) + (1 + r) * (1 / a - 1 / b))",
        words="times b - a",
    )
    width = for_all(
        "n l real",
        given=["n >= 1", "l >= 0"],
        then="sqrt(2 * (1 + 1 / n) * l / n) * n == sqrt(2) * sqrt(l) * sqrt(n + 1)",
        words="the width times the count",
    )
    a, b, c, r, s, t, q = (
        "sqrt(n)",
        "sqrt(n + v)",
        "sqrt(n + 1)",
        "sqrt(2)",
        "sqrt(L)",
        "sqrt(l)",
        "sqrt(2 * (1 + 1 / n) * l / n)",
    )
    x, y = f"({b} + {a}) * {r}", f"({b} + {a}) * {r} * {b}"
    roots = for_all(
        "n v l L real",
        given=["n >= 1", "0 <= v", "v <= n", "0 <= l", "l <= L"],
        then=f"{a} >= 1 and {b} >= {a} and {s} >= {t} and {t} >= 0",
    )
    bounded = for_all(
        "n v l L real",
        given=[
            "n >= 1",
            "0 <= v",
            "v <= n",
            "0 <= l",
            "l <= L",
            roots.at(),
            short.at(a=a, b=b, r=r),
            two.at(a=a, b=b, r=r),
            whole.at(a=a, b=b, r=r, x=x, y=y),
        ],
        then=f"{y} * (2 * {a} * {a} + 1) <= "
        f"2 * {a} * {a} * {a} * {b} * (2 + {r}) + 2 * {a} * {a} * (1 + {r})",
    )
    widths = for_all(
        "n v l L real",
        given=[
            "n >= 1",
            "0 <= v",
            "v <= n",
            "0 <= l",
            "l <= L",
            roots.at(),
            width.at(),
            tangent.at(a=a, c=c),
            scaled.at(a=a, c=c, q=q, r=r, s=s, t=t),
        ],
        then=f"{q} * (2 * {a} * {a} * {a}) <= {r} * {s} * (2 * {a} * {a} + 1)",
    )
    chain = for_all(
        "a b r s q v x y real",
        given=[
            "a >= 1",
            "b >= a",
            "s >= 0",
            "x == (b + a) * r",
            "y == x * b",
            "b * b - a * a == v",
            "q * (2 * a * a * a) <= r * s * (2 * a * a + 1)",
            "y * (2 * a * a + 1) <= 2 * a * a * a * b * (2 + r) + 2 * a * a * (1 + r)",
            times.at(),
            divided.at(),
            less.at(),
        ],
        then="v * q <= s * ((2 + r) * (b - a) + (1 + r) * (1 / a - 1 / b))",
        words="all these",
    )
    squares = for_all("n v real", given=["n >= 1", "v >= 0"], then=f"{b} * {b} - {a} * {a} == v")
    visits = for_all(
        "n v l L real",
        given=[
            "n >= 1",
            "0 <= v",
            "v <= n",
            "0 <= l",
            "l <= L",
            roots.at(),
            bounded.at(),
            widths.at(),
            squares.at(),
            chain.at(a=a, b=b, r=r, s=s, q=q, v="v", x=x, y=y),
        ],
        then=f"v * {q} <= {s} * ((2 + {r}) * ({b} - {a}) + (1 + {r}) * (1 / {a} - 1 / {b}))",
        words="an epoch that at most doubles a cell",
    )
    shapes = [short, two, whole, tangent, scaled, times, divided, less, width, roots, bounded, widths]
    return [*shapes, chain, squares, visits]


def _logarithms(sizes: list[Formula]) -> list[Step]:
    """The logarithm at n <= T is between 0 and the one at T: the last step."""
    inside = for_all(
        VARIABLES,
        given=[*sizes, "n >= 1", "n <= T"],
        then="1 <= K * m * sqrt(n + 1) / delta and "
        "K * m * sqrt(n + 1) / delta <= K * m * sqrt(T + 1) / delta",
        words="what is in the logarithm grows with n",
    )
    less = for_all(
        VARIABLES,
        given=[
            *sizes,
            "n >= 1",
            "n <= T",
            inside.at(),
            grows("log", "K * m * sqrt(n + 1) / delta", "K * m * sqrt(T + 1) / delta"),
            grows("log", "1", "K * m * sqrt(n + 1) / delta"),
            log_of_one(),
        ],
        then=f"0 <= {AT_N.format('n')} and {AT_N.format('n')} <= {LOG}",
        words="and so does the logarithm",
    )
    return [inside, less]


def _room(sizes: list[Formula]) -> list[Step]:
    """1 + 3/256 <= sqrt(l) (1 + (1 + sqrt(2)) / sqrt(N)) for N <= T: the last step; l is the logarithm."""
    two, eight = in_balls("69 / 100", "log(2)"), in_balls("2079 / 1000", "log(8)")
    inside = for_all(
        "K m T integer",
        given=sizes,
        then="sqrt(2) <= K * m * sqrt(T + 1) / delta and "
        "implies(T >= 7, sqrt(8) <= K * m * sqrt(T + 1) / delta)",
    )
    large = for_all(
        "K m T integer",
        given=[
            *sizes,
            *conclusions(two, eight, inside),
            log_of_root("2"),
            log_of_root("8"),
            *(grows("log", f"sqrt({x})", "K * m * sqrt(T + 1) / delta") for x in (2, 8)),
        ],
        then=f"{LOG} >= 345 / 1000 and implies(T >= 7, {LOG} >= 1039 / 1000)",
        words="the logarithm is at least log(sqrt(2)), and log(sqrt(8)) from T = 7 on",
    )
    roots = for_all(
        "l real",
        given=["l >= 345 / 1000"],
        then="sqrt(l) >= 587 / 1000 and implies(l >= 1039 / 1000, sqrt(l) >= 1019 / 1000)",
    )
    small = for_all("n real", given=["1 <= n", "n <= 6"], then="sqrt(n) >= 1 and sqrt(n) <= 5 / 2")
    room = for_all(
        "N T integer; l real",
        given=[
            "1 <= N",
            "N <= T",
            "l >= 345 / 1000",
            "implies(T >= 7, l >= 1039 / 1000)",
            roots.at(),
            small.at(n="N"),
        ],
        then="259 / 256 <= sqrt(l) * (1 + (1 + sqrt(2)) / sqrt(N))",
        words="room for the first visit and the rounding: at N <= 6, and where the logarithm is above 1",
    )
    return [two, eight, inside, large, roots, small, room]


@claim(
    "optimism/anytime",
    statement="For every tallying bandit, with probability at least 1 - delta the learner "
    "optimistic-planner-anytime, which does not know T, has for every T >= 1 at once {stated}.",
    where=WHERE,
    formulas={"bound": OPTIMISM_ANYTIME, "stated": "loss - OPT <= bound"},
    domain=SIZES,
    integers="K m T",
    assuming=(ON_THE_EVENT.format("optimism/anytime-event"), MEAN_GIVEN_THE_PAST),
    uses=(
        "optimism/anytime-event",
        "optimism/anytime-radii",
        "optimism/epochs",
        "optimism/grouping",
        "optimism/overhead",
        "optimism/rounding",
    ),
)
def anytime(request: Request) -> Outcome:
    """The overhead with the number of epochs, and the excess with the radii and the rounding."""
    return all_together(
        request,
        event="optimism/anytime-event",
        radii="optimism/anytime-radii",
        radius=("sqrt((1 + 1 / n) * l / (2 * n))", "sqrt(2 * (1 + 1 / n) * l / n)"),
        remarks=["The event does not depend on T."],
    )
