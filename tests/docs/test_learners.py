"""The Python of the documentation runs as printed."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", ["learners.md", "environment.md"])
def test_the_examples_run(name, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    scope = {}
    for block in blocks:
        exec(compile(block, name, "exec"), scope)
    numbers = [line.split()[-1] for line in capsys.readouterr().out.splitlines()]
    assert len(numbers) == len(blocks) >= 1
    assert all(re.fullmatch(r"\d+(/\d+)?", number) for number in numbers)  # regrets, never negative
