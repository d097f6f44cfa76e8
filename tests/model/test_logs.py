"""Action logs: written in three formats, read back the same, refused where steps are missing."""

from fractions import Fraction

import pytest
from commands import data
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits

from tallyplan import make, replay
from tallyplan.cli.measuring import read_sequence
from tallyplan.model.logs import write_log
from tallyplan.model.words import expand

BANDIT = make("uniform", actions=3, memory=3)


@settings(max_examples=15, deadline=None)
@given(bandits(), st.lists(st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=3), st.integers(1, 3))))
def test_what_is_written_is_read_back(tmp_path_factory, bandit, given_runs):
    runs = [(tuple(x % bandit.actions for x in word), repeats) for word, repeats in given_runs]
    folder = tmp_path_factory.mktemp("logs")
    for name in ("log.json", "log.csv", "log.txt"):
        write_log(folder / name, bandit, runs)
        back, _ = read_sequence((folder / name).read_text(), bandit, None, name)
        assert list(expand(back)) == list(expand(runs))


def test_the_losses_of_a_csv_log_add_up_after_a_start_too(tmp_path):
    runs = [((0, 1, 1), 4), ((2,), 5)]
    write_log(tmp_path / "log.csv", BANDIT, runs, start=(2, 2))
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0] == "step,action,loss"
    losses = [Fraction(line.split(",")[2]) for line in lines[1:]]
    assert sum(losses) == replay(BANDIT, list(expand(runs)), start=[2, 2])


@pytest.mark.parametrize("name", ["log.json", "log.csv", "log.txt"])
def test_a_game_is_logged_and_its_regret_is_that_of_the_log(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    BANDIT.save("u.json")
    played = data("play", "ucb1", "u.json", "--horizon", "30", "--log", name)
    assert data("regret", name, "u.json")["complete"] == played["regret"]
