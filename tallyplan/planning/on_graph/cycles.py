"""The minimum mean cycle of a bandit's state graph, by integer Bellman-Ford in the compiled core.

Every policy's long-run mean is that of a cycle of the state graph, so lambda* is the least mean of a cycle.
`core/mean_cycle.hpp` has the mathematics, and `planning.reference` the same in plain Python, for numbers
beyond 128 bits. Whichever ran, the potentials are the least losses beyond the mean on a walk from a history,
and they choose the word: the answer is the same.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise

import numpy as np

from tallyplan.answers import MeanCycle
from tallyplan.certificates import Potentials, Proof
from tallyplan.core.cycles import Cycle, cycle_of_rows, cycle_of_table
from tallyplan.core.library import Array, NoAnswerError, TooWideError, numbers, signed_numbers
from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, require_memory, silent
from tallyplan.model.graph import StateGraph, integer_type, integers
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.words import Word, least_rotation
from tallyplan.planning import reference
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.long_run_policy import long_run_policy

LONGEST_TIME = 2**31 - 1  # that the core takes
BYTES_PER_STATE = 6  # of the smallest search: a potential, a mark and the costs of a block


def cycle_on_graph(bandit: Bandit, *, progress: Progress = silent) -> MeanCycle:
    """The minimum mean cycle by sweeps over the state graph, with potentials for every history.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    word, found = minimum_mean(StateGraph(bandit), progress)
    ask = partial(long_run_policy, bandit, found.mean, word)
    return MeanCycle(bandit, found.mean, found.mean, word, Proof(found.dual), ask)


def minimum_mean(graph: StateGraph, progress: Progress) -> tuple[Word, Potentials]:
    """A word of least mean, and the potentials that prove it."""
    _require_room(graph)
    try:
        found = _in_the_core(graph, progress)
    except TooWideError:
        found = cycle_in_python(reference.histories(graph.bandit))
    scale = found.scale * graph.denominator
    return least_rotation(found.word), Potentials(Fraction(found.mean, scale), scale, found.potentials)


def fits_graph(bandit: Bandit) -> bool:
    """Whether the state graph can be swept in the memory there is."""
    try:
        _require_room(StateGraph(bandit))
    except InstanceTooLarge:
        return False
    return True


def _require_room(graph: StateGraph) -> None:
    require_memory(
        BYTES_PER_STATE * graph.states, actions=graph.actions, length=graph.memory - 1, what="histories"
    )


def _in_the_core(graph: StateGraph, progress: Progress) -> Cycle:
    def told(message: str) -> None:
        progress(f"minimum mean cycle: {message} over {graph.states} histories")

    if isinstance(graph.bandit, TallyingBandit):
        return cycle_of_table(graph.bandit.integers, graph.highest_cost, tick, told)
    tick()  # the edges of other kinds are listed by Python: with no time for that, none are
    costs = graph.edge_costs(integer_type(graph.highest_cost)).reshape(-1)
    rows = np.arange(0, costs.size + 1, graph.actions, dtype=np.int64)
    heads = (np.arange(costs.size, dtype=np.int64) % graph.states).astype(np.int32)
    return cycle_of_rows(rows, heads, numbers(costs.tolist(), graph.highest_cost), tick, told)


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
        return cycle_of_rows(rows, heads.astype(np.int32), signed_numbers(costs), tick, told, taken)
    except TooWideError:
        taken = np.ones_like(costs) if times is None else times
        ends = list(zip(heads.tolist(), costs.tolist(), taken.tolist(), strict=True))
        edges = [
            [reference.Edge(place, *edge) for place, edge in enumerate(ends[first:last])]
            for first, last in pairwise(rows.tolist())
        ]
        return cycle_in_python(reference.Graph(edges))


def least_cycle(graph: reference.Graph, told: Progress) -> reference.Cycle:
    """The cycle of least mean of a graph whose costs are not negative.

    Raises
    ------
    NoAnswerError : there is no cycle.
    """
    edges = [edge for row in graph.edges for edge in row]
    rows = np.array(list(accumulate(map(len, graph.edges), initial=0)), dtype=np.int64)
    heads, costs = integers([edge.to for edge in edges]), integers([edge.cost for edge in edges])
    found = cycle_of_listed(rows, heads, costs, None, told)
    node, word = found.start, list[int]()
    for place in found.word:
        edge = graph.edges[node][place]
        node = edge.to
        word.append(edge.action)
    mean = Fraction(found.mean, found.scale)
    return reference.Cycle(mean, found.potentials.tolist(), (found.start, tuple(word)))
