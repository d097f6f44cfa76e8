"""The finite horizon: OPT_T and an optimal plan, for any T.

With room for the state graph the optimum is computed exactly (`on_graph.plans`); a tallying bandit of any
size can be planned without it (`without_graph.plans`): exactly for short games, and otherwise up to a
certified interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

from tallyplan.answers import Plan, ValueFunction
from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, silent
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import Bandit, TallyingBandit, require_bandit
from tallyplan.model.rationals import natural
from tallyplan.model.replay import history_of
from tallyplan.model.words import Word
from tallyplan.planning.arm_reduction import EDGES_WORTH_SAVING, horizon_policy, plan_with_few_arms
from tallyplan.planning.effort import Effort, OutOfTimeError, check_method, limited, too_late
from tallyplan.planning.on_graph.plans import plan_on_graph

PLANS_LISTED = 2**17  # a short game with at most so many plans is solved by listing them


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
    states (O(n K) on small instances); `on_graph.layers` has the argument. Memory: at most 8 ceil(log_8 N) +
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
    tallyplan.optimal_values : from every history at once.
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
        large = bandit.actions**bandit.memory > EDGES_WORTH_SAVING
        with suppress(InstanceTooLarge):
            find = plan_with_few_arms if large else plan_on_graph
            return find(bandit, horizon, start, effort.progress)
    from tallyplan.planning.without_graph.plans import plan_bounds

    return plan_bounds(bandit, horizon, start, effort)


def _only_counts_matter(bandit: TallyingBandit, horizon: int, start: Word) -> bool:
    """Whether no action leaves the window during the game, and there are too many plans to list."""
    fits = horizon + len(start) <= bandit.memory
    return fits and bandit.actions**horizon > PLANS_LISTED


def optimal_values(bandit: Bandit, horizon: int, *, progress: Progress = silent) -> ValueFunction:
    """The least total loss of `horizon` steps from every history at once, short ones too.

    This is the value function of dynamic programming; the horizon may be as large as you like.

    >>> from tallyplan import TallyingBandit
    >>> values = optimal_values(TallyingBandit([["0", "1"], ["1/2", "1"]]), 10**15)
    >>> values.of([0]), values.of([1]), values.of([])
    (Fraction(250000000000000, 1), Fraction(250000000000000, 1), Fraction(250000000000000, 1))

    See Also
    --------
    tallyplan.optimal_plan : from one history, with a sequence of actions.
    tallyplan.answers.ValueFunction : the answer.
    """
    require_bandit(bandit)
    policy = horizon_policy(bandit, natural(horizon, "horizon"), progress)
    if not isinstance(bandit, ArmBandit):
        policy.value((0,) * (bandit.memory - 1), policy.horizon)
    return ValueFunction(bandit, policy.horizon, policy)
