"""The rule `longest-walk`: arms forbid every play that is as long as the goal asks for.

By state the certificate has a bound on the length of walks from there. It falls on every edge, so no walk is
longer.
"""

from typing import Any

from .problem import Goal
from .reading import Meter, Refused, array, fields, integer


def prove(goal: Goal, proof: dict[str, Any], meter: Meter) -> None:
    """Refuse unless no walk from the state after the start is long enough; null says nothing of a state."""
    fields(proof, "dual side", {"rule", "values"})
    if goal.problem.kind != "arms":
        raise Refused("The rule 'longest-walk' is for arms.")
    number, (tails, heads, _) = goal.problem.graph(meter)
    listed = array(proof["values"], "list of lengths", len(number))
    lengths = [None if length is None else integer(length, "length", 0) for length in listed]
    meter.spend(2 * len(tails))
    for s, then in zip(tails, heads, strict=True):
        if lengths[s] is not None and (lengths[then] is None or lengths[then] >= lengths[s]):
            raise Refused(f"The length does not fall on the edge from state {s} to {then}.")
    length = lengths[number[goal.problem.after(goal.start, meter)]]
    if length is None or (goal.horizon is not None and length >= goal.horizon):
        raise Refused("The lengths leave room for a play that is long enough.")
