"""Algorithm 1 (SE-TB): is it well defined, and does it fill the horizon?"""

from fractions import Fraction

from proofs_check.paper.definition_1 import NEEDED, TWO_SEQUENCES, needed
from proofs_check.paper.definition_1 import SETTING as SEQUENCES
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim, weakest
from tallyplan.games.schedule import Schedule

WHERE = "Algorithm 1 (alg:main)"
SETTING = Setting(define={"steps(K, m, L, n)": "sum(2 * power(2, s) * K * m * L for s in between(1, n))"})
POSITIVE = {"actions": "K >= 1", "memory": "m >= 1", "horizon": "L >= 1"}


@claim(
    "algorithm-1",
    statement="`S == log2(sqrt(T) / (4 * K * m) + 1)` epochs of `T_s == 2 * 2**s * K * m * sqrt(T)` steps "
    "take T steps in all: "
    "with n = floor(S) and L = sqrt(T), {stated}.",
    where=f"{WHERE}, lines 1 and 2",
    formulas={
        "stated": "steps(L, n) == L * L",
        "exactly": "implies(stated, L == 4 * K * m * (power(2, n) - 1)) and "
        "implies(L == 4 * K * m * (power(2, n) - 1), stated)",
    },
    domain={
        **POSITIVE,
        "fits": "power(2, n) <= L / (4 * K * m) + 1",
        "one_more_does_not": "L / (4 * K * m) + 1 < power(2, n + 1)",
    },
    setting=SETTING,
    symbols={"n": "the number of epochs that are run"},
    model={"K": 2, "m": 1, "L": 24, "n": 2},
    uses=("algorithm-1/schedule",),
)
def algorithm_1(request: Request) -> Outcome:
    """Count the steps of floor(S) epochs; S is seldom an integer."""
    examples = [Schedule(2, 1, L * L, Fraction(1, 20)) for L in (7, 23, 1000)]
    exactly = request.proof("exactly", without=("fits", "one_more_does_not"))
    exactly.use("algorithm-1/schedule", S="n")
    shown = "; ".join(f"{one.rest} of {one.horizon} at sqrt(T) = {one.period}" for one in examples)
    return request.conclude(
        None,
        box={"K": [2], "m": [1], "L": [1000, 23, 7], "n": range(8)},
        remarks=(
            f"Steps that no epoch takes, K = 2, m = 1: {shown}.",
            "For S >= 1 their share is 1 - (2^n - 1)/(2^S - 1) with n = floor(S), below 2/3; a half as S "
            "grows from an integer to the next, on large horizons.",
            "So the first '=' in the proof of Lemma 4, sum_s T_s = T, is '<=' where S is no integer.",
        ),
        tight=Better(
            "exactly for `sqrt(T) == 4 * K * m * (2**S - 1)`, S = 1, 2, ...", exactly.shown().verdict
        ),
        repair=Better(
            "`sqrt(T) == 4 * K * m * (2**S - 1)` with an integer `S >= 1` (claim algorithm-1/schedule).",
            request.result("algorithm-1/schedule").outcome.verdict,
        ),
    )


@claim(
    "algorithm-1/schedule",
    statement="The S epochs of `T_s == 2 * 2**s * K * m * sqrt(T)` steps take "
    "`4 * K * m * sqrt(T) * (2**S - 1)` steps, all T "
    "exactly if sqrt(T) = 4Km(2**S - 1): {stated}.",
    where="a lemma in a comment of the source, after Proposition 1",
    formulas={
        "stated": "steps(L, S) == 4 * K * m * L * (power(2, S) - 1) and "
        "implies(L == 4 * K * m * (power(2, S) - 1), steps(L, S) == L * L) and "
        "implies(steps(L, S) == L * L, L == 4 * K * m * (power(2, S) - 1))",
    },
    domain={**POSITIVE, "epochs": "S >= 0"},
    setting=SETTING,
    model={"K": 2, "m": 1, "L": 24, "S": 2},
)
def schedule(request: Request) -> Outcome:
    """The sum by induction on S; then divide by sqrt(T)."""
    p = request.proof()
    p.induct("s", "steps(L, s) == 4 * K * m * L * (power(2, s) - 1)")
    p.have("steps(L, S) == L * (4 * K * m * (power(2, S) - 1))")
    return request.conclude(p.shown())


@claim(
    "algorithm-1/periods",
    statement="Every policy is executed for 2 n_s <= sqrt(T) periods, n_s = 2**s: {stated}.",
    where=f"{WHERE}, 'to execute for k <= sqrt(T) periods'",
    formulas={"stated": "2 * power(2, s) <= L", "less": "2 * power(2, s) < L"},
    domain={**POSITIVE, "filled": "L >= 4 * K * m * (power(2, S) - 1)", "epoch": "1 <= s <= S"},
    setting=SETTING,
    model={"K": 2, "m": 1, "L": 24, "S": 2, "s": 1},
)
def periods(request: Request) -> Outcome:
    """The powers grow."""
    p = request.proof()
    p.induct("i", "power(2, i) >= 1")
    p.induct("i", "power(2, i) >= 2", start=1)
    p.induct("i", "power(2, s) <= power(2, i)", start="s")
    return request.conclude(
        p.shown(),
        box={"K": [1, 2], "m": [1, 2], "L": [4, 8, 12, 24], "S": [1, 2], "s": [1, 2]},
        tight=None
        if request.sequent("less").holds({"K": 1, "m": 1, "L": 4, "S": 1, "s": 1})
        else Better("equality at `K == m == S == s == 1`, `sqrt(T) == 4`", Verdict.CHECKED),
    )


@claim(
    "algorithm-1/estimate",
    statement="muhat_s(pi), which divides by n_s N_xy(pi_sxy) sqrt(T) for every cell, is defined for every "
    "pi in A_s. With one action, whose only policy is always x_1, the cell (1, y) is met: {stated}.",
    where=f"{WHERE}, line 16",
    formulas={
        "met": "total(always(1), spot(y), m, 2 * L) - total(always(1), spot(y), m, L)",
        "stated": "met > 0",
        "exactly": "implies(y == m, met == L) and implies(y < m, met == 0)",
        "several": "loss(run(y, L), spot(y), m, L + y) == 1",
    },
    domain={"memory": "m >= 1", "tally": "1 <= y <= m", "period": "L >= m"},
    setting=Setting(
        define={
            "always(x, t)": "x",
            "spot(q, x, y)": "1 if x == 1 and y == q else 0",
            "run(y, L, t)": "1 if t - L * quotient(t - 1, L) <= y else 2",
        },
        K="1",
    ),
    model={"m": 2, "y": 2, "L": 3},
)
def estimate(request: Request) -> Outcome:
    """In its second period always x_1 has tally m at every step."""
    one, more = request.proof("exactly"), request.proof("several")
    one.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
    one.induct("t", "implies(y == m, total(always(1), spot(y), m, t) == max(t - (m - 1), 0))")
    one.induct("t", "implies(y < m, total(always(1), spot(y), m, t) == (1 if t >= y else 0))")
    more.induct("i", "count(run(y, L), 1, i) == min(i, y)", upto="L")
    more.induct("i", "count(run(y, L), 1, L + i) == y + min(i, y)", upto="L")
    shown = weakest(one.shown().verdict, more.shown().verdict)
    return request.conclude(
        None,
        box={"m": [1, 2, 3], "y": [1, 2, 3], "L": [3, 4]},
        tight=Better(
            "in epoch 1 undefined exactly for `K == 1`, `m >= 2`: one action meets (1, m) alone; with "
            "another action, y plays of x and `L - y` of the other in every period meet (x, y)",
            shown,
        ),
        repair=Better(
            "Leave out the cells with N_xy(pi_sxy) = 0: pi_sxy has the largest N_xy, so N_xy(pi) = 0 for all "
            "pi in A_s.",
            weakest(shown, Verdict.ARGUED),  # in words, given the cells that are met
        ),
    )


@claim(
    "algorithm-1/burn-in",
    statement="n_s periods are not stored; the next n_s hold n_s N_xy sqrt(T) observations of h_x(y). One "
    "period is enough, and m - 1 steps are: if b plays after q steps what a plays after p steps, then from "
    "the m-th of these steps on both meet the same cells, {stated}.",
    where=f"{WHERE}, lines 11 and 12",
    formulas={"stated": "loss(b, q + i) == loss(a, p + i)", "needed": NEEDED},
    domain={
        "memory": "m >= 1",
        "pasts": "p >= 0 and q >= 0",
        "recorded": "i >= m",
        "same": "all(b(q + j) == a(p + j) for j in between(1, i))",
    },
    setting=SEQUENCES,
    symbols={**TWO_SEQUENCES, "i": "a step of the execution"},
    model={"m": 2, "p": 1, "q": 0, "i": 3, "a": [2, 1], "b": [1, 2], "h": [[0, 1], [1, "1/2"]]},
    uses=("definition-1/memory",),
)
def burn_in(request: Request) -> Outcome:
    """The windows agree from the m-th step on."""
    p = request.proof()
    p.use("definition-1/memory", a="b", b="a", p="q + i - m", q="p + i - m")
    return request.conclude(
        p.shown(),
        tight=Better(
            "`m - 1` steps are enough, and needed: for `m >= 2` the (m - 1)-th step after x_1 and after x_2 "
            "may meet different cells",
            needed(request.proof("needed", without=("pasts", "recorded", "same"))).shown().verdict,
        ),
    )
