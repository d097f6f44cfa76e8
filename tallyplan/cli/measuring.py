"""What a given sequence of actions loses and regrets; sequences as people and programs give them.

A sequence is a word, CSV, a JSON list, or a plan with its start.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

from tallyplan.cli import printing
from tallyplan.cli.common import (
    AsJson,
    File,
    Start,
    argument,
    command,
    read_actions,
    shown_progress,
    undecided,
)
from tallyplan.cli.printing import Line
from tallyplan.errors import InvalidInput
from tallyplan.model.files import parse_json, read_text
from tallyplan.model.instance import Bandit, load
from tallyplan.model.logs import actions_of_csv, is_csv_log
from tallyplan.model.rationals import shown, text
from tallyplan.model.replay import checked_word
from tallyplan.model.words import Runs, Word, length, read

if TYPE_CHECKING:
    from tallyplan.games.regret import Regrets


@command(
    "Examples: `tallyplan replay c3.json 001 --start 1`; `tallyplan replay c3.json '(10)^5 0'`; "
    "`tallyplan plan c3.json --horizon 40 --json | tallyplan replay c3.json -`"
)
def replay(
    file: File,
    actions: Annotated[str, argument("ACTIONS", "010, 0,1,0 or (01)^5 0; - reads them, or a plan in JSON.")],
    start: Start = None,
    as_json: AsJson = False,
) -> None:
    """The exact total loss of an action sequence."""
    from tallyplan.answers import Interval
    from tallyplan.model.replay import replay_runs

    bandit, content = _read(file, actions, actions if actions != "-" else None, "ACTIONS")
    runs, before = read_sequence(content, bandit, start, "ACTIONS")
    total, steps = replay_runs(bandit, runs, before), length(runs)
    question = f"total loss of {steps} given actions{printing.after(before, bandit)}"
    printing.answer(
        [
            printing.instance(bandit),
            Line("question", question, "horizon", steps),
            printing.number_line("loss", total, "value"),
            *printing.start(before),
            *printing.original(bandit, Interval(total, total), steps),
        ],
        as_json=as_json,
    )


@command(
    "Examples: `tallyplan play ucb1 u.json --horizon 1000 --log ucb1.log && "
    "tallyplan regret ucb1.log u.json`; `echo '(01)^5 1' | tallyplan regret - u.json --json`; "
    "`tallyplan plan u.json --horizon 9 --start 00 --json | tallyplan regret - u.json`"
)
def regret(
    log: Annotated[
        str,
        argument(
            "LOG",
            "A file with a word such as (01)^5 1, CSV with a column action, a JSON list of actions or "
            "of runs [[word, repeats], ...], or what `tallyplan plan --json` prints; - is standard input.",
        ),
    ],
    file: File,
    start: Start = None,
    as_json: AsJson = False,
) -> None:
    """Every regret of an action log: complete policy, constant-action policy, and traditional.

    A plan from plan --json includes its start. If the optimum is only an interval, so is the regret; the
    exit status is then 3.
    """
    from tallyplan.games.regret import regrets

    bandit, content = _read(file, log, None, "LOG")
    runs, before = read_sequence(content, bandit, start, log)
    with shown_progress() as progress:
        answer = regrets(bandit, runs, start=before, progress=progress)
    printing.answer(_lines(answer), as_json=as_json)
    if not answer.exact:
        raise undecided("the optimum is only known up to an interval")


def _read(file: str, path: str, content: str | None, what: str) -> tuple[Bandit, str]:
    """The instance, and the text of the sequence, which may come from a file."""
    if content is None and path == file == "-":
        raise InvalidInput(f"{what} and FILE cannot both be standard input.")
    return load(file), read_text(path) if content is None else content


def _lines(answer: Regrets) -> list[Line]:
    bandit, exact = answer.bandit, printing.number_line
    optimum, complete = answer.optimum_interval, answer.complete_interval
    account = {"total": answer.loss, "optimum": optimum, "regret": complete}
    return [
        printing.instance(bandit),
        Line("steps", f"{answer.horizon}{printing.after(answer.start, bandit)}", "horizon", answer.horizon),
        exact("loss", answer.loss, "loss"),
        exact("optimum", optimum, "optimum"),
        *_known("best constant", answer.best_constant, "best_constant", f", action {answer.constant_action}"),
        exact("complete policy regret", complete, "complete"),
        *_known("constant-action policy regret", answer.constant, "constant"),
        *_known("traditional regret, constant actions", answer.traditional, "traditional"),
        exact("traditional regret, all sequences", answer.traditional_complete, "traditional_complete"),
        *printing.start(answer.start),
        *printing.originals(bandit, account, answer.horizon),
    ]


def _known(label: str, found: Fraction | None, key: str, more: str = "") -> list[Line]:
    """The line about constant sequences, if the arms allow one."""
    return [] if found is None else [Line(label, printing.number(found) + more, key, text(found))]


def read_sequence(content: str, bandit: Bandit, start: str | None, what: str) -> tuple[Runs, Word]:
    """The runs of a sequence, and what was played before it.

    It is a word as text, CSV with a column `action`, a JSON list of actions or of runs, or a plan.

    Raises
    ------
    InvalidInput : none of these; or --start is given for a plan, which has its own.
    """
    if is_csv_log(content):
        return ((actions_of_csv(content, bandit, what), 1),), read_actions(start, bandit, "--start")
    if not content.lstrip().startswith(("[", "{")):
        return read(content, bandit.actions, what), read_actions(start, bandit, "--start")
    from tallyplan.games.regret import as_runs

    document = parse_json(content, what)
    if isinstance(document, list):
        return as_runs(bandit, document), read_actions(start, bandit, "--start")
    if "runs" not in document:
        raise InvalidInput(f"{what} has no 'runs'; a plan, as `tallyplan plan --json` prints it, has.")
    runs = as_runs(bandit, document["runs"])
    if document.get("horizon", length(runs)) != length(runs):
        raise InvalidInput(
            f"{what} has the horizon {shown(document['horizon'])}, but its runs have {length(runs)} steps."
        )
    if start is not None:
        raise InvalidInput(f"the plan in {what} says itself what was played before; leave out --start.")
    before = document.get("start", [])
    if not isinstance(before, list):
        raise InvalidInput(f"the start of {what} is {shown(before)}; it is a list of actions.")
    return runs, checked_word(bandit, before, "start[{}]")
