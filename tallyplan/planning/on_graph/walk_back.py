"""The optimal plan, read from the layers of the recursion from time-to-go N down to 0.

The action at time-to-go t is a minimiser in B(V_{t-1}). Layers are computed again from few stored ones.
Inside a jump, a p-step walk that is optimal for one 0 < i < k is optimal for all i in [0, k]: its cost
minus the optimum is affine in i, never negative, and zero inside. So one map from states to p-step words
serves all blocks, and as soon as a state comes back, the rest of the jump is a word repeated.
"""

from __future__ import annotations

from itertools import chain

from tallyplan.limits import Progress
from tallyplan.model.rationals import ceil_div, digits
from tallyplan.model.words import RunBuilder
from tallyplan.planning.on_graph.backwards import layers_backwards
from tallyplan.planning.on_graph.layers import Jump, Layer, Layers, Stretch


def follow(layers: Layers, state: int, runs: RunBuilder, progress: Progress) -> None:
    """Append the optimal actions from time-to-go N at `state` down to 0."""
    for piece in reversed(layers.pieces):
        progress(f"optimal plan: writing the plan from time-to-go {digits(piece.base.time)}")
        if isinstance(piece, Stretch):
            state = _back(layers, piece, state, runs)
        else:
            state = _through(layers, piece, state, runs)


def _back(layers: Layers, stretch: Stretch, state: int, runs: RunBuilder) -> int:
    """Through the layers that were kept, the last one first, and then through those before them."""
    sweeps, unit = layers.sweeps, stretch.unit
    for rows in reversed(stretch.kept):
        if unit == 1:
            word, state = sweeps.through(rows, state)
            runs.extend(word)
            continue
        for row in reversed(rows):
            word = sweeps.descend(row, unit, state)
            runs.extend(word)
            state = sweeps.graph.walk(state, word)
    left = stretch.count - sum(map(len, stretch.kept))
    word, state = _greedy(layers, stretch.base, unit * left, state) if left else ([], state)
    runs.extend(word)
    return state


def _greedy(layers: Layers, base: Layer, steps: int, state: int) -> tuple[list[int], int]:
    """The optimal word of so many steps down to the layer `base`, and where it ends."""
    graph = layers.sweeps.graph
    chunk = layers.sweeps.reach if layers.unit == 1 else layers.unit
    count = ceil_div(steps, chunk)
    ahead = steps - (count - 1) * chunk
    word: list[int] = []
    for layer in layers_backwards(lambda layer: layers.sweep(layer, chunk), base, count, layers.stored):
        piece = layers.sweeps.descend(layer.values, ahead, state)
        word.extend(piece)
        state = graph.walk(state, piece)
        ahead = chunk
    return word, state


def _through(layers: Layers, jump: Jump, state: int, runs: RunBuilder) -> int:
    """The k+1 blocks of a jump: one p-step word for each state met, until a state comes back."""
    words: dict[int, list[int]] = {}
    blocks = jump.k + 1
    while state not in words and len(words) < blocks:
        words[state], following = _block(layers, jump, state)
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


def _block(layers: Layers, jump: Jump, state: int) -> tuple[list[int], int]:
    """The optimal word of one block strictly inside the jump, and where it ends."""
    if jump.kept is not None:
        return layers.sweeps.through(jump.kept, state)
    return _greedy(layers, jump.base.moved(1, jump.by, jump.constant, jump.period), jump.period, state)
