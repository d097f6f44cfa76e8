"""Leaving out arms changes no optimum; where the rule does not apply, it may."""

from fractions import Fraction

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cycle, plan, plan_without_graph, starts, without_graph

from tallyplan import TallyingBandit
from tallyplan.planning.without_graph.bounds import fewer_arms
from tallyplan.planning.without_graph.bounds.fewer_arms import without_expensive_arms, without_useless_arms


def replaced(fewer):
    """The pairs of a reduction by the first rule."""
    return [pair for step in fewer.steps for pair in step.get("replaced", ())]


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
    assert fewer.bandit.actions < bandit.actions
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
    assert answer.proof.to_json()["rule"] == "fewer-actions"
    assert answer.lower <= cycle(bandit).value <= answer.upper
    game = plan_without_graph(bandit, horizon, [0])
    assert game.lower <= plan(bandit, horizon, [0]).value <= game.upper


def test_equal_falling_arms_are_merged_and_equal_rising_ones_are_not():
    assert without_useless_arms(TallyingBandit([["1", "0"]] * 3)).kept == (0,)
    taking_turns = TallyingBandit([["0", "1"]] * 2)
    assert without_useless_arms(taking_turns).kept == (0, 1)
    assert cycle(taking_turns).value == 0
    assert cycle(TallyingBandit([["0", "1"]])).value == 1


# -- expensive arms ----------------------------------------


@st.composite
def many_armed_bandits(draw):
    """More arms than the rule keeps, of few levels, so that ties are common."""
    memory = draw(st.integers(1, 3))
    entry = st.integers(0, draw(st.sampled_from([1, 2, 4]))).map(lambda n: Fraction(n, 4))
    row = st.lists(entry, min_size=memory, max_size=memory)
    return TallyingBandit(draw(st.lists(row, min_size=2 * memory, max_size=6)))


@given(many_armed_bandits(), st.integers(0, 8))
def test_expensive_arms_are_not_needed_after_any_history(bandit, horizon):
    """Brute force: the histories may have expensive arms, for which one of them stands."""
    fewer = without_expensive_arms(bandit)
    if fewer.bandit.actions == bandit.actions:
        return
    out = next(x for x in range(bandit.actions) if x not in fewer.kept)
    few = TallyingBandit([*fewer.bandit.losses, bandit.losses[out]])
    for start in starts(bandit):
        seen = [fewer.kept.index(x) if x in fewer.kept else few.actions - 1 for x in start]
        assert exhaustive.optimal_values(bandit, horizon, start) == exhaustive.optimal_values(
            few, horizon, seen
        )
        if set(start) <= set(fewer.kept):
            kept = exhaustive.optimal_values(fewer.bandit, horizon, fewer.renamed(start))
            assert exhaustive.optimal_values(bandit, horizon, start) == kept


def test_three_cheap_arms_of_memory_three_are_not_enough():
    """The example of the module's text; with five of them, the fourth arm would go."""
    rows = [["0", "5/6", "1"], ["4/6", "1", "1"], ["5/6", "1", "3/6"], ["5/6", "5/6", "5/6"]]
    four, three = (plan(TallyingBandit(rows[:count]), 7, (0, 1)).value for count in (4, 3))
    assert three - four == Fraction(1, 6)
    assert without_expensive_arms(TallyingBandit(rows)).kept == (0, 1, 2, 3)


@pytest.fixture
def always_reduced(monkeypatch):
    monkeypatch.setattr(fewer_arms, "EDGES_WORTH_SAVING", 0)
    monkeypatch.setattr(fewer_arms, "LEAST_SAVING", Fraction(11, 10))


MANY = TallyingBandit([[Fraction(1 + 3 * x % 11, 12), Fraction(1 + (5 * x + 4) % 13, 14)] for x in range(11)])


@pytest.mark.parametrize("start", [(), (0,), (9,), (10,)])
def test_answers_about_few_arms_are_answers_about_all(always_reduced, start):
    game = plan(MANY, 9, start)
    assert game.proof.to_json()["rule"] == "fewer-actions"
    assert game.value == exhaustive.optimal_values(MANY, 9, start)[9]
    assert set(start) <= set(game.certificate["dual"]["kept"])
    assert game.policy.value(start, 9) == game.value
