"""The rule `cases`: closed walks of L steps through each of some states, the roots, then the rest."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from heapq import heappop, heappush
from math import ceil
from typing import Any

from .potential import Vector
from .problem import Goal
from .reading import Meter, Refused, array, fields, integer, integers, rational, typed

Table = dict[int, int]
Steps = defaultdict[int, list[tuple[int, int]]]  # from a state, or to it: the other end and the reduced cost


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless no closed walk through a root does better, nor one that meets none."""
    fields(proof, "dual side", {"rule", "stages", "proof"})
    if goal.period is None:
        raise Refused("The rule 'cases' is for words of a given period.")
    if typed(proof["proof"], dict, "proof within 'cases'").get("rule") != "potential":
        raise Refused("Within the rule 'cases' the proof is a 'potential'.")
    removed: set[int] = set()
    for stage in array(proof["stages"], "list of stages"):
        fields(stage, "stage", {"mean", "scale", "values", "roots"})
        mean, vector = rational(stage["mean"], "mean of a stage"), Vector(goal.problem, stage, meter)
        vector.prove(mean, removed, meter)
        walks = Walks(goal, vector, mean, removed, meter)
        for case in array(stage["roots"], "list of roots"):
            fields(case, "root of a stage", {"root"}, {"repeat"})
            root = integer(case["root"], "root of a stage", 0)
            if root >= len(vector.phi) or root in removed:
                raise Refused("The root of a stage is not the code of a history that is left.")
            if root in walks.last_table(case, goal.period):
                raise Refused(f"Root {root} leaves room for a closed walk below the claimed value.")
            removed.add(root)
    replace(goal, removed=frozenset(removed)).prove(proof["proof"], meter)


class Walks:
    """The tables D_t: least reduced costs of walks from a root that can still come home within the budget.

    Reduced costs are multiplied by D and the denominator of the mean to be integers; the budget is rounded up
    after the same scaling, which changes no comparison with an integer.
    """

    def __init__(self, goal: Goal, vector: Vector, mean: Fraction, removed: set[int], meter: Meter) -> None:
        self.removed, self.meter, scale = removed, meter, vector.scale * goal.problem.D
        self.room = ceil(scale * (goal.period or 0) * (goal.least - mean) * mean.denominator)
        self.out, self.back = Steps(list), Steps(list)
        meter.widen([mean.denominator])
        for tails, heads, slacks in vector.edges(meter):
            meter.spend(5 * len(slacks), products=len(slacks))
            for s, then, slack in zip(tails, heads, slacks, strict=True):
                reduced = slack * mean.denominator - scale * mean.numerator
                if reduced < self.room:
                    self.out[s].append((then, reduced))
                    self.back[then].append((s, reduced))

    def last_table(self, case: dict[str, Any], L: int) -> Table:
        """D_L, or the table that equals it by the claimed and here verified repetition."""
        first = {case["root"]: 0} if self.room > 0 else {}
        home = self._ways_home(first)
        if "repeat" not in case:
            return self._later(first, home, L)
        t, p = integers(case["repeat"], "repeat of a root", 2)
        if t < 0 or p < 1 or t + p > L:
            raise Refused("The repeat of a root is not within the period.")
        table, turn = self._later(first, home, t), (L - t) % p
        last = self._later(table, home, turn)
        if self._later(last, home, p - turn) != table:
            raise Refused(f"The tables of root {case['root']} do not repeat as claimed.")
        return last

    def _ways_home(self, table: Table) -> Table:
        """The least reduced costs of walks to the root, by Dijkstra, where they are below the budget."""
        home, ahead = dict[int, int](), [(0, root) for root in table]
        while ahead:
            far, s = heappop(ahead)
            if s in home:
                continue
            home[s] = far
            self.meter.spend(10 + 10 * len(self.back[s]))
            for origin, reduced in self.back[s]:
                if far + reduced < self.room and origin not in self.removed:
                    heappush(ahead, (far + reduced, origin))
        return home

    def _later(self, table: Table, home: Table, steps: int) -> Table:
        """The table after a number of steps."""
        while table and steps > 0:
            self.meter.spend(20 + 5 * sum(len(self.out[s]) for s in table))
            after = dict[int, int]()
            for s, so_far in table.items():
                for then, reduced in self.out[s]:
                    total = so_far + reduced
                    if total + home.get(then, self.room) < self.room and total < after.get(then, self.room):
                        after[then] = total
            table, steps = after, steps - 1
        return table
