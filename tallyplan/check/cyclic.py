"""Best word of a given period: remove histories one by one, each with a proof that nothing is lost."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from .document import array, fields, integer, potentials, rational, word
from .fewer_arms import smaller_problem
from .problem import Problem
from .replay import check_mean
from .sweep import check_potentials
from .verdict import EDGES_PER_TURN, Budget, Refused

Table = dict[int, int]


def check_cyclic(problem: Problem, claim: Any, primal: Any, dual: Any, budget: Budget) -> str:
    """Refuse, or say what was proved."""
    fields(claim, "claim", {"question", "period", "value"}, frozenset({"lower"}))
    period = integer(claim["period"], "period", 1)
    value = rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    fields(primal, "primal side", {"word"})
    best = word(primal["word"], "word of the primal side", problem.K, period)
    graph = problem  # what the dual side is about
    while smaller := smaller_problem(graph, dual, budget, period):
        graph, dual = smaller.problem, smaller.dual
    weighings, stages = _read_dual(dual, graph.histories(budget))

    check_mean(problem, best, value, budget)
    _check_stages(graph, weighings, stages, period, lower, budget)
    least = f"the least mean loss per step over words of length {period}"
    if lower == value:
        return f"{least} is {claim['value']}"
    return f"{least} is at least {claim['lower']} and at most {claim['value']}"


@dataclass(frozen=True)
class _Weighing:
    """An entry of the list of potentials: it makes the reduced costs."""

    mean: Fraction
    scale: int
    phi: list[int]


@dataclass(frozen=True)
class _Stage:
    root: int
    index: int
    home: bool
    repeat: tuple[int, int] | None


def _read_dual(dual: object, n: int) -> tuple[list[_Weighing], list[_Stage]]:
    found = fields(dual, "dual side", {"potentials", "stages"})
    weighings = [_read_weighing(entry, n) for entry in array(found["potentials"], "list of potentials")]
    if not weighings:
        raise Refused("The list of potentials is empty.")
    stages = [_read_stage(stage, n, len(weighings)) for stage in array(found["stages"], "list of stages")]
    indices = [stage.index for stage in stages]
    if indices != sorted(indices):
        raise Refused("A stage goes back to potentials before those of the stage before it.")
    roots = [stage.root for stage in stages]
    if len(set(roots)) < len(roots):
        raise Refused("A history is the root of two stages.")
    return weighings, stages


def _read_weighing(entry: object, n: int) -> _Weighing:
    found = fields(entry, "entry of the list of potentials", {"mean", "scale", "values"})
    mean = rational(found["mean"], "mean of potentials")
    scale = integer(found["scale"], "scale of potentials", 1)
    return _Weighing(mean, scale, potentials(found["values"], "list of values of potentials", n))


def _read_stage(stage: object, n: int, count: int) -> _Stage:
    found = fields(stage, "stage", {"root", "potentials"}, frozenset({"home", "repeat"}))
    repeat = None
    if "repeat" in found:
        t, p = array(found["repeat"], "repeat of a stage", 2)
        repeat = (integer(t, "start of a repeat", 0), integer(p, "period of a repeat", 1))
    root = integer(found["root"], "root of a stage", 0)
    if root >= n:
        raise Refused("The root of a stage is not the code of a history.")
    index = integer(found["potentials"], "index of the potentials of a stage", 0)
    if index >= count:
        raise Refused("A stage names potentials beyond the end of the list.")
    home = found.get("home", False)
    if not isinstance(home, bool):
        raise Refused("The home of a stage is not true or false.")
    return _Stage(root, index, home, repeat)


def _check_stages(
    problem: Problem,
    weighings: list[_Weighing],
    stages: list[_Stage],
    period: int,
    value: Fraction,
    budget: Budget,
) -> None:
    """Remove root after root. Potentials are tested when first used: later there are only fewer edges."""
    removed: set[int] = set()
    tested: dict[int, _Walks] = {}

    def walks_of(index: int) -> _Walks:
        if index not in tested:
            use = weighings[index]
            where = f"entry {index} of the list"
            check_potentials(problem, use.phi, use.scale, use.mean, removed, budget, where)
            tested[index] = _Walks(problem, use, removed, value, period, budget)
        return tested[index]

    for stage in stages:
        if stage.root in walks_of(stage.index).last_table(stage):
            raise Refused(
                f"The stage with root {stage.root} leaves room for a closed walk below the claimed value."
            )
        removed.add(stage.root)
    if weighings[-1].mean < value:
        raise Refused("The last potentials have a mean below the claimed value.")
    walks_of(len(weighings) - 1)


class _Walks:
    """The tables D_t: cheapest reduced costs of walks from a root, kept while they are below the budget.

    Reduced costs are scaled by denominator * (denominator of the mean) to be integers; the budget is rounded
    up after the same scaling, which changes no comparison with an integer. Stages that share potentials share
    the reduced costs too; `removed` grows between them.
    """

    def __init__(
        self,
        problem: Problem,
        use: _Weighing,
        removed: Set[int],
        value: Fraction,
        period: int,
        budget: Budget,
    ) -> None:
        self.problem, self.use, self.removed, self.period = problem, use, removed, period
        self.budget = budget
        self.unit = problem.denominator * use.mean.denominator
        self.room = -(use.scale * period * (use.mean - value) * self.unit // 1)
        self.bits = self.room.bit_length()
        exact = (problem.denominator, use.mean.denominator, use.mean.numerator, use.scale)
        self.edge_bits = sum(map(int.bit_length, exact)) + max(map(int.bit_length, use.phi))
        self.known: dict[int, list[tuple[int, int]]] = {}

    def last_table(self, stage: _Stage) -> Table:
        """D_L, or the table that equals it by the claimed and here verified repetition."""
        L = self.period
        if stage.repeat is None:
            return self._tables(stage, {L})[L]
        t, p = stage.repeat
        if t + p > L:
            raise Refused("The repeat of a stage ends beyond the period.")
        same = t + (L - t) % p
        tables = self._tables(stage, {t, same, t + p})
        if tables[t] != tables[t + p]:
            raise Refused("The tables of a stage do not repeat as claimed.")
        return tables[same]

    def _tables(self, stage: _Stage, wanted: set[int]) -> dict[int, Table]:
        """The tables D_t with t in `wanted`; an empty one stays empty."""
        table: Table = {stage.root: 0} if self.room > 0 else {}
        home = self._ways_home(stage.root) if stage.home and table else None
        result: dict[int, Table] = {t: {} for t in wanted}
        for t in range(max(wanted) + 1):
            if t > 0:
                table = self._next(table, home)
            if t in wanted:
                result[t] = table
            if not table:
                break
        return result

    def _ways_home(self, root: int) -> Table:
        """B: the least reduced costs of walks to the root, by Dijkstra, where they are below the budget."""
        n, K = len(self.use.phi), self.problem.K
        home: Table = {}
        ahead = [(0, root)]
        while ahead:
            distance, s = heappop(ahead)
            if s in home:
                continue
            self.budget.spend(K * K + EDGES_PER_TURN, self.bits)
            self.budget.fit((len(home) + 1) * (K + 1), self.bits)
            home[s] = distance
            for origin in {(d * n + s) // K for d in range(K)} - self.removed:
                for successor, reduced in self._edges(origin):
                    if successor == s and distance + reduced < self.room:
                        heappush(ahead, (distance + reduced, origin))
        return home

    def _next(self, table: Table, home: Table | None) -> Table:
        self.budget.spend(len(table) * self.problem.K + EDGES_PER_TURN, self.bits)
        result: Table = {}
        room, removed = self.room, self.removed
        for s, distance in table.items():
            for successor, reduced in self._edges(s):
                total = distance + reduced
                if total < result.get(successor, room) and successor not in removed:
                    result[successor] = total
        if home is not None:
            return {s: entry for s, entry in result.items() if entry + home.get(s, room) < room}
        return result

    def _edges(self, s: int) -> list[tuple[int, int]]:
        """The edges out of s that fit into the budget."""
        if s not in self.known:
            self.budget.spend_products(self.problem.K, self.edge_bits, self.unit.bit_length())
            self.budget.spend(self.problem.K * self.problem.m, self.problem.tally_bits)
            self.budget.hold(self.problem.K, self.bits)
            self.known[s] = [edge for edge in self._all_edges(s) if edge[1] < self.room]
        return self.known[s]

    def _all_edges(self, s: int) -> Iterator[tuple[int, int]]:
        problem, use, n = self.problem, self.use, len(self.use.phi)
        history = _digits(s, problem.K, problem.m - 1)
        p, q, D = use.mean.numerator, use.mean.denominator, problem.denominator
        for action in range(problem.K):
            successor = (s * problem.K + action) % n
            cost = problem.cost([*history, action])
            yield successor, use.scale * (cost * q - p * D) + self.unit * (use.phi[successor] - use.phi[s])


def _digits(code: int, K: int, length: int) -> list[int]:
    digits = []
    for _ in range(length):
        code, digit = divmod(code, K)
        digits.append(digit)
    return digits[::-1]
