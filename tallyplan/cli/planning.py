"""The questions of planning: the best plan, cycle and word of a given length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from tallyplan.certificates import in_words
from tallyplan.cli import printing
from tallyplan.cli.common import (
    REFUTED,
    AsJson,
    File,
    Gap,
    Method,
    Out,
    Start,
    TimeLimit,
    command,
    integer,
    option,
    read_start,
    shown_progress,
    undecided,
    why_stopped,
    write_certificate,
)
from tallyplan.cli.printing import Line
from tallyplan.errors import NoPlay
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import Bandit, load
from tallyplan.model.rationals import share
from tallyplan.model.words import Word

if TYPE_CHECKING:
    from tallyplan.answers import Answer


@command(
    "Examples: `tallyplan plan c3.json --horizon 10^15`; "
    "`tallyplan plan c3.json --horizon 40 --start 0,1 --json --certificate plan.cert`"
)
def plan(
    file: File,
    horizon: Annotated[str, option("T", "Number of steps: 1000, 10^15 or 1e15.")],
    start: Start = None,
    as_json: AsJson = False,
    certificate: Out = None,
    method: Method = "auto",
    gap: Gap = "0",
    time_limit: TimeLimit = None,
) -> None:
    """The least total loss of T steps, and an optimal action sequence as runs (word, repeats).

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum, with a plan at its upper end; the exit status is then 3.
    """
    from tallyplan.planning.horizon import optimal_plan

    bandit = load(file)
    steps = integer(horizon, "--horizon")
    history = read_start(start, bandit)
    question = f"least total loss of {steps} steps{printing.after(history, bandit)}"
    with shown_progress() as progress, _or_none(bandit, question, certificate, as_json):
        answer = optimal_plan(
            bandit,
            steps,
            history,
            method=method,
            gap=share(gap, "--gap"),
            time_limit=time_limit,
            progress=progress,
        )
        write_certificate(certificate, lambda: answer.certificate)
    runs = [[list(word), repeats] for word, repeats in answer.runs]
    attained = [
        *printing.original(bandit, answer, steps),
        Line("per step", printing.number(answer.upper / steps) if steps else "-"),
        Line(key="horizon", value=steps),
        Line("plan", lambda: printing.runs(answer.runs, bandit) or "nothing to play", "runs", runs),
        *printing.start(history),
    ]
    _print(bandit, answer, question, attained, certificate, as_json, time_limit, gap)


@command(
    "Examples: `tallyplan cycle c3.json --certificate cycle.cert && tallyplan check cycle.cert`; "
    "`tallyplan cycle big.json --gap 1% --time-limit 60`"
)
def cycle(
    file: File,
    as_json: AsJson = False,
    certificate: Out = None,
    method: Method = "auto",
    gap: Gap = "0",
    time_limit: TimeLimit = None,
) -> None:
    """The least long-run loss per step (minimum mean cycle), and a word that attains it.

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    bandit, question = load(file), "least long-run loss per step"
    with shown_progress() as progress, _or_none(bandit, question, certificate, as_json):
        answer = minimum_mean_cycle(
            bandit, method=method, gap=share(gap, "--gap"), time_limit=time_limit, progress=progress
        )
        write_certificate(certificate, lambda: answer.certificate)
    word = f"{printing.word(answer.word, bandit)}  (length {len(answer.word)}, repeated forever)"
    attained = [
        *printing.original(bandit, answer),
        *_opening(bandit, answer.opening),
        Line("word", word, "word", list(answer.word)),
    ]
    _print(bandit, answer, question, attained, certificate, as_json, time_limit, gap)


@command(
    "Examples: `tallyplan cyclic c3.json --period 1001 --json`; "
    "`tallyplan cyclic big.json --period 4001 --time-limit 10`"
)
def cyclic(
    file: File,
    period: Annotated[str, option("L", "Length of the word, at least 1.")],
    time_limit: TimeLimit = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The best word of exactly L actions, repeated forever: the optimal L-cyclic policy.

    With a time limit the answer may be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.cyclic import optimal_cyclic_policy

    bandit = load(file)
    length = integer(period, "--period")
    question = f"least loss per step of a word of {length} actions, repeated forever"
    with shown_progress() as progress, _or_none(bandit, question, certificate, as_json):
        answer = optimal_cyclic_policy(bandit, length, time_limit=time_limit, progress=progress)
        write_certificate(certificate, lambda: answer.certificate)
    attained = [
        *printing.original(bandit, answer),
        *_opening(bandit, answer.opening),
        Line("word", lambda: printing.word(answer.word, bandit), "word", list(answer.word)),
        Line(key="period", value=answer.period),
    ]
    _print(bandit, answer, question, attained, certificate, as_json, time_limit)


def _opening(bandit: Bandit, opening: Word) -> list[Line]:
    """What arms play before the word."""
    if not isinstance(bandit, ArmBandit):
        return []
    return [Line("opening", printing.word(opening, bandit) or "none", "opening", list(opening))]


@contextmanager
def _or_none(bandit: Bandit, question: str, certificate: str | None, as_json: bool) -> Iterator[None]:
    """Where arms forbid every play: say so, with the proof, and end with status 1."""
    try:
        yield
    except NoPlay as none:
        proved = none.certificate
        write_certificate(certificate, lambda: proved)
        lines = [
            printing.instance(bandit),
            Line("question", question),
            Line("answer", str(none), "answer", str(none)),
            Line(key="value", value=None),
            Line("proof", in_words(proved["dual"], "states")),
            *printing.certificate(certificate),
        ]
        printing.answer(lines, as_json=as_json)
        raise typer.Exit(REFUTED) from None


def _print(
    bandit: Bandit,
    answer: Answer,
    question: str,
    attained: Sequence[Line],
    certificate: str | None,
    as_json: bool,
    time_limit: float | None,
    gap: str = "0",
) -> None:
    """An answer to any of the three questions; the status is 3 if it is an interval."""
    printing.answer(
        [
            printing.instance(bandit),
            Line("question", question),
            *printing.optimum(answer),
            *attained,
            Line("proof", answer.argument),
            *printing.certificate(certificate),
        ],
        as_json=as_json,
    )
    if not answer.exact:
        close = answer.upper - answer.lower <= share(gap, "--gap") * answer.upper
        raise undecided("the gap that --gap allows was reached" if close else why_stopped(time_limit))
