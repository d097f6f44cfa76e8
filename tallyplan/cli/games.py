"""The lines that `tallyplan play` prints about games, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tallyplan.cli import printing
from tallyplan.cli.printing import Line
from tallyplan.model.rationals import plain, text

if TYPE_CHECKING:
    from tallyplan.answers import Interval
    from tallyplan.games.bounds import Judgement
    from tallyplan.games.trials import Summary


def lines(summary: Summary) -> list[Line]:
    """One game of a learner, or the summary of many; programs then get means for loss and regret."""
    from tallyplan.games.bounds import bounds_of

    setup, count = summary.setup, len(summary.losses)
    seeds = f"seed {setup.seed}" if count == 1 else f"seeds {setup.seed} to {setup.seed + count - 1}"
    regrets = regret_rows(summary)
    account = {"total": summary.mean_loss, "optimum": summary.optimum, "regret": summary.mean_regret}
    several = {name.removeprefix("regret, "): printing.in_json(found) for name, found in regrets.items()}
    judged = [summary.judged(bound) for bound in bounds_of(setup.name)]
    bounds = {judgement.bound.name: _for_programs(judgement) for judgement in judged}
    return [
        printing.instance(summary.bandit),
        Line("learner", f"{setup.name}, {setup.feedback_name} feedback, {seeds}", "algorithm", setup.name),
        Line("steps", str(setup.horizon), "horizon", setup.horizon),
        Line(key="seed", value=setup.seed),
        printing.number_line("loss" if count == 1 else "", summary.mean_loss, "loss"),
        printing.number_line("optimum", summary.optimum, "optimum"),
        *(printing.number_line(name, found) for name, found in regrets.items()),
        Line(key="regret", value=printing.in_json(summary.mean_regret)),
        Line(key="feedback", value=setup.feedback_name),
        Line(key="delta", value=text(setup.delta)),
        *printing.originals(summary.bandit, account, setup.horizon),
        *(Line(judgement.bound.name, _in_words(judgement, count)) for judgement in judged),
        Line(key="bounds", value=bounds),
        *([Line(key="repeats", value=count), Line(key="regrets", value=several)] if count > 1 else []),
    ]


def regret_rows(summary: Summary) -> dict[str, Interval]:
    """The regret of a game; of several games the mean, the ends and some quantiles."""
    from tallyplan.games.regret import regret_of
    from tallyplan.games.trials import QUANTILES, quantile

    losses = summary.losses
    if len(losses) == 1:
        return {"regret": summary.mean_regret}
    rows = {"min": min(losses)}
    rows |= {f"{100 * share}%": quantile(losses, share) for share in QUANTILES}
    rows |= {"max": max(losses)}
    regrets = {f"regret, {name}": regret_of(loss, summary.optimum) for name, loss in rows.items()}
    return {"regret, mean": summary.mean_regret} | regrets


def shortly(found: Interval) -> str:
    """A regret in a column; an interval as its two ends."""
    lower, upper = plain(found.lower), plain(found.upper)
    return upper if lower == upper else f"{lower} to {upper}"


def _in_words(judgement: Judgement, count: int) -> str:
    from tallyplan.games.bounds import ALWAYS

    if not judgement.holds:
        return f"does not apply: {judgement.fails}"
    bound, setting = judgement.bound, judgement.setting
    value = bound(setting).str(6, radius=False)
    value = value if "e" in value else value.rstrip("0").rstrip(".")
    sure = "certain" if bound.probability == ALWAYS else f"with probability {bound.probability}"
    trivial = "" if bound.is_nontrivial(setting) else " (trivial: not below T)"
    return f"at most {value}, {sure}{trivial}; held in {count - judgement.exceeded} of {count} games"


def _for_programs(judgement: Judgement) -> dict[str, Any]:
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
