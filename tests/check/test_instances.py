"""The instance given by the user is compared as mathematics, not as text."""

import json
import sys
from contextlib import nullcontext
from fractions import Fraction
from itertools import product

import pytest
from check_build import GENERAL, loss, mean_cycle, size, tallying, text, weighted, windowed

import tallyplan as tp
from tallyplan.check import check
from tallyplan.check.policies import read_class
from tallyplan.check.problem import power, read_problem, refuse_collisions
from tallyplan.check.verdict import Budget, Undecided
from tallyplan.check.where import read_where

HALVES = tallying(("1/2", 1), (0, "1/8"))


@pytest.mark.parametrize("half", ["0.5", '"0.5"', '"1/2"', '"2/4"', "5e-1", '"5E-1"', "0.500"])
@pytest.mark.parametrize("one", ["1", "1.0", '"1"', '"1/1"', "10e-1"])
def test_numbers_are_read_exactly_however_they_are_written(tmp_path, half, one):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"name": "other", "memory": 2, "losses": [[{half}, {one}], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path)
    assert check(mean_cycle(HALVES), instance=json.loads(path.read_text()))


READABLE = [
    "1/2",
    " 1/2 ",
    "\\t0.5\\n",
    "+1/2",
    "+0.5",
    ".5",
    "5.e-1",
    "5e-1",
    "5E-00001",
    "2/4",
    "\u20031/2",
]
UNREADABLE = [
    "0.5 0",
    "1 /2",
    "1//2",
    "1/-2",
    "--1/2",
    "\u0661/2",
    "0x1",
    "1_0/20",
    "1e-4001",
    "1/0",
    "",
    ".",
    "e1",
]


@pytest.mark.parametrize("half", [*READABLE, *UNREADABLE, "5e-999999"])
def test_the_checker_and_the_planner_read_the_same_numbers(tmp_path, half):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"memory": 2, "losses": [["{half}", 1], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path).accepted == (half in READABLE)
    with nullcontext() if half in READABLE else pytest.raises(tp.InvalidInput, match="losses"):
        assert tp.TallyingBandit.load(path).losses[0][0] == Fraction(1, 2)


@pytest.mark.parametrize("almost", ["0.50000000000000000000000001", '"50000000000000001/100000000000000000"'])
def test_a_difference_below_float_precision_is_seen(tmp_path, almost):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"memory": 2, "losses": [[{almost}, 1], [0, 0.125]]}}')
    assert "losses differ" in check(mean_cycle(HALVES), instance=path).reason


@pytest.mark.parametrize(
    "bad", ["true", '"a"', "null", "NaN", "2", "-1", '"1/0"', "1e-999999999", '""', '" 1"']
)
def test_an_instance_that_cannot_be_read_proves_nothing(tmp_path, bad):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"memory": 2, "losses": [[{bad}, 1], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path).status == "refused"


def test_each_kind_is_the_same_as_itself_only():
    kinds = [GENERAL, weighted(), windowed()]
    for certified in kinds:
        for given in kinds:
            assert bool(check(mean_cycle(certified), instance=given)) == (certified is given)


def test_weighted_tallies_may_be_written_as_decimals():
    given = weighted()
    given["weights"] = [1, 0.5, "0.25"]
    names = {"1/1": "1", "3/2": "1.5", "5/4": "1.25", "7/4": "7/4"}
    given["losses"] = [{names[tally]: loss for tally, loss in table.items()} for table in given["losses"]]
    assert check(mean_cycle(weighted()), instance=given)


UNITS = {"of": "rewards", "origin": "3/1", "factor": "-1/2"}


@pytest.mark.parametrize(("of", "factor", "decimal"), [("losses", "1/2", 0.5), ("rewards", "-1/2", "-0.5")])
def test_units_are_read_and_prove_nothing(of, factor, decimal):
    units = {**UNITS, "of": of, "factor": factor}
    assert check(mean_cycle({**HALVES, "units": units}))
    assert check(mean_cycle(HALVES), instance={**HALVES, "units": {**units, "factor": decimal}})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"of": "joys"}, "neither of losses nor of rewards"),
        ({"origin": "x"}, "The origin of the units of the instance is 'x'"),
        ({"factor": "2/4"}, "The factor of the units of the instance is '2/4'"),
        ({"more": "1/1"}, "unknown key 'more'"),
        ({"factor": "0/1"}, "not above 0 for losses, or below 0 for rewards"),
        ({"of": "losses"}, "not above 0 for losses, or below 0 for rewards"),
        ({"factor": "1/1"}, "not above 0 for losses, or below 0 for rewards"),
    ],
)
def test_units_that_are_malformed_are_refused(change, why):
    verdict = check(mean_cycle({**HALVES, "units": {**UNITS, **change}}))
    assert verdict.status == "refused"
    assert why in verdict.reason


def test_one_action_may_have_a_window_of_its_own():
    assert check(mean_cycle({"memory": 1, "actions": 1, "windows": [["1/2"]]}))


def test_the_length_of_windows_that_are_missing_is_told():
    proof = mean_cycle(windowed())
    proof["instance"]["windows"][1].pop()
    assert "losses of windows of length 2 in the instance" in check(proof).reason


def test_a_tally_that_is_written_in_two_ways_is_listed_twice():
    given = weighted()
    given["losses"][0]["1.0"] = given["losses"][0]["1/1"]
    assert "table of action 0 in the instance given lists a tally twice" in (
        check(mean_cycle(weighted()), instance=given).reason
    )


def test_a_table_without_the_tallies_of_the_last_weight_is_refused():
    proof = mean_cycle(weighted())
    assert proof["instance"]["weights"] == ["1/1", "1/2", "1/4"]
    for table in proof["instance"]["losses"]:
        for tally in ("5/4", "7/4"):
            del table[tally]
    assert "does not list exactly the possible tallies" in check(proof).reason


def test_a_table_with_as_many_tallies_as_there_are_but_others_is_refused():
    proof = mean_cycle(weighted())
    table = proof["instance"]["losses"][1]
    table["2/1"] = table.pop("7/4")
    assert "does not list exactly the possible tallies" in check(proof).reason


def two_weights(m):
    """Weights of two values: the last step counts once, those before it twice."""
    tallies = [text(1 + 2 * i) for i in range(m)]
    rows = [[text(Fraction((3 * x + 2 * i + 1) % 7, 7)) for i in range(m)] for x in range(2)]
    tables = [dict(zip(tallies, row, strict=True)) for row in rows]
    return {"memory": m, "weights": ["1/1"] + ["2/1"] * (m - 1), "losses": tables}


@pytest.mark.parametrize(
    "instance", [tallying((1,), (0,)), GENERAL, weighted(), two_weights(1), two_weights(3), windowed()]
)
def test_the_cost_of_every_window_is_its_loss(instance):
    K, m = size(instance)
    _, problem = read_problem(instance, Budget(10**6))
    for length in range(1, m + 1):
        for window in product(range(K), repeat=length):
            assert Fraction(problem.cost(window), problem.denominator) == loss(instance, window)
        for free in range(length):
            for prefix in product(range(K), repeat=length - 1 - free):
                for action in range(K):
                    rests = product(range(K), repeat=free)
                    expected = [problem.cost((*prefix, *rest, action)) for rest in rests]
                    assert problem.costs(prefix, free, action) == expected


def test_weights_of_two_values_are_not_counted_as_equal():
    assert check(mean_cycle(two_weights(3)))


def test_powers_of_one_are_not_multiplied_out():
    assert power(1, 10**18, Budget(100)) == 1


# -- numbers that Python puts into one place of a table --------------------

P = sys.hash_info.modulus  # multiples of it have the same hash


def test_twenty_different_numbers_may_share_a_place():
    refuse_collisions([i * P for i in range(20)] * 2 + [1, 2, 3], "list")
    refuse_collisions([5] * 50, "list")
    with pytest.raises(Undecided, match="list"):
        refuse_collisions([1, 1, *(i * P for i in range(21)), 2], "list")


def test_tallies_that_share_a_place_are_undecided():
    proof = mean_cycle(weighted())
    proof["instance"]["losses"][0] = dict.fromkeys((f"{i * P}/1" for i in range(1, 22)), "0/1")
    verdict = check(proof)
    assert verdict.status == "undecided"
    assert "table of action 0 in the instance" in verdict.reason


def test_sums_of_weights_that_share_a_place_are_undecided():
    proof = mean_cycle(weighted())
    weights = [f"{weight}/1" for weight in (1, P, 2 * P, 4 * P, 8 * P, 16 * P)]
    table = dict.fromkeys((f"{i}/1" for i in range(1, 33)), "0/1")
    proof["instance"] = {"memory": 6, "weights": weights, "losses": [table]}
    verdict = check(proof)
    assert verdict.status == "undecided"
    assert "weights of the instance" in verdict.reason


def test_words_and_inequalities_that_share_a_place_are_undecided(monkeypatch):
    problem_module = sys.modules["tallyplan.check.problem"]
    monkeypatch.setattr(problem_module, "MOST_COLLISIONS", 0)  # no 21 such words are known
    entry = {"class": "listed", "horizon": 1, "words": [[0]], "repeated": False}
    with pytest.raises(Undecided, match="words of the class"):
        read_class(entry, "class", 1, 1, Budget(10**6))
    _, problem = read_problem({"memory": 1, "actions": 1, "windows": [["0/1"]]}, Budget(10**6))
    with pytest.raises(Undecided, match="list `where`"):
        read_where([{"coefficients": ["1/1"], "least": "0/1"}], problem, Budget(10**6))
