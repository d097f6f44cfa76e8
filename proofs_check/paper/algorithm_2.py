"""Algorithm 2, ALG_det: explore in mK steps, then plan.

Stated (label alg:alg_det). For every action x and y = 1 .. m: choose x, observe and store h_x(y). Then plan
an optimal policy for the remaining T - mK timesteps, from the state (K, .., K), and play it.

Shown. Action x is played in the steps (x - 1)m + 1 .. xm and in no earlier one; the y-th of them has all y of
these plays in its window and no other play of x, so its tally is y. After the last m steps the state is (K,
.., K). For T < mK there is no "remaining" time: T >= mK is needed, and not said.
"""

from __future__ import annotations

from proofs_check import definitions
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.computations.alg_det import exploration
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula

WHERE = "Algorithm 2 (alg:alg_det)"
REMAINING = Formula("T - m * K")
SIZES = [(K, m) for K in range(1, 7) for m in range(1, 7)]


@claim(
    "algorithm-2",
    statement=(
        "The first mK steps query every h_x(y), (x, y) in X x {1, .., m}, and end in the state (K, .., K) "
        "from which the plan starts."
    ),
    where=WHERE,
)
def algorithm_2(request: Request) -> Outcome:
    """Count the tallies of the exploration for all K and m; go through it for small ones."""
    failing = next((size for size in SIZES if not _sees_every_cell(*size)), None)
    steps = [
        for_all(
            "x y m s integer",
            given=["m >= 1", "x >= 1", "1 <= y", "y <= m", "(x - 1) * m + 1 <= s", "s <= (x - 1) * m + y"],
            then="s >= (x - 1) * m + y - m + 1",
            words="at its y-th play in a row, the plays of x so far are all in the window, so the tally is y",
        ),
        for_all(
            "x z m s integer",
            given=["m >= 1", "z >= 1", "z < x", "s <= z * m"],
            then="s <= (x - 1) * m",
            words="no earlier step plays x: the plays of z < x end at step zm",
        ),
        for_all(
            "K m s integer",
            given=["m >= 1", "K >= 1", "s >= m * K - m + 1"],
            then="s >= (K - 1) * m + 1",
            words="the last m steps all play the last action",
        ),
    ]
    return Outcome(
        settled(failing, lambda size: not _sees_every_cell(*size), steps),
        "all K and m, T >= mK",
        Evidence("index arithmetic; the exploration gone through for K, m <= 6", len(SIZES), tuple(steps)),
        witness=Witness({"K": failing[0], "m": failing[1]}) if failing else None,
        tight=Tight(
            "every cell exactly once, in mK steps: no shorter exploration sees all mK cells", by_proof(steps)
        ),
    )


@claim(
    "algorithm-2/horizon",
    statement=f"For any memory m, number of actions K and horizon T there are {REMAINING} >= 0 steps left "
    "to plan.",
    where=WHERE,
)
def horizon(request: Request) -> Outcome:
    """Look for the smallest K, m and T at which fewer than 0 steps are left."""
    box = [(K, m, T) for K in range(1, 4) for m in range(1, 4) for T in range(1, 10)]
    failing = next(((K, m, T) for K, m, T in box if REMAINING(K=K, m=m, T=T) < 0), None)
    exactly = [
        for_all("K m T integer", given=["T >= m * K"], then=f"{REMAINING} >= 0"),
        for_all("K m T integer", given=["T < m * K"], then=f"{REMAINING} < 0"),
    ]
    return Outcome(
        after_search(failing, lambda size: size[2] < len(exploration(*size[:2]))),
        "T >= mK",
        Evidence("search over K, m, T, and z3 for all of them", len(box), tuple(exactly)),
        witness=Witness(dict(zip(("K", "m", "T"), failing, strict=True))) if failing else None,
        tight=Tight("T >= mK, exactly", by_proof(exactly)),
        repair=Repair("ALG_det is defined for T >= mK (the paper does not say so).", by_proof(exactly)),
    )


def _sees_every_cell(actions: int, memory: int) -> bool:
    """Do the first mK steps meet every (x, y) once, and end in (K, .., K)?"""
    explored = exploration(actions, memory)
    cells = [(x, definitions.tally(explored, t, memory)) for t, x in enumerate(explored)]
    every_cell = [(x, y) for x in range(actions) for y in range(1, memory + 1)]
    return sorted(cells) == every_cell and explored[-memory:] == [actions - 1] * memory
