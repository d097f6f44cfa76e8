"""The best word of length exactly L under repetition: the optimal L-cyclic policy, on the state graph.

Words of length L are the closed walks of length L on the histories (also for L < m, where a window covers
the word more than once). Let `best` be the least cost of one that is known, and let potentials make the
reduced costs r = cost - w + phi(s') - phi(s) nonnegative, w the minimum mean. A better closed walk has an
r-sum below the *budget* best - L w.

Roots are removed one at a time:

1. Bellman-Ford on cost - best/L, over the states that are left, finds a cycle of mean below best/L or ends.
   If it ends, no closed walk among those states is better, and the potentials prove it.
2. Otherwise take a *root* on that cycle. Step forward L times from the root with a table D(state) of least
   r-sums, dropping entries at or above the budget: a state that is dropped cannot belong to a better closed
   walk. If the root is in the last table, its entry is the best closed walk through the root. Either way
   the root can be removed.

Tables are small, since budgets are (closing a walk to the right length costs a few losses, not L of them),
and they repeat as soon as the table of one time equals that of another: an L of 10^6 costs the steps before
that. As long as nothing better than a first guess is known, the budget grows by doubling from a small one.

Numbers. Let H be the highest cost, R = max(n, K m), N = max(L, R) and W = N H. All edge costs in use have
the form q*cost - p with 0 <= p <= q H, where p/q is best/L or the mean of a word: of a simple cycle, or of
the single-run word that the minimum mean cycle started from. So q <= N, and such an edge cost is at most W
in absolute value.

- Bellman-Ford: a value was set to an edge cost plus the value of its parent, and values only fall. So while
  the parent graph has no cycle, each value is at least -n W plus the value of a state without a parent,
  which is what it was when this search began. At most 16 sweeps later the parent graph is looked at again,
  and a sweep in place lowers no value by more than n W. So a search lowers no value by more than 17 n W.
  One that starts from zero stays above -17 n W; one that goes on after a root was removed starts above
  -never/4, or from zero.
- Potentials are such values, or those of the minimum mean cycle, which are at least -(m-1) q H - 1 with q
  <= R. So reduced costs are at most W + n W or R m H + 1 <= R^2 H + 1.
- Budgets: q best - L p is at most R L H if p/q is the mean of a word, and 0 if it is best/L. Entries of
  tables are below the budget.

So every number but `never` is at most 17 R W + never/4, and 17 R W is below an eighth of the bound 160 R W
by which the type is chosen. If the bound fits 63 bits, 17 R W < 2^60 = never/2 for never = 2^61, and
otherwise never is 8 * 160 R W: an edge or a state marked `never` is never taken, and the sum of two such
marks fits the type.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, repeat
from typing import Any

import numpy as np

from tallyplan.answers import CyclicPolicy
from tallyplan.errors import InternalError
from tallyplan.limits import Progress, require_memory
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import ceil_div, text
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import Runs, Word, expand, last_of_runs, length
from tallyplan.planning.effort import OutOfTimeError, deadline_after, limited, tick
from tallyplan.planning.on_graph.bellman_ford import SWEEPS_PER_CHECK, minimum_mean
from tallyplan.planning.on_graph.closed_walks import Tables
from tallyplan.planning.on_graph.sweeps import (
    NO_PARENT,
    DenseSweeps,
    follow,
    loops_pay,
    no_parents,
    states_of,
)

SWEEPS_BETWEEN_EARLY_CHECKS = (1, 1, 2, 4)  # after a root is removed, the next cycle usually shows soon
LAST_MOMENT = 0.2  # seconds after a time limit in which the lower bound may still be improved
ROOTS_PER_REFRESH = 64  # roots between two attempts at better potentials


@dataclass(frozen=True)
class Potentials:
    """scale*(loss - mean) + values[successor] - values[state] >= 0 on every edge that is left."""

    mean: Fraction
    scale: int
    values: Array = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """As docs/certificates.md describes them."""
        return {"mean": text(self.mean), "scale": self.scale, "values": self.values.tolist()}


@dataclass(frozen=True)
class Stage:
    """No closed walk of length L through `root`, avoiding earlier roots, beats the answer.

    `potentials` is an index; `repeat` = (t, p) says that the tables of the times t and t + p are equal.
    """

    root: int
    potentials: int
    repeat: tuple[int, int] | None

    def to_json(self) -> dict[str, Any]:
        """As docs/certificates.md describes it."""
        stage: dict[str, Any] = {"root": self.root, "potentials": self.potentials}
        return stage if self.repeat is None else stage | {"repeat": list(self.repeat)}


@dataclass(frozen=True)
class RemovedRoots:
    """The roots that were removed, and the potentials; the last ones bound the mean of what is left."""

    potentials: tuple[Potentials, ...]
    stages: tuple[Stage, ...]

    @property
    def method(self) -> str:
        """The name of the method."""
        return "stages"

    @property
    def argument(self) -> str:
        """The proof in words."""
        return f"removed histories: {len(self.stages)}, vectors of potentials: {len(self.potentials)}"

    def to_json(self) -> dict[str, Any]:
        """As docs/certificates.md describes it."""
        return {
            "potentials": [potentials.to_json() for potentials in self.potentials],
            "stages": [stage.to_json() for stage in self.stages],
        }


def cyclic_policy_on_graph(
    bandit: Bandit, period: int, deadline: float | None, progress: Progress
) -> CyclicPolicy:
    """The best word of the given length, or the best known with an interval if the deadline passes.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    require_memory(32 * period, actions=period, length=1, what="actions in a word")
    require_memory(
        40 * graph.states * graph.actions, actions=graph.actions, length=graph.memory, what="windows"
    )
    try:
        with limited(deadline):
            critical, mean, found = minimum_mean(graph, progress)
    except OutOfTimeError:
        best = first_word(graph, (graph.best_constant(),), period)
        return _answer(graph, best, RemovedRoots((_least_loss(graph),), ()))
    first = Potentials(mean, found.scale, found.potentials)
    best = first_word(graph, critical, period)
    if best.mean(graph) == first.mean:
        return _answer(graph, best, RemovedRoots((first,), ()))
    with limited(deadline):
        search = RootSearch(graph, best, first, progress)
        search.run(graph.state_of_word(critical))
    if not search.finished:
        search.use_the_last_moment()
    return _answer(graph, search.best, RemovedRoots(tuple(search.potentials), tuple(search.stages)))


def _answer(graph: StateGraph, best: Candidate, proof: RemovedRoots) -> CyclicPolicy:
    upper = best.mean(graph)
    lower = min(proof.potentials[-1].mean, upper)
    return CyclicPolicy(graph.bandit, len(best.word), lower, upper, best.word, proof)


def _least_loss(graph: StateGraph) -> Potentials:
    """No cycle has a smaller mean than the least loss of a window: the potentials are zero."""
    return Potentials(min(graph.bandit.values()), graph.denominator, np.zeros(graph.states, dtype=np.int64))


@dataclass(frozen=True)
class Candidate:
    """A word of length L, and the integer cost of one period of it, repeated for ever."""

    word: Word
    cost: int
    guessed: bool  # not found by a search through a root

    def per_step(self) -> Fraction:
        """The integer cost per step."""
        return Fraction(self.cost, len(self.word))

    def mean(self, graph: StateGraph) -> Fraction:
        """The loss per step."""
        return self.per_step() / graph.denominator


def first_word(graph: StateGraph, critical: Word, period: int) -> Candidate:
    """The better of the best constant word and the critical word cut to length."""
    turns, rest = divmod(period, len(critical))
    words: list[Runs] = [[((graph.best_constant(),), period)], [(critical, turns), (critical[:rest], 1)]]
    costs = [_cyclic_cost(graph, runs) for runs in words]
    return Candidate(tuple(expand(words[costs.index(min(costs))])), min(costs), guessed=True)


def _cyclic_cost(graph: StateGraph, runs: Runs) -> int:
    """The integer cost of one period of the word given by runs, repeated for ever."""
    keep = graph.memory - 1
    runs = [(word, repeats) for word, repeats in runs if word and repeats]
    before = last_of_runs(runs * max(1, ceil_div(keep, length(runs))), keep)
    return graph.scaled(replay_runs(graph.bandit, runs, before))


class GraphLeft:
    """The edges among the states that are not yet removed, with integer costs."""

    def __init__(self, graph: StateGraph, period: int) -> None:
        largest = max(graph.states, graph.actions * graph.memory)
        longest = max(period, largest)
        bound = 8 * (SWEEPS_PER_CHECK + 4) * largest * longest * max(1, graph.highest_cost)
        self.graph = graph
        self.kind = integer_type(max(bound, 2**32))
        self.never: int = 2**61 if self.kind is np.int64 else 8 * bound
        self.costs = graph.edge_costs(self.kind)
        self.gone = np.zeros(graph.states, dtype=bool)

    @property
    def compiled(self) -> bool:
        """Whether to use compiled loops from now on."""
        return self.kind is np.int64 and self.graph.states > 1 and loops_pay(self.graph)

    def remove(self, root: int, tables: Sequence[Array], parents: Array) -> None:
        """Take the root out of the graph, out of tables over the edges, and out of a parent graph."""
        graph = self.graph
        self.gone[root] = True
        rest, action = divmod(root, graph.actions)
        rest %= graph.rests
        for table in tables:
            table[divmod(root, graph.rests)] = self.never
            table[:, rest, action if graph.memory > 1 else slice(None)] = self.never
        parents[rest :: graph.rests] = NO_PARENT
        parents[root] = NO_PARENT

    def without_gone(self, table: Array) -> Array:
        """A table over all edges, with `never` where an edge touches a state that is gone."""
        graph = self.graph
        table[self.gone.reshape(graph.dropped, graph.rests)] = self.never
        np.copyto(table, self.never, where=graph.arrivals(self.gone)[None, :, :])
        return table

    def least_mean(self, at_most: Fraction) -> Potentials:
        """Potentials for the minimum mean of what is left, or for `at_most` if that is smaller."""
        cycles = NegativeCycles(self, at_most)
        while (state := cycles.find()) is not None:
            word = follow(self.graph, cycles.parents, state)
            cycles = NegativeCycles(self, Fraction(_cyclic_cost(self.graph, [(word, 1)]), len(word)))
        return cycles.potentials()


class NegativeCycles:
    """Bellman-Ford for cycles of mean below a target; it goes on when roots are removed."""

    def __init__(self, left: GraphLeft, target: Fraction) -> None:
        self.left, self.target = left, target
        costs = left.without_gone(left.costs * target.denominator - target.numerator)
        self.sweeps = DenseSweeps(left.graph, left.kind, costs=costs, compiled=left.compiled, alike=True)
        self.values: Array = np.zeros(left.graph.states, dtype=left.kind)
        self.parents = no_parents(left.graph)

    def find(self) -> int | None:
        """A state on a cycle of the parent graph; None if there is no cycle of mean below the target."""
        for sweeps in chain(SWEEPS_BETWEEN_EARLY_CHECKS, repeat(SWEEPS_PER_CHECK)):
            if not self.sweeps.relax(self.values, self.parents, -self.left.never, sweeps):
                return None
            tick()
            state = self.sweeps.parent_cycle(self.parents)
            if state >= 0:
                return state
        raise AssertionError  # the chain has no end

    def low(self) -> bool:
        """Whether the values have fallen so far that it is time to start from zero."""
        return int(self.values.min()) < -self.left.never // 4

    def potentials(self) -> Potentials:
        """The values at the end, verified by the Bellman step: no cycle that is left is below the target."""
        lowered, shift = self.sweeps.power(self.values, 1)
        _require(bool(np.all((lowered + shift >= self.values) | self.left.gone)))
        denominator = self.left.graph.denominator
        return Potentials(self.target / denominator, self.target.denominator * denominator, self.values)


class ReducedCosts:
    """Reduced costs by potentials, verified on every edge that is left."""

    def __init__(self, left: GraphLeft, potentials: Potentials) -> None:
        graph = left.graph
        self.per_cost = potentials.scale // graph.denominator
        self.per_step = int(potentials.mean * potentials.scale)
        values: Array = potentials.values.astype(left.kind)
        here = values.reshape(graph.dropped, graph.rests, 1)
        self.slack = left.without_gone(
            left.costs * self.per_cost - self.per_step + graph.arrivals(values)[None, :, :] - here
        )
        _require(not bool(np.any(self.slack < 0)))

    def budget(self, best: Candidate) -> int:
        """Closed walks with a smaller sum of reduced costs are better than the best word."""
        return self.per_cost * best.cost - len(best.word) * self.per_step


class RootSearch:
    """The search: the best word so far, the graph that is left, the potentials in use, the roots removed."""

    def __init__(
        self,
        graph: StateGraph,
        best: Candidate,
        potentials: Potentials,
        progress: Progress,
    ) -> None:
        self.graph, self.best, self.progress = graph, best, progress
        self.finished = False
        self.left = GraphLeft(graph, len(best.word))
        self.potentials = [potentials]
        self.stages: list[Stage] = []
        self.reduced = ReducedCosts(self.left, potentials)
        self.cycles = NegativeCycles(self.left, best.per_step())

    def run(self, root: int | None) -> None:
        """Remove roots until the rest cannot be better, which the last potentials prove; or until a limit."""
        with suppress(OutOfTimeError):
            while root is not None:
                self._stage(root)
                self.left.remove(root, (self.reduced.slack, self.cycles.sweeps.costs), self.cycles.parents)
                if len(self.stages) % ROOTS_PER_REFRESH == 0:
                    self._refresh()
                root = self._next_root()
            self.potentials.append(self.cycles.potentials())
            self.finished = True

    def use_the_last_moment(self) -> None:
        """A better lower bound for what is left, if there is one soon; the last potentials hold anyway."""
        with suppress(OutOfTimeError), limited(deadline_after(LAST_MOMENT)):
            self.potentials.append(self.left.least_mean(self.best.per_step()))

    def _stage(self, root: int) -> None:
        """The best closed walk through the root, if it is better than the best known."""
        self.progress(f"best word of length {len(self.best.word)}: root {len(self.stages) + 1}")
        enough = self.reduced.budget(self.best)
        budget = enough
        if self.best.guessed:
            budget = min(enough, max(1, self.reduced.per_cost * self.graph.highest_cost // 4))
        tables = self._tables(root, budget)
        while tables.at_root is None and budget < enough:
            budget = min(2 * budget, enough)
            tables = self._tables(root, budget)
        if tables.at_root is not None:
            walk = tables.closed_walk()
            self._improve(Candidate(tuple(expand(walk)), _cyclic_cost(self.graph, walk), guessed=False))
        self.stages.append(Stage(root, len(self.potentials) - 1, tables.repeat))

    def _tables(self, root: int, budget: int) -> Tables:
        left, period = self.left, len(self.best.word)
        return Tables(self.graph, self.reduced.slack, left.never, left.compiled, root, period, budget)

    def _improve(self, found: Candidate) -> None:
        if len(found.word) != len(self.best.word) or found.cost >= self.best.cost:
            raise InternalError("a closed walk did not replay to its cost; please report this instance.")
        self.best = found
        self.cycles = NegativeCycles(self.left, found.per_step())

    def _next_root(self) -> int | None:
        """A state on a cycle of mean below best/L, if there is one."""
        if self.cycles.low():
            self.cycles = NegativeCycles(self.left, self.best.per_step())
        state = self.cycles.find()
        return None if state is None else self._busiest(state)

    def _busiest(self, state: int) -> int:
        """The state of the parent cycle with the cheapest way to leave it: many good cycles meet there."""
        cycle = states_of(self.graph, self.cycles.parents, state)
        leaving = np.sort(self.reduced.slack.reshape(self.graph.states, -1)[cycle], axis=1)
        return cycle[int(leaving[:, 1].argmin())] if self.graph.actions > 1 else state

    def _refresh(self) -> None:
        """New potentials once the minimum mean of what is left has come a good deal closer to the best."""
        left, best = self.left.least_mean(self.best.per_step()), self.best.mean(self.graph)
        if 2 * (best - left.mean) <= best - self.potentials[-1].mean:
            self.potentials.append(left)
            self.reduced = ReducedCosts(self.left, left)


def _require(held: bool) -> None:
    if not held:
        raise InternalError("potentials failed their verification; please report this instance.")
