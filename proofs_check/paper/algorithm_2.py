"""Algorithm 2, ALG_det: explore in mK steps, then plan; and what any play pays for the cells it meets."""

from proofs_check.stating import Outcome, Proof, Request, Setting, claim

WHERE = "Algorithm 2 (alg:alg_det)"
EXPLORATION = {
    "explore(m, t)": "1 + quotient(t - 1, m)",
    "spent(h, x, n)": "sum(h(x, y) for y in between(1, n))",
    "whole(h, m, x)": "sum(spent(z, m) for z in between(1, x))",
}
MET = {
    **EXPLORATION,
    "met(a, h, t, x)": "sum(spent(z, count(a, z, t)) for z in between(1, x))",
    "played(a, t, x)": "sum(count(a, z, t) for z in between(1, x))",
}


@claim(
    "algorithm-2",
    statement="The first mK steps query every h_x(y), (x, y) in X x {1, .., m}, step (x - 1)m + y being the "
    "one, and end in the state (K, .., K) from which the plan starts: {stated}. So they lose every h_x(y) "
    "once: {loses}.",
    formulas={
        "when": "(x - 1) * m + y",
        "tally": "count(explore(m), x, when) - count(explore(m), x, when - m)",
        "stated": "explore(m, when) == x and tally == y and explore(m, (K - 1) * m + y) == K",
        "loses": "total(explore(m), x * m) == whole(x)",
    },
    domain={"memory": "m >= 1", "row": "1 <= x <= K", "column": "1 <= y <= m"},
    setting=Setting(define=EXPLORATION),
    model={"K": 2, "m": 2, "x": 2, "y": 1, "h": [[0, 1], [1, "1/2"]]},
)
def algorithm_2(request: Request) -> Outcome:
    """Count the plays of the exploration, block by block."""
    shown, loses = (
        _blocks(request.proof()).shown(),
        _blocks(request.proof("loses", without=("row", "column"))),
    )
    cell = ["1 <= i <= m", "z >= 1"]
    loses.have("loss(explore(m), (z - 1) * m + i) == h(z, i)", all="z i", given=cell)
    block = "total(explore(m), (z - 1) * m + i) == total(explore(m), (z - 1) * m) + spent(z, i)"
    loses.induct("i", f"implies(z >= 1, {block})", all="z", upto="m")
    loses.induct("z", "total(explore(m), z * m) == whole(z)")
    loses.shown()
    return request.conclude(
        shown,
        remarks=("The algorithm needs T >= mK, which the paper does not say.",),
    )


def _blocks(p: Proof) -> Proof:
    """Block x plays x m times; before it, x was not played; its y-th play has tally y."""
    p.have("explore(m, (z - 1) * m + i) == z", all="z i", given=["1 <= i <= m"])
    p.have("implies(t <= (z - 1) * m, explore(m, t) < z)", all="z t", given=["t >= 1"])
    p.induct("t", "implies(t <= (z - 1) * m, count(explore(m), z, t) == 0)", all="z")
    seen = "count(explore(m), z, (z - 1) * m"
    p.have(f"{seen} + i) == {seen} + i - 1) + 1", all="z i", given=["1 <= i <= m", "z >= 1"])
    p.have(f"implies(z >= 1, {seen}) == 0)", all="z")
    p.induct("i", f"implies(z >= 1, {seen} + i) == i)", all="z", upto="m", hints=["(z - 1) * m + i"])
    return p


@claim(
    "proposition-1-upper/cells",
    statement="(not in the paper) All cells lose at most mK - m more than a play in its first m steps: "
    "{stated}.",
    where="Proposition 1, upper bound (prop1)",
    formulas={"stated": "whole(K) <= total(a, m) + m * K - m"},
    domain={"actions": "K >= 1", "memory": "m >= 1", "losses": "table(h)", "play": "plays(a, m)"},
    setting=Setting(define=MET),
    model={"K": 2, "m": 2, "a": [1, 2], "h": [[0, 1], [1, "1/2"]]},
)
def cells(request: Request) -> Outcome:
    """In its first m steps a play meets the cells (x, 1), (x, 2), .. of each action, m in all."""
    p = request.proof()
    p.induct("t", "0 <= count(a, x, t) <= t", all="x")
    new = "spent(x, count(a, x, t)) - spent(x, count(a, x, t - 1))"
    p.have(f"{new} == (h(x, count(a, x, t)) if a(t) == x else 0)", all="x t", given=["t >= 1"])
    more = "(h(a(t), count(a, a(t), t)) if a(t) <= x else 0)"
    p.induct("x", f"implies(1 <= t and t <= m, met(a, t, x) == met(a, t - 1, x) + {more})", all="t")
    p.have("spent(x, count(a, x, 0)) == 0 and count(a, x, 0) == 0", all="x")
    p.induct("x", "met(a, 0, x) == 0")
    p.induct("x", "played(a, 0, x) == 0")
    p.induct("t", "total(a, t) == met(a, t, K)", upto="m")
    one = "(1 if a(t) <= x else 0)"
    p.induct("x", f"implies(1 <= t and t <= m, played(a, t, x) == played(a, t - 1, x) + {one})", all="t")
    p.induct("t", "played(a, t, K) == t", upto="m")
    kept = "spent(x, n + i) <= spent(x, n) + i"
    p.induct("i", f"implies(1 <= x and x <= K and n >= 0 and n + i <= m, {kept})", all="x n")
    p.have("spent(x, m) <= spent(x, count(a, x, m)) + m - count(a, x, m)", all="x", given=["1 <= x <= K"])
    p.induct("x", "whole(x) <= met(a, m, x) + m * x - played(a, m, x)", upto="K")
    return request.conclude(p.shown())
