"""The best word of length exactly L under repetition: the optimal L-cyclic policy, on the state graph.

Words of length L are the closed walks of length L on the histories (also for L < m, where a window covers
the word more than once). Let `best` be the least cost of one that is known, and let potentials make the
reduced costs r = cost - w + phi(s') - phi(s) nonnegative, w the minimum mean. A better closed walk has an
r-sum below the *budget* best - L w.

Roots are removed one at a time:

1. Bellman-Ford on cost - best/L, over the states that are left, finds cycles of mean below best/L or ends.
   If it ends, no closed walk among those states is better, and the potentials prove it. The first time it
   starts from the potentials for w: since best/L is hardly larger, the critical cycles show at once.
2. Otherwise, if the length of such a cycle divides L, going round it is a better word. Take a *root* on each
   of the cycles. Step forward L times from the root with a table D(state) of least r-sums, dropping what
   cannot come home below the budget: a state that is dropped cannot belong to a better closed walk
   (`closed_walks`). If the root is in the last table, its entry is the best closed walk through the root.
   Either way the root can be removed.

There may be hundreds of critical cycles: if a critical word has length m or m-1, all words of its length with
as many plays of each arm cost the same. Each cycle loses a root; but if the length of one divides L, no root
has to be removed after all, since its word has the minimum mean of all cycles.

Tables are small, since budgets are (closing a walk to the right length costs a few losses, not L of them),
and they repeat as soon as the table of one time equals that of another: an L of 10^6 costs the steps before
that. At first, where the best word is but a guess, roots are tried with a small budget, which grows until
there is a closed walk below it.

Numbers. Let H be the highest cost, R = max(n, K m), N = max(L, R) and W = N H. All edge costs in use have
the form q*cost - p with 0 <= p <= q H, where p/q is best/L or the mean of a word: of a simple cycle, or of
the single-run word that the minimum mean cycle started from. So q <= N, and such an edge cost is at most W
in absolute value.

- The potentials of the minimum mean cycle lie between -(m-1) q H - 1 and 0, with q <= R. Multiplied by the
  denominator of best/L, at most N, they are at most m R W in absolute value, and, divided by q, at most m W.
- Bellman-Ford: a value was set to an edge cost plus the value of its parent, and values only fall. So while
  the parent graph has no cycle, each value is at least -n W plus the value of a state without a parent,
  which is what it was when this search began. At most 16 sweeps later the parent graph is looked at again,
  and a sweep lowers no value by more than n W. So a search lowers no value by more than 17 n W.
  One that starts from zero or from potentials stays above -18 R W; one that goes on after a root was removed
  starts above -never/4, or from zero.
- Reduced costs by the potentials of the minimum mean cycle are at most R m H + 1 <= R^2 H + 1; those by other
  values are compared with 0, and not used further.
- Budgets: q best - L p is at most R L H if p/q is the mean of a word, and 0 if it is best/L. Entries of
  tables, and the ways home, are below the budget.

So every number but `never` is at most 19 R W + never/4 or m R W, and 19 R W and m R W are at most an eighth
of the bound 8 max(20, m) R W by which the type is chosen. If the bound fits 63 bits, 19 R W < 2^60 = never/2
for never = 2^61, and otherwise never is 8 times the bound: an edge or a state marked `never` is never taken,
and the sum of three such marks and another number fits the type.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, repeat
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from tallyplan.answers import CyclicPolicy
from tallyplan.certificates import Potentials, RemovedRoots, Stage
from tallyplan.errors import InternalError
from tallyplan.limits import Progress, require_memory
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import loss_of_runs
from tallyplan.model.words import Runs, Word, last_of_runs, length
from tallyplan.planning import compiling
from tallyplan.planning.effort import OutOfTimeError, deadline_after, limited, tick
from tallyplan.planning.on_graph.closed_walks import Repeat, Room, Tables
from tallyplan.planning.on_graph.cycles import minimum_mean
from tallyplan.planning.on_graph.sweeps import (
    EDGES_PER_UNIT,
    NO_PARENT,
    SWEEPS_TO_EXPECT,
    DenseSweeps,
    follow,
    no_parents,
    states_of,
)

SWEEPS_PER_CHECK = 16  # between two searches for a cycle of parents
EARLY_CHECKS = np.array([1, 1, 2, 4])  # sweeps before each: after a root is removed, a cycle shows soon
LATER_CHECKS = np.array([SWEEPS_PER_CHECK])
LAST_MOMENT = 0.2  # seconds after a time limit in which the lower bound may still be improved


def cyclic_policy_on_graph(
    bandit: Bandit, period: int, deadline: float | None, progress: Progress
) -> CyclicPolicy:
    """The best word of the given length, or the best known with an interval if the deadline passes.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    require_memory(100 * period, actions=period, length=1, what="actions in a word")
    require_memory(
        8 * graph.states * (5 * graph.actions + 16),
        actions=graph.actions,
        length=graph.memory - 1,
        what="histories",
    )
    try:
        with limited(deadline):
            critical, mean, found = minimum_mean(graph, progress)
    except OutOfTimeError:
        best = first_word(graph, (graph.best_constant(),), period)
        return _answer(graph, best, RemovedRoots((_least_loss(graph),), ()))
    first = Potentials(mean, found.scale, found.potentials)
    best = first_word(graph, critical, period)
    if best.mean(graph) == mean:
        return _answer(graph, best, RemovedRoots((first,), ()))
    with limited(deadline):
        search = RootSearch(graph, best, first, progress)
        search.run()
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

    def per_step(self) -> Fraction:
        """The integer cost per step."""
        return Fraction(self.cost, len(self.word))

    def mean(self, graph: StateGraph) -> Fraction:
        """The loss per step."""
        return self.per_step() / graph.denominator


def first_word(graph: StateGraph, critical: Word, period: int) -> Candidate:
    """The better of the best constant word and the critical word cut to length."""
    turns, rest = divmod(period, len(critical))
    if rest == 0:
        return Candidate(critical * turns, turns * _candidate(graph, [(critical, 1)]).cost)
    cut = _candidate(graph, [(critical, turns), (critical[:rest], 1)])
    action = graph.best_constant()
    constant = period * graph.scaled(graph.bandit.loss((action,) * graph.memory))
    return cut if cut.cost < constant else Candidate((action,) * period, constant)


def _candidate(graph: StateGraph, runs: Runs) -> Candidate:
    """The word given by runs, replayed."""
    played = [(tuple(word), repeats) for word, repeats in runs if word and repeats]
    keep = graph.memory - 1
    before = last_of_runs(played * max(1, ceil_div(keep, length(played))), keep)
    word = sum((word * repeats for word, repeats in played), ())  # there are few runs
    return Candidate(word, graph.scaled(loss_of_runs(graph.bandit, played, before)))


class GraphLeft:
    """The edges among the states that are not yet removed, with integer costs."""

    def __init__(self, graph: StateGraph, period: int) -> None:
        largest = max(graph.states, graph.actions * graph.memory)
        longest = max(period, largest)
        factor = max(SWEEPS_PER_CHECK + 4, graph.memory)
        bound = 8 * factor * largest * longest * max(1, graph.highest_cost)
        self.graph = graph
        self._compiled = False
        self.kind = integer_type(max(bound, 2**32))
        self.never: int = 2**61 if self.kind is np.int64 else 8 * bound
        self.costs = DenseSweeps(graph, self.kind, compiled=self.compiled).costs
        self.gone = np.zeros(graph.states, dtype=bool)

    @property
    def compiled(self) -> bool:
        """Whether to use compiled loops from now on."""
        if not self._compiled and self.kind is np.int64 and self.graph.states > 1:
            edges = self.graph.states * self.graph.actions
            self._compiled = compiling.walks_pay(SWEEPS_TO_EXPECT * edges // EDGES_PER_UNIT)
        return self._compiled

    def cut(self, table: Array, roots: list[int]) -> None:
        """Take roots out of a table over the edges."""
        graph, gone = self.graph, np.array(roots, dtype=np.int64)
        table.reshape(graph.states, graph.actions)[gone] = self.never
        if graph.memory > 1:
            table[:, gone // graph.actions % graph.rests, gone % graph.actions] = self.never

    def reduced(self, multiplier: int, subtract: int, values: Array) -> tuple[Array, bool]:
        """multiplier*cost - subtract + values[successor] - values[state], and whether it is never negative.

        It is `never` where an edge touches a state that is gone.
        """
        graph, never = self.graph, self.never
        if self.compiled:
            from tallyplan.planning.on_graph.kernels.closed_walks import reduce

            table: Array = np.empty_like(self.costs)
            return table, reduce(self.costs, multiplier, subtract, values, self.gone, never, table)
        here = values.reshape(graph.dropped, graph.rests, 1)
        table = self.costs * multiplier - subtract + graph.arrivals(values)[None, :, :] - here
        table[self.gone.reshape(graph.dropped, graph.rests)] = never
        np.copyto(table, never, where=graph.arrivals(self.gone)[None, :, :])
        return table, not bool(np.any(table < 0))

    def least_mean(self, at_most: Fraction) -> Potentials:
        """Potentials for the minimum mean of what is left, or for `at_most` if that is smaller."""
        cycles = NegativeCycles(self, at_most)
        while found := cycles.find(self.costs):
            word = follow(self.graph, cycles.parents, found[0].root)
            cycles = NegativeCycles(self, _candidate(self.graph, [(word, 1)]).per_step())
        return cycles.potentials()


class NegativeCycles:
    """Bellman-Ford for cycles of mean below a target; it goes on when roots are removed.

    From potentials for the minimum mean, when the target is hardly larger, critical cycles show at once; but
    once they are gone, it takes fewer sweeps from zero.
    """

    def __init__(self, left: GraphLeft, target: Fraction, start: Potentials | None = None) -> None:
        self.left, self.target = left, target
        self.values: Array = np.zeros(left.graph.states, dtype=left.kind)
        self.costs, _ = left.reduced(target.denominator, target.numerator, self.values)
        if start is not None:
            per_cost = start.scale // left.graph.denominator
            self.values += start.values.astype(left.kind) * target.denominator // per_cost
        self.parents = no_parents(left.graph)
        self._changed: Array = np.arange(left.graph.states)  # by the last sweep

    def find(self, slack: Array) -> list[Cycle]:
        """The cycles of the parent graph; empty if there is no cycle of mean below the target."""
        for schedule in chain([EARLY_CHECKS], repeat(LATER_CHECKS)):
            cycles = self._compiled(schedule, slack) if self.left.compiled else self._numpy(schedule, slack)
            if cycles or not self._changed.size:
                return sorted(cycles, key=attrgetter("least"))
        raise AssertionError  # the chain has no end

    # Sweeps read the values before them, so that all code leaves the same parents.

    def _compiled(self, schedule: Array, slack: Array) -> list[Cycle]:
        from tallyplan.planning.on_graph.kernels.closed_walks import find_cycles

        tick()
        cycles, self._changed = find_cycles(
            self.values, self.parents, self.costs, -self.left.never, schedule, self._changed, slack
        )
        return [Cycle(*cycle) for cycle in cycles.tolist()]

    def _numpy(self, schedule: Array, slack: Array) -> list[Cycle]:
        graph, kind = self.left.graph, self.left.kind
        for sweeps in schedule.tolist():
            sweep = DenseSweeps(graph, kind, costs=self.costs).relax
            goes_on = sweep(self.values, self.parents, -self.left.never, sweeps)
            self._changed = np.arange(graph.states if goes_on else 0)
            cycles = cycles_of(graph, self.parents, slack) if goes_on else []
            if cycles or not goes_on:
                return cycles
        return []

    def remove(self, roots: list[int]) -> None:
        """Take roots out of the graph."""
        graph, gone = self.left.graph, np.array(roots, dtype=np.int64)
        self.left.cut(self.costs, roots)
        self.parents.reshape(graph.dropped, graph.rests)[:, gone // graph.actions % graph.rests] = NO_PARENT
        self.parents[gone] = NO_PARENT

    def low(self) -> bool:
        """Whether the values have fallen so far that it is time to start from zero."""
        return int(self.values.min()) < -self.left.never // 4

    def potentials(self) -> Potentials:
        """The values at the end, verified on every edge: no cycle that is left is below the target."""
        denominator = self.left.graph.denominator
        found = Potentials(self.target / denominator, self.target.denominator * denominator, self.values)
        ReducedCosts(self.left, found)
        return found


class Cycle(NamedTuple):
    """A cycle of the parent graph: its root, its length and its sum of reduced costs; and its least state.

    The root is the state that is cheapest to leave by its second edge: many good cycles meet there. Of
    several such states, it is the first on the way round from the least state.
    """

    root: int
    length: int
    excess: int
    least: int


def cycles_of(graph: StateGraph, parents: Array, slack: Array) -> list[Cycle]:
    """The cycles of the parent graph."""
    found, seen = [], set[int]()
    ends = _ends(graph, parents)
    for end in ends[ends < graph.states].tolist():
        if end not in seen:
            least = min(states_of(graph, parents, end))
            states = states_of(graph, parents, least)
            seen.update(states)
            excess = int(slack.reshape(graph.states, -1)[states, parents[states]].sum())
            found.append(Cycle(_busiest(graph, slack, states), len(states), excess, least))
    return found


def _ends(graph: StateGraph, parents: Array) -> Array:
    """Where each state is after n steps or more along the parents, by doubling; n if its path has ended."""
    codes = np.arange(graph.states, dtype=np.int64)
    following = np.append((codes * graph.actions + parents) % graph.states, graph.states)
    following[:-1][parents == NO_PARENT] = graph.states
    for _ in range(graph.states.bit_length()):
        following = following[following]
    return following[:-1]


def _busiest(graph: StateGraph, slack: Array, cycle: list[int]) -> int:
    leaving = np.sort(slack.reshape(graph.states, -1)[cycle], axis=1)
    return cycle[int(leaving[:, 1].argmin())] if graph.actions > 1 else cycle[0]


class ReducedCosts:
    """Reduced costs by potentials, verified on every edge that is left."""

    def __init__(self, left: GraphLeft, potentials: Potentials) -> None:
        self.per_cost = potentials.scale // left.graph.denominator
        self.per_step = int(potentials.mean * potentials.scale)
        values: Array = potentials.values.astype(left.kind, copy=False)
        self.slack, nonnegative = left.reduced(self.per_cost, self.per_step, values)
        if not nonnegative:
            raise InternalError("potentials failed their verification; please report this instance.")

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
        self.room: Room | None = None
        self.negative: NegativeCycles | None = None

    def run(self) -> None:
        """Remove roots until the rest cannot be better, which the last potentials prove; or until a limit."""
        with suppress(OutOfTimeError):
            search = NegativeCycles(self.left, self.best.per_step(), self.potentials[0])
            while cycles := search.find(self.reduced.slack):
                self._go_round(cycles, search.parents)
                self._remove_roots(cycles)
                if self._nothing_to_gain():
                    return
                search = self._next_search()
            self.potentials.append(search.potentials())
            self.finished = True

    def use_the_last_moment(self) -> None:
        """A better lower bound for what is left, if there is one soon; the last potentials hold anyway."""
        with suppress(OutOfTimeError), limited(deadline_after(LAST_MOMENT)):
            self.potentials.append(self.left.least_mean(self.best.per_step()))

    def _go_round(self, cycles: list[Cycle], parents: Array) -> None:
        """The best of the words that go round one of the cycles, if there are any of the right length."""
        period = len(self.best.word)
        fitting = [cycle for cycle in cycles if period % cycle.length == 0]
        if fitting:
            least = min(fitting, key=lambda cycle: cycle.excess * (period // cycle.length))
            word = follow(self.graph, parents, least.root)
            self._improve(_candidate(self.graph, [(word, period // least.length)]))

    def _below(self, cycles: list[Cycle]) -> list[Cycle]:
        """The cycles of mean below that of the best word."""
        budget, period = self.reduced.budget(self.best), len(self.best.word)
        return [cycle for cycle in cycles if cycle.excess * period < budget * cycle.length]

    def _remove_roots(self, cycles: list[Cycle]) -> None:
        """The root of each cycle of mean below that of the best word, which may improve on the way.

        At first the best word is but a guess. The first root tells what it costs about to get the length
        right, and another one may do so for much less.
        """
        if self.stages:
            self._remove(cycles, self.reduced.budget(self.best))
        else:
            self._remove(cycles[:1], max(1, self.reduced.per_cost * self.graph.highest_cost // 4))
            self._remove(cycles[1:], self.reduced.budget(self.best) // 8)

    def _remove(self, cycles: list[Cycle], small: int) -> None:
        """Look for closed walks below a small budget at first, through any of the roots.

        If there is none, the roots are put back and the budget is doubled: tables grow much faster.
        """
        slack = self.reduced.slack
        while cycles := self._below(cycles):
            best, enough = self.best, self.reduced.budget(self.best)
            before = slack.copy() if small < enough else None
            roots, repeats = [cycle.root for cycle in cycles], list[Repeat]()
            try:
                small = self._until_better(roots, min(small, enough), enough, repeats)
            finally:  # also if the time is up
                if self.best is best and small < enough:
                    slack[:] = before
                    small = 2 * small + 1
                else:
                    self._keep(roots, repeats)
                    cycles = cycles[len(repeats) :]

    def _until_better(self, roots: list[int], budget: int, enough: int, repeats: list[Repeat]) -> int:
        """Remove roots, up to the first through which there is a closed walk below the budget.

        Where their tables repeat is added to a list. Returned is the budget: compiled code has doubled it.
        """
        best, period = self.best, len(self.best.word)
        while len(repeats) < len(roots) and self.best is best:
            tick()
            most = budget if repeats else enough  # roots are put back together or not at all
            passed, budget, least = self._room().pass_roots(roots[len(repeats) :], period, budget, most)
            repeats += passed
            if len(repeats) < len(roots):
                repeats.append(self._stage(roots[len(repeats)], least))
        return budget

    def _stage(self, root: int, budget: int) -> Repeat:
        """Look for the best closed walk through a root below the budget, and remove the root."""
        tables = Tables(self._room(), root, len(self.best.word), budget)
        if tables.walk is not None:
            self._improve(_candidate(self.graph, tables.walk))
        self.left.cut(self.reduced.slack, [root])
        return tables.repeat

    def _keep(self, roots: list[int], repeats: list[Repeat]) -> None:
        """The first roots are gone for good: no closed walk through them is better than the best word."""
        gone = roots[: len(repeats)]
        self.stages += [Stage(root, 0, at) for root, at in zip(gone, repeats, strict=True)]
        self.left.gone[gone] = True
        if self.negative is not None:
            self.negative.remove(gone)
        self.progress(f"best word of length {len(self.best.word)}: roots {len(self.stages)}")

    def _room(self) -> Room:
        """To work in, for the code to be used from now on."""
        if self.room is None or self.left.compiled != self.room.compiled:
            self.room = Room(self.graph, self.reduced.slack, self.left.never, self.left.compiled)
        return self.room

    def _improve(self, found: Candidate) -> None:
        if len(found.word) != len(self.best.word) or found.cost >= self.best.cost:
            raise InternalError("a closed walk did not replay to its cost; please report this instance.")
        self.best = found
        self.negative = None

    def _nothing_to_gain(self) -> bool:
        """Whether the best word has the minimum mean of all: then the first potentials prove it alone."""
        if self.best.mean(self.graph) > self.potentials[0].mean:
            return False
        self.potentials, self.stages, self.finished = self.potentials[:1], [], True
        return True

    def _next_search(self) -> NegativeCycles:
        """For cycles of mean below best/L: the last one, or one that starts from zero."""
        if self.negative is None or self.negative.low():
            self.negative = NegativeCycles(self.left, self.best.per_step())
        return self.negative
