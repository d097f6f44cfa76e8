"""The best word of length exactly L under repetition: the optimal L-cyclic policy."""

from __future__ import annotations

from tallyplan.answers import CyclicPolicy
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import Bandit, TallyingBandit, require_bandit
from tallyplan.model.rationals import positive_integer
from tallyplan.planning.arm_reduction import word_with_few_arms
from tallyplan.planning.effort import deadline_after
from tallyplan.planning.on_graph.closed_walks import cyclic_policy_on_graph


def optimal_cyclic_policy(
    bandit: Bandit, period: int, *, time_limit: float | None = None, progress: Progress = silent
) -> CyclicPolicy:
    """The word of exactly `period` actions with the least loss per step when repeated forever.

    For an arm bandit, only words that bring its arms back to where they were count.

    Parameters
    ----------
    period : L >= 1; smaller than the memory is fine.
    time_limit : seconds after which the search ends with what it has proved: an interval [lower, upper].
        If not even the minimum mean cycle was found, the lower end is the smallest loss.
    progress : called with a status string, periodically.

    Returns
    -------
    CyclicPolicy, its word replayed and its potentials verified on every edge before it is returned. Without
    a time limit it is exact.

    Raises
    ------
    InvalidInput : a period that is not an integer >= 1, a negative time limit.
    InstanceTooLarge : before anything is allocated.
    NoPlay : no word of this length brings the arms back to where they were.

    Notes
    -----
    Memory: about 5 numbers for each of the K^m edges, and 16 for each of the K^(m-1) histories. Time: a few
    sweeps and a table of at most L steps for each root; the number of roots grows with the number of disjoint
    cycles whose mean is within O(m / L) of the least.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> [optimal_cyclic_policy(bandit, period).value for period in (1, 2, 3, 5)]
    [Fraction(1, 1), Fraction(0, 1), Fraction(1, 3), Fraction(1, 5)]

    See Also
    --------
    tallyplan.minimum_mean_cycle : for the best period.
    tallyplan.mean_of_word : of a word of your own.
    tallyplan.answers.CyclicPolicy : the answer.
    """
    require_bandit(bandit)
    period = positive_integer(period, "period")
    deadline = deadline_after(time_limit)
    if isinstance(bandit, TallyingBandit):
        return word_with_few_arms(bandit, period, deadline, progress)
    return cyclic_policy_on_graph(bandit, period, deadline, progress)
