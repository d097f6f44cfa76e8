"""The minimum mean cycle of a graph that is written down: a cycle, and potentials that no edge undercuts."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .document import Reader, array, fields, integer, potentials, rational, shown, string
from .problem import common_denominator
from .verdict import Budget, Refused

_KEYS = {"nodes", "tails", "heads", "weights"}


@dataclass(frozen=True)
class Graph:
    """Edge e leads from `tails[e]` to `heads[e]`, nodes being 0 .. n-1, and has the weight `weights[e]`."""

    n: int
    tails: list[int]
    heads: list[int]
    weights: list[Fraction]
    names: list[str]


def read_graph(value: object, number: Reader, budget: Budget, where: str = "graph") -> Graph:
    """The graph of a certificate, or one to compare it with."""
    found = fields(value, where, _KEYS, frozenset({"names"}))
    n = integer(found["nodes"], f"number of nodes of the {where}", 1)
    tails = _nodes(found["tails"], f"list of tails of the {where}", n)
    heads = _nodes(found["heads"], f"list of heads of the {where}", n, len(tails))
    listed = array(found["weights"], f"list of weights of the {where}", len(tails))
    names = array(found["names"], f"list of names of the {where}", n) if "names" in found else []
    budget.hold(len(names) + 2 * len(tails))
    weights = []
    for entry in listed:
        weight = number(entry, f"weight in the {where}")
        budget.hold(1, _bits(weight))
        weights.append(weight)
    return Graph(n, tails, heads, weights, [string(name, f"name of a node of the {where}") for name in names])


def _nodes(value: object, where: str, n: int, length: int | None = None) -> list[int]:
    found = array(value, where, length)
    for node in found:
        if type(node) is not int or not 0 <= node < n:
            raise Refused(f"The {where} holds {shown(node)}, which is not a node in 0..{shown(n - 1)}.")
    return found


def check_same_graph(certified: Graph, given: Graph) -> None:
    """Refuse a proof about another graph."""
    if certified != given:
        raise Refused("The certificate is about another graph than the one given.")


def check_graph_mean_cycle(graph: Graph, claim: Any, primal: Any, dual: Any, budget: Budget) -> str:
    """Refuse, or say what was proved."""
    fields(claim, "claim", {"question", "value"})
    value = rational(claim["value"], "claimed value")
    cycle = array(fields(primal, "primal side", {"cycle"})["cycle"], "cycle of the primal side")
    fields(dual, "dual side", {"scale", "potentials"})
    scale = integer(dual["scale"], "scale of the dual side", 1)
    phi = potentials(dual["potentials"], "list of potentials of the dual side", graph.n, "node")
    _check_cycle(graph, cycle, value, budget)
    _check_edges(graph, phi, scale, value, budget)
    return f"the least mean weight of a cycle is {claim['value']}"


def _check_cycle(graph: Graph, cycle: list[Any], value: Fraction, budget: Budget) -> None:
    """Refuse unless the edges follow each other, the first the last one too, and have this mean."""
    budget.spend(2 * len(cycle))
    budget.fit(len(cycle))
    for edge in cycle:
        if type(edge) is not int or not 0 <= edge < len(graph.tails):
            raise Refused(f"The cycle of the primal side holds {shown(edge)}, which is not an edge.")
    if not cycle:
        raise Refused("The cycle of the primal side is empty.")
    for edge, then in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        if graph.heads[edge] != graph.tails[then]:
            raise Refused(f"The edge {then} of the primal side does not start where edge {edge} ends.")
    weights = [graph.weights[edge] for edge in cycle]
    D = common_denominator(weights, budget)
    bits = D.bit_length() + max(map(_bits, weights)) + len(cycle).bit_length()
    budget.spend_products(len(cycle) + 2, bits, bits)
    total = sum(weight.numerator * (D // weight.denominator) for weight in weights)
    budget.spend_products(2, bits + _bits(value), bits + _bits(value))
    if total * value.denominator != value.numerator * D * len(cycle):
        raise Refused("The cycle of the primal side does not have the claimed mean.")


def _check_edges(graph: Graph, phi: list[int], scale: int, value: Fraction, budget: Budget) -> None:
    """Refuse unless scale*(weight - value) + phi[head] - phi[tail] >= 0 on every edge."""
    p, q = value.numerator, value.denominator
    bits = _bits(value) + max(map(_bits, graph.weights))
    widest = max(bits, scale.bit_length(), 1 + max(map(int.bit_length, phi)))
    budget.spend_products(5 * len(graph.tails), bits, widest)
    for edge, (tail, head, weight) in enumerate(zip(graph.tails, graph.heads, graph.weights, strict=True)):
        a, b = weight.numerator, weight.denominator
        if scale * (a * q - p * b) + (phi[head] - phi[tail]) * b * q < 0:
            raise Refused(f"The potentials of the dual side fail on edge {edge}.")


def _bits(number: Fraction) -> int:
    return number.numerator.bit_length() + number.denominator.bit_length()
