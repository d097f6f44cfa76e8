"""Closed walks of length L through one root: tables of least reduced costs, stepped forward from the root.

Reduced costs r are nonnegative. Let home(s) be the least r-sum of a walk, of any length, from s to the root,
and

    D_0 = {root: 0},  D_{t+1}(s') = the least D_t(s) - home(s) + r(s, a) + home(s') over the edges into s',

where entries at or above the budget are dropped. So D_t(s) is the least r-sum of t steps to s and then home:
a state that is dropped cannot belong to a closed walk below the budget. These are the tables that the
potentials phi + home would give. Without home, a table holds whatever can be reached below the budget; with
it, what lies on some closed walk below the budget, of any length: ten times less, often a hundred times.

A table is a function of the one before: once two are equal, they go round for ever.

Let out(s) be the least r-sum of a walk from the root to s. D_t(s) is at least out(s) + home(s), so `home`
matters only where that sum is below the budget, and compiled code finds it only there.
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

ENTRIES_AT_ONCE = 2**22  # about, treated between two looks at the clock, or recorded at once
FIRST_WAIT, WAIT_SHARE = 24, 3  # a reference stays for 24 steps at least, and a third of the time so far


Repeat = tuple[int, int] | None


@dataclass(frozen=True)
class Table:
    """A table D_t: members (states) and their entries, in whatever order."""

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


class Room:
    """The reduced costs, shape (dropped, R, K), `never` where there is no edge; and vectors to work in.

    The vectors hold `never` everywhere between two questions.
    """

    def __init__(self, graph: StateGraph, slack: Array, never: int, compiled: bool) -> None:
        self.graph, self.slack, self.never, self.compiled = graph, slack, never, compiled
        self.scratch, self.out, self.home = (
            np.full(graph.states, never, dtype=slack.dtype) for _ in range(3)
        )
        if compiled:
            self.touched = np.empty((3, graph.states), dtype=np.int64)
            self.waiting = np.zeros(graph.states, dtype=bool)
            self.tables = np.empty((3, 2, graph.states), dtype=np.int64)

    def find_ways(self, root: int, budget: int) -> None:
        """The least r-sums home, at least where they matter for the budget."""
        if self.compiled:
            from tallyplan.planning.on_graph.kernels.closed_walks import find_ways

            leaving, returning = find_ways(
                self.slack, root, budget, self.out, self.home, self.touched, self.waiting
            )
            self.out[self.touched[0, :leaving]] = self.never
            self._changed = self.touched[1, :returning]
            return
        self.home[root] = 0
        lowered = True
        while lowered:
            tick()
            compiling.charge(self.slack.size // EDGES_PER_UNIT)
            arrivals = self.graph.arrivals(self.home)
            best = self.home.copy().reshape(self.graph.dropped, self.graph.rests)
            for action in range(self.graph.actions):
                np.minimum(best, self.slack[:, :, action] + arrivals[:, action], out=best)
            best[best >= budget] = self.never
            lowered = not np.array_equal(best.reshape(-1), self.home)
            self.home[:] = best.reshape(-1)
        self._changed = np.flatnonzero(self.home < self.never)

    @property
    def width(self) -> int:
        """How many states may have entries: those with a way home."""
        return max(1, self._changed.size)

    @property
    def stride(self) -> int:
        """How many steps are recorded at once."""
        return max(1, ENTRIES_AT_ONCE // self.width)

    def forget_ways(self) -> None:
        """Back to `never`."""
        self.home[self._changed] = self.never

    def pass_roots(
        self, roots: list[int], period: int, budget: int, enough: int
    ) -> tuple[list[Repeat], int, int]:
        """Remove roots from the front of a list through which no closed walk is below the budget.

        If those are all and the budget is not `enough`, they are put back and it is doubled. Returned is
        where their tables repeat, the budget, and one for the next root: one more than the least r-sum of its
        closed walks, or, if it takes long, the same. With numpy, none is removed.
        """
        if not self.compiled:
            return [], budget, budget
        from tallyplan.planning.on_graph.kernels.closed_walks import pass_roots

        repeats: Array = np.empty((len(roots), 2), dtype=np.int64)
        passed, least, budget = pass_roots(
            np.array(roots),
            period,
            self.slack,
            budget,
            enough,
            self.out,
            self.home,
            self.touched,
            self.waiting,
            self.tables,
            self.scratch,
            self.never,
            ENTRIES_AT_ONCE,
            repeats,
        )
        where = [(since, turn) if turn else None for since, turn in repeats[:passed].tolist()]
        return where, budget, min(budget, least + 1)

    def step(self, table: Table, budget: int) -> Table:
        """One step forward, with numpy."""
        graph = self.graph
        tick()
        compiling.charge(self.slack.size // EDGES_PER_UNIT)
        self.scratch[table.members] = table.entries - self.home[table.members]
        before = self.scratch.reshape(graph.dropped, graph.rests)
        lowest: Array = np.empty((graph.rests, graph.actions), dtype=self.slack.dtype)
        for action in range(graph.actions):
            np.min(before + self.slack[:, :, action], axis=0, out=lowest[:, action])
        self.scratch[table.members] = self.never
        entries = (lowest.reshape(-1) if graph.memory > 1 else lowest.min(axis=1)) + self.home
        members = np.flatnonzero(entries < budget)
        return Table(members, entries[members])


class Tables:
    """The tables from a root under a budget, up to where they repeat.

    `walk`, if there is one below the budget, is a closed walk of length L at the root of the least r-sum, as
    runs (word, repeats).
    """

    def __init__(self, room: Room, root: int, period: int, budget: int) -> None:
        self.room, self.root, self.period, self.budget = room, root, period, budget
        self.repeat: Repeat = None
        self._first = Table(np.array([root]), np.zeros(1, dtype=room.slack.dtype))
        self.walk: list[tuple[Word, int]] | None = None
        entry = self._last_entry()
        if entry is not None and self.walk is None:
            self.budget = entry + 1  # smaller tables lead back as well
            self._last_entry()

    def _last_entry(self) -> int | None:
        """D_L at the root, if it is there; and back from there, if the budget is as small as can be."""
        self.repeat = None
        self.room.find_ways(self.root, self.budget)
        try:
            last = self._compiled_run() if self.room.compiled else self._run()
            entry = last.entry(self.root)
            if entry is not None and entry + 1 == self.budget:
                self.walk = self._closed_walk(entry)
        finally:
            self.room.forget_ways()
        return entry

    def _run(self) -> Table:
        """D_L; tables are compared with a reference that moves on geometrically."""
        table = reference = self._first
        time = since = 0
        while time < self.period and table.members.size:
            table = self.room.step(table, self.budget)
            time += 1
            if table.members.size and table.equals(reference):
                self.repeat = (since, time - since)
                return self._after(table, (self.period - time) % (time - since))
            if time - since >= max(FIRST_WAIT, since // WAIT_SHARE):
                reference, since = table, time
        return table

    def _compiled_run(self) -> Table:
        from tallyplan.planning.on_graph.kernels import closed_walks as loops

        room, clock = self.room, np.empty(loops.END + 1, dtype=np.int64)
        loops.begin(clock, room.tables, self.root, self.period)
        while clock[loops.SIZE] and clock[loops.TIME] < clock[loops.END]:
            tick()
            loops.run(
                clock,
                room.tables,
                room.slack,
                room.home,
                self.budget,
                room.scratch,
                room.never,
                ENTRIES_AT_ONCE,
            )
        if clock[loops.PERIOD]:
            self.repeat = int(clock[loops.SINCE]), int(clock[loops.PERIOD])
        members, entries = room.tables[clock[loops.TIME] % 2, :, : clock[loops.SIZE]]
        return Table(members, entries)

    def _after(self, table: Table, steps: int) -> Table:
        """So many steps forward."""
        while steps:
            some = min(steps, self.room.stride)
            table = self._record(table, some).table(some)
            steps -= some
        return table

    def _record(self, table: Table, steps: int) -> Recorded:
        """The tables of some steps forward."""
        tick()
        if self.room.compiled:
            return CompiledRecord(self.room, self.budget, table, steps)
        tables = [table]
        for _ in range(steps):
            tables.append(self.room.step(tables[-1], self.budget))
        return NumpyRecord(self.room, tables)

    def _closed_walk(self, entry: int) -> list[tuple[Word, int]]:
        """Back from the entry of the root at time L."""
        state, since = self.root, self.period
        runs: list[tuple[Word, int]] = []
        if self.repeat is not None:
            since = self.repeat[0]
            state, entry, runs = self._back_through_the_repeated(state, entry)
        state, entry, opening = self._back(self._first, since, state, entry)
        if state != self.root or entry != 0:
            raise InternalError("the walk back through the tables went astray; please report this instance.")
        return [(opening, 1), *runs]

    def _back_through_the_repeated(self, state: int, entry: int) -> tuple[int, int, list[tuple[Word, int]]]:
        """From time L back to where the repetition begins: state and entry there, and the runs of the walk.

        The tables go round, so as soon as the walk begins a turn in a state and with an entry with which it
        began one before, it goes round as well.
        """
        assert self.repeat is not None
        since, turn = self.repeat
        first = self._after(self._first, since)
        turns, rest = divmod(self.period - since, turn)
        state, entry, word = self._back(first, rest, state, entry)
        runs = [(word, 1)]
        met: dict[tuple[int, int], int] = {}
        words: list[Word] = []  # the last first
        while turns:
            if (state, entry) in met:
                cycle = words[met[state, entry] :]
                times, turns = divmod(turns, len(cycle))
                runs[:0] = [(_joined(cycle), times), (_joined(words), 1)]
                met, words = {}, []
                continue
            met[state, entry] = len(words)
            state, entry, word = self._back(first, turn, state, entry)
            words.append(word)
            turns -= 1
        return state, entry, [(_joined(words), 1), *runs]

    def _back(self, first: Table, steps: int, state: int, entry: int) -> tuple[int, int, Word]:
        """From an entry of the table `steps` after `first` back there: state and entry, and the word."""
        stride = self.room.stride
        words: list[Word] = []
        last = (steps - 1) % stride + 1
        for table in layers_backwards(lambda table: self._after(table, stride), first, -(-steps // stride)):
            state, entry, word = self._record(table, last).walk_back(last, state, entry)
            words.append(word)
            last = stride
        return state, entry, _joined(words)


def _joined(words: list[Word]) -> Word:
    """Pieces of a walk, the last first, as one word."""
    return tuple(action for word in reversed(words) for action in word)


@dataclass(frozen=True)
class NumpyRecord:
    """Successive tables."""

    room: Room
    tables: list[Table]

    def table(self, time: int) -> Table:
        """The table of a time."""
        return self.tables[time]

    def walk_back(self, steps: int, state: int, entry: int) -> tuple[int, int, Word]:
        """From an entry of the table after so many steps back to the first."""
        backwards = []
        for table in reversed(self.tables[:steps]):
            state, action, entry = self._edge_before(table, state, entry)
            backwards.append(action)
        return state, entry, tuple(reversed(backwards))

    def _edge_before(self, table: Table, state: int, entry: int) -> tuple[int, int, int]:
        """The first edge into `state` that explains its entry: (origin, action, entry of the origin)."""
        graph, home = self.room.graph, self.room.home
        rest, last = divmod(state, graph.actions)
        actions = [last] if graph.memory > 1 else range(graph.actions)
        rest %= graph.rests
        for dropped in range(graph.dropped):
            origin = dropped * graph.rests + rest
            before = table.entry(origin)
            for action in actions:
                cost = int(self.room.slack[dropped, rest, action])
                if before is not None and before - int(home[origin]) + cost + int(home[state]) == entry:
                    return origin, action, before
        raise InternalError(_UNEXPLAINED)


class CompiledRecord:
    """Successive tables, by compiled loops."""

    def __init__(self, room: Room, budget: int, first: Table, steps: int) -> None:
        from tallyplan.planning.on_graph.kernels.closed_walks import record

        self.room, size = room, first.members.size
        self.tables: Array = np.empty((2, (steps + 1) * room.width), dtype=np.int64)
        self.starts: Array = np.zeros(steps + 2, dtype=np.int64)
        self.tables[0, :size], self.tables[1, :size] = first.members, first.entries
        self.starts[1] = size
        record(self.tables, self.starts, room.slack, room.home, budget, room.scratch, room.never, steps)

    def table(self, time: int) -> Table:
        """The table of a time."""
        members, entries = self.tables[:, self.starts[time] : self.starts[time + 1]].copy()
        return Table(members, entries)

    def walk_back(self, steps: int, state: int, entry: int) -> tuple[int, int, Word]:
        """From an entry of the table after so many steps back to the first."""
        from tallyplan.planning.on_graph.kernels.closed_walks import walk_back

        room, word = self.room, np.empty(steps, dtype=np.int64)
        state, entry = walk_back(
            self.tables, self.starts, room.slack, room.home, state, entry, room.scratch, room.never, word
        )
        if state < 0:
            raise InternalError(_UNEXPLAINED)
        return int(state), int(entry), tuple(word.tolist())


Recorded = NumpyRecord | CompiledRecord
_UNEXPLAINED = "a table entry has no edge that explains it; please report this instance."
