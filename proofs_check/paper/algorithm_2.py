"""Algorithm 2, ALG_det: explore in mK steps, then plan."""

from proofs_check.stating import Outcome, Proof, Request, Setting, claim

WHERE = "Algorithm 2 (alg:alg_det)"
EXPLORATION = {
    "explore(m, t)": "1 + quotient(t - 1, m)",
    "spent(h, x, n)": "sum(h(x, y) for y in between(1, n))",
    "whole(h, m, x)": "sum(spent(z, m) for z in between(1, x))",
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
    p.induct("i", "implies(z >= 1, count(explore(m), z, (z - 1) * m + i) == i)", all="z", upto="m")
    return p
