"""What a given sequence of actions loses and regrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tallyplan.cli import printing
from tallyplan.cli.common import UNDECIDED, AsJson, File, app, reports_errors
from tallyplan.cli.progress import shown_progress
from tallyplan.cli.sequences import Start, read_sequence
from tallyplan.errors import InvalidInput
from tallyplan.model.files import read_text
from tallyplan.model.instance import Bandit, load
from tallyplan.model.rationals import text
from tallyplan.model.words import Word, length

if TYPE_CHECKING:
    from tallyplan.answers import Interval
    from tallyplan.games.regret import Regrets


@app.command(
    epilog="Examples: `tallyplan replay c3.json 001 --start 1`; `tallyplan replay c3.json '(10)^5 0'`; "
    "`tallyplan plan c3.json --horizon 40 --json | tallyplan replay c3.json -`"
)
@reports_errors
def replay(
    file: File,
    actions: Annotated[
        str,
        typer.Argument(
            help="Actions in the order of play: 010, 0,1,0 or (01)^5 0; - reads them, or a plan in JSON, "
            "from standard input.",
            metavar="ACTIONS",
        ),
    ],
    start: Start = None,
    as_json: AsJson = False,
) -> None:
    """The exact total loss of an action sequence."""
    from tallyplan.answers import Interval
    from tallyplan.model.replay import replay_runs

    bandit, content = _read(file, actions, actions if actions != "-" else None, "ACTIONS")
    given = read_sequence(content, bandit, start, "ACTIONS")
    total, steps = replay_runs(bandit, given.runs, given.start), length(given.runs)
    if as_json:
        found = {"value": text(total), "horizon": steps} | _start(given.start)
        printing.json_document(found | printing.original_as_json(bandit, Interval(total, total), steps))
    else:
        question = f"total loss of {steps} given actions{_after(given.start, bandit)}"
        original = printing.original(bandit, Interval(total, total), steps)
        printing.table(
            printing.instance(bandit), ("question", question), ("loss", printing.number(total)), *original
        )


@app.command(
    epilog="Examples: `tallyplan play ucb1 u.json --horizon 1000 --log ucb1.log && "
    "tallyplan regret ucb1.log u.json`; `echo '(01)^5 1' | tallyplan regret - u.json --json`; "
    "`tallyplan plan u.json --horizon 9 --start 00 --json | tallyplan regret - u.json`"
)
@reports_errors
def regret(
    log: Annotated[
        str,
        typer.Argument(
            help="A file with a word such as (01)^5 1, CSV with a column action, a JSON list of actions or "
            "of runs [[word, repeats], ...], or what `tallyplan plan --json` prints; - is standard input.",
            metavar="LOG",
        ),
    ],
    file: File,
    start: Start = None,
    as_json: AsJson = False,
) -> None:
    """Every regret of an action log: complete policy, constant-action policy, and traditional.

    A plan brings its own start. Where the optimum is only known to lie in an interval, so is the regret; the
    exit status is then 3.
    """
    from tallyplan.games.regret import regrets

    bandit, content = _read(file, log, None, "LOG")
    given = read_sequence(content, bandit, start, log)
    with shown_progress() as progress:
        answer = regrets(bandit, given.runs, start=given.start, progress=progress)
    if as_json:
        printing.json_document(_regrets_as_json(answer))
    else:
        _print_regrets(answer)
    if not answer.exact:
        raise typer.Exit(UNDECIDED)


def _read(file: str, path: str, content: str | None, what: str) -> tuple[Bandit, str]:
    """The instance, and the text of the sequence, which may come from a file."""
    if content is None and path == file == "-":
        raise InvalidInput(f"{what} and FILE cannot both be standard input.")
    return load(file), read_text(path) if content is None else content


def _start(start: Word) -> dict[str, Any]:
    return {"start": list(start)} if start else {}


def _after(start: Word, bandit: Bandit) -> str:
    return f" after {printing.word(start, bandit)}" if start else ""


def _print_regrets(answer: Regrets) -> None:
    bandit = answer.bandit
    optimum, complete = _intervals(answer)
    printing.table(
        printing.instance(bandit),
        ("steps", f"{answer.horizon}{_after(answer.start, bandit)}"),
        ("loss", printing.number(answer.loss)),
        ("optimum", printing.interval(optimum)),
        ("best constant", f"{printing.number(answer.best_constant)}, action {answer.constant_action}"),
        ("complete policy regret", printing.interval(complete)),
        ("constant-action policy regret", printing.number(answer.constant)),
        ("traditional regret, constant actions", printing.number(answer.traditional)),
        ("traditional regret, all sequences", printing.number(answer.traditional_complete)),
        *printing.originals(bandit, answer.loss, optimum, complete, answer.horizon),
    )


def _regrets_as_json(answer: Regrets) -> dict[str, Any]:
    optimum, complete = _intervals(answer)
    return {
        "horizon": answer.horizon,
        "loss": text(answer.loss),
        "optimum": printing.interval_as_json(optimum),
        "best_constant": text(answer.best_constant),
        "complete": printing.interval_as_json(complete),
        "constant": text(answer.constant),
        "traditional": text(answer.traditional),
        "traditional_complete": text(answer.traditional_complete),
        **_start(answer.start),
        **printing.originals_as_json(answer.bandit, answer.loss, optimum, complete, answer.horizon),
    }


def _intervals(answer: Regrets) -> tuple[Interval, Interval]:
    """The optimum and the complete policy regret."""
    from tallyplan.answers import Interval

    optimum = Interval(answer.optimum_lower, answer.optimum_upper)
    return optimum, Interval(answer.complete_lower, answer.complete_upper)
