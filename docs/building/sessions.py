"""The console sessions of the pages: read, run, compared with what is shown, or written anew.

The sessions of a page are run from top to bottom in one empty folder. `$ cat FILE` shows a file, which is
made if there is none; a line `...` stands for lines that are left out; `> FILE` keeps what is printed. Only
`tallyplan` is run, and without a terminal, 200 columns wide.

    python docs/building/sessions.py docs/tutorial.md ...   writes into the pages what the commands print now
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

WIDTH = "200"
LEFT_OUT = "..."
BLOCK = re.compile(r"^( *)```\w*\n(?=\1\$ )(.*?)^\1```", re.DOTALL | re.MULTILINE)


def sessions(text: str) -> list[tuple[str, list[str]]]:
    """The commands of all blocks that begin with a prompt, and what is shown after each.

    >>> sessions("```console\\n$ tallyplan new x > f\\n$ cat f\\none\\n\\n```\\n")
    [('tallyplan new x > f', []), ('cat f', ['one'])]
    """
    plain = "\n".join(
        re.sub(rf"^{block[1]}", "", block[2], flags=re.MULTILINE) for block in BLOCK.finditer(text)
    )
    steps = re.split(r"^\$ ", plain, flags=re.MULTILINE)[1:]
    return [(command, [line.rstrip() for line in shown]) for command, *shown in map(_lines, steps)]


def _lines(step: str) -> list[str]:
    return step.rstrip().splitlines()


def agrees(printed: Sequence[str], shown: Sequence[str]) -> bool:
    """Whether the lines are those shown, where `...` stands for any number of lines.

    >>> agrees(["a", "b", "c"], ["a", "..."]), agrees(["a", "b"], ["a"]), agrees(["a"], ["...", "a"])
    (True, False, True)
    """
    pattern = "".join(r"(.*\n)*" if line == LEFT_OUT else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def printed(command: str, shown: Sequence[str]) -> list[str]:
    """What the command prints now, run in this folder; of `cat` the file, made from what is shown if need be.

    Raises
    ------
    ValueError : the command is another one, or refuses its input.
    """
    words = shlex.split(command)
    if words[0] == "cat":
        if not Path(words[1]).exists():
            Path(words[1]).write_text("\n".join(shown) + "\n", encoding="utf-8")
        return _told(Path(words[1]).read_text(encoding="utf-8"))
    if words[0] != "tallyplan":
        raise ValueError(f"only tallyplan and cat are run, not {command!r}.")
    words, kept = (words[:-2], words[-1]) if words[-2] == ">" else (words, None)
    output = _run(words[1:])
    if kept is None:
        return _told(output)
    Path(kept).write_text(output, encoding="utf-8")
    return []


def _told(output: str) -> list[str]:
    return [line.rstrip() for line in output.rstrip().splitlines()]


def _run(arguments: Sequence[str]) -> str:
    from typer.testing import CliRunner

    from tallyplan.cli import app

    result = CliRunner(env={"COLUMNS": WIDTH}).invoke(app, arguments, catch_exceptions=False)
    if result.exit_code == 2:
        raise ValueError(result.stderr)
    return result.stdout


def differing(text: str) -> list[str]:
    """A sentence for every command that prints something else than is shown; it runs in this folder."""
    found = []
    for command, shown in sessions(text):
        now = printed(command, shown)
        if shown and not agrees(now, shown):
            found.append("\n".join([f"{command} prints", *now]))
    return found


def rewritten(text: str) -> str:
    """The page with what the commands print now; where lines are left out, or nothing is shown, it stays."""
    for command, shown in sessions(text):
        now = printed(command, shown)
        if shown and LEFT_OUT not in shown and now != shown:
            old = "\n".join([f"$ {command}", *shown])
            text = text.replace(old, "\n".join([f"$ {command}", *now]), 1)
    return text


def main(pages: Sequence[str]) -> None:
    """Rewrite the pages; one with a command that cannot be run here stays as it is, with a sentence."""
    for page in [Path(one).resolve() for one in pages]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                page.write_text(rewritten(page.read_text(encoding="utf-8")), encoding="utf-8")
            except ValueError as error:
                print(f"{page.name} stays as it is: {error}", file=sys.stderr)
            os.chdir(page.parent)


if __name__ == "__main__":
    main(sys.argv[1:])
