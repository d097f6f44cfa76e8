"""Strict reading of certificates and of the user's own instance, and no trace in the process."""

import json
import sys
from fractions import Fraction

import pytest
from brute_force import ALTERNATE, GENERAL, horizon, mean_cycle, tallying, text, weighted
from commands import run

import tallyplan as tp
from tallyplan.check import check
from tallyplan.check.__main__ import main
from tallyplan.check.reading import DIGITS, Meter, Refused, Undecided, rational, wide

HALVES = tallying(("1/2", 1), (0, "1/8"))
TALLIES = [{"1/1": "1/2", "2/1": "1/1"}, {"1/1": "0/1", "2/1": "1/8"}]
TWICE = weighted() | {"weights": ["2/1", "1/1", "1/2"]}
TWICE["losses"] = [{text(2 * Fraction(t)): x for t, x in row.items()} for row in TWICE["losses"]]


@pytest.mark.parametrize(
    ("mine", "other"),
    [
        (HALVES, tallying(("1/2", 1), (0, "1/7"))),
        (HALVES, tallying(("1/2", 1), (0, "1/8"), (1, 1))),
        (HALVES, tallying(("1/2",), (0,))),
        (HALVES, {"memory": 2, "weights": ["1/1", "1/1"], "losses": TALLIES}),
        (weighted(), TWICE),
    ],
)
def test_another_instance_than_the_one_given_is_refused(tmp_path, mine, other):
    (tmp_path / "instance.json").write_text(json.dumps(other))
    assert "about another problem" in check(mean_cycle(mine), instance=tmp_path / "instance.json").reason


@pytest.mark.parametrize("bad", ["true", '"a"', "null", "NaN", "2", "-1", '"1/0"', "0.5", '"0.5"', "1e-9999"])
def test_an_instance_that_cannot_be_read_proves_nothing(tmp_path, bad):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"memory": 2, "losses": [[{bad}, "1/1"], ["0/1", "1/8"]]}}')
    verdict = check(mean_cycle(HALVES), instance=path)
    assert verdict.status == "refused"
    assert verdict.reason.startswith("The instance given cannot be read. ")


def test_a_bandit_can_be_given_itself_and_one_action_has_windows_too():
    assert check(mean_cycle(HALVES), instance=tp.TallyingBandit(HALVES["losses"]))
    assert check(mean_cycle({"memory": 2, "actions": 1, "windows": [["1/2"], ["1/3"]]}))


@pytest.mark.parametrize("text", ["1/2", "0/1", "-3/7", f"{10**4299}/{10**4299 + 1}", f"-{10**700}/1"])
def test_rationals_in_lowest_terms_are_read(text):
    assert rational(text, "number") == Fraction(text)


LONG = "1" * (DIGITS + 1)
WRONG = ["2/4", "1", "01/2", "1/02", "+1/2", "-0/1", "1/0", "1/-2", " 1/2", "1/2\n", "\u0661/2", 1, None]


@pytest.mark.parametrize("wrong", [*WRONG, 0.5, ["1/2"]], ids=lambda x: str(x)[:9])
def test_nothing_else_is_a_rational(wrong):
    with pytest.raises(Refused):
        rational(wrong, "number")


def test_a_run_of_digits_has_a_length(monkeypatch):
    """Whatever the limit of the process; one that is lower leaves it undecided, and none is changed."""
    large = mean_cycle(tallying((Fraction(1, 10**1000), 1), (0, 1)))
    before = sys.get_int_max_str_digits()
    for limit, status in ((0, "accepted"), (4300, "accepted"), (640, "undecided")):
        sys.set_int_max_str_digits(limit)
        try:
            assert check(large).status == status
            assert check(mean_cycle(ALTERNATE) | {"remark": LONG}).status == "refused"
            assert sys.get_int_max_str_digits() == limit
        finally:
            sys.set_int_max_str_digits(before)


def test_the_meter_counts_long_numbers_as_several():
    meter = Meter(1000)
    meter.spend(400)
    assert (meter.steps, meter.room, meter.width) == (600, 10, 1)
    meter.fit(10)
    meter.widen([1, -(2**127)])
    meter.widen([2**127, 1])
    meter.spend(10, products=10)
    assert (meter.steps, meter.width) == (600 - 2 * (10 + 2 * 10), 2)
    assert (meter.power(2, 2), meter.power(1, 10**9)) == (4, 1)
    assert [wide(2**b) for b in (0, 254, 255, 510, 511)] == [1, 1, 2, 2, 3]
    for beyond in (lambda: meter.fit(6), lambda: meter.power(2, 3), lambda: meter.spend(271)):
        with pytest.raises(Undecided):
            beyond()


@pytest.mark.parametrize(
    ("length", "name", "status"),
    [
        (5000, "e", "accepted"),
        (5001, "e", "undecided"),
        (1250, "\u00e9", "accepted"),
        (1251, "\u00e9", "undecided"),
    ],
)
def test_a_file_is_as_long_as_the_limit_allows(tmp_path, length, name, status):
    """A byte for every ten steps; beyond ASCII each counts as four."""
    document = mean_cycle(ALTERNATE | {"name": name})
    path = tmp_path / "long.json"
    path.write_bytes(json.dumps(document, ensure_ascii=False).encode().ljust(length))
    assert check(path, limit=50_000).status == status


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


@pytest.mark.parametrize("document", [mean_cycle(GENERAL), horizon(GENERAL, 9), horizon(GENERAL, 2)])
def test_a_limit_is_a_limit_and_a_little_more_is_enough(document):
    """Below some number of steps the answer is undecided, from there on accepted; nothing in between."""
    statuses = [check(document, limit=2**k).status for k in range(30)]
    first = statuses.index("accepted")
    assert set(statuses[:first]) == {"undecided"}
    assert set(statuses[first:]) == {"accepted"}


@pytest.mark.parametrize("limit", [-1, True, 1.5, None, "7"])
def test_the_limit_is_an_integer_of_at_least_0(limit):
    with pytest.raises(ValueError, match=r"limit is .*; it must be an integer of at least 0"):
        check(mean_cycle(ALTERNATE), limit=limit)
    assert check(mean_cycle(ALTERNATE), limit=0).status == "undecided"


def test_files_that_cannot_be_read_are_errors(tmp_path, capsys):
    with pytest.raises(OSError, match="nowhere"):
        check(tmp_path / "nowhere.json")
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path / "nowhere.json")])
    assert "No such file" in capsys.readouterr().err


def test_a_certificate_that_checkers_must_refuse_is_not_written(tmp_path):
    long = [f"1/{'9' * 3990}", f"1/{'7' * 3990}"]
    tp.TallyingBandit([long, ["1/3", f"1/{'1' * 3989}3"]]).save(tmp_path / "long.json")
    result = run("cycle", tmp_path / "long.json", "--certificate", tmp_path / "out.cert")
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [tmp_path / "long.json"])
    assert "numbers of more than 4300 digits" in result.stderr
