"""What the README shows is what the commands print."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tallyplan.cli import app

README = Path(__file__).parents[2] / "README.md"


def console_session():
    """The commands of all console blocks and what is shown after each."""
    block = "\n".join(re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL))
    steps = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(step.splitlines()[0], "\n".join(step.splitlines()[1:]).strip()) for step in steps]


@pytest.fixture
def in_a_folder_with_the_instance(tmp_path, monkeypatch):
    (command, content), *_ = console_session()
    assert command == "cat three.json"
    (tmp_path / "three.json").write_text(content)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("in_a_folder_with_the_instance")
def test_the_console_session_of_the_readme_is_real():
    commands = [step for step in console_session() if step[0].startswith("tallyplan ")]
    assert len(commands) >= 3
    for command, shown in commands:
        result = CliRunner().invoke(app, shlex.split(command)[1:], catch_exceptions=False)
        assert result.exit_code == 0
        assert [line.rstrip() for line in result.stdout.strip().splitlines()] == shown.splitlines()


def test_the_python_of_the_readme_gives_what_its_comments_say():
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL).group(1)
    names = {}
    compared = 0
    for line in block.splitlines():
        code, _, comment = line.partition("  # ")
        if not code.startswith("tp."):
            exec(code, names)
            continue
        expected = comment.split(": ")[0].strip()
        assert repr(eval(code, names)).startswith(expected.removesuffix("...)"))
        compared += 1
    assert compared >= 5


def test_every_linked_file_exists():
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
