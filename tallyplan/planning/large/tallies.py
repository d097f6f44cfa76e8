"""Slopes for the graph of tallies, and the lower bound that they prove.

For given slopes the bound is the least mean of a cycle (`tally_graph`), and as a function of the slopes a minimum
of concave functions, one for each cycle: a best cycle gives a direction of ascent. We climb by Polyak's steps
towards a target above the best bound so far, at most the mean of the best word; when they stop paying, the
target comes closer. All of that is done in floats.

The proof is done in integers. Slopes and potentials are rounded to multiples of 1/q, and with w the claimed
bound and phi the potentials, on every step and loop

    q cost(step) + phi(after) - phi(before) >= 0,   where in `cost` the losses are floor(q (h - w))/q:

a few rounds of Bellman-Ford repair what rounding broke. If q w and all q h are integers, the floor loses nothing:
a bound that equals the mean of the word is proved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from tallyplan.graph import Array, integer_type
from tallyplan.instance import TallyingBandit
from tallyplan.planning.large.interval import Effort
from tallyplan.planning.large.per_arm import Prices
from tallyplan.planning.large.tally_graph import TallyGraph, number_of_states

METHOD = "tallies"
MOST_STATES = 400_000
PRECISION = 10**10  # about the scale q
CLOSE = 1e-9  # a guessed bound this close to the word's mean may be meant to equal it
CLIMBS = 3000  # steps of the ascent on a small graph; fewer on a large one
VISITS = 3 * 10**7  # about the number of states times the number of climbs
PATIENCE = 150  # climbs without progress before the target comes closer
LEAST_REACH = 1e-5  # how close the target comes, as a share of the word's mean
TOLERANCE = 1e-11


@dataclass(frozen=True)
class Slopes:
    """The bound and its proof: slopes and potentials are integers over `scale`."""

    bound: Fraction
    scale: int
    slopes: Array = field(repr=False, compare=False)
    potentials: Array = field(repr=False, compare=False)

    def dual(self) -> dict[str, Any]:
        """The proof as the certificate has it."""
        return {
            "method": METHOD,
            "scale": self.scale,
            "slopes": self.slopes.tolist(),
            "potentials": self.potentials.tolist(),
        }


def fits(bandit: TallyingBandit) -> bool:
    """Whether there are two arms or more, and the tallies can be listed."""
    return bandit.actions > 1 and number_of_states(bandit.actions, bandit.memory) <= MOST_STATES


def best_slopes(bandit: TallyingBandit, upper: Fraction, prices: Prices, effort: Effort) -> Slopes:
    """The best bound found; `upper` is the mean of a word and `prices` give the slopes to start from."""
    graph = TallyGraph(bandit.actions, bandit.memory)
    best = Guess(-math.inf, np.zeros(0), np.zeros(0))
    for start in (priced_slopes(bandit, prices), np.zeros((bandit.actions, bandit.memory - 1))):
        found = climb(graph, bandit, start, float(upper), effort)
        best = max(best, found, key=lambda guess: guess.bound)
        if effort.out_of_time() or effort.enough(Fraction(best.bound), upper) or _close(best.bound, upper):
            break
    return proved(graph, bandit, best, upper)


@dataclass(frozen=True)
class Guess:
    """Slopes, potentials and the bound they should prove, in floats."""

    bound: float
    slopes: Array
    potentials: Array


def climb(graph: TallyGraph, bandit: TallyingBandit, slopes: Array, upper: float, effort: Effort) -> Guess:
    """The best slopes on a way up that starts at `slopes`."""
    losses = np.array([[float(loss) for loss in row] for row in bandit.losses])
    values = np.zeros(len(graph.states))
    tally = np.arange(1, bandit.memory)
    unit = 1.0 / (tally * (bandit.memory - tally)) ** 2  # slopes at few and at many plays weigh most
    best = Guess(-math.inf, slopes, values)
    reach, waited = upper, 0
    climbs = min(CLIMBS, max(20, VISITS // len(values)))
    for count in range(climbs):
        bound, direction = _least_mean(graph, losses, slopes, values)
        reach = min(reach, upper - bound) if count == 0 else reach
        waited = 0 if bound > best.bound + reach / 10 else waited + 1
        if bound > best.bound:
            best = Guess(bound, slopes, values.copy())
        steepness = float(np.sum(direction * direction * unit))
        if steepness == 0 or reach < LEAST_REACH * upper or effort.out_of_time():
            break
        if waited > PATIENCE:
            reach, waited, slopes = reach * 0.7, 0, best.slopes
            continue
        slopes = slopes + (best.bound + reach - bound) / steepness * direction * unit
        if count % 20 == 0:
            effort.progress(f"slopes: bound {best.bound:.6g} of at most {upper:.6g}, step {count} of {climbs}")
    return best


def _least_mean(graph: TallyGraph, losses: Array, slopes: Array, values: Array) -> tuple[float, Array]:
    """The bound of these slopes, and its gradient; `values` are improved to potentials."""
    from tallyplan.kernels.tally_cycles import least_mean_cycle

    steps, loops, cheapest = graph.costs(losses, slopes)
    mean, cycle, actions = least_mean_cycle(steps, loops, graph.after, graph.without, values, TOLERANCE)
    arms = np.where(actions >= 0, actions, -1 - cheapest[cycle])
    return float(mean), graph.gradient(slopes, cycle, arms)


def priced_slopes(bandit: TallyingBandit, prices: Prices) -> Array:
    """For each arm the rising slopes of Theorem 2, for the arm against the price: they prove the per-arm bound."""
    memory, price = bandit.memory, float(prices.price)
    rows = []
    for losses, excess in zip(bandit.losses, map(float, prices.excesses), strict=True):
        plays = [float(loss) - price - excess for loss in losses]
        highest: list[float] = []
        for k, play in enumerate(plays[: memory - 1], 1):
            highest.append(k * play if k == 1 else min(k * play, highest[-1] + play - excess))
        rows.append([z / (k * (memory - k)) for k, z in enumerate(highest, 1)])
    slopes: Array = np.array(rows).reshape(bandit.actions, memory - 1)
    return np.minimum.accumulate(slopes[:, ::-1], axis=1)[:, ::-1]


def proved(graph: TallyGraph, bandit: TallyingBandit, guess: Guess, upper: Fraction) -> Slopes:
    """The guess as a proof in integers: of the bound `upper` if it is that close, else of a little less."""
    for bound in _candidates(guess.bound, upper, _close(guess.bound, upper)):
        found = proof(graph, bandit, guess, bound)
        if found is not None:
            return found
    raise AssertionError("no loss is negative")  # the last candidate needs no proof but that


def _candidates(guess: float, upper: Fraction, close: bool) -> Iterator[Fraction]:
    if close:
        yield upper
    for digits in range(9, 3, -1):
        yield min(upper, Fraction(math.floor(guess * 10**digits) - 1, 10**digits))
    yield Fraction(-(10**9))


def proof(graph: TallyGraph, bandit: TallyingBandit, guess: Guess, bound: Fraction) -> Slopes | None:
    """Round the guess, repair its potentials, and verify every step and loop in integers; None if that fails."""
    unit = math.lcm(bandit.denominator, bound.denominator)
    scale = unit * -(-PRECISION // unit)
    slopes = _rounded(guess.slopes, scale)
    potentials = _rounded(guess.potentials, scale)
    losses = [[math.floor(scale * (loss - bound)) for loss in row] for row in bandit.losses]
    widest = bandit.memory**2 * max(1, _largest(slopes)) + _largest(np.array(losses, dtype=object))
    kind = integer_type(8 * bandit.memory * widest + 2 * _largest(potentials))
    kind = np.int64 if kind is np.int32 else kind
    steps, loops, _ = graph.costs(np.array(losses, dtype=kind), slopes.astype(kind))
    if loops.min() < 0:
        return None
    repaired = _repaired(graph, steps, potentials.astype(kind))
    return None if repaired is None else Slopes(bound, scale, slopes, repaired)


def _repaired(graph: TallyGraph, steps: Array, potentials: Array) -> Array | None:
    """Potentials that no step lowers, by at most 4m rounds of Bellman-Ford; they are lowered, so keep their size."""
    floor = potentials.min() - graph.memory * max(1, int(np.abs(steps).max()))
    for _ in range(4 * graph.memory + 8):
        lowered = potentials.copy()
        for d, least in enumerate(_least_without(steps + potentials[graph.after])):
            here = graph.after[:, d]
            lowered[here] = np.minimum(lowered[here], least)
        if np.array_equal(lowered, potentials):
            return potentials
        if lowered.min() < floor:
            return None
        potentials = lowered
    return None


def _least_without(values: Array) -> Iterator[Array]:
    """For each column d, the row minima over the other columns."""
    columns = values.shape[1]
    for d in range(columns):
        yield values[:, [a for a in range(columns) if a != d]].min(axis=1)


def _rounded(numbers: Array, scale: int) -> Array:
    """scale * numbers to the nearest integers; Python integers, since the scale may be long."""
    exact = [round(Fraction(number) * scale) for number in numbers.ravel().tolist()]
    result: Array = np.empty(len(exact), dtype=object)
    result[:] = exact
    return result.reshape(numbers.shape)


def _largest(numbers: Array) -> int:
    return max((abs(int(number)) for number in numbers.ravel().tolist()), default=0)


def _close(bound: float, upper: Fraction) -> bool:
    return bound >= float(upper) * (1 - CLOSE) - 1e-12
