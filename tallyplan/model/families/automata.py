"""Settings of the papers next to ours, in which every arm is a small automaton.

How hard planning is in each of them: see the table on the page "Instances".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random

from tallyplan.errors import InvalidInput
from tallyplan.model.arms import Arm, ArmBandit
from tallyplan.model.families.registry import (
    Count,
    Counts,
    Denominator,
    Rewards,
    Seed,
    check_entries,
    climb,
    convex_descent,
    ends,
    family,
    uniform_integers,
)
from tallyplan.model.units import Units

Moves = tuple[int, Sequence[int], Sequence[int]]  # start, played, rested
Draw = Callable[[Random, int, int], Sequence[int]]


@family("blocking")
def blocking(*, delays: Counts, rewards: Rewards) -> ArmBandit:
    """Arms that are blocked for a while after every play.

    Arm x earns rewards[x], and can earn again delays[x] steps later. Playing it earlier is an idle step: it
    earns nothing and blocks nothing. The loss is 1 - reward / largest reward, and answers are also given in
    rewards. State: the steps until the arm is free.
    Source: Basu, Sen, Sanghavi and Shakkottai (2019), Blocking bandits.

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
    arms = [
        Arm(0, [d - 1, *range(d - 1)], [0, *range(d - 1)], [1 - reward / most, *[1] * (d - 1)])
        for d, reward in zip(delays, rewards, strict=True)
    ]
    return ArmBandit(arms, units=Units(most, -most))


@family("pinwheel")
def pinwheel(*, periods: Counts) -> ArmBandit:
    """Tasks with deadlines: each must be played at least once in every period of its own.

    Nothing is lost; the question is whether a play goes on forever. State: the steps since the last play. In
    the last of them the arm may not rest.
    Source: Holte, Mok, Rosier, Tulchinsky and Varvel (1989), The pinwheel.

    Parameters
    ----------
    periods : by task, the longest time from one play to the next.

    >>> import tallyplan as tp
    >>> tp.minimum_mean_cycle(pinwheel(periods=[2, 4, 4])).word
    (0, 2, 0, 1)
    """
    check_entries(sum(periods))
    return ArmBandit([Arm(0, [0] * p, [*range(1, p), None], [0] * p) for p in periods])


def _seeded(name: str, moves: Callable[[Random, int], Moves]) -> Callable[[Draw], Draw]:
    """A family of arms that move alike; the function draws their losses and says what they are."""

    def register(draw: Draw) -> Draw:
        def build(
            *, actions: Count, states: Count, denominator: Denominator = 1000, seed: Seed = 0
        ) -> ArmBandit:
            check_entries(actions * states)
            rng, arms = Random(seed), []
            for _ in range(actions):
                start, played, rested = moves(rng, states)
                losses = [Fraction(n, denominator) for n in draw(rng, len(played), denominator)]
                arms.append(Arm(start, played, rested, losses))
            return ArmBandit(arms)

        build.__doc__ = f"""{draw.__doc__}
    >>> import tallyplan as tp
    >>> tp.make("{name}", actions=2, states=3).actions
    2
    """
        family(name)(build)
        return draw

    return register


def _by_age(_: Random, n: int) -> Moves:
    """State i: the last play was i + 1 steps ago, or longer in the last state, in which the arm begins."""
    return n - 1, [0] * n, [*range(1, n), n - 1]


def _by_plays(_: Random, n: int) -> Moves:
    """State i: i plays so far, or more in the last state; a rest changes nothing."""
    return 0, [*range(1, n), n - 1], range(n)


def _by_switch(_: Random, n: int) -> Moves:
    """Rests 0 .. n-1, the longest one last, in which the arm begins; then n lengths of play."""
    return n - 1, [n] * n + [*range(n + 1, 2 * n), 2 * n - 1], [*range(1, n), n - 1] + [0] * n


def _by_chance(rng: Random, n: int) -> Moves:
    return 0, uniform_integers(rng, n, 0, n - 1), range(n)


@_seeded("recharging", _by_age)
def recharging(rng: Random, states: int, denominator: int) -> list[int]:
    """Arms whose reward grows, concavely, with the time since their last play.

    State: that time, capped. Losses are decreasing and convex in it.
    Source: Kleinberg and Immorlica (2018), Recharging bandits.
    """
    return convex_descent(rng, states, *reversed(ends(rng, denominator)))


@_seeded("recovering", _by_age)
def recovering(rng: Random, states: int, denominator: int) -> list[int]:
    """Arms whose reward is any function of the time since their last play, up to an age.

    State: that time, capped. Losses are uniform.
    Source: Pike-Burke and Grunewalder (2019), Recovering bandits; Cella and Cesa-Bianchi (2020).
    """
    return uniform_integers(rng, states, 0, denominator)


@_seeded("last-switch", _by_switch)
def last_switch(rng: Random, states: int, denominator: int) -> list[int]:
    """Arms whose reward depends on the time since they were last switched on or off.

    State: how long the arm has rested, or has been played without a break, either capped. Losses are uniform.
    Source: Laforgue, Clerici, Cesa-Bianchi and Gilad-Bachrach (2022), A last switch dependent analysis of
    satiation and seasonality in bandits.
    """
    return uniform_integers(rng, states, 0, denominator)


@_seeded("rested-rotting", _by_plays)
def rested_rotting(rng: Random, states: int, denominator: int) -> list[int]:
    """Arms that wear out with every play, up to a saturation, and never recover.

    State: the number of plays so far, capped. Losses are increasing in it.
    Source: Levine, Crammer and Mannor (2017), Rotting bandits.
    """
    return climb(rng, states, *ends(rng, denominator))


@_seeded("rested-rising", _by_plays)
def rested_rising(rng: Random, states: int, denominator: int) -> list[int]:
    """Arms that improve with every play, concavely, up to a saturation.

    State: the number of plays so far, capped. Losses are decreasing and convex in it.
    Source: Heidari, Kearns and Roth (2016); Metelli, Trovo, Pirola and Restelli (2022), Stochastic rising
    bandits.
    """
    return convex_descent(rng, states, *reversed(ends(rng, denominator)))


@_seeded("rested-chains", _by_chance)
def rested_chains(rng: Random, states: int, denominator: int) -> list[int]:
    """Markov chains that move only when played, without noise: every state has one successor.

    Successors and losses are uniform, drawn for each arm one after the other.
    Source: Gittins (1979); Tekin and Liu (2012), rested bandits.
    """
    return uniform_integers(rng, states, 0, denominator)
