"""The state graph for other tools: DOT and GraphML to look at it, DRN for the model checker Storm.

Losses stay exact: as text `p/q`, which Storm reads as rationals when it computes exactly. A model checker
needs a first state, so that DRN always has the histories of fewer than m - 1 actions, and begins with the
empty one: the least long-run average of `loss` is the minimum mean cycle, and the least expected loss
accumulated in T steps is OPT_T,

    R{"loss"}min=? [ LRA ]        R{"loss"}min=? [ C<=T ]
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.files import AnyPath, write
from tallyplan.model.graph import to_networkx
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import shown, text

if TYPE_CHECKING:
    import networkx as nx

MOST_NODES = 10**6


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
    """The content of such a file.

    >>> from tallyplan.model.families import make
    >>> print(exported(make("round-robin", actions=1), ".dot"))
    digraph "round-robin(actions=1)" {
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
