"""Arms that are automata: an instance is their product, and its graph has the states that can be reached.

States are numbered in the order of a breadth-first search from the beginning, actions in order: certificates
rely on it. Memory is asked for before it is taken, each time that the number of states has doubled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar, NamedTuple

from tallyplan.errors import ForbiddenPlay, InvalidInput
from tallyplan.limits import require_memory
from tallyplan.model.display import displayable
from tallyplan.model.instance import KINDS, Bandit, State, Window, listed, listed_items
from tallyplan.model.rationals import integer, shown, text, unit_rational
from tallyplan.model.units import Units
from tallyplan.model.words import Word

BYTES_PER_STATE, BYTES_PER_EDGE = 300, 100


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
                raise InvalidInput(f"{name} has {len(row)} entries; losses has {states}, one for each state.")
            read = unit_rational if name == "losses" else state
            exact = (None if entry is None else read(entry, f"{name}[{i}]") for i, entry in enumerate(row))
            object.__setattr__(self, name, tuple(exact))
        object.__setattr__(self, "start", state(self.start, "start"))
        if all(loss is None for loss in self.losses):
            raise InvalidInput("every loss is null, so that the arm may never be played; leave it out.")
        for i, (then, idle, loss) in enumerate(zip(self.played, self.rested, self.losses, strict=True)):
            if loss is not None and then is None:
                raise InvalidInput(f"played[{i}] is null, but losses[{i}] is not: where does the arm go?")
            if loss is None and idle is None:
                raise InvalidInput(f"in state {i} the arm may neither be played nor rest; it must do one.")
        moves = zip(self.played, self.losses, strict=True)
        object.__setattr__(self, "played", tuple(None if loss is None else then for then, loss in moves))

    def to_json(self) -> dict[str, Any]:
        """As an instance file has it."""
        losses = [None if loss is None else text(loss) for loss in self.losses]
        moves = {"played": list(self.played), "rested": list(self.rested)}
        return {"start": self.start} | moves | {"losses": losses}


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
    tallyplan.make : blocking, recharging, last-switch, pinwheel and other families.
    """

    arms: tuple[Arm, ...] = ()

    KEYS: ClassVar[tuple[str, ...]] = ("arms",)

    def __init__(self, arms: Sequence[Any], *, name: str | None = None, units: Units | None = None) -> None:
        read = tuple(_arm(arm, x) for x, arm in enumerate(listed_items(arms, "arms must be a list of arms.")))
        if not read:
            raise InvalidInput("arms is empty; there must be at least one.")
        self._set(arms=read, actions=len(read), memory=0, name=name, units=units)

    def remembered(self, actions: Word) -> Word:
        """All of them: the states of the arms may depend on the whole past."""
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


KINDS["arms"] = ArmBandit


def _arm(arm: Any, x: int) -> Arm:
    if isinstance(arm, Arm):
        return arm
    if not isinstance(arm, Mapping) or set(arm) != set(Arm.KEYS):
        keys = listed(Arm.KEYS)
        raise InvalidInput(f"arms[{x}] is {shown(arm)}; an object with the keys {keys} is needed.")
    try:
        return Arm(**arm)
    except InvalidInput as error:
        raise InvalidInput(f"arms[{x}]: {error}") from None


class Edge(NamedTuple):
    """An edge out of a state: its action, the state it leads to, and its cost."""

    action: int
    to: int
    cost: int
    time: int = 1


@dataclass(frozen=True)
class ArmGraph:
    """The reachable states, and by state its edges in the order of the actions; costs are integers.

    >>> graph = graph_of_arms(ArmBandit([Arm(0, [1, 1], [0, 0], ["0", "1/2"])] * 2))
    >>> graph.states, graph.edges[1][1]
    (((0, 0), (1, 0), (0, 1)), Edge(action=1, to=2, cost=0, time=1))
    """

    states: tuple[State, ...] = field(repr=False)
    edges: list[list[Edge]] = field(repr=False)

    @cached_property
    def number(self) -> dict[State, int]:
        """The number of each state."""
        return {state: i for i, state in enumerate(self.states)}

    @cached_property
    def longest(self) -> list[int | None]:
        """By state, the length of the longest walk from there; None where walks may never end."""
        found = list[int | None]([None] * len(self.edges))
        if all(self.edges):
            return found
        sorter = TopologicalSorter({s: {edge.to for edge in row} for s, row in enumerate(self.edges)})
        with suppress(CycleError):  # states from which no cycle can be reached are sorted nevertheless
            sorter.prepare()
        while ready := sorter.get_ready():
            for s in ready:
                found[s] = max((1 + (found[edge.to] or 0) for edge in self.edges[s]), default=0)
            sorter.done(*ready)
        return found

    def way_to(self, target: int) -> Word:
        """The actions of a shortest walk from the beginning to a state, read backwards from the state."""
        rows = reversed(list(enumerate(self.edges)))
        came = {edge.to: (s, edge.action) for s, row in rows for edge in reversed(row)}
        word = list[int]()
        while target:
            target, action = came[target]
            word.append(action)
        return tuple(reversed(word))


@lru_cache(maxsize=4)
def graph_of_arms(bandit: ArmBandit) -> ArmGraph:
    """Search breadth first.

    Raises
    ------
    InstanceTooLarge : more states can be reached than fit in memory.
    """
    costs = [[None if loss is None else bandit.scaled(loss) for loss in arm.losses] for arm in bandit.arms]
    played, rested = ([getattr(arm, name) for arm in bandit.arms] for name in ("played", "rested"))
    first = bandit.state_after(())
    number, states, edges = {first: 0}, [first], list[list[Edge]]()
    for state in states:
        if len(edges) & (len(edges) - 1) == 0:
            needed = 2 * len(edges) * (BYTES_PER_STATE + BYTES_PER_EDGE * bandit.actions)
            require_memory(needed, "states of the arms or more, which can be reached", len(edges))
        rest = tuple([row[i] for row, i in zip(rested, state, strict=True)])
        row = list[Edge]()
        for action in bandit.allowed(state) if None in rest else range(bandit.actions):
            i = state[action]
            cost = costs[action][i]
            if cost is None:
                continue
            following = (*rest[:action], played[action][i], *rest[action + 1 :])
            to = number.setdefault(following, len(states))
            if to == len(states):
                states.append(following)
            row.append(Edge(action, to, cost))
        edges.append(row)
    return ArmGraph(tuple(states), edges)
