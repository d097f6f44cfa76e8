"""Closed walks of length L through one root: tables of least reduced costs, stepped forward from the root.

D_0 = {root: 0}; D_{t+1}(s') is the least D_t(s) + r(s, a) over the edges into s', and entries at or above
the budget are dropped. Reduced costs r are nonnegative, so a state that is dropped cannot belong to a closed
walk below the budget. A table is a function of the one before: once two are equal, they go round for
ever.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tallyplan.errors import InternalError
from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.words import Word
from tallyplan.planning import compiling
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.backwards import layers_backwards
from tallyplan.planning.on_graph.sweeps import EDGES_PER_UNIT

STATES_AT_ONCE = 2**22  # about, treated between two looks at the clock


@dataclass(frozen=True)
class Table:
    """The least r-sums of walks of one length from the root: members (states) and their entries."""

    members: Array
    entries: Array

    def entry(self, state: int) -> int | None:
        """The entry of a state, if it has one."""
        where = np.flatnonzero(self.members == state)
        return int(self.entries[where[0]]) if where.size else None

    def equals(self, other: Table) -> bool:
        """The same entries, in whatever order."""
        if self.members.size != other.members.size or self.entries.sum() != other.entries.sum():
            return False
        mine, theirs = np.argsort(self.members), np.argsort(other.members)
        return np.array_equal(self.members[mine], other.members[theirs]) and np.array_equal(
            self.entries[mine], other.entries[theirs]
        )


class Tables:
    """The tables D_0 .. D_L from a root under a budget, up to where they repeat.

    `slack` holds the reduced costs of all edges, shape (dropped, R, K), `never` where there is none.
    """

    def __init__(
        self,
        graph: StateGraph,
        slack: Array,
        never: int,
        compiled: bool,
        root: int,
        period: int,
        budget: int,
    ) -> None:
        self.graph, self.slack, self.never, self.compiled = graph, slack, never, compiled
        self.root, self.period, self.budget = root, period, budget
        self.repeat: tuple[int, int] | None = None
        self._scratch = np.full(graph.states, never, dtype=slack.dtype)
        self._room = np.empty((3, graph.states if compiled else 0), dtype=np.int64)
        self._reference: Table | None = None
        self._dense = np.full(graph.states + 2 if compiled else 0, -1, dtype=np.int64)
        self._first = Table(np.array([root]), np.zeros(1, dtype=slack.dtype))
        self._last = self._run()
        self.at_root = self._last.entry(root)

    def _run(self) -> Table:
        """D_L; tables are compared with a reference that moves on geometrically."""
        table = reference = self._first
        time = since = 0
        while time < self.period:
            moves = since + max(24, since // 3)
            table, steps, equal = self._forward(table, min(moves, self.period) - time, reference)
            time += steps
            if table.members.size == 0:
                return table
            if equal:
                self.repeat = (since, time - since)
                return self._after(table, (self.period - time) % (time - since))
            if time >= moves:
                reference, since = table, time
        return table

    def _after(self, table: Table, steps: int) -> Table:
        """So many steps forward."""
        while steps:
            table, done, _ = self._forward(table, steps, None)
            steps -= done
        return table

    def step(self, table: Table) -> Table:
        """One step forward."""
        return self._after(table, 1)

    def _forward(self, table: Table, steps: int, reference: Table | None) -> tuple[Table, int, bool]:
        """Steps forward, until the table is empty or equals the reference: the table; how many; equal?"""
        tick()
        if self.compiled:
            most = max(1, STATES_AT_ONCE // self.graph.states)
            return self._compiled_steps(table, min(steps, most), reference)
        table = self._numpy_step(table)
        return table, 1, reference is not None and table.equals(reference)

    def _compiled_steps(self, table: Table, steps: int, reference: Table | None) -> tuple[Table, int, bool]:
        from tallyplan.planning.on_graph.kernels.edges import forward

        size, room = table.members.size, self._room
        room[0, :size], room[1, :size] = table.members, table.entries
        known = self._known(reference)
        done, size, equal = forward(
            room, size, self.slack, self.budget, self._scratch, self.never, known, steps
        )
        return Table(room[0, :size].copy(), room[1, :size].copy()), done, equal

    def _known(self, reference: Table | None) -> Array:
        """The reference as the compiled loop wants it."""
        if reference is not self._reference or reference is None:
            self._reference = reference
            self._dense[:] = self.never
            self._dense[-2:] = -1
            if reference is not None:
                self._dense[reference.members] = reference.entries
                self._dense[-2:] = reference.members.size, reference.entries.sum()
        return self._dense

    def _numpy_step(self, table: Table) -> Table:
        graph = self.graph
        compiling.charge(self.slack.size // EDGES_PER_UNIT)
        self._scratch[table.members] = table.entries
        before = self._scratch.reshape(graph.dropped, graph.rests)
        lowest: Array = np.empty((graph.rests, graph.actions), dtype=self.slack.dtype)
        for action in range(graph.actions):
            np.min(before + self.slack[:, :, action], axis=0, out=lowest[:, action])
        self._scratch[table.members] = self.never
        entries = lowest.reshape(-1) if graph.memory > 1 else lowest.min(axis=1)
        members = np.flatnonzero(entries < self.budget)
        return Table(members, entries[members])

    def closed_walk(self) -> list[tuple[Word, int]]:
        """A closed walk of length L at the root that attains D_L(root), as runs (word, repeats)."""
        assert self.at_root is not None
        since = self.period
        round_and_round: list[tuple[Word, int]] = []
        state, entry = self.root, self.at_root
        if self.repeat is not None:
            since = self.repeat[0]
            state, entry, round_and_round = self._back_through_the_repeated(state, entry)
        backwards = []
        for table in layers_backwards(self.step, self._first, since):
            state, action, entry = self._edge_before(table, state, entry)
            backwards.append(action)
        if state != self.root or entry != 0:
            raise InternalError("the walk back through the tables went astray; please report this instance.")
        return [(tuple(reversed(backwards)), 1), *round_and_round]

    def _back_through_the_repeated(self, state: int, entry: int) -> tuple[int, int, list[tuple[Word, int]]]:
        """From time L back to where the repetition begins: state and entry there, and the runs of the walk.

        The tables go round, so as soon as the walk meets a state in the same table with the same entry,
        it goes round as well.
        """
        assert self.repeat is not None
        since, period = self.repeat
        turn = [self._first]
        for _ in range(since):
            turn = [self.step(turn[0])]
        for _ in range(period - 1):
            turn.append(self.step(turn[-1]))
        met: dict[tuple[int, int, int], int] = {}
        backwards: list[int] = []
        runs: list[tuple[Word, int]] = []
        time = self.period
        while time > since:
            key = (state, (time - since) % period, entry)
            if key in met:
                cycle = backwards[met[key] :]
                turns = (time - since) // len(cycle)
                time -= turns * len(cycle)
                runs[:0] = [(tuple(reversed(cycle)), turns), (tuple(reversed(backwards)), 1)]
                met, backwards = {}, []
                continue
            met[key] = len(backwards)
            state, action, entry = self._edge_before(turn[(time - 1 - since) % period], state, entry)
            backwards.append(action)
            time -= 1
        return state, entry, [(tuple(reversed(backwards)), 1), *runs]

    def _edge_before(self, table: Table, state: int, entry: int) -> tuple[int, int, int]:
        """An edge into `state` that explains its entry: (origin, action, entry of the origin)."""
        graph = self.graph
        rest, last = divmod(state, graph.actions)
        actions = [last] if graph.memory > 1 else range(graph.actions)
        rest %= graph.rests
        for dropped in range(graph.dropped):
            origin = dropped * graph.rests + rest
            before = table.entry(origin)
            for action in actions:
                if before is not None and before + int(self.slack[dropped, rest, action]) == entry:
                    return origin, action, before
        raise InternalError("a table entry has no edge that explains it; please report this instance.")
