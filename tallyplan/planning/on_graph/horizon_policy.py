"""The optimal policy of a finite horizon: what to play after any history with t steps to go, exactly.

The recursion of `layers` has V_t for every t at the price of its transient, as stretches of sweeps and jumps;
playing a after the history s and then optimally costs

    Q_t(s, a) = loss(s, a) + V_{t-1}(s a).

A history of fewer than m - 1 actions is the root of a tree whose leaves are full histories; it is folded
back level by level.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.answers import Choice
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.files import AnyPath, write_json
from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.instance import Bandit
from tallyplan.model.replay import history_of
from tallyplan.model.words import Word
from tallyplan.planning.on_graph.asking import after_playing, header, rows_of, steps_to_go
from tallyplan.planning.on_graph.layers import Jump, Layer, Layers
from tallyplan.planning.on_graph.trees import best_word

if TYPE_CHECKING:
    import pandas

CACHED_BYTES = 2**26  # layers that a policy keeps at hand


class HorizonPolicy:
    """What to play with any number of steps to go: the policy of `optimal_plan(bandit, T).policy`.

    Parameters
    ----------
    horizon : the steps for which it is prepared, on first use; asking about more prepares for those.

    Examples
    --------
    >>> from tallyplan import TallyingBandit, optimal_plan
    >>> policy = optimal_plan(TallyingBandit([["0", "1"], ["1/2", "1"]]), 10**15).policy
    >>> policy.after([0], to_go=10**15)
    Choice(losses=(Fraction(250000000000001, 1), Fraction(250000000000000, 1)))
    >>> policy.action([], to_go=1), policy.after([1], to_go=1).regrets
    (0, (Fraction(0, 1), Fraction(1, 1)))
    """

    def __init__(self, bandit: Bandit, horizon: int, progress: Progress = silent) -> None:
        self.bandit = bandit
        self.horizon = horizon
        self._graph = StateGraph(bandit)
        self._progress = progress
        self._layers: _LayersAtHand | None = None

    def after(self, history: Sequence[int] = (), to_go: int | None = None) -> Choice:
        """What each action costs after `history` with `to_go` steps left, the next one included.

        Raises
        ------
        InvalidInput : an unknown action in the history; fewer steps than one.
        """
        steps = steps_to_go(to_go, 1)
        kept = history_of(self.bandit, history)
        return Choice(
            tuple(
                self.bandit.loss((*kept, a)) + self._value(after_playing(self.bandit, kept, a), steps - 1)
                for a in range(self.bandit.actions)
            )
        )

    def action(self, history: Sequence[int] = (), to_go: int | None = None) -> int:
        """An optimal action; the smallest, where several are."""
        return self.after(history, to_go).action

    def value(self, history: Sequence[int] = (), to_go: int | None = None) -> Fraction:
        """The least total loss of `to_go` steps after `history`, 0 for no steps."""
        return self._value(history_of(self.bandit, history), steps_to_go(to_go, 0))

    def table(self, to_go: int | None = None) -> list[dict[str, Any]]:
        """A row per history: history, action, value and the cost of each action; small instances only."""
        return rows_of(self, self.bandit, steps_to_go(to_go, 1))

    def to_dataframe(self, to_go: int | None = None) -> pandas.DataFrame:
        """The table as a pandas DataFrame; the numbers in it are Fractions."""
        import pandas

        return pandas.DataFrame(self.table(to_go))

    def save(self, path: AnyPath) -> None:
        """Write the policy: the instance and the horizon, from which loading prepares it again."""
        write_json(path, header("horizon", self.bandit) | {"horizon": self.horizon})

    def _value(self, history: Word, steps: int) -> Fraction:
        graph, missing = self._graph, self.bandit.memory - 1 - len(history)
        depth = min(steps, missing)
        require_memory(40 * graph.actions**depth, actions=graph.actions, length=depth, what="ways to begin")
        if depth < missing:  # the game ends before the history is full
            leaves: Array = np.zeros(graph.actions**depth, dtype=object)
            return Fraction(best_word(graph, leaves, history, depth)[0], graph.denominator)
        layer = self._prepared(steps - depth).at(steps - depth)
        cost = best_word(graph, layer.values, history, depth)[0] + layer.offset
        return Fraction(cost, graph.denominator)

    def _prepared(self, steps: int) -> _LayersAtHand:
        if self._layers is None or self._layers.steps < steps:
            self._layers = _LayersAtHand(self._graph, max(steps, self.horizon), self._progress)
        return self._layers


class _LayersAtHand:
    """The layers V_t, t up to `steps`, by number: those asked for lately are kept."""

    def __init__(self, graph: StateGraph, steps: int, progress: Progress) -> None:
        self.steps = steps
        self._layers = Layers(graph, steps, progress)
        self._layers.forget()
        self._begins = [piece.base.time for piece in self._layers.pieces]
        self._kept: dict[tuple[int, int, int], Layer] = {}
        size = self._layers.top.values.itemsize * graph.states
        self._most = max(16, CACHED_BYTES // size)

    def at(self, time: int) -> Layer:
        """V_time."""
        if time == self.steps:
            return self._layers.top
        number = bisect_right(self._begins, time) - 1
        piece = self._layers.pieces[number]
        steps = time - piece.base.time
        if not isinstance(piece, Jump):
            return self._swept(piece.base, (number, 0), steps)
        block, steps = divmod(steps, piece.period)
        if piece.by is not None:
            moved = piece.base.moved(block, piece.by, piece.constant, piece.period)
            return self._swept(moved, (number, block), steps)
        first = self._swept(piece.base, (number, 0), steps)
        return first.moved(block, piece.by, piece.constant, piece.period)

    def _swept(self, base: Layer, where: tuple[int, int], steps: int) -> Layer:
        """The layer `steps` sweeps after `base`, from the nearest one that is kept."""
        done = next((i for i in range(steps, 0, -1) if (*where, i) in self._kept), 0)
        layer = self._kept[(*where, done)] if done else base
        for i in range(done + 1, steps + 1):
            layer = self._layers.sweep(layer, 1)
            self._kept[(*where, i)] = layer
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]
        return layer
