"""Slopes for the graph of tallies, and the lower bound that they prove.

For given slopes the bound is the least mean of a cycle (`tally_graph`), and as a function of the slopes a
minimum of concave functions, one for each cycle: a best cycle gives a direction of ascent. We climb by
Polyak's steps towards a target above the best bound so far; when they stop paying, the target comes closer.
All of that is done in floats.

The proof is done in integers. Slopes and potentials are rounded to multiples of 1/q, and with w the claimed
bound and phi the potentials, on every step and loop

    q cost(step) + phi(after) - phi(before) >= 0,   where in `cost` the losses are floor(q (h - w))/q:

a few rounds of Bellman-Ford repair what rounding broke. If q w and all q h are integers, the floor loses
nothing: a bound that equals the mean of the word is proved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from tallyplan.model.graph import Array, integer_type
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning import compiling
from tallyplan.planning.effort import Effort, tick
from tallyplan.planning.without_graph.bounds import slope_program
from tallyplan.planning.without_graph.bounds.prices import Prices
from tallyplan.planning.without_graph.bounds.tally_graph import TallyGraph, number_of_states
from tallyplan.planning.without_graph.bounds.tight import Tight, tight

METHOD = "tallies"
MOST_STATES = 100_000  # of the graph of tallies
PRECISION = 10**10  # the scale q is about this
NEARLY_EQUAL = 1e-9  # a guessed bound this close to the word's mean may be meant to equal it
STEPS_PER_SLOPE = 40  # steps of an ascent per slope, while the graph is small
STATE_VISITS = 2 * 10**7  # about the number of states times the steps of an ascent, on a large graph
PATIENCE_PER_SLOPE = 2  # steps without progress, per slope, before the target comes closer
LEAST_REACH = 1e-5  # how close the target comes, as a share of the word's mean
TOLERANCE = 1e-11  # in the least mean cycle, which is computed in floats


@dataclass(frozen=True)
class SlopeProof:
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
    """Whether there are two arms or more, the tallies can be listed, and there is time to climb."""
    few = number_of_states(bandit.actions, bandit.memory) <= MOST_STATES
    return bandit.actions > 1 and few and compiling.affordable("tally_cycles")


def best_slopes(bandit: TallyingBandit, word: Word, prices: Prices, effort: Effort) -> SlopeProof | None:
    """The best bound found, at most the mean of the word, or None if rounding spoiled it; `prices` give the
    slopes to start from.

    First only slopes are tried that can prove the word optimal (`tight`), then any: by linear programming
    while the graph is small, else by climbing.
    """
    climber = Climber(bandit, word, effort)
    starts = (priced_slopes(bandit, prices), np.zeros((bandit.actions, bandit.memory - 1)))
    equations = tight(bandit, word)
    guesses: list[Guess] = []
    for guess in () if equations is None else climber.tight_guesses(word, starts[0], equations):
        exact = climber.proof_of(guess, climber.upper, equations) if climber.at_top(guess) else None
        if exact is not None:
            return exact
        guesses.append(climber.at(guess.slopes))
    guesses.extend(climber.guesses(starts))
    best = max(guesses, key=lambda guess: guess.bound, default=climber.at(starts[0]))
    return climber.proof_below(best)


@dataclass(frozen=True)
class Guess:
    """Slopes, potentials and the bound they should prove, in floats."""

    bound: float
    slopes: Array
    potentials: Array


class Climber:
    """The search for slopes, and what it needs to know of the bandit."""

    def __init__(self, bandit: TallyingBandit, word: Word, effort: Effort) -> None:
        self.bandit, self.effort = bandit, effort
        self.graph = TallyGraph(bandit.actions, bandit.memory)
        self.losses = np.array([[float(loss) for loss in row] for row in bandit.losses])
        self.upper = mean_of_word(bandit, word)
        tally = np.arange(1, bandit.memory)
        weights = (tally * (bandit.memory - tally)) ** -2.0  # slopes at few and at many plays weigh most
        self.unit = np.tile(weights, bandit.actions)

    def at_top(self, guess: Guess) -> bool:
        """Whether the bound is that of the word, as far as floats can tell."""
        return guess.bound >= float(self.upper) * (1 - NEARLY_EQUAL) - 1e-12

    def tight_guesses(self, word: Word, start: Array, equations: Tight) -> Iterator[Guess]:
        """Slopes among those that can prove the word optimal."""
        states = len(self.graph.states)
        if states > slope_program.MOST_STATES_FOR_BOUND:
            yield self.climb(start, equations)
        if states <= slope_program.MOST_STATES:
            found = slope_program.roomy_slopes(self.bandit, self.graph, word, self.effort)
            if found is not None:
                yield Guess(float(self.upper), found.slopes, found.potentials)

    def guesses(self, starts: Sequence[Array]) -> Iterator[Guess]:
        """Slopes with large bounds."""
        if len(self.graph.states) <= slope_program.MOST_STATES_FOR_BOUND:
            found = slope_program.largest_bound(self.bandit, self.graph, self.effort)
            if found is not None:
                yield self.at(found.slopes)
                return
        for start in starts:
            if not self.effort.out_of_time():
                yield self.climb(start)

    def _enough(self, bound: float, effort: Effort) -> bool:
        return effort.out_of_time() or float(self.upper) * (1 - float(self.effort.gap)) < bound

    def at(self, slopes: Array) -> Guess:
        """The bound of these slopes."""
        values = np.zeros(len(self.graph.states))
        bound, _ = self._least_mean(slopes, values)
        return Guess(bound, slopes, values)

    def climb(self, slopes: Array, equations: Tight | None = None) -> Guess:
        """The best slopes on a way up that starts at `slopes`, among those that satisfy the equations."""
        shape, upper = slopes.shape, float(self.upper)
        if equations is not None:
            slopes = equations.nearest(slopes.ravel(), self.unit).reshape(shape)
            back = equations.back(self.unit)
        values = np.zeros(len(self.graph.states))
        best = Guess(-math.inf, slopes, values)
        reach, waited = upper, 0
        effort = self.effort.half()
        climbs = min(STEPS_PER_SLOPE * slopes.size, max(20, STATE_VISITS // len(values)))
        patience = min(20 + PATIENCE_PER_SLOPE * slopes.size, climbs // 10)
        for count in range(climbs):
            bound, gradient = self._least_mean(slopes, values)
            reach = min(reach, upper - bound) if count == 0 else reach
            waited = 0 if bound > best.bound + reach / 10 else waited + 1
            if bound > best.bound:
                best = Guess(bound, slopes, values.copy())
            direction = gradient.ravel() * self.unit
            if equations is not None:  # not to leave their solutions
                direction -= back @ (equations.matrix @ direction)
            steepness = float(gradient.ravel() @ direction)
            if steepness <= 1e-15 or reach < LEAST_REACH * upper or self._enough(best.bound, effort):
                break
            if waited > patience:
                reach, waited, slopes = reach * 0.7, 0, best.slopes
                continue
            slopes = slopes + ((best.bound + reach - bound) / steepness * direction).reshape(shape)
            if count % 20 == 0:
                self.effort.progress(f"slopes: {best.bound:.6g} of {upper:.6g}, step {count} of {climbs}")
        return best

    def _least_mean(self, slopes: Array, values: Array) -> tuple[float, Array]:
        """The bound of these slopes, and its gradient; `values` are improved to potentials."""
        from tallyplan.planning.without_graph.bounds.tally_cycles import bound_and_gradient

        tick()
        graph = self.graph
        bound, gradient = bound_and_gradient(
            self.losses, slopes, graph.states, graph.rests, graph.after, graph.without, values, TOLERANCE
        )
        return float(bound), gradient

    def proof_below(self, guess: Guess) -> SlopeProof | None:
        """A proof of nearly the bound that was guessed; None if not even four digits of it can be proved."""
        for digits in range(9, 3, -1):
            bound = min(self.upper, Fraction(math.floor(guess.bound * 10**digits) - 1, 10**digits))
            found = self.proof_of(guess, bound)
            if found is not None:
                return found
        return None

    def proof_of(self, guess: Guess, bound: Fraction, equations: Tight | None = None) -> SlopeProof | None:
        """Round the guess, repair its potentials, verify every step in integers; None if that fails."""
        scale = math.lcm(self.bandit.denominator, bound.denominator)
        if equations is None:
            scale *= ceil_div(PRECISION, scale)
            slopes = _rounded(guess.slopes, scale)
        else:
            scale = math.lcm(scale, equations.denominator()) * PRECISION
            exact = equations.exact(guess.slopes.ravel(), PRECISION)
            slopes = _objects([int(slope * scale) for slope in exact]).reshape(guess.slopes.shape)
        potentials = _rounded(guess.potentials, scale)
        losses = _objects([math.floor(scale * (loss - bound)) for row in self.bandit.losses for loss in row])
        memory = self.bandit.memory
        widest = memory**2 * _largest(slopes) + _largest(losses) + 1
        small = integer_type(8 * memory * widest + 2 * _largest(potentials)) is not object
        kind = np.int64 if small else object
        table = losses.reshape(self.losses.shape).astype(kind)
        steps, loops = self.graph.costs(table, slopes.astype(kind))
        repaired = _repaired(self.graph, steps, potentials.astype(kind)) if loops.min() >= 0 else None
        return None if repaired is None else SlopeProof(bound, scale, slopes, repaired)


def priced_slopes(bandit: TallyingBandit, prices: Prices) -> Array:
    """For each arm, against the price, its rising slopes: they prove the per-arm bound."""
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


def _repaired(graph: TallyGraph, steps: Array, potentials: Array) -> Array | None:
    """Potentials that no step lowers, by at most about 4m rounds of Bellman-Ford; None if that is too few."""
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
    return _objects(exact).reshape(numbers.shape)


def _objects(numbers: list[int]) -> Array:
    """A vector of Python integers."""
    result: Array = np.empty(len(numbers), dtype=object)
    result[:] = numbers
    return result


def _largest(numbers: Array) -> int:
    return max((abs(int(number)) for number in numbers.ravel().tolist()), default=0)
