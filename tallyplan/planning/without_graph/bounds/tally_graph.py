"""The graph of tallies: what is left of the state graph if only the counts in the window are kept.

A state s lists the tallies of all arms, which add up to m: there are C(m+K-1, K-1) of them, in
lexicographic order. A step drops the action d from the window, which leaves a *rest* of m-1 plays, and adds
the action a; if a = d, it is a *loop*. What drops out is really decided by the order of the plays; here
every arm with a tally may drop out, so the cycles of this graph include all real ones and more. *Slopes*
theta_x(y), 1 <= y < m, make up for that. Let psi_x be the sum of m-1-i over the positions i of the window
(0 the newest) that hold x. A step adds m [a = x] - s_x to psi_x (s after the step); and as the action that
drops out counts 0, psi_x before the step lies in an interval of length k(m-1-k) if x has k plays in the
rest. Hence the potentials theta_x(s_x) psi_x, and a suitable function of s_x, turn the loss of the step
(d, a) into at least

    h_a(s_a) - m theta_a(s_a) + sum over x of s_x theta_x(s_x)
                                       - [a != d] |theta_a(s_a) - theta_a(s_a - 1)| k(m-1-k),   k = s_a - 1,

s being the state after the step: *for any slopes*, the least mean of these costs over the cycles of the
graph of tallies is a lower bound. (docs/certificates.md has the proof in full.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tallyplan.model.graph import Array


def number_of_states(actions: int, memory: int) -> int:
    """C(m+K-1, K-1).

    >>> number_of_states(3, 50), number_of_states(5, 50)
    (1326, 316251)
    """
    return math.comb(memory + actions - 1, actions - 1)


@dataclass(frozen=True)
class TallyGraph:
    """The graph for K >= 2 arms; it does not know the losses."""

    actions: int
    memory: int

    @cached_property
    def states(self) -> Array:
        """`[s, x]`: the tally of x."""
        return compositions(self.memory, self.actions)

    @cached_property
    def rests(self) -> Array:
        """`[r, x]`: the tallies with one play missing."""
        return compositions(self.memory - 1, self.actions)

    @cached_property
    def after(self) -> Array:
        """`[r, a]`: the state of the rest r with a added."""
        units = np.eye(self.actions, dtype=np.int64)
        return np.stack([ranks(self.rests + unit, self.memory) for unit in units], axis=1)

    @cached_property
    def without(self) -> Array:
        """`[s, d]`: the rest of the state s without d, or -1."""
        result = np.full(self.states.shape, -1)
        for action in range(self.actions):
            result[self.after[:, action], action] = np.arange(len(self.rests))
        return result

    def costs(self, losses: Array, slopes: Array) -> tuple[Array, Array]:
        """`steps[r, a]` and the cheapest `loops[s]`; K x m losses, K x (m-1) slopes, any kind of number."""
        own, jumps, holding = self._by_tally(losses, slopes)
        hold = _total(holding, self.states)
        plays = np.stack([row[tally - 1] for row, tally in zip(own, self.states.T, strict=True)], axis=1)
        plays[self.states == 0] = plays.max() + 1  # an arm without a tally cannot stay in the window
        steps = np.stack([row[tally] for row, tally in zip(own - jumps, self.rests.T, strict=True)], axis=1)
        return steps + hold[self.after], plays.min(axis=1) + hold

    def _by_tally(self, losses: Array, slopes: Array) -> tuple[Array, Array, Array]:
        """h - m theta and the jump into it, at the tallies 1 .. m; and y theta(y) at 0 .. m."""
        memory = self.memory
        ends = np.concatenate([slopes, losses[:, :1] * 0], axis=1)  # theta(m) cancels out everywhere
        before = np.arange(memory)
        weights = before * (memory - 1 - before)
        jumps = np.abs(np.diff(ends, axis=1, prepend=ends[:, :1])) * weights
        holding = np.concatenate([ends[:, :1] * 0, ends * (before + 1)], axis=1)
        return losses - memory * ends, jumps, holding


def compositions(total: int, parts: int) -> Array:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0, in lexicographic order.

    >>> compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    rows: Array = np.zeros((1, 0), dtype=np.int64)
    left: Array = np.array([total])
    for _ in range(parts - 1):
        repeat = left + 1
        rows, left = np.repeat(rows, repeat, axis=0), np.repeat(left, repeat)
        starts = np.repeat(np.cumsum(repeat) - repeat, repeat)
        here = np.arange(len(left)) - starts
        rows, left = np.concatenate([rows, here[:, None]], axis=1), left - here
    return np.concatenate([rows, left[:, None]], axis=1)


def ranks(rows: Array, total: int) -> Array:
    """The positions of the rows in `compositions(total, parts)`."""
    parts = rows.shape[1]
    left = np.full(len(rows), total)
    result = np.zeros(len(rows), dtype=np.int64)
    for x in range(parts - 1):
        free = parts - 1 - x
        choose = np.array([math.comb(n + free, free) for n in range(total + 1)])
        result += choose[left] - choose[left - rows[:, x]]
        left = left - rows[:, x]
    return result


def _total(table: Array, states: Array) -> Array:
    """The sum over the arms of `table[x]` at the tally of x."""
    result: Array = table[0][states[:, 0]]
    for x in range(1, states.shape[1]):
        result = result + table[x][states[:, x]]
    return result
