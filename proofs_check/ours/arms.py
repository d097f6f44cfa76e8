"""Arms that are automata: what greedy earns in blocking bandits, and the density of pinwheel schedules.

In the order of its rewards, what greedy plays does not depend on them, so what it earns is linear in the
rewards, and the optimum is a maximum of linear functions, one for each cycle. Such a ratio is least on an
edge of the cone r_1 >= r_2 >= .. >= 0, where the first n rewards are 1 and the others 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, permutations
from operator import itemgetter
from typing import Any

from proofs_check.stating import Better, Outcome, Request, Verdict, claim
from tallyplan.check import check
from tallyplan.errors import InternalError, NoPlay
from tallyplan.model.families import make
from tallyplan.planning.mean_cycle import minimum_mean_cycle

Delays = tuple[int, ...]
BLOCKING = {2: 8, 3: 5}  # arms: largest delay
TASKS, PERIODS = 5, 12
WHERE = "Arms as automata (ours, docs/data.md)"


def _verified(certificate: dict[str, Any]) -> None:
    if not check(certificate):
        raise InternalError("a certificate about arms is not accepted; please report this.")


@dataclass(frozen=True)
class Blocking:
    """Greedy in an order of the arms, the first `top` of which earn 1 a play and the others 0."""

    delays: Delays
    order: tuple[int, ...]
    top: int

    def rewards(self) -> list[int]:
        """What a play of each arm earns."""
        return [int(self.order.index(x) < self.top) for x in range(len(self.delays))]

    def greedy(self) -> Fraction:
        """What greedy earns per step in the long run, by the definition: the first arm that can earn."""
        free, seen, earned = (0,) * len(self.delays), dict[Delays, int](), list[int]()
        while free not in seen:
            seen[free] = len(earned)
            played = next((x for x in self.order if free[x] == 0), None)
            earned.append(int(played in self.order[: self.top]))
            free = tuple(
                delay - 1 if x == played else max(0, left - 1)
                for x, (delay, left) in enumerate(zip(self.delays, free, strict=True))
            )
        turn = earned[seen[free] :]
        return Fraction(sum(turn), len(turn))

    def optimum(self) -> Fraction:
        """The largest reward per step in the long run, certified."""
        answer = minimum_mean_cycle(make("blocking", delays=self.delays, rewards=self.rewards()))
        _verified(answer.certificate)
        return 1 - answer.value

    def ratio(self) -> Fraction:
        """What greedy earns, as a share of the optimum."""
        return self.greedy() / self.optimum()


def worst(delays: Delays) -> Blocking:
    """Where the least ratio over all rewards is approached: an edge of the cone of an order."""
    orders, tops = permutations(range(len(delays))), range(1, len(delays) + 1)
    return min((Blocking(delays, order, top) for order in orders for top in tops), key=Blocking.ratio)


@claim(
    "arms/greedy-in-blocking-bandits",
    statement="(not in the paper) In blocking bandits of K arms, greedy earns in the long run at least the "
    "following share of the optimum, over all rewards: {stated}.",
    formulas={"stated": "implies(K == 2, ratio >= 8 / 9) and implies(K == 3, ratio >= 3 / 4)"},
    symbols={"ratio": "the infimum over all rewards of what greedy earns, divided by the optimum"},
)
def greedy_in_blocking_bandits(request: Request) -> Outcome:
    """Every order of the arms, every edge of its cone of rewards; each optimum by a certified cycle."""
    box: list[dict[str, Any]] = [
        {"K": K, "delays": delays, "ratio": worst(delays).ratio()}
        for K, most in BLOCKING.items()
        for delays in combinations_with_replacement(range(1, most + 1), K)
    ]
    least = [min((one for one in box if one["K"] == K), key=itemgetter("ratio")) for K in BLOCKING]
    told = ", ".join(f"{one['delays']} {one['ratio']}" for one in box if one["ratio"] < 1)
    attained = ", ".join(f"{one['ratio']} at delays {one['delays']}" for one in least)
    return request.conclude(
        None,
        box=box,
        checked_on="K = 2, delays 1..8; K = 3, delays 1..5",
        tight=Better(f"approached by nearly equal rewards: {attained}", Verdict.CHECKED),
        remarks=(f"The infimum by delays, where it is below 1: {told}.",),
    )


def density(periods: Delays) -> Fraction:
    """The share of the steps that the tasks need at least."""
    return sum((Fraction(1, period) for period in periods), Fraction(0))


def schedulable(periods: Delays) -> bool:
    """Whether a play goes on forever, certified either way."""
    try:
        _verified(minimum_mean_cycle(make("pinwheel", periods=periods)).certificate)
    except NoPlay as none:
        _verified(none.certificate)
        return False
    return True


def decided(tasks: int, longest: int) -> Iterator[dict[str, Any]]:
    """All instances of n tasks: the densest first, each planned unless another one decides it."""
    can, cannot = list[Delays](), list[Delays]()
    instances = combinations_with_replacement(range(1, longest + 1), tasks)
    for periods in sorted(instances, key=density, reverse=True):
        if any(_at_most(other, periods) for other in can):
            answer = True
        elif any(_at_most(periods, other) for other in cannot) or density(periods) > 1:
            answer = False
        else:
            answer = schedulable(periods)
            (can if answer else cannot).append(periods)
        yield {"periods": periods, "density": density(periods), "schedulable": int(answer)}


def _at_most(one: Delays, other: Delays) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


@claim(
    "arms/pinwheel-density",
    statement="(not in the paper) Each task must be done at least once in every period of its own, one task "
    "a step: {stated}.",
    formulas={"stated": "implies(density <= 5 / 6, schedulable == 1)"},
    symbols={
        "density": "the sum of 1 / period over the tasks",
        "schedulable": "1 if there is a schedule forever, and 0 if not",
    },
)
def pinwheel_density(request: Request) -> Outcome:
    """Every instance of a box, by a certified schedule or a certified proof that no play goes on forever."""
    box = [found for tasks in range(1, TASKS + 1) for found in decided(tasks, PERIODS)]
    tightest = min((one for one in box if not one["schedulable"]), key=itemgetter("density"))
    return request.conclude(
        None,
        box=box,
        checked_on=f"1..{TASKS} tasks, periods 1..{PERIODS}",
        tight=Better(
            f"on the box the least without a schedule is {tightest['density']}, at {tightest['periods']}",
            Verdict.CHECKED,
        ),
    )
