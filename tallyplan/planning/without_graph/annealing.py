"""Simulated annealing over words, in floats: whatever it finds is replayed exactly before it counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from tallyplan.planning.compiling import compiled


@compiled
def anneal(losses: Any, start: Any, room: int, moves: int, heat: float, seed: int) -> Any:
    """The best word met on a random walk from `start`; words have at most `room` actions.

    A move changes an action, swaps two, takes one out or puts one in. It is made if it does not raise the
    mean loss, else with the probability exp(-rise / temperature); the temperature falls from `heat` to zero.
    """
    np.random.seed(seed)
    actions = losses.shape[0]
    word, length = np.empty(room, np.int64), len(start)
    word[:length] = start
    trial = word.copy()
    mean = least = mean_loss(losses, word[:length])
    best = word[:length].copy()
    for move in range(moves):
        size = length
        i, j, kind = np.random.randint(length), np.random.randint(length), np.random.randint(8)
        trial[:length] = word[:length]
        if kind == 0 and length > 1:
            trial[i : length - 1] = word[i + 1 : length]
            size = length - 1
        elif kind == 1 and length < room:
            trial[i + 1 : length + 1] = word[i:length]
            trial[i] = word[j] if np.random.randint(2) else np.random.randint(actions)
            size = length + 1
        elif kind <= 3:
            trial[i] = np.random.randint(actions)
        else:
            j = j if kind <= 5 else (i + 1) % length
            trial[i], trial[j] = word[j], word[i]
        changed = mean_loss(losses, trial[:size])
        temperature = heat * (1 - move / moves) ** 2 + 1e-300
        if changed <= mean or np.random.random() < np.exp((mean - changed) / temperature):
            word[:size] = trial[:size]
            length, mean = size, changed
            if mean < least - 1e-13:
                least, best = mean, word[:length].copy()
    return best


@compiled
def mean_loss(losses: Any, word: Any) -> float:
    """The loss per step of the word, repeated for ever."""
    actions, memory = losses.shape
    length = len(word)
    tallies = np.zeros(actions, np.int64)
    for i in range(length):  # the window before the first step: whole words, and the end of one
        tallies[word[i]] += memory // length
    for i in range(length - memory % length, length):
        tallies[word[i]] += 1
    total, drop = 0.0, (-memory) % length
    for i in range(length):
        tallies[word[drop]] -= 1
        drop = drop + 1 if drop + 1 < length else 0
        tallies[word[i]] += 1
        total += losses[word[i], tallies[word[i]] - 1]
    return total / length
