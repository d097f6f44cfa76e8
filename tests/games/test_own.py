"""Learners and families of the user: by module:name, as objects, as bare functions, by entry points."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import run

from tallyplan import InvalidInput, make
from tallyplan.games.game import simulate
from tallyplan.games.learners.baselines import RoundRobin
from tallyplan.games.learners.stepwise import Stepwise
from tallyplan.games.registry import find
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.model.plugins import source_sha256

MODULE = '''
"""Players of mine."""
import time

from tallyplan import TallyingBandit
from tallyplan.games.learners.baselines import RoundRobin


class Mine:
    """My learner."""

    feedback = "deterministic"

    def play(self, game):
        game.run((0, 1), game.remaining // 2)
        game.run((0,), game.remaining)


class Oracle:
    def __init__(self, bandit, delta):
        self.best = min(range(bandit.actions), key=lambda x: bandit.loss((x,)))

    def play(self, game):
        game.run((self.best,), game.remaining)


ready = RoundRobin()
number = 5


def alternate(observations):
    return len(observations) % observations.actions


def broken(observations):
    return 1 // 0


def leaves(observations):
    raise SystemExit(0)


def slow(observations):
    time.sleep(0.02)
    return 0


class Thief:
    """Makes every loss 0."""

    def __init__(self, bandit):
        self.bandit = bandit

    def play(self, game):
        object.__setattr__(self.bandit, "losses", ((0,) * game.memory,) * game.actions)
        game.run((0,), game.remaining)


class NoPlay:
    pass


def flat(*, size: int, loss: str = "1/2"):
    """Every loss the same."""
    return TallyingBandit([[loss] * size] * 2)


def not_a_family():
    return 5
'''
BANDIT = make("uniform", actions=2, memory=3, seed=1)


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "my_players.py").write_text(MODULE)
    (tmp_path / "bad_players.py").write_text("raise RuntimeError('no luck')\n")
    (tmp_path / "needy_players.py").write_text("import nothing_like_this\n")
    (tmp_path / "shy_players.py").write_text("raise SystemExit(0)\n")
    BANDIT.save("u.json")
    yield "my_players"
    for name in ("my_players", "bad_players", "needy_players", "shy_players"):
        sys.modules.pop(name, None)


def played(name, *options):
    result = run("play", name, "u.json", "--horizon", "51", "--seed", "2", "--json", *options)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", ["alternate", "ready", "Mine", "Oracle"])
def test_a_learner_next_to_the_data_plays(module, name):
    document = played(f"{module}:{name}")
    assert document["algorithm"] == f"{module}:{name}"
    assert document["feedback"] == ("deterministic" if name == "Mine" else "bernoulli")
    if name in ("alternate", "ready"):
        assert document["loss"] == played("round-robin")["loss"]


def test_a_learner_of_ours_keeps_its_name_and_bounds(module):
    document = played("tallyplan.games.learners.explore_then_plan:AlgDet")
    assert document == played("alg-det")
    assert document["bounds"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("my_players:Nobody", "the module my_players has no 'Nobody'"),
        ("no_such_players:X", "there is no module no_such_players"),
        ("bad_players:X", "RuntimeError: no luck (bad_players.py, line 1)"),
        ("needy_players:X", "nothing_like_this"),
        ("shy_players:X", "cannot be imported: SystemExit: 0 (shy_players.py, line 1)"),
        ("my_players:", "not of the form module:name"),
        (":X", "not of the form module:name"),
        ("my_players:number", "is not a learner"),
        ("my_players:NoPlay", "has no method play"),
        ("my_players:broken", "ZeroDivisionError"),
        ("my_players:leaves", "my_players:leaves failed: SystemExit: 0"),
        ("my_players:Thief", "the learner changed the bandit"),
        ("roundrobin", "did you mean 'round-robin'"),
    ],
)
def test_what_is_no_learner_is_refused_in_a_sentence(module, name, words):
    result = run("play", name, "u.json", "--horizon", "9")
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_time_limit_ends_a_slow_game_with_status_3(module, jobs):
    many = () if jobs == "1" else ("--repeats", "60", "--jobs", jobs)
    result = run("play", f"{module}:slow", "u.json", "--horizon", "10^6", "--time-limit", "0.1", *many)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "the time limit was reached after" in result.stderr
    assert "of 1000000 steps" in result.stderr


def test_a_time_limit_that_is_not_reached_changes_nothing(module):
    assert played("se-tb", "--time-limit", "600") == played("se-tb")


def test_from_python_the_learner_itself_plays():
    def alternate(observations):
        return len(observations) % observations.actions

    expected = play_repeatedly(BANDIT, Setup("round-robin", 40), 3).losses
    for learner in (RoundRobin(), RoundRobin, alternate):
        summary = play_repeatedly(BANDIT, Setup(learner, 40), 3)
        assert summary.losses == expected
    assert simulate(BANDIT, Stepwise(alternate), 40).loss == expected[0]
    assert find(alternate).name.endswith("alternate")


def test_processes_import_it_too(module):
    here = play_repeatedly(BANDIT, Setup(f"{module}:Oracle", 40), 3)
    assert play_repeatedly(BANDIT, Setup(f"{module}:Oracle", 40), 3, jobs=2).losses == here.losses


def test_a_family_next_to_the_data(module):
    result = run("new", f"{module}:flat", "size=3", "loss=1/4")
    assert json.loads(result.stdout) == {
        "memory": 3,
        "losses": [["1/4"] * 3] * 2,
        "name": f"{module}:flat(size=3, loss=1/4)",
    }
    assert "Every loss the same" in run("families", f"{module}:flat").stdout
    for arguments, words in (
        ([f"{module}:flat"], "needs size"),
        ([f"{module}:flat", "size=x"], "an integer is needed"),
        ([f"{module}:flat", "size=2", "loss=7"], "a loss lies between 0 and 1"),
        ([f"{module}:flat", "sise=2"], "did you mean 'size'"),
        ([f"{module}:not_a_family"], "returned 5"),
        ([f"{module}:number"], "is not a family"),
        ([f"{module}:leaves", "observations=1"], "leaves failed: SystemExit: 0"),
    ):
        refused = run("new", *arguments)
        assert (refused.exit_code, words in refused.stderr) == (2, True), refused.stderr


def test_entry_points_bring_learners_and_families(tmp_path):
    (tmp_path / "other_players.py").write_text(
        MODULE
        + "\n\nfrom tallyplan.games.registry import learner\n"
        + "from tallyplan.model.families.registry import Count, family\n"
        + "learner('others-learner')(Mine)\n"
        + "@family('others-family')\ndef others(*, size: Count):\n"
        + '    """Of another package."""\n    return TallyingBandit([["0"] * size])\n'
    )
    info = tmp_path / "other_players-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other-players\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[tallyplan.learners]\nmine = other_players\n\n[tallyplan.families]\nmine = other_players\n"
    )
    for arguments, words in (
        (["learners"], "others-learner"),
        (["families"], "others-family"),
        (["new", "others-family", "size=2"], "others-family(size=2)"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "tallyplan", *arguments],
            env={"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}", "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, words in done.stdout) == (0, True), done.stderr


def test_another_version_of_the_source_is_another_learner(module, tmp_path):
    first = source_sha256(find(f"{module}:Mine").function)
    (tmp_path / "my_players.py").write_text(MODULE + "\n# changed\n")
    assert source_sha256(find(f"{module}:Mine").function) != first
    with pytest.raises(InvalidInput, match="must be in a file"):
        source_sha256(len)
