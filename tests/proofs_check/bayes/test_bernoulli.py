"""The belief recursion of Theorem 2: against full histories, two ways to move, and figures that are known."""

from fractions import Fraction
from itertools import product

import bayes_brute as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check import definitions
from proofs_check.bayes import bernoulli as module
from proofs_check.bayes.bernoulli import bernoulli_regret
from proofs_check.bayes.constructions import construction
from tallyplan.errors import InstanceTooLarge

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
