"""Finite horizons without the state graph: the interval contains OPT_T; exact while counts are enough."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plan, plan_without_graph, starts, tallying_bandits

import tallyplan as tp
from tallyplan import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.planning.without_graph import short_games as direct
from tallyplan.planning.without_graph.greedy import greedy_actions
from tallyplan.planning.without_graph.openings import Opening

SIZES = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (2, 6), (3, 1), (3, 2), (3, 3), (4, 2)]


@settings(max_examples=40)
@given(tallying_bandits(sizes=SIZES), st.integers(0, 20))
def test_the_interval_contains_the_optimum(bandit, horizon):
    for start in starts(bandit):
        value = plan(bandit, horizon, start).value
        answer = plan_without_graph(bandit, horizon, start)
        assert answer.lower <= value <= answer.upper
        kept = min(len(start), bandit.memory - 1)
        assert answer.exact or horizon > bandit.memory - kept
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(direct, "MOST_ENTRIES", 0)  # no direct search: the ends of the game are bounded
            bounded = plan_without_graph(bandit, horizon, start)
        assert bounded.lower <= value <= bounded.upper


@settings(max_examples=60)
@given(tallying_bandits(sizes=[(1, 2), (2, 2), (2, 4), (2, 6), (3, 3), (4, 2)]), st.integers(0, 6), st.data())
def test_a_game_a_little_longer_than_the_memory_is_exact(bandit, more, data):
    start = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), max_size=bandit.memory - 1)))
    opening = Opening(bandit, start)
    horizon = bandit.memory + more
    if direct.fits(opening, horizon):
        value, played = direct.best_game(opening, horizon)
        assert value == replay(bandit, played, start) == plan(bandit, horizon, start).value
        assert len(played) == horizon


@settings(max_examples=40)
@given(tallying_bandits(sizes=SIZES), st.integers(0, 4), st.data())
def test_the_order_of_an_opening_does_not_matter(bandit, length, data):
    start = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), max_size=bandit.memory - 1)))
    opening = Opening(bandit, start)
    steps = min(length, opening.length)
    totals = {}
    for word in product(range(bandit.actions), repeat=steps):
        totals.setdefault(tuple(sorted(word)), set()).add(replay(bandit, word, start))
    assert all(len(values) == 1 for values in totals.values())
    value, counts = opening.best(steps)
    assert value == min(min(values) for values in totals.values())
    assert sum(counts) == steps


@given(tallying_bandits(), st.integers(0, 9), st.data())
def test_the_greedy_player_is_greedy(bandit, steps, data):
    start = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), max_size=bandit.memory - 1)))
    played = greedy_actions(bandit, start, steps)
    for t, action in enumerate(played):
        history = start + played[:t]
        losses = [replay(bandit, [other], history) for other in range(bandit.actions)]
        assert losses[action] == min(losses)


@pytest.mark.parametrize("family", ["uniform", "congested", "decreasing", "single-peaked"])
@pytest.mark.parametrize("memory", [6, 10])
def test_families_at_sizes_where_both_run(family, memory):
    for seed in range(3):
        bandit = tp.make(family, actions=2, memory=memory, seed=seed)
        for horizon in (memory - 1, memory, memory + 1, 3 * memory, 1000, 10**12):
            answer = plan_without_graph(bandit, horizon)
            assert answer.lower <= plan(bandit, horizon).value <= answer.upper
            assert answer.upper - answer.lower <= 4 * memory


def test_the_distance_of_the_ends_does_not_grow_with_the_horizon():
    bandit = tp.make("congested", actions=2, memory=100, seed=1)
    distances = [
        (answer := plan_without_graph(bandit, T)).upper - answer.lower for T in (10**4, 10**8, 10**16)
    ]
    assert distances[0] < 100
    assert max(distances) - min(distances) < 100


def test_short_games_of_a_huge_instance_are_exact():
    """The arm i is free i times and then costs 1: there are 0 + 1 + ... + 11 = 66 free plays."""
    bandit = TallyingBandit([[0] * i + [1] * (300 - i) for i in range(12)])
    assert plan_without_graph(bandit, 66).value == 0
    assert plan_without_graph(bandit, 300).value == 234
    assert plan_without_graph(bandit, 66, [11] * 9).value == 9
    scarce = TallyingBandit([["0", *["1"] * 99], ["1/3"] * 100])
    assert plan_without_graph(scarce, 100).value == Fraction(99, 3)


def test_a_game_of_64_steps_at_memory_60_is_exact():
    bandit = tp.make("uniform", actions=2, memory=60, seed=2)
    answer = plan_without_graph(bandit, 64)
    assert answer.exact
    assert answer.proof.method == "direct"
    assert plan_without_graph(bandit, 66, [0, 1] * 10).proof.method == "direct"


def test_auto_takes_counts_where_the_plans_are_too_many_to_list():
    bandit = tp.make("uniform", actions=3, memory=60, seed=2)
    answer = tp.optimal_plan(bandit, 60)
    assert answer.exact
    assert answer.proof.method == "counts"
    assert tp.optimal_plan(bandit, 5).value == plan_without_graph(bandit, 5).value


def test_without_time_a_short_game_gets_an_interval():
    bandit = tp.make("uniform", actions=3, memory=20, seed=2)
    exact = tp.optimal_plan(bandit, 22, method="bounds")
    hurried = tp.optimal_plan(bandit, 22, method="bounds", time_limit=0)
    assert exact.proof.method == "direct"
    assert hurried.proof.method == "least-loss"
    assert hurried.lower <= exact.value <= hurried.upper
