"""Instances: validation that names the entry, and JSON without loss."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from strategies import as_weighted, as_windows, tallying_bandits

import tallyplan as tp
from tallyplan import InvalidInput, TallyingBandit, WeightedTallyBandit, WindowBandit
from tallyplan.model.instance import load


@pytest.mark.parametrize("kind", [lambda b: b, as_windows, as_weighted])
def test_files_give_back_the_same_instance(kind, tmp_path):
    bandit = kind(TallyingBandit([["1/3", "0.1"], ["1e-9", "1"]]))
    bandit.save(tmp_path / "instance.json")
    assert load(tmp_path / "instance.json") == bandit
    assert [path.name for path in tmp_path.iterdir()] == ["instance.json"]


def test_decimals_in_a_file_are_not_rounded(tmp_path):
    digits = "0.1234567890123456789012345678901234567890"
    (tmp_path / "x.json").write_text('{"memory": 1, "losses": [[' + digits + "]]}")
    assert load(tmp_path / "x.json").loss((0,)) == Fraction(digits)


@given(tallying_bandits())
def test_the_three_kinds_see_the_same_losses(bandit):
    windows, weighted = as_windows(bandit), as_weighted(bandit)
    for length in range(1, bandit.memory + 1):
        for code in range(bandit.actions**length):
            window = tuple(code // bandit.actions**i % bandit.actions for i in range(length))
            assert bandit.loss(window) == windows.loss(window) == weighted.loss(window)


def test_weights_belong_to_positions_counted_from_the_present():
    tallies = ["1", "3/2", "5/4", "7/4"]
    bandit = WeightedTallyBandit(["1", "1/2", "1/4"], [{t: f"{i}/7" for i, t in enumerate(tallies)}] * 2)
    assert bandit.loss((1, 0)) == 0
    assert bandit.loss((0, 0)) == Fraction(1, 7)
    assert bandit.loss((0, 1, 0)) == Fraction(2, 7)
    assert bandit.loss((1, 0, 0)) == Fraction(1, 7)
    assert bandit.loss((0, 0, 0)) == Fraction(3, 7)


@pytest.mark.parametrize(
    "bad", [True, None, "x", float("nan"), float("inf"), -1, 2, "3/2", [0], pytest.param(10**5000, id="huge")]
)
def test_a_bad_entry_is_named(bad):
    with pytest.raises(InvalidInput, match=r"losses\[1\]\[0\]"):
        TallyingBandit([[0, 0], [bad, 0]])
    with pytest.raises(InvalidInput, match=r"windows\[1\]\[2\]"):
        WindowBandit(2, [[0, 0], [0, 0, bad, 0]])
    with pytest.raises(InvalidInput, match=r"losses\[0\]\[2/1\]"):
        WeightedTallyBandit([1, 1], [{1: 0, 2: bad}])


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ([], "empty"),
        ([[]], r"losses\[0\] is empty"),
        ([[0], []], r"losses\[1\] has 0"),
        ([[0, 1], [0]], r"losses\[1\] has 1"),
        ("01", "list"),
        (["01"], r"losses\[0\]"),
        ([0, 1], r"losses\[0\]"),
        (None, "list"),
        (5, "list"),
        ({0: [1]}, "list"),
        (np.array([0.1, 0.2]), "losses"),
        (np.array(0.5), "losses"),
        (np.zeros((0, 2)), "empty"),
    ],
)
def test_a_table_of_the_wrong_shape_is_refused(table, word):
    with pytest.raises(InvalidInput, match=word):
        TallyingBandit(table)


NO_WEIGHTS: list[object] = ["1", [], [float("nan")], [True], [2], [1, 1]]
NO_LOSSES: list[object] = [[], [[0]], [{}], [{2: 0}], [{1: 0, 2: 0}], [{1: 0, "1/1": 0}]]


@pytest.mark.parametrize(
    ("weights", "losses"), [*((one, [{1: 0}]) for one in NO_WEIGHTS), *(([1], one) for one in NO_LOSSES)]
)
def test_weighted_tables_of_the_wrong_shape_are_refused(weights, losses):
    with pytest.raises(InvalidInput):
        WeightedTallyBandit(weights, losses)


def test_public_names_are_functions_and_classes_whatever_was_imported_before():
    """A module of the same name must not hide `tallyplan.replay`, whichever is imported first."""
    import tallyplan.planning.horizon  # noqa: F401

    for name in tp.__all__:
        if name != "FAMILIES":
            assert callable(getattr(tp, name)), name
