"""CP-SAT proposes circulations where branching finds none: the arithmetic of long words is its strength.

Only columns that a member with an objective of at least `least` can use are in the model (the caps that
weak duality proves), so that it is small. Connectivity comes lazily: a disconnected answer adds, for each of
its components U, "avoid U, or stay in U, or leave U". Nothing rests on what CP-SAT says: a proposal is
verified in integers by the caller, and "there is none" is not used as a proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tallyplan.games.policy_set.relaxation import Relaxation
from tallyplan.games.policy_set.walks import Flow


def propose(
    relaxation: Relaxation,
    objective: Sequence[int],
    caps: Mapping[int, int],
    least: int,
    most: int,
    effort: float,
) -> Flow | None:
    """A connected circulation with least <= objective.N <= most, greater is better; None if none turns up.

    `effort` is CP-SAT's deterministic time, so that the same question has the same answer on every machine.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    flows = _circulation(model, relaxation, caps)
    counts = _counts(model, relaxation, flows)
    goal = cp_model.LinearExpr.weighted_sum(counts, list(objective))
    model.add_linear_constraint(goal, least, most)
    model.maximize(goal)
    while effort > 0:
        solver: Any = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.max_deterministic_time = effort
        status = solver.solve(model)
        effort -= solver.response_proto.deterministic_time + 1e-3
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        flow = tuple(solver.value(flows[e]) if e in flows else 0 for e in range(relaxation.edges))
        parts = relaxation.windows.components([edge for edge, times in enumerate(flow) if times])
        if len(parts) == 1:
            return flow
        for part in parts:
            _connect(model, relaxation, flows, part)
    return None


def _circulation(model: Any, relaxation: Relaxation, caps: Mapping[int, int]) -> dict[int, Any]:
    """The flow variables by edge, those that may be positive; conserved at every history."""
    windows, period = relaxation.windows, relaxation.period
    flows = {
        edge: model.new_int_var(0, caps.get(edge, period), "")
        for edge in range(relaxation.edges)
        if caps.get(edge, period) > 0
    }
    balance: list[tuple[list[Any], list[int]]] = [([], []) for _ in range(windows.states)]
    for edge, flow in flows.items():
        for state, sign in ((windows.tails[edge], -1), (windows.heads[edge], 1)):
            balance[state][0].append(flow)
            balance[state][1].append(sign)
    for variables, signs in balance:
        model.add_linear_constraint(_sum(variables, signs), 0, 0)
    model.add_linear_constraint(_sum(list(flows.values())), period, period)
    return flows


def _counts(model: Any, relaxation: Relaxation, flows: Mapping[int, Any]) -> list[Any]:
    """The counts by cell, under the rows of the set."""
    windows = relaxation.windows
    counts = []
    for cell in range(windows.cells):
        mine = [flow for edge, flow in flows.items() if windows.cell_of[edge] == cell]
        counts.append(model.new_int_var(0, relaxation.period, ""))
        model.add_linear_constraint(_sum([*mine, counts[-1]], [1] * len(mine) + [-1]), 0, 0)
    for weights, limit in relaxation.rows:
        model.add(_sum(counts, weights) <= limit)
    return counts


def _connect(model: Any, relaxation: Relaxation, flows: Mapping[int, Any], inside: frozenset[int]) -> None:
    """Avoid these histories, or stay in them, or leave them at least once."""
    tails, heads = relaxation.windows.tails, relaxation.windows.heads
    touching = [f for e, f in flows.items() if tails[e] in inside or heads[e] in inside]
    outside = [f for e, f in flows.items() if tails[e] not in inside or heads[e] not in inside]
    leaving = [f for e, f in flows.items() if tails[e] in inside and heads[e] not in inside]
    avoid, stay = model.new_bool_var(""), model.new_bool_var("")
    model.add(_sum(touching) == 0).only_enforce_if(avoid)
    model.add(_sum(outside) == 0).only_enforce_if(stay)
    if leaving:
        model.add(_sum(leaving) >= 1).only_enforce_if(~avoid, ~stay)
    else:
        model.add_bool_or(avoid, stay)


def _sum(variables: Sequence[Any], weights: Sequence[int] | None = None) -> Any:
    from ortools.sat.python import cp_model

    return cp_model.LinearExpr.weighted_sum(list(variables), list(weights or [1] * len(variables)))
