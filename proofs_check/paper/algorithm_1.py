"""Algorithm 1 (SE-TB): is it well defined, and does it fill the horizon?"""

from fractions import Fraction

from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim
from tallyplan.games.schedule import Schedule

WHERE = "Algorithm 1 (alg:main)"
SETTING = Setting(define={"steps(K, m, L, n)": "sum(2 * power(2, s) * K * m * L for s in between(1, n))"})
POSITIVE = {"actions": "K >= 1", "memory": "m >= 1", "horizon": "L >= 1"}


@claim(
    "algorithm-1",
    statement="`S == log2(sqrt(T) / (4 * K * m) + 1)` epochs of `T_s == 2 * 2**s * K * m * sqrt(T)` steps "
    "take T steps in all: with n = floor(S) and L = sqrt(T), {stated}.",
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
    shown = "; ".join(f"{one.rest} of {one.horizon} at `sqrt(T) == {one.period}`" for one in examples)
    return request.conclude(
        None,
        box={"K": [2], "m": [1], "L": [1000, 23, 7], "n": range(8)},
        remarks=(
            f"Steps that no epoch takes, `K == 2`, `m == 1`: {shown}.",
            "For `S >= 1` their share is `1 - (2**n - 1) / (2**S - 1)` with `n == floor(S)`, below `2 / 3`; "
            "a half as S grows from an integer to the next, on large horizons.",
            "So the first '=' in the proof of Lemma 4, all `T_s` add up to `T`, is '<=' if S is no integer.",
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
    "`4 * K * m * sqrt(T) * (2**S - 1)` steps, all T exactly if sqrt(T) = 4Km(2**S - 1): {stated}.",
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
    p.induct("i", "power(2, i) >= 2", start=1)
    p.induct("i", "power(2, s) <= power(2, i)", start="s")
    return request.conclude(
        p.shown(),
        box={"K": [1, 2], "m": [1, 2], "L": [4, 8, 12, 24], "S": [1, 2], "s": [1, 2]},
        tight=None
        if request.sequent("less").holds({"K": 1, "m": 1, "L": 4, "S": 1, "s": 1})
        else Better("equality at `K == m == S == s == 1`, `sqrt(T) == 4`", Verdict.CHECKED),
    )
