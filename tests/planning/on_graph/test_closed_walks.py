"""The best closed walk of a length, by the core and by the reference."""

from fractions import Fraction
from random import Random

import exhaustive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import accepted, bandits, cyclic, in_plain_python

from tallyplan import TallyingBandit, make, mean_of_word, minimum_mean_cycle_of
from tallyplan.core import questions
from tallyplan.model.graph import StateGraph
from tallyplan.planning import cyclic as question


@settings(max_examples=40)
@given(bandits(sizes=[(2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (5, 2)]), st.sampled_from([3, 7, 20, 61, 150]))
def test_core_and_reference_agree_and_both_prove_it(bandit, period):
    value = cyclic(bandit, period).value
    with in_plain_python():
        assert cyclic(bandit, period).value == value


@pytest.mark.parametrize("period", [997, 10_007, 1_000_003])
@pytest.mark.parametrize("family", ["uniform", "near-tie", "congested", "single-peaked"])
def test_long_words_repeat_and_are_replayed(family, period):
    """Tables go round, and so does the walk back: each word has the value that its certificate proves."""
    bandit = make(family, actions=3, memory=4, seed=5)
    answer = cyclic(bandit, period)
    assert len(answer.word) == period
    assert mean_of_word(bandit, answer.word) == answer.value


@pytest.mark.parametrize("bits", [40, 62, 100])
def test_numbers_of_every_width_give_exact_values(bits):
    scale = 2**bits + 7
    rows = [[Fraction(1, 3), Fraction(scale // 2, scale)], [Fraction(scale - 1, scale), Fraction(1, 7)]]
    for period in (3, 5, 8, 13):
        found = cyclic(TallyingBandit(rows), period)
        assert found.value == exhaustive.optimal_cyclic_policy(TallyingBandit(rows), period)[0]


def test_a_search_on_another_thread_gives_the_same_answer(monkeypatch):
    bandit = make("single-peaked", actions=2, memory=9, seed=3)
    expected = cyclic(bandit, 101)
    monkeypatch.setattr(questions, "FIRST_NANOSECONDS", 0)
    found = cyclic(bandit, 101)
    assert found == expected
    accepted(bandit, found.certificate)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_without_the_roots_has_the_least_mean_of_its_cycles(seed):
    """The lower end of a search that ran out of time, against the graph with its edges listed."""
    bandit = make("uniform", actions=2, memory=6, denominator=1000, seed=seed)
    graph, roots = StateGraph(bandit), Random(seed).sample(range(32), 3 + 3 * seed)
    edges = [
        (s, head, bandit.loss((*graph.history(s), a)))
        for s in range(graph.states)
        for a, head in enumerate((2 * s % 32, (2 * s + 1) % 32))
        if not {s, head} & set(roots)
    ]
    found = question._rest(bandit, roots)
    assert found.mean == minimum_mean_cycle_of(edges).value
    for tail, head, loss in edges:
        assert found.scale * (loss - found.mean) + int(found.values[head]) - int(found.values[tail]) >= 0
