"""The reference of the command line, read off the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import typer

from building.pages import fenced

Command = Any  # of typer's copy of click, which has no public name


def page(app: typer.Typer, program: str = "tallyplan") -> str:
    """One page: the program, then every command with its usage, arguments, options and examples."""
    main = typer.main.get_command(app)
    return "\n\n".join(
        [
            "# The command line",
            "Read off the commands themselves; `tallyplan COMMAND --help` prints the same. stdout is data, "
            "words and progress go to stderr. Exit status: 0 fine or accepted, 1 refuted or refused, 2 bad "
            "input or usage, 3 undecided within the limits (a certified interval).",
            _paragraphs(main.help),
            _paragraphs(main.epilog),
            *(part for name, command in commands(main, program) for part in section(name, command)),
        ]
    )


def commands(group: Command, path: str) -> Iterator[tuple[str, Command]]:
    """Every command below a group, with its whole name; a group before its commands."""
    for name, command in group.commands.items():
        yield f"{path} {name}", command
        if hasattr(command, "commands"):
            yield from commands(command, f"{path} {name}")


def section(name: str, command: Command) -> Iterator[str]:
    """What is to be said of one command."""
    context = typer.Context(command, info_name=name)
    yield f"{'#' * (1 + name.count(' '))} {name}"
    yield _paragraphs(command.help)
    if not hasattr(command, "commands"):
        arguments = [one.metavar or one.name for one in command.params if one.param_type_name == "argument"]
        yield fenced(" ".join([name, *arguments, "[OPTIONS]"]), "text").rstrip()
    rows = [_row(one, context) for one in command.params if one.get_help_record(context)]
    if rows:
        yield "\n".join(["| | |", "|---|---|", *rows])
    if command.epilog:
        yield _paragraphs(command.epilog)


def _row(one: Any, context: typer.Context) -> str:
    """An argument or option: how it is written and what it means, as --help has them."""
    written, told = one.get_help_record(context)
    if one.param_type_name == "argument":
        written = one.metavar or one.name
    return f"| `{written}` | {told} |"


def _paragraphs(text: str | None) -> str:
    return inspect.cleandoc(text or "").replace("\b\n", "")
