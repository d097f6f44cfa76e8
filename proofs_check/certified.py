"""The planners' answers as the claims use them: a value counts once the independent checker has accepted it.

An answer whose certificate is not accepted, or answers another question, raises InternalError, and the claim
that asked is left undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tallyplan.check import check
from tallyplan.errors import InternalError
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import text
from tallyplan.model.replay import history_of
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan


def optimum(bandit: TallyingBandit, horizon: int, start: Sequence[int] = ()) -> Fraction:
    """OPT_T, or the least loss of `horizon` steps after the history `start`."""
    plan = optimal_plan(bandit, horizon, start)
    history = list(history_of(bandit, start))
    question = {"question": "horizon", "horizon": horizon, "start": history, "value": text(plan.value)}
    _require_accepted(plan.certificate, question, bandit)
    return plan.value


def least_cyclic_mean(bandit: TallyingBandit, period: int) -> Fraction:
    """mu(pi*): the least loss per step of a word of exactly this length, repeated forever."""
    policy = optimal_cyclic_policy(bandit, period)
    question = {"question": "cyclic", "period": period, "value": text(policy.value)}
    _require_accepted(policy.certificate, question, bandit)
    return policy.value


def _require_accepted(certificate: dict[str, Any], question: dict[str, Any], bandit: TallyingBandit) -> None:
    verdict = check(certificate, instance=bandit.to_json())
    if certificate["claim"] != question:
        raise InternalError(f"asked for {question}, the planner answered {certificate['claim']}.")
    if not verdict:
        raise InternalError(f"the checker did not accept {question} on {bandit.table()}: {verdict.reason}")
