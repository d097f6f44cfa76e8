"""Plans, cycles, cyclic words and their certificates do not depend on the code that finds them."""

from itertools import product

import pytest
from hypothesis import given, settings
from strategies import bandits, python_integers_only

import tallyplan as tp
from tallyplan.planning import compiling

SIZES = [(1, 3), (2, 1), (2, 2), (2, 4), (3, 3), (4, 3), (2, 6)]


def certificates(bandit):
    yield from (tp.optimal_plan(bandit, horizon).certificate for horizon in (9, 10**9))
    yield tp.minimum_mean_cycle(bandit).certificate
    yield from (tp.optimal_cyclic_policy(bandit, period).certificate for period in (5, 12))


def found_by(compiled, bandit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "pays", lambda edges=0: compiled)
        patch.setattr(compiling, "walks_pay", lambda edges=0: compiled)
        return list(certificates(bandit))


@settings(max_examples=8)
@given(bandits(sizes=SIZES))
def test_answers_do_not_depend_on_the_code_that_finds_them(bandit):
    assert found_by(True, bandit) == found_by(False, bandit)


@settings(max_examples=8)
@given(bandits(sizes=SIZES))
def test_answers_do_not_depend_on_the_type_of_integers(bandit):
    expected = list(certificates(bandit))
    with python_integers_only():
        assert list(certificates(bandit)) == expected


@pytest.mark.thorough
@pytest.mark.parametrize(("family", "seed"), [*product(["uniform", "near-tie", "single-peaked"], range(4))])
@pytest.mark.parametrize("size", [(2, 11), (3, 7), (5, 5)], ids=str)
def test_answers_on_larger_graphs_do_not_depend_on_the_code_either(family, size, seed):
    bandit = tp.make(family, actions=size[0], memory=size[1], seed=seed)
    assert found_by(True, bandit) == found_by(False, bandit)
