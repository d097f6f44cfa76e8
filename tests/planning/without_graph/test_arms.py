"""Leaving out arms changes no optimum; where the rule does not apply, it may."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cycle, plan, plan_without_graph, starts, tallying_bandits, without_graph

from tallyplan import TallyingBandit
from tallyplan.planning.without_graph.bounds.fewer_arms import without_useless_arms


@st.composite
def bandits_with_useless_arms(draw):
    """Some falling or constant arms, and arms that lie above one of them."""
    memory = draw(st.integers(1, 4))
    entry = st.fractions(0, 1, max_denominator=6)
    row = st.lists(entry, min_size=memory, max_size=memory)
    rows = [draw(row)]
    falling = sorted(draw(row), reverse=True)
    rows.append(draw(st.sampled_from([falling, [falling[0]] * memory])))
    rows.append([max(a, b) for a, b in zip(rows[1], draw(row), strict=True)])
    return TallyingBandit([rows[i] for i in draw(st.permutations(range(3)))])


@given(bandits_with_useless_arms())
def test_the_optimum_without_the_arms_left_out_is_the_same(bandit):
    fewer = without_useless_arms(bandit)
    assert fewer.removed
    assert {x for x, _ in fewer.removed} | set(fewer.kept) == set(range(bandit.actions))
    assert {z for _, z in fewer.removed} <= set(fewer.kept)
    assert cycle(fewer.bandit).value == cycle(bandit).value


@settings(max_examples=30)
@given(bandits_with_useless_arms(), st.integers(0, 9))
def test_the_same_for_every_horizon_and_start(bandit, horizon):
    for start in starts(bandit):
        fewer = without_useless_arms(bandit, played=start)
        value = plan(bandit, horizon, start).value
        assert plan(fewer.bandit, horizon, fewer.renamed(start)).value == value


def test_an_arm_that_was_played_before_cannot_be_left_out():
    """Both arms fall from 1 to 0; only the one that was played is at 0 at once."""
    bandit = TallyingBandit([["1", "0"], ["1", "0"]])
    assert without_useless_arms(bandit, played=[1]).kept == (1,)
    assert plan_without_graph(bandit, 5, [1]).value == plan(bandit, 5, [1]).value == 0


@settings(max_examples=30)
@given(bandits_with_useless_arms(), st.integers(0, 9))
def test_the_certificates_carry_the_reduction(bandit, horizon):
    answer = without_graph(bandit)
    assert answer.proof.method == "fewer-arms"
    assert answer.lower <= cycle(bandit).value <= answer.upper
    game = plan_without_graph(bandit, horizon, [0])
    assert game.lower <= plan(bandit, horizon, [0]).value <= game.upper


@given(tallying_bandits())
def test_only_arms_above_a_falling_one_are_left_out(bandit):
    fewer = without_useless_arms(bandit)
    for x, z in fewer.removed:
        mine, other = bandit.losses[x], bandit.losses[z]
        assert list(other) == sorted(other, reverse=True)
        assert all(a <= b for a, b in zip(other, mine, strict=True))
    assert not without_useless_arms(fewer.bandit).removed


def test_of_several_constant_arms_the_cheapest_stays():
    fewer = without_useless_arms(TallyingBandit([["1/2"] * 3, ["1/3"] * 3, ["2/3"] * 3, ["0", "1", "1"]]))
    assert fewer.kept == (1, 3)
    assert fewer.removed == ((0, 1), (2, 1))


def test_equal_falling_arms_are_merged_and_equal_rising_ones_are_not():
    assert without_useless_arms(TallyingBandit([["1", "0"]] * 3)).kept == (0,)
    taking_turns = TallyingBandit([["0", "1"]] * 2)
    assert not without_useless_arms(taking_turns).removed
    assert cycle(taking_turns).value == 0
    assert cycle(TallyingBandit([["0", "1"]])).value == 1


def test_ten_arms_of_memory_60_of_which_two_matter():
    """Nine arms lose at least 2/3 at every tally, one of them exactly; the tenth is free half the time."""
    rows = [[0] * 30 + [1] * 30, ["2/3"] * 60] + [[Fraction(2, 3) + Fraction(i, 100)] * 60 for i in range(8)]
    answer = without_graph(TallyingBandit(rows))
    assert answer.value == Fraction(1, 3)
    assert answer.argument.startswith("without the actions 2 (by 1)")


@pytest.mark.parametrize("actions", [1, 2, 7])
def test_falling_losses_need_no_search(actions):
    rows = [[Fraction(i + 1, y + i + 2) for y in range(300)] for i in range(actions)]
    answer = without_graph(TallyingBandit(rows))
    assert answer.value == Fraction(1, 301)
    assert answer.word == (0,)
