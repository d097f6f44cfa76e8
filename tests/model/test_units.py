"""Rewards, losses of any size, and tables in CSV files and DataFrames: mapped exactly, there and back."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from commands import data, run
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan import (
    InvalidInput,
    TallyingBandit,
    check,
    load,
    minimum_mean_cycle,
    optimal_cyclic_policy,
    optimal_plan,
    replay,
)
from tallyplan.games.regret import regrets
from tallyplan.model.instance import from_json
from tallyplan.model.tables import read_table, write_table

numbers = st.fractions(-100, 100, max_denominator=12) | st.sampled_from(
    [Fraction(0), Fraction(1), Fraction(-1)]
)


@st.composite
def tables(draw):
    memory = draw(st.integers(1, 3))
    return draw(st.lists(st.lists(numbers, min_size=memory, max_size=memory), min_size=1, max_size=3))


def total(rows, actions):
    """Of a table of any numbers: the sum along a sequence, by the definition."""
    memory = len(rows[0])
    windows = (actions[max(0, t - memory) : t] for t in range(1, len(actions) + 1))
    return sum((rows[w[-1]][w.count(w[-1]) - 1] for w in windows), Fraction(0))


@settings(max_examples=60)
@given(tables(), st.booleans(), st.lists(st.integers(0, 2), max_size=8))
def test_what_a_sequence_loses_is_mapped_back_to_what_it_earned(rows, rewards, letters):
    bandit = (TallyingBandit.from_rewards if rewards else TallyingBandit.from_losses)(rows)
    actions = [letter % bandit.actions for letter in letters]
    assert bandit.units.total(replay(bandit, actions), len(actions)) == total(rows, actions)
    again = from_json(json.loads(json.dumps(bandit.to_json())))
    assert (again, again.units) == (bandit, bandit.units)
    assert bandit.units.of == ("rewards" if rewards else "losses")


@settings(max_examples=30, deadline=None)
@given(tables(), st.booleans())
def test_optima_are_those_of_the_given_numbers(rows, rewards):
    bandit = (TallyingBandit.from_rewards if rewards else TallyingBandit.from_losses)(rows)
    best = max if rewards else min
    plan = optimal_plan(bandit, 4)
    every = [total(rows, word) for word in product(range(bandit.actions), repeat=4)]
    assert plan.original.value == best(every)
    policy = optimal_cyclic_policy(bandit, 2)
    long = [
        total(rows, word * 6) - total(rows, word * 4) for word in product(range(bandit.actions), repeat=2)
    ]
    assert policy.original.value == best(long) / 4
    cycle = minimum_mean_cycle(bandit)
    assert cycle.original.value == bandit.units.origin + bandit.units.factor * cycle.value
    answer = regrets(bandit, [0] * 4)
    assert bandit.units.regret(answer.complete) == abs(best(every) - total(rows, (0,) * 4))


def test_a_given_range_is_kept_and_one_number_only_is_no_division_by_zero():
    assert TallyingBandit.from_rewards([[3]], least=0, most=4).losses == ((Fraction(1, 4),),)
    assert TallyingBandit.from_rewards([[3, 3]]).losses == ((0, 0),)
    assert TallyingBandit.from_losses([[3, 3]]).units.total(Fraction(0)) == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"least": 5}, r"rewards\[0\]\[0\] is 3/1; it must lie between 5/1 and 9/1"),
        ({"most": 5}, r"rewards\[0\]\[1\] is 9/1"),
        ({"least": 9, "most": 3}, "the least of the rewards is 9/1, and the most 3/1"),
        ({"least": "x"}, "least is 'x'"),
    ],
)
def test_a_range_that_does_not_hold_is_refused(options, words):
    with pytest.raises(InvalidInput, match=words):
        TallyingBandit.from_rewards([[3, 9]], **options)


UNITS: dict[str, object] = {"of": "losses", "origin": "0/1", "factor": "1/1"}
WRONG: list[dict[str, object]] = [
    {"of": "rewards"},
    {"of": "joys"},
    {"of": ["losses"]},
    {"factor": "-1/1"},
    {"factor": "x"},
    {"more": 1},
]
WRONG += [{"factor": "0/1"}, {"of": "rewards", "factor": "0/1"}]


@pytest.mark.parametrize("units", [*(UNITS | one for one in WRONG), {"of": "losses"}, [], "losses"])
def test_units_that_are_malformed_are_refused_and_no_part_of_what_is_proved(units):
    document = {"memory": 1, "losses": [["0/1"]]}
    with pytest.raises(InvalidInput, match="units"):
        from_json(document | {"units": units})
    certificate = minimum_mean_cycle(from_json(document)).certificate
    assert check(certificate)
    certificate["instance"]["units"] = units
    assert check(certificate)


def test_a_table_may_be_lists_an_array_or_a_dataframe():
    pandas = pytest.importorskip("pandas")
    named = pandas.DataFrame({"y=1": [0.1, 0.5], "y=2": [0.2, 1]}, index=["a", "b"])
    given = [[[0.1, 0.2], [0.5, 1.0]], np.array([[0.1, 0.2], [0.5, 1.0]], dtype=np.float32), named]
    assert all(TallyingBandit(table) == TallyingBandit([["1/10", "1/5"], ["1/2", "1"]]) for table in given)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.fractions(0, 1), min_size=2, max_size=2), min_size=1, max_size=4))
def test_a_csv_file_is_read_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("tables") / "table.csv"
    bandit = TallyingBandit(rows)
    bandit.save(path)
    assert load(path) == bandit
    write_table(path, [[value * 10 - 5 for value in row] for row in rows])
    assert read_table(path) == [[value * 10 - 5 for value in row] for row in rows]


@pytest.mark.parametrize(
    "content",
    [
        "0.5,1/3\n0.25,1\n",
        "\ufeffarm,1,2\na,0.5,1/3\nb,0.25,1\n",
        ",0,1\n0,0.5,1/3\n1,0.25,1\n",  # pandas, with its index
        "y=1,y=2\n0.5,1/3\n0.25,1\n",
        "arm;1;2\na;0.5;1/3\nb;0.25;1\n",
        "Arm,1,2\nx,0.5,1/3\ny,0.25,1\n",
        '"arm","y, 1","y, 2"\r\n"a",0.5,1/3\r\n\r\n"b",0.25,1\r\n',
    ],
)
def test_csv_with_and_without_names(content, tmp_path):
    (tmp_path / "table.csv").write_text(content, encoding="utf-8")
    assert load(tmp_path / "table.csv") == TallyingBandit([["1/2", "1/3"], ["1/4", "1"]])


PLAYED = {"total": "17/1", "optimum": "17/1", "regret": "0/1"}
IN_REWARDS = {
    ("cycle", "r.json"): {"value": "17/2"},
    ("plan", "r.json", "--horizon", "5"): {"value": "44/1"},
    ("cyclic", "r.json", "--period", "2"): {"value": "17/2"},
    ("replay", "r.json", "00"): {"value": "14/1"},
    ("play", "round-robin", "r.json", "--horizon", "2"): PLAYED,
    ("regret", "-", "r.json"): {"total": "14/1", "optimum": "17/1", "regret": "3/1"},
}


def test_a_table_of_rewards_is_asked_about_in_rewards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.csv").write_text("arm,1,2\na,10,4\nb,7,7.5\n")
    (tmp_path / "r.json").write_text(run("rescale", "r.csv", "--rewards", "--name", "mine").stdout)
    for command, expected in IN_REWARDS.items():
        assert data(*command, stdin="00")["original"] == {"of": "rewards"} | expected
    assert "as rewards  17/2" in run("cycle", "r.json").stdout
    played = run("play", "round-robin", "r.json", "--horizon", "2").stdout
    assert "as rewards  total 17, optimum 17, regret 0" in played
