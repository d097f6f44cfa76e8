"""The state graph: histories as integers, integer costs, and files that other tools read back."""

import re
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from itertools import product

import networkx as nx
import pytest
from hypothesis import example, given, settings
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
    to_networkx,
)
from tallyplan.model.graph import StateGraph, export, exported
from tallyplan.model.weighted_graph import WeightedGraph
from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of


def histories(bandit):
    return list(product(range(bandit.actions), repeat=bandit.memory - 1))


@given(bandits())
def test_codes_number_the_histories_in_lexicographic_order(bandit):
    graph = StateGraph(bandit)
    assert [graph.code(history) for history in histories(bandit)] == list(range(graph.states))


@settings(max_examples=150)
@given(bandits(), st.data())
def test_window_costs_after_a_prefix_are_the_scaled_losses_of_their_windows(bandit, data):
    length = data.draw(st.integers(0, bandit.memory - 1))
    level = data.draw(st.integers(0, bandit.memory - 1 - length))
    prefix = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), min_size=length, max_size=length)))
    graph = StateGraph(bandit)
    costs = graph.window_costs(prefix, level, object)
    assert 0 <= costs.min() <= costs.max() <= graph.highest_cost
    for code, middle in enumerate(product(range(bandit.actions), repeat=level)):
        for action in range(bandit.actions):
            expected = bandit.loss((*prefix, *middle, action))
            assert Fraction(int(costs[code, action]), bandit.denominator) == expected


@given(bandits())
def test_the_networkx_view_has_every_edge_with_its_loss(bandit):
    graph = to_networkx(bandit, short_histories=True)
    assert graph.number_of_nodes() == sum(bandit.actions**j for j in range(bandit.memory))
    assert graph.number_of_edges() == bandit.actions * graph.number_of_nodes()
    for history, following, action in graph.edges(keys=True):
        window = (*history, action)
        assert graph.edges[history, following, action]["loss"] == bandit.loss(window)
        assert following == window[max(0, len(window) - bandit.memory + 1) :]


def test_the_networkx_view_is_refused_for_large_graphs():
    with pytest.raises(InvalidInput, match="1000 nodes; an explicit one"):
        to_networkx(TallyingBandit([[0] * 4] * 10), limit=999)


# -- files for other tools --------------------

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
    dot = re.findall(
        r'"(.*?)" -> "(.*?)" \[action=(\d+), loss="(.*?)"', exported(bandit, ".dot", short_histories=short)
    )
    listed = [(t, h, e["action"], e["loss"]) for t, h, e in graphml.edges(data=True)]
    for edges in (listed, dot):
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
@example(make("blocking", delays=[2, 3], rewards=[1, 2]))
def test_the_recursion_on_the_drn_file_gives_the_optimum(bandit):
    states = replayed_drn(exported(bandit, ".drn"))
    values = [Fraction(0)] * len(states)
    for _ in range(7):
        values = [min(loss + values[head] for loss, head in choices) for choices in states]
    assert values[0] == optimal_plan(bandit, 7).value


@pytest.mark.parametrize("bandit", KINDS, ids=lambda bandit: bandit.name)
def test_storm_finds_the_same_optima(bandit, tmp_path):
    stormpy = pytest.importorskip("stormpy", reason="Storm is not installed: pip install stormpy")
    export(bandit, tmp_path / "model.drn")
    model = stormpy.build_model_from_drn[stormpy.Rational](str(tmp_path / "model.drn"))
    questions = {'R{"loss"}min=? [ LRA ]': minimum_mean_cycle(bandit).value}
    questions |= {f'R{{"loss"}}min=? [ C<={t} ]': optimal_plan(bandit, t).value for t in (1, 2, 9)}
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
    ElementTree.fromstring(exported(bandit, ".graphml"))


@pytest.mark.parametrize(
    ("bandit", "name", "words"),
    [
        (KINDS[0], "graph.grphml", "did you mean '.graphml'"),
        (KINDS[0], "graph", "The formats are .dot"),
        (make("uniform", actions=2, memory=40), "graph.drn", "at most 1000000"),
        (make("rotting", actions=2, memory=14_287), "graph.dot", "nodes; an explicit one"),
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
