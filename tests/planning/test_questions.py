"""The three questions against everything listed, textbook recursions, Karp's theorem and min-plus powers."""

from fractions import Fraction
from itertools import product
from math import ceil

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    accepted,
    as_weighted,
    as_windows,
    bandits,
    cycle,
    cyclic,
    in_plain_python,
    plan,
    small_tables,
    starts,
    tallying_bandits,
)

from tallyplan import TallyingBandit, WindowBandit, make, mean_of_word, optimal_cyclic_policy, optimal_plan
from tallyplan.core import questions as core
from tallyplan.core.library import NoAnswerError
from tallyplan.planning import cyclic as cyclic_module
from tallyplan.planning import reference
from tallyplan.planning.effort import OutOfTimeError, tick
from tallyplan.planning.state_graph import graph_of

HALF, BILLIONTH = Fraction(1, 2), Fraction(1, 10**9)

# -- against everything --------------------


@pytest.mark.parametrize(
    ("actions", "memory", "entries"),
    [
        *((K, m, (0, 1)) for K, m in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1), (2, 3), (3, 2)]),
        *((K, m, (0, HALF, 1)) for K, m in [(1, 2), (1, 3), (2, 1), (2, 2)]),
    ],
)
def test_every_small_table(actions, memory, entries):
    """All simple cycles, all words, all sequences, and the plain recursion."""
    few = actions**memory < 8
    for bandit in small_tables(actions, memory, entries):
        value = cycle(bandit).value
        assert value == exhaustive.karp(bandit)
        for period in range(1, 6):
            best = exhaustive.optimal_cyclic_policy(bandit, period)[0]
            assert cyclic(bandit, period).value == best
            with in_plain_python():  # the next better word is one unit better
                assert cyclic(bandit, period).value == best
        for horizon in (1, 2, 4) if few else ():
            assert plan(bandit, horizon).value == exhaustive.optimal_plan(bandit, horizon)[0]
        for start in starts(bandit)[:4:3]:
            values = exhaustive.optimal_values(bandit, 40, start)
            for horizon in (0, 1, 3, 8, 40):
                assert plan(bandit, horizon, start).value == values[horizon]


@settings(max_examples=40)
@given(bandits())
def test_textbook_recursions_and_karps_theorem_give_the_same(bandit):
    assert cycle(bandit).value == exhaustive.karp(bandit)
    for period in range(1, 3 * bandit.memory + 4):
        assert cyclic(bandit, period).value == exhaustive.cyclic_value_by_squaring(bandit, period)
    for start in starts(bandit):
        values = exhaustive.optimal_values(bandit, 40, start)
        horizons = [*range(17), 23, 40] if start == () else range(0, 41, 10)
        assert [plan(bandit, horizon, start).value for horizon in horizons] == [values[t] for t in horizons]
        assert plan(bandit, 0, start).runs == ()


@settings(max_examples=40)
@given(bandits(sizes=[(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2), (4, 2)]), st.integers(0, 30))
def test_astronomic_horizons_have_the_value_of_the_min_plus_power(bandit, remainder):
    for start in starts(bandit)[:4:3]:
        horizon = 10**15 + remainder
        expected = exhaustive.optimal_value_by_squaring(bandit, horizon, start)
        assert plan(bandit, horizon, start).value == expected


@settings(max_examples=20)
@given(bandits(sizes=[(1, 2), (2, 2), (3, 2), (2, 3)]), st.integers(0, 12))
def test_long_periods_have_the_value_of_the_min_plus_power(bandit, remainder):
    period = 10**4 + remainder
    assert cyclic(bandit, period).value == exhaustive.cyclic_value_by_squaring(bandit, period)


# -- other ways to the same answer --------------------


@settings(max_examples=25)
@given(tallying_bandits(), st.integers(0, 60), st.integers(1, 40))
def test_the_same_losses_in_another_representation_have_the_same_optima(bandit, remainder, period):
    def optima(bandit):
        plans = [plan(bandit, horizon).value for horizon in (remainder, 10**12 + remainder, 10**40)]
        return cycle(bandit).value, cyclic(bandit, period).value, plans

    expected = optima(bandit)
    assert optima(as_windows(bandit)) == optima(as_weighted(bandit)) == expected
    with in_plain_python():
        assert optima(bandit) == expected


@settings(max_examples=60)
@given(bandits(sizes=[(1, 2), (2, 1), (2, 2), (3, 2), (2, 3), (3, 3), (2, 5)]))
def test_plain_python_gives_the_same_word_and_potentials(bandit):
    found = cycle(bandit)
    with in_plain_python():
        again = cycle(bandit)
    assert (again.value, again.word) == (found.value, found.word)
    assert again.proof.to_json() == found.proof.to_json()


@pytest.mark.parametrize(
    ("family", "period"),
    [*product(["uniform", "near-tie", "congested", "single-peaked"], [997, 30_011]), ("near-tie", 1_000_003)],
)
def test_long_words_repeat_and_are_replayed(family, period):
    """Tables go round, and so does the walk back: each word has the value that its certificate proves."""
    bandit = make(family, actions=3, memory=4, seed=5)
    answer = cyclic(bandit, period)
    assert len(answer.word) == period
    assert mean_of_word(bandit, answer.word) == answer.value


def test_a_search_on_another_thread_gives_the_same_answer():
    """There a graph is searched that is said to be large."""
    graph = graph_of(make("single-peaked", actions=2, memory=9, seed=3))
    here, there = (
        core.best_word(one, core.cycle(graph, tick), 101, 10**9, tick, OutOfTimeError)
        for one in (graph, graph._replace(states=2**30))
    )
    assert here.stages
    assert (here[:-1], here.last.tolist()) == (there[:-1], there.last.tolist())


def test_a_graph_without_a_cycle_has_no_least_mean():
    edge = reference.Edge
    for edges in ([[edge(0, 1, 5)], []], []):
        with pytest.raises(NoAnswerError):
            reference.minimum_mean_cycle(reference.Graph(edges))
    assert reference.minimum_mean_cycle(reference.Graph([[edge(0, 0, -5)]])).mean == -5


# -- close calls, and the edges of the integer types --------------------

NEAR_TIE = TallyingBandit([[1, Fraction(1, 2) + BILLIONTH], [1, Fraction(1, 2)]])
SWITCH = 5 * 10**8  # leaving arm 0 costs 1/2 once and saves a billionth a step


@pytest.mark.parametrize(
    "horizon", [SWITCH + i for i in (-2, -1, 0, 1, 2)] + [2 * SWITCH, 3 * SWITCH + 1, 10**15]
)
@pytest.mark.parametrize("start", [(), [0], [1]])
def test_a_near_tie_is_resolved_at_the_very_step(horizon, start):
    answer = plan(NEAR_TIE, horizon, start)
    assert answer.value == exhaustive.optimal_value_by_squaring(NEAR_TIE, horizon, start)
    assert len(answer.proof.dual["jumps"]) <= 3


@settings(max_examples=30)
@given(st.data())
def test_many_nearly_critical_cycles_have_the_value_of_the_textbook_recursion(data):
    """Losses a hair apart: many roots must go before the rest is proved."""
    actions, memory = data.draw(st.sampled_from([(2, 3), (3, 2), (3, 3), (2, 4)]))
    near = st.integers(0, 3).map(lambda i: HALF + Fraction(i, 1000))
    level = data.draw(st.lists(near, min_size=actions**memory, max_size=actions**memory))
    bandit = WindowBandit(actions, [[0] * actions**j for j in range(1, memory)] + [level])
    period = data.draw(st.integers(1, 25))
    expected = exhaustive.cyclic_value_by_squaring(bandit, period)
    assert cyclic(bandit, period).value == expected


def edges_of(limit, factor):
    """Denominators around the one at which `factor` times it passes the limit."""
    return [limit // factor - 1, limit // factor, limit // factor + 1]


@settings(max_examples=40)
@given(st.data())
def test_machine_integers_and_python_integers_agree_at_the_edge(data):
    memory = data.draw(st.integers(2, 5))
    denominator = data.draw(
        st.sampled_from(
            [q for bits in (31, 63, 87) for factor in (6, 8) for q in edges_of(2**bits - 1, factor * memory)]
        )
    )
    numerator = st.one_of(
        st.sampled_from([0, 1, denominator, denominator - 1, ceil(denominator / 2)]),
        st.integers(0, denominator),
    )
    entries = st.lists(
        numerator.map(lambda i: Fraction(i, denominator)), min_size=2**memory, max_size=2**memory
    )
    bandit = WindowBandit(2, [[0] * 2**j for j in range(1, memory)] + [data.draw(entries)])
    start = (0,) * (memory - 1)
    value = plan(bandit, 10**12, start).value
    with in_plain_python():
        assert plan(bandit, 10**12, start).value == value


@pytest.mark.parametrize("bits", [31, 63, 127])
@pytest.mark.parametrize("memory", [2, 3])
def test_numbers_at_the_edge_of_a_type_give_the_exact_mean(bits, memory):
    """Four codes of parents times (m + 1) costs times the length of a word: there the type changes."""
    widths = set()
    for factor in (4 * (memory + 1) * length for length in (1, 2, 3)):
        for denominator in (2**bits // factor + i for i in (-2, -1, 0, 1)):
            one, almost = Fraction(1), Fraction(denominator - 1, denominator)
            equal, zero = [[one, one], [almost, almost]], [[almost, one], [one, 0 * one]]
            for rows in ([[one, almost], [almost, one]], zero, equal):
                bandit = TallyingBandit([row + row[-1:] * (memory - 2) for row in rows])
                answer = cycle(bandit)
                assert answer.value == exhaustive.karp(bandit)
                widths.add(answer.proof.dual["values"].dtype)
    assert len(widths) == (1 if bits == 127 else 2)  # beyond 64 bits they are Python integers in any case


@pytest.mark.parametrize("bits", [32, 40, 62, 63, 90, 100])
def test_numbers_at_the_edge_of_a_type_give_the_exact_best_word(bits):
    for period in (3, 7, 8):
        for denominator in (2**bits // (160 * 2 * period) + i for i in (-1, 0, 1)):
            almost, third = Fraction(denominator - 1, denominator), Fraction(denominator // 3, denominator)
            for rows in ([[almost, 1], [0, 1]], [[1, almost], [1 - almost, 1]], [[third, HALF], [almost, 0]]):
                bandit = TallyingBandit(rows)
                assert cyclic(bandit, period).value == exhaustive.cyclic_value_by_squaring(bandit, period)


# -- short games, short memory, short time --------------------


def test_a_game_that_just_outgrows_the_window_is_planned_on_the_graph():
    """With 18 steps after one, an action leaves the window of 18; with 17 none does, and counts suffice."""
    bandit = make("uniform", actions=2, memory=18, seed=1)
    assert "Bellman" in optimal_plan(bandit, 18, [0]).argument
    assert "Bellman" not in optimal_plan(bandit, 18).argument


@settings(max_examples=40)
@given(bandits(sizes=[(2, 3), (3, 2), (3, 3), (2, 4)]), st.integers(1, 30), st.booleans())
def test_whenever_the_time_is_up_the_interval_is_proved_and_holds_the_value(bandit, period, at_once):
    """Out of time during the search for the minimum mean cycle; or after it."""
    value = cyclic(bandit, period).value

    def too_late(graph, progress):
        raise OutOfTimeError

    with pytest.MonkeyPatch.context() as patch:
        if at_once:
            patch.setattr(cyclic_module, "minimum_mean", too_late)
        answer = optimal_cyclic_policy(bandit, period, time_limit=0)
    assert answer.lower <= value <= answer.upper
    accepted(bandit, answer.certificate)
