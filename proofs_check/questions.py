"""The questions of this package that a study can ask: best constants, minimax regrets, claims.

They are about no instance: their sizes are parameters. The entry point `tallyplan.questions` brings them;
what they need is imported when they are asked, so that other studies do not wait for it.
"""

from __future__ import annotations

from tallyplan.errors import InvalidInput, TallyplanError
from tallyplan.model.files import json_text
from tallyplan.model.plugins import is_plugin
from tallyplan.model.rationals import text
from tallyplan.studies.questions import Outcome, question


def _check_constants(
    *, claim: str, actions: int, memory: int, horizon: int | None, period: int | None, where: str
) -> list[str]:
    from proofs_check.worst_case.claims import class_names
    from proofs_check.worst_case.claims import question as at_size
    from proofs_check.worst_case.where import inequalities

    names = class_names(claim)
    at_size(claim, actions, memory, horizon=horizon, period=period)
    inequalities(where, actions, memory)
    return list(filter(is_plugin, names))


def _check_minimax(*, actions: int, memory: int, horizon: int, grid: int) -> tuple[()]:
    if min(actions, memory, grid) < 1 or horizon < 0:
        raise InvalidInput(
            "actions, memory and grid of minimax are at least 1, and its horizon is at least 0."
        )
    return ()


def _check_claim(*, id: str, thorough: int) -> tuple[()]:
    from proofs_check import claims
    from proofs_check.claim import named

    claims()
    named(id)
    if thorough not in (0, 1):
        raise InvalidInput(f"thorough of a claim is {thorough}; it is 0 or 1.")
    return ()


@question("constants", check=_check_constants)
def constants(
    *,
    claim: str,
    actions: int,
    memory: int,
    horizon: int | None = None,
    period: int | None = None,
    where: str = "",
) -> Outcome:
    """The best constant of a claim over all tables, or over those that `where` describes."""
    from proofs_check.worst_case.claims import constant
    from proofs_check.worst_case.claims import question as at_size

    found = constant(at_size(claim, actions, memory, horizon=horizon, period=period, where=where))
    facts = {"losses": json_text(found.losses), "proof": found.effort}
    return Outcome(found.value, found.bound, facts, found.certificate)


@question("minimax", check=_check_minimax)
def minimax(*, actions: int, memory: int, horizon: int, grid: int = 1) -> Outcome:
    """The minimax regret over all tables of a grid, when losses are seen."""
    from proofs_check.bayes.minimax import minimax_by_horizon

    (found,) = minimax_by_horizon(actions, memory, [horizon], grid=grid)
    return Outcome(found.lower, found.value, {"pure": text(found.pure)}, found.certificate)


@question("claim", check=_check_claim)
def claim(*, id: str, thorough: int = 0) -> Outcome:
    """The verdict on a claim of the paper, or of ours; on larger boxes if thorough is 1."""
    from proofs_check import verify
    from proofs_check.kept import facts_about

    (found,) = verify([id], thorough=bool(thorough))
    if found.outcome.error is not None:
        raise TallyplanError(f"the examination of {id} ended with an error: {found.outcome.error}")
    return Outcome(None, None, facts_about(found.outcome))
