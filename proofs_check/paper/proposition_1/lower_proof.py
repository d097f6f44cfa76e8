"""Proposition 1, two steps of the proof of the lower bound: the optimum of the construction, and "K large".

Stated. The optimal policy always plays x* and loses precisely m - 1. And mK/64 - (m - 1) >= mK/128, where K
is larger than some numerical constant.

Shown. The optimum is min(T, m - 1), for all K, m and T, the model being in the formulas (x* is action 1): no
tally of the first m - 1 steps is m, and always x* has tally m from step m on. The inequality holds exactly
for K >= ceil(128 (m - 1)/m), so that 128 will do, and nothing less, for all m.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import first_failing
from proofs_check.boxes import needle as needle_table
from proofs_check.certified import optimum
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Step, conclusions
from proofs_check.ways.for_all import counterexample, for_all, induction
from proofs_check.ways.inductions import loses_on_the_needle, plays_only
from proofs_check.ways.sequences import SIZES, Cyclic, Play, always, needle
from proofs_check.witness import Witness
from tallyplan.formula import Formula

WHERE = "Proposition 1, proof of the lower bound (prop1)"
OPTIMUM = Formula("m - 1")
LARGE_K_EXACT = Formula("ceil(128 * (m - 1) / m)")
A, ONES = Play("a"), Cyclic("o")
VARIABLES = f"{SIZES}; {A.variables}; {ONES.variables}; x t integer; OPT real"


@dataclass(frozen=True)
class Case:
    """The construction at one horizon, and its optimum."""

    actions: int
    memory: int
    horizon: int
    least: Fraction

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(K=self.actions, m=self.memory, T=self.horizon, OPT=self.least)

    def witness(self) -> Witness:
        """For the reader."""
        return Witness(
            {"horizon": self.horizon, "optimum": self.least}, needle_table(self.actions, self.memory)
        )

    def confirmed(self) -> bool:
        """Is this the optimum when every sequence is tried?"""
        return definitions.optimum(needle_table(self.actions, self.memory), self.horizon) == self.least


@claim(
    "proposition-1-lower/optimum",
    statement=(
        "If h_{x*}(y) = 1 for y < m, h_{x*}(m) = 0 and h_x = 1 for x != x*, then the optimal policy "
        "always plays x*, and its loss is precisely {loss}, once there are as many steps: {stated}."
    ),
    where=WHERE,
    formulas={
        "loss": OPTIMUM,
        "stated": "implies(T >= m - 1, OPT == loss)",
        "exact": "OPT == min(T, loss)",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 0"},
    integers="K m T",
)
def lower_optimum(request: Request) -> Outcome:
    """Every sequence and always x*, step by step, for all K, m and T; the planner on a box."""
    f = request.formulas
    sizes = [(K, m) for K in range(1, 4) for m in range(1, 7 if request.thorough else 5)]
    cases = [Case(K, m, T, optimum(needle_table(K, m), T)) for K, m in sizes for T in range(m + 3)]
    steps = optimum_steps(request)
    stated = for_all(VARIABLES, given=[f.memory, *conclusions(steps[-1])], then=f.stated)
    exact = request.show("exact", steps)
    return request.conclude(
        request.show("stated", [*steps, stated]),
        method="induction on the steps, z3; the planner on a box",
        cases=len(cases),
        checked_on=f"K <= 3, m <= {sizes[-1][1]}, T <= m + 2",
        violation=first_failing(cases, f.stated),
        tight=Tight(f"OPT_T = min(T, {f.loss}), for every T", exact.verdict)
        if all(case.satisfies(f.exact) for case in cases)
        else None,
    )


def optimum_steps(request: Request) -> list[Step]:
    """a is an optimal sequence, o always plays x* = 1."""
    f = request.formulas
    few, opening, later = loses_on_the_needle(VARIABLES, A, f.memory)
    plays = plays_only(VARIABLES, ONES)
    loses = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[
            *(f.memory, ONES.begins(), ONES.adds("t + 1"), ONES.loses("t + 1"), ONES.bounded("t + 1")),
            *(needle("1", "m"), always(ONES, "1", "t + 1"), plays.at(t="t + 1"), plays.at(t="t + 1 - m")),
        ],
        then="o_total(t) <= min(t, m - 1)",
        words="it loses nothing from step m on",
    )
    admitted = for_all(
        VARIABLES,
        given=[f.actions, ONES.is_at_least_optimal(), always(ONES, "1", "o_any")],
        then="OPT <= o_total(T)",
        words="OPT is not more than that",
    )
    exact = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.horizon, *conclusions(admitted)),
            *(A.is_optimal(), opening.at(t="T"), later.at(t="T"), loses.at(t="T")),
        ],
        then=f.exact,
        words="together",
    )
    return [few, opening, later, plays, loses, admitted, exact]


@claim(
    "proposition-1-lower/large-K",
    statement="{stated}, where K is larger than some numerical constant ({large}).",
    where=WHERE,
    formulas={
        "stated": "m * K / 64 - (m - 1) >= m * K / 128",
        "least": LARGE_K_EXACT,
        "exact": "(m * K / 64 - (m - 1) >= m * K / 128) == (K >= least)",
    },
    domain={"memory": "m >= 1", "large": "K >= 128"},
    integers="K m",
)
def large_number_of_actions(request: Request) -> Outcome:
    """Ask z3 for a counterexample with K >= 128; the exact K for each m, and that 128 is needed."""
    f = request.formulas
    stated = for_all("K m integer", given=request.domain, then=f.stated)
    exact = for_all("K m integer", given=[f.memory], then=f.exact, words="for every K")
    needed = counterexample("m K integer", given=["m >= 1", "K >= 127", "m <= 129"], then=f.stated)
    least = {m: max(1, int(f.least(m=m))) for m in (1, 2, 3, 10, 129)}
    found = {m: next(K for K in range(1, 200) if f.stated.holds(m=m, K=K)) for m in least}
    shown = ", ".join(f"{value} for m = {m}" for m, value in found.items())
    return request.conclude(
        request.show("stated", [stated]),
        method="z3; the least K for some m by trying",
        remarks=(f"Exactly, for all K and m: {exact}.",),
        tight=Tight(
            f"K >= {f.least}, exactly: {shown} and beyond",
            request.show("exact", [exact]).verdict,
            Witness(dict(needed)) if needed else None,
        )
        if found == least
        else None,
    )
