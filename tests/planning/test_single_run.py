"""Single-run words against all single-run words, and against the minimum mean cycle."""

from fractions import Fraction
from itertools import pairwise, permutations, product

from hypothesis import given, settings
from strategies import cycle, small_tables, tallying_bandits

from tallyplan import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.single_run import best_runs, best_single_run_word


def single_run_words(bandit, order):
    for lengths in product(range(bandit.memory + 1), repeat=bandit.actions):
        word = [action for action in order for _ in range(lengths[action])]
        if word:
            yield word


def least_mean(bandit, order):
    return min(mean_of_word(bandit, word) for word in single_run_words(bandit, order))


@settings(max_examples=60)
@given(tallying_bandits())
def test_the_knapsack_finds_the_best_of_all_single_run_words_in_any_order(bandit):
    value, word = best_single_run_word(bandit)
    assert mean_of_word(bandit, word) == value
    changes = sum(a != b for a, b in pairwise(word))
    assert changes == len(set(word)) - 1
    for order in permutations(range(bandit.actions)):
        if bandit.actions < 4 or order[0] == 0:
            assert least_mean(bandit, order) == value


@settings(max_examples=60)
@given(tallying_bandits(sizes=[(1, 3), (2, 2), (2, 5), (3, 3), (4, 2), (3, 1)]))
def test_plain_python_finds_a_word_as_good(bandit):
    runs = best_runs(bandit.integers, range(1, bandit.actions * bandit.memory + 1))
    word = [action for action, plays in enumerate(runs) for _ in range(plays)]
    assert mean_of_word(bandit, word) == best_single_run_word(bandit)[0]


@settings(max_examples=40)
@given(tallying_bandits(sizes=[(2, m) for m in range(1, 9)]))
def test_two_arms_need_no_more_than_single_run_words(bandit):
    assert best_single_run_word(bandit)[0] == cycle(bandit).value


def test_two_arms_need_no_more_than_single_run_words_on_every_zero_one_table():
    for bandit in small_tables(2, 4, (0, 1)):
        assert best_single_run_word(bandit)[0] == cycle(bandit).value


def test_three_arms_may_need_an_arm_twice():
    bandit = TallyingBandit([[f"{x}/1000" for x in row] for row in ([77, 23, 29], [3, 34, 45], [10, 82, 83])])
    assert cycle(bandit).value == Fraction(59, 4000) == mean_of_word(bandit, (0, 2, 0, 1))
    assert best_single_run_word(bandit)[0] == Fraction(49, 3000)
