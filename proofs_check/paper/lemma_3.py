"""Lemma 3: some sqrt(T)-cyclic policy is nearly optimal.

The *gap* is T mu(pi*) - OPT_T, L = sqrt(T). The mean mu belongs to the second period; all later ones agree
for m <= L + 1 (`lemma-2`).
"""

from proofs_check.bounds import LEMMA_3_SHARP
from proofs_check.computations.cyclic_gap import gap_of, rested
from proofs_check.stating import Better, Outcome, Proof, Request, Setting, claim, weakest

WHERE = "Lemma 3 (lem:cyclic_approx_well)"
SETTING = Setting(
    define={
        "always(x, t)": "x",
        "needle(m, x, y)": "0 if x == 1 and y == m else 1",
        "costly(m, x, y)": "1 if x == 1 and y == m else 0",
        "block_loss(a, h, m, L, j)": "total(a, (j + 1) * L) - total(a, j * L)",
        "cheapest(a, h, m, L)": "least(lambda j: block_loss(a, L, j), 0, L - 1)",
        "repeated(a, p, L, t)": "a(p + t - L * quotient(t - 1, L))",
    }
)
HORIZONS = {"actions": "K >= 1", "memory": "m >= 1", "period": "L >= 1"}
MODEL = {"K": 2, "m": 2, "L": 2, "h": [[0, 1], [1, "1/2"]]}


def picture(path: str) -> None:
    """The largest gap over all tables, by size and period."""
    from proofs_check.pictures.constants import draw_box

    draw_box("lemma-3", path)


@claim(
    "lemma-3",
    statement="The best sqrt(T)-cyclic policy loses at most (m + 1) sqrt(T) more than OPT_T: {stated}.",
    picture=picture,
    formulas={
        "gap": "L * L * mu(L) - OPT(L * L)",
        "stated": "gap <= (m + 1) * L",
        "sharp": "gap <= (m - 1) * L",
    },
    domain={**HORIZONS, "losses": "table(h)"},
    setting=SETTING,
    model=MODEL,
    uses=("lemma-3/attained", "lemma-3/first-execution"),
)
def lemma_3(request: Request) -> Outcome:
    """Repeat the block of an optimal sequence that loses least."""
    shown, sharp = (_repeat_the_best_block(request.proof(name)).shown() for name in ("stated", "sharp"))
    attained = request.result("lemma-3/attained").outcome.verdict
    example = gap_of(rested(2, 2), 3)
    return request.conclude(
        shown,
        tight=Better(
            f"`{LEMMA_3_SHARP}`; attained for every `K >= m` and `sqrt(T) == q * m - 1` (claim "
            "lemma-3/attained)",
            weakest(sharp.verdict, attained),
            example.witness(),
        )
        if example.confirmed()
        else None,
    )


def _repeat_the_best_block(p: Proof) -> Proof:
    """The block of best(L * L) that loses least, again and again."""
    place = "cheapest(best(L * L), L)"
    least = f"block_loss(best(L * L), L, {place})"
    p.have(f"0 <= {place} <= L - 1")
    p.have(f"{least} <= block_loss(best(L * L), L, j)", all="j", given=["0 <= j <= L - 1"])
    p.induct("j", f"j * {least} <= total(best(L * L), j * L)", upto="L")
    p.have(f"L * {least} <= OPT(L * L)")
    b = f"repeated(best(L * L), {place} * L, L)"
    p.have("quotient(i - 1, L) == 0 and quotient(L + i - 1, L) == 1", all="i", given=["1 <= i <= L"])
    p.have(f"{b[:-1]}, L + i) == best(L * L, {place} * L + i)", all="i", given=["1 <= i <= L"])
    p.have(f"{b[:-1]}, i + L) == {b[:-1]}, i)", all="i", given=["1 <= i <= L"])
    p.have(f"1 <= {b[:-1]}, i) <= K", all="i")
    p.use("lemma-3/first-execution", "sharp", a="best(L * L)", b=b, p=f"{place} * L", q="L", n="L")
    p.have(f"total({b}, 2 * L) - total({b}, L) <= {least} + m - 1")
    p.have(f"L * mu(L) <= {least} + m - 1")
    p.have(f"L * (L * mu(L)) <= L * {least} + L * (m - 1)")
    p.have("L * L * mu(L) <= OPT(L * L) + (m - 1) * L")
    return p


@claim(
    "lemma-3/attained",
    statement="(not in the paper) For h(1) = 0, h(y) = 1 for y >= 2 on m actions, all others 1: {stated}.",
    formulas={"stated": "L * L * mu(L) - OPT(L * L) == (m - 1) * L"},
    domain={**HORIZONS, "enough": "K >= m", "multiple": "L == q * m - 1"},
    setting=Setting(define={"rested(m, x, y)": "0 if x <= m and y == 1 else 1"}, h="rested(m)"),
    symbols={"q": "a number of turns"},
    model={"K": 2, "m": 2, "L": 3, "q": 2},
)
def attained(request: Request) -> Outcome:
    """Count the steps of a period at which an action was not played for m - 1 steps; compute small gaps."""
    return request.conclude(
        request.argue(
            "An action has tally 1 only m or more steps after its last turn, and its distances sum to "
            "L = qm - 1 in a period: that happens at most q - 1 times.",
            "So a period of any word loses at least L - m(q - 1) = m - 1, and some word loses no more; m "
            "actions in turn lose nothing.",
        ),
    )
