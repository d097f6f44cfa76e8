"""The finite horizon: OPT_T and an optimal plan, for any T.

Let V_t(s) be the least cost of t steps from the history s. V_0 = 0, and a *sweep* computes V_{t+1} = B(V_t),

    B(V)(s) = min over a of cost(s, a) + V(successor(s, a)).

**Jumps.** B is a minimum of increasing affine functions and commutes with adding a constant, and so F = B^p
is increasing and concave. Suppose that F moves the layer x = V_t by G, F(x) = x + G, and that

    F(x + G) = x + 2G   and   F(x + kG) = x + (k+1)G.

Then i -> F(x + iG) - x - (i+1)G is concave with zeros at 0, 1 and k, so it is zero at every integer in
between: k+1 blocks of p sweeps amount to adding (k+1)G. If G is constant this holds for every k, and V is
periodic for ever after; such a G always comes (the graph is strongly connected). So a horizon of 10^15
costs the sweeps between the jumps. Candidates are found by comparing the step V_{t+1} - V_t with that of a
reference layer that moves on geometrically (Brent), the largest k by galloping.

**The plan.** Walking from time-to-go N down to 0, the action at time-to-go t is a minimiser in B(V_{t-1}).
Layers are recomputed from few stored ones (`layers_backwards`). Inside a jump, a p-step walk that is
optimal for one 0 < i < k is optimal for all i in [0, k]: its cost minus the optimum is affine in i, never
negative, and zero inside. So one map from states to p-step words serves all blocks, and as soon as a state
comes back, the rest of the jump is a word repeated.

**The start.** From a history shorter than m-1, the first steps lead through a tree of shorter histories to
the full ones.

Numbers: with H the highest cost, V_t(s) - V_t(s') never exceeds (m-1) H (play from s what is best from s';
after m-1 steps the histories agree). Layers are stored relative to their value at state 0, so the type of a
vector does not depend on T. A candidate jump that turns out false may lead 2mH further, and sweeping from
there doubles the spread before it is made relative again: 6mH bounds every number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.answers import document
from tallyplan.errors import InstanceTooLarge, InternalError, InvalidInput
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.instance import Bandit, TallyingBandit, integer
from tallyplan.model.rationals import shown
from tallyplan.model.replay import history_of, replay_runs
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning.mean_cycle import check_method, cycle_on_graph, effort_of
from tallyplan.planning.on_graph.layers import FAN, layers_backwards
from tallyplan.planning.on_graph.sweeps import DENSE_EDGES, Sweeps, compiled_for, make_sweeps

if TYPE_CHECKING:
    from tallyplan.planning.without_graph.plans import PlanBounds

VECTORS = 4 * FAN  # what a plan of up to FAN^3 sweeps between jumps keeps, see optimal_plan


@dataclass(frozen=True)
class Plan:
    """The answer to `optimal_plan`.

    Attributes
    ----------
    value : OPT_T, the least total loss.
    runs : an optimal sequence as ((word, repeats), ...); `tallyplan.model.words.expand` writes it out.
    jumps : ((t, p, k), ...), the short cuts that the certificate lists.
    certificate : the document that `tallyplan.check` verifies.
    """

    bandit: Bandit = field(repr=False)
    horizon: int
    start: Word
    value: Fraction
    runs: tuple[tuple[Word, int], ...]
    jumps: tuple[tuple[int, int, int], ...] = field(repr=False)

    @property
    def exact(self) -> bool:
        """Always: the recursion ends with the optimum."""
        return True

    @property
    def lower(self) -> Fraction:
        """The value, as the lower end of an interval."""
        return self.value

    @property
    def upper(self) -> Fraction:
        """The value, as the upper end of an interval."""
        return self.value

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Small whatever the horizon: the checker runs the recursion itself."""
        return document(
            self.bandit,
            claim={"question": "horizon", "horizon": self.horizon, "start": list(self.start)},
            value=self.value,
            primal={"runs": [[list(word), repeats] for word, repeats in self.runs]},
            dual={"jumps": [list(jump) for jump in self.jumps]},
        )


def optimal_plan(
    bandit: Bandit,
    horizon: int,
    start: Sequence[int] = (),
    *,
    method: str = "auto",
    gap: Fraction | float | str = 0,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Plan | PlanBounds:
    """The least total loss of `horizon` steps after the history `start`, and a plan that attains it.

    Parameters
    ----------
    horizon : T >= 0, as large as you like.
    start : the actions played before; only the last m - 1 count, fewer are fine.
    method, gap, time_limit : as in `minimum_mean_cycle`; "auto" takes the state graph where it fits.
    progress : called with a line of words now and then.

    Returns
    -------
    Plan, its runs replayed exactly before it is returned; or, without the state graph, PlanBounds: an
    interval [lower, upper] with a plan at its upper end, exact if the window never overflows and otherwise
    where the ends happen to meet.

    Raises
    ------
    InvalidInput : a horizon that is not an integer >= 0, a start with an unknown action; an unknown method,
        or one that is not for this bandit; a negative gap or time limit.
    InstanceTooLarge : before anything is allocated.

    Notes
    -----
    Time: a number of sweeps that depends on the instance, not on T, each O(n) for n = K^(m-1) states (O(n
    K) on small instances). Memory: at most 8 ceil(log_8 N) + 3 J + 10 vectors over the states, with N the
    longest stretch of sweeps between jumps and J the number of jumps (one or two, as a rule), plus the plan
    itself, plus the K^m edge costs on small instances.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> optimal_plan(bandit, 10**15).value
    Fraction(0, 1)
    >>> optimal_plan(bandit, 3, start=[0]).runs
    (((1, 0, 1), 1),)
    >>> optimal_plan(bandit, 0).runs
    ()
    """
    horizon, start = _count(horizon), history_of(bandit, start)
    effort = effort_of(gap, time_limit, progress)
    check_method(bandit, method)
    if method == "graph" or not isinstance(bandit, TallyingBandit):
        return plan_on_graph(bandit, horizon, start, progress)
    if method == "auto" and not _only_counts_matter(bandit, horizon, start):
        with suppress(InstanceTooLarge):
            return plan_on_graph(bandit, horizon, start, progress)
    from tallyplan.planning.without_graph.plans import plan_bounds

    return plan_bounds(bandit, horizon, start, effort)


def _only_counts_matter(bandit: TallyingBandit, horizon: int, start: Word) -> bool:
    """Whether the window never overflows, and there are too many plans to list them at once."""
    fits = horizon + len(start) <= bandit.memory
    return fits and bandit.actions**horizon > DENSE_EDGES


def plan_on_graph(bandit: Bandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan by sweeps over the state graph.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    depth = min(horizon, graph.memory - 1 - len(start))
    full = depth + len(start) == graph.memory - 1
    layers = Layers.solve(graph, horizon - depth, progress) if full else None
    require_memory(40 * graph.actions**depth, actions=graph.actions, length=depth, what="ways to begin")
    # Without layers the game ends before the history is full, and nothing follows the leaves.
    leaves = layers.top.values if layers else np.zeros(graph.actions**depth, dtype=object)
    runs = RunBuilder()
    cost, opening = best_word(graph, leaves, start, depth)
    runs.extend(opening)
    if layers is not None:
        cost += layers.top.offset
        layers.follow(graph.code(start + opening), runs, progress)
    value = Fraction(cost, graph.denominator)
    plan = Plan(bandit, horizon, start, value, runs.finish(), layers.jump_list() if layers else ())
    _verify(plan)
    return plan


@dataclass(frozen=True)
class ValueFunction:
    """The answer to `optimal_values`: the least total loss of `horizon` steps from every full history.

    The value of the history with code s is (costs[s] + offset) / denominator.
    """

    bandit: Bandit = field(repr=False)
    horizon: int
    costs: Array = field(repr=False, compare=False)
    offset: int = field(repr=False)
    denominator: int

    def of(self, history: Sequence[int]) -> Fraction:
        """The value of a history of at least m - 1 actions; the last m - 1 count."""
        kept = history_of(self.bandit, history)
        if len(kept) < self.bandit.memory - 1:
            raise InvalidInput(
                f"the history has {len(kept)} actions; values are for full histories of "
                f"{self.bandit.memory - 1}. From a shorter one, ask optimal_plan."
            )
        return Fraction(int(self.costs[StateGraph(self.bandit).code(kept)]) + self.offset, self.denominator)


def optimal_values(bandit: Bandit, horizon: int, *, progress: Progress = silent) -> ValueFunction:
    """The least total loss of `horizon` steps from every history of m - 1 actions at once.

    What dynamic programming calls the value function with `horizon` steps to go: `optimal_plan` without the
    plan, for as large horizons.

    >>> from tallyplan import TallyingBandit
    >>> values = optimal_values(TallyingBandit([["0", "1"], ["1/2", "1"]]), 10**15)
    >>> values.of([0]), values.of([1])
    (Fraction(250000000000000, 1), Fraction(250000000000000, 1))
    """
    horizon = _count(horizon)
    graph = StateGraph(bandit)
    top = Layers.solve(graph, horizon, progress).top
    return ValueFunction(bandit, horizon, top.values, top.offset, graph.denominator)


def _count(horizon: int) -> int:
    horizon = integer(horizon, "horizon")
    if horizon < 0:
        raise InvalidInput(f"horizon is {shown(horizon)}; it must be at least 0.")
    return horizon


@dataclass(frozen=True)
class Layer:
    """V_t = values + offset, with values[0] = 0."""

    time: int
    values: Array
    offset: int

    def moved(self, times: int, by: Array, constant: int, duration: int) -> Layer:
        """This layer plus `times` multiples of (by + constant), `times * duration` steps later."""
        values = self.values + times * by if by.any() else self.values
        return Layer(self.time + times * duration, values, self.offset + times * constant)


@dataclass(frozen=True)
class Stretch:
    """`count` times `unit` plain sweeps from a layer."""

    base: Layer
    unit: int
    count: int


@dataclass(frozen=True)
class Jump:
    """k+1 blocks of `count` times `unit` sweeps from a layer, each of which adds (by + constant)."""

    base: Layer
    unit: int
    count: int
    k: int
    by: Array
    constant: int

    @property
    def period(self) -> int:
        """The sweeps of one block."""
        return self.unit * self.count


class Layers:
    """The layers V_0 .. V_N as stretches of sweeps and jumps, and the walk back through them.

    Sweeps come in units: 1, or on large instances many at a time, which is how they are quickest.
    """

    def __init__(self, sweeps: Sweeps, unit: int) -> None:
        self.sweeps = sweeps
        self.unit = unit
        self.top = Layer(0, np.zeros(sweeps.graph.states, dtype=sweeps.kind), 0)
        self.pieces: list[Stretch | Jump] = []

    @classmethod
    def solve(cls, graph: StateGraph, steps: int, progress: Progress) -> Layers:
        """All layers up to V_steps."""
        sweeps = make_sweeps(graph, 6 * graph.memory * max(1, graph.highest_cost), vectors=VECTORS)
        layers = cls(sweeps, _unit(sweeps, progress))
        odd = steps % layers.unit
        if odd:
            layers.pieces.append(Stretch(layers.top, odd, 1))
            layers.top = layers.sweep(layers.top, odd)
        while layers.top.time < steps:
            layers._advance(steps, progress)
        return layers

    def jump_list(self) -> tuple[tuple[int, int, int], ...]:
        """The jumps as the certificate lists them."""
        return tuple((p.base.time, p.period, p.k) for p in self.pieces if isinstance(p, Jump))

    def sweep(self, layer: Layer, count: int) -> Layer:
        """Several sweeps."""
        values, shift = self.sweeps.power(layer.values, count)
        return Layer(layer.time + count, values, layer.offset + shift)

    def step(self, layer: Layer) -> Layer:
        """One unit of sweeps."""
        return self.sweep(layer, self.unit)

    def _advance(self, steps: int, progress: Progress) -> None:
        """Sweep until a jump is found and take it, or until the end."""
        base = now = self.top
        while now.time < steps:
            # The reference moves on to where the search stands, further each time.
            reference, after = now, self.step(now)
            now = after
            patience = max(4 * self.unit, (reference.time - base.time) // 2)
            while now.time < steps and now.time - reference.time <= patience:
                following = self.step(now)
                progress(f"optimal plan: layer {following.time} of {steps}")
                if _same_step(reference, after, now, following):
                    jump = self._jump(reference, now, steps)
                    if jump is not None:
                        self._record(base, reference)
                        self.pieces.append(jump)
                        self.top = reference.moved(jump.k + 1, jump.by, jump.constant, jump.period)
                        return
                now = following
        self._record(base, now)
        self.top = now

    def _record(self, base: Layer, end: Layer) -> None:
        if end.time > base.time:
            self.pieces.append(Stretch(base, self.unit, (end.time - base.time) // self.unit))

    def _jump(self, base: Layer, later: Layer, steps: int) -> Jump | None:
        """The longest jump from `base` with G = later - base that ends by `steps`, if it is worth one."""
        period = later.time - base.time
        by, constant = later.values - base.values, later.offset - base.offset
        longest = (steps - base.time) // period - 1
        largest = int(np.abs(by).max())
        if largest:  # values stay within the span, or the jump is false
            span = 2 * self.sweeps.graph.memory * max(1, self.sweeps.graph.highest_cost)
            longest = min(longest, span // largest)

        def holds(k: int) -> bool:
            reached = self.sweep(base.moved(k, by, constant, period), period)
            claimed = base.moved(k + 1, by, constant, period)
            return reached.offset == claimed.offset and np.array_equal(reached.values, claimed.values)

        k = longest if largest == 0 else _gallop(holds, longest)
        return Jump(base, self.unit, period // self.unit, k, by, constant) if k >= 2 else None

    def follow(self, state: int, runs: RunBuilder, progress: Progress) -> int:
        """Append the greedy actions from time-to-go N at `state` down to 0; return the state at the end."""
        for piece in reversed(self.pieces):
            progress(f"optimal plan: writing the plan from time-to-go {piece.base.time}")
            if isinstance(piece, Stretch):
                word, state = self._greedy(piece.base, piece.unit, piece.count, state)
                runs.extend(word)
            else:
                state = self._through(piece, state, runs)
        return state

    def _greedy(self, base: Layer, unit: int, count: int, state: int) -> tuple[Word, int]:
        """The optimal word of count * unit steps down to the layer `base`, and where it ends."""
        graph = self.sweeps.graph
        deepest = max(1, graph.memory - 1)  # actions that a tree decides at a time
        word: Word = ()
        for layer in layers_backwards(self.step, base, count):
            for left in reversed(range(0, unit, deepest)):
                below = self.sweep(layer, left) if left else layer
                depth = min(unit - left, deepest)
                piece = best_word(graph, below.values, graph.history(state), depth)[1]
                word += piece
                state = graph.walk(state, piece)
        return word, state

    def _through(self, jump: Jump, state: int, runs: RunBuilder) -> int:
        """The k+1 blocks of a jump: one p-step word for each state met, until a state comes back."""
        inside = jump.base.moved(1, jump.by, jump.constant, jump.period)
        words: dict[int, Word] = {}
        met: list[int] = []
        blocks = jump.k + 1
        while state not in words and len(met) < blocks:
            met.append(state)
            words[state], state = self._greedy(inside, jump.unit, jump.count, state)
        first = met.index(state) if state in words else len(met)
        for before in met[:first]:
            runs.extend(words[before])
        cycle = met[first:]
        if not cycle:
            return state
        turns, rest = divmod(blocks - first, len(cycle))
        runs.repeat(tuple(action for at in cycle for action in words[at]), turns)
        for at in cycle[:rest]:
            runs.extend(words[at])
        return cycle[rest]


def _unit(sweeps: Sweeps, progress: Progress) -> int:
    """How many sweeps to do at a time: on large instances a multiple of the length of an optimal cycle.

    The layers come to repeat with that period, as a rule, so that one unit is enough to see it.
    """
    if sweeps.turn == 1:
        return 1
    length = len(cycle_on_graph(sweeps.graph.bandit, progress=progress).word)
    return length * -(-sweeps.turn // (2 * length))


def best_word(graph: StateGraph, values: Array, history: Word, depth: int) -> tuple[int, Word]:
    """The best `depth` actions after `history` (of any length) if what follows costs `values`.

    `values` is a vector over the states, or over the histories of length len(history) + depth if those are
    shorter than m-1; `depth` is at most m-1 (or 1). All K^depth continuations form a tree, which is folded
    back level by level. Returns the least cost and the word.
    """
    keep = graph.memory - 1
    exact = np.int64 if values.dtype == np.int32 else values.dtype.type
    kept = history[max(0, len(history) + depth - keep) :]
    first = graph.code(kept) * graph.actions**depth if values.size == graph.states else 0
    totals = values[first : first + graph.actions**depth].astype(exact)
    if keep == 0:  # every action leads back to the only state
        totals = np.repeat(totals, graph.actions**depth)
    choices = []
    for level in reversed(range(depth)):
        in_window = history[max(0, len(history) + level - keep) :]
        totals, choice = fold(graph, totals, in_window, level)
        choices.append(choice)
    word: Word = ()
    for choice in reversed(choices):
        word += (int(choice[graph.code(word)]),)
    return int(totals[0]), word


def fold(graph: StateGraph, totals: Array, in_window: Word, level: int) -> tuple[Array, Array]:
    """Over the words x of `level` actions: the least cost of an action after (in_window, x), and it."""
    if compiled_for(graph) and totals.size > DENSE_EDGES // 4 and totals.dtype == np.int64:
        from tallyplan.planning.on_graph.kernels import rotation, tree

        choice = np.empty(totals.size // graph.actions, dtype=np.int16)
        fixed = np.array([in_window.count(action) for action in range(graph.actions)])
        low, high = (rotation.word_tallies(graph.actions, n) for n in (level // 2, level - level // 2))
        tree.fold(totals, graph.cost_table(np.int64), fixed, low, high, choice)
        return totals[: choice.size], choice
    candidates = graph.window_costs(in_window, level, totals.dtype.type) + totals.reshape(-1, graph.actions)
    return candidates.min(axis=1), candidates.argmin(axis=1)


def _same_step(before: Layer, after: Layer, before_now: Layer, after_now: Layer) -> bool:
    """Whether after - before equals after_now - before_now."""
    same_offset = after.offset - before.offset == after_now.offset - before_now.offset
    return same_offset and np.array_equal(after.values - before.values, after_now.values - before_now.values)


def _gallop(holds: Callable[[int], bool], longest: int) -> int:
    """The largest k <= longest with holds(k), or 0; holds is true up to some k and false after it."""
    if longest < 1 or not holds(1):
        return 0
    low, high = 1, 2
    while high <= longest and holds(high):
        low, high = high, 2 * high
    high = min(high, longest + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _verify(plan: Plan) -> None:
    """The runs fill the horizon and lose what is claimed."""
    length = sum(len(word) * repeats for word, repeats in plan.runs)
    if length != plan.horizon or replay_runs(plan.bandit, plan.runs, plan.start) != plan.value:
        raise InternalError("the optimal plan failed its own replay; please report this instance.")
