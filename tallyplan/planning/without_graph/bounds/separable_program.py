"""Slopes and charges by linear programming, in floats; only the rows that matter are ever written down.

There is a row for every step of the graph of tallies (`separable`), far too many to list. But what an arm
adds to a row depends on its own tally alone, so the least row, for each arm played and each tally of it, is
found by adding up tallies arm by arm: a knapsack. A program starts with the steps of the word; solve it, find
rows that its solution violates, add them, solve again, until there are none.

A solution at a corner of the program violates many rows that are not in it yet, and hundreds of rounds go
by. So every row, but those of the word, must hold with *room* to spare as long as that is possible,
and charges cost a little: then a dozen rounds are usual.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from tallyplan.linear_program import Item, LinearProgram
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.effort import Effort, tick
from tallyplan.planning.without_graph.bounds.active_equations import TOLERANCE, Move, moves_of

PARAMETERS = (  # of GLOP, which forgets the last basis if it preprocesses; a solution may be a little off
    "use_preprocessing:false provide_strong_optimal_guarantee:false use_dual_simplex:false"
)
LARGEST = 2.0  # slopes times m and charges lie between -2 and 2; losses lie between 0 and 1
BOUND_COUNTS, ROOM_COUNTS, CHARGES_COUNT = 1e3, 10.0, -1e-4  # in the objective
IN_THE_WAY = 0.01  # a row with this multiplier or a larger one keeps the room from growing
NO_ROOM = 1e-8  # with less room than this, rounding may break a row
NEVER = 1e9  # the weight of a tally that an arm cannot have


class Point(NamedTuple):
    """What the program proposes: a bound, and for each arm m-1 slopes and m charges; and the room it left."""

    bound: float
    room: float
    numbers: Array


class Parts(NamedTuple):
    """What an arm x adds to the cost of a step, `[x, y]` by its tally y = 0 .. m after the step.

    As a bystander, if it is played, if it drops out, and if it does both (a loop).
    """

    bystander: Array
    played: Array
    dropped: Array
    loop: Array


def parts(excesses: Array, numbers: Array) -> Parts:
    """From K x m losses less the bound, and from slopes and charges."""
    memory = excesses.shape[1]
    slopes, charges = numbers[:, : memory - 1], numbers[:, memory - 1 :]
    tally = np.arange(1, memory + 1)
    nothing = excesses[:, :1] * 0
    slopes = np.concatenate([slopes, nothing], axis=1)  # the slope at m cancels out everywhere
    hold = slopes * tally
    jumps = np.abs(np.diff(slopes, axis=1, prepend=slopes[:, :1])) * ((tally - 1) * (memory - tally))
    loop = excesses - memory * slopes + hold
    bystander = np.concatenate([nothing, hold], axis=1)
    return Parts(
        bystander,
        np.concatenate([nothing + NEVER, loop - jumps + charges], axis=1),
        np.concatenate([bystander[:, :-1] - charges, nothing + NEVER], axis=1),
        np.concatenate([nothing + NEVER, loop], axis=1),
    )


class Program:
    """The linear program for a word: variables, and the rows found so far; slopes are scaled by m."""

    def __init__(self, bandit: TallyingBandit, word: Word) -> None:
        self.bandit = bandit
        self.mean = mean_of_word(bandit, word)
        self.losses = np.array([[float(loss) for loss in row] for row in bandit.losses])
        self.program = LinearProgram(PARAMETERS)
        arms, memory = range(bandit.actions), bandit.memory
        mean = float(self.mean)
        self.bound, self.room = self.program.variable(0.0, mean), self.program.variable(0.0, mean)
        self.slopes = [self._variables(memory - 1) for _ in arms]
        self.ups, self.downs = ([self._variables(memory) for _ in arms] for _ in range(2))
        for x, y in product(arms, range(1, memory + 1)):
            self._add_crossing(x, y)
        self.rows: dict[Move, Item] = {}
        self.without_room = moves_of(bandit, word)
        for move in self.without_room:
            self.add(move, 0.0)
        weights = {item: CHARGES_COUNT for rows in (self.ups, self.downs) for row in rows for item in row}
        self.program.maximise(weights | {self.bound: BOUND_COUNTS, self.room: ROOM_COUNTS})

    def _variables(self, count: int) -> list[Item]:
        return [self.program.variable(-LARGEST, LARGEST) for _ in range(count)]

    def _add_crossing(self, x: int, y: int) -> None:
        """The charges for x going up from y-1 to y, and down again, pay for the change of its slope."""
        charges = {self.ups[x][y - 1]: 1.0, self.downs[x][y - 1]: 1.0}
        weight = (y - 1) * (self.bandit.memory - y) / self.bandit.memory
        if weight == 0:
            self.program.row(charges, low=0.0)
            return
        for sign in (1, -1):
            change = {self.slopes[x][y - 1]: -sign * weight, self.slopes[x][y - 2]: sign * weight}
            self.program.row(charges | change, low=0.0)

    def make_room(self, point: Point) -> int:
        """If the solution has hardly any room, exempt the rows that keep it from growing; how many."""
        if point.room > NO_ROOM:
            return 0
        cramped = [
            move
            for move, row in self.rows.items()
            if abs(row.dual_value()) > IN_THE_WAY and row.GetCoefficient(self.room)
        ]
        for move in cramped:
            self.rows[move].SetCoefficient(self.room, 0.0)
        self.without_room.extend(cramped)
        return len(cramped)

    def add(self, move: Move, room: float) -> bool:
        """Add the row of a step or loop, with this much of the room; whether it is new."""
        if move in self.rows:
            return False
        memory, arm, tally = self.bandit.memory, move.arm, move.tallies[move.arm]
        terms = {self.bound: -1.0, self.room: -room}
        for x, y in enumerate(move.tallies):
            if 0 < y < memory:
                terms[self.slopes[x][y - 1]] = y / memory - (x == arm)
        if move.dropped != arm:
            terms[self.ups[arm][tally - 1]] = -1.0
            terms[self.downs[move.dropped][move.tallies[move.dropped]]] = -1.0
        self.rows[move] = self.program.row(terms, low=-float(self.losses[arm, tally - 1]))
        return True

    def solve(self, effort: Effort) -> Point | None:
        """The solution; None unless the solver is sure of an optimum within the limits.

        A pivot costs about as much as reading every row. Without a deadline this work is limited.
        """
        seconds, pivots = effort.seconds_left(), None
        if seconds is None:
            pivots = max(0, effort.work // self.program.rows - self.program.pivots)
        if not self.program.solve(seconds, pivots):
            return None
        memory = self.bandit.memory
        slopes = _values(self.slopes).reshape(self.bandit.actions, memory - 1) / memory
        ups, downs = _values(self.ups), _values(self.downs)
        tally = np.arange(1, memory + 1)
        padded = np.concatenate([slopes, slopes[:, -1:] if memory > 1 else ups * 0], axis=1)
        jumps = np.abs(np.diff(padded, axis=1, prepend=padded[:, :1])) * ((tally - 1) * (memory - tally))
        charges = downs - (ups + downs - jumps) / 2  # no charge need exceed the jump
        numbers = np.concatenate([slopes, charges], axis=1)
        return Point(self.bound.solution_value(), self.room.solution_value(), numbers)

    def add_violated(self, point: Point) -> tuple[float, int]:
        """(the least slack of all rows at the point, at most 0; how many rows were added).

        Rows with less than half of the room count as violated.
        """
        arms = parts(self.losses - point.bound, point.numbers)
        least, added = 0.0, 0
        for slack, move in rows_below(arms, max(0.0, point.room / 2) - TOLERANCE):
            least = min(least, slack)
            added += self.add(move, 1.0)
        return least, added


def rows_below(arms: Parts, most: float) -> Iterator[tuple[float, Move]]:
    """Rows with a slack below `most`: for two arms and a tally of one of them, the least row."""
    actions, size = arms.bystander.shape
    for arm in range(actions):
        others = Others.of(arms.bystander, {arm})
        slacks = arms.loop[arm] + others.least[::-1]
        for tally in np.flatnonzero(slacks < most).tolist():
            yield float(slacks[tally]), Move(others.around({arm: tally}), arm, arm)
    left = size - 1 - np.add.outer(np.arange(size), np.arange(size))
    for pair in combinations(range(actions), 2):
        tick()
        others = Others.of(arms.bystander, {*pair})
        rest = np.where(left < 0, NEVER, others.least[left])
        for arm, dropped in (pair, pair[::-1]):
            grid = arms.played[arm][:, None] + arms.dropped[dropped] + rest
            for y, z in sorted(_least_of_lines(grid, most)):
                yield float(grid[y, z]), Move(others.around({arm: y, dropped: z}), arm, dropped)


def _least_of_lines(grid: Array, most: float) -> set[tuple[int, int]]:
    """The places of the least entries of rows and columns, where they are below `most`."""
    lines = np.arange(len(grid))
    places = [(lines, grid.argmin(axis=1)), (grid.argmin(axis=0), lines)]
    return {
        (y, z)
        for rows, columns in places
        for y, z in zip(rows.tolist(), columns.tolist(), strict=True)
        if grid[y, z] < most
    }


class Others(NamedTuple):
    """The least sums of the bystanders' weights, by the total of their tallies, and the tally of each arm."""

    least: Array
    choices: dict[int, Array]

    @classmethod
    def of(cls, bystander: Array, without: set[int]) -> Others:
        """All arms but these, one after the other."""
        total, j = np.ogrid[: bystander.shape[1], : bystander.shape[1]]
        least, choices = np.where(np.arange(len(total)) == 0, 0.0, NEVER), dict[int, Array]()
        for arm in (x for x in range(len(bystander)) if x not in without):
            sums = np.where(total >= j, least[total - j] + bystander[arm], NEVER)
            least, choices[arm] = sums.min(axis=1), sums.argmin(axis=1)
        return cls(least, choices)

    def around(self, tallies: dict[int, int]) -> tuple[int, ...]:
        """The tallies of all arms, those of the others with the least sum."""
        left = len(self.least) - 1 - sum(tallies.values())
        for arm, choice in reversed(self.choices.items()):
            tallies[arm] = int(choice[left])
            left -= tallies[arm]
        return tuple(tallies[x] for x in range(len(tallies)))


def _values(rows: list[list[Item]]) -> Array:
    return np.array([[item.solution_value() for item in row] for row in rows])
