"""The belief recursion of Theorem 2: against full histories, two ways to move, and figures that are known."""

from fractions import Fraction
from itertools import product
from random import Random

import bayes_brute as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check import definitions
from proofs_check.bayes import bernoulli as module
from proofs_check.bayes.bernoulli import bernoulli, bernoulli_regret, hardest_epsilon
from proofs_check.bayes.compare import root_share
from proofs_check.bayes.constructions import construction
from tallyplan.errors import InstanceTooLarge, InvalidInput

gaps = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(1, 7), Fraction(2, 9), Fraction(49, 100)])
SMALL = [(2, 1, 1), (2, 2, 2), (2, 2, 1), (3, 1, 1), (3, 2, 2), (2, 3, 2), (2, 3, 3), (1, 2, 1), (1, 1, 1)]


@settings(max_examples=40)
@given(st.sampled_from(SMALL), st.integers(0, 4), gaps)
def test_keeping_the_full_history_does_no_better(size, T, gap):
    K, m, lowest = size
    about = construction(K, m, T, gap, lowest)
    answer = bernoulli_regret(about)
    assert answer.hits == brute.most_expected_hits(about)
    optima = [definitions.optimum(about.table(cell), T) for cell in about.cells] if T else [Fraction(0)]
    mean_optimum = sum(optima, Fraction(0)) / len(optima)
    assert answer.value == Fraction(T, 2) - gap * answer.hits - mean_optimum


@settings(max_examples=25)
@given(st.sampled_from([(2, 1), (2, 2), (3, 2), (2, 3), (3, 1), (2, 4)]), st.integers(0, 9), gaps)
def test_runs_do_as_well_as_windows(size, T, gap):
    K, m = size
    about = construction(K, m, T, gap)
    assert bernoulli_regret(about).value == bernoulli_regret(about, windows=True).value


def expected_hits_when_played(answer):
    """The learner's expected hits, every cell and every sequence of losses tried."""
    about = answer.construction
    total = Fraction(0)
    for cell in about.cells:
        for script in product((0, 1), repeat=about.horizon):
            probability, rest = Fraction(1), list(script)

            def draw(mean, rest=rest):
                nonlocal probability
                loss = rest.pop()
                probability *= mean if loss else 1 - mean
                return loss

            actions, hits = answer.play(cell, draw)
            counted = sum(
                (action, definitions.tally(actions, t, about.memory)) == cell
                for t, action in enumerate(actions)
            )
            assert hits == counted
            total += probability * hits / 2 ** len(rest) / len(about.cells)
    return total


@pytest.mark.parametrize("size", [(2, 1, 5, 1), (2, 2, 5, 2), (2, 2, 4, 1), (3, 2, 4, 2), (1, 2, 3, 2)])
@pytest.mark.parametrize("windows", [False, True])
def test_the_learner_attains_its_expected_hits_when_it_plays(size, windows):
    K, m, T, lowest = size
    answer = bernoulli_regret(construction(K, m, T, Fraction(1, 5), lowest), windows=windows)
    assert expected_hits_when_played(answer) == answer.hits


@pytest.mark.parametrize(
    ("arms", "horizon", "gap", "share"),
    [(2, 16, "13/50", "0.177"), (3, 12, "8/25", "0.241"), (4, 10, "2/5", "0.274")],
)
def test_known_figures_of_the_generative_learner(arms, horizon, gap, share):
    """N arms, T samples: regret over sqrt(NT) at a hard epsilon."""
    value = bernoulli_regret(construction(arms, 1, horizon, Fraction(gap))).value
    assert root_share(value, actions=arms, memory=1, horizon=horizon).startswith(share)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("memory", "gap", "share"),
    [(1, 13, "0.184"), (2, 15, "0.142"), (3, 16, "0.122"), (4, 17, "0.111"), (6, 18, "0.098")],
)
def test_known_figures_at_eighty_steps(memory, gap, share):
    value = bernoulli_regret(construction(2, memory, 80, Fraction(gap, 100))).value
    assert root_share(value, actions=2, memory=memory, horizon=80).startswith(share)


def test_before_the_first_full_window_nothing_can_be_regretted():
    for T in range(3):
        assert bernoulli_regret(construction(2, 3, T, Fraction(1, 4))).value == 0


def test_one_action_is_never_regretted():
    for T in range(5):
        assert bernoulli_regret(construction(1, 2, T, Fraction(1, 4))).value == 0


@pytest.mark.parametrize("K", [2, 3])
def test_regret_grows_with_the_horizon(K):
    values = [bernoulli_regret(construction(K, 2, T, Fraction(1, 5))).value for T in range(10)]
    assert values == sorted(values)
    assert values[-1] > 0


def test_a_simulation_is_reproducible_and_plays_all_steps():
    answer = bernoulli_regret(construction(3, 2, 12, Fraction(1, 4)))
    first = answer.play((1, 2), bernoulli(Random(5)))
    assert first == answer.play((1, 2), bernoulli(Random(5)))
    assert len(first[0]) == 12


def test_the_search_for_a_hard_epsilon_beats_its_coarse_grid():
    def regret(gap):
        return bernoulli_regret(construction(2, 1, 8, gap)).value

    best = hardest_epsilon(regret)
    assert regret(best) >= max(regret(Fraction(i, 16)) for i in range(1, 9))
    assert regret(best) >= regret(best + Fraction(1, 128))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 1, 3, Fraction(1, 4)), "actions"),
        ((2, 0, 3, Fraction(1, 4)), "memory"),
        ((2, 1, -1, Fraction(1, 4)), "horizon"),
        ((2, 1, 3, Fraction(0)), "epsilon"),
        ((2, 1, 3, Fraction(3, 4)), "epsilon"),
        ((2, 3, 3, Fraction(1, 4), 4), "lowest tally"),
    ],
)
def test_bad_constructions_are_refused_in_a_sentence(arguments, words):
    with pytest.raises(InvalidInput, match=words):
        construction(*arguments)


@pytest.mark.parametrize(
    ("actions", "memory", "lowest"), [(2, 1, 1), (2, 2, 2), (3, 2, 2), (2, 3, 2), (1, 2, 2)]
)
def test_the_situations_are_at_least_as_many_as_are_refused(actions, memory, lowest, monkeypatch):
    """So whatever is refused before it begins would have been refused later."""
    about = construction(actions, memory, 9, Fraction(1, 4), lowest=lowest)
    listed = sum(map(len, bernoulli_regret(about).choices))
    plays = 9 - memory
    least = plays**2 // 2 if actions > 1 else plays
    assert least <= listed
    monkeypatch.setattr(module, "MAX_STATES", least - 1)
    with pytest.raises(InstanceTooLarge, match=f"at least {least} situations within 9 steps"):
        bernoulli_regret(about)


def test_endless_games_are_refused_at_once():
    with pytest.raises(InstanceTooLarge, match=r"at least .* situations within 10000000000"):
        bernoulli_regret(construction(2, 2, 10**15, Fraction(1, 4)))
