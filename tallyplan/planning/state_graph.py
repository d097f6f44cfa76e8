"""The state graph of a bandit as the core takes it, and as plain Python does; and its minimum mean cycle.

A state is a history of m - 1 actions, numbered by its code, or what the arms of an arm bandit look like,
numbered by `ArmGraph`. Plans also begin after shorter histories. The core knows these of a tallying bandit;
of the other bandits they are nodes of their own: the empty history is node 0, and action a leads from node i
to node K i + a + 1, up to the histories of m - 1 actions, the last ones in the order of their codes.

Every policy's long-run mean is that of a cycle of the state graph that it can reach, so lambda* is the least
mean of a cycle. All histories can be reached from everywhere; the states of arms are those that can be
reached from the beginning, by an *opening*. `core/mean_cycle.hpp` has the mathematics, and
`planning.reference` the same in plain Python, for numbers beyond 128 bits. Whichever ran, the potentials are
the least losses beyond the mean on a walk from a state, and they choose the word: the answer is the same.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tallyplan.certificates import Potentials, Proof, document
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.core.questions import Cycle, Graph, graph_of_edges, graph_of_table
from tallyplan.errors import NoPlay
from tallyplan.limits import Progress, require_memory
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.graph import Array, StateGraph, integer_type, node_of, np
from tallyplan.model.instance import Bandit, State, TallyingBandit
from tallyplan.model.words import Word, least_rotation
from tallyplan.planning import reference
from tallyplan.planning.effort import tick

LONGEST_TIME = 2**31 - 1  # that the core takes
BYTES_PER_EDGE = 300  # in plain Python


def graph_of(bandit: Bandit, *, short: bool = False) -> Graph:
    """The state graph for the core; `short`: also the histories of fewer than m - 1 actions.

    Raises
    ------
    TooWideError : 128 bits do not suffice.
    """
    if isinstance(bandit, TallyingBandit):
        return graph_of_table(bandit.integers)
    tick()  # the edges of other kinds are listed by Python: with no time for that, none are
    if isinstance(bandit, ArmBandit):
        return _graph_of_arms(bandit)
    require_room(bandit, 40 * bandit.actions)
    graph, levels = StateGraph(bandit), range(0 if short else bandit.memory - 1, bandit.memory)
    kind = integer_type(graph.highest_cost)
    costs: Array = np.concatenate([graph.window_costs((), level, kind).reshape(-1) for level in levels])
    heads = np.arange(1, len(costs) + 1, dtype=np.int32)
    full = graph.states * bandit.actions
    heads[-full:] = (len(costs) - full) // bandit.actions + np.arange(full) % graph.states
    rows = np.arange(0, len(costs) + 1, bandit.actions, dtype=np.int64)
    return graph_of_edges(rows, heads, costs)


@lru_cache(maxsize=4)
def _graph_of_arms(bandit: ArmBandit) -> Graph:
    """A row of K edges for each state; those of actions that may not be played are missing."""
    graph, size = graph_of_arms(bandit), len(graph_of_arms(bandit).states) * bandit.actions
    heads, costs = np.zeros(size, dtype=np.int32), [-1] * size
    for state, row in enumerate(graph.edges):
        for action, to, cost, _ in row:
            heads[state * bandit.actions + action] = to
            costs[state * bandit.actions + action] = cost
    rows = np.arange(0, size + 1, bandit.actions, dtype=np.int64)
    return graph_of_edges(rows, heads, costs)


def explicit(bandit: Bandit, *, short: bool = False) -> reference.Graph:
    """The same for plain Python; of every bandit short histories are nodes of their own."""
    if isinstance(bandit, ArmBandit):
        return reference.Graph(graph_of_arms(bandit).edges)
    require_room(bandit, BYTES_PER_EDGE * bandit.actions)
    return reference.histories(bandit, short=short)


def place_of(bandit: Bandit, state: State) -> Word:
    """A state as the core takes it."""
    return state if isinstance(bandit, TallyingBandit) else (node_of(bandit, state),)


def called(bandit: Bandit) -> str:
    """What people call the states."""
    return "states" if isinstance(bandit, ArmBandit) else "histories"


def require_room(bandit: Bandit, bytes_per_history: int) -> None:
    """Refuse a graph for which there is no memory: InstanceTooLarge."""
    keep = bandit.memory - 1
    require_memory(bytes_per_history * bandit.actions**keep, "histories", bandit.actions, keep)


def potentials_of(bandit: Bandit, found: Cycle) -> Potentials:
    """The potentials of a cycle in units of losses."""
    scale = found.scale * bandit.denominator
    return Potentials(Fraction(found.mean, scale), scale, found.potentials)


def no_play(bandit: ArmBandit, claim: dict[str, Any], sentence: str, proof: Proof | None = None) -> NoPlay:
    """Arms forbid what is asked for: because every walk ends, unless there is another proof."""
    dual = proof.to_json() if proof else {"rule": "longest-walk", "values": graph_of_arms(bandit).longest}
    claim = claim | {"value": None}
    return NoPlay(sentence, document("instance", bandit.to_json(), claim=claim, primal={}, dual=dual))


def minimum_mean(bandit: Bandit, progress: Progress) -> Cycle:
    """A cycle of least mean; of the rotations of its word the first one, or that of the nearest state."""
    if isinstance(bandit, ArmBandit) and graph_of_arms(bandit).longest[0] is not None:
        raise no_play(bandit, {"question": "mean-cycle"}, "no play goes on forever.")

    def told(message: str) -> None:
        progress(f"minimum mean cycle: {message} over {graph.states} {called(bandit)}")

    try:
        graph = graph_of(bandit)
        found = core.cycle(graph, tick, told)
    except TooWideError:
        found = reference.minimum_mean_cycle(explicit(bandit))
    if isinstance(bandit, ArmBandit):
        return _from_the_nearest(bandit, found)
    return Cycle(least_rotation(found.word), *found[1:])


def _from_the_nearest(bandit: ArmBandit, cycle: Cycle) -> Cycle:
    """The cycle from the one of its states that was found first."""
    node, nodes, edges = cycle.start, list[int](), graph_of_arms(bandit).edges
    for action in cycle.word:
        nodes.append(node)
        node = next(edge.to for edge in edges[node] if edge.action == action)
    at = nodes.index(min(nodes))
    return cycle._replace(start=nodes[at], word=cycle.word[at:] + cycle.word[:at])


def opening_to(bandit: Bandit, state: int) -> tuple[int, ...]:
    """What arms play to come to a state; histories come to the same losses from everywhere."""
    return graph_of_arms(bandit).way_to(state) if isinstance(bandit, ArmBandit) else ()


def cycle_of_listed(rows: Array, heads: Array, costs: Array, times: Array | None, told: Progress) -> Cycle:
    """The cycle of least cost per time of a listed graph, whose word has places in the rows of its nodes.

    The edges of node s are rows[s], ..., rows[s + 1] - 1. Costs are not negative, times are positive (None:
    each is 1); arrays of objects hold integers of any size.

    Raises
    ------
    NoAnswerError : there is no cycle.
    """
    tick()
    try:
        if times is not None and times.max() > LONGEST_TIME:
            raise TooWideError
        taken = None if times is None else times.astype(np.int32)
        return core.cycle(core.graph_of_edges(rows, heads.astype(np.int32), costs, taken), tick, told)
    except TooWideError:
        taken = np.ones_like(costs) if times is None else times
        ends = list(zip(heads.tolist(), costs.tolist(), taken.tolist(), strict=True))
        edges = [
            [reference.Edge(place, *edge) for place, edge in enumerate(ends[first:last])]
            for first, last in pairwise(rows.tolist())
        ]
        return reference.minimum_mean_cycle(reference.Graph(edges))
