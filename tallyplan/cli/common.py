"""What the commands share: the application, the options that recur, and how errors are reported."""

from __future__ import annotations

import functools
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Annotated, Any, TypeVar

import typer

from tallyplan import __version__
from tallyplan.check.reading import DIGITS
from tallyplan.errors import InternalError, InvalidInput, OnlyAnInterval, TallyplanError, TimeLimitReached
from tallyplan.limits import Progress
from tallyplan.model.files import json_text, write
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import integer_from_text, natural, shown
from tallyplan.model.words import Word, expand, length, read

BAD_INPUT = 2
REFUTED = 1
UNDECIDED = 3
INTERRUPTED = 130
MOST_ACTIONS = 10**6  # of --start and --word
PATIENCE = 1.0  # seconds of silence at the start
TERMINAL_PAUSE = 0.2  # seconds between two refreshes of the line on a terminal
LOG_PAUSE = 5.0  # seconds between two lines in a log
_TOO_LONG = re.compile(rf"[0-9]{{{DIGITS + 1}}}")

Command = TypeVar("Command", bound=Callable[..., None])

app = typer.Typer(
    name="tallyplan",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
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


COMMANDS = {  # by the module that has them, in the order of --help
    "planning": ("plan", "cycle", "cyclic", "graph"),
    "checking": ("check",),
    "measuring": ("replay", "regret"),
    "instances": ("families", "new", "draw", "export", "rescale"),
    "play": ("play", "learners"),
    "study": ("study",),
}


def application(command: str | None = None) -> typer.Typer:
    """The application with all commands, or only those of the module that has `command`, which is quicker."""
    homes = [module for module, commands in COMMANDS.items() if command in commands]
    for module in homes or COMMANDS:
        import_module(f"tallyplan.cli.{module}")
    if not homes:
        from tallyplan.model.plugins import load_entry_points

        load_entry_points("tallyplan.commands")
    return app


def option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """An option with a value, for `Annotated`."""
    return typer.Option(*names, metavar=metavar, help=help, **more)


def flag(name: str, help: str, **more: Any) -> Any:
    """An option without a value."""
    return typer.Option(name, help=help, **more)


def argument(metavar: str, help: str, **more: Any) -> Any:
    """An argument."""
    return typer.Argument(metavar=metavar, help=help, **more)


def command(examples: str, *, group: typer.Typer = app) -> Callable[[Command], Command]:
    """Make a function a command: its help ends with the examples, a line each; its errors are sentences."""
    lines = examples.replace("; `", "\n\n- `").replace("Examples: ", "Examples:\n\n- ")
    return lambda function: group.command(epilog=lines)(reports_errors(function))


File = Annotated[str, argument("FILE", "Instance file: JSON, or CSV with a row per arm; - reads stdin.")]
AsJson = Annotated[bool, flag("--json", "Print one JSON document, for programs.")]
Out = Annotated[str | None, option("OUT", "Write the certificate, for `tallyplan check`.", "--certificate")]
Method = Annotated[
    str, option("METHOD", "auto; graph (insist on the graph); two-arms or bounds (without it).")
]
Gap = Annotated[str, option("SHARE", "Without the graph: stop at this relative gap, such as 1%.")]
TimeLimit = Annotated[float | None, option("SECONDS", "Then end with a certified interval.", min=0)]
Start = Annotated[str | None, option("ACTIONS", "Actions played before, oldest first: 01 or 0,1.")]
StoreOption = Annotated[str | None, option("FILE", "Keep what is computed; rerun to resume.", "--store")]


def reports_errors(command: Command) -> Command:
    """Turn the errors of a command into one sentence on stderr and an exit status."""

    @functools.wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        status = 0
        try:
            try:
                command(*args, **kwargs)
            except typer.Exit as ending:
                status = ending.exit_code
            sys.stdout.flush()  # while an error can still be reported
        except InternalError:
            raise
        except (OnlyAnInterval, TimeLimitReached) as error:
            raise complaint(str(error), UNDECIDED) from None
        except TallyplanError as error:
            raise complaint(str(error), BAD_INPUT) from None
        except MemoryError:
            raise complaint("there is not enough memory for this instance.", BAD_INPUT) from None
        except KeyboardInterrupt as interrupt:
            kept = f"; {interrupt}" if str(interrupt) else ""
            raise complaint(f"interrupted{kept}.", INTERRUPTED) from None
        except BrokenPipeError:  # the reader of a pipe has seen enough
            drop_output()
        except OSError as error:
            drop_output()
            raise complaint(f"the system refused: {error.strerror or error}.", BAD_INPUT) from None
        if status:
            raise typer.Exit(status)

    return wrapped  # type: ignore[return-value]


def drop_output() -> None:
    """Let what was not yet written go nowhere, so that Python does not try again when it ends."""
    with suppress(OSError, ValueError):  # in a test there is no such descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tallyplan {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, flag("--version", "Print it.", callback=_print_version, is_eager=True)] = False,
) -> None:
    pass


def integer(value: str, what: str, least: int | None = None) -> int:
    """An integer as people write it: 1000, 1_000, 10^15, 1e15; of at least `least`, if that is given."""
    found = integer_from_text(value, what)
    return found if least is None else natural(found, what, least)


def read_actions(given: str | None, bandit: Bandit, what: str) -> Word:
    """The actions of --start or --word."""
    runs = read(given or "", bandit.actions, what)
    if length(runs) > MOST_ACTIONS:
        raise InvalidInput(
            f"{what} has {shown(length(runs))} actions, too many; a window has {bandit.memory}."
        )
    return tuple(expand(runs))


def whole(sentence: str) -> str:
    """The sentence with integers, which documents write 3/1, without their denominator.

    >>> whole("at least 3/1, at most 31/10")
    'at least 3, at most 31/10'
    """
    return re.sub(r"(?<![\w./])(-?\d+)/1(?![\d/])", r"\1", sentence)


def check_picture(path: str | None) -> None:
    """Refuse a wrong suffix of a picture before the work starts."""
    if path is not None:
        from tallyplan.pictures.style import picture_format

        picture_format(path)


def write_certificate(path: str | None, build: Callable[[], dict[str, Any]]) -> None:
    """Build the certificate only if a path was given; one that checkers must refuse is not written."""
    if path is None:
        return
    content = f"{json_text(build(), compact=True)}\n"
    if _TOO_LONG.search(content):
        raise InvalidInput(
            f"the certificate would hold numbers of more than {DIGITS} digits, which none may; "
            f"{path} was not written."
        )
    write(path, content.encode())


def complaint(sentence: str, status: int) -> typer.Exit:
    """One sentence on stderr, and the exception that ends the command with this status."""
    print(f"error: {sentence}", file=sys.stderr)
    return typer.Exit(status)


def undecided(because: str) -> typer.Exit:
    """Why an answer is only an interval, on stderr, and the exception that ends the command with status 3."""
    print(f"stopped because {because}", file=sys.stderr)
    return typer.Exit(UNDECIDED)


def why_stopped(time_limit: float | None) -> str:
    """Why a search left an interval, where no gap was asked for."""
    if time_limit is None:
        return "the search found no better bound"
    return f"the search found no better bound within the time limit of {time_limit:g} s"


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A progress callback; its latest message appears on stderr after a second, and then periodically.

    A thread of its own shows it, so that a compiler or a long sweep does not keep the reader waiting in
    silence.
    """
    latest = ["starting"]
    finished = threading.Event()
    show = threading.Thread(target=_show, args=(latest, finished), daemon=True)
    show.start()
    try:
        yield lambda message: latest.__setitem__(0, message)
    finally:
        finished.set()
        show.join()


def _show(latest: list[str], finished: threading.Event) -> None:
    started = time.monotonic()
    if finished.wait(PATIENCE):
        return
    terminal = sys.stderr.isatty()
    start, end = ("\r\x1b[K", "") if terminal else ("", "\n")
    while True:
        seconds = time.monotonic() - started
        print(f"{start}[{seconds:.0f} s] {latest[0]}", end=end, file=sys.stderr, flush=True)
        if finished.wait(TERMINAL_PAUSE if terminal else LOG_PAUSE):
            break
    if terminal:
        print(start, end="", file=sys.stderr, flush=True)
