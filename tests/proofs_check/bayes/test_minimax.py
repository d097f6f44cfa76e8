"""The minimax game: against all deterministic learners, against other priors, between known bounds."""

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import bayes_brute as brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check.bayes import minimax_regret
from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.bayes.minimax import minimax_by_horizon
from proofs_check.bayes.states import optima, state_graph
from proofs_check.certified import optimum
from tallyplan import TallyingBandit
from tallyplan.check import check
from tallyplan.errors import InstanceTooLarge, InvalidInput


@cache
def solved(actions, memory, horizon, grid=1):
    """An answer that is exact, and whose strategies the checker accepts."""
    answer = minimax_regret(actions, memory, horizon, grid=grid)
    assert answer.exact
    verdict = check(json.loads(json.dumps(answer.certificate)))
    assert verdict, verdict.reason
    return answer


@pytest.mark.parametrize(
    ("actions", "memory", "horizon", "grid"),
    [
        *((2, 2, T, 1) for T in range(4)),
        *((2, 1, T, 1) for T in range(5)),
        *((2, 3, T, 1) for T in (2, 3)),
        *((3, 1, T, 1) for T in range(4)),
        (3, 2, 2, 1),
        (2, 1, 3, 2),
        (2, 1, 2, 3),
        (2, 2, 2, 2),
    ],
)
def test_it_is_the_value_of_the_matrix_game_of_all_deterministic_learners(actions, memory, horizon, grid):
    vectors = brute.regret_vectors(brute.all_tables(actions, memory, grid), horizon)
    answer = solved(actions, memory, horizon, grid)
    assert answer.value == brute.matrix_game_value(vectors)
    assert answer.pure == min(max(vector) for vector in vectors)


def documented():
    """The first table of values in docs/constants.md: (K, m, T, value)."""
    page = (Path(__file__).parents[3] / "docs" / "constants.md").read_text(encoding="utf-8")
    table = page[page.index("| $T$ | (2,2) |") :].split("\n\n")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    sizes = [tuple(map(int, name.strip("()").split(","))) for name in cells[0][1:]]
    for T, *values in cells[2:]:
        for (K, m), value in zip(sizes, values, strict=True):
            if value:
                yield K, m, int(T), Fraction(value)


def test_the_values_in_the_documentation_are_those_computed():
    """A sample here, at every size; neither monotone in T nor always m(K-1)/2."""
    entries = [
        entry for entry in documented() if entry[2] <= (9 if entry[:2] in [(2, 2), (2, 3), (3, 2)] else 2)
    ]
    assert len(entries) > 30
    for K, m, T, value in entries:
        assert solved(K, m, T).value == value, (K, m, T)


SIZES = [(1, 3), (2, 1), (3, 1), (2, 2), (2, 3), (3, 2)]


@pytest.mark.parametrize(("actions", "memory"), SIZES)
def test_it_lies_between_the_needle_and_the_exploring_algorithm(actions, memory):
    """The Bayes regret m(K-1)/2 of Proposition 1 below, the sup of ALG_det, min(T-m, mK-1), above."""
    for horizon in range(memory * actions, memory * actions + 4):
        answer = solved(actions, memory, horizon)
        assert answer.value >= Fraction(memory * (actions - 1), 2)
        assert answer.value <= answer.pure
        assert answer.pure <= (min(horizon - memory, memory * actions - 1) if actions > 1 else 0)


@settings(max_examples=30)
@given(st.data())
def test_no_prior_is_harder(data):
    actions, memory = data.draw(st.sampled_from([(2, 2), (3, 1), (2, 3)]))
    rows = st.lists(st.integers(0, 1), min_size=memory, max_size=memory)
    tables = data.draw(
        st.lists(st.lists(rows, min_size=actions, max_size=actions), min_size=1, max_size=5, unique_by=str)
    )
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(tables), max_size=len(tables)))
    prior = [(TallyingBandit(h), Fraction(w, sum(weights))) for h, w in zip(tables, weights, strict=True)]
    horizon = data.draw(st.integers(0, 7))
    optima = sum(p * optimum(table, horizon) for table, p in prior)
    assert least_expected_loss(prior, horizon) - optima <= solved(actions, memory, horizon).value


@pytest.mark.parametrize("size", [(2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 2, 3), (1, 3, 2), (3, 1, 2)])
def test_the_optima_of_all_tables_are_those_of_the_planner(size):
    graph = state_graph(*size)
    for horizon in (0, 1, 2, 5, 9):
        least = optima(graph, horizon)
        for rows, best in list(zip(graph.orbits, least.tolist(), strict=True))[
            :: 1 + len(graph.orbits) // 12
        ]:
            table = TallyingBandit([[Fraction(loss, graph.grid) for loss in row] for row in rows])
            assert Fraction(best, graph.scale) == optimum(table, horizon)


def test_out_of_time_the_answer_is_a_certified_interval():
    exact = solved(2, 3, 10).value
    answer = minimax_regret(2, 3, 10, time_limit=0)
    assert answer.lower < exact < answer.value
    assert not answer.exact
    assert check(answer.certificate)


@pytest.mark.parametrize("bad", [(0, 2, 3), (2, 0, 3), (2, 2, -1), (2, 2, True), (2.0, 2, 3)])
def test_bad_sizes_are_refused_in_a_sentence(bad):
    with pytest.raises(InvalidInput, match=r"must be at least|an integer is needed"):
        minimax_regret(*bad)


@pytest.mark.parametrize("big", [(9, 9, 3), (2, 40, 3), (30, 1, 3), (8, 3, 1)])
def test_sizes_beyond_reach_are_refused_before_the_work(big):
    with pytest.raises(InstanceTooLarge):
        minimax_regret(*big)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("actions", "memory", "grid", "horizons"),
    [
        (2, 2, 1, range(21)),
        (2, 3, 1, range(15)),
        (3, 2, 1, range(13)),
        (2, 4, 1, range(17)),
        (4, 2, 1, range(13)),
        (2, 2, 3, range(13)),
        (2, 3, 2, range(9)),
        (3, 3, 1, range(9)),
    ],
)
def test_the_whole_promised_reach_is_exact_and_accepted(actions, memory, grid, horizons):
    for answer in minimax_by_horizon(actions, memory, horizons, grid=grid):
        assert answer.exact
        assert check(answer.certificate)
