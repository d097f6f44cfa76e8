"""Lemma 4: what Algorithm 1 loses beyond T mu(pi*), line by line, in units of Km sqrt(T)."""

from proofs_check.balls import decimal
from proofs_check.stating import Better, Outcome, Request, Setting, claim
from tallyplan.formula import Formula

WHERE = "Lemma 4 (lem:main_regret_helper)"
PROOF = "Lemma 4, proof (eqn:help5)"
STATED = Formula("K * m * sqrt(T) * (5 * S + 400 * sqrt(log(2 * K * m * log(T) / delta)))")
SHARP = Formula(
    "32 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta)) + 4 * K * m * sqrt(T)"
    " + (S - 1) * K * m * (m - 1)"
)


@claim(
    "lemma-4",
    statement="With probability at least 1 - delta, {stated}.",
    formulas={"stated": f"loss - T * mu <= {STATED}", "sharp": f"loss - T * mu <= {SHARP}"},
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "probability": "0 < delta and delta < 1",
        "epochs": "S >= 1",
        "filled": "sqrt(T) == 4 * K * m * (2**S - 1)",
    },
    assuming=("on the event of Lemma 7, of probability at least 1 - delta",),
    uses=("lemma-4/constant", "lemma-4/log-t", "lemma-5"),
)
def lemma_4(request: Request) -> Outcome:
    """Add up the epochs: the first one, what Lemma 5 says of the others, and the sum of their widths."""
    first = "The first epoch has `4 * K * m * sqrt(T)` steps, each of which loses at most 1."
    sharp = request.argue(
        first,
        "Each of the `S - 1` others costs `K * m * (m - 1)` and its widths (lemma-5, sharp), which add up to "
        "`32 * (2 + sqrt(2)) * K * m * sqrt(T)` times the root.",
        name="sharp",
        on=("lemma-4/constant", "lemma-5"),
    )
    return request.conclude(
        request.argue(
            first,
            "Each of the `S - 1` others costs `K * m * sqrt(T)` and its widths (lemma-5), which add up to "
            "`400 * K * m * sqrt(T)` times the root with S; and `4 + (S - 1) <= 5 * S`, `S <= log(T)`.",
            on=("lemma-4/constant", "lemma-4/log-t", "lemma-5"),
        ),
        remarks=(
            "The first '=' of the proof needs S to be an integer; else it is '<=', over floor(S) epochs.",
            "For `S < 1` nothing is played: the left side is at most 0, the right side positive.",
            "For `T == 1` the right side is not defined: it holds the logarithm of `log(1) == 0`.",
        ),
        tight=Better(f"`{SHARP}`", sharp.verdict),
    )


ROOTS = Setting(define={"geometric(n)": "sum(power(sqrt(2), s) for s in between(2, n))"})


@claim(
    "lemma-4/geometric-sum",
    statement="64 times the sum of `2**(s / 2)` over s = 2..S satisfies {stated}.",
    where=PROOF,
    formulas={
        "stated": "64 * geometric(S) <= 400 * power(sqrt(2), S)",
        "sharp": "64 * geometric(S) < 64 * (2 + sqrt(2)) * power(sqrt(2), S)",
    },
    domain={"epochs": "S >= 1"},
    setting=ROOTS,
    model={"S": 2},
)
def geometric_sum(request: Request) -> Outcome:
    """The closed form by induction on S; `64 * (2 + sqrt(2))` is its limit, so no smaller factor will do."""
    for name in ("sharp", "stated"):
        p = request.proof(name)
        p.induct("s", "power(sqrt(2), s) > 0")
        p.induct("s", "(sqrt(2) - 1) * geometric(s) == sqrt(2) * power(sqrt(2), s) - 2", start=1)
        shown = p.shown()
    limit, sharp = Formula("64 * (2 + sqrt(2))"), request.shown["sharp"].verdict
    return request.conclude(
        shown, tight=Better(f"`{limit}` = {decimal(limit)}, the supremum, not attained", sharp)
    )


@claim(
    "lemma-4/constant",
    statement="8Km sum_(s=2..S) n_s sqrt(T) C_(s-1) is at most "
    "`400 * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta))`; as C_(s-1) `2**(s / 2)` does not depend on "
    "s and sqrt(T) = 4Km(u**2 - 1), that is {stated}.",
    where=PROOF,
    formulas={
        "widths": "64 * (sqrt(2) * u - 2)",
        "stated": "widths <= 400 * (sqrt(2) - 1) * 2 * sqrt(u * u - 1)",
        "sharp": "widths <= 32 * (2 + sqrt(2)) * (sqrt(2) - 1) * 2 * sqrt(u * u - 1)",
    },
    domain={"epochs": "u >= sqrt(2)"},
    setting=Setting(variables="u real"),
    symbols={"u": "the number `2**(S / 2)`"},
    model={"u": 100},
    uses=("lemma-4/geometric-sum",),
)
def constant(request: Request) -> Outcome:
    """The closed form of the sum (lemma-4/geometric-sum); `u - sqrt(2) <= sqrt(u**2 - 1)`."""
    for name in ("sharp", "stated"):
        p = request.proof(name)
        p.have("u * u >= 2")
        p.have("u - sqrt(2) <= sqrt(u * u - 1)")
        p.have("(2 + sqrt(2)) * (sqrt(2) - 1) == sqrt(2)")
        p.have("sqrt(2) * u - 2 <= sqrt(2) * sqrt(u * u - 1)")
        shown = p.shown()
    request.result("lemma-4/geometric-sum")
    least, narrow = Formula("32 * (2 + sqrt(2))"), Formula("4 * (2 + sqrt(2))")
    return request.conclude(
        shown,
        remarks=(f"With `1 / 2` for 32 in C_s (lemma-7/hoeffding) it is `{narrow}` = {decimal(narrow)}.",),
        tight=Better(
            f"`{least}` = {decimal(least)}; as u grows, no smaller constant", request.shown["sharp"].verdict
        ),
    )
