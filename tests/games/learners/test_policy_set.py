"""Questions about policy sets, against all words of small sizes and the runs of m = 2."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan import InternalError, InvalidInput
from tallyplan.games.policy_set import PolicySet, relaxation
from tallyplan.games.policy_set.proposals import propose
from tallyplan.games.policy_set.relaxation import Branch, Relaxation, belongs, search
from tallyplan.games.policy_set.walks import Windows, counts_of_runs, tour
from tallyplan.linear_program import LinearProgram
from tallyplan.model.replay import period_counts
from tallyplan.model.words import expand

SIZES = [(2, 1, 8), (1, 3, 5), (2, 2, 11), (3, 2, 7), (2, 3, 11), (3, 3, 7), (2, 4, 10)]


def counts_of_word(actions, memory, word):
    met = period_counts(word, memory)
    return tuple(met[x, y] for x in range(actions) for y in range(1, memory + 1))


@cache
def all_counts(actions, memory, period):
    """The count vectors of all words, by listing the words."""
    return {counts_of_word(actions, memory, word) for word in product(range(actions), repeat=period)}


def flow_of_word(windows, word):
    """By edge: how often one period of the word uses it when repeated forever."""
    line = [word[i % len(word)] for i in range(1 - windows.memory, len(word))]
    flow = Counter(tuple(line[i : i + windows.memory]) for i in range(len(word)))
    return tuple(flow[edge] for edge in product(range(windows.actions), repeat=windows.memory))


def dot(weights, counts):
    return sum(w * n for w, n in zip(weights, counts, strict=True))


def random_set(generator, size, how_many):
    """Rows near what words have, so that some words satisfy them: the rows, one of these, and all of them."""
    everything = sorted(all_counts(*size))
    member = generator.choice(everything)
    rows = []
    for _ in range(how_many):
        weights = tuple(generator.choice([0, 1, 7, generator.randrange(10**6)]) for _ in member)
        rows.append((weights, dot(weights, member) + generator.choice([0, 0, 1, 10**5])))
    return tuple(rows), member, [one for one in everything if all(dot(w, one) <= b for w, b in rows)]


def unit(size, cell):
    return [int(cell == other) for other in range(size[0] * size[1])]


def word_with(counts, actions, memory, period):
    words = product(range(actions), repeat=period)
    return next(word for word in words if counts_of_word(actions, memory, word) == counts)


def valid(policies, answer, objective):
    """The answer's word, written out and recounted by other code, is in the set and has the value."""
    word = expand(answer.runs)
    assert all(repeats >= 1 for _, repeats in answer.runs)
    counts = counts_of_word(policies.actions, policies.memory, word)
    assert len(word) == policies.period
    assert counts == answer.counts
    assert all(dot(weights, counts) <= limit for weights, limit in policies.rows)
    assert dot(objective, counts) == answer.value
    return answer


@pytest.mark.parametrize("effort", [1, 2000])
@pytest.mark.parametrize("size", SIZES)
def test_the_answers_are_those_of_all_words_or_intervals_around_them(size, effort):
    intervals = 0
    for seed in range(8):
        generator = random.Random(f"{size}{seed}")
        rows, member, left = random_set(generator, size, seed % 4)
        actions, memory, period = size
        policies = PolicySet(actions, memory, period, rows, ((word_with(member, *size), 1),), effort)
        for cell in range(len(member)):
            answer = policies.greatest_count(cell // size[1], cell % size[1] + 1)
            valid(policies, answer, unit(size, cell))
            assert answer.value <= max(counts[cell] for counts in left) <= answer.bound
            intervals += not answer.exact
        weights = [generator.randrange(10**6) for _ in member]
        for objective in (weights, [w % 5 for w in weights], [0] * len(weights)):
            answer = valid(policies, policies.least(objective), objective)
            assert answer.bound <= min(dot(objective, counts) for counts in left) <= answer.value
            intervals += not answer.exact
    assert intervals == 0 or effort == 1
    assert intervals > 0 or (size, effort) != ((2, 3, 11), 1)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([(1, 1), (3, 1), (2, 2), (3, 2), (2, 3), (2, 5), (3, 3)]), st.data())
def test_a_tour_uses_every_edge_as_often_as_its_circulation(size, data):
    actions, memory = size
    windows = Windows(actions, memory)
    word = data.draw(st.lists(st.integers(0, actions - 1), min_size=1, max_size=30))
    times = data.draw(st.integers(1, 50))
    flow = tuple(times * f for f in flow_of_word(windows, word))
    runs = tour(windows, flow)
    written = expand(runs)
    assert len(written) == times * len(word)
    assert flow_of_word(windows, written) == flow
    assert counts_of_runs(actions, memory, runs) == counts_of_word(actions, memory, written)
    assert counts_of_runs(actions, memory, runs) == windows.counts_of_flow(flow)
    assert sum(len(w) for w, _ in runs) <= 4 * (windows.states + 1) * len(windows.tails)


def test_a_disconnected_circulation_is_refused():
    with pytest.raises(InternalError, match="disconnected"):
        tour(Windows(2, 2), (3, 0, 0, 4))
    with pytest.raises(InternalError, match="not a circulation"):
        tour(Windows(2, 2), (0, 1, 0, 0))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([(2, 2, 9), (2, 3, 9), (3, 2, 7)]), st.integers(0, 10**6), st.integers(-2, 2))
def test_weak_duality_holds_whatever_the_multipliers_are(size, seed, wrong):
    """Solver answers replaced by noise still give true bounds and true caps."""
    generator = random.Random(seed)
    rows, member, left = random_set(generator, size, 2)
    relaxation = Relaxation(Windows(*size[:2]), size[2], rows)
    objective = [generator.randrange(-3, 4) for _ in member]
    relaxation.bound(objective, Branch(), 0)
    for name, group in list(vars(relaxation).items()):
        if name in ("_conservation", "_definition", "_limits"):
            setattr(relaxation, name, [_Noisy(row, generator, wrong) for row in group])
    relaxation._total = _Noisy(relaxation._total, generator, wrong)
    bound = relaxation._weak_duality(objective, Branch(), [])
    best = max(dot(objective, counts) for counts in left)
    assert bound.whole >= best
    caps = bound.caps(best, [size[2]] * relaxation.width)
    for counts in left:
        if dot(objective, counts) == best:
            assert all(
                counts[c - relaxation.edges] <= cap for c, cap in caps.items() if c >= relaxation.edges
            )


class _Noisy:
    def __init__(self, row, generator, wrong):
        self.value = row.dual_value() + wrong * generator.random()

    def dual_value(self):
        return self.value


def test_cp_sat_joins_two_loops_by_leaving_each_once():
    """Both actions have to be played, and changing between them costs: 0000011 and the like."""
    relaxation = Relaxation(Windows(2, 2), 7, [((1, 1, 0, 0), 5), ((0, 0, 1, 1), 5)])
    flow = propose(relaxation, (0, 1, 0, 1), {}, 5, 7, 2)
    assert belongs(relaxation, flow)
    assert flow[1] == flow[2] == 1


def test_long_words_cost_little_and_the_first_set_has_the_counts_of_lemma_7():
    """A_1 with m dividing L: max N_xy = y/m."""
    period = 4 * 2 * 3 * 8191
    policies = PolicySet.of_all(2, 3, period)
    for x, y in product(range(2), (1, 2, 3)):
        answer = policies.greatest_count(x, y)
        assert answer.exact
        assert Fraction(answer.value, period) == Fraction(y, 3)
        assert sum(len(word) for word, _ in answer.runs) < 50


def test_a_period_shorter_than_the_memory_is_refused():
    with pytest.raises(InvalidInput, match="shorter than the memory"):
        PolicySet.of_all(2, 5, 4)


def test_a_word_outside_a_smaller_set_is_noticed():
    everything = PolicySet.of_all(2, 2, 12)
    with pytest.raises(InternalError, match="lost the word"):
        everything.where((1, 1, 0, 0), 3, everything.greatest_count(0, 2))


def test_a_solver_that_always_gives_up_costs_time_and_not_truth(monkeypatch):
    """Without any proposal the ranges are halved until single flows are left."""
    monkeypatch.setattr(LinearProgram, "solve", lambda self: False)
    relaxation = Relaxation(Windows(2, 1), 5, [((1, 0), 2)])
    result = search(relaxation, [1, 0], known=0, limit=20_000, propose=propose)
    assert result.value == result.bound == 2
    assert result.flow == (2, 3)


@pytest.mark.parametrize("cell", range(6))
def test_cp_sat_proposes_the_optimum_where_branching_found_nothing(cell, monkeypatch):
    """With CP-SAT asked at once, and no branching after it."""
    rows, member, left = random_set(random.Random(5), (2, 3, 11), 2)
    monkeypatch.setattr(relaxation, "_walk", lambda *_: None)
    members = Relaxation(Windows(2, 3), 11, rows)
    found = search(members, unit((2, 3), cell), member[cell], 2000, propose, patience=0)
    assert found.value == max(counts[cell] for counts in left)


def test_a_proposal_that_is_not_in_the_set_is_ignored():
    wrong = (10**6, *[0] * 7)  # edge 0 counts in the cell of the objective
    everything = Relaxation(Windows(2, 3), 11, [])
    found = search(everything, (0, 0, 1, 0, 0, 0), 0, 2000, lambda *_: wrong, patience=0)
    assert found.value == found.bound == 11
