"""The optimal plan, read from the layers of the recursion from time-to-go N down to 0.

The action at time-to-go t is a minimiser in B(V_{t-1}). Layers are computed again from few stored ones.
Inside a jump, a p-step walk that is optimal for one 0 < i < k is optimal for all i in [0, k]: its cost
minus the optimum is affine in i, never negative, and zero inside. So one map from states to p-step words
serves all blocks, and as soon as a state comes back, the rest of the jump is a word repeated.
"""

from __future__ import annotations

from itertools import chain

from tallyplan.limits import Progress
from tallyplan.model.graph import Array
from tallyplan.model.words import RunBuilder, Word
from tallyplan.planning.on_graph.backwards import FAN, layers_backwards
from tallyplan.planning.on_graph.layers import Jump, Layer, Layers, Stretch
from tallyplan.planning.on_graph.sweeps import DenseSweeps, Sweeps
from tallyplan.planning.on_graph.trees import best_word

STORED_BYTES = 2**25  # layers of this size are stored in any case


def follow(layers: Layers, state: int, runs: RunBuilder, progress: Progress) -> None:
    """Append the optimal actions from time-to-go N at `state` down to 0."""
    for piece in reversed(layers.pieces):
        progress(f"optimal plan: writing the plan from time-to-go {piece.base.time}")
        if isinstance(piece, Stretch):
            word, state = _greedy(layers, piece.base, piece.unit, piece.count, state)
            runs.extend(word)
        else:
            state = _through(layers, piece, state, runs)


def _greedy(layers: Layers, base: Layer, unit: int, count: int, state: int) -> tuple[list[int], int]:
    """The optimal word of count * unit steps down to the layer `base`, and where it ends."""
    graph = layers.sweeps.graph
    deepest = max(1, graph.memory - 1)  # actions that a tree decides at a time
    stored = max(FAN, STORED_BYTES // (graph.states * (40 if layers.sweeps.kind is object else 8)))
    word: list[int] = []
    for layer in layers_backwards(layers.step, base, count, stored):
        for left in reversed(range(0, unit, deepest)):
            below = layers.sweep(layer, left) if left else layer
            piece = _best_actions(layers.sweeps, below.values, state, min(unit - left, deepest))
            word.extend(piece)
            state = graph.walk(state, piece)
    return word, state


def _best_actions(sweeps: Sweeps, values: Array, state: int, depth: int) -> Word:
    """The best `depth` actions at `state` if what follows costs `values`."""
    if isinstance(sweeps, DenseSweeps) and depth == 1:
        return (sweeps.best_action(values, state),)
    return best_word(sweeps.graph, values, sweeps.graph.history(state), depth)[1]


def _through(layers: Layers, jump: Jump, state: int, runs: RunBuilder) -> int:
    """The k+1 blocks of a jump: one p-step word for each state met, until a state comes back."""
    inside = jump.base.moved(1, jump.by, jump.constant, jump.period)
    words: dict[int, list[int]] = {}
    blocks = jump.k + 1
    while state not in words and len(words) < blocks:
        words[state], following = _greedy(layers, inside, jump.unit, jump.count, state)
        state = following
    met = list(words)
    first = met.index(state) if state in words else len(met)
    runs.extend(chain.from_iterable(words[at] for at in met[:first]))
    cycle = met[first:]
    if not cycle:
        return state
    turns, rest = divmod(blocks - first, len(cycle))
    runs.repeat(tuple(chain.from_iterable(words[at] for at in cycle)), turns)
    runs.extend(chain.from_iterable(words[at] for at in cycle[:rest]))
    return cycle[rest]
