"""The Python libraries as peers: `libraries.py NAME` answers many lines, each with a JSON object.

graph n e TAIL HEAD WEIGHT TIME ...     the least ratio of weight to time of a cycle, null without one
bandit LENGTH K m D ENTRY ...           a question about a tallying bandit and so many steps or actions
"""

import json
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

Edges = list[tuple[int, int, int, int]]
Search = Callable[[int, int], list[int] | None]
History = tuple[int, ...]


@dataclass(frozen=True)
class Bandit:
    """A tallying bandit with integer losses."""

    memory: int
    table: tuple[tuple[int, ...], ...]

    def steps(self, history: History) -> list[tuple[int, History]]:
        """By action, the loss and the history after it, of at most m - 1 actions."""
        windows = [(*history, action) for action in range(len(self.table))]
        losses = (self.table[window[-1]][window.count(window[-1]) - 1] for window in windows)
        return [
            (loss, window[max(0, len(window) - self.memory + 1) :])
            for loss, window in zip(losses, windows, strict=True)
        ]

    def histories(self, *lengths: int) -> list[History]:
        """All of these lengths."""
        return [h for length in lengths for h in product(range(len(self.table)), repeat=length)]


def lowered(edges: Edges, negative_cycle: Search) -> Fraction | None:
    """Lower the ratio S/l until `negative_cycle(l, S)` finds no negative cycle under l*weight - S*time."""
    total, length, found = max(0, *(weight for *_, weight, _ in edges)) + 1, 1, False
    while (cycle := negative_cycle(length, total)) is not None:
        of = cheapest(edges, length, total)
        steps = [of[pair] for pair in zip(cycle, [*cycle[1:], cycle[0]], strict=True)]
        sums, time = (sum(column) for column in zip(*steps, strict=True))
        if sums * length >= total * time:
            raise ValueError("the cycle that the library calls negative is not.")
        total, length, found = sums, time, True
    return Fraction(total, length) if found else None


def cheapest(edges: Edges, length: int, total: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Of parallel edges the weight and time of the one that costs least at this ratio."""
    found = dict[tuple[int, int], tuple[int, int]]()
    for tail, head, weight, time in sorted(edges, key=lambda edge: total * edge[3] - length * edge[2]):
        found[tail, head] = weight, time  # the least comes last
    return found


def networkx(nodes: int, edges: Edges) -> Fraction | None:
    import networkx as nx

    def negative_cycle(length: int, total: int) -> list[int] | None:
        graph = nx.DiGraph()
        for (tail, head), (weight, time) in cheapest(edges, length, total).items():
            graph.add_edge(tail, head, weight=length * weight - total * time)
        graph.add_weighted_edges_from((-1, node, 0) for node in range(nodes))  # first, loops would count
        try:
            cycle: list[int] = nx.find_negative_cycle(graph, -1)[:-1]
        except nx.NetworkXError as error:
            if str(error) != "No negative cycles detected.":
                raise  # it sometimes detects a cycle and then cannot find it
            return None
        return cycle

    return lowered(edges, negative_cycle)


def rustworkx(nodes: int, edges: Edges) -> Fraction | None:
    import rustworkx as rx

    graph: Any = rx.PyDiGraph(multigraph=True)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(tail, head, numbers) for tail, head, *numbers in edges])

    def negative_cycle(length: int, total: int) -> list[int] | None:
        def cost(numbers: list[int]) -> float:
            return float(length * numbers[0] - total * numbers[1])

        try:
            cycle = list(rx.find_negative_cycle(graph, cost))
        except ValueError:
            return None
        return cycle[:-1] if len(cycle) > 1 and cycle[0] == cycle[-1] else cycle

    return lowered(edges, negative_cycle)


def highs(nodes: int, edges: Edges) -> float | None:
    """The largest w with weight + phi(head) - phi(tail) >= w * time on every edge, weights scaled."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    tails, heads, weights, times = map(np.array, zip(*edges, strict=True))
    widest = max(1, int(np.abs(weights).max()))
    rows = np.arange(len(edges))
    entries = [np.ones(len(edges)), -np.ones(len(edges)), times.astype(float)]
    columns = [tails, heads, np.full(len(edges), nodes)]
    shape = (len(edges), nodes + 1)
    matrix = csr_matrix((np.concatenate(entries), (np.tile(rows, 3), np.concatenate(columns))), shape=shape)
    objective = np.zeros(nodes + 1)
    objective[-1] = -1.0
    result = linprog(objective, A_ub=matrix, b_ub=weights / widest, bounds=(None, None), method="highs")
    if result.status in (3, 4):  # unbounded, or perhaps infeasible, which it is not: w = -10^9 is feasible
        return None
    if result.status != 0:
        raise ValueError(result.message)
    return float(-result.fun) * widest


def storm(nodes: int, edges: Edges) -> Fraction:
    """The least long-run average reward of the graph as an MDP, in rational arithmetic; no times."""
    import stormpy

    leaving: dict[int, list[str]] = {state: [] for state in range(nodes)}
    for tail, head, weight, _ in edges:
        leaving[tail].append(f"\taction {len(leaving[tail])} [{weight}]\n\t\t{head} : 1\n")
    states = [f"state {state}{'' if state else ' init'}\n{''.join(rows)}" for state, rows in leaving.items()]
    opening = "@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\ncost\n"
    sizes = f"@nr_states\n{nodes}\n@nr_choices\n{len(edges)}\n@model\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "states.drn")
        path.write_text(opening + sizes + "".join(states), encoding="ascii")
        model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    question = stormpy.parse_properties('R{"cost"}min=? [ LRA ]')[0]
    exact = stormpy.environments.exact()
    result = stormpy.model_checking(model, question, only_initial_states=True, environment=exact)
    return Fraction(str(result.get_value(0)))


def layered(bandit: Bandit, steps: int, starts: Iterable[History]) -> Any:
    """The graph of (step, history) for so many steps."""
    import networkx as nx

    graph = nx.DiGraph()
    layer = set(starts)
    for step in range(steps):
        moves = [(history, loss, after) for history in layer for loss, after in bandit.steps(history)]
        graph.add_weighted_edges_from(((step, h), (step + 1, after), loss) for h, loss, after in moves)
        layer = {after for _, _, after in moves}
    return graph


def dijkstra_steps(bandit: Bandit, horizon: int) -> Fraction:
    """The least loss of T steps from the empty history, by networkx's Dijkstra."""
    import networkx as nx

    distances = nx.single_source_dijkstra_path_length(layered(bandit, horizon, [()]), (0, ()))
    return Fraction(min(distance for (step, _), distance in distances.items() if step == horizon))


def dijkstra_words(bandit: Bandit, period: int) -> Fraction:
    """The least loss per step of a word of L actions repeated forever, by networkx's Dijkstra."""
    import networkx as nx

    histories = bandit.histories(bandit.memory - 1)
    graph = layered(bandit, period, histories)
    walks = (nx.single_source_dijkstra_path_length(graph, (0, h)).get((period, h)) for h in histories)
    return Fraction(min(walk for walk in walks if walk is not None), period)


def quantecon_steps(bandit: Bandit, horizon: int) -> float:
    """The least loss of T steps by the Bellman operator of QuantEcon's DiscreteDP, in floats."""
    import numpy as np
    from quantecon.markov import DiscreteDP
    from scipy.sparse import csr_matrix

    number = {history: i for i, history in enumerate(bandit.histories(*range(bandit.memory)))}
    edges = [(i, x, *step) for history, i in number.items() for x, step in enumerate(bandit.steps(history))]
    states, actions, losses, after = zip(*edges, strict=True)
    heads, places = [number[history] for history in after], np.arange(len(edges) + 1)
    transitions = csr_matrix((np.ones(len(edges)), heads, places), shape=(len(edges), len(number)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "infinite horizon methods are disabled with beta = 1"
        process = DiscreteDP(-np.array(losses, float), transitions, 1.0, np.array(states), np.array(actions))
    values = np.zeros(len(number))
    for _ in range(horizon):
        values = process.bellman_operator(values)
    return float(-values[0])


ON_GRAPHS: dict[str, Callable[[int, Edges], Fraction | float | None]] = {
    "networkx": networkx,
    "rustworkx": rustworkx,
    "highs": highs,
    "storm": storm,
}
ON_BANDITS: dict[str, Callable[[Bandit, int], Fraction | float]] = {
    "networkx-steps": dijkstra_steps,
    "networkx-words": dijkstra_words,
    "quantecon-steps": quantecon_steps,
}


def answer(name: str, words: list[str]) -> Fraction | float | None:
    """What the library says to one line."""
    numbers = list(map(int, words[1:]))
    if words[0] == "graph":
        edges = list(zip(*(numbers[2 + i :: 4] for i in range(4)), strict=True))
        return ON_GRAPHS[name](numbers[0], edges)
    length, actions, memory, denominator, *entries = numbers
    rows = tuple(tuple(entries[x * memory : (x + 1) * memory]) for x in range(actions))
    return ON_BANDITS[name](Bandit(memory, rows), length) / denominator


def main() -> None:
    for line in sys.stdin:
        try:
            value = answer(sys.argv[1], line.split())
            said = {"value": None if value is None else str(value)}
        except Exception as error:  # whatever a library raises is its answer, and is counted as such
            said = {"failed": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
