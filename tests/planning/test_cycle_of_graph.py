"""The minimum mean cycle of explicit graphs: against the list of all cycles; what is said of a bad graph."""

import json
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.model.weighted_graph import WeightedGraph

WEIGHTS = st.integers(-3, 3) | st.fractions(-2, 2, max_denominator=9) | st.integers(-(10**25), 10**25)


@st.composite
def edge_lists(draw):
    nodes = draw(st.integers(1, 6))
    node = st.integers(0, nodes - 1)
    return draw(st.lists(st.tuples(node, node, WEIGHTS), min_size=1, max_size=14))


def cycles_of(edges):
    """The simple cycles, each a tuple of edges; from its smallest node."""

    def onwards(start, node, path, seen):
        for e, (tail, head, *_) in enumerate(edges):
            if tail == node and head == start:
                yield (*path, e)
            elif tail == node and head > start and head not in seen:
                yield from onwards(start, head, (*path, e), seen | {head})

    return [cycle for start in {edge[0] for edge in edges} for cycle in onwards(start, start, (), {start})]


@settings(max_examples=70)
@given(edge_lists())
def test_the_value_is_the_least_mean_of_all_cycles_and_proves_itself(edges):
    means = [sum(Fraction(edges[e][2]) for e in cycle) / len(cycle) for cycle in cycles_of(edges)]
    least = min(means, default=None)
    if least is None:
        with pytest.raises(tp.InvalidInput, match="no cycle"):
            tp.minimum_mean_cycle_of(edges)
        return
    answer = tp.minimum_mean_cycle_of(edges)
    assert answer.value == least
    assert tp.check(answer.certificate, instance=answer.graph)
    graph = nx.MultiDiGraph()
    graph.add_weighted_edges_from(edges, weight="cost")
    assert tp.minimum_mean_cycle_of(graph, "cost").value == least


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        ([], "no edges"),
        (nx.DiGraph(), "no edges"),
        ([(0, 1, 1), (1, 2, 1)], "no cycle"),
        (nx.Graph([(0, 1)]), "undirected"),
        (nx.DiGraph([("a", "b"), ("b", "a")]), r"edge \('a', 'b'\) has no attribute 'weight'"),
        ([(0, 0, float("nan"))], r"weight of \(0, 0\) is nan"),
        ([(0, 0, None)], r"weight of \(0, 0\) is None"),
        ([(0, 0)], "edge 0 is"),
        ([([], 0, 1)], "can be hashed"),
        ([5], "edge 0 is 5"),
    ],
)
def test_a_bad_graph_is_refused_in_a_sentence(graph, words):
    with pytest.raises(tp.InvalidInput, match=words) as caught:
        tp.minimum_mean_cycle_of(graph)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("time", [0, -1, "-1/2"])
def test_times_are_positive(time):
    with pytest.raises(tp.InvalidInput, match=r"the time of \('b', 'a'\) is .*; it must be positive\."):
        tp.minimum_ratio_cycle_of([("a", "b", 1, 1), ("b", "a", 1, time)])


CSV = "u,v,weight,toll\na,b,1,0\nb,a,0.5,0\n\nb,c,-3,0\nc,a,4,1/7\n"


def graphml_of(edges, kind):
    graph = nx.MultiDiGraph()
    for u, v, w in edges:
        graph.add_edge(u, v, weight=w)
    return "".join(nx.generate_graphml(graph)).replace('attr.type="long"', f'attr.type="{kind}"')


def test_files_say_what_edge_lists_say(tmp_path):
    path = tmp_path / "roads.csv"
    path.write_text(CSV)
    assert tp.minimum_mean_cycle_of(WeightedGraph.load(path)).value == Fraction(2, 3)
    assert tp.minimum_mean_cycle_of(WeightedGraph.load(path, "toll")).value == 0
    edges = [("a", "b", 1), ("b", "a", 2), ("b", "a", 1)]
    path = tmp_path / "roads.graphml"
    path.write_text(graphml_of(edges, "double").replace(">2<", ">0.12345678901234567890<"))
    answer = tp.minimum_mean_cycle_of(WeightedGraph.load(path))
    assert answer.value == (1 + Fraction("0.12345678901234567890")) / 2  # a float would be another number


def test_a_graphml_default_counts_where_nothing_is_written(tmp_path):
    path = tmp_path / "roads.graphml"
    whole = graphml_of([("a", "b", 1), ("b", "a", 2)], "long")
    path.write_text(whole.replace('<data key="d0">2</data>', ""))
    with pytest.raises(tp.InvalidInput, match=r"edge \('b', 'a'\) has no attribute 'weight'"):
        WeightedGraph.load(path)
    key = whole[whole.index("<key") : whole.index("/>") + 2]
    with_default = key.replace("/>", "><default>9</default></key>").replace(" ></", "></")
    path.write_text(whole.replace(key, with_default).replace('<data key="d0">2</data>', ""))
    assert tp.minimum_mean_cycle_of(WeightedGraph.load(path)).value == 5


def test_the_command_prints_the_cycle_for_people_and_programs():
    result = CliRunner().invoke(app, ["graph", "cycle", "-", "--json"], input=CSV)
    assert json.loads(result.stdout) == {
        "value": "2/3",
        "nodes": ["a", "b", "c"],
        "weights": ["1/1", "-3/1", "4/1"],
    }
    assert "a -> b -> c -> a  (3 edges)" in CliRunner().invoke(app, ["graph", "cycle", "-"], input=CSV).stdout


@pytest.mark.parametrize("n", [2, 3, 8, 20, 40])
def test_a_ring_whose_shortcuts_are_met_one_after_the_other(n):
    """At the mean of a shortcut the next one is the best answer; the last one, of weight 1, is a loop."""
    ring = [(node, (node + 1) % n, 0) for node in range(1, n)]
    edges = [(0, (i + 1) % n, (2 * n) ** (n - 1 - i)) for i in range(n)] + ring
    found = tp.minimum_mean_cycle_of(edges)
    assert (found.value, found.edges) == (1, ((0, 0),))
    assert tp.check(found.certificate)


@pytest.mark.parametrize("weight", [-(2**63), 0, 2**63 - 1])
@pytest.mark.parametrize("time", [1, 2**31, 2**32])
def test_numbers_at_the_ends_of_64_bits(weight, time):
    found = tp.minimum_ratio_cycle_of(np.array([[0, 1, weight, time], [1, 0, weight, time]]))
    assert found.value == Fraction(weight, time)
    assert tp.check(found.certificate)
    far = np.array([[node, 127, 5] for node in range(100, 128)], dtype=np.int8)
    assert tp.minimum_mean_cycle_of(far).edges == ((127, 127),)


NODES = st.integers(0, 4) | st.sampled_from([-3, 90, 10**18])


@settings(max_examples=60)
@given(st.lists(st.tuples(NODES, NODES, st.integers(-9, 9), st.integers(1, 5)), min_size=1))
def test_an_array_says_what_the_list_of_its_rows_says(edges):
    as_text = [(tail, head, str(weight), str(time)) for tail, head, weight, time in edges]
    for given_as in (edges, np.array(edges)):
        read = WeightedGraph.of(given_as, time="time")
        assert read.to_json() == WeightedGraph.of(as_text, time="time").to_json()


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.integers(0, 3),
            st.sampled_from([Fraction(n, d) for n in range(-3, 4) for d in (1, 3, 7**40)]),
            st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3), Fraction(5, 2**40)]),
        ),
        min_size=1,
        max_size=9,
    )
)
def test_ratios_critical_edges_and_negative_cycles_agree_with_all_cycles(edges):
    cycles, plain = cycles_of(edges), [edge[:3] for edge in edges]
    means = {c: sum(edges[e][2] for e in c) / len(c) for c in cycles}
    ratios = {c: sum(edges[e][2] for e in c) / sum(edges[e][3] for e in c) for c in cycles}
    negative = tp.negative_cycle_of(plain)
    graph = nx.DiGraph()  # networkx finds negative cycles exactly in integers; of parallel edges the least
    for tail, head, weight, _ in sorted(edges, key=lambda edge: -edge[2]):
        graph.add_edge(tail, head, weight=int(weight * 3 * 7**40))
    assert negative.exists == nx.negative_edge_cycle(graph)
    assert tp.check(negative.certificate)
    assert negative.exists == (min(means.values(), default=0) < 0)
    if not cycles:
        with pytest.raises(tp.InvalidInput, match="no cycle"):
            tp.minimum_ratio_cycle_of(edges)
        return
    found = tp.minimum_ratio_cycle_of(edges)
    assert tp.check(found.certificate)
    assert found.value == min(ratios.values())
    for values, answer in (
        (means, tp.critical_graph(plain)),
        (ratios, tp.critical_graph(edges, time="time")),
    ):
        best = min(values.values())
        assert answer.value == best
        assert set(answer.chosen) == {e for cycle, value in values.items() if value == best for e in cycle}
        assert tp.check(answer.certificate)
        document = json.loads(json.dumps(answer.certificate))
        document["claim"]["edges"] = document["claim"]["edges"][1:]
        assert not tp.check(document)
        for edge in set(range(len(edges))) - set(answer.chosen):
            document["claim"]["edges"] = [*answer.chosen, edge]
            assert not tp.check(document)
