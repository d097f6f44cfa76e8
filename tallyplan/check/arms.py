"""Arms that are automata: the graph of the states that they can reach, and what plays lose there.

A state has a state of each arm. States are numbered in the order of a breadth-first search from the first
one, actions in order; nothing of the graph is listed in a certificate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from .problem import Edges, in_units
from .reading import Meter, Refused, array, choices, fields, rational
from .replay import Run

State = tuple[int, ...]
Entries = list[Any]  # by arm and state of it: integers, None where it may not


@dataclass(frozen=True)
class Arms:
    """Where an arm goes when it is played and when it rests, and what playing it costs, in units of 1/D."""

    K: int
    D: int
    first: State
    played: list[Entries]
    rested: list[Entries]
    costs: list[Entries]
    known: list[tuple[dict[State, int], Edges]] = field(default_factory=list, compare=False)
    kind, m = "arms", 1 << 62  # there is no window: all that was played before counts

    def values(self) -> Iterator[int]:
        """Every cost."""
        return (cost for cost in chain(*self.costs) if cost is not None)

    def step(self, state: State, action: int) -> tuple[int, State] | None:
        """The cost of an action and the state after it; None if it may not be played."""
        after = [row[i] for row, i in zip(self.rested, state, strict=True)]
        after[action] = self.played[action][state[action]]
        return None if None in after else (self.costs[action][state[action]], tuple(after))

    def play(self, state: State, word: Sequence[int], meter: Meter) -> tuple[int, State]:
        """The cost of a word from a state on, and the state after it."""
        meter.spend(len(word) * (10 + 2 * self.K))
        total = 0
        for action in word:
            if (move := self.step(state, action)) is None:
                raise Refused(f"The action {action} is played where the arms forbid it.")
            total, state = total + move[0], move[1]
        return total, state

    def graph(self, meter: Meter) -> tuple[dict[State, int], Edges]:
        """The number of each state, and all edges in the order of their states and actions."""
        if not self.known:
            number, states, edges = {self.first: 0}, [self.first], list[tuple[int, int, int]]()
            for s, state in enumerate(states):
                meter.fit(len(states) * (4 + 4 * self.K))
                meter.spend(20 + self.K * (10 + 2 * self.K))
                for cost, then in filter(None, (self.step(state, action) for action in range(self.K))):
                    if number.setdefault(then, len(states)) == len(states):
                        states.append(then)
                    edges.append((s, number[then], cost))
            tails, heads, costs = zip(*edges, strict=True) if edges else ((), (), ())
            self.known.append((number, (tails, heads, costs)))
        return self.known[0]

    def states(self, meter: Meter) -> int:
        """The number of states that can be reached."""
        return len(self.graph(meter)[0])

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """All of them at once."""
        yield self.graph(meter)[1]

    def after(self, start: Sequence[int], meter: Meter) -> State:
        """The state after these actions, from the first one on."""
        return self.play(self.first, start, meter)[1]

    def total(self, start: Sequence[int], runs: list[Run], meter: Meter) -> int:
        """The cost of the runs; a word that begins where it began before goes round from there on."""
        total, state = 0, self.after(start, meter)
        for word, repeats in runs:
            seen, costs = dict[State, int](), list[int]()
            while state not in seen and len(costs) < repeats:
                meter.fit(len(seen) * self.K)
                seen[state] = len(costs)
                cost, state = self.play(state, word, meter)
                costs.append(cost)
            total += sum(costs)
            if left := repeats - len(costs):
                again = costs[seen[state] :]
                rounds, more = divmod(left, len(again))
                total += rounds * sum(again) + sum(again[:more])
                state = list(seen)[seen[state] + more]
        return total


def read(found: dict[str, Any], meter: Meter) -> Arms:
    """The arms of an instance."""
    listed = array(fields(found, "instance", {"arms"}, {"name", "units"})["arms"], "list of arms")
    arms = [fields(arm, "arm", {"start", "played", "rested", "losses"}) for arm in listed]
    losses = [array(arm["losses"], "list of losses") for arm in arms]
    known = [rational(loss, "loss") for loss in chain(*losses) if loss is not None]
    if not arms or any(not 0 <= loss <= 1 for loss in known):
        raise Refused("The instance has no arms, or a loss outside [0, 1].")
    for arm, row in zip(arms, losses, strict=True):
        choices([arm["start"]], "start of an arm", len(row))
        for name in ("played", "rested"):
            moves = array(arm[name], f"list '{name}'", len(row))
            choices([to for to in moves if to is not None], f"list '{name}'", len(row))
    first, played, rested = ([arm[name] for arm in arms] for name in ("start", "played", "rested"))
    if [to is None for to in chain(*played)] != [loss is None for loss in chain(*losses)]:
        raise Refused("An arm has a loss where it goes nowhere, or goes where it has none.")
    numbers, D = in_units(known, meter)
    meter.widen([D])
    whole = iter(numbers)
    costs = [[None if loss is None else next(whole) for loss in row] for row in losses]
    return Arms(len(arms), D, tuple(first), played, rested, costs)
