"""The instance given by the user is compared as mathematics, not as text."""

import json

import pytest
from check_build import GENERAL, mean_cycle, tallying, weighted, windowed

from tallyplan.check import check

HALVES = tallying(("1/2", 1), (0, "1/8"))


@pytest.mark.parametrize("half", ["0.5", '"0.5"', '"1/2"', '"2/4"', "5e-1", '"5E-1"', "0.500"])
@pytest.mark.parametrize("one", ["1", "1.0", '"1"', '"1/1"', "10e-1"])
def test_numbers_are_read_exactly_however_they_are_written(tmp_path, half, one):
    path = tmp_path / "instance.json"
    path.write_text(f'{{"name": "other", "memory": 2, "losses": [[{half}, {one}], [0, 0.125]]}}')
    assert check(mean_cycle(HALVES), instance=path)
    assert check(mean_cycle(HALVES), instance=json.loads(path.read_text()))


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


@pytest.mark.parametrize("of", ["losses", "rewards"])
def test_units_are_read_and_prove_nothing(of):
    units = {**UNITS, "of": of}
    assert check(mean_cycle({**HALVES, "units": units}))
    assert check(mean_cycle(HALVES), instance={**HALVES, "units": {**units, "factor": 0.5}})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"of": "joys"}, "neither of losses nor of rewards"),
        ({"origin": "x"}, "The origin of the units of the instance is 'x'"),
        ({"factor": "2/4"}, "The factor of the units of the instance is '2/4'"),
        ({"more": "1/1"}, "unknown key 'more'"),
    ],
)
def test_units_that_are_malformed_are_refused(change, why):
    verdict = check(mean_cycle({**HALVES, "units": {**UNITS, **change}}))
    assert verdict.status == "refused"
    assert why in verdict.reason
