"""What the command line prints can be given back to it: words, runs, starts, plans."""

import json
import re
from fractions import Fraction

import pytest
from commands import data, run
from hypothesis import given, settings
from hypothesis import strategies as st

import tallyplan as tp
from tallyplan.cli import printing
from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import text
from tallyplan.model.words import expand, read

TWO = tp.make("uniform", actions=2, memory=4, seed=3)
TWELVE = tp.make("uniform", actions=12, memory=2, seed=5)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    TWO.save("two.json")
    TWELVE.save("twelve.json")


def row(output, key):
    """An entry of a table for people, with its line breaks."""
    return re.search(rf"^{key}  +((?:.*\n)(?: .*\n)*)", output, re.MULTILINE)[1].strip()


@pytest.mark.parametrize(
    "word", ["0110", "0,1,1,0", "0 1 1 0", "0 1^2 0", "0 (1)^2 0", "[0,1,1,0]", "[[[0],1],[[1],2],[[0],1]]"]
)
def test_a_word_may_be_written_in_every_way_that_has_one_reading(word):
    loss = text(tp.replay(TWO, [0, 1, 1, 0]))
    assert data("replay", "two.json", word, "--json") == {"value": loss, "horizon": 4}


@pytest.mark.parametrize("horizon", ["7", "10^18", "3^300"])
@pytest.mark.parametrize("start", [None, "0", "0110"])
@pytest.mark.parametrize("columns", ["30", "80"])
def test_a_plan_for_people_replays_to_the_optimum(monkeypatch, horizon, start, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    after = [] if start is None else ["--start", start]
    output = re.sub(r"\x1b\[\d*m", "", run("plan", "two.json", "--horizon", horizon, *after).stdout)
    answer = data("replay", "two.json", row(output, "plan"), *after, "--json")
    assert answer["value"] == data("plan", "two.json", "--horizon", horizon, *after, "--json")["value"]


@pytest.mark.parametrize("columns", ["25", "80"])
def test_words_of_many_actions_are_printed_with_commas_and_read_back(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    output = re.sub(r"\x1b\[\d*m", "", run("cyclic", "twelve.json", "--period", "29").stdout)
    word = expand(read(row(output, "word"), 12, "the word"))
    assert word == data("cyclic", "twelve.json", "--period", "29", "--json")["word"]
    assert data("replay", "twelve.json", row(output, "word"), "--json")["horizon"] == 29


def test_a_plan_in_json_brings_its_start():
    plan = run("plan", "two.json", "--horizon", "50", "--start", "000", "--json").stdout
    value = json.loads(plan)["value"]
    answer = data("replay", "two.json", "-", "--json", stdin=plan)
    assert answer == {"value": value, "horizon": 50, "start": [0, 0, 0]}
    answer = data("regret", "-", "two.json", "--json", stdin=plan)
    assert (answer["loss"], answer["complete"], answer["start"]) == (value, "0/1", [0, 0, 0])
    assert tp.replay_runs(TWO, json.loads(plan)["runs"]) != Fraction(value)  # what was replayed before


def test_a_start_beside_that_of_a_plan_is_an_error():
    plan = run("plan", "two.json", "--horizon", "50", "--start", "000", "--json").stdout
    for command in (["replay", "two.json", "-"], ["regret", "-", "two.json"]):
        result = run(*command, "--start", "000", stdin=plan)
        assert (result.exit_code, "leave out --start" in result.stderr) == (2, True)


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 2), min_size=1, max_size=50), st.integers(1, 3000)), max_size=8
    )
)
def test_a_shown_word_is_whole_or_no_word(pieces):
    word = tuple(expand(pieces))
    shown = printing.word(word, tp.TallyingBandit([["0"]] * 3))
    if "too long" in shown:
        assert f"{len(word)} actions" in shown
        with pytest.raises(InvalidInput):
            read(shown, 3, "the word")
    else:
        assert tuple(expand(read(shown, 3, "the word"))) == word
    assert len(shown) <= printing.LONGEST_TEXT
