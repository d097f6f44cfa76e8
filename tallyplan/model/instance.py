"""What a bandit is: an exact table of losses, with its JSON form.

A bandit has a **state**, which the actions move, and an action in a state has a mean loss. Three kinds are
*g-restricted with memory m*: the loss of a step is a function of its **window**, the last m actions including
the current one (fewer in the first m - 1 steps), and the state is the last m - 1 actions. They differ in how
much of the window the loss may see. In the fourth, every arm is an automaton of its own.

    TallyingBandit        how often the current action occurs in the window      K * m numbers
    WeightedTallyBandit   the same, recent plays weighing more                   one number per weighted tally
    WindowBandit          everything                                             K + K^2 + ... + K^m numbers
    ArmBandit             the state of the arm that is played                    a number per state of an arm

Whoever plays asks an instance only for `actions`, `denominator`, `state_after` and `step`; planners of
windows also for `memory` and `loss(window)`.
"""

from __future__ import annotations

import hashlib
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Self

from tallyplan.errors import ForbiddenPlay, InvalidInput, did_you_mean
from tallyplan.limits import require_memory
from tallyplan.model.display import SmallTable, card, displayable, grid
from tallyplan.model.files import AnyPath, read_json, write_json
from tallyplan.model.rationals import integer, positive_integer, rational, shown, text, unit_rational
from tallyplan.model.tables import (
    is_csv,
    listed_items,
    read_table,
    rectangle,
    rows,
    weighted_row,
    weighted_tallies,
    write_table,
)
from tallyplan.model.units import LOSSES, REWARDS, Units, rescaled
from tallyplan.model.words import Word, last

Window = Sequence[int]
State = tuple[int, ...]  # the last m - 1 actions, or the states of the arms

FOR_PEOPLE = ("name", "units")  # keys of an instance file that carry no mathematics


@dataclass(frozen=True)
class Bandit(ABC):
    """What the kinds share: size, name, JSON, states, and the loss of a window.

    Parameters
    ----------
    actions : number K of arms, named 0 .. K-1.
    memory : length m of the window, which includes the current action; 0 for arms, which have no window.
    name : a word for people; it carries no mathematics.
    units : what the losses stand for, where they were made from rewards or from losses outside [0, 1].

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
        """What a learner is told of the state: the tally of the action, this play included."""
        return state.count(action) + 1

    @property
    def size(self) -> str:
        """The sizes in words."""
        return f"{self.actions} actions, memory {self.memory}"

    @cached_property
    def denominator(self) -> int:
        """The least common denominator of all losses."""
        return math.lcm(*{value.denominator for value in self.values()})

    def scaled(self, loss: Fraction) -> int:
        """A loss, or a sum of losses, as an integer: times the denominator."""
        return loss.numerator * (self.denominator // loss.denominator)

    def to_json(self) -> dict[str, Any]:
        """The instance as the JSON object of an instance file."""
        named = {} if self.name is None else {"name": self.name}
        return self.table() | named | ({} if self.units is None else {"units": self.units.to_json()})

    def shown(self) -> SmallTable:
        """What notebooks and terminals show: the sizes."""
        kind = type(self).__name__
        return card(self.name or kind, {"kind": kind, "actions": self.actions, "memory": self.memory})

    def sha256(self) -> str:
        """SHA-256 of the canonical JSON of the mathematical content; name and units do not count."""
        canonical = json.dumps(self.table(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def save(self, path: AnyPath) -> None:
        """Write the instance file; an interrupted write leaves the old file as it was.

        A tallying bandit may also be written as CSV, if the path says so, without its name.
        """
        if is_csv(path):
            self._save_csv(path)
        else:
            write_json(path, self.to_json())

    def _save_csv(self, path: AnyPath) -> None:
        raise InvalidInput(f"{path}: only the table of a tallying bandit is written as CSV; write JSON.")

    @classmethod
    def load(cls, path: AnyPath) -> Self:
        """Read an instance file; `-` is standard input. The file must hold this kind of instance."""
        bandit = load(path)
        if not isinstance(bandit, cls):
            raise InvalidInput(f"{path} holds a {type(bandit).__name__}, not a {cls.__name__}.")
        return bandit

    def _set(self, **attributes: Any) -> None:
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
        self._set(losses=table, actions=len(table), memory=len(table[0]), name=_name(name), units=units)

    @classmethod
    def from_rewards(
        cls, rewards: Sequence[Sequence[Any]], *, least: Any = None, most: Any = None, name: str | None = None
    ) -> TallyingBandit:
        """The bandit whose loss is 0 where the reward is `most` and 1 where it is `least`, affine between.

        Parameters
        ----------
        rewards : any rational numbers, in the form of `losses`: lists, a numpy array, a pandas DataFrame.
        least, most : the range of the rewards; the least and the largest of the table by default.

        Returns
        -------
        The bandit, whose `units` remember the map: answers have their reward as `original`.

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
        scale, ratios = self.denominator, [[value.as_integer_ratio() for value in row] for row in self.losses]
        return [[numerator * (scale // denominator) for numerator, denominator in row] for row in ratios]

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

    def _save_csv(self, path: AnyPath) -> None:
        if self.units is not None:
            raise InvalidInput(f"{path}: CSV has no place for the units of this bandit; write JSON.")
        write_table(path, self.losses)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show: the table of losses, or its first entries."""
        tallies = [f"y = {y}" for y in range(1, self.memory + 1)]
        rows = [(f"arm {x}", row) for x, row in enumerate(self.losses)]
        title = f"{self.name or 'tallying bandit'}: {self.actions} actions, memory {self.memory}"
        return grid(title, tallies, rows)


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

    See Also
    --------
    tallyplan.TallyingBandit : losses that depend on the tally alone.
    tallyplan.optimal_plan : the same questions can be asked.
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
        self._set(windows=table, actions=actions, memory=len(table), name=_name(name), units=units)

    @classmethod
    def from_function(cls, actions: int, memory: int, loss: Any, *, name: str | None = None) -> WindowBandit:
        """Tabulate `loss(window)` over all windows of 1 to m actions.

        >>> WindowBandit.from_function(2, 1, lambda window: window[-1]).windows
        ((Fraction(0, 1), Fraction(1, 1)),)
        """
        actions, memory = positive_integer(actions, "actions"), positive_integer(memory, "memory")
        require_memory(200 * actions**memory, actions=actions, length=memory, what="windows")
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

    See Also
    --------
    tallyplan.TallyingBandit : all plays in the window count the same.
    tallyplan.WindowBandit : any function of the window.
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
        tables = tuple(weighted_row(row, x, tallies) for x, row in enumerate(losses))
        self._set(weights=exact, losses=tables, actions=len(tables), memory=len(exact))
        self._set(name=_name(name), units=units)

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


@displayable
@dataclass(frozen=True)
class Arm:
    """One arm of an `ArmBandit`, an automaton with states 0 .. n-1.

    Parameters
    ----------
    start : the state in which the arm begins.
    played : by state, where the arm goes when it is played.
    rested : by state, where it goes when another arm is played; None: it may not rest there (a deadline).
    losses : by state, the loss of playing it, in [0, 1]; None: it may not be played there.

    >>> fresh_or_tired = Arm(0, played=[1, 1], rested=[0, 0], losses=[0, 1])
    >>> fresh_or_tired.losses
    (Fraction(0, 1), Fraction(1, 1))
    """

    start: int
    played: Sequence[int | None]
    rested: Sequence[int | None]
    losses: Sequence[Any]

    KEYS: ClassVar[tuple[str, ...]] = ("start", "played", "rested", "losses")

    def __post_init__(self) -> None:
        needed = "must be a list with an entry for every state of the arm."
        rows = {name: listed_items(getattr(self, name), f"{name} {needed}") for name in self.KEYS[1:]}
        states = len(rows["losses"])

        def state(value: Any, what: str) -> int:
            number = integer(value, what)
            if not 0 <= number < states:
                raise InvalidInput(f"{what} is {shown(number)}; the states of the arm are 0 to {states - 1}.")
            return number

        for name, row in rows.items():
            if not states or len(row) != states:
                raise InvalidInput(
                    f"{name} has {len(row)} entries; losses has {states}, one for every state, at least one."
                )
            read = unit_rational if name == "losses" else state
            exact = (None if entry is None else read(entry, f"{name}[{i}]") for i, entry in enumerate(row))
            object.__setattr__(self, name, tuple(exact))
        object.__setattr__(self, "start", state(self.start, "start"))
        self._require_moves()
        allowed = zip(self.played, self.losses, strict=True)
        object.__setattr__(self, "played", tuple(None if loss is None else then for then, loss in allowed))

    def _require_moves(self) -> None:
        if all(loss is None for loss in self.losses):
            raise InvalidInput("every loss is null, so that the arm may never be played; leave it out.")
        for i, (then, idle, loss) in enumerate(zip(self.played, self.rested, self.losses, strict=True)):
            if loss is not None and then is None:
                raise InvalidInput(f"played[{i}] is null, but losses[{i}] is not: where does the arm go?")
            if loss is None and idle is None:
                raise InvalidInput(f"in state {i} the arm may neither be played nor rest; it must do one.")

    def to_json(self) -> dict[str, Any]:
        """As an instance file has it."""
        losses = [None if loss is None else text(loss) for loss in self.losses]
        moves = {"played": list(self.played), "rested": list(self.rested)}
        return {"start": self.start} | moves | {"losses": losses}

    def shown(self) -> SmallTable:
        """What notebooks and terminals show: a row per state."""
        rows = enumerate(zip(self.played, self.rested, self.losses, strict=True))
        cells = [(f"state {i}", ["-" if entry is None else entry for entry in row]) for i, row in rows]
        return grid(f"an arm that begins in state {self.start}", ["played", "rested", "loss"], cells)


@displayable
@dataclass(frozen=True)
class ArmBandit(Bandit):
    """Arms that are automata: the one that is played moves along `played`, all others along `rested`.

    The state is the tuple of the states of the arms. An action that some arm forbids is never planned, and is
    an error in `replay`. There is no window: what was played before matters through the state alone.

    Parameters
    ----------
    arms : at least one `Arm`, or objects of an instance file with the keys start, played, rested, losses.

    >>> import tallyplan as tp
    >>> arm = tp.Arm(0, played=[1, 1], rested=[0, 0], losses=[0, 1])  # pays only after a rest
    >>> tp.replay(tp.ArmBandit([arm, arm]), [0, 1, 1])
    Fraction(1, 1)

    See Also
    --------
    tallyplan.Arm : one of them.
    tallyplan.make : blocking, recharging, last-switch, pinwheel and other families.
    tallyplan.TallyingBandit : losses that depend on a tally.
    """

    arms: tuple[Arm, ...] = ()

    KEYS: ClassVar[tuple[str, ...]] = ("arms",)

    def __init__(self, arms: Sequence[Any], *, name: str | None = None, units: Units | None = None) -> None:
        listed = listed_items(arms, "arms must be a list of arms.")
        if not listed:
            raise InvalidInput("arms is empty; there must be at least one.")
        read = tuple(_arm(arm, x) for x, arm in enumerate(listed))
        self._set(arms=read, actions=len(read), memory=0, name=_name(name), units=units)

    def remembered(self, actions: Word) -> Word:
        """All of them: what matters of them is the state."""
        return actions

    def state_after(self, actions: Iterable[int]) -> State:
        """The states of the arms after these actions, played from the beginning."""
        state = tuple(arm.start for arm in self.arms)
        for action in actions:
            _, state = self.step(state, action)
        return state

    def step(self, state: State, action: int) -> tuple[Fraction, State]:
        """The mean loss of an action in a state, and the state after it.

        Raises
        ------
        ForbiddenPlay : the arm may not be played there, or another one may not rest.
        """
        arms = enumerate(zip(self.arms, state, strict=True))
        after = tuple([arm.played[i] if x == action else arm.rested[i] for x, (arm, i) in arms])
        loss = self.arms[action].losses[state[action]]
        if loss is None:
            raise ForbiddenPlay(f"arm {action} may not be played in its state {state[action]}.")
        if None in after:
            x = after.index(None)
            raise ForbiddenPlay(f"arm {x} may not rest in its state {state[x]}: it must be played.")
        return loss, after  # type: ignore[return-value]  # without None

    def allowed(self, state: State) -> list[int]:
        """The actions that may be played in a state."""
        pairs = list(zip(self.arms, state, strict=True))
        must = [x for x, (arm, i) in enumerate(pairs) if arm.rested[i] is None]
        return [x for x, (arm, i) in enumerate(pairs) if must in ([], [x]) and arm.losses[i] is not None]

    def seen_at(self, state: State, action: int) -> int:
        """What a learner is told: the state of the arm."""
        return state[action]

    def loss(self, window: Window) -> Fraction:
        """The loss of the last of these actions, played from the beginning."""
        return self.step(self.state_after(window[:-1]), window[-1])[0]

    def values(self) -> Sequence[Fraction]:
        """Every loss of every arm."""
        return [loss for arm in self.arms for loss in arm.losses if loss is not None]

    def table(self) -> dict[str, Any]:
        """`{"arms": [{"start": 0, "played": [...], "rested": [...], "losses": [...]}, ...]}`."""
        return {"arms": [arm.to_json() for arm in self.arms]}

    @property
    def size(self) -> str:
        """The sizes in words."""
        return f"{self.actions} arms of {', '.join(str(len(arm.losses)) for arm in self.arms)} states"

    def shown(self) -> SmallTable:
        """What notebooks and terminals show: the sizes."""
        return card(self.name or "ArmBandit", {"kind": "ArmBandit", "size": self.size})


def _arm(arm: Any, x: int) -> Arm:
    if isinstance(arm, Arm):
        return arm
    if not isinstance(arm, Mapping) or set(arm) != set(Arm.KEYS):
        keys = _quoted(Arm.KEYS)
        raise InvalidInput(f"arms[{x}] is {shown(arm)}; an object with the keys {keys} is needed.")
    try:
        return Arm(**arm)
    except InvalidInput as error:
        raise InvalidInput(f"arms[{x}]: {error}") from None


def from_json(document: Any) -> Bandit:
    """Build an instance from the object in an instance file; its keys tell the kind."""
    if not isinstance(document, dict):
        raise InvalidInput('an instance is a JSON object such as {"losses": [[0, 1], [0, 1]]}.')
    kinds: dict[str, type[Bandit]] = {
        "windows": WindowBandit,
        "weights": WeightedTallyBandit,
        "arms": ArmBandit,
    }
    kind = next((kinds[key] for key in kinds if key in document), TallyingBandit)
    known = (*kind.KEYS, *FOR_PEOPLE)
    unknown = sorted(set(document) - set(known))
    if unknown:
        guess = did_you_mean(unknown[0], known)
        raise InvalidInput(f"unknown key {unknown[0]!r} in the instance{guess} Known are {_quoted(known)}.")
    needed = [key for key in kind.KEYS if key != "memory"]  # which the table tells, too
    missing = [key for key in needed if key not in document]
    if missing:
        raise InvalidInput(f"the instance has no {missing[0]!r}; it needs {_quoted(needed)}.")
    units = Units.from_json(document["units"]) if "units" in document else None
    bandit = kind(*(document[key] for key in needed), name=document.get("name"), units=units)
    memory = document.get("memory", bandit.memory)
    if "memory" in document and positive_integer(memory, "memory") != bandit.memory:
        raise InvalidInput(f"memory is {memory}, but the table has entries for memory {bandit.memory}.")
    return bandit


def require_bandit(value: object) -> None:
    """Refuse what is no bandit, such as a bare table."""
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


def _name(name: Any) -> str | None:
    if name is not None and not isinstance(name, str):
        raise InvalidInput(f"name is {shown(name)}; it must be a string.")
    return name


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in sorted(names))
