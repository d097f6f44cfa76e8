"""Lemma 5: what an epoch costs."""

from proofs_check.stating import Better, Outcome, Request, claim
from tallyplan.formula import Formula

WHERE = "Lemma 5 (lem:loss_each_s)"
STATED = Formula("K * m * (sqrt(T) + 8 * n * sqrt(T) * C)")  # n = n_s, C = C_(s-1)


@claim(
    "lemma-5",
    statement="With probability at least 1 - delta, for each s = 2..S: {stated}.",
    formulas={
        "bound": STATED.where(n="2**s", C="C(s - 1)"),
        "stated": "cost(s) <= bound",
        "sharp": "cost(s) <= K * m * (m - 1 + 8 * 2**s * sqrt(T) * C(s - 1))",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "filled": "sqrt(T) == 4 * K * m * (2**S - 1)",
        "later": "2 <= s <= S",
    },
    assuming=("on the event of Lemma 7, of probability at least 1 - delta",),
    uses=("lemma-3/first-execution", "lemma-6/chain"),
)
def lemma_5(request: Request) -> Outcome:
    """One execution: its first period, the 2 n_s - 1 later ones, and how far its policy is from pi*."""
    on = ("lemma-3/first-execution", "lemma-6/chain")
    words = (
        "The first period of an execution differs from a later one in its first m - 1 <= sqrt(T) steps only, "
        "by at most 1 each.",
        "Its policy is in A_s, so that a period loses at most 4 C_(s-1) sqrt(T) more than sqrt(T) mu(pi*); "
        "an execution has 2 n_s periods, and an epoch Km executions.",
    )
    sharp = request.argue(*words, name="sharp", on=on)
    return request.conclude(
        request.argue(*words, on=on),
        remarks=(
            "The paper assumes m <= sqrt(T) only; Algorithm 1 fits these horizons (algorithm-1).",
            "In the proof, 'executing the policy for 2 n_s epochs' should read periods.",
        ),
        tight=Better("`m - 1` instead of `sqrt(T)`, attained (claim lemma-3/first-execution)", sharp.verdict),
    )
