"""Slopes by linear programming, while the graph of tallies is small; floats, to be rounded and proved.

Slopes, potentials and |theta(k+1) - theta(k)| k(m-1-k) as variables of their own make the costs of all
steps and loops linear (`tally_graph`). Two programs share the rows:

- the largest bound that any slopes prove;
- for a word with the mean v, slopes that prove v with room to spare: the steps of the word need no slack,
  all others at least t, and t is maximised. If t > 0, a solution may be rounded; if there is no solution, no
  slopes prove the word optimal.
"""

from __future__ import annotations

import time
from collections.abc import Set
from dataclasses import dataclass
from itertools import product

import numpy as np

from tallyplan.linear_program import Item, LinearProgram
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.effort import Effort
from tallyplan.planning.without_graph.bounds.tally_graph import TallyGraph
from tallyplan.planning.without_graph.bounds.tight import Signs, walk_of

MOST_STATES = 1500  # for slopes that prove a word optimal
MOST_STATES_FOR_BOUND = 500  # for the largest bound: climbing comes close to it sooner
SECONDS_PER_PROGRAM = 30.0


@dataclass(frozen=True)
class Solution:
    """What a program found: its objective, the slopes and the potentials."""

    objective: float
    slopes: Array
    potentials: Array


def largest_bound(bandit: TallyingBandit, graph: TallyGraph, effort: Effort) -> Solution | None:
    """The largest bound; None if the solver failed or ran out of time."""
    program = Program(bandit, graph, {}, effort)
    bound = program.variable()
    program.add_rows({bound: -1.0}, 0.0, {}, frozenset())
    return program.maximise(bound)


def roomy_slopes(bandit: TallyingBandit, graph: TallyGraph, word: Word, effort: Effort) -> Solution | None:
    """Slopes that prove the word optimal, with all the slack there can be; None if there are none."""
    walk, signs = walk_of(bandit, word)
    places = {tuple(state): i for i, state in enumerate(graph.states.tolist())}
    visited = [places[step.tallies] for step in walk]
    used = {
        (before, after, step.arm)
        for before, after, step in zip([visited[-1], *visited], visited, walk, strict=False)
    }
    program = Program(bandit, graph, signs, effort)
    room = program.variable(0.0, 1.0)
    program.add_rows({}, float(mean_of_word(bandit, word)), {room: -1.0}, used)
    return program.maximise(room)


class Program:
    """The variables and rows that both programs share; slopes are scaled by m, to the size of losses."""

    def __init__(self, bandit: TallyingBandit, graph: TallyGraph, signs: Signs, effort: Effort) -> None:
        self.bandit, self.graph, self.effort = bandit, graph, effort
        self.program = LinearProgram()
        self.slopes = [[self.variable() for _ in range(bandit.memory - 1)] for _ in range(bandit.actions)]
        self.potentials = [self.variable() for _ in range(len(graph.states))]
        self.jumps = {
            (x, k): self._jump(x, k, signs.get((x, k)))
            for x, k in product(range(bandit.actions), range(1, bandit.memory - 1))
        }

    def variable(self, low: float | None = None, high: float | None = None) -> Item:
        """A variable, free unless it has bounds."""
        return self.program.variable(low, high)

    def _jump(self, x: int, k: int, sign: int | None) -> Item:
        """|theta(k+1) - theta(k)| k(m-1-k), or at least that where the sign of the change is not given."""
        weight = k * (self.bandit.memory - 1 - k) / self.bandit.memory
        jump = self.variable(0.0, 0.0 if sign == 0 else None)
        for direction in (1, -1) if not sign else (sign,):
            terms = {
                jump: 1.0,
                self.slopes[x][k]: -direction * weight,
                self.slopes[x][k - 1]: direction * weight,
            }
            self.program.row(terms, low=0.0, high=0.0 if sign else None)
        return jump

    def add_rows(
        self,
        always: dict[Item, float],
        bound: float,
        unless_used: dict[Item, float],
        used: Set[tuple[int, int, int]],
    ) -> None:
        """cost + phi(after) - phi(before) + ... >= bound for every step and loop."""
        graph, arms = self.graph, range(self.bandit.actions)
        for after, tallies in enumerate(graph.states.tolist()):
            for a, d in product(arms, arms):
                if tallies[a] == 0:
                    continue
                before = after if a == d else int(graph.after[graph.without[after, a], d])
                extra = always if (before, after, a) in used else always | unless_used
                self._add_row(tallies, a, before, after, bound, extra)

    def _add_row(
        self, tallies: list[int], a: int, before: int, after: int, bound: float, extra: dict[Item, float]
    ) -> None:
        memory, tally = self.bandit.memory, tallies[a]
        terms = dict(extra)
        for x, y in enumerate(tallies):
            if 0 < y < memory:
                terms[self.slopes[x][y - 1]] = y / memory - (x == a)
        if before != after:
            terms[self.potentials[after]], terms[self.potentials[before]] = 1.0, -1.0
            if (a, tally - 1) in self.jumps:
                terms[self.jumps[a, tally - 1]] = -1.0
        self.program.row(terms, low=bound - float(self.bandit.losses[a][tally - 1]))

    def maximise(self, objective: Item) -> Solution | None:
        """Solve; None unless the solver is sure of an optimum."""
        deadline = self.effort.half().deadline
        seconds = (
            SECONDS_PER_PROGRAM
            if deadline is None
            else min(SECONDS_PER_PROGRAM, max(0.001, deadline - time.monotonic()))
        )
        self.effort.progress(f"slopes: a linear program of {self.program.rows} rows")
        self.program.maximise({objective: 1.0})
        if not self.program.solve(seconds):
            return None
        slopes = np.array([[v.solution_value() for v in row] for row in self.slopes]) / self.bandit.memory
        potentials = np.array([v.solution_value() for v in self.potentials])
        return Solution(objective.solution_value(), slopes.reshape(self.bandit.actions, -1), potentials)
