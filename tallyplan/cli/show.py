"""What the command line prints: tables for people, JSON for programs."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text
from tallyplan.model.words import Runs, Word

if TYPE_CHECKING:
    from tallyplan.answers import CyclicPolicy, MeanCycle, Plan
    from tallyplan.games.bounds import Bound
    from tallyplan.games.learners.registry import Entry
    from tallyplan.games.regret import Regrets
    from tallyplan.games.trials import Summary
    from tallyplan.model.families import Family

LONG_WORD = 60  # actions of a word that are shown
LONG_POLICY = 10**4  # actions up to which a word is searched for repetitions

Rows = Sequence[tuple[str, str]]


def json_document(document: Any) -> None:
    """One line of JSON."""
    print(json.dumps(document))


def plan(answer: Plan, certificate: str | None) -> None:
    """An optimal plan, or the best one known with an interval for the optimum."""
    bandit = answer.bandit
    after = f" after {_word(answer.start, bandit)}" if answer.start else ""
    _table(
        _instance(bandit),
        ("question", f"least total loss of {answer.horizon} steps{after}"),
        *_optimum_or_interval(answer.lower, answer.upper),
        ("per step", _number(answer.upper / answer.horizon) if answer.horizon else "-"),
        ("plan", _runs(answer.runs, bandit) or "nothing to play"),
        ("proof", answer.argument),
        *_certificate(certificate),
    )


def mean_cycle(answer: MeanCycle, certificate: str | None) -> None:
    """A minimum mean cycle, or an interval for it."""
    from tallyplan.model.words import compress

    bandit, word = answer.bandit, answer.word
    short = len(word) <= LONG_WORD or len(word) > LONG_POLICY
    written = _word(word, bandit) if short else _runs(compress(list(word)), bandit)
    _table(
        _instance(bandit),
        ("question", "least long-run loss per step"),
        *_optimum_or_interval(answer.lower, answer.upper),
        ("word", f"{written}  (length {len(word)}, repeated for ever)"),
        ("proof", answer.argument),
        *_certificate(certificate),
    )


def cyclic_policy(answer: CyclicPolicy, certificate: str | None) -> None:
    """A best word of a given length."""
    from tallyplan.model.words import compress

    bandit, word = answer.bandit, answer.word
    written = _runs(compress(list(word)), bandit) if len(word) <= LONG_POLICY else _word(word, bandit)
    _table(
        _instance(bandit),
        ("question", f"least loss per step of a word of {answer.period} actions, repeated for ever"),
        *_optimum_or_interval(answer.lower, answer.upper),
        ("word", written),
        ("proof", answer.argument),
        *_certificate(certificate),
    )


def _optimum_or_interval(lower: Fraction, upper: Fraction) -> Rows:
    if lower == upper:
        return [("optimum", _number(upper))]
    return [
        ("at least", _number(lower)),
        ("at most", _number(upper)),
        ("gap", f"{float((upper - lower) / upper):.2%} of the upper end"),
    ]


def replayed(bandit: Bandit, steps: int, total: Fraction) -> None:
    """The loss of a given sequence."""
    _table(_instance(bandit), ("question", f"total loss of {steps} given actions"), ("loss", _number(total)))


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


def family_list(families: Sequence[Family]) -> None:
    """All families, one line each."""
    _table(*((family.name, family.summary) for family in families))
    print("\nOne in full: tallyplan families NAME")
    print("An instance: tallyplan new NAME key=value ... > FILE")


def one_family(family: Family) -> None:
    """A family with its definition, source and parameters."""
    print(f"{family.name}\n\n{inspect.getdoc(family.build)}")


def family_as_json(family: Family) -> dict[str, Any]:
    """A family for programs."""
    parameters = [
        {"name": p.name, "type": p.type, "default": p.default_text, "meaning": p.meaning}
        for p in family.parameters
    ]
    described = {"name": family.name, "summary": family.summary, "source": family.source}
    return described | {"parameters": parameters}


def _table(*rows: tuple[str, str]) -> None:
    """Two columns; the second is wrapped to the width of the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for key, value in rows:
        table.add_row(Text(key), Text(value))
    console = Console(file=sys.stdout)
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n")))


def _instance(bandit: Bandit) -> tuple[str, str]:
    name = bandit.name or "unnamed"
    return "instance", f"{name}: {bandit.actions} actions, memory {bandit.memory}"


def _number(value: Fraction) -> str:
    exact = text(value)
    if value.denominator == 1 or abs(value) > sys.float_info.max:
        return exact
    return f"{exact}  (about {float(value):.10g})"


def _word(word: Word, bandit: Bandit) -> str:
    separator = "" if bandit.actions <= 10 else " "
    shown = separator.join(map(str, word[:LONG_WORD]))
    return shown if len(word) <= LONG_WORD else f"{shown}... ({len(word)} actions)"


def _runs(runs: Runs, bandit: Bandit) -> str:
    parts = []
    for word, repeats in runs:
        shown = _word(tuple(word), bandit)
        if repeats > 1:
            shown = f"{shown}^{repeats}" if len(word) == 1 else f"({shown})^{repeats}"
        parts.append(shown)
    return " ".join(parts)


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


def _certificate(path: str | None) -> Rows:
    return [] if path is None else [("certificate", f"{path}  (verify: tallyplan check {path})")]
