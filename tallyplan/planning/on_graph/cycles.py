"""The minimum mean cycle of a bandit's state graph, by integer Bellman-Ford in the compiled core.

Every policy's long-run mean is that of a cycle of the state graph that it can reach, so lambda* is the least
mean of a cycle. All histories can be reached from everywhere; the states of arms are those that can be
reached from the beginning, by an *opening*. `core/mean_cycle.hpp` has the mathematics, and
`planning.reference` the same in plain Python, for numbers beyond 128 bits. Whichever ran, the potentials are
the least losses beyond the mean on a walk from a state, and they choose the word: the answer is the same.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from tallyplan.answers import MeanCycle
from tallyplan.certificates import Proof
from tallyplan.core import questions as core
from tallyplan.core.library import NoAnswerError, TooWideError
from tallyplan.core.questions import Array, Cycle
from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, silent
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.instance import Bandit
from tallyplan.model.words import least_rotation
from tallyplan.planning import reference
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.states import (
    called,
    explicit,
    graph_of,
    no_play,
    potentials_of,
    require_room,
)
from tallyplan.planning.policies import long_run_policy

LONGEST_TIME = 2**31 - 1  # that the core takes
BYTES_PER_STATE = 6  # of the smallest search: a potential, a mark and the costs of a block


def cycle_on_graph(bandit: Bandit, *, progress: Progress = silent) -> MeanCycle:
    """The minimum mean cycle by sweeps over the state graph, with potentials for every state.

    Raises
    ------
    NoPlay : arms forbid every play that goes on forever.
    """
    found = minimum_mean(bandit, progress)
    least = potentials_of(bandit, found)
    ask = partial(long_run_policy, bandit, found)
    proof = Proof(least.dual, called(bandit))
    return MeanCycle(bandit, least.mean, least.mean, found.word, proof, ask, opening_to(bandit, found.start))


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
        found = cycle_in_python(explicit(bandit))
    if isinstance(bandit, ArmBandit):
        return _from_the_nearest(bandit, found)
    return found._replace(word=least_rotation(found.word))


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


def fits_graph(bandit: Bandit) -> bool:
    """Whether the state graph can be swept in the memory there is."""
    try:
        require_room(bandit, BYTES_PER_STATE)
    except InstanceTooLarge:
        return False
    return True


def cycle_in_python(graph: reference.Graph) -> Cycle:
    """The same for integers of any size.

    Raises
    ------
    NoAnswerError : there is no cycle.
    """
    found = reference.minimum_mean_cycle(graph)
    if found is None:
        raise NoAnswerError
    start, word = found.walk
    potentials = np.array(found.potentials, dtype=object)
    return Cycle(word, start, found.mean.numerator, found.mean.denominator, potentials)


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
        return cycle_in_python(reference.Graph(edges))
