"""The Bellman recursion over a finite horizon in plain Python, for integers of any size and any horizon.

V_t(s) is the least cost of t steps from the history s. V_0 = 0, and a *sweep* computes

    V_{t+1}(s) = min over a of cost(s, a) + V_t(successor(s, a)).

This commutes with adding a constant, is increasing and concave, and so are p sweeps, F. Let F(x) = x + G for
a layer x, F(x + G) = x + 2G and F(x + kG) = x + (k+1)G. Then i -> F(x + iG) - x - (i+1)G is concave with
zeros at 0, 1 and k, and so at every integer in between: k+1 blocks of p sweeps add (k+1)G. Such a *jump*
takes the place of the sweeps. If G is constant it holds for every k, and everything repeats from then on.
Periods to try are those at which the last four layers are in arithmetic progression.

In a graph with dead ends V_t(s) = `never` where no walk of t steps begins in s, a number above all costs of N
steps, and a sweep takes the least of that and the other sums. It is still increasing and concave, so the
argument holds; it commutes with constants where no entry is `never`, and if one is, a constant G is zero.

**How many sweeps.** Not more than a bound that depends on the graph and on log N only, whatever the losses. A
jump is taken if k is at least 2 + the number of jumps so far; a period that held for fewer blocks is not
tried again before these are over. Let P be a common multiple of the lengths of all simple cycles.

1. *The layers are piecewise affine.* Cut simple cycles out of an optimal walk of t steps, until at most n^2
   steps are left that visit all of its states. Of these cycles let c have the least mean, and l steps. Among
   any l of the others, some have a total length divisible by l, and turns of c in their place cost no more.
   So some optimal walk has turns of c and at most 2n^2 other steps, and for t >= 2n^2, i -> V_{t+iP}(s) is a
   minimum of affine functions, one per mean of a simple cycle. With C such means, the vectors V_{t+2P} -
   2 V_{t+P} + V_t are zero but for at most 2nCP values of t; M <= 2nCP + 1 *stretches* lie between these.
2. *Between two jumps.* In a stretch with more than (k+6) P + 64 steps to come, P is proposed and holds for
   k blocks. So there are not more sweeps than that before a jump, besides attempts that fail.
3. *The number of jumps.* A jump of period p that lies in a stretch for 2 lcm(p, P) + p steps holds, by
   concavity, until less than lcm(p, P) + p steps of it are left. Once 2P jumps are taken, k is at least 2P,
   and every jump crosses the end of a stretch or ends that close to it; the next in this stretch has a
   period of about half the length at most. So there are at most 2P + M (2 + log2 N) jumps.
4. *The rest.* Galloping tries 2 log2 N blocks per jump. Attempts that fail cost a multiple of p that grows
   with the logarithm of the number of jumps, and occur once in p sweeps for each p.

This bound is astronomic, since P is. What is seen: a jump or two, and a few hundred sweeps; the largest
numbers over many near-ties are in tests/planning/test_layers.py.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import chain
from typing import NamedTuple

from tallyplan.core import questions as core
from tallyplan.model.words import Word
from tallyplan.planning.effort import tick
from tallyplan.planning.reference import Graph, Vector

FEWEST_BLOCKS = 2  # k of a jump: the walk back reads its words at i = 1, strictly inside


class Stretch(NamedTuple):
    """Layers that follow each other, the first at `time`; a sweep leads from the last to what comes next."""

    time: int
    rows: list[Vector]


class Jump(NamedTuple):
    """From the layer x = V_time on, k+1 blocks of `period` sweeps, each of which adds `gain`."""

    time: int
    base: Vector
    period: int
    k: int
    gain: Vector


def plan(graph: Graph, state: int, horizon: int) -> core.Planned:
    """The best plan of that many steps from a state, where there is one."""
    layers = Layers(graph, horizon)
    jumps = [core.Jump(jump.time, jump.period, jump.k, jump.gain[0]) for jump in layers.jumps]
    return core.Planned(layers.top[state], jumps, [*layers.runs(state)], layers.sweeps)


class Layers:
    """The layers V_t of a graph for t up to `steps`, as stretches of sweeps and jumps.

    >>> from tallyplan import TallyingBandit
    >>> from tallyplan.planning.reference import histories
    >>> layers = Layers(histories(TallyingBandit([["0", "1"], ["1/2", "1"]])), 10**15)
    >>> layers.top, [(jump.time, jump.period, jump.k) for jump in layers.jumps]
    ([500000000000000, 500000000000000], [(6, 2, 499999999999996)])
    >>> list(layers.runs(0))
    [((1, 0), 499999999999997), ((1, 0, 1, 0, 1, 0), 1)]
    """

    def __init__(self, graph: Graph, steps: int) -> None:
        self.graph, self.steps, self.sweeps = graph, steps, 0
        self.never = 1 + steps * max((edge.cost for edges in graph.edges for edge in edges), default=0)
        self.pieces: list[Stretch | Jump] = []
        self.top, time = [0] * len(self.graph.edges), 0
        while time < steps:
            time = self._advance(time)

    @property
    def jumps(self) -> list[Jump]:
        """In the order of time."""
        return [piece for piece in self.pieces if isinstance(piece, Jump)]

    def sweep(self, row: Vector) -> Vector:
        """V_{t+1} from V_t."""
        never, self.sweeps = self.never, self.sweeps + 1
        return [min([never, *(cost + row[to] for _, to, cost, _ in edges)]) for edges in self.graph.edges]

    def _swept(self, row: Vector, sweeps: int) -> Vector:
        for _ in range(sweeps):
            tick()
            row = self.sweep(row)
        return row

    def _advance(self, time: int) -> int:
        """Sweep until there is a jump and take it, or until the end; returns the time that is reached."""
        rows, not_before = list[Vector](), dict[int, int]()
        while time + len(rows) < self.steps:
            tick()
            here = time + len(rows)
            rows.append(self.top)
            for p in _periods(rows):
                blocks = FEWEST_BLOCKS + len(self.jumps)
                if here < not_before.get(p, 0) or here + blocks * p >= self.steps:
                    continue
                jump = self._jump(here, p)
                if jump.k >= blocks:
                    self.pieces += [Stretch(time, rows[:-1]), jump]
                    self.top = _sum(jump.base, jump.k + 1, jump.gain)
                    return here + (jump.k + 1) * p
                not_before[p] = here + (jump.k + 1) * p
            self.top = self.sweep(self.top)
        self.pieces.append(Stretch(time, rows))
        return self.steps

    def _jump(self, time: int, period: int) -> Jump:
        """The longest jump by blocks of this period from the last layer on; k = 0: there is none."""
        base = self.top
        gain = _sum(self._swept(base, period), -1, base)
        longest = (self.steps - time) // period - 1
        if min(gain) == max(gain):
            return Jump(time, base, period, longest, gain)

        def holds(k: int) -> bool:
            return self._swept(_sum(base, k, gain), period) == _sum(base, k + 1, gain)

        return Jump(time, base, period, _largest(holds, longest), gain)

    def at(self, time: int) -> Vector:
        """V_time."""
        if time == self.steps:
            return self.top
        piece = next(piece for piece in reversed(self.pieces) if piece.time <= time)
        if isinstance(piece, Stretch):
            return piece.rows[time - piece.time]
        block, more = divmod(time - piece.time, piece.period)
        return self._swept(_sum(piece.base, block, piece.gain), more)

    def cost(self, place: Word, steps: int) -> int | None:
        """The least cost of that many steps from a place, (state,); None if there is no such walk."""
        cost = self.at(steps)[place[0]]
        return None if cost == self.never else cost

    def runs(self, state: int) -> Iterator[tuple[Word, int]]:
        """An optimal plan of all the steps from a state, as runs (word, repeats)."""
        for piece in reversed(self.pieces):
            if isinstance(piece, Stretch):
                word, state = self._greedy(piece.rows, state)
                yield word, 1
            else:
                state = yield from self._through(piece, state)

    def _through(self, jump: Jump, state: int) -> Generator[tuple[Word, int], None, int]:
        """The blocks of a jump, from its end; returns the state after them.

        The cost of a p-step walk minus the optimum is affine in i, never negative, and so zero for all i if
        it is zero at i = 1, inside: one word for each state serves all blocks.
        """
        rows = [_sum(jump.base, 1, jump.gain)]
        while len(rows) < jump.period:
            rows.append(self.sweep(rows[-1]))
        words, blocks = dict[int, tuple[Word, int]](), jump.k + 1
        for _ in range(blocks):
            if state in words:
                break
            words[state] = self._greedy(rows, state)
            state = words[state][1]
        met = list(words)
        first = met.index(state) if state in words else len(met)
        yield from ((words[s][0], 1) for s in met[:first])
        cycle = met[first:]
        if cycle:
            turns, rest = divmod(blocks - first, len(cycle))
            yield tuple(chain.from_iterable(words[s][0] for s in cycle)), turns
            yield from ((words[s][0], 1) for s in cycle[:rest])
            state = cycle[rest]
        return state

    def _greedy(self, rows: list[Vector], state: int) -> tuple[Word, int]:
        """The best action for each row, the last row first, and where they lead."""
        word = []
        for row in reversed(rows):
            action, state, *_ = min(self.graph.edges[state], key=lambda edge: edge.cost + row[edge.to])
            word.append(action)
        return tuple(word), state


def _largest(holds: Callable[[int], bool], longest: int) -> int:
    """The largest k <= longest with holds(k), or 0; holds is true up to some k and false after it."""
    k, step = 0, 1
    while k + step <= longest and holds(k + step):
        k, step = k + step, 2 * step
    while step > 1:
        step //= 2
        if k + step <= longest and holds(k + step):
            k += step
    return k


def _sum(one: Vector, times: int, other: Vector) -> Vector:
    return [x + times * y for x, y in zip(one, other, strict=True)]


def _periods(rows: list[Vector]) -> list[int]:
    """The p at which the last rows are in arithmetic progression, four of them."""
    fours = {p: zip(*rows[::-p][:4], strict=True) for p in range(1, (len(rows) + 2) // 3)}
    return [p for p, four in fours.items() if all(x - y == y - z == z - w for x, y, z, w in four)]
