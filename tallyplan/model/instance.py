"""What a bandit is: an exact table of losses, with its JSON form.

A bandit has a **state**, which the actions move, and an action in a state has a mean loss. Three kinds are
*g-restricted with memory m*: the loss of a step is a function of its **window**, the last m actions including
the current one (fewer in the first m - 1 steps), and the state is the last m - 1 actions. They differ in how
much of the window the loss may see. In the fourth, every arm is an automaton of its own.

    TallyingBandit        how often the current action occurs in the window      K * m numbers
    WeightedTallyBandit   the same, recent plays weighing more                   one number per weighted tally
    WindowBandit          everything                                             K + K^2 + ... + K^m numbers
    ArmBandit             the state of the arm that is played                    a number per state of an arm

A game asks an instance only for `actions`, `denominator`, `state_after` and `step`; planners of
windows also for `memory` and `loss(window)`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.display import SmallTable, card, displayable, grid
from tallyplan.model.files import AnyPath, is_csv, read_json, sha256_of, write_json
from tallyplan.model.rationals import positive_integer, shown, text, unit_rational
from tallyplan.model.tables import read_table, write_table
from tallyplan.model.units import LOSSES, REWARDS, Units, rescaled
from tallyplan.model.words import Word, last

Window = Sequence[int]
State = tuple[int, ...]  # the last m - 1 actions, or the states of the arms

FOR_PEOPLE = ("name", "units")  # keys of an instance file that carry no mathematics
KINDS: dict[str, type[Bandit]] = {}  # by the key of an instance file that tells them; others are tallying


@dataclass(frozen=True)
class Bandit(ABC):
    """What all kinds of bandit share: size, name, JSON, states, and the loss of a window.

    Parameters
    ----------
    actions : number K of arms, named 0 .. K-1.
    memory : length m of the window, which includes the current action; 0 for arms, which have no window.
    name : for display only.
    units : the original numbers, if the losses were made from rewards or from losses outside [0, 1].

    >>> import tallyplan as tp
    >>> bandit = tp.make("counterexample-3")
    >>> isinstance(bandit, tp.Bandit), bandit.actions, bandit.memory
    (True, 2, 2)

    See Also
    --------
    tallyplan.TallyingBandit : the usual kind.
    tallyplan.WindowBandit : any function of the window.
    tallyplan.WeightedTallyBandit : plays that count less the older they are.
    tallyplan.ArmBandit : arms that move when they are played and when they rest.
    """

    actions: int = field(init=False)
    memory: int = field(init=False)
    name: str | None = field(default=None, compare=False, kw_only=True)
    units: Units | None = field(default=None, compare=False, kw_only=True)

    KEYS: ClassVar[tuple[str, ...]] = ()  # of an instance file, in the order of the parameters

    @abstractmethod
    def loss(self, window: Window) -> Fraction:
        """The mean loss of the last action of `window`, the last 1 to m actions, oldest first."""

    @abstractmethod
    def values(self) -> Sequence[Fraction]:
        """Every loss that the instance contains."""

    @abstractmethod
    def table(self) -> dict[str, Any]:
        """The mathematical content as JSON, rationals written `p/q` in lowest terms."""

    def remembered(self, actions: Word) -> Word:
        """What still matters of the actions played so far: the last m - 1."""
        return last(actions, self.memory - 1)

    def state_after(self, actions: Iterable[int]) -> State:
        """The state after these actions, played from the beginning."""
        return self.remembered(tuple(actions))

    def step(self, state: State, action: int) -> tuple[Fraction, State]:
        """The mean loss of an action in a state, and the state after it.

        Raises
        ------
        ForbiddenPlay : the action may not be played there.
        """
        window = (*state, action)
        return self.loss(window), self.remembered(window)

    def allowed(self, state: State) -> Sequence[int]:
        """The actions that may be played in a state."""
        return range(self.actions)

    def seen_at(self, state: State, action: int) -> int:
        """What a learner sees of the state: the tally of the action, this play included."""
        return state.count(action) + 1

    @property
    def size(self) -> str:
        """The sizes in words."""
        return f"{self.actions} actions, memory {self.memory}"

    @cached_property
    def denominator(self) -> int:
        """The least common denominator of all losses."""
        return math.lcm(*{denominator for _, denominator in self._ratios})

    @cached_property
    def _ratios(self) -> list[tuple[int, int]]:
        return [value.as_integer_ratio() for value in self.values()]

    def scaled(self, loss: Fraction) -> int:
        """A loss, or a sum of losses, as an integer: times the denominator."""
        return loss.numerator * (self.denominator // loss.denominator)

    def to_json(self) -> dict[str, Any]:
        """The instance as the JSON object of an instance file."""
        named = {} if self.name is None else {"name": self.name}
        return self.table() | named | ({} if self.units is None else {"units": self.units.to_json()})

    def shown(self) -> SmallTable:
        """What notebooks show: the sizes."""
        kind = type(self).__name__
        return card(self.name or kind, {"kind": kind, "size": self.size})

    def sha256(self) -> str:
        """SHA-256 of the canonical JSON of the mathematical content; name and units do not count."""
        return sha256_of(self.table())

    def save(self, path: AnyPath) -> None:
        """Write the instance file; an interrupted write leaves the old file as it was.

        A tallying bandit may also be written as CSV, if the path says so, without its name.
        """
        if not is_csv(path):
            write_json(path, self.to_json())
        elif isinstance(self, TallyingBandit) and self.units is None:
            write_table(path, self.losses)
        else:
            raise InvalidInput(
                f"{path}: CSV is for the table of a tallying bandit, without units; write JSON."
            )

    def _set(self, **attributes: Any) -> None:
        if not isinstance(attributes["name"], str | None):
            raise InvalidInput(f"name is {shown(attributes['name'])}; it must be a string.")
        for name, value in attributes.items():
            object.__setattr__(self, name, value)


@displayable
@dataclass(frozen=True)
class TallyingBandit(Bandit):
    """A tallying bandit: playing x for the y-th time within the window costs h_x(y) = `losses[x][y-1]`.

    >>> bandit = TallyingBandit([["0", "1"], ["0", "1"]])
    >>> bandit.actions, bandit.memory, bandit.loss((0, 0))
    (2, 2, Fraction(1, 1))

    See Also
    --------
    tallyplan.load : an instance from a file.
    tallyplan.make : an instance of a named family.
    tallyplan.minimum_mean_cycle : its least long-run loss per step.
    """

    losses: tuple[tuple[Fraction, ...], ...] = ()

    KEYS: ClassVar[tuple[str, ...]] = ("memory", "losses")

    def __init__(
        self, losses: Sequence[Sequence[Any]], *, name: str | None = None, units: Units | None = None
    ) -> None:
        rows = rectangle(losses, "losses")
        table = tuple(
            tuple(unit_rational(value, f"losses[{x}][{y}]") for y, value in enumerate(row))
            for x, row in enumerate(rows)
        )
        self._set(losses=table, actions=len(table), memory=len(table[0]), name=name, units=units)

    @classmethod
    def from_rewards(
        cls, rewards: Sequence[Sequence[Any]], *, least: Any = None, most: Any = None, name: str | None = None
    ) -> TallyingBandit:
        """The bandit whose loss is 0 where the reward is `most` and 1 where it is `least`, affine between.

        Parameters
        ----------
        rewards : any rational numbers, in the form of `losses`: lists, a numpy array, a pandas DataFrame.
        least, most : the range of the rewards; by default, from the smallest to the largest of the table.

        Returns
        -------
        The bandit. Its `units` hold the map, and the `original` of an answer is its reward.

        >>> bandit = TallyingBandit.from_rewards([[10, 4], [7, 7]])
        >>> bandit.losses[0], bandit.units.of
        ((Fraction(0, 1), Fraction(1, 1)), 'rewards')
        """
        losses, units = rescaled(rectangle(rewards, REWARDS), REWARDS, least, most)
        return cls(losses, name=name, units=units)

    @classmethod
    def from_losses(
        cls, losses: Sequence[Sequence[Any]], *, least: Any = None, most: Any = None, name: str | None = None
    ) -> TallyingBandit:
        """The bandit whose loss is 0 where the given one is `least`, and 1 where it is `most`.

        Everything else is as in `from_rewards`.

        >>> TallyingBandit.from_losses([[-1, 3]], least=-1, most=7).losses
        ((Fraction(0, 1), Fraction(1, 2)),)
        """
        table, units = rescaled(rectangle(losses, LOSSES), LOSSES, least, most)
        return cls(table, name=name, units=units)

    @cached_property
    def integers(self) -> list[list[int]]:
        """The losses times their common denominator."""
        scale, m = self.denominator, self.memory
        scaled = [numerator * (scale // denominator) for numerator, denominator in self._ratios]
        return [scaled[first : first + m] for first in range(0, len(scaled), m)]

    def loss(self, window: Window) -> Fraction:
        """h of the last action, at its tally in the window."""
        action = window[-1]
        return self.losses[action][sum(other == action for other in window) - 1]

    def values(self) -> Sequence[Fraction]:
        """All K * m losses."""
        return [value for row in self.losses for value in row]

    def table(self) -> dict[str, Any]:
        """`{"memory": m, "losses": [[h_0(1), ..., h_0(m)], ...]}`."""
        return {"memory": self.memory, "losses": [[text(value) for value in row] for row in self.losses]}

    def shown(self) -> SmallTable:
        """What notebooks show: the table of losses, or its first entries."""
        tallies = [f"y = {y}" for y in range(1, self.memory + 1)]
        rows = [(f"arm {x}", row) for x, row in enumerate(self.losses)]
        title = f"{self.name or 'tallying bandit'}: {self.actions} actions, memory {self.memory}"
        return grid(title, tallies, rows)


def from_json(document: Any) -> Bandit:
    """Build an instance from the object in an instance file; its keys tell the kind."""
    if not isinstance(document, dict):
        raise InvalidInput('an instance is a JSON object such as {"losses": [[0, 1], [0, 1]]}.')
    kind = next((KINDS[key] for key in KINDS if key in document), TallyingBandit)
    known = (*kind.KEYS, *FOR_PEOPLE)
    unknown = sorted(set(document) - set(known))
    if unknown:
        guess = did_you_mean(unknown[0], known)
        raise InvalidInput(f"unknown key {unknown[0]!r} in the instance{guess} Known are {listed(known)}.")
    needed = [key for key in kind.KEYS if key != "memory"]  # which the table tells, too
    missing = [key for key in needed if key not in document]
    if missing:
        raise InvalidInput(f"the instance has no {missing[0]!r}; it needs {listed(needed)}.")
    units = Units.from_json(document["units"]) if "units" in document else None
    bandit = kind(*(document[key] for key in needed), name=document.get("name"), units=units)
    memory = document.get("memory", bandit.memory)
    if "memory" in document and positive_integer(memory, "memory") != bandit.memory:
        raise InvalidInput(f"memory is {memory}, but the table has entries for memory {bandit.memory}.")
    return bandit


def require_bandit(value: object) -> None:
    """Refuse anything that is not a bandit, such as a bare table."""
    if not isinstance(value, Bandit):
        raise InvalidInput(
            f"a bandit is needed, such as TallyingBandit(losses) or load(path), not a {type(value).__name__}."
        )


def load(path: AnyPath) -> Bandit:
    """Read an instance file of any kind; `-` is standard input. A file of losses may be CSV: a row per arm.

    Raises
    ------
    InvalidInput : the file cannot be read, is not JSON, or does not hold an instance.

    >>> import os, tempfile
    >>> import tallyplan as tp
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "c3.json")
    ...     tp.make("counterexample-3").save(path)
    ...     tp.load(path) == tp.make("counterexample-3")
    True

    See Also
    --------
    tallyplan.make : an instance without a file.
    tallyplan.Bandit : what is read, with its method `save`.
    """
    csv = is_csv(path)
    content = read_table(path) if csv else read_json(path)
    try:
        return TallyingBandit(content) if csv else from_json(content)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def listed(names: Sequence[str]) -> str:
    """Names in an error message."""
    return ", ".join(repr(name) for name in sorted(names))


def rectangle(given: Any, what: str) -> list[Sequence[Any]]:
    """The rows of a K x m table, all of the same length m >= 1."""
    listed = rows(given, what)
    memory = len(listed[0])
    if memory == 0:
        raise InvalidInput(f"{what}[0] is empty; the memory m is at least 1.")
    for x, row in enumerate(listed):
        if len(row) != memory:
            raise InvalidInput(
                f"{what}[{x}] has {len(row)} entries, {what}[0] has {memory}; every action needs "
                "one for each tally 1..m."
            )
    return listed


def rows(given: Any, what: str) -> list[Sequence[Any]]:
    """The rows of a table: lists, tuples, arrays, or a DataFrame."""
    listed = listed_items(given, f"{what} must be a list of lists of numbers.")
    if not listed:
        raise InvalidInput(f"{what} is empty; at least one action is needed.")
    return [listed_items(row, f"{what}[{x}] must be a list of numbers.") for x, row in enumerate(listed)]


def listed_items(items: Any, complaint: str) -> list[Any]:
    """A list, tuple, array or DataFrame as a list; of a DataFrame, its rows."""
    items = items.to_numpy() if hasattr(items, "to_numpy") else items
    if isinstance(items, str | bytes | Mapping) or not hasattr(items, "__len__"):
        raise InvalidInput(complaint)
    try:
        return list(items)
    except TypeError:  # an array without dimensions
        raise InvalidInput(complaint) from None
