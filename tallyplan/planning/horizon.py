"""The finite horizon: OPT_T and an optimal plan, for any T.

The recursion and its short cuts are in `on_graph.layers`, the plan is read back by `on_graph.walk_back`.
From a history shorter than m-1, the first steps lead through a tree of shorter histories to the full ones.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.rationals import ceil_div, integer, shown
from tallyplan.model.replay import history_of, replay_runs
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning.mean_cycle import check_method, cycle_on_graph, effort_of
from tallyplan.planning.on_graph.layers import Layers
from tallyplan.planning.on_graph.sweeps import DENSE_EDGES, Sweeps
from tallyplan.planning.on_graph.trees import best_word
from tallyplan.planning.on_graph.walk_back import follow

if TYPE_CHECKING:
    from tallyplan.planning.without_graph.plans import PlanBounds


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
    layers = solved_layers(graph, horizon - depth, progress) if full else None
    require_memory(40 * graph.actions**depth, actions=graph.actions, length=depth, what="ways to begin")
    # Without layers the game ends before the history is full, and nothing follows the leaves.
    leaves = layers.top.values if layers else np.zeros(graph.actions**depth, dtype=object)
    runs = RunBuilder()
    cost, opening = best_word(graph, leaves, start, depth)
    runs.extend(opening)
    if layers is not None:
        cost += layers.top.offset
        follow(layers, graph.code(start + opening), runs, progress)
    value = Fraction(cost, graph.denominator)
    plan = Plan(bandit, horizon, start, value, runs.finish(), layers.jumps if layers else ())
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
    top = solved_layers(graph, horizon, progress).top
    return ValueFunction(bandit, horizon, top.values, top.offset, graph.denominator)


def _count(horizon: int) -> int:
    horizon = integer(horizon, "horizon")
    if horizon < 0:
        raise InvalidInput(f"horizon is {shown(horizon)}; it must be at least 0.")
    return horizon


def _unit(sweeps: Sweeps, progress: Progress) -> int:
    """How many sweeps to do at a time: on large instances a multiple of the length of an optimal cycle.

    The layers come to repeat with that period, as a rule, so that one unit is enough to see it.
    """
    if sweeps.turn == 1:
        return 1
    length = len(cycle_on_graph(sweeps.graph.bandit, progress=progress).word)
    return length * ceil_div(sweeps.turn, 2 * length)


def solved_layers(graph: StateGraph, steps: int, progress: Progress) -> Layers:
    """All layers up to V_steps."""
    layers = Layers(graph, lambda sweeps: _unit(sweeps, progress))
    layers.extend(steps, progress)
    return layers


def _verify(plan: Plan) -> None:
    """The runs fill the horizon and lose what is claimed."""
    length = sum(len(word) * repeats for word, repeats in plan.runs)
    if length != plan.horizon or replay_runs(plan.bandit, plan.runs, plan.start) != plan.value:
        raise InternalError("the optimal plan failed its own replay; please report this instance.")
