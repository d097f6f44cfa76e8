"""Arms that are automata: the graph of the states that they can reach, and what plays lose there.

A state has a state of each arm. States are numbered in the order of a breadth-first search from the first
one, actions in order; nothing of the graph is listed in a certificate.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Any

from .problem import Edges, Goal, in_units
from .reading import Meter, Refused, array, choices, fields, rational, typed
from .replay import read_runs

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
                for action in range(self.K):
                    if (move := self.step(state, action)) is not None:
                        if move[1] not in number:
                            number[move[1]] = len(states)
                            states.append(move[1])
                        edges.append((s, number[move[1]], move[0]))
            tails, heads, costs = zip(*edges, strict=True) if edges else ((), (), ())
            self.known.append((number, (tails, heads, costs)))
        return self.known[0]

    def states(self, meter: Meter) -> int:
        """The number of states that can be reached."""
        return len(self.graph(meter)[0])

    def edges(self, meter: Meter) -> Iterator[Edges]:
        """All of them at once."""
        yield self.graph(meter)[1]

    def after(self, start: Sequence[int], meter: Meter) -> int:
        """The number of the state after these actions."""
        return self.graph(meter)[0][self.play(self.first, start, meter)[1]]


def read(found: dict[str, Any], meter: Meter) -> Arms:
    """The arms of an instance."""
    arms = array(fields(found, "instance", {"arms"}, {"name", "units"})["arms"], "list of arms")
    first, moves, losses = (
        list[int](),
        {"played": list[Entries](), "rested": list[Entries]()},
        list[Entries](),
    )
    for arm in arms:
        fields(arm, "arm", {"start", "played", "rested", "losses"})
        listed = array(arm["losses"], "list of losses")
        losses.append([None if loss is None else rational(loss, "loss") for loss in listed])
        first += choices([arm["start"]], "start of an arm", len(losses[-1]))
        for name, rows in moves.items():
            rows.append(array(arm[name], f"list '{name}'", len(losses[-1])))
            choices([to for to in rows[-1] if to is not None], f"list '{name}'", len(losses[-1]))
    known = [loss for loss in chain(*losses) if loss is not None]
    if not arms or any(not 0 <= loss <= 1 for loss in known):
        raise Refused("The instance has no arms, or a loss outside [0, 1].")
    if [to is None for to in chain(*moves["played"])] != [loss is None for loss in chain(*losses)]:
        raise Refused("An arm has a loss where it goes nowhere, or goes where it has none.")
    numbers, D = in_units(known, meter)
    meter.widen([D])
    whole = iter(numbers)
    costs = [[None if loss is None else next(whole) for loss in row] for row in losses]
    return Arms(len(arms), D, tuple(first), moves["played"], moves["rested"], costs)


def attain(goal: Goal, value: Fraction, proof: object, meter: Meter) -> None:
    """Refuse unless what the primal side plays loses exactly `value`, per step or in total."""
    if typed(proof, dict, "primal side").get("rule") != "replay" or _lost(goal, proof, meter) != value:
        raise Refused("The primal side does not replay to the claimed value.")


def _lost(goal: Goal, proof: object, meter: Meter) -> Fraction:
    arms = goal.problem
    if goal.horizon is not None:
        runs = read_runs(goal, fields(proof, "primal side", {"rule", "runs"})["runs"])
        return Fraction(_total(arms, arms.play(arms.first, goal.start, meter)[1], runs, meter), arms.D)
    found = fields(proof, "primal side", {"rule", "opening", "word"})
    _, state = arms.play(arms.first, choices(found["opening"], "opening", arms.K), meter)
    word = choices(array(found["word"], "word", goal.period), "word", arms.K, 1)
    cost, after = arms.play(state, word, meter)
    if after != state:
        raise Refused("The word of the primal side does not bring the arms back to where they were.")
    return Fraction(cost, len(word) * arms.D)


def _total(arms: Arms, state: State, runs: list[tuple[list[int], int]], meter: Meter) -> int:
    """The cost of the runs; once a word begins in a state in which it began before, its turns come round."""
    total = 0
    for word, repeats in runs:
        seen, costs = dict[State, int](), list[int]()
        while state not in seen and len(costs) < repeats:
            meter.fit(len(seen) * arms.K)
            seen[state] = len(costs)
            cost, state = arms.play(state, word, meter)
            costs.append(cost)
        total += sum(costs)
        if left := repeats - len(costs):
            rounds, more = divmod(left, len(costs) - seen[state])
            total += rounds * sum(costs[seen[state] :]) + sum(costs[seen[state] :][:more])
            state = list(seen)[seen[state] + more]
    return total
