"""Lemma 7: all estimates of an epoch are within C_s.

Stated (label lem:mu_conc). If m <= sqrt(T), then for each s, with probability at least 1 - delta/S, all pi in
A_s satisfy |muhat_s(pi) - mu(pi)| <= C_s.

Shown, if the observations of a cell are independent given the past (which Definition 1 does not say:
`definition-1/independence`). Hoeffding's bound: for X in [0,1] with mean p, convexity gives
E exp(x(X - p)) <= exp(f(x)) with f = log(1 - p + p e^x) - xp, where f(0) = f'(0) = 0 and f'' = u(1 - u)
<= 1/4, so f <= x^2/8; then x = 4c makes the tail of a mean of n at most 2 exp(-2 n c^2). The derivatives and
the exponent are checked, what is said of expectations is argued. With c = C_sxy that is at most delta/(KmS),
also with 1/2 for 32; that 2/5 is not enough is shown by a fair coin. The union bound is argued. From the
cells to the policies everything is checked, sums over cells included: the Km cells are numbered 1 .. Km, x(c)
is the share N_xy(pi) of cell c, and most(c) the largest share that a policy of A_s has there.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.computations.fair_coin import FAILURE as RARE
from proofs_check.computations.fair_coin import tail, too_small
from proofs_check.steps import Fact, Step, Verdict, argued, conclusions, weakest
from proofs_check.ways.analysis import derivative
from proofs_check.ways.for_all import for_all, identity, induction
from proofs_check.ways.laws import exp_of_minus_log, grows, log_of_one
from proofs_check.ways.sequences import definition
from proofs_check.ways.values import Falsified, Values
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH

WHERE = "Lemma 7 (lem:mu_conc)"
HYPOTHESES = (
    "m <= sqrt(T), so that N_xy is well defined (Lemma 2)",
    "the observations of a cell are independent given the past",
)

LOG = "log(2 * K * m * S / delta)"
UNIT = f"sqrt(32 / (2**s * sqrt(T)) * {LOG})"  # C_s / sqrt(Km)
CELL_WIDTH = Formula(f"sqrt(32 / (2**s * most(c) * sqrt(T)) * {LOG})")
FAILURE = Formula("delta / (K * m * S)")
WITHIN = Formula(f"implies(x(c) > 0, abs(h(c) - observed(c)) <= {CELL_WIDTH})")
CUMULANT = Formula("log(1 - p + p * exp(x)) - x * p")
TILTED = Formula("p * exp(x) / (1 - p + p * exp(x))")  # u, the mean under the tilted law
COIN_CONSTANT = Fraction(2, 5)  # below 1/2, and refuted by a fair coin

SIZES = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "epochs": "S >= 1",
    "probability": "0 < delta and delta < 1",
}
CELLS = {
    "x": "x(c), the share of cell c in a period of the policy",
    "roots": "roots(i), the sum of the square roots of the first i shares",
    "total": "total(i), the sum of the first i shares",
}
ESTIMATES = {
    "worst": "a cell that is off by more than its width, if there is one; else any cell",
    "x": CELLS["x"],
    "most": "most(c), the largest share of cell c in a period of a policy of A_s",
    "h": "h(c), the expected loss of cell c",
    "observed": "observed(c), the mean of the observations of cell c",
    "estimate": "estimate(i), what the first i cells add to muhat_s(pi)",
    "truth": "truth(i), what the first i cells add to mu(pi)",
}
VARIABLES = (
    "K m S s c i n worst integer; x(integer) roots(integer) total(integer) equal(integer) most(integer) "
    "h(integer) observed(integer) estimate(integer) truth(integer) failing(real) real"
)

BLOCKS = [(K, m) for K in range(2, 5) for m in range(1, 5)]
EPOCH_ONE_SIZES = ((2, 1, 2), (2, 2, 2), (2, 2, 4), (2, 2, 6), (3, 2, 4), (2, 3, 6), (3, 3, 3))
MORE_SIZES = ((2, 2, 8), (2, 4, 8), (3, 2, 6), (3, 3, 6), (4, 2, 4))  # (K, m, sqrt(T)) of a thorough run


@claim(
    "lemma-7",
    statement=(
        "For each s, the probability that |muhat_s(pi) - mu(pi)| > {width} for some pi in A_s satisfies "
        "{stated}."
    ),
    where=WHERE,
    formulas={
        "width": WIDTH,
        "stated": "missing <= delta / S",
    },
    domain=SIZES,
    integers="K m S s",
    symbols={
        "missing": "the probability that some estimate of epoch s is off by more than C_s",
    },
    assuming=HYPOTHESES,
    uses=("lemma-7/hoeffding", "lemma-7/subset"),
)
def lemma_7(request: Request) -> Outcome:
    """Hoeffding for each cell, a union bound over the Km cells, and then the event is a subset of B_s."""
    f, event = request.formulas, request.run.claim("lemma-7/subset").formula("event")
    within = for_all(
        VARIABLES,
        given=[*request.domain, shares("K * m"), request.quote("lemma-7/subset")],
        then=f"implies({event}, abs(estimate(K * m) - truth(K * m)) <= {f.width})",
        words="if every cell is within its width",
    )
    cell = for_all(
        VARIABLES,
        given=[
            *request.domain,
            definition("a cell that is met", "most(c) > 0"),
            request.quote("lemma-7/hoeffding"),
        ],
        then=f"failing({CELL_WIDTH}) <= {FAILURE}",
        words="each cell",
    )
    union = argued(
        "an estimate can only be off if one of the Km cells is; the probabilities add up",
        given=conclusions(within),
        then=f"missing <= K * m * failing({CELL_WIDTH})",
    )
    stated = for_all(
        VARIABLES,
        given=[*request.domain, *conclusions(cell, union)],
        then=f.stated,
        words="Km cells, each failing with its share",
    )
    narrower = request.result("lemma-7/hoeffding").outcome.shown["sharp"]
    eight = identity("sqrt(32 / (1 / 2))", "8")
    return request.conclude(
        request.show("stated", [within, cell, union, stated]),
        method="Hoeffding for each cell, a union bound, and the sum over the cells",
        tight=Tight(
            "C_s / 8: 1/2 in place of 32 (lemma-7/hoeffding)",
            weakest(narrower, Verdict.ARGUED if eight.holds else Verdict.UNDECIDED),
        ),
    )


@claim(
    "lemma-7/hoeffding",
    statement=(
        "By Hoeffding's bound, the probability that h_x(y) and the mean of the observations of the cell "
        "differ by more than {width} satisfies {stated}."
    ),
    where="Lemma 7, proof (eqn:helper1)",
    formulas={
        "observations": "2**s * most(c) * sqrt(T)",
        "width": CELL_WIDTH,
        "failure": FAILURE,
        "stated": "failing(width) <= failure",
        "narrower": f"sqrt(1 / (2 * (observations)) * {LOG})",
        "sharp": "failing(narrower) <= failure",
        "exactly": f"2 * (observations) * (narrower)**2 == {LOG}",
    },
    domain={**SIZES, "met": "most(c) > 0"},
    integers="K m S s c",
    symbols={
        "failing": "failing(w), the probability that the mean of the observations of a cell is off by more "
        "than w",
        "c": "the number of a cell",
        "most": "most(c), the largest share of cell c in a period of a policy of A_s",
    },
    assuming=HYPOTHESES,
)
def hoeffding(request: Request) -> Outcome:
    """Hoeffding's bound from the cumulant, and its best constant; a fair coin refutes a smaller one."""
    f = request.formulas
    coin, sharp = too_small(COIN_CONSTANT), request.show("sharp", _tail_steps(request, f.narrower, f.sharp))
    log = _log(request)
    no_less = for_all(
        VARIABLES,
        given=[*(f.horizon, f.met), *conclusions(log), definition("n_s", "2**s > 0")],
        then=f.exactly,
        words="at the narrower width the exponent is the logarithm",
    )
    exactly = request.show("exactly", [log, no_less])
    return request.conclude(
        request.show("stated", _tail_steps(request, f.width, f.stated)),
        method="cumulant bounded by sympy and z3",
        counterexamples=(_coin(request, root) for root in range(1, 50)),
        remarks=(
            f"The constant {COIN_CONSTANT} is too small, by a fair coin thrown {coin.facts['n']} times.",
        )
        if coin
        else (),
        tight=Tight(
            "32 -> 1/2, exactly what Hoeffding's bound gives", weakest(sharp.verdict, exactly.verdict), coin
        ),
    )


def _coin(request: Request, root: int) -> Values:
    """A cell that is met in every step shows a fair coin: K = m = S = s = 1, 2 sqrt(T) throws."""
    f = request.formulas
    at: Values = {"K": 1, "m": 1, "S": 1, "s": 1, "T": root**2, "delta": RARE, "c": 1, "most(c)": 1}
    width = Falsified(f.stated, (), at).at(f.width)
    return {**at, f"failing({f.width})": tail(2 * root, width)}


def _tail_steps(request: Request, width: Formula, conclusion: Formula) -> list[Step]:
    """The bound on the tail at this width."""
    f = request.formulas
    n, exponent = f.observations, f"-2 * ({f.observations}) * ({width})**2"
    tail = argued(
        "Hoeffding: f(x) <= x**2 / 8 from its derivatives, convexity, and Markov's inequality at x = 4 w, on "
        "both sides",
        then=f"failing({width}) <= 2 * exp({exponent})",
    )
    log = _log(request, "log >= 0")
    small = for_all(
        VARIABLES,
        given=[*(f.horizon, f.met), *conclusions(log), definition("n_s", "2**s > 0")],
        then=f"{exponent} <= -{LOG} and {n} > 0",
        words="the exponent at this width",
    )
    return [
        *_cumulant_steps(),
        *(tail, log, small),
        for_all(
            VARIABLES,
            given=[
                *(f.actions, f.memory, f.epochs, f.probability, *conclusions(tail, small)),
                grows("exp", exponent, f"-{LOG}"),
                exp_of_minus_log("2 * K * m * S / delta"),
            ],
            then=conclusion,
            words="exp(-log) is the inverse",
        ),
    ]


def _log(request: Request, words: str = "") -> Step:
    """The logarithm in the widths is not negative."""
    f = request.formulas
    return for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, f.epochs, f.probability),
            *(grows("log", "1", "2 * K * m * S / delta"), log_of_one()),
        ],
        then=f"{LOG} >= 0",
        words=words,
    )


def _cumulant_steps() -> list[Step]:
    """f(0) = f'(0) = 0, f'' <= 1/4, and what that is at x = 4c."""
    return [
        identity(CUMULANT.where(x=0), "0", words=f"f(0) == 0 for f(x) = {CUMULANT}"),
        derivative(CUMULANT, "x", f"{TILTED} - p"),
        identity(TILTED.where(x=0), "p", words="f'(0) == 0"),
        derivative(f"{TILTED} - p", "x", f"{TILTED} * (1 - {TILTED})"),
        for_all("u real", then="u * (1 - u) <= 1 / 4", words="f'' = u * (1 - u) <= 1/4, so that f <= x**2/8"),
        identity(
            "n * ((4 * c)**2 / 8 - 4 * c * c)", "-2 * n * c**2", words="at x = 4c the exponent is -2 n c**2"
        ),
    ]


@claim(
    "lemma-7/subset",
    statement="If every cell is within C_sxy, {event}, then for every pi in A_s {stated} (a subset of 'B').",
    where="Lemma 7, proof",
    formulas={
        "width": WIDTH,
        "stated": "abs(estimate(K * m) - truth(K * m)) <= width",
    },
    domain={**SIZES, "shares": "total(K * m) == 1", "event": WITHIN.where(c="worst")},
    integers="K m S s worst",
    symbols={
        **CELLS,
        **ESTIMATES,
    },
    uses=("lemma-7/step-i", "lemma-7/step-ii"),
)
def subset(request: Request) -> Outcome:
    """Each cell by step (i), their sum by induction, and step (ii)."""
    f, cells = request.formulas, "K * m"
    log = _log(request)
    root = for_all(
        "M p r l real",
        given=["M > 0", "p > 0", "r > 0", "l >= 0"],
        then="sqrt(32 / (p * M * r) * l) * sqrt(M) == sqrt(32 / (p * r) * l)",
        words="the share taken out of the root",
    )
    cell = for_all(
        VARIABLES,
        given=[
            f"1 <= c and c <= {cells}",
            *(f.horizon, f.event, *conclusions(log)),
            definition("n_s", "2**s > 0"),
            definition("the shares", f"implies(1 <= c and c <= {cells}, 0 <= x(c) and x(c) <= most(c))"),
            definition(
                "worst", f"implies(1 <= c and c <= {cells} and ({WITHIN.where(c='worst')}), {WITHIN})"
            ),
            root.at(M="most(c)", p="2**s", r="sqrt(T)", l=LOG),
            request.quote("lemma-7/step-i", N="x(c)", most="most(c)"),
        ],
        then=f"abs(x(c) * observed(c) - x(c) * h(c)) <= {UNIT} * sqrt(x(c))",
        words="one cell, step (i)",
    )
    added = induction(
        VARIABLES,
        on="i",
        start=0,
        upto=cells,
        given=[
            *(f.horizon, f.event, *conclusions(log)),
            *sums("i"),
            *_adds("estimate", "observed"),
            *_adds("truth", "h"),
            cell.at(c="i + 1"),
        ],
        then=f"abs(estimate(i) - truth(i)) <= {UNIT} * roots(i)",
        words="the first i cells",
    )
    whole = for_all(
        "k p r l real",
        given=["k > 0", "p > 0", "r > 0", "l >= 0"],
        then="sqrt(32 / (p * r) * l) * sqrt(k) == sqrt(32 * k / (p * r) * l)",
        words="C_s",
    )
    stated = for_all(
        VARIABLES,
        given=[
            *(*request.domain, *conclusions(log)),
            definition("n_s", "2**s > 0"),
            added.at(i="K * m"),
            whole.at(k="K * m", p="2**s", r="sqrt(T)", l=LOG),
            request.quote("lemma-7/step-ii"),
        ],
        then=f.stated,
        words="all cells, step (ii)",
    )
    return request.conclude(
        request.show("stated", [log, root, cell, added, whole, stated]),
        method="the sum over the cells by induction, z3",
        remarks=("The letter B in the proof should be B_s.", "Cells with N_xy = 0 are left out."),
    )


def _adds(total: str, losses: str) -> tuple[Fact, Fact]:
    """A sum of shares times losses."""
    more = f"{total}(i) + x(i + 1) * {losses}(i + 1)"
    return (
        definition(f"the sum {total}", f"{total}(0) == 0"),
        definition(f"the sum {total}", f"implies(i >= 0, {total}(i + 1) == {more})"),
    )


def sums(i: str) -> tuple[Fact, ...]:
    """The shares are not negative; their sum, and the sum of their roots."""
    return (
        definition("the sums", "total(0) == 0 and roots(0) == 0"),
        definition("the sums", f"implies({i} >= 0, total({i} + 1) == total({i}) + x({i} + 1))"),
        definition("the sums", f"implies({i} >= 0, roots({i} + 1) == roots({i}) + sqrt(x({i} + 1)))"),
        definition("the shares", f"implies({i} >= 0, x({i} + 1) >= 0)"),
    )


def shares(number: str) -> Fact:
    """The shares of all cells sum to 1: every step of a period is at one cell."""
    return definition("the shares", f"total({number}) == 1")


@claim(
    "lemma-7/step-i",
    statement="{stated}, where N is N_xy(pi) and most is N_xy(pi_sxy).",
    where="Lemma 7, proof, step (i)",
    formulas={
        "stated": "N / sqrt(most) <= sqrt(N)",
        "equal": "implies(N / sqrt(most) == sqrt(N), N == 0 or N == most)",
        "largest": "y / m",
        "weight": "implies(1 <= y and y <= m, 1 / sqrt(largest) <= sqrt(m))",
    },
    domain={"counts": "0 <= N and N <= most", "met": "most > 0"},
    symbols={
        "N": "the share of a cell in a period of the policy",
        "most": "the largest share of the cell in a period of a policy of A_s",
        "y": "the tally of the cell",
    },
)
def step_i(request: Request) -> Outcome:
    """z3 in the two roots; then the largest N_xy over all words, which makes epoch 1 cheaper."""
    f = request.formulas
    stated, equal = (
        request.show(name, [for_all("", given=request.domain, then=getattr(f, name))])
        for name in ("stated", "equal")
    )
    weight = request.show("weight", [for_all("", then=f.weight)])
    return request.conclude(
        stated,
        method="z3 in the two roots",
        counterexamples=({"N": N, "most": most} for N in range(5) for most in range(5)),
        free="N most",
        remarks=(f"Equality only where N_xy(pi) is 0 or the maximum: {equal.verdict}.",),
        tight=Tight(
            f"in epoch 1, if m divides sqrt(T), K >= 2: the maximum is {f.largest}, the sum at most sqrt(m)",
            weakest(Verdict.CHECKED, weight.verdict),
        )
        if _largest_in_epoch_one(request)
        else None,
    )


def _largest_in_epoch_one(request: Request) -> bool:
    """Is the largest share of a cell as the formula says, for all words of the box?"""
    for K, m, L in EPOCH_ONE_SIZES + (MORE_SIZES if request.thorough else ()):
        request.progress(f"lemma-7/step-i: K, m, sqrt(T) = {K}, {m}, {L}")
        counts = [definitions.period_counts(word, m, n=1) for word in product(range(K), repeat=L)]
        for x, y in product(range(K), range(1, m + 1)):
            if Fraction(max(c[x, y] for c in counts), L) != request.formulas.largest(y=y, m=m):
                return False
    return True


@claim(
    "lemma-7/step-ii",
    statement="The sum over the Km cells satisfies {stated}.",
    where="Lemma 7, proof, step (ii)",
    formulas={
        "bound": "sqrt(K * m)",
        "stated": "roots(K * m) <= bound",
        "attained": "equal(K * m) == bound",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "shares": "total(K * m) == 1"},
    integers="K m",
    symbols={
        "roots": CELLS["roots"],
        "total": CELLS["total"],
        "equal": "equal(i), the sum of i roots of the share 1 / (K m)",
    },
    uses=("lemma-7/cauchy-schwarz",),
)
def step_ii(request: Request) -> Outcome:
    """Cauchy-Schwarz; equality for the policies 1^m 2^m ... K^m, counted from the definition."""
    f = request.formulas
    stated, attained = (
        request.show(
            name,
            [
                for_all(
                    VARIABLES,
                    given=[*request.domain, request.quote("lemma-7/cauchy-schwarz", name, n="K * m")],
                    then=getattr(f, name),
                    words="n = Km terms",
                )
            ],
        )
        for name in ("stated", "attained")
    )
    witness = Witness({"K": 2, "m": 2, "horizon": 16, "word": _blocks(2, 2), "every N_xy": Fraction(1, 4)})
    return request.conclude(
        stated,
        method="Cauchy-Schwarz with Km terms",
        counterexamples=(
            {"K": K, "m": m, "total(K * m)": 1, "roots(K * m)": "sqrt(K * m)"} for K, m in BLOCKS
        ),
        tight=Tight(
            f"{f.bound}, attained by 1^m 2^m ... K^m (Km divides sqrt(T), 2 <= K <= 4, m <= 4)",
            weakest(Verdict.CHECKED, attained.verdict),
            witness,
        )
        if all(_equal_counts(K, m) for K, m in BLOCKS)
        else None,
    )


@claim(
    "lemma-7/cauchy-schwarz",
    statement="If x_1 + ... + x_n = 1, x_i >= 0, then {stated}; this is tight, {attained}.",
    where="a lemma in a comment of the source, after Proposition 1",
    formulas={"bound": "sqrt(n)", "stated": "roots(n) <= bound", "attained": "equal(n) == bound"},
    domain={"terms": "n >= 1", "shares": "total(n) == 1"},
    integers="n",
    symbols={
        "n": "the number of terms",
        "roots": "roots(i), the sum of the square roots of the first i terms",
        "total": "total(i), the sum of the first i terms",
        "equal": "equal(i), the sum of i roots of the term 1 / n",
    },
)
def cauchy_schwarz(request: Request) -> Outcome:
    """Induction on n: if r^2 <= n q for the sums of roots and of terms, then also with one term more."""
    attained = request.show("attained", _equal_terms(request))
    return request.conclude(
        request.show("stated", _unequal_terms(request)),
        method="induction on the number of terms, z3",
        counterexamples=({"n": n, "total(n)": 1, "roots(n)": "sqrt(n)"} for n in range(1, 10)),
        tight=Tight("attained at x_i = 1/n", attained.verdict, Witness({"n": 2, "x": (Fraction(1, 2),) * 2})),
    )


def _unequal_terms(request: Request) -> list[Step]:
    f = request.formulas
    one_more = for_all(
        "k r q a real",
        given=["k >= 0", "q >= 0", "a >= 0", "r >= 0", "r * r <= k * q"],
        then="(r + a) * (r + a) <= (k + 1) * (q + a * a)",
        words="one term more",
    )
    squares = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[*sums("i"), one_more.at(k="i", r="roots(i)", q="total(i)", a="sqrt(x(i + 1))")],
        then="roots(i) * roots(i) <= i * total(i) and roots(i) >= 0 and total(i) >= 0",
        words="the first i terms",
    )
    last = for_all(VARIABLES, given=[*request.domain, squares.at(i="n")], then=f.stated, words="all n terms")
    return [one_more, squares, last]


def _equal_terms(request: Request) -> list[Step]:
    f = request.formulas
    added = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            definition("equal terms", "equal(0) == 0"),
            definition("equal terms", "implies(i >= 0, equal(i + 1) == equal(i) + sqrt(1 / n))"),
        ],
        then="equal(i) == i * sqrt(1 / n)",
        words="i equal terms",
    )
    root = for_all("v real", given=["v >= 1"], then="v * sqrt(1 / v) == sqrt(v)")
    return [
        *(added, root),
        for_all(VARIABLES, given=[f.terms, added.at(i="n"), root.at(v="n")], then=f.attained),
    ]


def _blocks(K: int, m: int) -> tuple[int, ...]:
    return tuple(x for x in range(K) for _ in range(m))


def _equal_counts(K: int, m: int) -> bool:
    """Does the block policy meet every cell equally often? Then the sum is Km sqrt(1/(Km))."""
    counts = definitions.period_counts(_blocks(K, m), m, n=1)
    return all(counts[x, y] == 1 for x in range(K) for y in range(1, m + 1))
