"""The Bellman recursion V_0, V_1, ..., V_N over the state graph, for any N.

V_t(s) is the least cost of t steps from the history s. V_0 = 0, and a *sweep* computes V_{t+1} = B(V_t),

    B(V)(s) = min over a of cost(s, a) + V(successor(s, a)).

**Jumps.** B is a minimum of increasing affine functions and commutes with adding a constant, and so F = B^p
is increasing and concave. Suppose that F moves the layer x = V_t by G, F(x) = x + G, and that

    F(x + G) = x + 2G   and   F(x + kG) = x + (k+1)G.

Then i -> F(x + iG) - x - (i+1)G is concave with zeros at 0, 1 and k, so it is zero at every integer in
between: k+1 blocks of p sweeps amount to adding (k+1)G. If G is constant this holds for every k, and V is
periodic for ever after; such a G always comes (the graph is strongly connected).

**Finding them.** Sweep on; at each layer let the fingerprints propose periods p for which the layers have
been in arithmetic progression lately. For each, try the jump from the current layer in full, with the
largest k found by galloping. It is taken if k is at least 2 + the number of jumps taken so far, and if G is
constant, from the first of the recent layers from which it holds; a period that held for fewer blocks is not
tried again before these blocks are over. After a jump of constant gain fewer steps than its period are left,
and no jump is tried in them.

**How many sweeps.** Not more than a bound that depends on the graph and on log N only, whatever the losses:

1. *The layers are piecewise affine.* Take an optimal walk of t steps from s. Between first visits to states,
   cut out simple cycles until a skeleton of at most n^2 steps is left; it visits every state of the walk, so
   each of the cycles may be put back any number of times. Let c be the one of least mean, of length l. Among
   any l of the others, some have a total length divisible by l, and turns of c in their place cost no more.
   So there is an optimal walk of turns of c and at most 2n^2 other steps. Hence for t >= 2n^2, V_t(s) is the
   minimum over simple cycles c of mean(c) t + b(s, c, t mod l): and if P is a common multiple of the lengths
   of all simple cycles, then i -> V_{t+iP}(s) is a minimum of affine functions, one per mean of a simple
   cycle. With C such means the vectors V_{t+2P} - 2 V_{t+P} + V_t, t >= 2n^2, are zero but for at most 2nCP
   values of t. Call what lies between two of these a *stretch*: there are M <= 2nCP + 1.
2. *Between two jumps.* In a stretch with more than (k+6) P + 64 steps to come, P is proposed and holds for
   k blocks. So with k = 2 + the number of jumps so far, at most (k+6) P + 64 sweeps are made per stretch
   before a jump is taken, and each jump starts at most one part of a stretch anew.
3. *The number of jumps.* Let a jump of period p lie in a stretch for 2 lcm(p, P) + p steps or more. The
   layers x + iG at multiples of lcm(p, P) go on along the line to the end of the stretch, so do those p
   steps later, and by concavity the jump holds until less than lcm(p, P) + p steps are left. Once 2P jumps
   are taken, k is at least 2P, and then every jump crosses the end of a stretch or ends that close to it;
   the next in this stretch, with at least 2P blocks, has a period of about half the length at most. So
   there are at most 2P + M (2 + log2 N) jumps.
4. *The rest.* Galloping tries 2 log2 N blocks per jump, p sweeps each. Attempts that fail cost a multiple
   of p that grows with the logarithm of the number of jumps, and occur once in p sweeps for each p.

This bound is astronomic, since P is. What is seen: a jump or two, and a few hundred sweeps; over all tables
of three levels 1, 10^-4, 10^-9 and the like at (K, m) = (2, 3), (2, 4), (3, 3), the largest number is in
tests/planning/test_near_ties.py.

**The same with any code.** Which layers are compared, which jumps are tried and which are taken depends on
the layers and on the size of the instance alone. So the jumps, and with them the plan and its certificate,
are the same whether numpy or compiled code sweeps, and with any number of threads.

Numbers: with H the highest cost, V_t(s) - V_t(s') never exceeds (m-1) H (play from s what is best from s';
after m-1 steps the histories agree). Layers are stored relative to their value at state 0, so the type of a
vector does not depend on T. A candidate jump that turns out false may lead 2mH further, and sweeping from
there doubles the spread before it is made relative again: 6mH bounds every number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, islice
from typing import NamedTuple

import numpy as np

from tallyplan.limits import Progress, silent
from tallyplan.model.graph import INT64_LIMIT, Array, StateGraph
from tallyplan.model.rationals import ceil_div, digits
from tallyplan.planning import compiling
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.backwards import FAN
from tallyplan.planning.on_graph.cycles import minimum_mean
from tallyplan.planning.on_graph.fingerprints import Fingerprints
from tallyplan.planning.on_graph.sweeps import STORED_BYTES, DenseSweeps, Sweeps, is_large, leave, make_sweeps

VECTORS = 32  # what a plan of up to 8^3 units between jumps keeps, see optimal_plan
FEWEST_BLOCKS = 2  # k of a jump: the walk back reads its words at i = 1, strictly inside


class Layer(NamedTuple):
    """V_t = values + offset, with values[0] = 0."""

    time: int
    values: Array
    offset: int

    def moved(self, times: int, by: Array | None, constant: int, duration: int) -> Layer:
        """This layer plus `times` multiples of (by + constant), `times * duration` steps later."""
        values = self.values if by is None else self.values + times * by
        return Layer(self.time + times * duration, values, self.offset + times * constant)


@dataclass(frozen=True)
class Batch:
    """Layers that follow each other, the first at `time`: V = rows[i] + offsets[i]."""

    time: int
    rows: Array
    offsets: list[int]


@dataclass(frozen=True)
class Stretch:
    """`count` times `unit` plain sweeps from a layer.

    The values of the last layers before the end, a unit of sweeps apart, may be kept, in blocks of rows.
    """

    base: Layer
    unit: int
    count: int
    kept: tuple[Array, ...] = ()

    def forgetting(self) -> Stretch:
        """Without what was kept."""
        return Stretch(self.base, self.unit, self.count)


@dataclass(frozen=True)
class Jump:
    """k+1 blocks of `count` times `unit` sweeps from a layer, each of which adds (by + constant).

    Without `by`, the layers of each block are those of the first and a constant; they may be kept, as rows.
    """

    base: Layer
    unit: int
    count: int
    k: int
    by: Array | None
    constant: int
    kept: Array | None = None

    def forgetting(self) -> Jump:
        """Without what was kept."""
        return Jump(self.base, self.unit, self.count, self.k, self.by, self.constant)

    @property
    def period(self) -> int:
        """The sweeps of one block."""
        return self.unit * self.count

    @property
    def end(self) -> Layer:
        """The layer after all blocks."""
        return self.base.moved(self.k + 1, self.by, self.constant, self.period)


class Layers:
    """The layers V_0 .. V_N as stretches of sweeps and jumps.

    Sweeps come in units: 1, or on large instances many at a time, which is how they are quickest.
    """

    def __init__(self, graph: StateGraph, steps: int, progress: Progress) -> None:
        compiling.charge(compiling.QUESTION)
        self._span = 2 * graph.memory * max(1, graph.highest_cost)
        self.sweeps = make_sweeps(graph, 3 * self._span, vectors=VECTORS)
        self.unit = _unit(self.sweeps, progress)
        self.stored = max(FAN, STORED_BYTES // self.sweeps.vector_bytes)
        self.top = Layer(0, np.zeros(graph.states, dtype=self.sweeps.kind), 0)
        self.pieces: list[Stretch | Jump] = []
        bytes_per_value = 40 if self.sweeps.kind is object else self.top.values.itemsize
        self._room = max(FAN, STORED_BYTES // (bytes_per_value * graph.states))  # for layers that are kept
        self._workspaces: list[Array] = []  # in which those are that compiled code has computed
        odd = steps % self.unit
        if odd:
            self.pieces.append(Stretch(self.top, odd, 1))
            self.top = self.sweep(self.top, odd)
        while self.top.time < steps:
            self._advance(steps, progress)

    @property
    def jumps(self) -> tuple[tuple[int, int, int], ...]:
        """The jumps as the certificate lists them."""
        return tuple((p.base.time, p.period, p.k) for p in self.pieces if isinstance(p, Jump))

    def forget(self) -> None:
        """Keep no layer within the pieces any more; for who does not want to walk back."""
        self.pieces = [piece.forgetting() for piece in self.pieces]
        self.leave_room()

    def leave_room(self) -> None:
        """Let the next question have the room of the layers, for who needs them no more."""
        for rows in self._workspaces:
            leave(rows)
        self._workspaces = []

    def sweep(self, layer: Layer, count: int) -> Layer:
        """Several sweeps."""
        values, shift = self.sweeps.power(layer.values, count)
        return Layer(layer.time + count, values, layer.offset + shift)

    def _following(self, layer: Layer, steps: int, progress: Progress) -> Iterator[Batch]:
        """The layers after this one, a unit of sweeps each, a few at a time."""
        time, values, offset = layer.time, layer.values, layer.offset
        while time < steps:
            tick()
            progress(f"optimal plan: layer {digits(time)} of {digits(steps)}")
            count = min(self.sweeps.at_once, (steps - time) // self.unit)
            rows, shifts = self.sweeps.layers(values, self.unit, count)
            offsets = list(accumulate(shifts, initial=offset))[1:]
            yield Batch(time + self.unit, rows, offsets)
            time, values, offset = time + count * self.unit, rows[-1], offsets[-1]

    def _advance(self, steps: int, progress: Progress) -> None:
        """Sweep until a jump is found and take it, or until the end."""
        if self.unit > 1 or not isinstance(self.sweeps, DenseSweeps) or not self._advance_at_once(steps):
            self._advance_by_batches(steps, progress)

    def _advance_at_once(self, steps: int) -> bool:
        """By one call of compiled code; False, and nothing done, if there is none or no room for the layers.

        Sums of shifts are taken in 64 bits, so that the layers may not be too many for that either.
        """
        assert isinstance(self.sweeps, DenseSweeps)
        base, room = self.top, min(self._room, INT64_LIMIT // (3 * self._span))
        left, blocks = min(steps - base.time, INT64_LIMIT // 4), self._fewest_blocks(steps)
        found = self.sweeps.advance(base.values, left, blocks, self._span, room)
        if found is None:
            return False
        rows, shifts, first, period, k = found
        self._room -= len(rows)
        self._workspaces.append(rows)
        gains: list[int] = shifts[: first + period].tolist()
        self.top = Layer(base.time + first, rows[first].copy(), base.offset + sum(gains[:first]))
        if first:
            self.pieces.append(Stretch(base, 1, first, (rows[:first],)))
        if period:
            gain = sum(gains[first:])
            if k:
                self._take(Jump(self.top, 1, period, k, rows[first + period] - rows[first], gain))
            else:
                k, rest = (steps - self.top.time) // period - 1, (steps - self.top.time) % period
                self._take(Jump(self.top, 1, period, k, None, gain, rows[first : first + period]))
                if rest:  # the layers after the jump are those of its first block and a constant
                    self.pieces.append(Stretch(self.top, 1, rest, (rows[first : first + rest],)))
                    offset = self.top.offset + sum(gains[first : first + rest])
                    self.top = Layer(steps, rows[first + rest].copy(), offset)
        return True

    def _fewest_blocks(self, steps: int) -> int:
        """The k of the next jump at least; after one of constant gain, more than the steps that are left."""
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, Jump) and last.by is None:
            return steps - self.top.time
        return FEWEST_BLOCKS + len(self.jumps)

    def _take(self, jump: Jump) -> None:
        self.pieces.append(jump)
        self.top = jump.end

    def _advance_by_batches(self, steps: int, progress: Progress) -> None:
        """A few layers at a time, whatever the code, the unit and the type."""
        base = now = self.top
        fingerprints = Fingerprints(self.sweeps.graph.states)
        fingerprints.add(fingerprints.shapes(now.values[None])[0], now.offset)
        not_before: dict[int, int] = {}
        blocks = self._fewest_blocks(steps)
        recent, batches = deque([base], maxlen=self.stored), deque[Batch]()
        for batch in self._following(base, steps, progress):
            self._keep(batch, batches)
            for values, offset, shape in zip(
                batch.rows, batch.offsets, fingerprints.shapes(batch.rows), strict=True
            ):
                now = Layer(now.time + self.unit, values, offset)
                recent.append(now)
                for count in fingerprints.add(shape, offset):
                    if now.time < not_before.get(count, 0) or now.time + blocks * count * self.unit >= steps:
                        continue
                    jump = self._jump(now, count, steps)
                    if jump.k >= blocks:
                        jump = self._from_earlier(recent, jump, steps)
                        self._record(base, jump.base, batches)
                        self._take(jump)
                        return
                    not_before[count] = now.time + (jump.k + 1) * jump.period
        self._record(base, now, batches)
        self.top = now

    def _keep(self, batch: Batch, batches: deque[Batch]) -> None:
        """Keep the latest batches that there is room for."""
        batches.append(batch)
        self._room -= len(batch.rows)
        while self._room < 0:
            self._room += len(batches.popleft().rows)

    def _record(self, base: Layer, end: Layer, batches: Iterable[Batch]) -> None:
        """Note the sweeps from `base` to `end`, with the rows before `end` that were kept."""
        if end.time > base.time:
            counts = [(end.time - batch.time) // self.unit for batch in batches]
            kept = tuple(
                batch.rows[:count] for batch, count in zip(batches, counts, strict=True) if count > 0
            )
            self.pieces.append(Stretch(base, self.unit, (end.time - base.time) // self.unit, kept))

    def _jump(self, base: Layer, count: int, steps: int) -> Jump:
        """The longest jump from `base` by blocks of `count` units that ends by `steps`; k = 0: none."""
        period = count * self.unit
        later = self.sweep(base, period)
        by, constant = later.values - base.values, later.offset - base.offset
        longest = (steps - base.time) // period - 1
        largest = int(np.abs(by).max())
        if not largest:
            return Jump(base, self.unit, count, longest, None, constant)

        def holds(k: int) -> bool:
            tick()
            reached = self.sweep(base.moved(k, by, constant, period), period)
            claimed = base.moved(k + 1, by, constant, period)
            return reached.offset == claimed.offset and np.array_equal(reached.values, claimed.values)

        k = _gallop(holds, min(longest, self._span // largest))  # beyond the span the jump is false
        return Jump(base, self.unit, count, k, by, constant)

    def _from_earlier(self, recent: Sequence[Layer], jump: Jump, steps: int) -> Jump:
        """A jump of constant gain from the earliest recent layer from which it holds: less to check."""
        if jump.by is not None or jump.count > self.stored:
            return jump
        after = chain.from_iterable(batch.rows for batch in self._following(jump.base, steps, silent))
        vectors = [*(layer.values for layer in recent), *islice(after, jump.count)]
        first = len(recent) - 1
        while first and np.array_equal(vectors[first - 1], vectors[first - 1 + jump.count]):
            first -= 1
        base = recent[first]
        return replace(jump, base=base, k=(steps - base.time) // jump.period - 1)


def _unit(sweeps: Sweeps, progress: Progress) -> int:
    """How many sweeps to do at a time: on large instances a multiple of the length of an optimal cycle.

    The layers come to repeat with that period, as a rule, so that one unit is enough to see it. Which
    instances are large does not depend on the code that sweeps: jumps are the same with each.
    """
    graph = sweeps.graph
    if sweeps.kind is object or not is_large(graph):
        return 1
    length = len(minimum_mean(graph, progress)[0])
    return length * ceil_div(graph.memory - 1, 2 * length)


def _gallop(holds: Callable[[int], bool], longest: int) -> int:
    """The largest k <= longest with holds(k), or 0; holds is true up to some k and false after it."""
    low, high = 0, 1
    while high <= longest and holds(high):
        low, high = high, 2 * high
    high = min(high, longest + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
