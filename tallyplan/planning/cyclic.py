"""The best word of length exactly L under repetition: the optimal L-cyclic policy.

Words of length L are the closed walks of length L on the histories (also for L < m, where a window covers
the word more than once). Let `best` be the least cost of one that is known, and let potentials make the
reduced costs r = cost - w + phi(s') - phi(s) nonnegative, w the minimum mean. A better closed walk has an
r-sum below the *budget* best - L w.

Roots are removed one at a time:

1. Bellman-Ford on cost - best/L, over the states that are left, finds a cycle of mean below best/L or ends.
   If it ends, no closed walk among those states is better, and the potentials prove it.
2. Otherwise take a *root* on that cycle. Step forward L times from the root with a table D(state) of least
   r-sums, dropping entries at or above the budget: whoever is dropped cannot belong to a better closed
   walk. If the root is in the last table, its entry is the best closed walk through the root. Either way
   the root can be removed.

Tables are small, since budgets are (closing a walk to the right length costs a few losses, not L of them),
and they repeat as soon as the table of one time equals that of another: an L of 10^6 costs the steps before
that. As long as nothing better than a first guess is known, the budget grows by doubling from a small one.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from tallyplan.answers import document
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import positive_integer, shown, text
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import Word
from tallyplan.planning.mean_cycle import CHECK, cycle_on_graph
from tallyplan.planning.on_graph.closed_walks import Tables
from tallyplan.planning.on_graph.sweeps import NO_PARENT, DenseSweeps, follow

COMPILED_EDGES = 2**13  # from here on compiled tables win over numpy, the compiler's start included
SOON = (1, 2, 4, 8)  # sweeps after which a cycle is looked for: one root away, the next is often near
REFRESH = 64  # roots between two looks for better potentials


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
class CyclicPolicy:
    """The answer to `optimal_cyclic_policy`.

    Attributes
    ----------
    value : the loss per step of `word`; the least over all words of length `period` if `exact`.
    lower : no word of length `period` has a smaller loss per step; equal to `value` if `exact`.
    word : a word of length `period`.
    potentials, stages : the proof, as docs/certificates.md describes it.
    certificate : the document that `tallyplan.check` verifies.
    """

    bandit: Bandit = field(repr=False)
    period: int
    lower: Fraction
    value: Fraction
    word: Word
    potentials: tuple[Potentials, ...] = field(repr=False, compare=False)
    stages: tuple[Stage, ...] = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the value is the optimum; if not, a time limit ended the search."""
        return self.lower == self.value

    @property
    def upper(self) -> Fraction:
        """The loss per step of `word`, as the upper end of an interval."""
        return self.value

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Built on first use; its size is that of the potentials, a few vectors over the states."""
        bounds = {} if self.exact else {"lower": text(self.lower)}
        return document(
            self.bandit,
            claim={"question": "cyclic", "period": self.period} | bounds,
            value=self.value,
            primal={"word": list(self.word)},
            dual={
                "potentials": [potentials.to_json() for potentials in self.potentials],
                "stages": [stage.to_json() for stage in self.stages],
            },
        )


def optimal_cyclic_policy(
    bandit: Bandit, period: int, *, time_limit: float | None = None, progress: Progress = silent
) -> CyclicPolicy:
    """The word of exactly `period` actions with the least loss per step when repeated for ever.

    Parameters
    ----------
    period : L >= 1; smaller than the memory is fine.
    time_limit : seconds after which the search ends with what it has proved: an interval [lower, value].
        The minimum mean cycle, and one more for the lower bound, are computed in any case.
    progress : called with a line of words now and then.

    Returns
    -------
    CyclicPolicy, its word replayed and its potentials verified on every edge before it is returned. Without
    a time limit it is exact.

    Raises
    ------
    InvalidInput : a period that is not an integer >= 1, a negative time limit.
    InstanceTooLarge : before anything is allocated.

    Notes
    -----
    Memory: about 5 numbers for each of the K^m edges. Time: a few sweeps and a table of at most L steps for
    each root; the number of roots grows with the number of disjoint cycles whose mean is within O(m / L) of
    the least.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [optimal_cyclic_policy(bandit, period).value for period in (1, 2, 3, 5)]
    [Fraction(1, 1), Fraction(0, 1), Fraction(1, 3), Fraction(1, 5)]
    """
    period = positive_integer(period, "period")
    if time_limit is not None and not time_limit >= 0:
        raise InvalidInput(f"time_limit is {shown(time_limit)}; it must be a number of seconds, at least 0.")
    search = RootSearch(bandit, period, time_limit, progress)
    search.run()
    return CyclicPolicy(
        bandit,
        period,
        min(search.potentials[-1].mean, search.best_mean),
        search.best_mean,
        search.word,
        tuple(search.potentials),
        tuple(search.stages),
    )


class OutOfTimeError(Exception):
    """The time limit has passed; caught where the search can still say what it has proved."""


class RootSearch:
    """The state of the search: the best closed walk so far, the roots removed, the potentials used."""

    def __init__(self, bandit: Bandit, period: int, time_limit: float | None, progress: Progress) -> None:
        self.graph = graph = StateGraph(bandit)
        self.period = period
        self.progress = progress
        self.deadline = None if time_limit is None else time.monotonic() + time_limit
        self.stages: list[Stage] = []
        require_memory(32 * period, actions=period, length=1, what="actions in a word")
        require_memory(
            40 * graph.states * graph.actions, actions=graph.actions, length=graph.memory, what="windows"
        )
        self.critical = cycle_on_graph(bandit, progress=progress)
        self.potentials = [Potentials(self.critical.value, self.critical.scale, self.critical.potentials)]
        self._offer_first_words()

    @property
    def best_mean(self) -> Fraction:
        """The mean loss of the best word so far."""
        return Fraction(self.best, self.period * self.graph.denominator)

    def run(self) -> None:
        """Remove roots until the rest cannot be better; the last potentials then prove it."""
        if self.best_mean == self.critical.value:
            return
        self._allocate()
        try:
            root: int | None = self.graph.state_of_word(self.critical.word)
            while root is not None:
                self._stage(root)
                self._remove(root)
                if len(self.stages) % REFRESH == 0:
                    self._refresh()
                root = self._next_root()
        except OutOfTimeError:
            self.deadline = None
            self.potentials.append(self._minimum_left())

    def _tick(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTimeError

    # -- words -----------------------------------------------------------------------------------------------

    def _offer_first_words(self) -> None:
        """First candidates: constant words, and the critical word cut to length."""
        critical, length = self.critical.word, self.period
        turns, rest = divmod(length, len(critical))
        candidates: list[list[tuple[Word, int]]] = [[((a,), length)] for a in range(self.graph.actions)]
        candidates.append([(critical, turns), (critical[:rest], 1)])
        costs = [self._cyclic_cost(candidate) for candidate in candidates]
        self.best = min(costs)
        self.word = _written(candidates[costs.index(self.best)])
        self.guessed = True

    def _cyclic_cost(self, runs: list[tuple[Word, int]]) -> int:
        """The integer cost of one period of the word given by runs, repeated for ever."""
        bandit = self.graph.bandit
        runs = [(word, repeats) for word, repeats in runs if word and repeats]
        return self.graph.scaled(replay_runs(bandit, runs, _last_actions(runs, bandit.memory - 1)))

    def _improve(self, runs: list[tuple[Word, int]]) -> None:
        cost = self._cyclic_cost(runs)
        self.word = _written(runs)
        if len(self.word) != self.period or cost >= self.best:
            raise InternalError("a closed walk did not replay to its cost; please report this instance.")
        self.best, self.guessed = cost, False
        self._restart_bellman_ford()

    # -- the graph that is left --------------------------------------------------------------------

    def _allocate(self) -> None:
        graph = self.graph
        bound = 8 * (CHECK + 4) * graph.states * max(self.period, graph.states) * max(1, graph.highest_cost)
        self.kind = integer_type(max(bound, 2**32))
        self.never: int = 2**61 if self.kind is np.int64 else 8 * bound
        self.compiled = graph.states * graph.actions > COMPILED_EDGES and graph.memory > 1
        self.compiled = self.compiled and self.kind is np.int64
        self.edges = graph.edge_costs(self.kind)
        self.gone = np.zeros(graph.states, dtype=bool)
        self._use(self.potentials[0])
        self._restart_bellman_ford()

    def _remove(self, root: int) -> None:
        """Take the root out of the graph, of the slacks and of the running Bellman-Ford."""
        graph = self.graph
        self.gone[root] = True
        for costs in (self.slack, self.sweeps.costs):
            costs[divmod(root, graph.rests)] = self.never
            for d in range(graph.dropped):
                rest, action = divmod(root, graph.actions)
                costs[d, rest % graph.rests, action if graph.memory > 1 else slice(None)] = self.never
                self.parents[d * graph.rests + rest % graph.rests] = NO_PARENT
        self.parents[root] = NO_PARENT

    def _without_gone(self, costs: Array) -> Array:
        graph = self.graph
        costs[self.gone.reshape(graph.dropped, graph.rests)] = self.never
        np.copyto(costs, self.never, where=graph.arrivals(self.gone)[None, :, :])
        return costs

    def _use(self, potentials: Potentials) -> None:
        """Reduced costs for new potentials, verified on every edge that is left."""
        graph = self.graph
        per_cost = potentials.scale // graph.denominator
        step = int(potentials.mean * potentials.scale)
        values: Array = potentials.values.astype(self.kind)
        here = values.reshape(graph.dropped, graph.rests, 1)
        slack = self.edges * per_cost - step + graph.arrivals(values)[None, :, :] - here
        self.slack = self._without_gone(slack)
        self.per_cost, self.per_step = per_cost, step
        if bool(np.any(self.slack < 0)):
            raise InternalError("potentials failed their verification; please report this instance.")

    # -- one root ----------------------------------------------------------------------------------

    def _stage(self, root: int) -> None:
        """The best closed walk through the root, if it is better than the best known."""
        graph = self.graph
        self.progress(f"best word of length {self.period}: root {len(self.stages) + 1}")
        budget = self._budget()
        if self.guessed:
            budget = min(budget, max(1, self.per_cost * graph.highest_cost // 4))
        while True:
            tables = Tables(
                graph, self.slack, self.never, self.compiled, root, self.period, budget, self._tick
            )
            if tables.at_root is not None:
                self._improve(tables.closed_walk())
                break
            if budget >= self._budget():
                break
            budget = min(2 * budget, self._budget())
        self.stages.append(Stage(root, len(self.potentials) - 1, tables.repeat))

    def _budget(self) -> int:
        """Reduced costs below this are better than the best word."""
        return self.per_cost * self.best - self.period * self.per_step

    # -- the next root -----------------------------------------------------------------------------

    def _restart_bellman_ford(self) -> None:
        """Bellman-Ford for cycles of mean below best/L, from zero potentials."""
        self.target = Fraction(self.best, self.period)
        multiplier, subtract = self.target.denominator, self.target.numerator
        costs = self._without_gone(self.edges * multiplier - subtract)
        self.sweeps = DenseSweeps(self.graph, self.kind, costs=costs, compiled=self.compiled)
        self.values: Array = np.zeros(self.graph.states, dtype=self.kind)
        self.parents = np.full(self.graph.states, NO_PARENT, dtype=np.int16)

    def _next_root(self) -> int | None:
        """A state on a cycle of mean below best/L, or None with the final potentials in place."""
        if int(self.values.min()) < -self.never // 4:
            self._restart_bellman_ford()
        state = self._bellman_ford(self.sweeps, self.values, self.parents)
        if state is None:
            self._verify(self.sweeps, self.values)
            scale = self.target.denominator * self.graph.denominator
            self.potentials.append(Potentials(self.best_mean, scale, self.values))
            return None
        return self._busiest(state)

    def _busiest(self, state: int) -> int:
        """The state of the parent cycle with the cheapest way to leave it: many good cycles meet there."""
        graph = self.graph
        best, best_slack = state, None
        at = state
        while True:
            leaving = sorted(int(value) for value in self.slack[divmod(at, graph.rests)])
            slack = leaving[1] if len(leaving) > 1 else 0
            if best_slack is None or slack < best_slack:
                best, best_slack = at, slack
            at = graph.successor(at, int(self.parents[at]))
            if at == state:
                return best

    def _refresh(self) -> None:
        """New potentials once the minimum mean of what is left has come a good deal closer to the best."""
        left = self._minimum_left()
        if 2 * (self.best_mean - left.mean) <= self.best_mean - self.potentials[-1].mean:
            self.potentials.append(left)
            self._use(left)

    def _minimum_left(self) -> Potentials:
        """Potentials for the minimum mean of the states that are left, at most the best mean."""
        graph = self.graph
        multiplier, subtract = self.target.denominator, self.target.numerator
        while True:
            costs = self._without_gone(self.edges * multiplier - subtract)
            sweeps = DenseSweeps(graph, self.kind, costs=costs, compiled=self.compiled)
            values: Array = np.zeros(graph.states, dtype=self.kind)
            parents = np.full(graph.states, NO_PARENT, dtype=np.int16)
            state = self._bellman_ford(sweeps, values, parents)
            if state is None:
                break
            word = follow(graph, parents, state)
            multiplier, subtract = len(word), self._cyclic_cost([(word, 1)])
        self._verify(sweeps, values)
        return Potentials(
            Fraction(subtract, multiplier * graph.denominator), multiplier * graph.denominator, values
        )

    def _bellman_ford(self, sweeps: DenseSweeps, values: Array, parents: Array) -> int | None:
        """Relax until a parent cycle shows (a state on it) or nothing changes (None)."""
        sweep = 0
        while sweeps.relax(values, parents, -self.never):
            self._tick()
            sweep += 1
            if sweep % CHECK == 0 or sweep in SOON:
                state = sweeps.parent_cycle(parents)
                if state >= 0:
                    return state
        return None

    def _verify(self, sweeps: DenseSweeps, values: Array) -> None:
        lowered, shift = sweeps.power(values, 1)
        if not bool(np.all((lowered + shift >= values) | self.gone)):
            raise InternalError("potentials failed their verification; please report this instance.")


def _written(runs: list[tuple[Word, int]]) -> Word:
    return tuple(action for word, repeats in runs for action in word * repeats)


def _last_actions(runs: list[tuple[Word, int]], count: int) -> Word:
    """The last `count` actions of the runs repeated for ever."""
    actions: Word = ()
    while len(actions) < count:
        for word, repeats in reversed(runs):
            needed = max(0, -(-(count - len(actions)) // len(word)))
            actions = word * min(repeats, needed) + actions
    return actions[len(actions) - count :]
