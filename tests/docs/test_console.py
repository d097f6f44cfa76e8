"""What the README and the pages show on the console is what the commands print.

The sessions of a page are run from top to bottom in one empty folder. `$ cat FILE` shows a file, which is
made if there is none; a line `...` stands for lines that are left out; `> FILE` keeps what is printed.
"""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tallyplan.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/howto").glob("*.md")),
]
ELSEWHERE = {"adding-a-claim.md", "adding-a-learner.md"}  # about files to be written: test_adding*.py
LONG = {"minimax.md", "constants.md", "large-memory.md"}


def session(page):
    """The commands of all blocks with a prompt, and what is shown after each."""
    blocks = re.findall(
        r"^( *)```\w*\n(.*?)^\1```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    plain = [block.replace(f"\n{indent}", "\n").removeprefix(indent) for indent, block in blocks]
    text = "\n".join(block for block in plain if block.startswith("$ "))
    steps = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(command, [line.rstrip() for line in shown]) for command, *shown in map(_lines, steps)]


def _lines(step):
    return step.rstrip().splitlines()


WITH_SESSIONS = [page for page in PAGES if page.name not in ELSEWHERE and session(page)]


def agrees(printed, shown):
    """Whether the lines are those shown, where `...` stands for any number of lines.

    >>> agrees(["a", "b", "c"], ["a", "..."]), agrees(["a", "b"], ["a"]), agrees(["a"], ["...", "a"])
    (True, False, True)
    """
    pattern = "".join(r"(.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def run(command, shown):
    words = shlex.split(command)
    if words[0] == "cat":
        path = Path(words[1])
        if not path.exists():
            path.write_text("\n".join(shown) + "\n")
        assert [line.rstrip() for line in path.read_text().splitlines()] == shown
        return
    assert words[0] == "tallyplan", command
    words, kept = (words[:-2], words[-1]) if words[-2] == ">" else (words, None)
    result = CliRunner().invoke(app, words[1:], catch_exceptions=False)
    assert result.exit_code != 2, result.stderr
    if kept:
        Path(kept).write_text(result.stdout)
    elif shown:
        printed = [line.rstrip() for line in result.stdout.rstrip().splitlines()]
        assert agrees(printed, shown), f"{command}\n" + "\n".join(printed)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.thorough] if page.name in LONG else []) for page in WITH_SESSIONS],
    ids=lambda page: page.name,
)
def test_the_console_sessions_of_the_page_are_real(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    for command, shown in session(page):
        run(command, shown)


def test_prompts_are_found_and_a_wrong_answer_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert {"README.md", "tutorial.md"} <= {page.name for page in WITH_SESSIONS}
    run("tallyplan new counterexample-3 > c.json", [])
    run("tallyplan replay c.json 00", ["...", "loss      1", "..."])
    with pytest.raises(AssertionError):
        run("tallyplan replay c.json 00", ["...", "loss      2", "..."])


def test_the_commands_of_the_families_page_write_instances(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/families.md").read_text(encoding="utf-8")
    commands = re.findall(r"^tallyplan new .*? > .*$", page, re.MULTILINE)
    assert len(commands) >= 15
    for command in commands:
        run(command, [])
