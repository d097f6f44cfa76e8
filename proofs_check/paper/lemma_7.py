"""Lemma 7: all estimates of an epoch are within C_s.

Stated (label lem:mu_conc). If m <= sqrt(T), then for each s, with probability at least 1 - delta/S, all pi in
A_s satisfy |muhat_s(pi) - mu(pi)| <= C_s.

Proved, if the observations of a cell are independent given the past (which Definition 1 does not say:
`definition-1/independence`). Hoeffding's bound is proved along the way: for X in [0,1] with mean p, convexity
gives E exp(x(X - p)) <= exp(f(x)) with f = log(1 - p + p e^x) - xp, where f(0) = f'(0) = 0 and f'' = u(1 - u)
<= 1/4, so f <= x^2/8; then x = 4c makes the tail of a mean of n at most 2 exp(-2 n c^2). With c = C_sxy and k
for the constant 32 that is 2 (delta/(2KmS))^(2k): at most delta/(KmS) exactly for k >= 1/2. That no smaller
constant is enough is shown by a fair coin. The rest is a union bound, the triangle inequality, and
Cauchy-Schwarz, by induction on the number of terms.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.claim import Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.fair_coin import too_small
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import again, derivative, exactly, first_false, proof
from proofs_check.ways.for_all import equal_zero, for_all, identity
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH

WHERE = "Lemma 7 (lem:mu_conc)"
GIVEN = "m <= sqrt(T), observations independent given the past, N_xy > 0"

CONSTANT = Formula("32")
BEST_SINCE = Formula("k >= 1 / 2")
CELL_WIDTH = Formula("sqrt(32 / (n * N * sqrt(T)) * log(2 * K * m * S / delta))")
FAILURE = Formula("delta / (K * m * S)")
CUMULANT = Formula("log(1 - p + p * exp(x)) - x * p")
TILTED = Formula("p * exp(x) / (1 - p + p * exp(x))")  # u, the mean under the tilted law

CAUCHY = Formula("sqrt(K * m)")
EPOCH_ONE = Formula("y / m")

COIN_CONSTANT = Fraction(2, 5)  # below 1/2, and refuted by a fair coin

BLOCKS = [(K, m) for K in range(2, 5) for m in range(1, 5)]
EPOCH_ONE_SIZES = ((2, 1, 2), (2, 2, 2), (2, 2, 4), (2, 2, 6), (3, 2, 4), (2, 3, 6), (3, 3, 3))
MORE_SIZES = ((2, 2, 8), (2, 4, 8), (3, 2, 6), (3, 3, 6), (4, 2, 4))  # (K, m, sqrt(T)) of a thorough run


@claim(
    "lemma-7",
    statement=(
        "If m <= sqrt(T), then for each s, with probability at least 1 - delta/S, |muhat_s(pi) - mu(pi)| <= "
        f"{WIDTH} for all pi in A_s."
    ),
    where=WHERE,
)
def lemma_7(request: Request) -> Outcome:
    """Hoeffding for each cell, a union bound over the Km cells, and then the event is a subset of B_s."""
    return proof(
        proof_steps(),
        GIVEN,
        method="Hoeffding proved; z3 and sympy",
        tight=Tight("C_s / 8: 1/2 in place of 32", by_proof(narrower_steps())),
    )


def proof_steps() -> list[Step]:
    """The printed proof, Hoeffding's bound included."""
    union = identity(
        f"K * m * ({FAILURE})", "delta / S", words=f"Km cells, each failing with {FAILURE}: delta / S"
    )
    return [*hoeffding_steps(), union, *subset_steps()]


def all_epochs() -> Step:
    """The union over the epochs, as a step of other proofs."""
    union = identity("S * (delta / S)", "delta")
    statement = "all estimates of all epochs are within C_s, with probability at least 1 - delta"
    return again("lemma-7", statement, [*proof_steps(), union])


@claim(
    "lemma-7/hoeffding",
    statement=(
        f"By Hoeffding's bound, |h_x(y) - mean of the observations| <= {CELL_WIDTH} with probability at "
        f"least 1 - {FAILURE}."
    ),
    where="Lemma 7, proof (eqn:helper1)",
)
def hoeffding(request: Request) -> Outcome:
    """Hoeffding's bound from the cumulant, and its best constant; a fair coin refutes a smaller one."""
    coin = too_small(COIN_CONSTANT)
    return proof(
        hoeffding_steps(),
        GIVEN,
        method="cumulant bounded by sympy and z3",
        said=(
            f"With the constant {CONSTANT} the failure probability is 2 (delta/(2KmS))**{2 * CONSTANT()}.",
            f"The constant {COIN_CONSTANT} is too small, by a fair coin thrown {coin.facts['n']} times.",
        )
        if coin
        else (),
        tight=Tight(
            f"{CONSTANT} -> 1/2, exactly what Hoeffding's bound gives", by_proof(narrower_steps()), coin
        ),
        violation=too_small(CONSTANT()),
    )


def hoeffding_steps() -> list[Step]:
    """P(|mean - p| > c) <= 2 exp(-2 n c^2), and what that is at c = C_sxy; k is the constant."""
    import sympy

    x = sympy.Symbol("x", positive=True)
    cumulant = CUMULANT.sympy()
    count, log = "(n * N * sqrt(T))", "log(2 * K * m * S / delta)"
    return [
        equal_zero(cumulant.subs(x, 0), f"f(0) == 0 for f(x) = {CUMULANT}"),
        derivative(CUMULANT, "x", f"{TILTED} - p"),
        equal_zero(TILTED.sympy().subs(x, 0) - sympy.Symbol("p", positive=True), "f'(0) == 0"),
        derivative(f"{TILTED} - p", "x", f"{TILTED} * (1 - {TILTED})"),
        for_all("u real", then="u * (1 - u) <= 1 / 4", words="f'' = u * (1 - u) <= 1/4, so that f <= x**2/8"),
        identity(
            "n * ((4 * c)**2 / 8 - 4 * c * c)", "-2 * n * c**2", words="at x = 4c the exponent is -2 n c**2"
        ),
        identity(
            f"2 * {count} * ({CELL_WIDTH})**2",
            f"2 * {CONSTANT} * {log}",
            words=f"2 n c**2 == 2 * {CONSTANT} * {log} at c = C_sxy",
        ),
        for_all(
            "E real",
            given=["E > 0"],
            then=f"2 * {CONSTANT} * E >= E",
            words=f"2 * {CONSTANT} * E >= E, E = {log}",
        ),
        identity(f"2 * exp(-{log})", str(FAILURE)),
    ]


@claim(
    "lemma-7/subset",
    statement="If every cell is within C_sxy, then |muhat_s(pi) - mu(pi)| <= C_s (a subset of 'B': of B_s).",
    where="Lemma 7, proof",
)
def subset(request: Request) -> Outcome:
    """Triangle inequality, steps (i) and (ii), and C_sxy and C_s put in."""
    return proof(
        subset_steps(),
        "every pi in A_s; cells with N_xy = 0 left out",
        method="z3 and sympy",
        said=("The letter B in the proof should be B_s.",),
    )


def subset_steps() -> list[Step]:
    """From the cells to the policies."""
    log = "log(2 * K * m * S / delta)"
    return [
        for_all("N h e c real", given=["N >= 0", "abs(h - e) <= c"], then="abs(N * h - N * e) <= N * c"),
        *_step_i(),
        *_cauchy_schwarz(),
        identity(
            f"{CAUCHY} * sqrt({CONSTANT} / (2**s * sqrt(T)) * E)",
            str(WIDTH).replace(log, "E"),
            words=f"{CAUCHY} * sqrt({CONSTANT} / (n_s sqrt(T)) * {log}) == C_s",
        ),
    ]


def narrower_steps() -> list[Step]:
    """k = 1/2 is the least constant for which 2 exp(-2 k E) <= 2 exp(-E), E > 0."""
    eight = identity(f"sqrt({CONSTANT} / (1 / 2))", "8", words="C_s is 8 times as wide as with 1/2")
    return [*exactly("k", BEST_SINCE, "2 * k >= 1"), eight]


@claim(
    "lemma-7/step-i",
    statement="N_xy(pi) / sqrt(N_xy(pi_sxy)) <= sqrt(N_xy(pi)).",
    where="Lemma 7, proof, step (i)",
)
def step_i(request: Request) -> Outcome:
    """z3 in the two roots; then the largest N_xy over all words, which makes epoch 1 cheaper."""
    return proof(
        _step_i(),
        "0 <= N_xy(pi) <= N_xy(pi_sxy), not both 0",
        method="z3",
        said=("Equality exactly where N_xy(pi) is 0 or the maximum.",),
        tight=_epoch_one(request),
    )


def _step_i() -> list[Step]:
    roots = ["0 <= a", "a <= b", "b > 0"]
    return [
        for_all(
            "a b real", given=roots, then="a * a / b <= a", words="a**2 / b <= a for the roots 0 <= a <= b"
        ),
        for_all(
            "a b real",
            given=[*roots, "a * a / b == a"],
            then="a == 0 or a == b",
            words="equality only if a = 0 or a = b",
        ),
    ]


def _epoch_one(request: Request) -> Tight | None:
    """If m divides sqrt(T), the largest N_xy is y/m: then the sum is at most sqrt(m), whatever K is."""
    for K, m, L in EPOCH_ONE_SIZES + (MORE_SIZES if request.thorough else ()):
        request.progress(f"lemma-7/step-i: K, m, sqrt(T) = {K}, {m}, {L}")
        counts = [definitions.period_counts(word, m, n=1) for word in product(range(K), repeat=L)]
        cells = product(range(K), range(1, m + 1))
        if any(Fraction(max(c[x, y] for c in counts), L) != EPOCH_ONE(y=y, m=m) for x, y in cells):
            return None
    at_most = for_all("y m real", given=["1 <= y", "y <= m"], then=f"1 / ({EPOCH_ONE}) <= m")
    return Tight(
        f"in epoch 1, if m divides sqrt(T), K >= 2: the maximum is {EPOCH_ONE}, the sum at most sqrt(m)",
        Verdict.CHECKED if at_most.holds else Verdict.UNDECIDED,
    )


@claim(
    "lemma-7/step-ii",
    statement=f"sum over (x, y) of sqrt(N_xy(pi)) <= {CAUCHY}.",
    where="Lemma 7, proof, step (ii)",
)
def step_ii(request: Request) -> Outcome:
    """Cauchy-Schwarz by induction; equality for the policies 1^m 2^m ... K^m, counted from the definition."""
    equal = all(_equal_counts(K, m) for K, m in BLOCKS)
    witness = Witness({"K": 2, "m": 2, "horizon": 16, "word": _blocks(2, 2), "every N_xy": Fraction(1, 4)})
    return proof(
        [
            *_cauchy_schwarz(),
            identity("sqrt(n)".replace("n", "(K * m)"), str(CAUCHY), words=f"n = Km terms: {CAUCHY}"),
        ],
        "every pi, any K, m, T",
        method="induction on the number of terms, z3",
        tight=Tight(
            f"{CAUCHY}, attained by 1^m 2^m ... K^m (Km divides sqrt(T), 2 <= K <= 4, m <= 4)",
            Verdict.CHECKED,
            witness,
        )
        if equal
        else None,
        violation=first_false("K * m * sqrt(1 / (K * m))", CAUCHY, ({"K": K, "m": m} for K, m in BLOCKS)),
    )


@claim(
    "lemma-7/cauchy-schwarz",
    statement="If x_1 + ... + x_n = 1, x_i in [0,1], then sum of sqrt(x_i) <= sqrt(n); this is tight.",
    where="a lemma in a comment of the source, after Proposition 1",
)
def cauchy_schwarz(request: Request) -> Outcome:
    """Induction on n: if s^2 <= n q for the sums of roots and of terms, then also with one term more."""
    equality = identity("n * sqrt(1 / n)", "sqrt(n)", words="equality at x_i = 1/n: n * sqrt(1/n) == sqrt(n)")
    return proof(
        [*_cauchy_schwarz(), equality],
        "every n >= 1",
        method="induction on n, z3",
        tight=Tight(
            "attained exactly at x_i = 1/n",
            by_proof([equality, _only_if_equal()]),
            Witness({"n": 2, "x": (Fraction(1, 2),) * 2}),
        ),
    )


def _cauchy_schwarz() -> list[Step]:
    """a is the next root, s and q the sums of n roots and of their squares; in the end q = 1."""
    return [
        for_all("a real", then="a**2 <= 1 * a**2", words="one term: a**2 <= 1 * a**2"),
        for_all(
            "n s q a real",
            given=["n >= 1", "q >= 0", "a >= 0", "s >= 0", "s * s <= n * q"],
            then="(s + a)**2 <= (n + 1) * (q + a**2)",
        ),
    ]


def _only_if_equal() -> Step:
    """In the induction step, equality forces the new root to be the average of the old ones."""
    return for_all(
        "n s q a real",
        given=["n >= 1", "s * s <= n * q", "(s + a)**2 == (n + 1) * (q + a**2)"],
        then="s == n * a and s * s == n * q",
    )


def _blocks(K: int, m: int) -> tuple[int, ...]:
    return tuple(x for x in range(K) for _ in range(m))


def _equal_counts(K: int, m: int) -> bool:
    """Does the block policy meet every cell equally often? Then the sum is Km sqrt(1/(Km))."""
    counts = definitions.period_counts(_blocks(K, m), m, n=1)
    return all(counts[x, y] == 1 for x in range(K) for y in range(1, m + 1))
