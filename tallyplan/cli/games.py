"""What the command line prints about games: tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallyplan.cli.show import _instance, _number, _table
from tallyplan.model.rationals import text

if TYPE_CHECKING:
    from tallyplan.games.bounds import Bound
    from tallyplan.games.learners.registry import Entry
    from tallyplan.games.regret import Regrets
    from tallyplan.games.trials import Summary


def games(summary: Summary) -> None:
    """One game of a learner, or the summary of many."""
    trial, count = summary.trial, len(summary.losses)
    seeds = f"seed {trial.seed}" if count == 1 else f"seeds {trial.seed} to {trial.seed + count - 1}"
    _table(
        _instance(summary.bandit),
        ("learner", f"{trial.algorithm}, {trial.feedback_name} feedback, {seeds}"),
        ("steps", str(trial.horizon)),
        ("optimum", _number(summary.optimum)),
        *([("loss", _number(summary.losses[0]))] if count == 1 else []),
        *((f"regret{name and ', '}{name}", _number(value)) for name, value in _regret_rows(summary).items()),
        *((bound.name, _bound(bound, summary)) for bound in _bounds_of(trial.algorithm)),
    )


def games_as_json(summary: Summary) -> dict[str, Any]:
    """The same for programs; with several games, loss and regret are means."""
    trial, count = summary.trial, len(summary.losses)
    bounds = {bound.name: _bound_as_json(bound, summary) for bound in _bounds_of(trial.algorithm)}
    document = {
        "algorithm": trial.algorithm,
        "horizon": trial.horizon,
        "seed": trial.seed,
        "loss": text(summary.mean_loss),
        "optimum": text(summary.optimum),
        "regret": text(summary.mean_regret),
        "feedback": trial.feedback_name,
        "delta": text(trial.delta),
        "bounds": bounds,
    }
    if count == 1:
        return document
    return document | {
        "repeats": count,
        "regrets": {name: text(value) for name, value in _regret_rows(summary).items()},
    }


def regrets(answer: Regrets) -> None:
    """All regrets of a log."""
    _table(
        _instance(answer.bandit),
        ("steps", str(answer.horizon)),
        ("loss", _number(answer.loss)),
        ("optimum", _number(answer.optimum)),
        ("best constant", f"{_number(answer.best_constant)}, action {answer.constant_action}"),
        ("complete policy regret", _number(answer.complete)),
        ("constant-action policy regret", _number(answer.constant)),
        ("traditional regret, constant actions", _number(answer.traditional)),
        ("traditional regret, all sequences", _number(answer.traditional_complete)),
    )


def regrets_as_json(answer: Regrets) -> dict[str, Any]:
    """The same for programs."""
    return {
        "horizon": answer.horizon,
        "loss": text(answer.loss),
        "optimum": text(answer.optimum),
        "best_constant": text(answer.best_constant),
        "complete": text(answer.complete),
        "constant": text(answer.constant),
        "traditional": text(answer.traditional),
        "traditional_complete": text(answer.traditional_complete),
    }


def learner_list(entries: Sequence[Entry]) -> None:
    """All learners, one line each."""
    _table(*((entry.name, entry.summary) for entry in entries))


def _regret_rows(summary: Summary) -> dict[str, Fraction]:
    from tallyplan.games.trials import QUANTILES, quantile

    regrets = summary.regrets
    if len(regrets) == 1:
        return {"": regrets[0]}
    shares = {f"{100 * share}%": quantile(regrets, share) for share in QUANTILES}
    return {"mean": summary.mean_regret, "min": min(regrets)} | shares | {"max": max(regrets)}


def _bounds_of(algorithm: str) -> list[Bound]:
    from tallyplan.games.bounds import bounds_to_show

    return [bound for bound in bounds_to_show(algorithm) if bound.of == algorithm]


def _bound(bound: Bound, summary: Summary) -> str:
    setting = summary.setting
    if not bound.proved(setting):
        return "not proved for this number of steps"
    value = bound(setting)
    verdict = "below T" if value < setting.horizon else "not below T: it says nothing"
    games = f"; exceeded in {summary.exceeding(bound)} of {len(summary.losses)} games"
    return f"{value.str(6, radius=False)}, {verdict}{games}"


def _bound_as_json(bound: Bound, summary: Summary) -> dict[str, Any]:
    value = bound(summary.setting)
    return {
        "value": value.str(12, radius=False),
        "proved": bound.proved(summary.setting),
        "below_horizon": bool(value < summary.setting.horizon),
        "exceeded": summary.exceeding(bound),
    }
