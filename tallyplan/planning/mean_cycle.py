"""The minimum mean cycle: the least long-run loss per step, lambda*.

With room for the state graph it is computed exactly (`state_graph`); a tallying bandit of any
size can be planned without it (`without_graph.long_run`): exactly if a proof is found, and otherwise up to
a certified interval.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import partial

from tallyplan.answers import MeanCycle
from tallyplan.certificates import Proof
from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, silent
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.planning.effort import Effort, OutOfTimeError, check_method, limited, too_late
from tallyplan.planning.policies import long_run_policy
from tallyplan.planning.state_graph import called, minimum_mean, opening_to, potentials_of, require_room
from tallyplan.planning.without_graph.bounds.fewer_arms import few_arms

BYTES_PER_STATE = 6  # of the smallest search: a potential, a mark and the costs of a block
STATES_SWEPT_FIRST = 2**22  # a graph of at most this size is swept before anything else is tried


def minimum_mean_cycle(
    bandit: Bandit,
    *,
    method: str = "auto",
    gap: Fraction | float | str = 0,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> MeanCycle:
    """The least long-run loss per step over all policies, a word that attains it, and a proof.

    Parameters
    ----------
    bandit : any instance. Tallying bandits may be of any size; for the others, K^(m-1) states must fit in
        memory.
    method : "graph" insists on the state graph, "bounds" does without it, "two-arms" is "bounds" for K = 2.
        "auto" takes the graph where it fits, unless it is large and there is a proof without it.
    gap : without the graph, stop as soon as upper - lower <= gap * upper.
    time_limit : seconds after which the search ends; what is proved by then is an interval. If nothing is
        proved, `lower` is the smallest loss of the table and `upper` belongs to the best constant word.
    progress : called with a status string, periodically.

    Returns
    -------
    MeanCycle, its word replayed. With the graph it is exact, by potentials that are verified on every edge.
    Without the graph, `exact` says whether `lower` and `upper` meet, and `value` is the optimum if they do.

    Raises
    ------
    InvalidInput : an unknown method, or one that is not for this bandit; a negative gap or time limit.
    InstanceTooLarge : before anything is allocated.
    NoPlay : arms forbid every play that goes on forever.

    Notes
    -----
    Memory with the graph: 4 vectors over the states for large tallying bandits (no edge is stored), K^m edge
    costs otherwise. Time: O(n) per sweep; how many sweeps it takes depends on the instance, typically tens.
    Two arms without the graph: O(m^2) time, O(m) memory.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> answer = minimum_mean_cycle(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> answer.value, answer.word
    (Fraction(0, 1), (0, 1))
    >>> minimum_mean_cycle(TallyingBandit([["2/7"]])).value  # K = m = 1
    Fraction(2, 7)
    >>> minimum_mean_cycle(TallyingBandit([["0"] * 150 + ["1"] * 50, ["1/2"] * 200])).value  # m = 200
    Fraction(1, 8)

    See Also
    --------
    tallyplan.optimal_plan : for a given number of steps.
    tallyplan.optimal_cyclic_policy : for a given period.
    tallyplan.solve_many : of many tables at once.
    tallyplan.answers.MeanCycle : the answer.
    """
    effort = Effort.of(gap, time_limit, progress)
    check_method(bandit, method)
    with suppress(OutOfTimeError), limited(effort.deadline):
        if isinstance(bandit, TallyingBandit):
            return _tallying_cycle(bandit, method, effort)
        return cycle_on_graph(bandit, progress=progress)
    if isinstance(bandit, ArmBandit):
        raise too_late()
    from tallyplan.planning.without_graph.long_run import best_constant

    return best_constant(bandit)


def _tallying_cycle(bandit: TallyingBandit, method: str, effort: Effort) -> MeanCycle:
    if method == "graph":
        return cycle_on_graph(bandit, progress=effort.progress)
    if method == "auto" and (fewer := few_arms(bandit)):
        answer = _tallying_cycle(fewer.bandit, method, effort)
        ask = (lambda: cycle_on_graph(bandit).policy) if answer.ask else None
        return fewer.about_all(bandit, answer, word=fewer.original(answer.word), ask=ask)
    if method == "auto" and bandit.actions ** (bandit.memory - 1) <= STATES_SWEPT_FIRST:
        with suppress(InstanceTooLarge):
            return cycle_on_graph(bandit, progress=effort.progress)
    from tallyplan.planning.without_graph.long_run import mean_cycle_bounds

    if method == "auto":
        with suppress(InstanceTooLarge):
            require_room(bandit, BYTES_PER_STATE)
            quick = mean_cycle_bounds(bandit, effort._replace(work=effort.work // 3))
            if effort.deadline is None and not effort.enough(quick.lower, quick.upper):
                return cycle_on_graph(bandit, progress=effort.progress)
            return quick
    return mean_cycle_bounds(bandit, effort)


def cycle_on_graph(bandit: Bandit, *, progress: Progress = silent) -> MeanCycle:
    """The minimum mean cycle by sweeps over the state graph, with potentials for every state.

    Raises
    ------
    NoPlay : arms forbid every play that goes on forever.
    """
    found = minimum_mean(bandit, progress)
    least = potentials_of(bandit, found)
    ask = partial(long_run_policy, bandit, found)
    proof, opening = Proof(least.dual, called(bandit)), opening_to(bandit, found.start)
    return MeanCycle(bandit, least.mean, least.mean, proof, found.word, opening, ask=ask)
