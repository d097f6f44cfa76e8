"""The state graph: histories as integers, and the integer cost of every edge.

A state is a **history**, the last m - 1 actions; its **code** is the number with those base-K digits,
oldest first. Playing a in state s leads to (sK + a) mod n, n = K^(m-1): the de Bruijn graph (m = 1 has one
state and K loops). Losses are scaled by their common denominator, so that costs are integers.

The graph is written for other tools: DOT and GraphML to look at it, DRN for the model checker Storm. Losses
stay exact there: as text `p/q`, which Storm reads as rationals when it computes exactly. A model checker
needs a first state, so that DRN always has the histories of fewer than m - 1 actions, and begins with the
empty one: the least long-run average of `loss` is the minimum mean cycle, and the least expected loss
accumulated in T steps is OPT_T,

    R{"loss"}min=? [ LRA ]        R{"loss"}min=? [ C<=T ]
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from importlib import import_module
from itertools import chain, islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.limits import require_memory
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.files import AnyPath, write
from tallyplan.model.instance import Bandit, State, TallyingBandit, require_bandit
from tallyplan.model.kinds import WeightedTallyBandit, WindowBandit, integer_tallies
from tallyplan.model.rationals import ceil_div, shown, text
from tallyplan.model.words import Word, last, written

if TYPE_CHECKING:
    import networkx as nx
    import numpy

    np = numpy
else:

    class Numpy:
        """numpy, which takes longer to load than a small plan; it is loaded when something of it is used."""

        def __getattr__(self, name):
            found = getattr(import_module("numpy"), name)
            setattr(self, name, found)
            return found

    np = Numpy()

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

INT32_LIMIT = 2**31 - 1
INT64_LIMIT = 2**63 - 1
BYTES_PER_EDGE = 1000  # of an explicit graph
MOST_NODES = 10**6  # of a graph in a file


def integer_type(bound: int) -> type:
    """The narrowest integer type that holds every number up to `bound` in absolute value.

    >>> integer_type(10**9).__name__, integer_type(10**18).__name__, integer_type(10**19).__name__
    ('int32', 'int64', 'object')
    """
    if bound <= INT32_LIMIT:
        return np.int32
    return np.int64 if bound <= INT64_LIMIT else object


def integers(values: Sequence[int]) -> Array:
    """An array of 64-bit integers, or of objects where these do not suffice."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


@dataclass(frozen=True)
class StateGraph:
    """The implicit graph of an instance, with integer costs `denominator * loss`."""

    bandit: Bandit
    actions: int = field(init=False, repr=False, compare=False)  # K, the number of edges out of every state
    memory: int = field(init=False, repr=False, compare=False)  # m, the length of the window

    def __post_init__(self) -> None:
        object.__setattr__(self, "actions", self.bandit.actions)
        object.__setattr__(self, "memory", self.bandit.memory)

    @cached_property
    def states(self) -> int:
        """n = K^(m-1)."""
        return int(self.actions ** (self.memory - 1))

    @cached_property
    def highest_cost(self) -> int:
        """The largest integer cost of an edge; the smallest is at least 0."""
        if isinstance(self.bandit, TallyingBandit):
            return max(map(max, self.bandit.integers))
        return max(map(self.bandit.scaled, self.bandit.values()))

    def code(self, history: Iterable[int]) -> int:
        """The integer of a history of any length."""
        return reduce(lambda code, action: code * self.actions + action, history, 0)

    def state_of_word(self, word: Sequence[int]) -> int:
        """The state in which the word, repeated forever, begins again."""
        repeated = tuple(word) * ceil_div(self.memory - 1, len(word))
        return self.code(last(repeated, self.memory - 1))

    def window_costs(self, prefix: Word, level: int, dtype: type) -> Array:
        """Costs of all windows (prefix, `level` further actions, current action), shape (K^level, K)."""
        bytes_per_window = np.dtype(dtype).itemsize + 2
        require_memory(self.actions ** (level + 1) * bytes_per_window, "windows", self.actions, level + 1)
        bandit = self.bandit
        if isinstance(bandit, WindowBandit):
            size = self.actions ** (level + 1)
            first = self.code(prefix) * size
            entries = bandit.windows[len(prefix) + level][first : first + size]
            return np.array([*map(bandit.scaled, entries)], dtype=dtype).reshape(-1, self.actions)
        if isinstance(bandit, TallyingBandit | WeightedTallyBandit):
            return self._from_tallies(bandit, prefix, level, dtype)
        raise InvalidInput(f"{type(bandit).__name__} is not a kind of bandit that can be planned.")

    def _from_tallies(
        self, bandit: TallyingBandit | WeightedTallyBandit, prefix: Word, level: int, dtype: type
    ) -> Array:
        weights, rows = integer_tallies(bandit)
        whole = integer_type(sum(map(abs, weights)))
        costs: Array = np.empty((self.actions**level, self.actions), dtype=dtype)
        for action, row in enumerate(rows):
            ages = range(level + len(prefix), level, -1)
            before = (weights[age] for age, x in zip(ages, prefix, strict=True) if x == action)
            tallies: Array = np.array([sum(before, weights[0])], dtype=whole)
            is_action = (np.arange(self.actions) == action).astype(whole)
            for age in range(level, 0, -1):
                tallies = np.add.outer(tallies, is_action * weights[age]).ravel()
            known = sorted(row)
            places = np.searchsorted(np.array(known, dtype=whole), tallies)
            costs[:, action] = np.array([bandit.scaled(row[tally]) for tally in known], dtype=dtype)[places]
        return costs


def number_of_states(bandit: Bandit) -> int:
    """All histories, 1 + K + ... + K^(m-1); or the states that arms can reach."""
    if isinstance(bandit, ArmBandit):
        return len(graph_of_arms(bandit).states)
    return sum(bandit.actions**length for length in range(bandit.memory))


def states_of(bandit: Bandit) -> Iterable[State]:
    """All states: histories by length and then by digits, states of arms in the order of the search."""
    if isinstance(bandit, ArmBandit):
        return graph_of_arms(bandit).states
    return chain.from_iterable(product(range(bandit.actions), repeat=n) for n in range(bandit.memory))


def node_of(bandit: Bandit, state: State) -> int:
    """The position of a state in `states_of`."""
    if isinstance(bandit, ArmBandit):
        return graph_of_arms(bandit).number[state]
    return reduce(lambda node, action: node * bandit.actions + action + 1, state, 0)


def to_networkx(bandit: Bandit, *, short_histories: bool = False, limit: int = 100_000) -> nx.MultiDiGraph:
    """The state graph as a networkx `MultiDiGraph`, for looking at and for other algorithms.

    Parameters
    ----------
    short_histories : also the histories of fewer than m - 1 actions, in which a game begins.
    limit : refuse to build a graph of more nodes.

    Returns
    -------
    Nodes are histories (tuples of actions, oldest first) with a `label`, or the states that the arms of an
    arm bandit reach, in the order of a breadth-first search; the edge of an action has that
    action as its key and carries `action` and `loss`, an exact `Fraction`.

    Examples
    --------
    >>> graph = to_networkx(TallyingBandit([["0", "1"], ["0", "1"]]))
    >>> sorted(graph.edges(data="loss"))[0]
    ((0,), (0,), Fraction(1, 1))
    >>> to_networkx(TallyingBandit([["1/2"], ["0"]])).number_of_edges()  # m = 1: one state, K loops
    2

    See Also
    --------
    tallyplan.minimum_mean_cycle : without a graph in memory.
    tallyplan.minimum_mean_cycle_of : the same question about any graph.
    """
    import networkx as nx

    require_bandit(bandit)
    short = number_of_states(bandit) - bandit.actions ** (bandit.memory - 1) if bandit.memory else 0
    nodes = number_of_states(bandit) - (0 if short_histories else short)
    if nodes > limit:
        raise InvalidInput(
            f"the graph would have {shown(nodes)} nodes; an explicit one is listed for at most {limit}."
        )
    edges = nodes * bandit.actions
    require_memory(BYTES_PER_EDGE * edges, "edges", bandit.actions, bandit.memory or 1)
    graph = nx.MultiDiGraph(name=bandit.name or "bandit")
    for state in islice(states_of(bandit), 0 if short_histories else short, None):
        label = written([(state, 1)], bandit.actions) if bandit.memory else ",".join(map(str, state))
        graph.add_node(state, label=label)
        for action in bandit.allowed(state):
            loss, following = bandit.step(state, action)
            graph.add_edge(state, following, key=action, action=action, loss=loss)
    return graph


# --- files for other tools ----------------------------------------------------------------------------------


def export(bandit: Bandit, path: AnyPath, *, short_histories: bool = False) -> None:
    """Write the state graph in the format that the path names.

    Parameters
    ----------
    short_histories : also the histories of fewer than m - 1 actions; DRN always has them.

    Raises
    ------
    InvalidInput : there is no such format, or the graph has more than a million states.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        guess = did_you_mean(suffix, FORMATS)
        raise InvalidInput(f"{path} ends in {shown(suffix)}{guess} The formats are {', '.join(FORMATS)}.")
    write(path, exported(bandit, suffix, short_histories=short_histories).encode())


def exported(bandit: Bandit, suffix: str, *, short_histories: bool = False) -> str:
    """The content of the file that `export` writes.

    >>> print(exported(TallyingBandit([["0"]], name="one"), ".dot"))
    digraph "one" {
      "empty";
      "empty" -> "empty" [action=0, loss="0/1", label="0: 0/1"];
    }
    <BLANKLINE>
    """
    import networkx as nx

    graph = to_networkx(bandit, short_histories=short_histories or suffix == ".drn", limit=MOST_NODES)
    name = {node: label or "empty" for node, label in graph.nodes(data="label")}
    on_one_line = "".join(c if c.isprintable() else " " for c in bandit.name or "tallying bandit")
    written = nx.MultiDiGraph(name=on_one_line)  # XML has no place for other characters
    written.add_nodes_from((label, {"label": label}) for label in name.values())
    for number, (tail, head, action, loss) in enumerate(graph.edges(keys=True, data="loss")):
        written.add_edge(name[tail], name[head], key=number, id=number, action=action, loss=text(loss))
    return FORMATS[suffix](written)


def _dot(graph: nx.MultiDiGraph) -> str:
    nodes = (f"  {_quoted(node)};" for node in graph)
    edges = (
        f"  {_quoted(tail)} -> {_quoted(head)} "
        f'[action={edge["action"]}, loss="{edge["loss"]}", label="{edge["action"]}: {edge["loss"]}"];'
        for tail, head, edge in graph.edges(data=True)
    )
    return "\n".join([f"digraph {_quoted(graph.name)} {{", *nodes, *edges, "}", ""])


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _graphml(graph: nx.MultiDiGraph) -> str:
    import networkx as nx

    content = io.BytesIO()
    nx.write_graphml(graph, content)
    return content.getvalue().decode()


def _drn(graph: nx.MultiDiGraph) -> str:
    """Storm's explicit format; states in the order of the histories, the shortest first."""
    number = {node: i for i, node in enumerate(graph)}
    lines = ["@type: MDP", "@value_type: rational", "@parameters", "", "@reward_models", "loss"]
    lines += ["@nr_states", str(len(number)), "@nr_choices", str(graph.number_of_edges()), "@model"]
    for node, i in number.items():
        lines.append(f"state {i}{'' if i else ' init'}")
        for _, head, edge in graph.edges(node, data=True):
            lines += [f"\taction {edge['action']} [{edge['loss']}]", f"\t\t{number[head]} : 1"]
    return "\n".join([*lines, ""])


FORMATS = {".dot": _dot, ".graphml": _graphml, ".drn": _drn}
