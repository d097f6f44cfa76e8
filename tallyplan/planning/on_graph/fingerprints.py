"""Short fingerprints of layers, by which repetitions of the recursion are suspected and never believed.

The fingerprint of a layer is a fixed weighted sum of its entries modulo 2^64, of all of them or of a
sample. It is linear, so whatever linear relation the layers satisfy, the fingerprints satisfy it too: no
repetition is overlooked. Some may be suspected wrongly; whoever asks verifies them in full.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tallyplan.model.graph import Array

SAMPLE = 1024  # entries of a layer with weights of their own
OFTEN = 16  # progressions are searched for at each of this many first layers, then after every 1/16 more,
SELDOM = 64  # but at least at every 64th layer
WORD = 2**64


class Fingerprints:
    """The fingerprints of consecutive layers V_0, V_1, ..., with V_i given as values + offset."""

    def __init__(self, states: int) -> None:
        self._sample, self._weights, self._weight_of_constants = weights_for(states)
        self._sums: list[int] = []
        self._last_seen: dict[int, int] = {}
        self._next_search = 0

    def shapes(self, rows: Array) -> list[int]:
        """The weighted sums of vectors, which do not know of offsets."""
        if self._sample.size:
            sums = rows[:, self._sample].dot(self._weights) + rows.sum(axis=1)
        else:
            sums = rows.dot(self._weights)
        return [shape % WORD for shape in sums.tolist()]

    def add(self, shape: int, offset: int) -> list[int]:
        """Note the next layer, of this shape; return the periods to try from it on.

        p is returned if this layer seems to be that of p layers ago plus a constant; or, now and then, if the
        layers of 3p, 2p and p ago and this one seem to be in arithmetic progression.
        """
        now = len(self._sums)
        self._sums.append((shape + offset * self._weight_of_constants) % WORD)
        before = self._last_seen.get(shape)
        self._last_seen[shape] = now
        periods = [] if before is None else [now - before]
        if now >= self._next_search:
            self._next_search = now + min(max(1, now // OFTEN), SELDOM)
            periods += self._progressions(now)
        return periods

    def _progressions(self, now: int) -> list[int]:
        """The p for which the last four layers at distance p seem to be in arithmetic progression."""
        sums, last = self._sums, self._sums[now]
        return [
            p
            for p in range(1, now // 3 + 1)
            if (last - 2 * sums[now - p] + sums[now - 2 * p]) % WORD == 0
            and (sums[now - p] - 2 * sums[now - 2 * p] + sums[now - 3 * p]) % WORD == 0
        ]


@cache
def weights_for(states: int) -> tuple[Array, Array, int]:
    """The states of the sample, none for all; their weights; what a constant weighs."""
    random = np.random.default_rng(states)
    sampled = states > SAMPLE
    sample = np.sort(random.choice(states, SAMPLE)) if sampled else np.empty(0, dtype=np.int64)
    weights = random.integers(-(2**62), 2**62, min(states, SAMPLE)) * 2 + 1
    return sample, weights, int(weights.sum()) + (states if sampled else 0)
