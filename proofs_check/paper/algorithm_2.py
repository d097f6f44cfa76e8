"""Algorithm 2, ALG_det: explore in mK steps, then plan.

Stated (label alg:alg_det). For every action x and y = 1 .. m: choose x, observe and store h_x(y). Then plan
an optimal policy for the remaining T - mK timesteps, from the state (K, .., K), and play it.

Shown, for all K and m: action x is played in the steps (x - 1)m + 1 .. xm, the y-th of them with tally y, and
the last m steps play K. For T < mK there is no "remaining" time: T >= mK is needed, and not said.
"""

from __future__ import annotations

from proofs_check.claim import Outcome, Request, claim
from proofs_check.proving import Proof, Setting

WHERE = "Algorithm 2 (alg:alg_det)"
EXPLORATION = {"explore(m, t)": "1 + quotient(t - 1, m)"}


@claim(
    "algorithm-2",
    statement=(
        "The first mK steps query every h_x(y), (x, y) in X x {1, .., m}, step (x - 1)m + y being the one, "
        "and end in the state (K, .., K) from which the plan starts: {stated}."
    ),
    where=WHERE,
    formulas={
        "when": "(x - 1) * m + y",
        "tally": "count(explore(m), x, when) - count(explore(m), x, when - m)",
        "stated": "explore(m, when) == x and tally == y and explore(m, (K - 1) * m + y) == K",
    },
    domain={"memory": "m >= 1", "row": "1 <= x <= K", "column": "1 <= y <= m"},
    integers="K m x y",
    setting=Setting(define=EXPLORATION),
    symbols={"x": "an action", "y": "a tally"},
    model={"K": 2, "m": 2, "x": 2, "y": 1},
)
def algorithm_2(request: Request) -> Outcome:
    """Count the plays of the exploration, block by block."""
    p = request.proof()
    blocks(p)
    return request.conclude(
        p.shown(),
        method="the blocks of the exploration, by induction",
        box={"K": range(1, 5), "m": range(1, 5), "x": range(1, 5), "y": range(1, 5)},
        remarks=("The algorithm needs T >= mK, which the paper does not say.",),
    )


def blocks(p: Proof) -> None:
    """Block x plays x m times; before it, x was not played; its y-th play has tally y."""
    p.have("explore(m, (z - 1) * m + i) == z", all="z i", given=["1 <= i <= m"])
    p.have("implies(t <= (z - 1) * m, explore(m, t) < z)", all="z t", given=["t >= 1"])
    p.induct("t", "implies(t <= (z - 1) * m, count(explore(m), z, t) == 0)", all="z")
    p.induct("i", "implies(z >= 1, count(explore(m), z, (z - 1) * m + i) == i)", all="z", upto="m")
