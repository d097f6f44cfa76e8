"""Good words for three arms and more: a search along the potential that proves a lower bound.

A lower bound v comes with a potential Phi on windows for which the *excess* of a step, its loss less v and
less the rise of Phi, is never negative. Around a closed walk Phi cancels: a word loses v plus the mean of its
excesses, so where the bound is good, a good word takes steps of hardly any excess. Walk from many windows at
once, in each step in all directions, and go on from the windows that were reached with the least excess in
all. Among all steps that were seen, the best cycle is then found exactly.

This finds words in which arms drift past each other, each with a period of its own, and which are hundreds of
steps long; small changes of a word with one run per arm do not lead there. Where the bound is far from the
truth it rarely finds anything.

Excesses are added up in integers, so that everywhere the same walks are kept. Rounding may cost a good word,
nothing else: a word is replayed before it counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of
from tallyplan.planning.effort import Effort, OutOfTimeError
from tallyplan.planning.without_graph.bounds.separable import SeparableProof

WIDTH = 200  # windows from which the walks go on after each step
STEPS_IN_MEMORIES, MOST_STEPS = 20, 1000  # a walk has 20 m steps, but not more than 1000
UNIT = 2**40  # of a loss; tables have at most 1000 entries, so that a walk and Phi stay below 2^60
BASE = 0x9E3779B97F4A7C15  # a window is named by the number that it is in this base, modulo 2^64


def improved(bandit: TallyingBandit, word: Word, proof: SeparableProof, effort: Effort) -> Word:
    """The best word on walks along the potential of the proof; `word` itself if none is better."""
    guide, found = Guide.of(bandit, proof), list[tuple[Array, ...]]()
    windows: Array = np.array([*_rotations(word, bandit.memory), *_two_runs(bandit)])
    spent = guide.potential(windows)  # the losses less the bound on the way, as if there were no excess yet
    effort.progress(f"words: walks along the potential, from {len(windows)} windows")
    for _ in range(min(STEPS_IN_MEMORIES * bandit.memory, MOST_STEPS)):
        windows, spent, steps = guide.step(windows, spent)
        found.append(steps)
        if effort.out_of_time():
            break
    tails, arms, costs, heads = (np.concatenate(part) for part in zip(*found, strict=True))
    once = np.unique(tails * np.uint64(bandit.actions) + arms.astype(np.uint64), return_index=True)[1]
    ends = np.unique([tails[once], heads[once]], return_inverse=True)[1].reshape(2, -1)
    with suppress(OutOfTimeError):
        cycle = minimum_mean_cycle_of(np.column_stack([*ends, costs[once]])).cycle
        candidate = tuple(arms[once[list(cycle)]].tolist())
        return min(word, candidate, key=lambda each: mean_of_word(bandit, each))
    return word


class Guide(NamedTuple):
    """The potential sum of theta_x(s_x) psi_x + level_x(s_x), and the losses less the bound, in integers.

    `[x, s]` by the tally s = 0 .. m; psi_x is the sum of the places of x in the window, the oldest being 0.
    """

    theta: Array
    level: Array
    excess: Array

    @classmethod
    def of(cls, bandit: TallyingBandit, proof: SeparableProof) -> Guide:
        """The potential that docs/certificates.md builds from slopes and charges, rounded."""
        slopes, charges = (np.array(part, dtype=float) for part in (proof.slopes, proof.charges))
        nothing, m = charges[:, :1] * 0, bandit.memory
        theta = np.concatenate([slopes[:, :1], slopes, slopes[:, -1:]], axis=1)
        k = np.arange(1, m - 1)
        rise = np.diff(theta, axis=1)[:, 1 : m - 1] * k / 2
        crossings = np.minimum(rise * (k + 1), rise * (2 * m - 1 - k))
        levels = np.concatenate([nothing, nothing, -np.cumsum(crossings, axis=1), nothing], axis=1)
        levels[:, m] = levels[:, m - 1]
        levels[:, 1:] -= np.cumsum(charges, axis=1)
        excess = [[0.0, *(float(loss - proof.bound) for loss in row)] for row in bandit.losses]
        return cls(*(np.rint(part * UNIT).astype(np.int64) for part in (theta, levels, np.array(excess))))

    def potential(self, windows: Array) -> Array:
        """The potential of each window."""
        total: Array = np.zeros(len(windows), dtype=np.int64)
        for arm, (theta, level) in enumerate(zip(self.theta, self.level, strict=True)):
            played = windows == arm
            tallies = played.sum(axis=1)
            total += theta[tallies] * (played @ np.arange(windows.shape[1])) + level[tallies]
        return total

    def step(self, windows: Array, spent: Array) -> tuple[Array, Array, tuple[Array, ...]]:
        """All steps: the windows that they reach with the least excess, what was spent, and the steps.

        A step is the name of its window, the arm played, its cost, and the name of the window after it.
        """
        actions, count = len(self.theta), len(windows)
        arms = np.tile(np.arange(actions), count)
        after = np.column_stack([windows.repeat(actions, axis=0)[:, 1:], arms])
        costs = self.excess[arms, (after == arms[:, None]).sum(axis=1)]
        spent = spent.repeat(actions) + costs
        names = _names(after)
        order = np.argsort(spent - self.potential(after), kind="stable")
        kept = order[np.sort(np.unique(names[order], return_index=True)[1])[:WIDTH]]
        return after[kept], spent[kept], (_names(windows).repeat(actions), arms, costs, names)


def _names(windows: Array) -> Array:
    """A number for each window."""
    powers = [pow(BASE, place, 2**64) for place in range(windows.shape[1])]
    named: Array = windows.astype(np.uint64) @ np.array(powers, dtype=np.uint64)
    return named


def _rotations(word: Word, memory: int) -> Iterator[Word]:
    """The windows before each step of the word, repeated forever."""
    longer = word * (1 + ceil_div(memory, len(word)))
    ends = range(len(longer) - len(word), len(longer))
    return (longer[end - memory : end] for end in ends)


def _two_runs(bandit: TallyingBandit) -> Iterator[Word]:
    """The windows with two runs: from these, walks reach whatever there is to find."""
    arms, m = range(bandit.actions), bandit.memory
    return ((x,) * (m - j) + (y,) * j for x in arms for y in arms if x != y for j in range(1, m))
