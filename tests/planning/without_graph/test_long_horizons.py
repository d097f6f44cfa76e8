"""Finite horizons without the state graph: the interval contains OPT_T; exact while counts are enough."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plan, plan_without_graph, starts, tallying_bandits, without_graph

import tallyplan as tp
from tallyplan.model.replay import replay
from tallyplan.model.words import expand
from tallyplan.planning.without_graph import openings as direct
from tallyplan.planning.without_graph.openings import Opening, in_order
from tallyplan.planning.without_graph.plans import _plans, best_candidate, greedy_actions

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
    assert direct.fits(Opening(tp.make("uniform", actions=6, memory=3), ()), 6)  # 5184 entries
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


def test_without_time_a_short_game_gets_an_interval():
    bandit = tp.make("uniform", actions=3, memory=20, seed=2)
    exact = tp.optimal_plan(bandit, 22, method="bounds")
    hurried = tp.optimal_plan(bandit, 22, method="bounds", time_limit=0)
    assert exact.proof.to_json()["rule"] == "recursion"
    assert hurried.proof.to_json()["rule"] == "potential"
    assert hurried.lower <= exact.value <= hurried.upper


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
def test_more_arms_have_the_best_of_the_least_loss_a_closed_walk_and_prices(horizon, monkeypatch):
    """Prices have a smaller range than the best potential, and win where the game is not very short."""
    monkeypatch.setattr(direct, "MOST_ENTRIES", 0)
    bandit = tp.make("congested", actions=3, memory=6, seed=1)
    answer, mean = plan_without_graph(bandit, horizon), without_graph(bandit).lower
    first, rest, values = Opening(bandit, ()).best(6)[0], horizon - 6, bandit.values()
    by_closing = rest * mean - 5 * (max(values) - mean)
    assert (by_closing > rest * min(values)) == (horizon == 200)
    exact = first + max(by_closing, rest * min(values))
    gained = answer.lower - exact
    assert gained > Fraction(1, 2) if horizon == 200 else 0 <= gained < Fraction(1, bandit.denominator)
    assert answer.lower <= plan(bandit, horizon).value
    assert (answer.lower * bandit.denominator).denominator == 1


@given(tallying_bandits(), st.integers(0, 9), st.data())
def test_the_greedy_player_is_greedy(bandit, steps, data):
    start = tuple(data.draw(st.lists(st.integers(0, bandit.actions - 1), max_size=bandit.memory - 1)))
    played = greedy_actions(bandit, start, steps)
    for t, action in enumerate(played):
        history = start + played[:t]
        losses = [replay(bandit, [other], history) for other in range(bandit.actions)]
        assert losses[action] == min(losses)


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
