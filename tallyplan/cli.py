"""The command line. stdout is data; words and progress go to stderr.

Exit status: 0 fine or accepted, 1 refuted or refused, 2 bad input or usage, 3 undecided within the limits.
"""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import typer

from tallyplan import __version__, show
from tallyplan.errors import InternalError, InvalidInput, TallyplanError
from tallyplan.instance import load, write_json
from tallyplan.progress import shown_progress
from tallyplan.rationals import MAX_DIGITS, text

BAD_INPUT = 2
UNDECIDED = 3
INTERRUPTED = 130

Command = TypeVar("Command", bound=Callable[..., None])

app = typer.Typer(
    name="tallyplan",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="""Exact planning and verification for tallying bandits.

    The loss of an action depends on how often it was played in the last m steps. All numbers are exact
    rationals, and every answer can be written as a certificate that an independent checker verifies.
    """,
    epilog="""Start with: `tallyplan new counterexample-3 > c3.json`, then `tallyplan cycle c3.json`.

    An instance file is JSON: `{"memory": 2, "losses": [["0", "1"], ["0", "1"]]}`, losses[x][y-1] being the
    loss of playing x for the y-th time within the window. `-` reads standard input.""",
)

File = Annotated[str, typer.Argument(help="Instance file (JSON); - is standard input.", metavar="FILE")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
Out = Annotated[
    str | None,
    typer.Option("--certificate", metavar="OUT", help="Write the certificate, for `tallyplan check OUT`."),
]
Start = Annotated[
    str,
    typer.Option(metavar="0,1,...", help="Actions played before, oldest first; they stay in the window."),
]


def speaks_in_sentences(command: Command) -> Command:
    """Turn the errors of a command into one sentence on stderr and an exit status."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except InternalError:
            raise
        except TallyplanError as error:
            raise _complaint(str(error), BAD_INPUT) from None
        except MemoryError:
            raise _complaint("there is not enough memory for this instance.", BAD_INPUT) from None
        except KeyboardInterrupt:
            raise _complaint("interrupted; nothing was written.", INTERRUPTED) from None
        except BrokenPipeError:  # the reader of a pipe has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    return wrapped  # type: ignore[return-value]


@app.command(
    epilog="Examples: `tallyplan plan c3.json --horizon 10^15`; "
    "`tallyplan plan c3.json --horizon 40 --start 0,1 --json --certificate plan.cert`"
)
@speaks_in_sentences
def plan(
    file: File,
    horizon: Annotated[str, typer.Option(metavar="T", help="Number of steps: 1000, 10^15 or 1e15.")],
    start: Start = "",
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The least total loss of T steps, and an optimal action sequence as runs (word, repeats)."""
    from tallyplan.planning.horizon import optimal_plan

    bandit = load(file)
    steps = _integer(horizon, "--horizon")
    history = _actions(start, "--start")
    with shown_progress() as progress:
        answer = optimal_plan(bandit, steps, history, progress=progress)
        _write_certificate(certificate, lambda: answer.certificate)
    if as_json:
        runs = [[list(word), repeats] for word, repeats in answer.runs]
        show.json_document({"value": text(answer.value), "horizon": answer.horizon, "runs": runs})
    else:
        show.plan(answer, certificate)


@app.command(
    epilog="Example: `tallyplan cycle c3.json --certificate cycle.cert && tallyplan check cycle.cert`"
)
@speaks_in_sentences
def cycle(file: File, as_json: AsJson = False, certificate: Out = None) -> None:
    """The least long-run loss per step (minimum mean cycle), and a word that attains it."""
    from tallyplan.planning.mean_cycle import minimum_mean_cycle

    bandit = load(file)
    with shown_progress() as progress:
        answer = minimum_mean_cycle(bandit, progress=progress)
        _write_certificate(certificate, lambda: answer.certificate)
    if as_json:
        show.json_document({"value": text(answer.value), "word": list(answer.word)})
    else:
        show.mean_cycle(answer, certificate)


@app.command(
    epilog="Examples: `tallyplan cyclic c3.json --period 1001 --json`; "
    "`tallyplan cyclic big.json --period 4001 --time-limit 10`"
)
@speaks_in_sentences
def cyclic(
    file: File,
    period: Annotated[str, typer.Option(metavar="L", help="Length of the word, at least 1.")],
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0, help="End with a certified interval after this time."),
    ] = None,
    as_json: AsJson = False,
    certificate: Out = None,
) -> None:
    """The best word of exactly L actions, repeated for ever: the optimal L-cyclic policy.

    With a time limit the answer may be an interval [lower, upper] for the optimum; the exit status is then 3.
    """
    from tallyplan.planning.cyclic import optimal_cyclic_policy

    bandit = load(file)
    length = _integer(period, "--period")
    with shown_progress() as progress:
        answer = optimal_cyclic_policy(bandit, length, time_limit=time_limit, progress=progress)
        _write_certificate(certificate, lambda: answer.certificate)
    found = {"word": list(answer.word), "period": answer.period}
    if not as_json:
        show.cyclic_policy(answer, certificate)
    elif answer.exact:
        show.json_document({"value": text(answer.value)} | found)
    else:
        show.json_document({"lower": text(answer.lower), "upper": text(answer.value)} | found)
    if not answer.exact:
        raise typer.Exit(UNDECIDED)


@app.command(epilog="Example: `tallyplan check cycle.cert --instance c3.json`")
@speaks_in_sentences
def check(
    certificate: Annotated[str, typer.Argument(help="Certificate file.", metavar="OUT")],
    instance: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also demand that it is about this instance.")
    ] = None,
    limit: Annotated[
        str, typer.Option(metavar="EDGES", help="Most edges the checker may evaluate before it gives up.")
    ] = "10^9",
    as_json: AsJson = False,
) -> None:
    """Verify a certificate with the independent checker: accepted (0), refused (1) or undecided (3)."""
    from tallyplan.check import check as check_certificate

    most = _integer(limit, "--limit")
    try:
        with shown_progress() as progress:
            progress(f"checking {certificate}")
            verdict = check_certificate(certificate, instance=instance, limit=most)
    except OSError as error:
        raise InvalidInput(f"{error.filename or certificate} cannot be read: {error.strerror}.") from None
    if as_json:
        show.json_document({"status": verdict.status, "reason": verdict.reason})
    else:
        print(f"{verdict.status}: {verdict.reason}")
    raise typer.Exit({"accepted": 0, "refused": 1, "undecided": 3}[verdict.status])


@app.command(epilog="Example: `tallyplan replay c3.json 0,0,1 --start 1`")
@speaks_in_sentences
def replay(
    file: File,
    actions: Annotated[
        str, typer.Argument(help="Actions in the order of play: 0,1,0,...", metavar="ACTIONS")
    ],
    start: Start = "",
    as_json: AsJson = False,
) -> None:
    """The exact total loss of an action sequence."""
    from tallyplan.sequences import replay as replay_actions

    bandit = load(file)
    played = _actions(actions, "ACTIONS")
    total = replay_actions(bandit, played, _actions(start, "--start"))
    if as_json:
        show.json_document({"value": text(total), "horizon": len(played)})
    else:
        show.replayed(bandit, len(played), total)


@app.command(epilog="Examples: `tallyplan families`; `tallyplan families uniform`")
@speaks_in_sentences
def families(
    family: Annotated[str | None, typer.Argument(help="Show one family in full.", metavar="[FAMILY]")] = None,
    as_json: AsJson = False,
) -> None:
    """The named families of instances, with their parameters and sources."""
    from tallyplan.families import FAMILIES, find

    chosen = list(FAMILIES.values()) if family is None else [find(family)]
    if as_json:
        show.json_document([show.family_as_json(entry) for entry in chosen])
    elif family is None:
        show.family_list(chosen)
    else:
        show.one_family(chosen[0])


@app.command(
    epilog="Examples: `tallyplan new uniform actions=3 memory=5 seed=1 > u.json`; "
    "`tallyplan new counterexample-3 | tallyplan cycle -`"
)
@speaks_in_sentences
def new(
    family: Annotated[str, typer.Argument(help="A name from `tallyplan families`.", metavar="FAMILY")],
    parameters: Annotated[
        list[str] | None, typer.Argument(help="Parameters of the family.", metavar="key=value ...")
    ] = None,
) -> None:
    """Print an instance of a family as an instance file."""
    from tallyplan.families import make

    chosen: dict[str, str] = {}
    for parameter in parameters or []:
        key, equals, value = parameter.partition("=")
        if not equals:
            raise InvalidInput(f"{parameter!r} is not of the form key=value.")
        if key in chosen:
            raise InvalidInput(f"the parameter {key!r} is given twice.")
        chosen[key] = value
    show.json_document(make(family, **chosen).to_json())


@app.command(epilog="Example: `tallyplan draw c3.json --out c3.svg`")
@speaks_in_sentences
def draw(
    file: File,
    out: Annotated[str, typer.Option(metavar="PICTURE", help="Where to write it; .svg or .png.")],
) -> None:
    """A picture of the state graph with the optimal cycle highlighted (small instances)."""
    from tallyplan.plots import draw_state_graph

    bandit = load(file)
    with shown_progress() as progress:
        progress("drawing the state graph")
        draw_state_graph(bandit, out)
    print(f"wrote {out}", file=sys.stderr)


@app.command(
    epilog="Examples: `tallyplan verify`; `tallyplan verify lemma-3 --explain`; `tallyplan verify --json`"
)
@speaks_in_sentences
def verify(
    claims: Annotated[
        list[str] | None, typer.Argument(help="Claim ids; all of them by default.", metavar="[CLAIM ...]")
    ] = None,
    as_json: AsJson = False,
    thorough: Annotated[bool, typer.Option("--thorough", help="Larger boxes; takes longer.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="The whole story of each claim.")] = False,
) -> None:
    """Check the claims of the paper: proved, checked, refuted with a witness, or undecided.

    A refuted claim of the paper is a finding, not a failure: the exit status is 1 only if a verdict differs
    from the one recorded in the package.
    """
    from proofs_check.report import run

    with shown_progress() as progress:
        status = run(claims or [], as_json=as_json, thorough=thorough, explain=explain, progress=progress)
    raise typer.Exit(status)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tallyplan {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _integer(value: str, what: str) -> int:
    """An integer as people write it: 1000, 1_000, 10^15, 1e15."""
    match = re.fullmatch(r"([+-]?\d[\d_]*)(?:(\^|\*\*|e)\+?(\d{1,4}))?", value.strip(), re.ASCII)
    if match is None or len(value) > MAX_DIGITS:
        raise InvalidInput(f"{what} is {value[:60]!r}; an integer is needed.")
    number, operator, exponent = int(match.group(1)), match.group(2), int(match.group(3) or 1)
    digits = len(match.group(1))
    if (digits + exponent if operator == "e" else digits * exponent) > MAX_DIGITS:
        raise InvalidInput(f"{what} has more than {MAX_DIGITS} digits.")
    return int(number * 10**exponent) if operator == "e" else int(number**exponent)


def _actions(value: str, what: str) -> list[int]:
    if not value.strip():
        return []
    return [_integer(part, f"an action of {what}") for part in value.split(",")]


def _write_certificate(path: str | None, build: Callable[[], dict[str, Any]]) -> None:
    if path is not None:
        write_json(path, build())


def _complaint(sentence: str, status: int) -> typer.Exit:
    print(f"error: {sentence}", file=sys.stderr)
    return typer.Exit(status)


def main() -> None:
    """The entry point of the `tallyplan` command."""
    app()


if __name__ == "__main__":
    main()
