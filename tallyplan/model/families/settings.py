"""Settings that tallying bandits generalise: stochastic, rotting, improving, single-peaked, congested, ..."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.families.registry import (
    Count,
    Denominator,
    Means,
    Ratio,
    Seed,
    check_entries,
    climb,
    convex_descent,
    drawn,
    ends,
    family,
    tallying,
    uniform_integers,
)
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.kinds import WeightedTallyBandit, weighted_tallies


@family("stochastic")
def stochastic(
    *,
    actions: Count | None = None,
    means: Means | None = None,
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> TallyingBandit:
    """The classical stochastic bandit: memory 1, every arm has one mean loss.

    m = 1 and h_x(1) = means[x]; random means are uniform on {0, 1/d, ..., 1}.

    Source: the case m = 1 of the paper; Lai and Robbins (1985), Auer et al. (2002).

    Parameters
    ----------
    actions : number K of arms; needed unless the means are given.
    means : the K mean losses, such as 1/2,0.3,1; omitted, they are drawn.
    denominator : random means are integers over this number d.

    >>> stochastic(means=["1/2", "0.3"]).losses
    ((Fraction(1, 2),), (Fraction(3, 10),))
    """
    if means is None and actions is None:
        raise InvalidInput("stochastic needs actions=K or means=a list such as 1/2,0.3,1.")
    if means is None:
        rng = Random(seed)
        means = [Fraction(rng.randrange(denominator + 1), denominator) for _ in range(actions or 0)]
    if not means or len(means) != (actions or len(means)):
        needed = "at least 1" if actions is None else f"actions={actions}"
        raise InvalidInput(f"means has {len(means)} entries; {needed} are needed.")
    return tallying(len(means), 1, lambda x: [means[x]])


@drawn("rotting", memory="length m of the window; equal to the horizon T in the literature.")
def rotting(rng: Random, memory: int, denominator: int) -> list[int]:
    """Arms that wear out: every loss increases with the tally, from a start to an end of its own.

    h_x(1) <= h_x(2) <= ... <= h_x(m). The ends a_x <= b_x are two sorted uniform draws, h_x(1) = a_x,
    h_x(m) = b_x, and the losses between are sorted uniform draws from [a_x, b_x].

    In the literature an arm never recovers: m = T. Take memory = T to play that game over the horizon T; with
    a smaller memory the arms rest while they leave the window, as in `congested`.

    Source: Heidari et al. (2016), Levine et al. (2017), Seznec et al. (2019, 2020), cited in the paper's
    related work.

    >>> [[str(loss) for loss in row] for row in rotting(actions=2, memory=3, denominator=100).losses]
    [['49/100', '3/4', '97/100'], ['1/20', '21/100', '33/100']]
    """
    return climb(rng, memory, *ends(rng, denominator))


@drawn("improving", memory="length m of the window; equal to the horizon T in the literature.")
def improving(rng: Random, memory: int, denominator: int) -> list[int]:
    """Arms that learn: every loss is decreasing and convex in the tally.

    h_x(y) - h_x(y+1) >= h_x(y+1) - h_x(y+2) >= 0. The ends b_x >= a_x are two sorted uniform draws, sorted
    uniform draws cut [a_x, b_x] into m - 1 steps, and the longest steps come first. In the literature m = T.

    Source: Heidari et al. (2016), rewards increasing and concave, cited in the paper's related work.

    >>> [[str(loss) for loss in row] for row in improving(actions=2, memory=3, denominator=100).losses]
    [['97/100', '71/100', '49/100'], ['33/100', '17/100', '1/20']]
    """
    return convex_descent(rng, memory, *reversed(ends(rng, denominator)))


@drawn("single-peaked", memory="length m of the window; equal to the horizon T in the literature.")
def single_peaked(rng: Random, memory: int, denominator: int) -> list[int]:
    """Arms that learn and then wear out: the loss is decreasing and convex up to a tally, then increasing.

    The reward 1 - h_x peaks at p_x, uniform on 1 .. m. On 1 .. p_x the loss descends as in `improving`, to a
    lowest value a_x; after p_x it is sorted uniform draws from [a_x, 1]. p_x = m is an improving arm, p_x = 1
    an arm that only wears out. In the literature m = T.

    Source: Lindner et al. (2021), rewards increasing and concave, then decreasing, cited in the paper's
    related work.

    >>> bandit = single_peaked(actions=2, memory=4, denominator=100, seed=5)
    >>> [[str(loss) for loss in row] for row in bandit.losses]
    [['79/100', '7/20', '8/25', '99/100'], ['59/100', '3/100', '9/100', '43/50']]
    """
    low, high = ends(rng, denominator)
    peak = 1 + rng.randrange(memory)
    descent = convex_descent(rng, peak, high, low)
    return descent + sorted(uniform_integers(rng, memory - peak, low, denominator))


@drawn("congested", memory="length m of the window, usually far below the horizon.")
def congested(rng: Random, memory: int, denominator: int) -> list[int]:
    """Arms that are worse when used much recently: uniform random rows sorted up, any memory.

    h_x(1) <= h_x(2) <= ... <= h_x(m) are m sorted uniform draws from {0, 1/d, ..., 1}. The assumption on h is
    the same as in `rotting`; the difference is the memory: m is arbitrary here, so congestion clears after m
    steps, while m = T there, so that an arm never recovers. This is also the family of all-increasing tables.

    Source: Awasthi et al. (2022), cited in the paper's related work.

    >>> [[str(loss) for loss in row] for row in congested(actions=2, memory=3, denominator=100).losses]
    [['49/100', '53/100', '97/100'], ['1/20', '33/100', '13/20']]
    """
    return sorted(uniform_integers(rng, memory, 0, denominator))


@family("weighted-recency")
def weighted_recency(
    *,
    actions: Count,
    memory: Count,
    ratio: Ratio = Fraction(1, 2),
    denominator: Denominator = 1000,
    seed: Seed = 0,
) -> WeightedTallyBandit:
    """A play counts less the longer ago it was, and the loss increases with the weighted tally.

    The weights are 1, r, r^2, ..., r^(m-1), the current step first; the weighted tally w of an arm is the sum
    of the weights of its plays in the window. Each arm's losses, in the order of w, are sorted uniform draws
    from {0, 1/d, ..., 1}. There are 2^(m-1) weighted tallies, or m if r = 1, the plain ones; K times their
    number is at most 2^20 here.

    Source: the generalisation proposed in the Discussion of the paper.

    Parameters
    ----------
    ratio : r, how much of its weight a play keeps from one step to the next.

    >>> bandit = weighted_recency(actions=1, memory=2, denominator=100)
    >>> [str(weight) for weight in bandit.weights]
    ['1', '1/2']
    >>> {str(tally): str(loss) for tally, loss in bandit.losses[0].items()}
    {'1': '49/100', '3/2': '97/100'}
    """
    # For r = p/q < 1 no two sets of powers have the same sum (rational root theorem), so the count is exact.
    check_entries(actions * (memory if ratio == 1 else 2 ** min(memory - 1, 24)), bits=20)
    weights = [ratio**age for age in range(memory)]
    rng, order = Random(seed), sorted(weighted_tallies(weights))
    rows = []
    for _ in range(actions):
        numerators = sorted(uniform_integers(rng, len(order), 0, denominator))
        rows.append({w: Fraction(n, denominator) for w, n in zip(order, numerators, strict=True)})
    return WeightedTallyBandit(weights, rows)
