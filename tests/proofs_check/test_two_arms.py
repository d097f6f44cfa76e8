"""The two-arm theorem: the recorded facets, and what would refute it."""

import sys
from fractions import Fraction
from itertools import product

import pytest

import proofs_check
from proofs_check.claim import Request, named
from proofs_check.ours import hull, slopes, two_arms
from proofs_check.steps import Step, Verdict
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.on_graph.cycles import cycle_on_graph
from tallyplan.planning.without_graph.bounds.two_arms import any_slopes

FACETS = [2, 3, 6, 9, 12, 15, 18, 26, 31, 36, 41, 56, 96, 181, 236, 389, 1158]  # m = 1, 2, ...
EXTREME = [2, 3, 6, 10, 15, 21, 28, 39, 49, 60, 72, 87, 104, 120, 137, 158, 178]


@pytest.mark.parametrize("memory", range(1, 15))
def test_the_hull_has_the_known_facets_and_extreme_words(memory):
    found = hull.hull_of(memory)
    assert len(found.facets) == FACETS[memory - 1]
    assert found.extreme == EXTREME[memory - 1]
    assert len(found.equations) == (memory > 1)
    for row in (*found.facets, *found.equations):
        products = [
            sum(c * n for c, n in zip(row, hull.counts(word, memory), strict=True))
            for word in hull.two_run_words(memory)
        ]
        assert min(products) == 0


def test_the_three_kinds_of_facets_up_to_seven():
    """a_m >= 0, b_0 >= 0 and three inequalities for each level: 3(m-1) in all, for m >= 3."""
    for memory in range(3, 8):
        assert len(hull.hull_of(memory).facets) == 3 * (memory - 1)


@pytest.mark.parametrize("memory", [2, 3, 4, 5])
def test_no_word_of_up_to_nine_actions_leaves_the_hull(memory):
    rows = hull.hull_of(memory).facets
    for length in range(1, 10):
        for word in product((0, 1), repeat=length):
            counted = hull.counts(word, memory)
            assert all(sum(c * n for c, n in zip(row, counted, strict=True)) >= 0 for row in rows)


def test_an_inequality_that_a_word_violates_is_not_valid():
    """D_5 + 4 b_4 >= 0 holds for m <= 7 in this form; at m = 8 the word 000111 violates it."""
    memory, k = 8, 4
    a = [-(memory - s) if s > k else 0 for s in range(1, memory + 1)]
    b = [s if s > k else 0 for s in range(memory)]
    b[k] += k
    row = (*a, *b)
    counted = hull.counts((0, 0, 0, 1, 1, 1), memory)
    assert sum(c * n for c, n in zip(row, counted, strict=True)) == -2
    assert not hull.is_valid(row, memory)


def test_the_costs_of_a_row_are_the_losses_of_its_table():
    row = (5, -3, 0, 2, 2, -1)
    bandit = hull.table_of(row, 3)
    for word in [(0,), (1,), (0, 1), (0, 1, 1), (0, 0, 1, 0, 1)]:
        cost = sum(c * n for c, n in zip(row, hull.counts(word, 3), strict=True))
        assert mean_of_word(bandit, word) * 8 - 3 == Fraction(cost, len(word))


def test_with_too_few_words_the_theorem_is_refuted(monkeypatch):
    for module in (hull, two_arms):
        monkeypatch.setattr(module, "two_run_words", lambda memory: [(0,), (1,), (0, 1)])
    monkeypatch.setattr(two_arms, "best_single_run_word", lambda bandit: (min(_means(bandit)), ()))
    monkeypatch.setattr(two_arms, "USUAL", 5)
    outcome = examined("two-arm-theorem")
    assert outcome.verdict is Verdict.REFUTED
    assert cycle_on_graph(outcome.witness.bandit).value < min(_means(outcome.witness.bandit))


def examined(id):
    return named(id).examine(Request()).outcome


def test_a_refutation_is_confirmed_by_replay():
    bandit = TallyingBandit([[1, 0], [1, 1]])
    assert two_arms.Beaten(bandit, (0,), Fraction(0), Fraction(0)).confirmed()
    assert not two_arms.Beaten(bandit, (0,), Fraction(0), Fraction(1)).confirmed()
    assert not two_arms.Beaten(bandit, (1,), Fraction(0), Fraction(0)).confirmed()


def test_the_theorem_says_nothing_beyond_the_memories_that_were_computed(with_formula):
    wider = with_formula("two-arm-theorem", "memory", "1 <= m and m <= 13")
    assert wider.verdict is Verdict.UNDECIDED
    assert with_formula("two-arm-theorem", "memory", "0 <= m and m <= 12").verdict is Verdict.UNDECIDED


def test_for_all_memories_it_is_open_and_says_what_was_looked_at(results):
    outcome = results["two-arm-theorem/all-memories"].outcome
    assert outcome.verdict is Verdict.UNDECIDED
    [step] = [step for step in outcome.evidence.steps if isinstance(step, Step)]
    assert step.holds is False
    assert "m = 13" in step.by
    assert any("6 random tables" in one for one in outcome.evidence.steps if isinstance(one, str))


def test_a_walk_that_violates_the_statement_for_all_memories_refutes_it(with_formula):
    assert with_formula("two-arm-theorem/all-memories", "stated", "mean > best").verdict is Verdict.REFUTED
    assert with_formula("two-arm-theorem/all-memories", "stated", "mean <= best").verdict is Verdict.REFUTED


def _means(bandit):
    return [mean_of_word(bandit, word) for word in [(0,), (1,), (0, 1)]]


def test_without_the_polyhedra_library_the_theorem_is_shown_in_the_same_way(monkeypatch):
    with_library = examined("two-arm-theorem")
    monkeypatch.setitem(sys.modules, "ppl", None)
    outcome = examined("two-arm-theorem")
    assert outcome.verdict is with_library.verdict is Verdict.ARGUED
    assert (outcome.domain, outcome.evidence) == (with_library.domain, with_library.evidence)


def test_a_potential_that_is_too_steep_is_seen_on_the_edges(monkeypatch):
    monkeypatch.setattr(
        two_arms, "any_slopes", lambda levels: tuple(t + 1 for t in any_slopes(levels) or ()) or None
    )
    assert examined("two-arm-theorem/slopes").verdict is Verdict.UNDECIDED


def test_a_wrong_step_of_the_algebra_leaves_the_theorem_undecided(monkeypatch):
    monkeypatch.setattr(slopes, "RISE", slopes.RISE.replace("max", "min"))
    assert examined("two-arm-theorem/slopes").verdict is Verdict.UNDECIDED


@pytest.mark.thorough
def test_the_theorem_up_to_seventeen():
    [result] = proofs_check.verify(["two-arm-theorem"], thorough=True)
    assert result.outcome.verdict is Verdict.ARGUED
    steps = [step for step in result.outcome.evidence.steps if isinstance(step, Step)]
    assert steps
    assert all(step.holds or step.is_argued for step in steps)
    assert result.outcome.evidence.cases == sum(FACETS) + 2 * 16
