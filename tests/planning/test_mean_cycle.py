"""The minimum mean cycle against Karp's theorem and the list of all simple cycles."""

from fractions import Fraction

import exhaustive
import pytest
from hypothesis import given, settings
from strategies import (
    as_weighted,
    as_windows,
    bandits,
    cycle,
    in_plain_python,
    small_tables,
    tallying_bandits,
)

from tallyplan import TallyingBandit, limits
from tallyplan.planning.mean_cycle import fits_graph

HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("actions", "memory", "entries"),
    [
        *((K, m, (0, 1)) for K, m in [(1, 1), (3, 1), (1, 3), (2, 2), (2, 3), (3, 2)]),
        *((K, m, (0, HALF, 1)) for K, m in [(1, 3), (2, 1), (2, 2)]),
    ],
)
def test_every_small_table_has_the_mean_of_karps_theorem(actions, memory, entries):
    for bandit in small_tables(actions, memory, entries):
        assert cycle(bandit).value == exhaustive.karp(bandit)


@settings(max_examples=120)
@given(bandits())
def test_the_value_is_that_of_karps_theorem(bandit):
    assert cycle(bandit).value == exhaustive.karp(bandit)


@settings(max_examples=30)
@given(tallying_bandits())
def test_the_same_losses_in_another_representation_have_the_same_minimum_mean(bandit):
    value = cycle(bandit).value
    assert cycle(as_windows(bandit)).value == value
    assert cycle(as_weighted(bandit)).value == value
    with in_plain_python():
        assert cycle(bandit).value == value


@settings(max_examples=60)
@given(bandits(sizes=[(1, 2), (2, 1), (2, 2), (3, 2), (2, 3), (3, 3), (2, 5)]))
def test_plain_python_gives_the_same_word_and_potentials(bandit):
    found = cycle(bandit)
    with in_plain_python():
        again = cycle(bandit)
    assert (again.value, again.word) == (found.value, found.word)
    assert again.proof.to_json() == found.proof.to_json()


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


def test_the_potentials_prove_the_value_edge_by_edge():
    bandit = TallyingBandit(
        [["77/1000", "23/1000", "29/1000"], ["3/1000", "34/1000", "45/1000"], ["0", "1", "1/7"]]
    )
    answer = cycle(bandit)
    potentials = [int(value) for value in answer.proof.dual["values"]]
    for state in range(9):
        for action in range(3):
            loss = bandit.loss((*divmod(state, 3), action))
            successor = (3 * state + action) % 9
            reduced = answer.proof.dual["scale"] * (loss - answer.value)
            assert reduced + potentials[successor] - potentials[state] >= 0


def test_a_graph_fits_if_its_vectors_do(monkeypatch):
    monkeypatch.setattr(limits, "ALWAYS_THERE", 0)
    monkeypatch.setattr(limits, "available_memory", lambda: 10**6)
    for memory, fits in ((10, True), (30, False)):
        assert fits_graph(TallyingBandit([["1"] * memory] * 2)) == fits
