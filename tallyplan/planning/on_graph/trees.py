"""The best few actions after a history, by folding back the tree of all of them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tallyplan.model.graph import Array, StateGraph
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import Word
from tallyplan.planning import compiling


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
    in_windows = [history[max(0, len(history) + level - keep) :] for level in range(depth)]
    if isinstance(graph.bandit, TallyingBandit) and exact is np.int64 and compiling.pays(totals.size):
        return _compiled_fold(graph, totals, in_windows)
    return _fold(graph, totals, in_windows)


def _compiled_fold(graph: StateGraph, totals: Array, in_windows: list[Word]) -> tuple[int, Word]:
    from tallyplan.planning.on_graph.kernels import tree

    depth = len(in_windows)
    if not depth:
        return int(totals[0]), ()
    fixed = np.zeros((depth, graph.actions), dtype=np.int64)
    if in_windows[0]:
        fixed[:] = [[window.count(a) for a in range(graph.actions)] for window in in_windows]
    word = np.empty(depth, dtype=np.int64)
    tree.fold(totals, graph.table, fixed, _low_tallies(graph.actions, depth // 2), word)
    return int(totals[0]), tuple(word.tolist())


@lru_cache(maxsize=16)
def _low_tallies(actions: int, digits: int) -> Array:
    """The tallies in all words of so many digits; few, the square root of the number of leaves."""
    from tallyplan.planning.on_graph.kernels.rotation import word_tallies

    return word_tallies(actions, digits)


def _fold(graph: StateGraph, totals: Array, in_windows: list[Word]) -> tuple[int, Word]:
    choices = []
    for level, in_window in reversed(list(enumerate(in_windows))):
        compiling.charge(totals.size)
        costs = graph.window_costs(in_window, level, totals.dtype.type)
        candidates = costs + totals.reshape(-1, graph.actions)
        choices.append(candidates.argmin(axis=1))
        totals = candidates[np.arange(len(candidates)), choices[-1]]
    word: Word = ()
    for choice in reversed(choices):
        word += (int(choice[graph.code(word)]),)
    return int(totals[0]), word
