"""Good words for any number of arms and any memory, by annealing: upper bounds, each replayed.

From a single-run word (`planning.single_run`) a random walk over words, with a fixed seed, finds words in
which arms drift past each other, each with a period of its own.
"""

from __future__ import annotations

import numpy as np

from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning import compiling
from tallyplan.planning.effort import Effort

COPIES = (1, 2, 3, 1, 4)  # of the best word so far, in the word from which an annealing starts
LONGEST_IN_MEMORIES = 40  # a word longer than this many times m is not annealed
MOST_MOVES, MOST_STEPS = 60_000, 2 * 10**7  # moves of an annealing, and about the steps that they evaluate
HEAT = 0.01  # the first temperature, as a share of the mean


def improved(bandit: TallyingBandit, word: Word, effort: Effort) -> Word:
    """The best word found by annealing from copies of `word`; `word` itself if none is better."""
    losses = np.array([[float(loss) for loss in row] for row in bandit.losses])
    best, mean = word, mean_of_word(bandit, word)
    for seed, copies in enumerate(COPIES):
        start = np.array(best * copies)
        room = 2 * len(start) + bandit.memory
        moves = min(MOST_MOVES, MOST_STEPS // room)
        if len(start) > LONGEST_IN_MEMORIES * bandit.memory:
            break
        if effort.out_of_time() or not compiling.affordable("annealing"):
            break
        from tallyplan.planning.without_graph.annealing import anneal  # loads the compiler

        effort.progress(
            f"annealing: {float(mean):.6g} per step, {moves} moves on words of about {len(start)}"
        )
        found = tuple(anneal(losses, start, room, moves, float(mean) * HEAT, seed).tolist())
        if mean_of_word(bandit, found) < mean:
            best, mean = found, mean_of_word(bandit, found)
    return best
