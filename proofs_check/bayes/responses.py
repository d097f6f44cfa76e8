"""Best responses of the learner, and what a policy costs on every table.

Give the state s the weight w(s) of the tables that agree with it (unnormalised belief). With t steps to go

    V_0 = 0,   V_t(s) = min over a of  sum over v of  v w(s') + V_{t-1}(s'),   s' = the state after a costs v,

where a known entry has one outcome and an unknown one has g + 1. V_T(root) is the least expected loss against
the prior, in units of 1/scale. The same lines run on floats (to propose) and on integers (to decide): 64 bits
where no sum can reach 2^62, Python's own otherwise.

A deterministic policy meets a state at most once at a time t, since what is known determines which actions
led there; so its loss on all tables is one forward walk.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from proofs_check.bayes.states import Graph
from tallyplan.model.graph import Array
from tallyplan.planning.many_tables import least_walks

WITHIN_64_BITS = 2**62  # sums below this are added in 64-bit integers


@dataclass(frozen=True, eq=False)
class Policy:
    """A deterministic learner: choices[t][s] is its action in state s with t + 1 steps to go."""

    choices: tuple[Array, ...]

    def action(self, steps_played: int, state: int) -> int:
        """What it plays."""
        return int(self.choices[len(self.choices) - 1 - steps_played][state])


def optima(graph: Graph, horizon: int) -> Array:
    """OPT_T of every orbit, in units of 1/scale."""
    tables: Array = np.array(graph.orbits).reshape(-1, graph.actions, graph.memory)
    least: Array = least_walks(tables, [horizon])[0].astype(np.int64) * (graph.scale // graph.grid)
    return least


def best_response(graph: Graph, prior: Array, horizon: int) -> tuple[float | int, Policy]:
    """The least expected loss against a prior over orbits, in units of 1/scale, and a policy that attains it.

    The prior is an array of floats, of 64-bit or of Python integers (not normalised); so is the value.
    """
    weight = graph.seen(prior)
    value = np.zeros_like(weight)
    choices = []
    for steps in range(horizon - 1, -1, -1):
        count = graph.within(steps)
        total = np.zeros((count, graph.actions), dtype=weight.dtype)
        for loss in range(graph.grid + 1):
            total += (value + loss * weight)[graph.successors[:count, :, loss]]
        chosen = np.argmin(total, axis=1)
        choices.append(chosen.astype(np.int8))
        value[:count] = total[np.arange(count), chosen]
    return value[0], Policy(tuple(choices))


def exact_response(graph: Graph, prior: Sequence[Fraction], horizon: int) -> tuple[Fraction, Policy]:
    """The same for a rational prior, exactly."""
    denominator = math.lcm(*(p.denominator for p in prior))
    whole = [int(p * denominator) for p in prior]
    small = denominator * graph.scale * max(horizon, 1) < WITHIN_64_BITS
    value, policy = best_response(graph, np.array(whole, dtype=np.int64 if small else object), horizon)
    return Fraction(int(value), denominator * graph.scale), policy


def losses(graph: Graph, policy: Policy, horizon: int) -> Array:
    """The expected loss of a policy on every orbit, rows in random order; in units of 1/scale."""
    amounts = np.zeros(graph.pieces, dtype=np.int64)
    here = np.zeros(1, dtype=np.int64)
    for to_go in range(horizon - 1, -1, -1):
        after = graph.successors[here, policy.choices[to_go][here]]
        for loss in range(1, graph.grid + 1):
            np.add.at(amounts, graph.knowledge[after[:, loss]], loss)
        here = after[after < len(graph.states)]
    amounts[-1] = 0
    return graph.spread(amounts)


def pure_regret(graph: Graph, optima: Array, horizon: int) -> Fraction:
    """The least worst-case regret of *deterministic* learners; optima in units of 1/scale.

    Losses add up, so the recursion is min over actions of max over outcomes of loss plus what follows, from
    V_0(s) = max of -OPT over the tables that agree with s. Offering new actions in order changes nothing:
    those not yet played are alike.
    """
    known, orbit, _ = graph.weights
    nothing = np.iinfo(np.int64).min // 4
    worst = np.full(graph.pieces, nothing)
    np.maximum.at(worst, known, -optima[orbit])
    value = worst[graph.knowledge]
    unit = graph.scale // graph.grid
    for steps in range(horizon - 1, -1, -1):
        count = graph.within(steps)
        total = np.full((count, graph.actions), nothing)
        for loss in range(graph.grid + 1):
            np.maximum(total, (value + loss * unit)[graph.successors[:count, :, loss]], out=total)
        value[:count] = total.min(axis=1)
    return Fraction(int(value[0]), graph.scale)
