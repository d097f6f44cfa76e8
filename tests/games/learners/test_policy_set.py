"""Questions about policy sets, against all words of small sizes and the runs of m = 2."""

import random
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan import InstanceTooLarge, InternalError, InvalidInput
from tallyplan.games.policy_set import PolicySet, sets
from tallyplan.games.policy_set.proposals import propose
from tallyplan.games.policy_set.relaxation import (
    MULTIPLIER_SCALE,
    Branch,
    Relaxation,
    SearchResult,
    UpperBound,
    belongs,
    search,
)
from tallyplan.games.policy_set.walks import Windows, counts_of_runs, tour
from tallyplan.linear_program import LinearProgram
from tallyplan.model.tallies import period_counts
from tallyplan.model.words import expand

SIZES = [(2, 1, 8), (1, 3, 5), (2, 2, 11), (3, 2, 7), (2, 3, 11), (3, 3, 7), (2, 4, 10)]


def counts_of_word(actions, memory, word):
    met = period_counts(word, memory)
    return tuple(met[x, y] for x in range(actions) for y in range(1, memory + 1))


@cache
def all_counts(actions, memory, period):
    """The count vectors of all words, by listing the words."""
    return {counts_of_word(actions, memory, word) for word in product(range(actions), repeat=period)}


def dot(weights, counts):
    return sum(w * n for w, n in zip(weights, counts, strict=True))


def random_rows(generator, counts, how_many):
    """Rows with limits near what words have, so that some words satisfy them and most do not."""
    member = generator.choice(sorted(counts))
    rows = []
    for _ in range(how_many):
        weights = tuple(generator.choice([0, 1, 7, generator.randrange(10**6)]) for _ in member)
        rows.append((weights, dot(weights, member) + generator.choice([0, 0, 1, 10**5])))
    return rows, member


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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", range(8))
def test_the_answers_are_those_of_all_words(size, seed):
    actions, memory, period = size
    generator = random.Random(f"{size}{seed}")
    everything = all_counts(*size)
    rows, member = random_rows(generator, everything, seed % 4)
    runs = ((word_with(member, *size), 1),)
    policies = PolicySet(actions, memory, period, tuple(rows), runs)
    left = [counts for counts in everything if all(dot(w, counts) <= b for w, b in rows)]
    for cell in range(actions * memory):
        answer = policies.greatest_count(cell // memory, cell % memory + 1)
        valid(policies, answer, [int(cell == other) for other in range(actions * memory)])
        assert answer.value == answer.bound == max(counts[cell] for counts in left)
    weights = [generator.randrange(10**6) for _ in range(actions * memory)]
    for objective in (weights, [w % 5 for w in weights], [0] * len(weights)):
        answer = valid(policies, policies.least(objective), objective)
        assert answer.value == answer.bound == min(dot(objective, counts) for counts in left)


@pytest.mark.parametrize("seed", range(6))
def test_two_step_memory_agrees_with_the_description_by_runs(seed):
    """m = 2: r_x runs and e_x repeats with sum L; 2 max r <= sum r; e_x > 0 needs r_x > 0; or constant."""
    generator, actions, period = random.Random(seed), 2 + seed % 2, 40 if seed % 2 == 0 else 17
    vectors = set()
    for x in range(actions):
        vectors.add(tuple(period if cell == 2 * x + 1 else 0 for cell in range(2 * actions)))
    for runs in product(range(period // 2 + 1), repeat=actions):
        left = period - sum(runs)
        if left < 0 or not any(runs) or 2 * max(runs) > sum(runs):
            continue
        for extra in product(*(range(left + 1) if r else [0] for r in runs)):
            if sum(extra) == left:
                vectors.add(tuple(n for pair in zip(runs, extra, strict=True) for n in pair))
    policies = PolicySet.of_all(actions, 2, period)
    rows = []
    for _ in range(seed % 3):
        weights = tuple(generator.randrange(1000) for _ in range(2 * actions))
        best = policies.least(weights)
        rows.append((weights, best.value + 1000 * generator.randrange(period // 2)))
        if not policies.contains(best.counts) or any(dot(w, best.counts) > b for w, b in rows):
            rows.pop()
            continue
        policies = policies.where(*rows[-1], best)
    remaining = [vector for vector in vectors if all(dot(w, vector) <= b for w, b in rows)]
    for cell in range(2 * actions):
        answer = policies.greatest_count(cell // 2, cell % 2 + 1)
        assert answer.value == answer.bound == max(vector[cell] for vector in remaining)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([(1, 1), (3, 1), (2, 2), (3, 2), (2, 3), (2, 5), (3, 3)]), st.data())
def test_a_tour_uses_every_edge_as_often_as_its_circulation(size, data):
    actions, memory = size
    windows = Windows(actions, memory)
    word = data.draw(st.lists(st.integers(0, actions - 1), min_size=1, max_size=30))
    times = data.draw(st.integers(1, 50))
    flow = tuple(times * f for f in windows.flow_of_word(word))
    runs = tour(windows, flow)
    written = expand(runs)
    assert len(written) == times * len(word)
    assert windows.flow_of_word(written) == flow
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
    actions, memory, period = size
    generator = random.Random(seed)
    everything = all_counts(*size)
    rows, _ = random_rows(generator, everything, 2)
    relaxation = Relaxation(Windows(actions, memory), period, rows)
    objective = [generator.randrange(-3, 4) for _ in range(actions * memory)]
    noisy = [*relaxation._conservation, *relaxation._definition, relaxation._total, *relaxation._limits]
    relaxation.bound(objective, Branch(), 0)
    for name, group in list(vars(relaxation).items()):
        if name in ("_conservation", "_definition", "_limits"):
            setattr(relaxation, name, [_Noisy(row, generator, wrong) for row in group])
    relaxation._total = _Noisy(relaxation._total, generator, wrong)
    assert len(noisy) > 3
    bound = relaxation._weak_duality(objective, Branch(), [])
    left = [counts for counts in everything if all(dot(w, counts) <= b for w, b in rows)]
    best = max(dot(objective, counts) for counts in left)
    assert bound.whole >= best
    caps = bound.caps(best, [period] * relaxation.width)
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


def test_caps_count_what_a_column_costs():
    bound = UpperBound(scaled=10 * 2**64, slopes=(-3 * 2**64, 2**64, 0), columns=())
    assert bound.caps(4, [5, 5, 5]) == {0: 2}
    assert bound.caps(10, [5, 5, 5]) == {0: 0}


@pytest.mark.parametrize("size", [(2, 3, 11), (3, 2, 7)])
def test_a_limited_search_gives_an_interval_that_contains_the_optimum(size):
    actions, memory, period = size
    generator = random.Random(3)
    open_intervals = 0
    for _ in range(12):
        rows, member = random_rows(generator, all_counts(*size), 2)
        left = [counts for counts in all_counts(*size) if all(dot(w, counts) <= b for w, b in rows)]
        runs = ((word_with(member, *size), 1),)
        policies = PolicySet(actions, memory, period, tuple(rows), runs, effort=1)
        for cell in range(actions * memory):
            answer = policies.greatest_count(cell // memory, cell % memory + 1)
            valid(policies, answer, [int(cell == other) for other in range(actions * memory)])
            assert answer.value <= max(counts[cell] for counts in left) <= answer.bound
            open_intervals += not answer.exact
        weights = [generator.randrange(10**6) for _ in member]
        least = valid(policies, policies.least(weights), weights)
        assert least.bound <= min(dot(weights, counts) for counts in left) <= least.value
    assert open_intervals


@pytest.mark.parametrize("size", [(2, 3, 11), (3, 2, 7)])
def test_cp_sat_proposes_a_circulation_of_the_greatest_value_and_none_beyond_it(size):
    actions, memory, period = size
    windows = Windows(actions, memory)
    relaxation = Relaxation(windows, period, ())
    objective = [3, 1, 4, 1, 5, 9][: actions * memory]
    best = max(dot(objective, counts) for counts in all_counts(*size))
    flow = propose(relaxation, objective, {}, best - 1, best + 1, 2)
    assert belongs(relaxation, flow)
    assert dot(objective, windows.counts_of_flow(flow)) == best
    assert propose(relaxation, objective, {}, best + 1, best + 9, 2) is None


def test_cp_sat_is_asked_for_more_and_more_values_above_the_best_word(monkeypatch):
    asked = []
    monkeypatch.setattr(sets, "propose", lambda *question: asked.append(question[3:5]))
    policies, objective = PolicySet.of_all(2, 2, 400), (1, 0, 0, 0)
    root = Relaxation(Windows(2, 2), 400, ()).bound(objective, Branch(), 0)
    result = SearchResult(None, 3, 199, 5, "branching")
    assert policies._proposed(objective, root, result) == result
    assert asked == [(175, 199), (7, 199), (4, 199)]


def test_cp_sat_joins_two_loops_by_leaving_each_once():
    """Both actions have to be played, and changing between them costs: 0000011 and the like."""
    relaxation = Relaxation(Windows(2, 2), 7, [((1, 1, 0, 0), 5), ((0, 0, 1, 1), 5)])
    flow = propose(relaxation, (0, 1, 0, 1), {}, 5, 7, 2)
    assert belongs(relaxation, flow)
    assert flow[1] == flow[2] == 1


def test_a_flow_belongs_to_the_set_if_nothing_is_wrong_with_it():
    relaxation = Relaxation(Windows(3, 2), 4, [((0, 0, 0, 0, 0, 1), 2)])
    for edges, member in (
        ({1: 2, 3: 2}, True),
        ({1: 1, 3: 1}, False),  # too short
        ({0: 1, 1: 2, 3: 1}, False),  # more ways from 0 to 1 than back
        ({0: -1, 1: 2, 3: 2, 4: 1}, False),  # less than no loop
        ({8: 4}, False),  # the tally 2 of the action 2 too often
    ):
        assert belongs(relaxation, tuple(edges.get(edge, 0) for edge in range(9))) == member


def test_a_search_without_a_known_word_finds_and_proves_the_optimum():
    relaxation = Relaxation(Windows(2, 3), 11, [((1, 1, 1, 0, 0, 0), 5)])
    result = search(relaxation, [0, 1, 0, 0, 0, 0], known=-1, limit=500, ceiling=11)
    left = [counts for counts in all_counts(2, 3, 11) if sum(counts[:3]) <= 5]
    assert result.value == result.bound == max(counts[1] for counts in left)
    assert Windows(2, 3).counts_of_flow(result.flow)[1] == result.value


def test_long_words_cost_little_and_the_first_set_has_the_counts_of_lemma_7():
    """A_1 with m dividing L: max N_xy = y/m."""
    period = 4 * 2 * 3 * 8191
    policies = PolicySet.of_all(2, 3, period)
    for x, y in product(range(2), (1, 2, 3)):
        answer = policies.greatest_count(x, y)
        assert answer.exact
        assert Fraction(answer.value, period) == Fraction(y, 3)
        assert sum(len(word) for word, _ in answer.runs) < 50


def test_of_two_searches_the_one_that_lowered_the_bound_has_proved_it():
    first = SearchResult(None, 3, 9, 5, "weak duality")
    assert first.then(SearchResult(None, 4, 9, 2, "branching")).proved_by == "weak duality"
    assert first.then(SearchResult(None, 4, 8, 2, "branching")).proved_by == "branching"


def test_a_period_shorter_than_the_memory_is_refused():
    with pytest.raises(InvalidInput, match="shorter than the memory"):
        PolicySet.of_all(2, 5, 4)


def test_a_period_as_long_as_the_memory_and_a_single_action_are_sets():
    answer = PolicySet.of_all(1, 3, 3).greatest_count(0, 3)
    assert (answer.value, answer.bound) == (3, 3)


def test_the_planner_answers_for_weights_of_either_sign():
    weights = (-5, 1, 2, -1)
    answer = valid(PolicySet.of_all(2, 2, 7), PolicySet.of_all(2, 2, 7).least(weights), weights)
    assert answer.value == answer.bound == min(dot(weights, counts) for counts in all_counts(2, 2, 7))
    assert (answer.proved_by, answer.branches) == ("planner", 0)


def test_a_set_whose_windows_do_not_fit_in_memory_is_refused():
    with pytest.raises(InstanceTooLarge):
        PolicySet.of_all(10, 30, 40)


def test_a_word_outside_a_smaller_set_is_noticed():
    everything = PolicySet.of_all(2, 2, 12)
    with pytest.raises(InternalError, match="lost the word"):
        everything.where((1, 1, 0, 0), 3, everything.greatest_count(0, 2))


def test_a_solver_that_always_gives_up_costs_time_and_not_truth(monkeypatch):
    """Without any proposal the ranges are halved until single flows are left."""
    monkeypatch.setattr(LinearProgram, "solve", lambda self: False)
    relaxation = Relaxation(Windows(2, 1), 5, [((1, 0), 2)])
    result = search(relaxation, [1, 0], known=0, limit=20_000, ceiling=10**6)
    assert result.value == result.bound == 2
    assert result.flow == (2, 3)


def test_without_a_solver_a_step_counts_at_most_the_largest_coefficient(monkeypatch):
    monkeypatch.setattr(LinearProgram, "solve", lambda self: False)
    relaxation = Relaxation(Windows(2, 1), 5, ())
    for objective, most in (((1, 3), 15), ((-2, -3), -10)):
        bound = relaxation.bound(objective, Branch(), 0)
        assert bound == UpperBound(most * MULTIPLIER_SCALE, [0] * 4, [-1.0] * 4)


@pytest.mark.parametrize("cell", range(6))
def test_cp_sat_proposes_the_optimum_where_branching_found_nothing(cell):
    size, objective = (2, 3, 11), [int(cell == other) for other in range(6)]
    rows, member = random_rows(random.Random(5), all_counts(*size), 2)
    policies = PolicySet(*size, tuple(rows), ((word_with(member, *size), 1),))
    root = policies._relaxation.bound(objective, Branch(), 0)
    known = SearchResult(None, member[cell], max(member[cell] + 1, root.whole), 1, "weak duality")
    left = [counts for counts in all_counts(*size) if all(dot(w, counts) <= b for w, b in rows)]
    assert policies._proposed(objective, root, known).value == max(counts[cell] for counts in left)


def test_a_proposal_that_is_not_in_the_set_is_ignored(monkeypatch):
    monkeypatch.setattr(sets, "propose", lambda relaxation, *_: (10**6,) + (0,) * (relaxation.edges - 1))
    policies, objective = PolicySet.of_all(2, 3, 11), (0, 0, 1, 0, 0, 0)  # what edge 0 counts in
    root = policies._relaxation.bound(objective, Branch(), 0)
    known = SearchResult(None, 0, root.whole, 1, "weak duality")
    assert policies._proposed(objective, root, known) == known


def test_a_planner_out_of_time_gives_an_interval():
    generator = random.Random(8)
    inexact = 0
    for _ in range(20):
        weights, policies = [generator.randrange(10**6) for _ in range(6)], PolicySet.of_all(2, 3, 11)
        answer = valid(policies, policies._planned(weights, seconds=0.0), weights)
        assert answer.bound <= min(dot(weights, counts) for counts in all_counts(2, 3, 11)) <= answer.value
        inexact += not answer.exact
    assert inexact
