"""How much slopes and charges can prove at most: weights of steps that no choice of them gets around.

Let weights, at least 0 and with the sum 1, be given to steps and loops of the graph of tallies (`separable`).
For an arm x and a tally y let U(y) be the weight of the steps that raise the tally of x to y, D(y) that of
those that lower it from y, and B(y) the sum, over the moves that leave x at y, of the weight times y, less m
if x is played. If for all x and y

    U(y) = D(y)   and   |B(1) + ... + B(y-1)| <= (y-1)(m-y) U(y),

then no slopes and charges prove more than the weighted mean of the moves' losses. For in the weighted mean of
what the moves are charged, U(y) times the cost of the slope's change at y is taken off; and the slopes,
summed by parts, are their changes times these partial sums, which are smaller. The moves of a word, each as
often as it occurs, satisfy all of this, as they must.

The weights with the least mean are proposed by a linear program. What holds with equality there is solved in
rationals, and what comes out is verified before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tallyplan.linear_program import LinearProgram
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.without_graph.bounds.active_equations import Equation, Move, Row, solved

NOTHING = 1e-9  # smaller weights are meant to be 0, and sums that are nearer to their bounds to equal them


@dataclass(frozen=True)
class Limit:
    """No slopes and charges prove more than `most`, the mean loss of moves with these weights."""

    most: Fraction
    weights: Mapping[Move, Fraction]


@dataclass(frozen=True)
class Place:
    """An arm at the tally y: U(y), D(y) and B(y), as factors of the weights, and (y-1)(m-y)."""

    raised: Row
    lowered: Row
    held: Row
    times: int


def limit_of(bandit: TallyingBandit, moves: Sequence[Move]) -> Limit | None:
    """The least limit that weights of these moves prove; None if there is none, or rounding spoils it."""
    proposed = _proposed(bandit, moves)
    kept = {move: weight for move, weight in zip(moves, proposed, strict=False) if weight > NOTHING}
    floats = np.array(list(kept.values()))
    exact = solved(list(_equations(bandit, list(kept), floats.tolist())), floats) if kept else None
    return None if exact is None else verified(bandit, dict(zip(kept, exact, strict=True)))


def verified(bandit: TallyingBandit, weights: Mapping[Move, Fraction]) -> Limit | None:
    """The limit that the weights prove; None if they prove none."""
    exact = list(weights.values())
    if sum(exact) != 1 or min(exact) < 0:
        return None
    for arm in _arms(bandit, list(weights)):
        partial = Fraction(0)
        for place in arm:
            raised = _at(exact, place.raised)
            if raised != _at(exact, place.lowered) or abs(partial) > place.times * raised:
                return None
            partial += _at(exact, place.held)
    losses = (weight * _loss(bandit, move) for move, weight in weights.items())
    return Limit(sum(losses, Fraction(0)), weights)


def _proposed(bandit: TallyingBandit, moves: Sequence[Move]) -> list[float]:
    """Weights with the least mean loss, in floats; none if the solver is not sure of them."""
    program = LinearProgram()
    weights = [program.variable(low=0) for _ in moves]
    program.row(dict.fromkeys(weights, 1), low=1, high=1)
    for arm in _arms(bandit, moves):
        partial = program.variable(0, 0)
        for place in arm:
            raised, lowered, held = (
                {weights[i]: factor for i, factor in row.items()}
                for row in (place.raised, place.lowered, place.held)
            )
            program.row(_plus(raised, lowered, -1), low=0, high=0)
            for sign in (1, -1):
                program.row(_plus({partial: sign}, raised, place.times), low=0)
            partial, before = program.variable(), partial
            program.row(_plus({partial: 1, before: -1}, held, -1), low=0, high=0)
    losses = [float(_loss(bandit, move)) for move in moves]
    program.minimise(dict(zip(weights, losses, strict=True)))
    return [weight.solution_value() for weight in weights] if program.solve() else []


def _equations(bandit: TallyingBandit, moves: Sequence[Move], floats: Sequence[float]) -> Iterator[Equation]:
    """What holds with equality, or nearly so, at the weights that the program proposes."""
    yield dict.fromkeys(range(len(moves)), 1), Fraction(1)
    for arm in _arms(bandit, moves):
        partial: Row = {}
        for place in arm:
            yield _plus(place.raised, place.lowered, -1), Fraction(0)
            value, most = _at(floats, partial), place.times * _at(floats, place.raised)
            if most - abs(value) <= place.times * NOTHING:
                yield _plus(partial, place.raised, -place.times if value > 0 else place.times), Fraction(0)
            partial = _plus(partial, place.held, 1)


def _arms(bandit: TallyingBandit, moves: Sequence[Move]) -> Iterator[list[Place]]:
    """For each arm its places, y = 1 .. m; the weights are numbered like the moves."""
    m = bandit.memory
    for x in range(bandit.actions):
        places = [Place({}, {}, {}, (y - 1) * (m - y)) for y in range(m + 1)]
        for i, move in enumerate(moves):
            y = move.tallies[x]
            places[y].held[i] = y - m * (x == move.arm)
            if x == move.arm != move.dropped:
                places[y].raised[i] = 1
            elif x == move.dropped != move.arm:
                places[y + 1].lowered[i] = 1
        yield places[1:]


def _loss(bandit: TallyingBandit, move: Move) -> Fraction:
    return bandit.losses[move.arm][move.tallies[move.arm] - 1]


def _at(weights: Sequence[Any], factors: Row) -> Any:
    return sum(weights[i] * factor for i, factor in factors.items())


def _plus(left: dict[Any, int], right: dict[Any, int], times: int) -> dict[Any, int]:
    return {key: left.get(key, 0) + times * right.get(key, 0) for key in left | right}
