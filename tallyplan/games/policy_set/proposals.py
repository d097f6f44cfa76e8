"""CP-SAT proposes circulations where branching finds none: it is good at the arithmetic of long words.

Connectivity comes lazily: a disconnected answer adds, for each of its components U, "avoid U, or stay in U,
or leave U". Nothing rests on what CP-SAT says: a proposal is verified in integers by the caller, and "there
is none" is not used as a proof.
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
    """A connected circulation with a large objective.N from least to most; None if CP-SAT finds none.

    Parameters
    ----------
    caps : upper bounds of some flows; the smaller they are, the smaller is the model.
    effort : CP-SAT's deterministic time, so that the same question has the same answer on every machine.
    """
    from ortools.sat.python import cp_model

    model, windows, period = cp_model.CpModel(), relaxation.windows, relaxation.period
    flows = [model.new_int_var(0, caps.get(edge, period), "") for edge in range(relaxation.edges)]
    counts = [model.new_int_var(0, period, "") for _ in range(windows.cells)]

    def counted(weights: Sequence[int]) -> Any:
        return cp_model.LinearExpr.weighted_sum(counts, list(weights))

    for cell, times in enumerate(counts):
        model.add(times == _sum(flows, windows.cell_of, {cell}))
    for state in range(windows.states):
        model.add(_sum(flows, windows.tails, {state}) == _sum(flows, windows.heads, {state}))
    model.add(cp_model.LinearExpr.sum(flows) == period)
    for weights, limit in relaxation.rows:
        model.add(counted(weights) <= limit)
    model.add_linear_constraint(counted(objective), least, most)
    model.maximize(counted(objective))
    while effort > 0:
        solver: Any = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        solver.parameters.max_deterministic_time = effort
        status = solver.solve(model)
        effort -= solver.response_proto.deterministic_time + 1e-3
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        flow = tuple(map(solver.value, flows))
        parts = windows.components([edge for edge, times in enumerate(flow) if times])
        if len(parts) == 1:
            return flow
        for part in parts:
            _connect(model, relaxation, flows, part)
    return None


def _connect(model: Any, relaxation: Relaxation, flows: Sequence[Any], inside: frozenset[int]) -> None:
    """Avoid these histories, or stay in them, or leave them at least once."""
    from ortools.sat.python import cp_model

    tails, heads = relaxation.windows.tails, relaxation.windows.heads
    begun = _sum(flows, tails, inside)  # steps that begin in these histories
    leaving = [flow for e, flow in enumerate(flows) if tails[e] in inside and heads[e] not in inside]
    avoid, stay = model.new_bool_var(""), model.new_bool_var("")
    model.add(begun == 0).only_enforce_if(avoid)
    model.add(begun == relaxation.period).only_enforce_if(stay)
    model.add(cp_model.LinearExpr.sum(leaving) >= 1).only_enforce_if(~avoid, ~stay)


def _sum(flows: Sequence[Any], ends: Sequence[int], inside: frozenset[int] | set[int]) -> Any:
    """The flow over the edges that end (or begin) in some histories."""
    from ortools.sat.python import cp_model

    return cp_model.LinearExpr.sum([flow for flow, end in zip(flows, ends, strict=True) if end in inside])
