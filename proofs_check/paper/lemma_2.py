"""Lemma 2: the count N_xy of a cyclic policy is well defined.

N_xy is what the last period loses on the table that is 1 at (x, y) and 0 elsewhere, L = sqrt(T).
"""

from proofs_check.stating import Better, Outcome, Proof, Request, Setting, claim, weakest

SETTING = Setting(
    define={
        "after(c, b, p, t)": "c(t) if t <= p else b(t - p)",
        "repeated(w, L, t)": "w(t - L * quotient(t - 1, L))",
        "always(x, t)": "x",
        "spot(p, q, x, y)": "1 if x == p and y == q else 0",
    }
)
POLICY = "repeated(w, L)"
PLAYED = f"after(c, {POLICY}, p)"
LAST_TWO = "p + (n - 1) * L"  # the steps before the last two periods


@claim(
    "lemma-2",
    statement="If m <= sqrt(T), then N_xy of a sqrt(T)-cyclic policy is well defined for any n, and "
    "independent of any action sequence played before: on the table that is 1 at (x, y) and 0 elsewhere, "
    "and on any other, {stated}.",
    where="Lemma 2 (lem:N_welldef)",
    formulas={
        "same": f"total({PLAYED}, p + (n + 1) * L) - total({PLAYED}, p + n * L) "
        f"== total({POLICY}, 2 * L) - total({POLICY}, L)",
        "stated": "same",
        "exact": "implies(m <= L + 1, same)",
        "needed": "implies(m >= L + 2, "
        "total(always(1), spot(1, L + 1), m, 2 * L) - total(always(1), spot(1, L + 1), m, L) == 1 and "
        "total(always(1), spot(1, L + 1), m, 1 + 2 * L) == total(always(1), spot(1, L + 1), m, 1 + L))",
    },
    domain={"least": "m >= 1", "period": "L >= 1", "memory": "m <= L", "past": "p >= 0", "periods": "n >= 1"},
    setting=SETTING,
    symbols={
        "p": "the length of the past",
        "n": "the number of periods before the last one",
        "c": "c(t), the actions of the past",
        "w": "w(t), the actions of the policy in its first period",
    },
    model={"m": 2, "L": 2, "p": 1, "n": 2, "c": [2], "w": [1, 2], "h": [[0, 1], [1, 0]]},
)
def lemma_2(request: Request) -> Outcome:
    """Show that windows stay in two periods, for all words, pasts and n; evaluate some of them."""
    shown = _windows(request.proof()).shown()
    exact = _windows(request.proof("exact", without=("memory",))).shown()
    needed = request.proof("needed", without=("memory",))
    needed.induct("t", "count(always(1), 1, t) == t")
    spot = "spot(1, L + 1), m"
    needed.induct("t", f"implies(m >= L + 2, total(always(1), {spot}, t) == (1 if t >= L + 1 else 0))")
    return request.conclude(
        shown,
        tight=Better(
            "`m <= sqrt(T) + 1`, exactly; a constant word shows it, whatever K",
            weakest(exact.verdict, needed.shown().verdict),
        ),
    )


def _windows(p: Proof) -> Proof:
    """The last two periods play what the first two of the policy alone play, and lose the same in the end."""
    p.have("quotient(t + L, L) == quotient(t, L) + 1", all="t")
    p.have("repeated(w, L, t + L) == repeated(w, L, t)", all="t", hints=["quotient(t - 1, L)"])
    p.induct("j", "repeated(w, L, t + j * L) == repeated(w, L, t)", all="t")
    p.have(
        f"after(c, {POLICY}, p, {LAST_TWO} + i) == repeated(w, L, i)",
        all="i",
        given=["i >= 1"],
        hints=["repeated(w, L, i + (n - 1) * L)"],
    )
    counted = f"count({PLAYED}, x, {LAST_TWO} + i) - count({PLAYED}, x, {LAST_TWO})"
    p.induct("i", f"{counted} == count({POLICY}, x, i)", all="x")
    lost = f"total({PLAYED}, {LAST_TWO} + i) - total({PLAYED}, {LAST_TWO} + L)"
    reach = f"implies(m <= L + 1, {lost} == total({POLICY}, i) - total({POLICY}, L))"
    p.induct("i", reach, start="L", upto="2 * L")
    return p
