"""Lemma 3, the steps: a block after another past, a cyclic word from the start, and the gap from below."""

from proofs_check.boxes import needle
from proofs_check.computations.cyclic_gap import gap_of
from proofs_check.paper.definition_1 import TWO_SEQUENCES
from proofs_check.paper.lemma_3 import HORIZONS, MODEL, SETTING
from proofs_check.stating import Better, Outcome, Proof, Request, claim, weakest

WHERE = "Lemma 3 (lem:cyclic_approx_well), proof"


@claim(
    "lemma-3/first-execution",
    statement="The first execution of pi, from any state, loses at most m more than the block that it "
    "repeats. If b plays after q steps what a plays after p steps, for n steps, {stated}.",
    formulas={
        "after_q": "total(b, q + n) - total(b, q)",
        "after_p": "total(a, p + n) - total(a, p)",
        "stated": "after_q <= after_p + m",
        "sharp": "after_q <= after_p + min(n, m - 1)",
        "attained": "total(always(1), needle(m), m, n) == min(n, m - 1) "
        "and total(always(1), needle(m), m, m - 1 + n) == total(always(1), needle(m), m, m - 1)",
    },
    domain={
        "memory": "m >= 1",
        "pasts": "p >= 0 and q >= 0 and n >= 0",
        "losses": "table(h)",
        "play": "plays(a, p + n)",
        "same": "all(b(q + i) == a(p + i) for i in between(1, n))",
    },
    setting=SETTING,
    symbols={**TWO_SEQUENCES, "n": "the number of steps of the window, which is the block"},
    uses=("definition-1",),
    model={"K": 2, "m": 2, "n": 2, "p": 2, "q": 0, "a": [1, 2], "b": [1, 2], "h": [[0, 1], [1, "1/2"]]},
)
def first_execution(request: Request) -> Outcome:
    """From the m-th step on the windows agree; a step before that costs at most 1 more."""
    shown, sharp = (_alike(request.proof(name)).shown() for name in ("stated", "sharp"))
    attained = request.proof("attained", without=("losses", "play", "same"))
    attained.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
    attained.induct("t", "total(always(1), needle(m), m, t) == min(t, m - 1)")
    return request.conclude(
        shown,
        remarks=("In the displayed lines the losses l_k(pi) should be l_t(pi), a slip of the index.",),
        tight=Better(
            f"`{request.formulas.sharp}`; attained for all K, m and n by `h_1(m) == 0`, every other loss 1: "
            "x_1, .., x_1 loses that from the start, and nothing after itself",
            weakest(sharp.verdict, attained.shown().verdict),
        ),
    )


def _alike(p: Proof) -> Proof:
    """Counts, then losses, of n steps after two histories."""
    p.use("definition-1", "bounded")
    counted = "count(b, x, q + i) - count(b, x, q) == count(a, x, p + i) - count(a, x, p)"
    p.induct("i", counted, upto="n", all="x")
    p.have("b(q + i) == a(p + i) and 1 <= a(p + i) <= K", all="i", given=["1 <= i <= n"])
    p.have("loss(b, q + i) == loss(a, p + i)", all="i", given=["m <= i <= n"])
    p.have("loss(b, q + i) <= 1 and loss(a, p + i) >= 0", all="i", given=["1 <= i <= n"])
    lost = "total(b, q + i) - total(b, q) <= total(a, p + i) - total(a, p)"
    p.induct("i", f"{lost} + min(i, m - 1)", upto="n")
    return p


@claim(
    "lemma-3/steady-state",
    statement="For a cyclic w, T mu(w) is at most sqrt(T) above what w loses from the start: {stated}.",
    formulas={
        "period_loss": "total(w, 2 * L) - total(w, L)",
        "stated": "L * (period_loss) <= total(w, L * L) + L",
        "sharp": "total(w, L * L) - (m - 1) <= L * (period_loss) <= total(w, L * L) + (m - 1)",
        "attained": "L * (total(always(1), costly(m), m, 2 * L) - total(always(1), costly(m), m, L)) "
        "== total(always(1), costly(m), m, L * L) + (m - 1)",
    },
    domain={
        **HORIZONS,
        "well_defined": "m <= L + 1",
        "losses": "table(h)",
        "play": "plays(w, L + L * L)",
        "cyclic": "all(w(L + t) == w(t) for t in between(1, L * L))",
    },
    setting=SETTING,
    symbols={"w": "w(t), the actions of the policy"},
    model={**MODEL, "w": [1, 2]},
    uses=("lemma-3/first-execution",),
)
def steady_state(request: Request) -> Outcome:
    """Every period but the first loses the same; T steps, one period later, differ by m - 1 at most."""
    shown, sharp = (_one_period_later(request.proof(name)).shown() for name in ("stated", "sharp"))
    attained = request.proof("attained", without=("losses", "play", "cyclic"))
    attained.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
    attained.induct("t", "total(always(1), costly(m), m, t) == max(t - (m - 1), 0)")
    attained.have("L * L >= m - 1")
    return request.conclude(
        shown,
        tight=Better(
            f"`{request.formulas.sharp}`; attained by always `x_1` for `h_1(m) == 1`, every other loss 0",
            weakest(sharp.verdict, attained.shown().verdict),
        ),
    )


def _one_period_later(p: Proof) -> Proof:
    """The losses of period j + 1 are those of period 2; and T steps are compared with T steps later."""
    p.induct("i", "count(w, x, L + i) - count(w, x, L) == count(w, x, i)", upto="L * L", all="x")
    p.have("loss(w, L + i) == loss(w, i)", all="i", given=["m <= i <= L * L"])
    p.induct("i", "total(w, L + i) - total(w, i) == total(w, 2 * L) - total(w, L)", start="L", upto="L * L")
    p.have("(L - 1 - j) * L >= 0", all="j", given=["0 <= j <= L - 1"])
    p.have("L + j * L <= L * L", all="j", given=["0 <= j <= L - 1"])
    later = "total(w, 2 * L + j * L) - total(w, L + j * L) == total(w, 2 * L) - total(w, L)"
    p.have(later, all="j", given=["0 <= j <= L - 1"])
    p.induct("j", "total(w, L + j * L) - total(w, L) == j * (total(w, 2 * L) - total(w, L))", upto="L")
    p.have("total(w, L + L * L) - total(w, L) == L * (total(w, 2 * L) - total(w, L))")
    p.use("lemma-3/first-execution", "sharp", a="w", b="w", p="0", q="L", n="L * L")
    p.use("lemma-3/first-execution", "sharp", a="w", b="w", p="L", q="0", n="L * L")
    return p


@claim(
    "lemma-3/lower-end",
    statement="(not in the paper: the lower end of the same range) {stated}, L = sqrt(T).",
    formulas={
        "gap": "L * L * mu(L) - OPT(L * L)",
        "stated": "gap >= -(m - 1)",
        "attained": "L * L * mu(needle(m), K, m, L) - OPT(needle(m), K, m, L * L) == -(m - 1)",
    },
    domain={**HORIZONS, "well_defined": "m <= L + 1", "losses": "table(h)"},
    setting=SETTING,
    model=MODEL,
    uses=("lemma-3/steady-state", "proposition-1-lower/optimum"),
)
def lower_end(request: Request) -> Outcome:
    """The best cyclic policy from the empty history; and a table on which every play loses m - 1 at first."""
    p = request.proof()
    p.use("lemma-3/steady-state", "sharp", w="cycle(L)")
    p.have("total(cycle(L), L * L) - (m - 1) <= L * (L * mu(L))")
    p.have("OPT(L * L) <= total(cycle(L), L * L)")
    shown = p.shown()
    q = request.proof("attained", without=("losses",))
    q.use("proposition-1-lower/optimum", T="L * L")
    q.have("OPT(needle(m), K, m, L * L) == m - 1")
    q.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
    q.induct("t", "total(always(1), needle(m), m, t) == min(t, m - 1)")
    least = "cycle(needle(m), K, m, L), needle(m), m"
    q.induct("t", f"total({least}, L + t) >= total({least}, L)")
    q.have("L * mu(needle(m), K, m, L) == 0")
    example = gap_of(needle(2, 2), 2)
    return request.conclude(
        shown,
        tight=Better(
            "`-(m - 1)`; attained for all K, m and T by `h_1(m) == 0`, every other loss 1",
            q.shown().verdict,
            example.witness(),
        )
        if example.confirmed()
        else None,
    )
