"""Strict reading of certificates, a lenient one of the user's own instance, and no trace in the process."""

import json
import sys
from contextlib import nullcontext
from fractions import Fraction

import pytest
from brute_force import ALTERNATE, GENERAL, VECTORS, horizon, mean_cycle, tallying, weighted

import tallyplan as tp
from tallyplan.check import Verdict, check
from tallyplan.check.__main__ import main
from tallyplan.check.reading import DIGITS, rational, whole
from tallyplan.check.verdict import Refused

HALVES = tallying(("1/2", 1), (0, "1/8"))
READABLE = ["1/2", " 1/2 ", "\\t0.5\\n", "+1/2", "+0.5", ".5", "5.e-1", "5e-1", "5E-0001", "2/4"]
UNREADABLE = ["0.5 0", "1 /2", "1//2", "1/-2", "--1/2", "\u0661/2", "0x1", "1_0/20", "1/0", "", ".", "e1"]


@pytest.mark.parametrize("half", ["0.5", '"0.5"', '"1/2"', '"2/4"', "5e-1", '"5E-1"', "0.500"])
@pytest.mark.parametrize("one", ["1", "1.0", '"1"', '"1/1"', "10e-1"])
def test_numbers_of_an_instance_given_are_read_exactly_however_they_are_written(tmp_path, half, one):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"name": "other", "memory": 2, "losses": [[{half}, {one}], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path)
    assert check(mean_cycle(HALVES), instance=json.loads(path.read_text()))


@pytest.mark.parametrize("half", [*READABLE, *UNREADABLE, "5e-999999"])
def test_the_checker_and_the_planner_read_the_same_numbers(tmp_path, half):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"memory": 2, "losses": [["{half}", 1], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path).accepted == (half in READABLE)
    with nullcontext() if half in READABLE else pytest.raises(tp.InvalidInput, match="losses"):
        assert tp.TallyingBandit.load(path).losses[0][0] == Fraction(1, 2)


@pytest.mark.parametrize(
    "other",
    [
        '{"memory": 2, "losses": [[0.50000000000000000000000001, 1], [0, 0.125]]}',
        '{"memory": 2, "losses": [["1/2", 1], [0, 0.125], [1, 1]]}',
        '{"memory": 1, "losses": [["1/2"], [0]]}',
        '{"memory": 2, "weights": [1, 1], "losses": [{"1": 0.5, "2": 1}, {"1": 0, "2": 0.125}]}',
    ],
)
def test_another_instance_than_the_one_given_is_refused(tmp_path, other):
    path = tmp_path / "instance.json"
    path.write_text(other)
    assert "about another problem" in check(mean_cycle(HALVES), instance=path).reason


def test_other_weights_of_the_same_proportions_are_another_problem():
    twice = weighted()
    twice["weights"] = ["2/1", "1/1", "1/2"]
    twice["losses"] = [{f"{2 * Fraction(t)}": x for t, x in row.items()} for row in twice["losses"]]
    assert "about another problem" in check(mean_cycle(weighted()), instance=twice).reason


@pytest.mark.parametrize("bad", ["true", '"a"', "null", "NaN", "2", "-1", '"1/0"', "1e-999999999", '""'])
def test_an_instance_that_cannot_be_read_proves_nothing(tmp_path, bad):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"memory": 2, "losses": [[{bad}, 1], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path).status == "refused"


def test_a_bandit_can_be_given_itself():
    assert check(mean_cycle(HALVES), instance=tp.TallyingBandit(HALVES["losses"]))


@pytest.mark.parametrize("text", ["1/2", "0/1", "-3/7", f"{10**4299}/{10**4299 + 1}", f"-{10**700}/1"])
def test_rationals_in_lowest_terms_are_read(text):
    assert rational(text, "number") == Fraction(text)


LONG = "1" * (DIGITS + 1)
WRONG = [
    "2/4",
    "1",
    "01/2",
    "1/02",
    "+1/2",
    "-0/1",
    "1/0",
    "1/-2",
    " 1/2",
    "1/2\n",
    "\u0661/2",
    1,
    None,
]


@pytest.mark.parametrize("wrong", [*WRONG, 0.5, f"{LONG}/1", f"1/{LONG}", ["1/2"]], ids=lambda x: str(x)[:9])
def test_nothing_else_is_a_rational(wrong):
    with pytest.raises(Refused):
        rational(wrong, "number")


@pytest.mark.parametrize("digits", [1, 599, 600, 601, 1200, 4299, DIGITS])
def test_digits_are_converted_whatever_the_limit_of_the_process(digits, monkeypatch):
    expected = 10 ** (digits - 1) + 7 * (digits > 1)
    text = str(expected)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert whole(text) == expected
        assert whole("-" + text) == -expected
        path = VECTORS / "accepted" / "graph-large-numbers.json"
        assert check(path)
        assert sys.get_int_max_str_digits() == 640
    finally:
        sys.set_int_max_str_digits(before)


def test_levels_are_counted(tmp_path):
    """A hundred are read; one more is not, in a file as in an object."""
    for levels, reason in ((97, "unknown key"), (98, "unknown key"), (99, "unknown key"), (100, "nested")):
        deep = json.loads("[" * levels + "]" * levels)
        document = mean_cycle(ALTERNATE) | {"remark": deep}
        (tmp_path / "deep.json").write_text(json.dumps(document))
        for source in (document, tmp_path / "deep.json"):
            verdict = check(source)
            assert verdict.status == "refused"
            assert reason in verdict.reason


def test_the_limit_is_an_integer_of_at_least_0():
    for limit in (-1, True, 1.5, None, "7"):
        with pytest.raises(ValueError, match="limit"):
            check(mean_cycle(ALTERNATE), limit=limit)
    assert check(mean_cycle(ALTERNATE), limit=0).status == "undecided"


@pytest.mark.parametrize("document", [mean_cycle(GENERAL), horizon(GENERAL, 9), horizon(GENERAL, 2)])
def test_a_limit_is_a_limit_and_a_little_more_is_enough(document):
    """Below some number of steps the answer is undecided, from there on accepted; nothing in between."""
    statuses = [check(document, limit=2**k).status for k in range(30)]
    first = statuses.index("accepted")
    assert set(statuses[:first]) == {"undecided"}
    assert set(statuses[first:]) == {"accepted"}


def test_files_that_cannot_be_read_are_errors(tmp_path, capsys):
    with pytest.raises(OSError, match="nowhere"):
        check(tmp_path / "nowhere.json")
    assert main([str(tmp_path / "nowhere.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("thing", [5, None, [], object()])
def test_things_that_are_no_certificates(thing):
    assert check(thing).status == "refused"


def test_a_verdict_is_shown_safely():
    assert Verdict("refused", "<b>")._repr_html_() == "<p><b>refused</b>: &lt;b&gt;</p>"


def test_a_certificate_of_version_1_is_refused_with_a_sentence():
    verdict = check(mean_cycle(ALTERNATE) | {"version": 1})
    assert verdict.reason == "The version is 1; this checker knows version 2 only."
