"""The paper's definitions, written out literally. Slow on purpose: this is what witnesses are held against.

Nothing here uses the planners, the replay or the state graph; times run from 0, so that the window of step t
is max(0, t - m + 1) .. t.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from tallyplan.model.instance import TallyingBandit

Actions = Sequence[int]


def tally(actions: Actions, t: int, memory: int) -> int:
    """How often the action of step t occurs in the window of step t."""
    return sum(actions[s] == actions[t] for s in range(max(0, t - memory + 1), t + 1))


def step_loss(bandit: TallyingBandit, actions: Actions, t: int) -> Fraction:
    """f_t(a_1..a_t) = h_{a_t}(tally): the definition of an h-tallying adversary."""
    return bandit.losses[actions[t]][tally(actions, t, bandit.memory) - 1]


def total_loss(bandit: TallyingBandit, actions: Actions) -> Fraction:
    """The sum of f_t over all steps."""
    return sum((step_loss(bandit, actions, t) for t in range(len(actions))), Fraction(0))


def everything(bandit: TallyingBandit, horizon: int) -> Iterable[Actions]:
    """The complete policy class X^T."""
    return product(range(bandit.actions), repeat=horizon)


def constants(bandit: TallyingBandit, horizon: int) -> Iterable[Actions]:
    """The constant action sequences."""
    return ((action,) * horizon for action in range(bandit.actions))


def policy_regret(bandit: TallyingBandit, actions: Actions, competitors: Iterable[Actions]) -> Fraction:
    """eqn:policy_regret_main: the competitor plays its own sequence from the start."""
    return total_loss(bandit, actions) - min(total_loss(bandit, other) for other in competitors)


def traditional_regret(bandit: TallyingBandit, actions: Actions, competitors: Iterable[Actions]) -> Fraction:
    """eqn:traditional_regret_main: the competitor's step t follows the player's own first t - 1 actions."""
    return total_loss(bandit, actions) - min(
        sum((step_loss(bandit, (*actions[:t], y), t) for t, y in enumerate(other)), Fraction(0))
        for other in competitors
    )


def optimum(bandit: TallyingBandit, horizon: int) -> Fraction:
    """OPT_T: the least total loss over X^T, all of it tried."""
    return min(total_loss(bandit, actions) for actions in everything(bandit, horizon))


def period_counts(word: Actions, memory: int, n: int, past: Actions = ()) -> Counter[tuple[int, int]]:
    """sqrt(T) * N_xy for all (x, y): the counts in the last of n + 1 periods of the word, after `past`."""
    actions = (*past, *(tuple(word) * (n + 1)))
    last_period = range(len(actions) - len(word), len(actions))
    return Counter((actions[t], tally(actions, t, memory)) for t in last_period)


def mu(bandit: TallyingBandit, word: Actions) -> Fraction:
    """mu(pi) = sum of N_xy h_x(y), counted with n = 1; well defined for m <= sqrt(T) + 1 (`lemma-2`)."""
    counts = period_counts(word, bandit.memory, n=1)
    return sum((times * bandit.losses[x][y - 1] for (x, y), times in counts.items()), Fraction(0)) / len(word)


@lru_cache(maxsize=2**10)
def least_mu(bandit: TallyingBandit, period: int) -> Fraction:
    """mu(pi*): the least mu over all words of this length, all of them tried."""
    return min(mu(bandit, word) for word in everything(bandit, period))
