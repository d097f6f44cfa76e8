"""Certificates about explicit graphs: right ones are accepted, and no planted error passes.

`PYTHONPATH=tests:. python tests/check/test_graph.py` writes the documents of `tests/vectors/graph`, all made
by brute force here; they are kept in the repository, so that another checker can be tried on them too.
"""

import copy
import hashlib
import json
import math
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from documents import mutated, places
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check
from tallyplan.check.__main__ import main
from tallyplan.model.weighted_graph import WeightedGraph

VECTORS = Path(__file__).parent.parent / "vectors" / "graph"
TRIANGLE = [(0, 1, "1/1"), (1, 0, "1/2"), (1, 2, "-3/1"), (2, 0, "4/1")]
GRAPHS = {
    "triangle": TRIANGLE,
    "loop": [(0, 0, "-1/7")],
    "integers": [(0, 1, "1/1"), (1, 0, "1/1")],
    "parallel-edges": [(0, 1, "5/1"), (0, 1, "2/1"), (1, 0, "1/3"), (1, 0, "-1/3")],
    "two-components": [(0, 1, "1/1"), (1, 0, "1/1"), (2, 3, "-1/2"), (3, 2, "1/4"), (1, 2, "-100/1")],
    "ends-and-beginnings": [(3, 0, "-9/1"), *TRIANGLE, (2, 4, "-9/1"), (4, 5, "0/1")],
    "large-numbers": [(0, 1, f"{10**40}/7"), (1, 0, f"-{10**40 + 1}/11"), (1, 1, "0/1")],
}


def text(number):
    return f"{number.numerator}/{number.denominator}"


def walks(edges, nodes):
    """The least mean of a closed walk of at most n edges, and its edges; by all walks from every node."""
    best = None
    for root in range(nodes):
        table = {root: (Fraction(0), ())}
        for length in range(1, nodes + 1):
            following = {}
            for e, (u, v, w) in enumerate(edges):
                if u in table:
                    cost, walk = table[u]
                    step = (cost + Fraction(w), (*walk, e))
                    following[v] = min(following.get(v, step), step)
            table = following
            if root in table and (best is None or table[root][0] / length < best[0]):
                best = (table[root][0] / length, table[root][1])
    return best


def solved(edges, names=None):
    nodes = 1 + max(max(u, v) for u, v, _ in edges)
    value, cycle = walks(edges, nodes)
    phi = [Fraction(0)] * nodes
    for _ in range(nodes):
        for u, v, w in edges:
            phi[u] = min(phi[u], Fraction(w) - value + phi[v])
    scale = math.lcm(*(number.denominator for number in phi))
    tails, heads, weights = map(list, zip(*edges, strict=True))
    graph = {"nodes": nodes, "tails": tails, "heads": heads, "weights": weights}
    return hashed(
        {
            "format": "tallyplan-certificate",
            "version": 1,
            "graph": graph | ({"names": names} if names else {}),
            "claim": {"question": "graph-mean-cycle", "value": text(value)},
            "primal": {"cycle": list(cycle)},
            "dual": {"scale": scale, "potentials": [int(number * scale) for number in phi]},
        }
    )


def hashed(document):
    canonical = json.dumps(document["graph"], sort_keys=True, separators=(",", ":"))
    sha256 = hashlib.sha256(canonical.encode()).hexdigest()
    provenance = {"program": "tallyplan", "version": "0.1.0", "graph_sha256": sha256}
    return document | {"provenance": provenance}


@cache
def accepted():
    documents = {name: solved(edges) for name, edges in GRAPHS.items()}
    documents["named"] = solved(TRIANGLE, ["a", "b", "\ud800"])
    twice = copy.deepcopy(documents["triangle"])
    twice["primal"]["cycle"] *= 2
    shifted = copy.deepcopy(documents["triangle"])
    shifted["dual"]["potentials"] = [phi + 10**30 for phi in shifted["dual"]["potentials"]]
    return documents | {"walked-twice": twice, "shifted-potentials": shifted}


MEAN = "does not have the claimed mean"
HAIR = Fraction(1, 10**9)
# name: (path, what stands there instead, the reason)
PLANTED = {
    "value-above": (("claim", "value"), text(Fraction(2, 3) + HAIR), MEAN),
    "value-below": (("claim", "value"), text(Fraction(2, 3) - HAIR), MEAN),
    "other-question": (("claim", "question"), "mean-cycle", "none of graph-mean-cycle"),
    "claim-lower": (("claim", "lower"), "0/1", "unknown key 'lower'"),
    "dual-with-a-remark": (("dual", "remark"), "", "unknown key 'remark'"),
    "cycle-empty": (("primal", "cycle"), [], "is empty"),
    "cycle-of-other-mean": (("primal", "cycle"), [0, 1], MEAN),
    "cycle-open": (("primal", "cycle"), [0, 2], "does not start where"),
    "cycle-edges-swapped": (("primal", "cycle"), [2, 0, 3], "does not start where"),
    "cycle-edge-beyond": (("primal", "cycle", 0), 4, "which is not an edge"),
    "cycle-edge-negative": (("primal", "cycle", 0), -4, "which is not an edge"),
    "cycle-edge-true": (("primal", "cycle"), [True, 0], "which is not an edge"),
    "potential-raised": (("dual", "potentials", 1), 10, "fail on edge 1"),
    "potential-raised-by-one": (("dual", "potentials", 1), 1, "fail on edge 1"),
    "potential-missing": (("dual", "potentials"), [0, 0], "2 entries where 3"),
    "potential-text": (("dual", "potentials", 0), "0", "for node 0, not an integer"),
    "potential-true": (("dual", "potentials", 0), True, "for node 0, not an integer"),
    "scale-0": (("dual", "scale"), 0, "below 1"),
    "scale-other": (("dual", "scale"), 1, "fail on edge"),
    "node-beyond": (("graph", "heads", 0), 3, "which is not a node"),
    "node-negative": (("graph", "tails", 0), -1, "which is not a node"),
    "node-true": (("graph", "tails", 1), True, "which is not a node"),
    "no-nodes": (("graph", "nodes"), 0, "below 1"),
    "more-nodes": (("graph", "nodes"), 4, "3 entries where 4"),
    "heads-missing": (("graph", "heads"), [1, 0, 2], "3 entries where 4"),
    "weights-missing": (("graph", "weights"), ["1/1"], "1 entries where 4"),
    "weight-number": (("graph", "weights", 0), 1, "lowest terms"),
    "weight-unreduced": (("graph", "weights", 0), "2/2", "lowest terms"),
    "weight-lowered": (("graph", "weights", 1), "1/4", "fail on edge 1"),
    "names-missing": (("graph", "names"), ["a"], "1 entries where 3"),
    "names-number": (("graph", "names"), ["a", "b", 3], "not a string"),
    "unknown-key": (("graph", "name"), "roads", "unknown key 'name'"),
    "instance-as-well": (("instance",), {"memory": 1, "losses": [["0/1"]]}, "unknown key 'instance'"),
    "game-as-well": (("game",), {}, "unknown key 'graph'"),
}


def planted(name):
    path, other, _ = PLANTED[name]
    document = copy.deepcopy(solved(GRAPHS["integers" if "by-one" in name else "triangle"]))
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = other
    return hashed(document)


@pytest.mark.parametrize("name", sorted(accepted()))
def test_proofs_are_accepted_as_files_and_as_objects(name, capsys):
    path = VECTORS / "accepted" / f"{name}.json"
    document = json.loads(path.read_text())
    assert document == accepted()[name]
    assert check(document, instance=document["graph"])
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("accepted: Proved: the least mean weight of a cycle is ")


def test_the_graph_given_may_have_decimals(tmp_path):
    given = tmp_path / "graph.json"
    given.write_text('{"nodes": 1, "tails": [0], "heads": [0], "weights": [0.5]}')
    assert check(solved([(0, 0, "1/2")]), instance=given)
    assert not check(solved([(0, 0, "1/3")]), instance=given)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_error_is_refused_for_the_right_reason(name):
    path = VECTORS / "refused" / f"{name}.json"
    assert json.loads(path.read_text()) == planted(name)
    verdict = check(path)
    assert verdict.status == "refused"
    assert PLANTED[name][-1] in verdict.reason


def test_the_documents_kept_are_these():
    assert {path.stem for path in (VECTORS / "accepted").glob("*.json")} == accepted().keys()
    assert {path.stem for path in (VECTORS / "refused").glob("*.json")} == PLANTED.keys()
    assert json.loads((VECTORS / "manifest.json").read_text()) == manifest()


def test_another_graph_needs_another_hash():
    document = solved(TRIANGLE)
    document["graph"] = document["graph"] | {"names": ["a", "b", "c"]}
    assert "hash in the provenance is not that of the graph" in check(document).reason


def test_the_graph_given_must_be_the_one_proved():
    document = solved(TRIANGLE)
    same = WeightedGraph.of([(0, 1, 1), (1, 0, 0.5), (1, 2, -3), (2, 0, "8/2")])
    assert "another graph" in check(document, instance=same).reason  # it has names
    assert check(solved(TRIANGLE, ["0", "1", "2"]), instance=same)
    assert check(document, instance=document["graph"] | {"weights": ["1", 0.5, -3, "8/2"]})
    others = {"nodes": 4, "heads": [1, 0, 2, 1], "weights": [1, 0.5, -3, 5], "names": ["x"] * 3}
    for key, other in others.items():
        assert "another graph" in check(document, instance=document["graph"] | {key: other}).reason
    assert check(document, instance={"memory": 1, "losses": [[0]]}).status == "refused"


def test_the_limit_is_a_limit():
    assert check(solved(TRIANGLE), limit=1000).status == "undecided"
    assert check(solved(TRIANGLE), limit=5000)
    assert check(solved(GRAPHS["large-numbers"]), limit=5000)
    many = solved([(0, 0, "1/1")] * 200)
    assert check(many, limit=10**5)
    many["dual"]["potentials"] = [10**20_000]
    assert "more than the limit of 100000 edges" in check(many, limit=10**5).reason


@st.composite
def mutations(draw):
    document = copy.deepcopy(draw(st.sampled_from(list(accepted().values()))))
    for _ in range(draw(st.integers(1, 2))):
        part = draw(st.sampled_from(["claim", "primal", "dual", "graph"]))
        *way, last = draw(st.sampled_from(list(places(document[part], (part,)))))
        place = document
        for step in way:
            place = place[step]
        place[last] = mutated(draw, place[last])
    return hashed(document)


@settings(max_examples=250)
@given(mutations())
def test_no_mutation_makes_the_checker_accept_a_false_value(document):
    verdict = check(document, limit=10**6)
    assert verdict.status in ("accepted", "refused", "undecided")
    if verdict:
        graph = document["graph"]
        edges = list(zip(graph["tails"], graph["heads"], graph["weights"], strict=True))
        assert walks(edges, graph["nodes"])[0] == Fraction(document["claim"]["value"])


def manifest():
    return {f"{name}.json": {"reason": words} for name, (_, _, words) in PLANTED.items()}


def write():
    for folder, documents in (
        ("accepted", accepted()),
        ("refused", {name: planted(name) for name in PLANTED}),
    ):
        (VECTORS / folder).mkdir(parents=True, exist_ok=True)
        for name, document in documents.items():
            (VECTORS / folder / f"{name}.json").write_text(json.dumps(document) + "\n")
    (VECTORS / "manifest.json").write_text(json.dumps(manifest(), indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    write()
