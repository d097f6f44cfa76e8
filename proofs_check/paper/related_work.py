"""Remarks in the text: how far states are apart, linear memories, and reinforcement learning.

Stated. In the MDP of Lemma 1 it takes at most m timesteps to go from any state to any other. If m is
Omega(T), then by Theorem 2 any player suffers Omega(T) regret. Off-the-shelf RL would incur Omega(K^m)
regret.

Shown. The first holds between states without 0; nothing leads back to a state with a 0. The second holds for
K >= 2 by the threshold of `theorem-2/short-horizons`. The third reads an upper bound that grows with the
number of states as a lower bound; it is no statement about a defined algorithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.paper.lemma_1 import VARIABLES, State, arrives, remains, transition
from proofs_check.paper.theorem_2.short import THRESHOLD_REGRET, threshold_regret
from proofs_check.steps import Verdict, argued, conclusions
from proofs_check.ways.for_all import for_all
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula

if TYPE_CHECKING:
    import networkx as nx

DIAMETER = Formula("m")
LINEAR = Formula("(1 - 1 / K) * min(a, 1 / 2) * T")  # m >= a T


@dataclass(frozen=True)
class Pair:
    """Two states that are farther apart than stated, or not connected."""

    actions: int
    start: State
    end: State

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"K": self.actions, "m": len(self.start), "from": self.start, "to": self.end})

    def confirmed(self) -> bool:
        """By walking on from the first state: the second is never met."""
        return self.end not in _reachable(self.actions, self.start)


@claim(
    "theorem-2/transition-time",
    statement=(
        "In the MDP it takes at most {most} timesteps to transition from any state to any other state: "
        "{stated}."
    ),
    where="Section 4.2, before Theorem 2",
    formulas={
        "most": DIAMETER,
        "stated": "distance <= most",
        "reached": "state(i, most) == target(i)",
        "needed": "implies(0 <= d and d < most, state(1, d) == 1)",
    },
    domain={"memory": "m >= 1", "entry": "1 <= i and i <= m"},
    integers="m i d",
    symbols={
        "distance": "the least number of steps from one state to another",
        "state": "state(i, t), entry i after t steps",
        "target": "target(i), entry i of a state without 0, whose entries are played in turn",
        "i": "an entry",
        "d": "a number of steps from the state (1, .., 1)",
    },
)
def transition_time(request: Request) -> Outcome:
    """Shortest paths between all pairs of states for small K and m, with and without zeros."""
    f = request.formulas
    sizes = [(K, m) for K in (1, 2, 3) for m in (1, 2, 3)]
    unreachable = next(filter(None, (_farther_than(f.stated, K, m, lowest=0) for K, m in sizes)), None)
    within = [_farther_than(f.stated, K, m, lowest=1) for K, m in sizes]
    farthest = {(K, m): _distance(K, m, (1,) * m, (2,) * m) for K, m in sizes if K > 1}
    played, kept = arrives([f.memory]), remains([f.memory], "1")
    enough = for_all(
        f"{VARIABLES}; target(integer) integer",
        given=[
            *(f.memory, f.entry, played.at(u="i", j="m - i")),
            definition("playing the entries", "implies(1 <= i, a(i) == target(i))"),
        ],
        then=f.reached,
        words="after playing the m entries of a state, entry i is the i-th action played",
    )
    fewer = for_all(
        f"{VARIABLES}; d integer",
        given=[f.memory, kept.at(i="1 + d", j="d")],
        then=f.needed,
        words="after fewer steps the first entry is still a 1, and (2, .., 2) is not reached",
    )
    reached, needed = request.show("reached", [played, enough]), request.show("needed", [kept, fewer])
    attained = all(distance == f.most(m=m) for (_, m), distance in farthest.items())
    return request.conclude(
        None,
        method="all pairs of states for K, m <= 3",
        cases=sum((K + 1) ** (2 * m) for K, m in sizes),
        checked_on="K, m = 1..3",
        violation=unreachable,
        tight=Tight(f"{f.most} is attained from (1, .., 1) to (2, .., 2), K >= 2", needed.verdict)
        if attained
        else None,
        repair=Repair(
            f"From any state to any state in X^m it takes at most {f.most} timesteps: play its entries.",
            reached.verdict if not any(within) else Verdict.UNDECIDED,
        ),
    )


@claim(
    "theorem-2/linear-memory",
    statement=(
        "When m is Omega(T), m >= a T, any player suffers Omega(T) worst case CPR (by Theorem 2): {stated}."
    ),
    where="Section 5, rotting bandits",
    formulas={
        "linear": LINEAR,
        "stated": "regret >= linear",
        "threshold": str(THRESHOLD_REGRET.where(theta="min(m, ceil(T / 2))")),
    },
    domain={
        "actions": "K >= 2",
        "memory": "m >= 1",
        "horizon": "T >= 1",
        "share": "a > 0",
        "long": "m >= a * T",
    },
    integers="K m T",
    symbols={"a": "a positive number", "regret": "the expected regret of the player on the worst bandit"},
)
def linear_memory(request: Request) -> Outcome:
    """A threshold that takes T/2 plays to find; exact Bayes regrets on a box."""
    f = request.formulas
    box = [(K, m, T) for K in (2, 3) for m in (1, 2, 3) for T in range(1, 7)]
    met = all(threshold_regret(K, m, T) >= f.threshold(K=K, m=m, T=T) for K, m, T in box)
    hidden = argued(
        "h_x*(y) = 1 for y < theta and 0 from theta = min(m, ceil(T/2)) on, every other loss 1: before step "
        "2 theta at most one action has been played theta times; it is fixed in advance, so it is x* with "
        "probability at most 1/K",
        then=f"regret >= {f.threshold}",
    )
    last = for_all("K m T integer", given=[*request.domain, *conclusions(hidden)], then=f.stated)
    return request.conclude(
        request.show("stated", [hidden, last]) if met else None,
        method="a threshold that takes T/2 plays to find; exact Bayes regrets on a box",
        cases=len(box),
        remarks=(
            f"The exact Bayes regret is at least {f.threshold} for K = 2, 3, m = 1..3, T = 1..6: "
            f"{'yes' if met else 'no'}.",
            "Not by the printed proof of Theorem 2, which assumes m <= T/100; and at m = T its right side c "
            "sqrt(K) T exceeds T, which no regret does, once K > 1/c^2. For K = 1 there is no regret.",
        ),
    )


@claim(
    "lemma-1/reinforcement-learning",
    statement="Off-the-shelf RL methods, which scale with the number of states, would incur Omega(K^m) CPR.",
    where="Sections 3 and 5, reinforcement learning",
)
def reinforcement_learning(request: Request) -> Outcome:
    """Not a statement about a defined algorithm."""
    return request.conclude(
        None,
        method="nothing to check: an upper bound read as a lower bound",
        remarks=(
            "There are K^m states without 0, K^(m-1) suffice (claim lemma-1), and there are only Km losses "
            "to learn.",
            "The bounds cited grow with the number of states, from above. That the regret of such a method "
            "is large on some tallying bandit would need a lower bound for that method.",
        ),
    )


def _graph(actions: int, memory: int, lowest: int) -> nx.DiGraph:
    """The states with entries lowest .. K and the steps between them."""
    import networkx as nx

    states = list(product(range(lowest, actions + 1), repeat=memory))
    return nx.DiGraph([(s, transition(s, i)) for s in states for i in range(1, actions + 1)])


def _farther_than(stated: Formula, actions: int, memory: int, lowest: int) -> Pair | None:
    """The first pair of states that is farther apart than stated; no path is longer than all paths."""
    import networkx as nx

    graph = _graph(actions, memory, lowest)
    for start in sorted(graph, reverse=True):
        distances = nx.single_source_shortest_path_length(graph, start)
        for end in sorted(graph):
            if not stated.holds(m=memory, distance=distances.get(end, len(graph) + memory)):
                return Pair(actions, start, end)
    return None


def _distance(actions: int, memory: int, start: State, end: State) -> int:
    import networkx as nx

    return int(nx.shortest_path_length(_graph(actions, memory, 1), start, end))


def _reachable(actions: int, start: State) -> set[State]:
    """All states after one or more steps, by the transition itself."""
    found: set[State] = set()
    todo = [start]
    while todo:
        for i in range(1, actions + 1):
            state = transition(todo[-1], i)
            if state not in found:
                found.add(state)
                todo.insert(0, state)
        todo.pop()
    return found
