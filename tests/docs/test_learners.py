"""The learner that the documentation shows does what it says, at every memory."""

import re
from pathlib import Path

import pytest

from tallyplan.games.game import simulate
from tallyplan.model.words import expand

PAGE = Path(__file__).parents[2] / "docs" / "learners.md"


@pytest.mark.parametrize("memory", [1, 2, 3, 4, 5, 8])
def test_the_learner_of_the_page_explores_once_and_has_no_negative_regret(memory, capsys):
    block = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    scope = {}
    exec(block.replace("memory=3)", f"memory={memory})"), scope)
    assert re.fullmatch(r"\d+(/\d+)?", capsys.readouterr().out.strip())
    assert scope["bandit"].memory == memory
    explored = expand(simulate(scope["bandit"], scope["CycleAfterOneLook"](), horizon=10**3).runs)
    assert explored[: 3 * memory] == [x for x in range(3) for _ in range(memory)]
