"""The Python that README and pages show gives what its comments say, and their links lead to files."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from tallyplan.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_PYTHON = [page for page in PAGES if "```python\n" in page.read_text(encoding="utf-8")]


def told(block):
    """The statements of a block, each with what its comment says of its value, or with None."""
    plain = ""
    for line in block.splitlines():
        code, _, comment = line.partition("  # ")
        if comment and not line.startswith(" ") and " = " not in code.partition("(")[0]:
            yield plain, None
            yield code, comment
            plain = ""
        else:
            plain += line + "\n"
    yield plain, None


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_the_page_gives_what_its_comments_say(page, tmp_path, monkeypatch):
    """A comment ends with the value, or begins with it; `...)` cuts it short."""
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    for name, content in re.findall(r"^\$ cat (\S+\.json)\n(.*?)^(?:```|\$)", text, re.DOTALL | re.MULTILINE):
        Path(name).write_text(content, encoding="utf-8")
    names, compared = {}, 0
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        for code, comment in told(block):
            if comment is None:
                exec(code, names)
                continue
            value, begins = repr(eval(code, names)), comment.split(": ")[0].removesuffix("...)")
            assert comment.endswith(value) or value.startswith(begins), code
            compared += 1
    assert compared >= 1


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    plain = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", plain):
        assert target.startswith(("generated/", "../generated/")) or (page.parent / target).exists(), target


def named_in(text):
    shell = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).splitlines()
    for line in re.findall(r"`(tallyplan [^`]+)`", text) + [one for one in shell if "tallyplan" in one]:
        yield from re.findall(r"\btallyplan ([^>#|&]+)", line.replace("\\|", "/"))


COMMANDS: Any = typer.main.get_command(app)
EVERY = [*COMMANDS.commands.values(), *COMMANDS.commands["study"].commands.values()]
TEXTS = [one.epilog or "" for one in EVERY]
TEXTS += [page.read_text("utf-8") for page in [*PAGES, ROOT / "CONTRIBUTING.md"]]


def test_commands_and_options_that_are_named_exist():
    for line in [line for text in TEXTS for line in named_in(text)]:
        command, *words = COMMANDS, *re.split(r"[\s\[\]]+", line)
        while hasattr(command, "commands") and words and not words[0].startswith("-"):
            assert words[0].split("/")[0] in command.commands, line
            command = command.commands[words.pop(0).split("/")[0]]
        known = {option for one in command.params for option in one.opts} | {"--help", "-h"}
        assert {word for word in words if word.startswith("--")} <= known, line
