"""The questions of planning: the best plan, cycle and word of a given length."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from tallyplan.certificates import in_words
from tallyplan.cli import common as cli
from tallyplan.cli import printing
from tallyplan.cli.printing import Line
from tallyplan.errors import NoPlay
from tallyplan.model.arms import ArmBandit
from tallyplan.model.instance import Bandit, load
from tallyplan.model.rationals import share

if TYPE_CHECKING:
    from tallyplan.answers import Answer, CyclicPolicy, MeanCycle, Plan

Found = TypeVar("Found", bound="Answer")


@cli.command(
    "Examples: `tallyplan plan c3.json --horizon 10^15`; "
    "`tallyplan plan c3.json --horizon 40 --start 0,1 --json --certificate plan.cert`"
)
def plan(
    file: cli.File,
    horizon: Annotated[str, cli.option("T", "Number of steps: 1000, 10^15 or 1e15.")],
    start: cli.Start = None,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
    method: cli.Method = "auto",
    gap: cli.Gap = "0",
    time_limit: cli.TimeLimit = None,
) -> None:
    """The least total loss of T steps, and an optimal action sequence as runs (word, repeats).

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum, with a plan at its upper end; the exit status is then 3.
    """
    from tallyplan.planning.horizon import optimal_plan

    bandit, steps = load(file), cli.integer(horizon, "--horizon")
    history = cli.read_actions(start, bandit, "--start")

    def attained(answer: Plan) -> list[Line]:
        runs = [[list(word), repeats] for word, repeats in answer.runs]
        return [
            *printing.original(bandit, answer, steps),
            Line("per step", printing.number(answer.upper / steps) if steps else "-"),
            Line(key="horizon", value=steps),
            Line("plan", lambda: printing.runs(answer.runs, bandit) or "nothing to play", "runs", runs),
            *printing.start(history),
        ]

    question = f"least total loss of {steps} steps{printing.after(history, bandit)}"
    ask = partial(optimal_plan, bandit, steps, history, method=method, gap=share(gap, "--gap"))
    _answer(bandit, question, ask, attained, certificate, as_json, time_limit, gap)


@cli.command(
    "Examples: `tallyplan cycle c3.json --certificate cycle.cert && tallyplan check cycle.cert`; "
    "`tallyplan cycle big.json --gap 1% --time-limit 60`"
)
def cycle(
    file: cli.File,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
    method: cli.Method = "auto",
    gap: cli.Gap = "0",
    time_limit: cli.TimeLimit = None,
) -> None:
    """The least long-run loss per step (minimum mean cycle), and a word that attains it.

    Where the state graph does not fit in memory, tallying bandits are planned without it. The answer may then
    be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    bandit = load(file)

    def attained(answer: MeanCycle) -> list[Line]:
        return _repeated(bandit, answer, f"  (length {len(answer.word)}, repeated forever)")

    ask = partial(minimum_mean_cycle, bandit, method=method, gap=share(gap, "--gap"))
    question = "least long-run loss per step"
    _answer(bandit, question, ask, attained, certificate, as_json, time_limit, gap)


@cli.command(
    "Examples: `tallyplan cyclic c3.json --period 1001 --json`; "
    "`tallyplan cyclic big.json --period 4001 --time-limit 10`"
)
def cyclic(
    file: cli.File,
    period: Annotated[str, cli.option("L", "Length of the word, at least 1.")],
    time_limit: cli.TimeLimit = None,
    as_json: cli.AsJson = False,
    certificate: cli.Out = None,
) -> None:
    """The best word of exactly L actions, repeated forever: the optimal L-cyclic policy.

    With a time limit the answer may be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.cyclic import optimal_cyclic_policy

    bandit, length = load(file), cli.integer(period, "--period")

    def attained(answer: CyclicPolicy) -> list[Line]:
        return [*_repeated(bandit, answer), Line(key="period", value=answer.period)]

    question = f"least loss per step of a word of {length} actions, repeated forever"
    ask = partial(optimal_cyclic_policy, bandit, length)
    _answer(bandit, question, ask, attained, certificate, as_json, time_limit)


def _repeated(bandit: Bandit, answer: MeanCycle | CyclicPolicy, more: str = "") -> list[Line]:
    """A word that is repeated forever, and what arms play before it."""
    opening = printing.word(answer.opening, bandit) or "none"
    before = [Line("opening", opening, "opening", list(answer.opening))]
    return [
        *printing.original(bandit, answer),
        *(before if isinstance(bandit, ArmBandit) else []),
        Line("word", lambda: printing.word(answer.word, bandit) + more, "word", list(answer.word)),
    ]


def _answer(
    bandit: Bandit,
    question: str,
    ask: Callable[..., Found],
    attained: Callable[[Found], list[Line]],
    certificate: str | None,
    as_json: bool,
    time_limit: float | None,
    gap: str = "0",
) -> None:
    """Ask and print the answer. The status is 3 if it is an interval, 1 if arms forbid every play."""
    asked = [printing.instance(bandit), Line("question", question)]
    end = printing.certificate(certificate)
    try:
        with cli.shown_progress() as progress:
            answer = ask(time_limit=time_limit, progress=progress)
            cli.write_certificate(certificate, lambda: answer.certificate)
    except NoPlay as none:
        proved, told = none.certificate, str(none)
        cli.write_certificate(certificate, lambda: proved)
        found = [Line("answer", told, "answer", told), Line(key="value", value=None)]
        proof = Line("proof", in_words(proved["dual"], "states"))
        printing.answer([*asked, *found, proof, *end], as_json=as_json)
        raise typer.Exit(cli.REFUTED) from None
    found = [*printing.optimum(answer), *attained(answer)]
    printing.answer([*asked, *found, Line("proof", answer.argument), *end], as_json=as_json)
    if not answer.exact:
        close = answer.upper - answer.lower <= share(gap, "--gap") * answer.upper
        raise cli.undecided("the gap that --gap allows was reached" if close else cli.why_stopped(time_limit))
