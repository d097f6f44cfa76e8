"""The instances of the race: seven families, losses integer/1000, sizes (K, m)."""

from dataclasses import dataclass
from functools import cached_property

import tallyplan as tp

DENOMINATOR = 1000
FAMILIES = ("uniform", "congested", "decreasing", "single-peaked", "sparse", "near-tie", "equal-arms")
LARGE = ((2, 20), (2, 22), (3, 13), (5, 9), (10, 7))
MIDDLE = ((2, 16), (3, 11), (4, 9), (5, 8), (10, 6))
SMALL = ((2, 9), (3, 6), (5, 4))  # every peer finishes here


@dataclass(frozen=True)
class Instance:
    family: str
    actions: int
    memory: int
    seed: int

    @property
    def states(self):
        return self.actions ** (self.memory - 1)

    @property
    def label(self):
        return f"({self.actions},{self.memory}) {self.family} seed {self.seed}"

    @cached_property
    def bandit(self):
        return tp.make(
            self.family, actions=self.actions, memory=self.memory, denominator=DENOMINATOR, seed=self.seed
        )

    @cached_property
    def line(self):
        """As the solvers read it (peers/instance.hpp)."""
        entries = [int(loss * DENOMINATOR) for row in self.bandit.losses for loss in row]
        return " ".join(map(str, [self.actions, self.memory, DENOMINATOR, *entries]))

    def key(self):
        return {
            "family": self.family,
            "actions": self.actions,
            "memory": self.memory,
            "seed": self.seed,
            "states": self.states,
        }


def instances(sizes, families=FAMILIES, seeds=(1, 2, 3)):
    return [
        Instance(family, actions, memory, seed)
        for actions, memory in sizes
        for seed in seeds
        for family in families
    ]
