"""Algorithm 2, ALG_det: explore in mK steps, then plan.

Stated (label alg:alg_det). For every action x and y = 1 .. m: choose x, observe and store h_x(y). Then plan
an optimal policy for the remaining T - mK timesteps, from the state (K, .., K), and play it.

Shown, for all K and m, by induction on the counts of the exploration (`proposition_1.exploration`): action x
is played in the steps (x - 1)m + 1 .. xm, the y-th of them with tally y, and the last m steps play K. For T <
mK there is no "remaining" time: T >= mK is needed, and not said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import first_failing
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.computations.alg_det import exploration
from proofs_check.paper.proposition_1.exploration import VARIABLES, E, tally_steps
from proofs_check.ways.for_all import for_all
from proofs_check.witness import Witness
from tallyplan.formula import Formula

WHERE = "Algorithm 2 (alg:alg_det)"
SIZES = [(K, m) for K in range(1, 6) for m in range(1, 6)]


@dataclass(frozen=True)
class Cell:
    """One cell, and an exploration that should meet it."""

    actions: int
    memory: int
    row: int
    column: int
    explored: Sequence[int]

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here; actions are numbered from 1."""
        sizes = {"K": self.actions, "m": self.memory, "x": self.row, "y": self.column}
        return formula.holds(**sizes, e=self._action, e_count=self._count)

    def _action(self, t: Fraction) -> int:
        return self.explored[int(t) - 1] + 1

    def _count(self, x: Fraction, t: Fraction) -> int:
        return list(self.explored[: int(t)]).count(int(x) - 1)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"K": self.actions, "m": self.memory, "x": self.row, "y": self.column})

    def confirmed(self) -> bool:
        """By the definitions, no step meets the cell, or the last m steps do not all play K."""
        m = self.memory
        met = {(x + 1, definitions.tally(self.explored, t, m)) for t, x in enumerate(self.explored)}
        return (self.row, self.column) not in met or list(self.explored[-m:]) != [self.actions - 1] * m


@claim(
    "algorithm-2",
    statement=(
        "The first mK steps query every h_x(y), (x, y) in X x {1, .., m}, step (x - 1)m + y being the one, "
        "and end in the state (K, .., K) from which the plan starts: {stated}."
    ),
    where=WHERE,
    formulas={
        "when": "x * m - m + y",
        "tally": "e_count(x, when) - e_count(x, max(when - m, 0))",
        "stated": "e(when) == x and tally == y and e(m * K - m + y) == K",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "row": "1 <= x and x <= K",
        "column": "1 <= y and y <= m",
    },
    integers="K m x y",
    symbols={
        "e": "e(t), the action of step t of the exploration",
        "e_count": "e_count(x, t), how often x is among its first t actions",
        "x": "an action",
        "y": "a tally",
    },
)
def algorithm_2(request: Request) -> Outcome:
    """Count the plays of the exploration, for all K and m, by induction; go through it for small ones."""
    f = request.formulas
    cells = [
        Cell(K, m, x, y, exploration(K, m))
        for K, m in SIZES
        for x in range(1, K + 1)
        for y in range(1, m + 1)
    ]
    counted = tally_steps(f.memory)
    stated = for_all(
        VARIABLES,
        given=[*request.domain, counted[-1].at(), E.explores("x", "y"), E.explores("K", "y")],
        then=f.stated,
    )
    return request.conclude(
        request.show("stated", [*counted, stated]),
        method="induction on the blocks, z3; the exploration gone through on a box",
        cases=len(cells),
        checked_on="K, m <= 5",
        violation=first_failing(cells, f.stated),
    )


@dataclass(frozen=True)
class Horizon:
    """Sizes and a horizon."""

    K: int
    m: int
    T: int

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(K=self.K, m=self.m, T=self.T)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"K": self.K, "m": self.m, "T": self.T})

    def confirmed(self) -> bool:
        """The exploration is longer than the horizon."""
        return len(exploration(self.K, self.m)) > self.T


@claim(
    "algorithm-2/horizon",
    statement=(
        "For any memory m, number of actions K and horizon T there are {remaining} steps left to plan: "
        "{stated}."
    ),
    where=WHERE,
    formulas={
        "remaining": "T - m * K",
        "stated": "remaining >= 0",
        "enough": "T >= m * K",
        "exactly": "(stated) == (enough)",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 1"},
    integers="K m T",
)
def horizon(request: Request) -> Outcome:
    """Look for the smallest K, m and T at which fewer than 0 steps are left."""
    f = request.formulas
    box = [Horizon(K, m, T) for K in range(1, 4) for m in range(1, 4) for T in range(1, 10)]
    inside = [one for one in box if all(one.satisfies(formula) for formula in request.domain)]
    step = for_all("K m T integer", given=request.domain, then=f.exactly)
    exactly = request.show("exactly", [step])
    return request.conclude(
        None,
        method="search over K, m, T, and z3 for all of them",
        cases=len(inside),
        checked_on="K, m <= 3, T <= 9",
        violation=first_failing(inside, f.stated),
        remarks=(step,),
        tight=Tight(f"{f.enough}, exactly", exactly.verdict),
        repair=Repair(f"ALG_det is defined for {f.enough} (the paper does not say so).", exactly.verdict),
    )
