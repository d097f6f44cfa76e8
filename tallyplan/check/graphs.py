"""Questions about an explicit graph: the least ratio of a cycle, all critical edges, negative cycles."""

from fractions import Fraction
from typing import Any

from .potential import Vector
from .problem import Goal, Graph, less
from .reading import Meter, Refused, choices, fields, integers, rational
from .replay import attain


def proved(graph: Graph, claim: dict[str, Any], primal: object, dual: dict[str, Any], meter: Meter) -> str:
    """What the certificate proves about the graph."""
    question, none = claim["question"], claim.get("value") is None
    fields(claim, "claim", {"question", "value"} | ({"edges"} if question == "critical-graph" else set()))
    if question == "negative-cycle" and none:
        fields(primal, "primal side", set())
        Goal(graph, Fraction(0)).prove(dual, meter)
        return "no cycle has negative weight"
    value = rational(claim["value"], "claimed value")
    what = "mean weight" if graph.times is None else "ratio of weight to time"
    # The ratio of a cycle is v if and only if its weights less v times its times add up to 0.
    goal = Goal(graph, value) if graph.times is None else Goal(less(graph, value, meter), Fraction(0))
    attain(goal, goal.least, primal, meter)
    if question == "negative-cycle":
        if fields(dual, "dual side", set()) or value >= 0:
            raise Refused("The weight of the cycle is not negative.")
        return f"a cycle has negative weight: its {what} is {claim['value']}"
    if question == "ratio-cycle":
        goal.prove(dual, meter)
        return f"the least {what} of a cycle is {claim['value']}"
    edges = set(choices(claim["edges"], "list of edges", len(graph.tails), 1))
    _critical(goal, edges, dual, meter)
    return f"exactly {len(edges)} edges lie on cycles of the least {what}, {claim['value']}"


def _critical(goal: Goal, listed: set[int], proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless the edges listed are those on optimal cycles.

    By the potential, optimal cycles are those of tight edges. `order` stays on listed edges and falls on the
    other tight ones, so a tight cycle has none of these. In each class of equal order, every node that is met
    has a listed edge into it from a node with a smaller `from`, and one out of it to one with a smaller `to`,
    but for one node: so listed edges lead from that one to all and back, and each lies on a tight cycle.
    """
    if fields(proof, "dual side", {"rule", "scale", "values", "order", "from", "to"})["rule"] != "critical":
        raise Refused("The rule of the dual side is not 'critical'.")
    vector, n = Vector(goal.problem, proof, meter), goal.problem.states(meter)
    vector.prove(goal.least, frozenset(), meter)
    order, *far = (integers(proof[name], f"list '{name}'", n) for name in ("order", "from", "to"))
    (tails, heads, slacks), needed = next(vector.edges(meter)), goal.least * vector.scale * goal.problem.D
    meter.spend(20 * len(tails))
    for e, (s, then, slack) in enumerate(zip(tails, heads, slacks, strict=True)):
        if e in listed and (slack != needed or order[s] != order[then]):
            raise Refused(f"The edge {e} is listed, but it is not tight or its order changes.")
        if e not in listed and slack == needed and order[then] >= order[s]:
            raise Refused(f"The edge {e} is tight and not listed, and the order does not fall there.")
    roots = dict[int, int]()
    for distance, (before, behind) in zip(far, ((tails, heads), (heads, tails)), strict=True):
        reached = {behind[e] for e in listed if distance[before[e]] < distance[behind[e]]}
        for node in sorted({behind[e] for e in listed} - reached):
            if roots.setdefault(order[node], node) != node:
                raise Refused(f"Node {node} is not shown to be on a cycle with the others of its order.")
