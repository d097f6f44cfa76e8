"""Best word of a given period: remove histories one by one, each with a proof that nothing is lost."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .document import array, fields, integer, potentials, rational, word
from .problem import Problem
from .replay import check_mean
from .sweep import check_potentials
from .verdict import Budget, Refused

Table = dict[int, int]


def check_cyclic(problem: Problem, claim: Any, primal: Any, dual: Any, budget: Budget) -> str:
    """Refuse, or say what was proved."""
    fields(claim, "claim", {"question", "period", "value"})
    period = integer(claim["period"], "period", 1)
    value = rational(claim["value"], "claimed value")
    fields(primal, "primal side", {"word"})
    best = word(primal["word"], "word of the primal side", problem.K, period)
    fields(dual, "dual side", {"stages", "final"})
    n = problem.histories(budget)
    stages = [_read_stage(stage, n) for stage in array(dual["stages"], "list of stages")]
    final = fields(dual["final"], "final part", {"scale", "potentials"})

    check_mean(problem, best, value, budget)
    removed: set[int] = set()
    for stage in stages:
        _check_stage(problem, stage, removed, period, value, budget)
        removed.add(stage.root)
    _check_final(problem, final, removed, value, n, budget)
    return f"the least mean loss per step over words of length {period} is {claim['value']}"


@dataclass(frozen=True)
class _Stage:
    root: int
    mean: Fraction
    scale: int
    phi: list[int | None]
    repeat: tuple[int, int] | None


def _read_stage(stage: object, n: int) -> _Stage:
    found = fields(stage, "stage", {"root", "mean", "scale", "potentials"}, frozenset({"repeat"}))
    repeat = None
    if "repeat" in found:
        t, p = array(found["repeat"], "repeat of a stage", 2)
        repeat = (integer(t, "start of a repeat", 0), integer(p, "period of a repeat", 1))
    root = integer(found["root"], "root of a stage", 0)
    if root >= n:
        raise Refused("The root of a stage is not the code of a history.")
    mean = rational(found["mean"], "mean of a stage")
    scale = integer(found["scale"], "scale of a stage", 1)
    return _Stage(
        root, mean, scale, potentials(found["potentials"], "list of potentials of a stage", n), repeat
    )


def _check_stage(
    problem: Problem, stage: _Stage, removed: set[int], period: int, value: Fraction, budget: Budget
) -> None:
    where = f"stage with root {stage.root}"
    if stage.root in removed:
        raise Refused(f"The history {stage.root} is the root of two stages.")
    if stage.phi[stage.root] is None:
        raise Refused(f"The {where} has a null potential at its root.")
    if any(stage.phi[s] is not None for s in removed):
        raise Refused(f"The {where} has a potential at a history that was removed before.")
    check_potentials(problem, stage.phi, stage.scale, stage.mean, removed, budget, where)
    if stage.root in _Walks(problem, stage, value, period, budget).last_table():
        raise Refused(f"The {where} leaves room for a closed walk below the claimed value.")


def _check_final(
    problem: Problem, final: dict[str, Any], removed: set[int], value: Fraction, n: int, budget: Budget
) -> None:
    scale = integer(final["scale"], "scale of the final part", 1)
    phi = potentials(final["potentials"], "list of potentials of the final part", n)
    if {s for s, potential in enumerate(phi) if potential is None} != removed:
        raise Refused("The potentials of the final part are not null exactly on the roots.")
    check_potentials(problem, phi, scale, value, removed, budget, "final part")


class _Walks:
    """The tables D_t of a stage: cheapest reduced costs of walks from the root, kept while below the budget.

    Reduced costs are scaled by denominator * (denominator of the mean) to be integers; the budget is rounded
    up after the same scaling, which changes no comparison with an integer.
    """

    def __init__(self, problem: Problem, stage: _Stage, value: Fraction, period: int, budget: Budget) -> None:
        self.problem, self.stage, self.period, self.budget = problem, stage, period, budget
        self.unit = problem.denominator * stage.mean.denominator
        self.room = -(stage.scale * period * (stage.mean - value) * self.unit // 1)
        self.bits = self.room.bit_length()
        self.known: dict[int, list[tuple[int, int]]] = {}

    def last_table(self) -> Table:
        """D_L, or the table that equals it by the claimed and here verified repetition."""
        L = self.period
        if self.stage.repeat is None:
            return self._tables({L})[L]
        t, p = self.stage.repeat
        if t + p > L:
            raise Refused("The repeat of a stage ends beyond the period.")
        same = t + (L - t) % p
        tables = self._tables({t, same, t + p})
        if tables[t] != tables[t + p]:
            raise Refused("The tables of a stage do not repeat as claimed.")
        return tables[same]

    def _tables(self, wanted: set[int]) -> dict[int, Table]:
        """The tables D_t with t in `wanted`; an empty one stays empty."""
        table: Table = {self.stage.root: 0} if self.room > 0 else {}
        result: dict[int, Table] = {t: {} for t in wanted}
        for t in range(max(wanted) + 1):
            if t > 0:
                table = self._next(table)
            if t in wanted:
                result[t] = table
            if not table:
                break
        return result

    def _next(self, table: Table) -> Table:
        self.budget.spend(len(table) * self.problem.K, self.bits)
        result: Table = {}
        room = self.room
        for s, distance in table.items():
            for successor, reduced in self._edges(s):
                total = distance + reduced
                if total < result.get(successor, room):
                    result[successor] = total
        return result

    def _edges(self, s: int) -> list[tuple[int, int]]:
        """The edges out of s that stay among the non-null histories and fit into the budget."""
        if s not in self.known:
            self.known[s] = [edge for edge in self._all_edges(s) if edge[1] < self.room]
        return self.known[s]

    def _all_edges(self, s: int) -> Iterator[tuple[int, int]]:
        problem, stage, n = self.problem, self.stage, len(self.stage.phi)
        history = _digits(s, problem.K, problem.m - 1)
        p, q, D = stage.mean.numerator, stage.mean.denominator, problem.denominator
        here = stage.phi[s]
        for action in range(problem.K):
            successor = (s * problem.K + action) % n
            then = stage.phi[successor]
            if here is not None and then is not None:
                cost = problem.cost([*history, action])
                yield successor, stage.scale * (cost * q - p * D) + self.unit * (then - here)


def _digits(code: int, K: int, length: int) -> list[int]:
    digits = []
    for _ in range(length):
        code, digit = divmod(code, K)
        digits.append(digit)
    return digits[::-1]
