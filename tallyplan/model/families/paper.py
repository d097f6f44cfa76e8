"""The paper's constructions."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.families.registry import (
    MAX_ENTRIES,
    Action,
    Bits,
    Count,
    Gap,
    Seed,
    Tally,
    chosen_arm,
    family,
    tallying,
)
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.kinds import WindowBandit
from tallyplan.model.rationals import ceil_div


@family("counterexample-2")
def counterexample_2(*, memory: Count, secret: Bits | None = None, seed: Seed = 0) -> WindowBandit:
    """A needle in a haystack: zero loss only for the secret word followed by action 0.

    Two actions and a secret b of m - 1 actions. With a the window and |a| its length,

        loss(a) = 0  if |a| = m, a_m = 0 and (a_1, ..., a_{m-1}) = b;   loss(a) = 1 otherwise.

    Playing b, 0 cyclically has a zero at least once in every m steps from step m on, but finding b takes of
    the order of 2^m steps: no learner is efficient without the tallying structure. For m = 1 the secret is
    empty and action 0 costs nothing. The table has 2 + 4 + ... + 2^m entries.

    Source: Counterexample 2 of the paper (the action x_1 is 0 here, x_2 is 1).

    Parameters
    ----------
    memory : length m of the window, at most 23 here.
    secret : the m - 1 actions of b, oldest first; omitted, it is drawn uniformly from the seed.

    >>> bandit = counterexample_2(memory=3, secret=(0, 1))
    >>> [int(bandit.loss(window)) for window in [(0,), (0, 1), (0, 1, 0), (0, 1, 1), (1, 1, 0)]]
    [1, 1, 0, 1, 1]
    """
    if memory >= MAX_ENTRIES.bit_length() - 1:
        raise InvalidInput(
            f"memory is {memory}; it must be at most 23, for the table has 2^(m+1) - 2 entries."
        )
    rng = Random(seed)
    word = tuple(rng.randrange(2) for _ in range(memory - 1)) if secret is None else tuple(secret)
    if len(word) != memory - 1:
        raise InvalidInput(f"secret has {len(word)} actions; with memory={memory} it needs {memory - 1}.")
    one = Fraction(1)
    windows = [[one] * 2**length for length in range(1, memory + 1)]
    windows[-1][sum(2 ** (memory - 1 - i) for i, action in enumerate(word) if action)] = Fraction(0)
    return WindowBandit(2, windows)


@family("counterexample-3")
def counterexample_3() -> TallyingBandit:
    """Two actions that are free unless repeated: constant policies lose T - 1, alternation loses nothing.

    K = m = 2 and, for both actions, h(1) = 0, h(2) = 1. It is the smallest member of `round-robin`.

    Source: Counterexample 3 of the paper.

    >>> [[int(loss) for loss in row] for row in counterexample_3().losses]
    [[0, 1], [0, 1]]
    """
    return round_robin(actions=2)


@family("proposition-1-lower")
def proposition_1_lower(
    *, actions: Count, memory: Count, best: Action | None = None, seed: Seed = 0
) -> TallyingBandit:
    """One arm pays off after m plays in a row; until then it looks like all others.

    With x* the best arm,

        h_{x*}(m) = 0,   h_x(y) = 1 for every other (x, y).

    Always playing x* is optimal and loses min(T, m - 1).

    Source: proof of the lower bound of Proposition 1 of the paper.

    Parameters
    ----------
    best : the arm x*; omitted, it is drawn uniformly from the seed.

    >>> [[int(loss) for loss in row] for row in proposition_1_lower(actions=2, memory=3, best=1).losses]
    [[1, 1, 1], [1, 1, 0]]
    """
    arm = chosen_arm(best, Random(seed).randrange(actions), actions)
    one, zero = Fraction(1), Fraction(0)
    return tallying(actions, memory, lambda x: [one] * (memory - 1) + [zero if x == arm else one])


@family("theorem-2-lower")
def theorem_2_lower(
    *,
    actions: Count,
    memory: Count,
    epsilon: Gap,
    best: Action | None = None,
    tally: Tally | None = None,
    seed: Seed = 0,
) -> TallyingBandit:
    """All losses are 1/2, but one arm at one high tally is better by epsilon.

    With x* the best arm and y* in {ceil(23m/24), ..., m} its best tally,

        h_{x*}(y*) = 1/2 - epsilon,   h_x(y) = 1/2 for every other (x, y).

    Repeating "x* for y* steps, another arm for m - y* steps" loses at most T/2 - epsilon y* (T - m)/m
    for every T >= m. The paper writes {23m/24, ..., m}; rounding up makes sense of it for every m, and leaves
    floor(m/24) + 1 tallies.

    Source: proof of Theorem 2 of the paper; there epsilon = sqrt(c m K / T), which must not exceed 1/2.

    Parameters
    ----------
    epsilon : how much better the best entry is.
    best : the arm x*; omitted, it is drawn uniformly from the seed.
    tally : the tally y*, from ceil(23m/24) to m; omitted, it is drawn uniformly from the seed.

    >>> bandit = theorem_2_lower(actions=2, memory=3, epsilon=Fraction(1, 10), best=0)
    >>> [[str(loss) for loss in row] for row in bandit.losses]
    [['1/2', '1/2', '2/5'], ['1/2', '1/2', '1/2']]
    """
    rng = Random(seed)
    arm = chosen_arm(best, rng.randrange(actions), actions)
    lowest = ceil_div(23 * memory, 24)
    drawn = lowest + rng.randrange(memory - lowest + 1)
    if tally is not None and not lowest <= tally <= memory:
        raise InvalidInput(f"tally is {tally}; with memory={memory} it must be from {lowest} to {memory}.")
    cell = (arm, drawn if tally is None else tally)
    half = Fraction(1, 2)
    return tallying(
        actions, memory, lambda x: [half - epsilon if (x, y) == cell else half for y in range(1, memory + 1)]
    )


@family("round-robin")
def round_robin(*, actions: Count, memory: Count | None = None) -> TallyingBandit:
    """An arm is free when it is fresh and costs 1 otherwise; with enough arms, taking turns costs nothing.

    For every arm, h(1) = 0 and h(y) = 1 for y >= 2. With K >= m arms, playing them in turn loses nothing.
    With K = m, a cyclic policy whose period L is -1 modulo m loses at least (m - 1)/L per step, so that
    T mu(pi*) - OPT_T = (m - 1) sqrt(T) at L = sqrt(T): the worst case of Lemma 3. (The free plays of an arm
    are m steps apart, so a period has at most m floor(L/m) = L - (m - 1) of them.)

    Source: Lemma 3 of the paper, whose sharp constant m - 1 it attains; K = m = 2 is Counterexample 3.

    Parameters
    ----------
    memory : length m of the window; omitted, it equals actions.

    >>> [[int(loss) for loss in row] for row in round_robin(actions=2, memory=3).losses]
    [[0, 1, 1], [0, 1, 1]]
    """
    m = actions if memory is None else memory
    return tallying(actions, m, lambda x: [Fraction(0)] + [Fraction(1)] * (m - 1))
