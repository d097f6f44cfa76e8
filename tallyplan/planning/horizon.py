"""The finite horizon: OPT_T and an optimal plan, for any T.

With room for the state graph the optimum is computed exactly, by the layers of the recursion and the way back
through them (`reference_layers` has the mathematics; the core does the same in machine integers). A tallying
bandit of any size can be planned without it (`without_graph.plans`): exactly for short games, and otherwise
up to a certified interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial

from tallyplan.answers import Plan
from tallyplan.certificates import Proof, recursion
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, silent
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.graph import node_of
from tallyplan.model.instance import Bandit, State, TallyingBandit
from tallyplan.model.rationals import digits, natural
from tallyplan.model.replay import history_of
from tallyplan.model.words import Word, shortest
from tallyplan.planning import reference_layers
from tallyplan.planning.effort import Effort, OutOfTimeError, check_method, limited, tick, too_late
from tallyplan.planning.policies import HorizonPolicy
from tallyplan.planning.state_graph import called, explicit, graph_of, no_play, place_of
from tallyplan.planning.without_graph.bounds.fewer_arms import few_arms

PLANS_LISTED = 2**17  # a short game with at most this number of plans is solved by listing them


def optimal_plan(
    bandit: Bandit,
    horizon: int,
    start: Sequence[int] = (),
    *,
    method: str = "auto",
    gap: Fraction | float | str = 0,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Plan:
    """The least total loss of `horizon` steps after the history `start`, and a plan that attains it.

    Parameters
    ----------
    horizon : T >= 0, as large as you like.
    start : the actions played before; only the last m - 1 count, fewer are fine.
    method, gap, time_limit : as in `minimum_mean_cycle`; "auto" takes the state graph where it fits.
    progress : called with a status string, periodically.

    Returns
    -------
    Plan, its runs replayed exactly before it is returned. With the state graph it is exact. Without it, it is
    an interval [lower, upper] with a plan at its upper end: exact if no action leaves the window during the
    game, or if both ends are equal. The same applies if the time limit ends the sweeps.

    Raises
    ------
    InvalidInput : a horizon that is not an integer >= 0, a start with an unknown action; an unknown method,
        or one that is not for this bandit; a negative gap or time limit.
    InstanceTooLarge : before anything is allocated.
    NoPlay : arms forbid every play of `horizon` steps.

    Notes
    -----
    Time: a number of sweeps that is bounded by the size of the graph and log T, each O(n) for n = K^(m-1)
    states (O(n K) on small instances); `reference_layers` has the argument. Memory: at most 8 ceil(log_8 N) +
    3 J + 10 vectors over the states, with N the longest stretch of sweeps between jumps and J the number of
    jumps (one or two, as a rule), plus the plan itself, plus the K^m edge costs on small instances.

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

    See Also
    --------
    tallyplan.minimum_mean_cycle : per step, forever.
    tallyplan.answers.Plan : the answer.
    tallyplan.check : its certificate.
    """
    horizon, start = natural(horizon, "horizon"), history_of(bandit, start)
    effort = Effort.of(gap, time_limit, progress)
    check_method(bandit, method)
    try:
        with limited(effort.deadline):
            if isinstance(bandit, TallyingBandit):
                return _tallying_plan(bandit, horizon, start, method, effort)
            return plan_on_graph(bandit, horizon, start, progress)
    except OutOfTimeError:
        if isinstance(bandit, ArmBandit):
            raise too_late() from None
        from tallyplan.planning.without_graph.plans import plan_at_once

        return plan_at_once(bandit, horizon, start)


def _tallying_plan(bandit: TallyingBandit, horizon: int, start: Word, method: str, effort: Effort) -> Plan:
    if method == "graph":
        return plan_on_graph(bandit, horizon, start, effort.progress)
    if method == "auto" and not _only_counts_matter(bandit, horizon, start):
        with suppress(InstanceTooLarge):
            return _plan_with_few_arms(bandit, horizon, start, effort.progress)
    from tallyplan.planning.without_graph.plans import plan_bounds

    return plan_bounds(bandit, horizon, start, effort)


def _only_counts_matter(bandit: TallyingBandit, horizon: int, start: Word) -> bool:
    """Whether no action leaves the window during the game, and there are too many plans to list."""
    fits = horizon + len(start) <= bandit.memory
    return fits and bandit.actions**horizon > PLANS_LISTED


def _plan_with_few_arms(bandit: TallyingBandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan, by sweeps over the state graph of the arms that matter."""
    fewer = few_arms(bandit, played=start)
    if fewer is None:
        return plan_on_graph(bandit, horizon, start, progress)
    plan = plan_on_graph(fewer.bandit, horizon, fewer.renamed(start), progress)
    runs = tuple((fewer.original(word), repeats) for word, repeats in plan.runs)
    ask = partial(HorizonPolicy, bandit, horizon)
    return fewer.about_all(bandit, plan, start=start, runs=runs, ask=ask)


def plan_on_graph(bandit: Bandit, horizon: int, start: Word, progress: Progress) -> Plan:
    """The optimal plan by sweeps over the state graph.

    Raises
    ------
    NoPlay : arms forbid every play of `horizon` steps after `start`.
    """
    state = bandit.state_after(start)
    if isinstance(bandit, ArmBandit):
        _require_play(bandit, horizon, start, state)
    try:
        found = core.plan(graph_of(bandit, short=True), place_of(bandit, state), horizon, tick, progress)
    except TooWideError:
        found = reference_layers.plan(explicit(bandit, short=True), node_of(bandit, state), horizon)
    value, name = Fraction(found.cost, bandit.denominator), called(bandit)
    proof = Proof(recursion(_jumps(bandit, state, horizon, found), name), name)
    ask = partial(HorizonPolicy, bandit, horizon)
    return Plan(bandit, value, value, proof, horizon, start, shortest(found.runs), ask=ask)


def _require_play(bandit: ArmBandit, horizon: int, start: Word, state: State) -> None:
    longest = graph_of_arms(bandit).longest[node_of(bandit, state)]
    if longest is not None and longest < horizon:
        claim = {"question": "horizon", "horizon": horizon, "start": list(start)}
        raise no_play(bandit, claim, f"there is no play of {digits(horizon)} steps.")


def _jumps(bandit: Bandit, state: State, horizon: int, found: core.Planned) -> list[tuple[int, int, int]]:
    """The jumps of the recursion (t, p, k) over full histories: it has no more steps than remain to these."""
    steps = horizon
    if not isinstance(bandit, ArmBandit):
        steps -= min(horizon, bandit.memory - 1 - len(state))
    jumps = [(one.time, one.period, min(one.k, (steps - one.time) // one.period - 1)) for one in found.jumps]
    return [jump for jump in jumps if jump[2] >= reference_layers.FEWEST_BLOCKS]
