"""The best few actions after a history, by folding back the tree of all of them."""

from __future__ import annotations

import numpy as np

from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.words import Word
from tallyplan.planning.on_graph.sweeps import DENSE_EDGES, compiled_for


def best_word(graph: StateGraph, values: Array, history: Word, depth: int) -> tuple[int, Word]:
    """The best `depth` actions after `history` (of any length) if what follows costs `values`.

    `values` is a vector over the states, or over the histories of length len(history) + depth if those are
    shorter than m-1; `depth` is at most m-1 (or 1). All K^depth continuations form a tree, which is folded
    back level by level. Returns the least cost and the word.
    """
    keep = graph.memory - 1
    exact = np.int64 if values.dtype == np.int32 else values.dtype.type
    kept = history[max(0, len(history) + depth - keep) :]
    first = graph.code(kept) * graph.actions**depth if values.size == graph.states else 0
    totals = values[first : first + graph.actions**depth].astype(exact)
    if keep == 0:  # every action leads back to the only state
        totals = np.repeat(totals, graph.actions**depth)
    choices = []
    for level in reversed(range(depth)):
        in_window = history[max(0, len(history) + level - keep) :]
        totals, choice = fold(graph, totals, in_window, level)
        choices.append(choice)
    word: Word = ()
    for choice in reversed(choices):
        word += (int(choice[graph.code(word)]),)
    return int(totals[0]), word


def fold(graph: StateGraph, totals: Array, in_window: Word, level: int) -> tuple[Array, Array]:
    """Over the words x of `level` actions: the least cost of an action after (in_window, x), and it."""
    if compiled_for(graph) and totals.size > DENSE_EDGES // 4 and totals.dtype == np.int64:
        from tallyplan.planning.on_graph.kernels import rotation, tree

        choice = np.empty(totals.size // graph.actions, dtype=np.int16)
        fixed = np.array([in_window.count(action) for action in range(graph.actions)])
        low, high = (rotation.word_tallies(graph.actions, n) for n in (level // 2, level - level // 2))
        tree.fold(totals, graph.cost_table(np.int64), fixed, low, high, choice)
        return totals[: choice.size], choice
    candidates = graph.window_costs(in_window, level, totals.dtype.type) + totals.reshape(-1, graph.actions)
    return candidates.min(axis=1), candidates.argmin(axis=1)
