"""Good words for three arms and more: a search along the potential that proves a lower bound.

A lower bound v comes with a potential Phi on windows for which the *excess* of a step, its loss less v and
less the rise of Phi, is never negative. Around a closed walk Phi cancels: a word loses v plus the mean of its
excesses, so where the bound is good, a good word takes steps of hardly any excess. Walk from many windows at
once, in each step in all directions, and keep the windows that were reached with the least excess in all.
Among the windows on the walks that are left at the end, the best cycle is then found exactly.

This finds words in which arms drift past each other, each with a period of its own, and which are hundreds of
steps long; small changes of a word with one run per arm do not lead there. Where the bound is far from the
truth it rarely finds anything.

Excesses are added up in integers, so that everywhere the same walks are kept, in a unit so large that Phi and
the losses of a whole walk stay below 2^60. Rounding to that unit may cost a good word, nothing else: a word
is replayed before it counts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word
from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of
from tallyplan.planning.effort import Effort
from tallyplan.planning.without_graph.bounds.separable import SeparableProof

WIDTH = 200  # windows that are kept after each step
STEPS_IN_MEMORIES, MOST_STEPS = 20, 4000  # a walk has 20 m steps, but not more than 4000
BASE = 0x9E3779B97F4A7C15  # a window is named by the number that it is in this base, modulo 2^64

Step = tuple[int, int, int, int]  # the names of the windows before and after it, the arm played, the cost


def improved(bandit: TallyingBandit, word: Word, proof: SeparableProof, effort: Effort) -> Word:
    """The best word on walks along the potential of the proof; `word` itself if none is better."""
    guide = _Guide.of(bandit, proof)
    front = _Front.at(guide, [*_rotations(word, bandit.memory), *_two_runs(bandit)])
    own = list(_own_steps(guide, front, word))
    steps: dict[tuple[Hashable, ...], Step] = {
        step[:2]: step for step in (*own, *_surviving(front, _walk(guide, front, effort)))
    }
    cycle = minimum_mean_cycle_of((tail, head, cost) for tail, head, _, cost in steps.values())
    found = tuple(steps[edge][2] for edge in cycle.edges)
    return min(word, found, key=lambda candidate: mean_of_word(bandit, candidate))


@dataclass(frozen=True)
class _Guide:
    """The potential sum of theta_x(s_x) psi_x + level_x(s_x), and the losses less the bound, in integers.

    `[x, s]` by the tally s = 0 .. m; psi_x is the sum of the places of x in the window, the oldest being 0.
    """

    theta: Array
    level: Array
    excess: Array

    @classmethod
    def of(cls, bandit: TallyingBandit, proof: SeparableProof) -> _Guide:
        """The potential that docs/certificates.md builds from slopes and charges, rounded."""
        slopes, charges = (
            np.array(part / proof.scale, dtype=float) for part in (proof.slopes, proof.charges)
        )
        nothing, m = charges[:, :1] * 0, bandit.memory
        theta = np.concatenate([slopes[:, :1], slopes, slopes[:, -1:]], axis=1)
        k = np.arange(1, m - 1)
        rise = np.diff(theta, axis=1)[:, 1 : m - 1] * k / 2
        crossings = np.minimum(rise * (k + 1), rise * (2 * m - 1 - k))
        levels = np.concatenate([nothing, nothing, -np.cumsum(crossings, axis=1), nothing], axis=1)
        levels[:, m] = levels[:, m - 1]
        levels[:, 1:] -= np.cumsum(charges, axis=1)
        excess = [[0.0, *(float(loss - proof.bound) for loss in row)] for row in bandit.losses]
        widest = bandit.actions * (m**2 * np.abs(theta).max() + np.abs(levels).max() + MOST_STEPS)
        unit = 2.0 ** (59 - np.ceil(np.log2(widest)))
        return cls(*(np.rint(part * unit).astype(np.int64) for part in (theta, levels, np.array(excess))))

    def parts(self, tallies: Array, moments: Array) -> Array:
        """What each arm adds to the potential; rows are windows, a moment is psi."""
        arms = np.arange(len(self.theta))
        parts: Array = self.theta[arms, tallies] * moments + self.level[arms, tallies]
        return parts


@dataclass(frozen=True)
class _Front:
    """Windows reached after as many steps: where each begins is `oldest`, `spent` the losses less v."""

    windows: Array
    oldest: int
    tallies: Array
    moments: Array
    spent: Array
    names: Array

    @classmethod
    def at(cls, guide: _Guide, windows: list[Word]) -> _Front:
        """At these windows, as if the excess so far were 0."""
        table = np.array(windows)
        played = table[:, :, None] == np.arange(len(guide.theta))
        tallies = played.sum(axis=1)
        moments = (played * np.arange(table.shape[1])[:, None]).sum(axis=1)
        names = np.zeros(len(table), dtype=np.uint64)
        for column in table.T.astype(np.uint64):
            names = names * np.uint64(BASE) + column
        return cls(table, 0, tallies, moments, guide.parts(tallies, moments).sum(axis=1), names)


@dataclass(frozen=True)
class _Layer:
    """A step of all walks: which window each came from, what it played at which cost, where it is."""

    parents: Array
    arms: Array
    costs: Array
    names: Array


def _walk(guide: _Guide, front: _Front, effort: Effort) -> list[_Layer]:
    """Walk on from the front for 20 m steps, or until the time is up."""
    layers: list[_Layer] = []
    memory = front.windows.shape[1]
    effort.progress(f"words: walks along the potential, from {len(front.windows)} windows")
    while len(layers) < min(STEPS_IN_MEMORIES * memory, MOST_STEPS) and not effort.out_of_time():
        front, layer = _step(guide, front)
        layers.append(layer)
    return layers


def _step(guide: _Guide, front: _Front) -> tuple[_Front, _Layer]:
    """All steps from the windows of the front; of those they lead to, the ones with the least excess."""
    count, memory = front.windows.shape
    actions = len(guide.theta)
    dropped = front.windows[:, front.oldest]
    below = front.tallies.copy()
    below[np.arange(count), dropped] -= 1
    aside = guide.parts(below, front.moments - below)
    played = guide.parts(below + 1, front.moments + memory - below - 1)
    potentials = aside.sum(axis=1, keepdims=True) - aside + played
    costs = guide.excess[np.arange(actions), below + 1]
    spent = front.spent[:, None] + costs
    order = np.argsort((spent - potentials).ravel(), kind="stable")[: actions * WIDTH]
    parents, arms = np.divmod(order, actions)
    leaving = dropped[parents].astype(np.uint64) * np.uint64(pow(BASE, memory, 2**64))
    names = front.names[parents] * np.uint64(BASE) + arms.astype(np.uint64) - leaving
    kept = np.sort(np.unique(names, return_index=True)[1])[:WIDTH]
    parents, arms, names = parents[kept], arms[kept], names[kept]
    rows = np.arange(len(kept))
    windows, tallies = front.windows[parents], below[parents]
    windows[rows, front.oldest] = arms
    tallies[rows, arms] += 1
    moments = front.moments[parents] - tallies
    moments[rows, arms] += memory
    after = _Front(windows, (front.oldest + 1) % memory, tallies, moments, spent[parents, arms], names)
    return after, _Layer(parents, arms, costs[parents, arms], names)


def _surviving(front: _Front, layers: list[_Layer]) -> Iterator[Step]:
    """The steps of the walks that were kept to the end."""
    names = [front.names, *(layer.names for layer in layers)]
    alive = np.arange(len(names[-1]))
    for before, layer in zip(reversed(names[:-1]), reversed(layers), strict=True):
        parents = layer.parents[alive]
        parts = (before[parents], layer.names[alive], layer.arms[alive], layer.costs[alive])
        yield from zip(*(part.tolist() for part in parts), strict=True)
        alive = np.unique(parents)


def _own_steps(guide: _Guide, front: _Front, word: Word) -> Iterator[Step]:
    """The steps of the word, whose windows are the first of the front: a cycle to begin with."""
    for i, arm in enumerate(word):
        after = (i + 1) % len(word)
        cost = guide.excess[arm, front.tallies[after, arm]]
        yield int(front.names[i]), int(front.names[after]), arm, int(cost)


def _rotations(word: Word, memory: int) -> Iterator[Word]:
    """The windows before each step of the word, repeated forever."""
    longer = word * (1 + ceil_div(memory, len(word)))
    ends = range(len(longer) - len(word), len(longer))
    return (longer[end - memory : end] for end in ends)


def _two_runs(bandit: TallyingBandit) -> Iterator[Word]:
    """The windows with two runs: from these, walks reach whatever there is to find."""
    arms, m = range(bandit.actions), bandit.memory
    return ((x,) * (m - j) + (y,) * j for x in arms for y in arms if x != y for j in range(1, m))
