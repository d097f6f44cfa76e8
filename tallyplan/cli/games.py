"""What the command line prints about games: tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tallyplan.cli.show import _instance, _number, _table
from tallyplan.model.rationals import text

if TYPE_CHECKING:
    from tallyplan.games.bounds import Judgement
    from tallyplan.games.registry import Entry
    from tallyplan.games.regret import Interval, Regrets
    from tallyplan.games.trials import Summary


def games(summary: Summary) -> None:
    """One game of a learner, or the summary of many."""
    setup, count = summary.setup, len(summary.losses)
    seeds = f"seed {setup.seed}" if count == 1 else f"seeds {setup.seed} to {setup.seed + count - 1}"
    _table(
        _instance(summary.bandit),
        ("learner", f"{setup.algorithm}, {setup.feedback_name} feedback, {seeds}"),
        ("steps", str(setup.horizon)),
        ("optimum", _interval(summary.optimum)),
        *([("loss", _number(summary.losses[0]))] if count == 1 else []),
        *(
            (f"regret{name and ', '}{name}", _interval(value))
            for name, value in _regret_rows(summary).items()
        ),
        *((judgement.bound.name, _judgement(judgement, count)) for judgement in _judged(summary)),
    )


def games_as_json(summary: Summary) -> dict[str, Any]:
    """The same for programs; with several games, loss and regret are means."""
    setup, count = summary.setup, len(summary.losses)
    document = {
        "algorithm": setup.algorithm,
        "horizon": setup.horizon,
        "seed": setup.seed,
        "loss": text(summary.mean_loss),
        "optimum": _interval_as_json(summary.optimum),
        "regret": _interval_as_json(summary.mean_regret),
        "feedback": setup.feedback_name,
        "delta": text(setup.delta),
        "bounds": {judgement.bound.name: _judgement_as_json(judgement) for judgement in _judged(summary)},
    }
    if count == 1:
        return document
    rows = {name: _interval_as_json(value) for name, value in _regret_rows(summary).items()}
    return document | {"repeats": count, "regrets": rows}


def regrets(answer: Regrets) -> None:
    """All regrets of a log."""
    from tallyplan.games.regret import Interval

    _table(
        _instance(answer.bandit),
        ("steps", str(answer.horizon)),
        ("loss", _number(answer.loss)),
        ("optimum", _interval(Interval(answer.optimum_lower, answer.optimum_upper))),
        ("best constant", f"{_number(answer.best_constant)}, action {answer.constant_action}"),
        ("complete policy regret", _interval(Interval(answer.complete_lower, answer.complete_upper))),
        ("constant-action policy regret", _number(answer.constant)),
        ("traditional regret, constant actions", _number(answer.traditional)),
        ("traditional regret, all sequences", _number(answer.traditional_complete)),
    )


def regrets_as_json(answer: Regrets) -> dict[str, Any]:
    """The same for programs."""
    from tallyplan.games.regret import Interval

    return {
        "horizon": answer.horizon,
        "loss": text(answer.loss),
        "optimum": _interval_as_json(Interval(answer.optimum_lower, answer.optimum_upper)),
        "best_constant": text(answer.best_constant),
        "complete": _interval_as_json(Interval(answer.complete_lower, answer.complete_upper)),
        "constant": text(answer.constant),
        "traditional": text(answer.traditional),
        "traditional_complete": text(answer.traditional_complete),
    }


def learner_list(entries: Sequence[Entry]) -> None:
    """All learners, one line each."""
    _table(*((entry.name, entry.summary) for entry in entries))


def _interval(number: Interval) -> str:
    if number.exact:
        return _number(number.value)
    return f"between {_number(number.lower)} and {_number(number.upper)}"


def _interval_as_json(number: Interval) -> str | dict[str, str]:
    """A number, or the two ends between which it lies."""
    return text(number.value) if number.exact else {"lower": text(number.lower), "upper": text(number.upper)}


def _regret_rows(summary: Summary) -> dict[str, Interval]:
    from tallyplan.games.regret import regret_of
    from tallyplan.games.trials import QUANTILES, quantile

    losses = summary.losses
    if len(losses) == 1:
        return {"": summary.mean_regret}
    rows = {"min": min(losses)}
    rows |= {f"{100 * share}%": quantile(losses, share) for share in QUANTILES}
    rows |= {"max": max(losses)}
    regrets = {name: regret_of(loss, summary.optimum) for name, loss in rows.items()}
    return {"mean": summary.mean_regret} | regrets


def _judged(summary: Summary) -> list[Judgement]:
    """The bounds that are about this learner, each held against its games."""
    from tallyplan.games.bounds import bounds_of

    return [summary.judged(bound) for bound in bounds_of(summary.setup.algorithm)]


def _judgement(judgement: Judgement, count: int) -> str:
    from tallyplan.games.bounds import ALWAYS

    if not judgement.holds:
        return f"does not apply: {judgement.fails}"
    bound, setting = judgement.bound, judgement.setting
    says = "below T" if bound.says_something(setting) else "not below T: it says nothing"
    sure = "always" if bound.probability == ALWAYS else f"with probability {bound.probability}"
    exceeded = f"exceeded in {judgement.exceeded} of {count} games"
    return f"{bound(setting).str(6, radius=False)} {sure}, {says}; {exceeded}"


def _judgement_as_json(judgement: Judgement) -> dict[str, Any]:
    bound, setting = judgement.bound, judgement.setting
    stated = {
        "formula": str(bound),
        "probability": str(bound.probability),
        "hypotheses": list(bound.hypotheses),
        "holds": judgement.holds,
    }
    if judgement.holds:
        return stated | {
            "value": bound(setting).str(12, radius=False),
            "below_horizon": bound.says_something(setting),
            "exceeded": judgement.exceeded,
        }
    nearest = judgement.nearest_horizons
    return stated | {"fails": judgement.fails} | ({"nearest_horizons": nearest} if nearest else {})
