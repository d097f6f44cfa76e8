"""The state graph for other tools: DOT, GraphML and GEXF to look at it, DRN and PRISM for model checkers.

Losses stay exact: as text `p/q`, which Storm and PRISM read as rationals when they compute exactly. A model
checker needs a first state, so that DRN and PRISM always have the histories of fewer than m - 1 actions, and
begin with the empty one: the least long-run average of `loss` is the minimum mean cycle, and the least
expected loss accumulated in T steps is OPT_T,

    R{"loss"}min=? [ LRA ]        R{"loss"}min=? [ C<=T ]

The other formats list states and edges. PRISM's language writes the model as a rule: m - 1 variables hold the
last actions (K: none yet), and a tallying bandit of any memory takes K * m lines for its losses.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.arms import ArmBandit
from tallyplan.model.files import AnyPath, write
from tallyplan.model.graph import states_of, to_networkx
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.kinds import WeightedTallyBandit, WindowBandit, integer_tallies
from tallyplan.model.rationals import shown, text

if TYPE_CHECKING:
    import networkx as nx

FORMATS = (".dot", ".graphml", ".gexf", ".drn", ".prism")
MOST_NODES = 10**6
MOST_LINES = 10**6  # of a PRISM model
MOST_TERMS = 10**7  # of all its tallies


def export(bandit: Bandit, path: AnyPath, *, short_histories: bool = False) -> None:
    """Write the state graph in the format that the path names.

    Parameters
    ----------
    short_histories : also the histories of fewer than m - 1 actions; DRN and PRISM always have them.

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

    >>> print(exported(TallyingBandit([["1/3"], ["1/2"]]), ".prism"))
    // tallying bandit: 2 actions, memory 1
    mdp
    <BLANKLINE>
    module bandit
      nothing : [0..0];
      [a0] true -> true;
      [a1] true -> true;
    endmodule
    <BLANKLINE>
    rewards "loss"
      [a0] 1 = 1 : 1/3;
      [a1] 1 = 1 : 1/2;
    endrewards
    <BLANKLINE>
    """
    if suffix == ".prism":
        return _prism_of_arms(bandit) if isinstance(bandit, ArmBandit) else _prism(bandit)
    graph = _as_text(
        to_networkx(bandit, short_histories=short_histories or suffix == ".drn", limit=MOST_NODES)
    )
    graph.name = _called(bandit)
    return {".dot": _dot, ".graphml": _graphml, ".gexf": _gexf, ".drn": _drn}[suffix](graph)


def _as_text(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """The same graph, histories and losses as text; the empty history has a name, which is no word."""
    import networkx as nx

    name = {node: label or "empty" for node, label in graph.nodes(data="label")}
    written = nx.MultiDiGraph()
    written.add_nodes_from((label, {"label": label}) for label in name.values())
    for number, (tail, head, action, loss) in enumerate(graph.edges(keys=True, data="loss")):
        written.add_edge(name[tail], name[head], key=number, id=number, action=action, loss=text(loss))
    return written


def _dot(graph: nx.MultiDiGraph) -> str:
    nodes = (f"  {_quoted(node)};" for node in graph)
    edges = (
        f"  {_quoted(tail)} -> {_quoted(head)} "
        f'[action={edge["action"]}, loss="{edge["loss"]}", label="{edge["action"]}: {edge["loss"]}"];'
        for tail, head, edge in graph.edges(data=True)
    )
    return "\n".join([f"digraph {_quoted(graph.name)} {{", *nodes, *edges, "}", ""])


def _graphml(graph: nx.MultiDiGraph) -> str:
    import networkx as nx

    content = io.BytesIO()
    nx.write_graphml(graph, content)
    return content.getvalue().decode()


def _gexf(graph: nx.MultiDiGraph) -> str:
    import networkx as nx

    content = "\n".join([*nx.generate_gexf(graph), ""])
    return re.sub(r' lastmodifieddate="[^"]*"', "", content)  # the same graph is the same file


def _called(bandit: Bandit) -> str:
    """A name on one line, without characters that XML has no place for."""
    return "".join(c if c.isprintable() else " " for c in bandit.name or "tallying bandit")


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


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


def _prism(bandit: Bandit) -> str:
    """A module with a variable for each of the last m - 1 actions, and a reward for each loss."""
    K, kept = bandit.actions, bandit.memory - 1
    if not isinstance(bandit, WindowBandit) and K * bandit.memory**2 > MOST_TERMS:
        raise InvalidInput(
            f"the model would have {K} * {bandit.memory}^2 terms; at most {MOST_TERMS} are written."
        )
    variables = [f"  h{j} : [0..{K}] init {K};" for j in range(1, kept + 1)] or ["  nothing : [0..0];"]
    commands = (f"  [a{x}] true -> {_shift(kept, x)};" for x in range(K))
    losses = (f"  [a{x}] {where} : {text(loss)};" for x, where, loss in _prism_losses(bandit))
    about = f"// {_called(bandit)}: {K} actions, memory {bandit.memory}"
    last = f"// h1 .. h{kept}: the last {kept} actions, oldest first; {K}: none yet"
    module = ["mdp", "", "module bandit", *variables, *commands, "endmodule", ""]
    return "\n".join([about, *([last] if kept else []), *module, 'rewards "loss"', *losses, "endrewards", ""])


def _prism_of_arms(bandit: ArmBandit) -> str:
    """A module for each arm, which move together: by [ax] arm x as it is played, all others as they rest."""
    lines, losses = [f"// {_called(bandit)}: {bandit.size}", "mdp", ""], ['rewards "loss"']
    for x, arm in enumerate(bandit.arms):
        lines += [f"module arm{x}", f"  s{x} : [0..{max(1, len(arm.losses) - 1)}] init {arm.start};"]
        for action in range(bandit.actions):
            moves = enumerate(arm.played if action == x else arm.rested)
            lines += [f"  [a{action}] s{x}={i} -> (s{x}'={j});" for i, j in moves if j is not None]
        lines += ["endmodule", ""]
        losses += [f"  [a{x}] s{x}={i} : {text(v)};" for i, v in enumerate(arm.losses) if v is not None]
    return "\n".join([*lines, *losses, "endrewards", ""])


def _shift(kept: int, action: int) -> str:
    moved = [f"(h{j}'=h{j + 1})" for j in range(1, kept)] + ([f"(h{kept}'={action})"] if kept else [])
    return " & ".join(moved) or "true"


def _prism_losses(bandit: Bandit) -> Iterator[tuple[int, str, Fraction]]:
    """(action, condition on the last actions, loss)."""
    if not isinstance(bandit, TallyingBandit | WeightedTallyBandit):
        yield from _by_window(bandit)
        return
    (now, *before), rows = integer_tallies(bandit)
    for x, row in enumerate(rows):
        plays = (f"(h{j}={x}?{weight}:0)" for j, weight in enumerate(reversed(before), start=1))
        tally = " + ".join([str(now), *plays])
        yield from ((x, f"{tally} = {y}", loss) for y, loss in row.items())


def _by_window(bandit: Bandit) -> Iterator[tuple[int, str, Fraction]]:
    lines = sum(bandit.actions**length for length in range(1, bandit.memory + 1))
    if lines > MOST_LINES:
        raise InvalidInput(f"the model would have {lines} losses; at most {MOST_LINES} are written.")
    for history in states_of(bandit):
        held = (*(bandit.actions,) * (bandit.memory - 1 - len(history)), *history)
        where = " & ".join(f"h{j}={x}" for j, x in enumerate(held, start=1)) or "true"
        yield from ((x, where, bandit.loss((*history, x))) for x in range(bandit.actions))
