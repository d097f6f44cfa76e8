"""Settings of the papers next to ours, in which every arm is a small automaton.

Planning is NP-hard in most of them: see the table on the page "Instances".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.arms import Arm, ArmBandit
from tallyplan.model.families.registry import Count, Counts, Denominator, Rewards, Seed, family
from tallyplan.model.families.tables import check_entries, climb, convex_descent, ends, uniform_integers
from tallyplan.model.units import Units

Row = Sequence[Fraction]


def _by_age(losses: Row) -> Arm:
    """State i: the last play was i + 1 steps ago, or longer in the last state, in which the arm begins."""
    oldest = len(losses) - 1
    return Arm(oldest, [0] * len(losses), [min(i + 1, oldest) for i in range(len(losses))], losses)


def _by_plays(losses: Row) -> Arm:
    """State i: i plays so far, or more in the last state; a rest changes nothing."""
    most = len(losses) - 1
    return Arm(0, [min(i + 1, most) for i in range(len(losses))], range(len(losses)), losses)


def _drawn(
    actions: int,
    states: int,
    denominator: int,
    seed: int,
    row: Callable[[Random], Sequence[int]],
    make: Callable[[Row], Arm],
) -> ArmBandit:
    """An arm for each row of numerators, drawn in the order of the actions."""
    check_entries(actions * states)
    rng = Random(seed)
    return ArmBandit([make([Fraction(n, denominator) for n in row(rng)]) for _ in range(actions)])


@family("blocking")
def blocking(*, delays: Counts, rewards: Rewards) -> ArmBandit:
    """Arms that are blocked for a while after every play.

    Arm x earns rewards[x], and can earn again delays[x] steps later. Playing it earlier is an idle step: it
    earns nothing and blocks nothing. The loss is 1 - reward / largest reward, and answers are also given in
    rewards. State: the steps until the arm is free.

    Source: Basu, Sen, Sanghavi and Shakkottai (2019), Blocking bandits; greedy is within 1 - 1/e of the
    optimum, which is NP-hard by pinwheel scheduling.

    Parameters
    ----------
    delays : by arm, how many steps later it can earn again; 1 is the next step.
    rewards : by arm, what a play earns.

    >>> import tallyplan as tp
    >>> tp.minimum_mean_cycle(blocking(delays=[2, 3], rewards=[1, 1])).original.value
    Fraction(3, 4)
    """
    if len(delays) != len(rewards) or not rewards:
        raise InvalidInput(f"there are {len(delays)} delays and {len(rewards)} rewards; one each per arm.")
    check_entries(sum(delays))
    most = max(rewards) or Fraction(1)
    return ArmBandit(
        [
            Arm(
                0,
                [delay - 1, *range(delay - 1)],
                [0, *range(delay - 1)],
                [1 - reward / most, *[1] * (delay - 1)],
            )
            for delay, reward in zip(delays, rewards, strict=True)
        ],
        units=Units(most, -most),
    )


@family("recharging")
def recharging(*, actions: Count, ages: Count, denominator: Denominator = 1000, seed: Seed = 0) -> ArmBandit:
    """Arms whose reward grows, concavely, with the time since their last play.

    The loss of a play a steps after the last is decreasing and convex in a = 1, ..., ages, and then constant.
    State: that time, capped.

    Source: Kleinberg and Immorlica (2018), Recharging bandits; a polynomial-time approximation scheme.

    Parameters
    ----------
    actions : number K of arms.
    ages : the age from which on the loss is constant.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [str(loss) for loss in recharging(actions=1, ages=3, denominator=100).arms[0].losses]
    ['97/100', '71/100', '49/100']
    """

    def row(rng: Random) -> list[int]:
        low, high = ends(rng, denominator)
        return convex_descent(rng, ages, high, low)

    return _drawn(actions, ages, denominator, seed, row, _by_age)


@family("recovering")
def recovering(*, actions: Count, ages: Count, denominator: Denominator = 1000, seed: Seed = 0) -> ArmBandit:
    """Arms whose reward is any function of the time since their last play, up to an age.

    State: that time, capped.

    Source: Pike-Burke and Grunewalder (2019), Recovering bandits; Cella and Cesa-Bianchi (2020),
    delay-dependent rewards; planning is NP-hard.

    Parameters
    ----------
    actions : number K of arms.
    ages : the age from which on the loss is constant.
    denominator : losses are uniform integers over this number d.
    seed : seed of the draws.

    >>> [str(loss) for loss in recovering(actions=1, ages=3, denominator=100).arms[0].losses]
    ['49/100', '97/100', '53/100']
    """
    return _drawn(
        actions, ages, denominator, seed, lambda rng: uniform_integers(rng, ages, 0, denominator), _by_age
    )


@family("last-switch")
def last_switch(*, actions: Count, ages: Count, denominator: Denominator = 1000, seed: Seed = 0) -> ArmBandit:
    """Arms whose reward depends on the time since they were last switched on or off.

    State: how long the arm has been resting or has been played without a break, either capped at `ages`.
    States 0 .. ages-1 are rests, the longest one last, in which the arm begins; then come the plays.

    Source: Laforgue, Clerici, Cesa-Bianchi and Gilad-Bachrach (2022), A last switch dependent analysis of
    satiation and seasonality in bandits; planning is NP-hard.

    Parameters
    ----------
    actions : number K of arms.
    ages : the cap of both times.
    denominator : losses are uniform integers over this number d.
    seed : seed of the draws.

    >>> last_switch(actions=1, ages=2).arms[0].played
    (2, 2, 3, 3)
    """
    played = [ages] * ages + [min(ages + i + 1, 2 * ages - 1) for i in range(ages)]
    rested = [min(i + 1, ages - 1) for i in range(ages)] + [0] * ages

    def row(rng: Random) -> list[int]:
        return uniform_integers(rng, 2 * ages, 0, denominator)

    return _drawn(
        actions, 2 * ages, denominator, seed, row, lambda losses: Arm(ages - 1, played, rested, losses)
    )


@family("pinwheel")
def pinwheel(*, periods: Counts) -> ArmBandit:
    """Tasks with deadlines: each must be played at least once in every period of its own.

    Nothing is lost; the question is whether a play goes on forever. State: the steps since the last play. In
    the last of them the arm may not rest.

    Source: Holte, Mok, Rosier, Tulchinsky and Varvel (1989), The pinwheel; Kawamura (2024): every instance of
    density sum 1/period <= 5/6 can be scheduled.

    Parameters
    ----------
    periods : by task, the longest time from one play to the next.

    >>> import tallyplan as tp
    >>> tp.minimum_mean_cycle(pinwheel(periods=[2, 4, 4])).word
    (0, 2, 0, 1)
    """
    check_entries(sum(periods))
    if not periods:
        raise InvalidInput("periods is empty; there must be at least one task.")
    return ArmBandit([Arm(0, [0] * p, [*range(1, p), None], [0] * p) for p in periods])


@family("rested-rotting")
def rested_rotting(
    *, actions: Count, plays: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> ArmBandit:
    """Arms that wear out with every play, up to a saturation, and never recover.

    State: the number of plays so far, capped. The losses are increasing.

    Source: Levine, Crammer and Mannor (2017), Rotting bandits; greedy is optimal.

    Parameters
    ----------
    actions : number K of arms.
    plays : the number of plays after which the loss is constant, plus one.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [str(loss) for loss in rested_rotting(actions=1, plays=3, denominator=100).arms[0].losses]
    ['49/100', '3/4', '97/100']
    """
    return _drawn(
        actions, plays, denominator, seed, lambda rng: climb(rng, plays, *ends(rng, denominator)), _by_plays
    )


@family("rested-rising")
def rested_rising(
    *, actions: Count, plays: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> ArmBandit:
    """Arms that improve with every play, concavely, up to a saturation.

    State: the number of plays so far, capped. The losses are decreasing and convex.

    Source: Heidari, Kearns and Roth (2016); Metelli, Trovo, Pirola and Restelli (2022), Stochastic rising
    bandits; for a known horizon a constant play is optimal.

    Parameters
    ----------
    actions : number K of arms.
    plays : the number of plays after which the loss is constant, plus one.
    denominator : losses are integers over this number d.
    seed : seed of the draws.

    >>> [str(loss) for loss in rested_rising(actions=1, plays=3, denominator=100).arms[0].losses]
    ['97/100', '71/100', '49/100']
    """

    def row(rng: Random) -> list[int]:
        low, high = ends(rng, denominator)
        return convex_descent(rng, plays, high, low)

    return _drawn(actions, plays, denominator, seed, row, _by_plays)


@family("rested-chains")
def rested_chains(
    *, actions: Count, states: Count, denominator: Denominator = 1000, seed: Seed = 0
) -> ArmBandit:
    """Markov chains that move only when played, without noise: every state has one successor.

    Successors and losses are uniform, drawn for each arm one after the other.

    Source: Gittins (1979); Tekin and Liu (2012), rested bandits. In the long run one arm is played forever.

    Parameters
    ----------
    actions : number K of arms.
    states : of each arm.
    denominator : losses are uniform integers over this number d.
    seed : seed of the draws.

    >>> rested_chains(actions=1, states=3).arms[0].rested
    (0, 1, 2)
    """
    check_entries(actions * states)
    rng, arms = Random(seed), []
    for _ in range(actions):
        successors = uniform_integers(rng, states, 0, states - 1)
        losses = [Fraction(n, denominator) for n in uniform_integers(rng, states, 0, denominator)]
        arms.append(Arm(0, successors, range(states), losses))
    return ArmBandit(arms)
