"""Remarks in the text: how far states are apart, linear memories, and reinforcement learning.

Stated. In the MDP of Lemma 1 it takes at most m timesteps to go from any state to any other. If m is
Omega(T), then by Theorem 2 any player suffers Omega(T) regret. Off-the-shelf RL would incur Omega(K^m)
regret.

Shown. The first holds between states without 0; nothing leads back to a state with a 0. The second holds for
K >= 2 by the threshold of `theorem-2/short-horizons`. The third reads an upper bound that grows with the
number of states as a lower bound; it is no statement about a defined algorithm.
"""

from __future__ import annotations

from itertools import product
from math import inf
from typing import TYPE_CHECKING

from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.paper.lemma_1 import State, transition
from proofs_check.paper.theorem_2.short import THRESHOLD_REGRET, threshold_regret, threshold_steps
from proofs_check.steps import Verdict
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula

if TYPE_CHECKING:
    import networkx as nx

DIAMETER = Formula("m")
LINEAR = Formula("(1 - 1 / K) * min(a, 1 / 2) * T")  # m >= a T


@claim(
    "theorem-2/transition-time",
    statement=f"In the MDP it takes at most {DIAMETER} timesteps to transition from any state to any other "
    "state.",
    where="Section 4.2, before Theorem 2",
)
def transition_time(request: Request) -> Outcome:
    """Shortest paths between all pairs of states for small K and m, with and without zeros."""
    sizes = [(K, m) for K in (1, 2, 3) for m in (1, 2, 3)]
    unreachable = next(((K, m, pair) for K, m in sizes if (pair := _farther_than(K, m, lowest=0))), None)
    within = {(K, m): _farther_than(K, m, lowest=1) for K, m in sizes}
    needed = all(_distance(K, m, (1,) * m, (2,) * m) == m for K, m in sizes if K > 1)
    step = for_all(
        "i m integer",
        given=["1 <= i", "i <= m"],
        then="m + i - m == i",
        words="after playing the m entries of a state without 0, entry i is the i-th action played",
    )
    return Outcome(
        after_search(unreachable, lambda case: case[2][1] not in _reachable(case[0], case[2][0])),
        "states without 0, that is, X^m",
        Evidence("all pairs of states for K, m <= 3", sum((K + 1) ** (2 * m) for K, m in sizes), (step,)),
        witness=Witness(
            {"K": unreachable[0], "m": unreachable[1], "from": unreachable[2][0], "to": unreachable[2][1]}
        )
        if unreachable
        else None,
        tight=Tight(f"{DIAMETER} is attained from (1, .., 1) to (2, .., 2), K >= 2", by_proof([step]))
        if needed
        else None,
        repair=Repair(
            f"From any state to any state in X^m it takes at most {DIAMETER} timesteps: play its entries.",
            by_proof([step]) if not any(within.values()) else Verdict.UNDECIDED,
        ),
    )


@claim(
    "theorem-2/linear-memory",
    statement="When m is Omega(T), any player suffers Omega(T) worst case CPR (by Theorem 2).",
    where="Section 5, rotting bandits",
)
def linear_memory(request: Request) -> Outcome:
    """The threshold construction of theorem-2/short-horizons, for m >= a T and all T."""
    box = [(K, m, T) for K in (2, 3) for m in (1, 2, 3) for T in range(1, 7)]
    met = all(threshold_regret(K, m, T) >= THRESHOLD_REGRET(K=K, theta=min(m, -(-T // 2))) for K, m, T in box)
    steps = [
        *threshold_steps()[:3],
        for_all(
            "a m T half theta K real",
            given=["a > 0", "T >= 1", "m >= a * T", "2 * half >= T", "theta == min(m, half)", "K >= 2"],
            then=f"{THRESHOLD_REGRET} >= {LINEAR}",
            words=f"for m >= a T and theta = min(m, ceil(T/2)): {THRESHOLD_REGRET} >= {LINEAR}",
        ),
    ]
    return Outcome(
        by_proof(steps) if met else Verdict.UNDECIDED,
        "K >= 2, every T (for K = 1 there is no regret)",
        Evidence(
            "a threshold that takes T/2 plays to find, step by step; exact Bayes regrets on a box",
            len(box),
            (
                *steps,
                "Not by the printed proof of Theorem 2, which assumes m <= T/100; and at m = T its right "
                "side c sqrt(K) T exceeds T, which no regret does, once K > 1/c^2.",
            ),
        ),
        tight=Tight(f"E[CPR] >= {LINEAR} for m >= a T, K >= 2", by_proof(steps)) if met else None,
    )


@claim(
    "lemma-1/reinforcement-learning",
    statement="Off-the-shelf RL methods, which scale with the number of states, would incur Omega(K^m) CPR.",
    where="Sections 3 and 5, reinforcement learning",
)
def reinforcement_learning(request: Request) -> Outcome:
    """Not a statement about a defined algorithm; count the states and the numbers to be learnt."""
    sizes = [(K, m) for K in (1, 2, 3) for m in (1, 2, 3)]
    states = {(K, m): len(list(product(range(1, K + 1), repeat=m))) for K, m in sizes}
    right = all(count == K**m for (K, m), count in states.items())
    return Outcome(
        Verdict.UNDECIDED,
        "none",
        Evidence(
            "nothing to check: an upper bound read as a lower bound",
            len(sizes),
            (
                f"There are K^m states without 0 (counted for K, m <= 3: {'yes' if right else 'no'}), "
                "K^(m-1) suffice (claim lemma-1), and there are only Km losses to learn.",
                "The bounds cited grow with the number of states, from above. That the regret of such a "
                "method is large on some tallying bandit would need a lower bound for that method.",
            ),
        ),
    )


def _graph(actions: int, memory: int, lowest: int) -> nx.DiGraph:
    """The states with entries lowest .. K and the steps between them."""
    import networkx as nx

    states = list(product(range(lowest, actions + 1), repeat=memory))
    return nx.DiGraph([(s, transition(s, i)) for s in states for i in range(1, actions + 1)])


def _farther_than(actions: int, memory: int, lowest: int) -> tuple[State, State] | None:
    """The first pair of states that is farther apart than stated, or not connected."""
    import networkx as nx

    graph = _graph(actions, memory, lowest)
    for start in sorted(graph, reverse=True):
        distances = nx.single_source_shortest_path_length(graph, start)
        for end in sorted(graph):
            if distances.get(end, inf) > DIAMETER(m=memory):
                return start, end
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
