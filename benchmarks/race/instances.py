"""The instances of the race: seven families, losses that are multiples of 1/1000, sizes (K, m)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import tallyplan as tp

Size = tuple[int, int]

DENOMINATOR = 1000
FAMILIES = ("uniform", "congested", "decreasing", "single-peaked", "sparse", "near-tie", "equal-arms")
LARGE: Sequence[Size] = ((2, 20), (2, 22), (3, 13), (5, 9), (10, 7))
MIDDLE: Sequence[Size] = ((2, 16), (3, 11), (4, 9), (5, 8), (10, 6))
BELOW_10000: Sequence[Size] = ((2, 12), (3, 8), (2, 14))
BELOW_1000: Sequence[Size] = ((2, 4), (2, 6))  # besides the next ones
SMALL: Sequence[Size] = ((2, 9), (3, 6), (5, 4))  # every peer finishes here


@dataclass(frozen=True)
class Instance:
    family: str
    actions: int
    memory: int
    seed: int

    @property
    def label(self) -> str:
        return f"({self.actions},{self.memory}) {self.family} seed {self.seed}"

    @cached_property
    def line(self) -> str:
        """As the solvers read it (peers/instance.hpp)."""
        size = {"actions": self.actions, "memory": self.memory}
        bandit = tp.make(self.family, **size, denominator=DENOMINATOR, seed=self.seed)
        assert isinstance(bandit, tp.TallyingBandit)
        entries = [int(loss * DENOMINATOR) for row in bandit.losses for loss in row]
        return " ".join(map(str, [self.actions, self.memory, DENOMINATOR, *entries]))

    def key(self) -> dict[str, Any]:
        return asdict(self) | {"states": self.actions ** (self.memory - 1)}


def instances(
    sizes: Sequence[Size], families: Sequence[str] = FAMILIES, seeds: Sequence[int] = (1, 2, 3)
) -> list[Instance]:
    return [Instance(family, *size, seed) for size in sizes for seed in seeds for family in families]
