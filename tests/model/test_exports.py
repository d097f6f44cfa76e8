"""The state graph in the formats of other tools: exact, complete, and read back by them."""

import io
import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits

from tallyplan import (
    InstanceTooLarge,
    InvalidInput,
    TallyingBandit,
    limits,
    make,
    minimum_mean_cycle,
    optimal_plan,
    replay,
    to_networkx,
)
from tallyplan.model.exports import export, exported
from tallyplan.model.weighted_graph import WeightedGraph
from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of

KINDS = [
    make("uniform", actions=2, memory=3),
    make("uniform", actions=3, memory=2, seed=2),
    make("uniform", actions=2, memory=1),
    make("uniform", actions=1, memory=3),
    make("weighted-recency", actions=2, memory=3),
    make("counterexample-2", memory=3),
]


def edges_of(bandit, short_histories):
    """(history, following history, action, loss), histories as text."""
    graph = to_networkx(bandit, short_histories=short_histories)
    label = dict(graph.nodes(data="label"))
    return sorted(
        (label[tail] or "empty", label[head] or "empty", action, loss)
        for tail, head, action, loss in graph.edges(keys=True, data="loss")
    )


@settings(max_examples=12, deadline=None)
@given(bandits(), st.booleans())
def test_what_is_read_back_is_the_graph(tmp_path_factory, bandit, short):
    """By networkx, by a regular expression, and by us, who then find the same cycle."""
    path = tmp_path_factory.mktemp("export") / "graph.graphml"
    export(bandit, path, short_histories=short)
    graphml = nx.parse_graphml(path.read_text(), force_multigraph=True)
    gexf = nx.MultiDiGraph(
        nx.read_gexf(io.BytesIO(exported(bandit, ".gexf", short_histories=short).encode()))
    )
    dot = re.findall(
        r'"(.*?)" -> "(.*?)" \[action=(\d+), loss="(.*?)"', exported(bandit, ".dot", short_histories=short)
    )
    listed = [[(t, h, e["action"], e["loss"]) for t, h, e in g.edges(data=True)] for g in (graphml, gexf)]
    for edges in (*listed, dot):
        found = sorted((t, h, int(action), Fraction(loss)) for t, h, action, loss in edges)
        assert found == edges_of(bandit, short)
    assert minimum_mean_cycle_of(WeightedGraph.load(path, "loss")).value == minimum_mean_cycle(bandit).value


def replayed_drn(content):
    """By state, the loss and the successor of each action."""
    states = []
    for line in content.split("@model\n")[1].splitlines():
        if line.startswith("state"):
            states.append([])
        elif "action" in line:
            states[-1].append(Fraction(re.search(r"\[(.*)\]", line).group(1)))
        elif line:
            target, probability = line.split(" : ")
            assert probability == "1"
            states[-1][-1] = (states[-1][-1], int(target))
    return states


@settings(max_examples=12, deadline=None)
@given(bandits())
def test_the_recursion_on_the_drn_file_gives_the_optimum(bandit):
    states = replayed_drn(exported(bandit, ".drn"))
    values = [Fraction(0)] * len(states)
    for _ in range(7):
        values = [min(loss + values[head] for loss, head in choices) for choices in states]
    assert values[0] == optimal_plan(bandit, 7).value


def followed(content, actions):
    """What actions lose in a PRISM model, whose guards and updates Python reads."""
    module, rewards = content.split('rewards "loss"')
    state = {name: int(first) for name, first in re.findall(r"(\w+) : \[.*\] init (\d+);", module)}
    total = Fraction(0)

    def holding(pattern, text):
        for guard, rest in re.findall(pattern, text):
            counted = re.sub(r"\((\w+=\d+)\?(\d+):0\)", r"(\1)*\2", guard)
            if eval(counted.replace("=", "==").replace("&", "and").replace("true", "1"), {}, state):
                yield rest

    for a in actions:
        (loss,) = holding(rf"\[a{a}\] (.*) : (.*);", rewards)
        updates = " ".join(holding(rf"\[a{a}\] (.*) -> (.*);", module))
        state |= {name: int(state.get(to, to)) for name, to in re.findall(r"\((\w+)'=(\w+)\)", updates)}
        total += Fraction(loss)
    return total


ARMS = make("blocking", delays=[2, 3], rewards=[1, 2])


@pytest.mark.parametrize("bandit", [*KINDS, ARMS], ids=lambda bandit: bandit.name)
def test_a_prism_model_loses_what_the_bandit_loses(bandit):
    for word in product(range(bandit.actions), repeat=5):
        assert followed(exported(bandit, ".prism"), word) == replay(bandit, word)


@pytest.mark.parametrize("bandit", KINDS, ids=lambda bandit: bandit.name)
@pytest.mark.parametrize("suffix", [".drn", ".prism"])
def test_storm_finds_the_same_optima(bandit, suffix, tmp_path):
    stormpy = pytest.importorskip("stormpy", reason="Storm is not installed: pip install stormpy")
    path = tmp_path / f"model{suffix}"
    export(bandit, path)
    questions = {'R{"loss"}min=? [ LRA ]': minimum_mean_cycle(bandit).value}
    questions |= {f'R{{"loss"}}min=? [ C<={t} ]': optimal_plan(bandit, t).value for t in (1, 2, 9)}
    if suffix == ".drn":
        model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    else:
        program = stormpy.parse_prism_program(str(path))
        asked = stormpy.parse_properties(next(iter(questions)))
        model = stormpy.build_model[stormpy.Rational](program, asked)
    for question, value in questions.items():
        found = stormpy.model_checking(
            model,
            stormpy.parse_properties(question)[0],
            only_initial_states=True,
            environment=stormpy.environments.exact(),
        )
        assert Fraction(str(found.get_value(model.initial_states[0]))) == value


def test_names_cannot_break_a_file():
    bandit = TallyingBandit([["0", "1/3"]], name='a "b" \\ \n\x01 <c> endmodule')
    assert '"a \\"b\\" \\\\    <c> endmodule"' in exported(bandit, ".dot")
    assert exported(bandit, ".prism").splitlines()[0].endswith("endmodule: 1 actions, memory 2")
    for suffix in (".graphml", ".gexf"):
        ElementTree.fromstring(exported(bandit, suffix))


@pytest.mark.parametrize(
    ("bandit", "name", "words"),
    [
        (KINDS[0], "graph.grphml", "did you mean '.graphml'"),
        (KINDS[0], "graph", "The formats are .dot"),
        (make("uniform", actions=2, memory=40), "graph.drn", "at most 1000000"),
        (make("rotting", actions=2, memory=14_287), "graph.dot", "nodes; an explicit one"),
        (make("rotting", actions=2, memory=14_287), "graph.prism", "2 * 14287^2 terms"),
        (KINDS[0], "no/such/folder.dot", "cannot be written"),
    ],
)
def test_what_cannot_be_exported_is_a_sentence(bandit, name, words, tmp_path):
    with pytest.raises(InvalidInput, match=re.escape(words)):
        export(bandit, tmp_path / name)


def test_a_graph_of_few_nodes_and_many_edges_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(limits, "available_memory", lambda: 10**9)
    with pytest.raises(InstanceTooLarge, match=r"2000\^2 edges"):
        to_networkx(TallyingBandit([["0", "1"]] * 2000))
