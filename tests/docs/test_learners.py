"""The Python of the documentation runs as printed, and does what it says at other memories too."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from tallyplan.games.game import simulate
from tallyplan.games.learners.stepwise import Stepwise
from tallyplan.model.words import expand

DOCS = Path(__file__).parents[2] / "docs"


def run_blocks(name, change=lambda block: block):
    """Run the Python blocks of a page in one scope, which is returned."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)
    scope = {"number of blocks": len(blocks)}
    for block in blocks:
        exec(compile(change(block), name, "exec"), scope)
    return scope


@pytest.mark.parametrize("name", ["learners.md", "environment.md"])
def test_the_examples_run(name, capsys):
    scope = run_blocks(name)
    numbers = [line.split()[-1] for line in capsys.readouterr().out.splitlines()]
    assert len(numbers) == scope["number of blocks"] >= 1
    assert all(re.fullmatch(r"\d+(/\d+)?", number) for number in numbers)  # regrets, never negative


@pytest.mark.parametrize("memory", [1, 2, 3, 4, 5, 8])
def test_the_learners_do_what_they_say_at_every_memory(memory, capsys):
    scope = run_blocks("learners.md", lambda block: block.replace("memory=3)", f"memory={memory})"))
    bandit = scope["bandit"]
    assert bandit.memory == memory
    capsys.readouterr()
    for seed in range(30):  # the first steps, before the window is full, need many games to tell
        played = simulate(bandit, Stepwise(scope["greedy_on_cells"]), horizon=40, seed=seed)
        assert played == simulate(bandit, Stepwise(greedy_by_definition), horizon=40, seed=seed)
    explored = expand(simulate(bandit, scope["CycleAfterOneLook"](), horizon=10**3).runs)
    assert explored[: 3 * memory] == [x for x in range(3) for _ in range(memory)]


def greedy_by_definition(observations):
    """Count each action in the last m - 1 steps by walking back, and average its cell."""
    estimates = []
    for x in range(observations.actions):
        tally = 1
        for age in range(1, observations.memory):
            if age <= len(observations) and observations[len(observations) - age].action == x:
                tally += 1
        seen = [loss for action, y, loss in observations if (action, y) == (x, tally)]
        estimates.append(sum(seen, Fraction(0)) / len(seen) if seen else Fraction(0))
    return estimates.index(min(estimates))
