"""Bandits whose loss sees more of the window than a tally: weighted tallies, or everything."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from tallyplan.errors import InvalidInput
from tallyplan.limits import require_memory
from tallyplan.model.display import displayable
from tallyplan.model.instance import KINDS, Bandit, TallyingBandit, Window, listed_items, rows
from tallyplan.model.rationals import positive_integer, rational, shown, text, unit_rational
from tallyplan.model.units import Units


@displayable
@dataclass(frozen=True)
class WindowBandit(Bandit):
    """An arbitrary g-restricted loss: one number for every window of 1 to m actions.

    `windows[j-1][c]` is the loss of the window of length j whose actions, oldest first, are the base-K digits
    of c. Lengths below m occur only in the first m - 1 steps of a game.

    >>> import tallyplan as tp
    >>> bandit = tp.WindowBandit(2, [["0", "1"], ["0", "1", "1/2", "1"]])  # after 1, action 0 costs 1/2
    >>> tp.replay(bandit, [0, 1, 0])
    Fraction(3, 2)
    """

    windows: tuple[tuple[Fraction, ...], ...] = ()

    KEYS: ClassVar[tuple[str, ...]] = ("memory", "actions", "windows")

    def __init__(
        self,
        actions: int,
        windows: Sequence[Sequence[Any]],
        *,
        name: str | None = None,
        units: Units | None = None,
    ) -> None:
        actions = positive_integer(actions, "actions")
        levels = rows(windows, "windows")
        for j, level in enumerate(levels, start=1):
            if len(level) != actions**j:
                raise InvalidInput(
                    f"windows[{j - 1}] has {len(level)} entries; there are {shown(actions)}^{j} = "
                    f"{shown(actions**j)} windows of length {j}."
                )
        table = tuple(
            tuple(unit_rational(value, f"windows[{j}][{c}]") for c, value in enumerate(level))
            for j, level in enumerate(levels)
        )
        self._set(windows=table, actions=actions, memory=len(table), name=name, units=units)

    @classmethod
    def from_function(cls, actions: int, memory: int, loss: Any, *, name: str | None = None) -> WindowBandit:
        """Tabulate `loss(window)` over all windows of 1 to m actions.

        >>> WindowBandit.from_function(2, 1, lambda window: window[-1]).windows
        ((Fraction(0, 1), Fraction(1, 1)),)
        """
        actions, memory = positive_integer(actions, "actions"), positive_integer(memory, "memory")
        require_memory(200 * actions**memory, "windows", actions, memory)
        windows = [[loss(w) for w in product(range(actions), repeat=j)] for j in range(1, memory + 1)]
        return cls(actions, windows, name=name)

    def loss(self, window: Window) -> Fraction:
        """The entry of the window."""
        code = 0
        for action in window:
            code = code * self.actions + action
        return self.windows[len(window) - 1][code]

    def values(self) -> Sequence[Fraction]:
        """Every entry, short windows first."""
        return [value for level in self.windows for value in level]

    def table(self) -> dict[str, Any]:
        """`{"memory": m, "actions": K, "windows": [[K entries], [K^2 entries], ...]}`."""
        windows = [[text(value) for value in level] for level in self.windows]
        return {"memory": self.memory, "actions": self.actions, "windows": windows}


@displayable
@dataclass(frozen=True)
class WeightedTallyBandit(Bandit):
    """Weighted tallies, from the paper's Discussion: a play j steps ago counts `weights[j]`, j = 0 .. m-1.

    The *weighted tally* of the current action x is the sum of the weights of the window's positions that hold
    x; `losses[x]` maps every weighted tally that can occur to a loss. Weights 1, 1, ..., 1 give back the
    tallying bandit.

    >>> bandit = WeightedTallyBandit(["1", "1/2"], [{"1": 0, "3/2": 1}] * 2)
    >>> bandit.loss((1, 0)), bandit.loss((0, 0))
    (Fraction(0, 1), Fraction(1, 1))
    """

    weights: tuple[Fraction, ...] = ()
    losses: tuple[Mapping[Fraction, Fraction], ...] = ()

    KEYS: ClassVar[tuple[str, ...]] = ("memory", "weights", "losses")

    def __init__(
        self,
        weights: Sequence[Any],
        losses: Sequence[Mapping[Any, Any]],
        *,
        name: str | None = None,
        units: Units | None = None,
    ) -> None:
        weights = listed_items(weights, "weights must be a list of numbers, the current step's first.")
        losses = listed_items(losses, "losses must be a list, {weighted tally: loss} for each action.")
        if not weights or not losses:
            raise InvalidInput("there must be at least one weight and one action.")
        exact = tuple(rational(weight, f"weights[{j}]") for j, weight in enumerate(weights))
        most = max(len(row) if isinstance(row, Mapping) else 0 for row in losses)
        tallies = weighted_tallies(exact, most)
        tables = tuple(_weighted_row(row, x, tallies) for x, row in enumerate(losses))
        sizes = {"actions": len(tables), "memory": len(exact)}
        self._set(weights=exact, losses=tables, name=name, units=units, **sizes)

    def loss(self, window: Window) -> Fraction:
        """The loss of the last action at its weighted tally in the window."""
        action = window[-1]
        recency = zip(reversed(window), self.weights, strict=False)
        return self.losses[action][sum((w for other, w in recency if other == action), Fraction(0))]

    def values(self) -> Sequence[Fraction]:
        """Every loss of every table."""
        return [value for row in self.losses for value in row.values()]

    def table(self) -> dict[str, Any]:
        """`{"memory": m, "weights": [w_1, ..., w_m], "losses": [{"weighted tally": loss, ...}, ...]}`."""
        losses = [{text(tally): text(row[tally]) for tally in sorted(row)} for row in self.losses]
        return {"memory": self.memory, "weights": [text(w) for w in self.weights], "losses": losses}

    def __hash__(self) -> int:
        return hash(self.sha256())


KINDS |= {"windows": WindowBandit, "weights": WeightedTallyBandit}


def integer_tallies(
    bandit: TallyingBandit | WeightedTallyBandit,
) -> tuple[list[int], list[dict[int, Fraction]]]:
    """In integers: the weight of a play by its age, and each action's losses by weighted tally.

    >>> integer_tallies(WeightedTallyBandit(["1", "1/2"], [{"1": 0, "3/2": 1}]))
    ([2, 1], [{2: Fraction(0, 1), 3: Fraction(1, 1)}])
    """
    if isinstance(bandit, TallyingBandit):
        return [1] * bandit.memory, [dict(enumerate(row, start=1)) for row in bandit.losses]
    scale = math.lcm(*(weight.denominator for weight in bandit.weights))
    rows = [{int(tally * scale): loss for tally, loss in row.items()} for row in bandit.losses]
    return [int(weight * scale) for weight in bandit.weights], rows


def weighted_tallies(weights: Sequence[Fraction], most: float = math.inf) -> frozenset[Fraction]:
    """The weighted tallies that the current action can have: w_1 plus any subset of the others.

    There may be 2^(m-1) of them; more than `most` are not all listed.
    """
    sums = {weights[0]}
    for weight in weights[1:]:
        sums |= {tally + weight for tally in sums}
        if len(sums) > most:
            break
    return frozenset(sums)


def _weighted_row(row: Any, x: int, tallies: frozenset[Fraction]) -> dict[Fraction, Fraction]:
    """The losses of action x by weighted tally; each tally that can occur has one."""
    if not isinstance(row, Mapping):
        raise InvalidInput(f"losses[{x}] must map every weighted tally to a loss.")
    table: dict[Fraction, Fraction] = {}
    for key, value in row.items():
        tally = rational(key, f"a weighted tally of losses[{x}]")
        if tally in table:
            raise InvalidInput(f"losses[{x}] gives the weighted tally {text(tally)} twice.")
        table[tally] = unit_rational(value, f"losses[{x}][{text(tally)}]")
    for tally in sorted(tallies ^ set(table)):
        wrong = "gives a loss for what cannot occur" if tally in table else "has no loss for"
        raise InvalidInput(f"losses[{x}] {wrong}: the weighted tally {text(tally)}.")
    return table
