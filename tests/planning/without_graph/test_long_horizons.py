"""Finite horizons without the state graph: the interval contains OPT_T; exact while counts are enough."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plan, plan_without_graph, starts, tallying_bandits, without_graph

import tallyplan as tp
from tallyplan import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import expand
from tallyplan.planning.effort import OutOfTimeError, limited
from tallyplan.planning.without_graph import short_games as direct
from tallyplan.planning.without_graph.candidate_plans import _plans, best_candidate
from tallyplan.planning.without_graph.greedy import greedy_actions
from tallyplan.planning.without_graph.openings import Opening, in_order

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
    horizon = opening.length + more
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
    assert answer.proof.to_json()["rule"] == "recursion"
    assert plan_without_graph(bandit, 66, [0, 1] * 10).proof.to_json()["rule"] == "recursion"


def test_auto_takes_counts_where_the_plans_are_too_many_to_list():
    bandit = tp.make("uniform", actions=3, memory=60, seed=2)
    answer = tp.optimal_plan(bandit, 60)
    assert answer.exact
    assert answer.proof.to_json()["rule"] == "recursion"
    assert tp.optimal_plan(bandit, 5).value == plan_without_graph(bandit, 5).value


def test_without_time_a_short_game_gets_an_interval():
    bandit = tp.make("uniform", actions=3, memory=20, seed=2)
    exact = tp.optimal_plan(bandit, 22, method="bounds")
    hurried = tp.optimal_plan(bandit, 22, method="bounds", time_limit=0)
    assert exact.proof.to_json()["rule"] == "recursion"
    assert hurried.proof.to_json()["rule"] == "potential"
    assert hurried.lower <= exact.value <= hurried.upper


@pytest.mark.parametrize("start", [(), (1, 0)])
@pytest.mark.parametrize("horizon", [3, 9, 14, 29])
def test_candidates_are_the_word_from_each_run_on_with_openings_and_greedy_endings(start, horizon):
    bandit, word = tp.make("uniform", actions=3, memory=7, seed=7), (0, 0, 1, 2, 2, 1)
    opening = Opening(bandit, start)
    first = in_order(opening.best(opening.length)[1])
    always = min(range(3), key=lambda x: bandit.loss((x,) * 7))
    expected = set()
    for i, begin, ending in product((0, 2, 3, 5, None), ((), first, first[::-1]), (0, 1, 3, 5, 7, horizon)):
        turned = (always,) if i is None else word[i:] + word[:i]
        if len(begin) + ending <= horizon and ending <= 7:
            plan = (begin + turned * horizon)[: horizon - ending]
            expected.add(plan + greedy_actions(bandit, (start + plan)[-6:], ending))
    assert {tuple(expand(plan)) for plan in _plans(opening, horizon, word)} == expected
    best = expand(best_candidate(opening, horizon, word))
    assert replay(bandit, best, start) == min(replay(bandit, plan, start) for plan in expected)


def test_an_opening_of_long_denominators_is_exact():
    """Each loss fits into 32 or 64 bits, their sum does not."""
    for bits in (30, 62):
        most, least = Fraction(2**bits - 1, 2**bits), Fraction(2**bits - 3, 2**bits)
        opening = Opening(TallyingBandit([[most] * 6, [least] * 4 + [1] * 2]), ())
        assert opening.best(6) == (4 * least + 2 * most, (2, 4))


@pytest.mark.parametrize(
    ("family", "memory", "seed", "horizon"),
    [("congested", 3, 1, 1000), ("congested", 5, 2, 30), ("uniform", 3, 2, 1000)],
)
def test_the_potential_of_two_arms_makes_long_games_exact(family, memory, seed, horizon):
    bandit = tp.make(family, actions=2, memory=memory, seed=seed)
    answer = plan_without_graph(bandit, horizon)
    assert answer.proof.to_json()["rule"] == "close"
    assert answer.value == plan(bandit, horizon).value


@pytest.mark.parametrize("horizon", [13, 200])
def test_more_arms_have_the_better_of_the_least_loss_and_a_closed_walk(horizon, monkeypatch):
    monkeypatch.setattr(direct, "MOST_ENTRIES", 0)
    bandit = tp.make("congested", actions=3, memory=6, seed=1)
    answer, mean = plan_without_graph(bandit, horizon), without_graph(bandit).lower
    first, rest, values = Opening(bandit, ()).best(6)[0], horizon - 6, bandit.values()
    by_closing = rest * mean - 5 * (max(values) - mean)
    assert (by_closing > rest * min(values)) == (horizon == 200)
    exact = first + max(by_closing, rest * min(values))
    assert 0 <= answer.lower - exact < Fraction(1, bandit.denominator)
    assert (answer.lower * bandit.denominator).denominator == 1


def test_the_work_of_a_short_game_is_counted_before_it_is_done(monkeypatch):
    """4 or 1 ways to begin, 2 or 4 to count the rest of the opening, 4 or 2 tables, 2 actions."""
    opening = Opening(TallyingBandit([["0", "1/2", "1", "1"]] * 2), (0,))
    for horizon, work in ((6, 4 * 2 * 4 * 2), (4, 1 * 4 * 2 * 2)):
        for most in (work, work - 1):
            monkeypatch.setattr(direct, "MOST_ENTRIES", most)
            assert direct.fits(opening, horizon) == (most == work)
    monkeypatch.setattr(direct, "MOST_ENTRIES", 10**6)
    assert direct.fits(opening, 7)
    assert not direct.fits(opening, 8)  # by then the whole opening has left, and more


def test_whatever_may_take_long_looks_at_the_clock():
    one, two = Opening(TallyingBandit([["1", "1"]]), ()), Opening(TallyingBandit([["1", "1"]] * 2), (0,))
    game = direct.ShortGame(two, 2, ())
    table = game._after_opening()
    for work in (
        lambda: two.best(1),
        lambda: best_candidate(one, 2, (0,)),
        lambda: game._after_opening(),
        lambda: game._next(table, 0),
    ):
        work()
        with limited(0.0), pytest.raises(OutOfTimeError):
            work()
