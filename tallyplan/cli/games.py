"""What the command line prints about games: tables for people, JSON for programs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallyplan.cli import printing
from tallyplan.model.rationals import plain, text

if TYPE_CHECKING:
    from tallyplan.answers import Interval
    from tallyplan.games.bounds import Judgement
    from tallyplan.games.trials import Summary
    from tallyplan.model.instance import Bandit


def games(summary: Summary) -> None:
    """One game of a learner, or the summary of many."""
    setup, count = summary.setup, len(summary.losses)
    seeds = f"seed {setup.seed}" if count == 1 else f"seeds {setup.seed} to {setup.seed + count - 1}"
    printing.table(
        printing.instance(summary.bandit),
        ("learner", f"{setup.name}, {setup.feedback_name} feedback, {seeds}"),
        ("steps", str(setup.horizon)),
        ("optimum", printing.interval(summary.optimum)),
        *([("loss", printing.number(summary.losses[0]))] if count == 1 else []),
        *(
            (f"regret{name and ', '}{name}", printing.interval(value))
            for name, value in _regret_rows(summary).items()
        ),
        *printing.originals(*_account(summary)),
        *((judgement.bound.name, _judgement(judgement, count)) for judgement in _judged(summary)),
    )


def _account(summary: Summary) -> tuple[Bandit, Fraction, Interval, Interval, int]:
    """What was lost, the optimum and the regret; means, if there were several games."""
    horizon = summary.setup.horizon
    return summary.bandit, summary.mean_loss, summary.optimum, summary.mean_regret, horizon


def regret_names(summary: Summary) -> list[str]:
    """The columns of a line about the regrets."""
    return [f"regret{name and ', '}{name}" for name in _regret_rows(summary)]


def regrets_shortly(summary: Summary) -> list[str]:
    """The regrets of a line; an interval as its two ends."""
    ends = ((plain(value.lower), plain(value.upper)) for value in _regret_rows(summary).values())
    return [upper if lower == upper else f"{lower} to {upper}" for lower, upper in ends]


def games_as_json(summary: Summary) -> dict[str, Any]:
    """The same for programs; with several games, loss and regret are means."""
    setup, count = summary.setup, len(summary.losses)
    document = {
        "algorithm": setup.name,
        "horizon": setup.horizon,
        "seed": setup.seed,
        "loss": text(summary.mean_loss),
        "optimum": printing.interval_as_json(summary.optimum),
        "regret": printing.interval_as_json(summary.mean_regret),
        "feedback": setup.feedback_name,
        "delta": text(setup.delta),
        "bounds": {judgement.bound.name: _judgement_as_json(judgement) for judgement in _judged(summary)},
        **printing.originals_as_json(*_account(summary)),
    }
    if count == 1:
        return document
    rows = {name: printing.interval_as_json(value) for name, value in _regret_rows(summary).items()}
    return document | {"repeats": count, "regrets": rows}


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

    return [summary.judged(bound) for bound in bounds_of(summary.setup.name)]


def _judgement(judgement: Judgement, count: int) -> str:
    from tallyplan.games.bounds import ALWAYS

    if not judgement.holds:
        return f"does not apply: {judgement.fails}"
    bound, setting = judgement.bound, judgement.setting
    says = "below T" if bound.is_nontrivial(setting) else "not below T: it says nothing"
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
            "below_horizon": bound.is_nontrivial(setting),
            "exceeded": judgement.exceeded,
        }
    nearest = judgement.nearest_horizons
    return stated | {"fails": judgement.fails} | ({"nearest_horizons": nearest} if nearest else {})
