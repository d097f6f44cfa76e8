"""Lemma 8: the best cyclic policy is never eliminated."""

from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim

SETTING = Setting(
    variables="member(integer, integer) chosen(integer) integer; star integer; "
    "hat(integer, integer) loss_of(integer) C(integer) real"
)
ELIMINATION = {  # of the policies 1..n, in the epochs 1..S
    "policies": "1 <= star <= n",
    "event": "all(implies(member(i, j) == 1, abs(hat(i, j) - loss_of(i)) <= C(j)) "
    "for j in between(1, S) for i in between(1, n))",
    "least": "all(implies(member(i, j) == 1, 1 <= chosen(j) <= n and member(chosen(j), j) == 1 and "
    "hat(chosen(j), j) <= hat(i, j)) for j in between(1, S) for i in between(1, n))",
    "kept": "all(implies(member(i, j) == 1 and hat(i, j) <= hat(chosen(j), j) + 2 * C(j), "
    "member(i, j + 1) == 1) for j in between(1, S) for i in between(1, n))",
    "dropped": "all(implies(member(i, j + 1) == 1, member(i, j) == 1 and "
    "hat(i, j) <= hat(chosen(j), j) + 2 * C(j)) for j in between(1, S) for i in between(1, n))",
    "everybody": "member(star, 1) == 1",
    "best": "all(loss_of(star) <= loss_of(i) for i in between(1, n))",
}
SYMBOLS = {
    "n": "the number of cyclic policies",
    "member": "member(i, j), 1 if policy i is in A_j, else 0",
    "hat": "hat(i, j), the estimate of policy i in epoch j",
    "loss_of": "loss_of(i), the true loss per step of policy i",
    "chosen": "chosen(j), the policy of A_j with the least estimate",
    "star": "a policy of least true loss",
}
# Two policies of equal loss, and the estimates of the epoch wrong by C in opposite directions.
MODEL = {
    "n": 2,
    "S": 2,
    "star": 1,
    "member": [[1, 1, 1], [1, 1, 1]],
    "hat": [[1, 1, 1], [-1, -1, -1]],
    "loss_of": [0],
    "chosen": [2],
    "C": [1],
}


@claim(
    "lemma-8",
    statement="If the estimates of the policies of A_j are right up to C_j in every epoch j, and A_(j+1) "
    "keeps those whose estimate is at most 2 C_j above the least one, then pi* is in every A_j, and 0 <= "
    "muhat_j(pi*) - muhat_j(pihat_j) <= 2 C_j: {stated}.",
    where="Lemma 8 (lem:pi_star_in_As)",
    formulas={
        "excess": "hat(star, j) - hat(chosen(j), j)",
        "stated": "member(star, j) == 1 and 0 <= excess <= 2 * C(j)",
        "attained": "excess == 2 * C(j)",
    },
    domain={**ELIMINATION, "epoch": "1 <= j <= S"},
    setting=SETTING,
    symbols={**SYMBOLS, "j": "an epoch"},
    model={**MODEL, "j": 2},
)
def lemma_8(request: Request) -> Outcome:
    """By induction on the epochs, as in the paper."""
    p = request.proof()
    p.induct("i", "member(star, i) == 1", start=1, upto="S")
    attained = request.sequent("attained").holds({**MODEL, "j": 1})
    return request.conclude(
        p.shown(),
        remarks=("A smaller threshold eliminates pi* in the case that attains the excess.",),
        tight=Better("`2 * C` is attained, by two policies of equal loss", Verdict.CHECKED)
        if attained
        else None,
    )
