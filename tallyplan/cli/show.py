"""What the command line prints: tables for people, JSON for programs; and how each kind of entry is written.

Words and runs are printed so that they can be read back (`tallyplan.model.words`): whole, or not at all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallyplan.model.files import json_text
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import digits, text
from tallyplan.model.words import Runs, Word, compress, length, written

if TYPE_CHECKING:
    from tallyplan.games.bounds import Bound
    from tallyplan.games.trials import Summary

SHORT_WORD = 60  # actions of a word that is shown as it is
LONGEST_TEXT = 1200  # letters of a word or of runs on the screen, fifteen lines
LONGEST_WORD = 10**6  # actions up to which a word is searched for repetitions
FIRST_LOOK = 10**4  # actions of a word that tell whether the search is worth while

Rows = Sequence[tuple[str, str]]


def json_document(document: Any) -> None:
    """One line of JSON."""
    print(json_text(document))


def table(*rows: tuple[str, str]) -> None:
    """Two columns; the second is wrapped to the width of the terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout)
    margin = 2 + max(len(key) for key, _ in rows)
    grid = Text()
    for key, value in rows:
        grid.append(key.ljust(margin), style="bold")
        grid.append(f"\n{' ' * margin}".join(wrapped(value, console.width - margin)) + "\n")
    with console.capture() as captured:  # rich would end the program if the reader of a pipe has left
        console.print(grid, end="", soft_wrap=True)
    print(captured.get(), end="")


def wrapped(entry: str, width: int) -> Iterator[str]:
    """The lines of an entry, broken so that words and runs can be read back from them.

    Breaks come at spaces, or else after commas, before exponents, and within a row of digits that is no
    exponent: an exponent is never broken, even if its line is then too long.

    >>> list(wrapped("(0101)^1234 0", 6)), list(wrapped("10,11,12", 4))
    (['(0101)', '^1234', '0'], ['10,', '11,', '12'])
    """
    line = ""
    for piece in _pieces(entry, max(1, width)):
        if len((line + piece).rstrip()) > width and line.strip():
            yield line.rstrip()
            line = piece.lstrip()
        else:
            line += piece
    yield line.rstrip()


def _pieces(entry: str, width: int) -> Iterator[str]:
    """What must stay on one line, each piece with the spaces before it."""
    for token in re.findall(r" *[^ ]+", entry):
        if len(token.lstrip()) <= width:
            yield token
            continue
        for part in re.findall(r"\^\d+|[^,^]+,?|,|\^", token):
            whole = part.startswith("^") or "," in token
            yield from [part] if whole else (part[i : i + width] for i in range(0, len(part), width))


def instance(bandit: Bandit) -> tuple[str, str]:
    """The row that names the instance."""
    name = bandit.name or "unnamed"
    return "instance", f"{name}: {bandit.actions} actions, memory {bandit.memory}"


def certificate(path: str | None) -> Rows:
    """The row that says where the certificate is, if there is one."""
    return [] if path is None else [("certificate", f"{path}  (verify: tallyplan check {path})")]


def interval(lower: Fraction, upper: Fraction, *, name: str = "optimum") -> Rows:
    """A number that is known, or the interval in which it lies."""
    if lower == upper:
        return [(name, number(upper))]
    prefix = "" if name == "optimum" else f"{name}, "
    return [
        (f"{prefix}at least", number(lower)),
        (f"{prefix}at most", number(upper)),
        (f"{prefix}gap", f"{float((upper - lower) / upper):.2%} of the upper end"),
    ]


def number(value: Fraction) -> str:
    """An exact number, and about how large it is."""
    exact = text(value)
    if value.denominator == 1 or abs(value) > sys.float_info.max or abs(value) < sys.float_info.min:
        return exact
    return f"{exact}  (about {float(value):.10g})"


def runs(played: Runs, bandit: Bandit) -> str:
    """Runs that can be read back; or, where they are too long for a screen, how long they are."""
    whole = written(played, bandit.actions)
    return whole if len(whole) <= LONGEST_TEXT else too_long(length(played))


def word(actions: Word, bandit: Bandit) -> str:
    """A word that can be read back: plain if it is short, else as runs; or how long it is.

    >>> from tallyplan import TallyingBandit
    >>> word((0, 1) * 40, TallyingBandit([["0"], ["1"]]))
    '(01)^40'
    """
    if len(actions) <= SHORT_WORD:
        return written([(actions, 1)], bandit.actions)
    if len(actions) > LONGEST_WORD:
        return too_long(len(actions))
    if len(actions) > FIRST_LOOK:
        first = runs(compress(list(actions[:FIRST_LOOK])), bandit)
        if first == too_long(FIRST_LOOK):
            return too_long(len(actions))
    return runs(compress(list(actions)), bandit)


def too_long(steps: int) -> str:
    """What stands for a sequence that would fill the screen: no word, so that nobody takes it for one."""
    return f"too long to show: {digits(steps)} actions (--json and --certificate have them all)"


def games(summary: Summary) -> None:
    """One game of a learner, or the summary of many."""
    trial, count = summary.trial, len(summary.losses)
    seeds = f"seed {trial.seed}" if count == 1 else f"seeds {trial.seed} to {trial.seed + count - 1}"
    table(
        instance(summary.bandit),
        ("learner", f"{trial.algorithm}, {trial.feedback_name} feedback, {seeds}"),
        ("steps", str(trial.horizon)),
        ("optimum", number(summary.optimum)),
        *([("loss", number(summary.losses[0]))] if count == 1 else []),
        *((f"regret{name and ', '}{name}", number(value)) for name, value in _regret_rows(summary).items()),
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
