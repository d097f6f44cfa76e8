"""Bandits whose arms are automata: `ArmBandit`, and its `Arm`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from tallyplan.errors import ForbiddenPlay, InvalidInput
from tallyplan.model.display import SmallTable, card, displayable, grid
from tallyplan.model.instance import KINDS, Bandit, State, Window, listed, listed_items
from tallyplan.model.rationals import integer, shown, text, unit_rational
from tallyplan.model.units import Units
from tallyplan.model.words import Word

Entries = tuple[int | None, ...]


@displayable
@dataclass(frozen=True)
class Arm:
    """One arm of an `ArmBandit`, an automaton with states 0 .. n-1.

    Parameters
    ----------
    start : the state in which the arm begins.
    played : by state, where the arm goes when it is played; None where it may not be.
    rested : by state, where it goes when another arm is played; None: it may not rest there (a deadline).
    losses : by state, the loss of playing it, in [0, 1]; None: it may not be played there.

    >>> fresh_or_tired = Arm(0, played=[1, 1], rested=[0, 0], losses=[0, 1])
    >>> fresh_or_tired.losses
    (Fraction(0, 1), Fraction(1, 1))
    """

    start: int
    played: Entries
    rested: Entries
    losses: tuple[Fraction | None, ...]

    KEYS: ClassVar[tuple[str, ...]] = ("start", "played", "rested", "losses")

    def __init__(
        self, start: Any, played: Sequence[Any], rested: Sequence[Any], losses: Sequence[Any]
    ) -> None:
        found = {
            name: listed_items(row, f"{name} must be a list with an entry for every state of the arm.")
            for name, row in (("played", played), ("rested", rested), ("losses", losses))
        }
        states = len(found["losses"])
        if not states:
            raise InvalidInput("losses is empty; an arm has at least one state.")
        for name, row in found.items():
            if len(row) != states:
                raise InvalidInput(
                    f"{name} has {len(row)} entries; losses has {states}, one for every state."
                )
        exact = tuple(
            None if loss is None else unit_rational(loss, f"losses[{i}]")
            for i, loss in enumerate(found["losses"])
        )
        moves = {
            name: tuple(
                None if then is None else _state(then, f"{name}[{i}]", states)
                for i, then in enumerate(found[name])
            )
            for name in ("played", "rested")
        }
        _require_moves(exact, **moves)
        object.__setattr__(self, "start", _state(start, "start", states))
        object.__setattr__(
            self,
            "played",
            tuple(None if loss is None else then for loss, then in zip(exact, moves["played"], strict=True)),
        )
        object.__setattr__(self, "rested", moves["rested"])
        object.__setattr__(self, "losses", exact)

    def to_json(self) -> dict[str, Any]:
        """As an instance file has it."""
        losses = [None if loss is None else text(loss) for loss in self.losses]
        moves = {"played": list(self.played), "rested": list(self.rested)}
        return {"start": self.start} | moves | {"losses": losses}

    def shown(self) -> SmallTable:
        """What notebooks and terminals show: a row per state."""
        rows = zip(self.played, self.rested, self.losses, strict=True)
        cells = [
            (f"state {i}", ["-" if entry is None else entry for entry in row]) for i, row in enumerate(rows)
        ]
        return grid(f"an arm that begins in state {self.start}", ["played", "rested", "loss"], cells)


def _require_moves(losses: tuple[Fraction | None, ...], played: Entries, rested: Entries) -> None:
    if all(loss is None for loss in losses):
        raise InvalidInput("every loss is null, so that the arm may never be played; leave it out.")
    for i, (loss, then, idle) in enumerate(zip(losses, played, rested, strict=True)):
        if loss is not None and then is None:
            raise InvalidInput(f"played[{i}] is null, but losses[{i}] is not: where does the arm go?")
        if loss is None and idle is None:
            raise InvalidInput(
                f"in state {i} the arm may neither be played nor rest; it must do one of them."
            )


def _state(value: Any, what: str, states: int) -> int:
    number = integer(value, what)
    if not 0 <= number < states:
        raise InvalidInput(f"{what} is {shown(number)}; the states of the arm are 0 to {states - 1}.")
    return number


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
        self._set(arms=read, actions=len(read), memory=0, name=name, units=units)

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
        loss = self.arms[action].losses[state[action]]
        if loss is None:
            raise ForbiddenPlay(f"arm {action} may not be played in its state {state[action]}.")
        after = [arm.played[i] if x == action else arm.rested[i] for x, (arm, i) in self._at(state)]
        for x, i in enumerate(after):
            if i is None:
                raise ForbiddenPlay(f"arm {x} may not rest in its state {state[x]}: it must be played.")
        return loss, tuple(i for i in after if i is not None)

    def allowed(self, state: State) -> list[int]:
        """The actions that may be played in a state."""
        must = [x for x, (arm, i) in self._at(state) if arm.rested[i] is None]
        may = range(self.actions) if not must else must if len(must) == 1 else []
        return [x for x in may if self.arms[x].losses[state[x]] is not None]

    def seen_at(self, state: State, action: int) -> int:
        """What a learner is told: the state of the arm."""
        return state[action]

    def _at(self, state: State) -> Iterable[tuple[int, tuple[Arm, int]]]:
        return enumerate(zip(self.arms, state, strict=True))

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


KINDS["arms"] = ArmBandit


def _arm(arm: Any, x: int) -> Arm:
    if isinstance(arm, Arm):
        return arm
    if not isinstance(arm, Mapping) or set(arm) != set(Arm.KEYS):
        raise InvalidInput(
            f"arms[{x}] is {shown(arm)}; an object with the keys {listed(Arm.KEYS)} is needed."
        )
    try:
        return Arm(*(arm[key] for key in Arm.KEYS))
    except InvalidInput as error:
        raise InvalidInput(f"arms[{x}]: {error}") from None
