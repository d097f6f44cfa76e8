"""Many tables at once: the answers of the single questions, in their order, whatever code computes them."""

from contextlib import nullcontext
from fractions import Fraction
from functools import partial
from itertools import count, islice
from time import monotonic

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import in_plain_python

import tallyplan as tp
from tallyplan.errors import InvalidInput
from tallyplan.model.graph import INT32_LIMIT, INT64_LIMIT
from tallyplan.planning import many
from tallyplan.planning import many_tables as together

SIZES = [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (4, 2)]
SPANS = [1, 2, 7, 1000, INT32_LIMIT // 100, INT64_LIMIT // 1000, 10**30]


@st.composite
def some_tables(draw):
    """Integer tables of one size, biased to ties and to the ends, and their denominator."""
    K, m = draw(st.sampled_from(SIZES))
    unit = draw(st.sampled_from(SPANS))
    losses = st.one_of(st.sampled_from([0, unit, unit // 2, (unit + 1) // 2]), st.integers(0, unit))
    arm = st.lists(losses, min_size=m, max_size=m)
    table = st.one_of(st.lists(arm, min_size=K, max_size=K), arm.map(lambda row: [row] * K))
    return draw(st.lists(table, min_size=1, max_size=5)), unit


def bandits(tables, unit):
    return [tp.TallyingBandit([[Fraction(loss, unit) for loss in row] for row in table]) for table in tables]


def array(tables, unit):
    kinds = {np.int64: INT64_LIMIT, np.uint64: 2**64 - 1, object: unit}
    return np.array(tables, dtype=next(kind for kind, most in kinds.items() if unit <= most))


@settings(max_examples=20)
@given(some_tables(), st.integers(0, 9), st.integers(1, 6), st.data())
def test_the_values_are_those_of_the_single_questions(case, horizon, period, data):
    ours, given_array = bandits(*case), array(*case)
    start = data.draw(st.lists(st.integers(0, ours[0].actions - 1), max_size=ours[0].memory + 1))
    asked = [("cycle", {}), ("plan", {"horizon": horizon, "start": start}), ("cyclic", {"period": period})]
    expected = [
        [tp.minimum_mean_cycle(bandit).value for bandit in ours],
        [tp.optimal_plan(bandit, horizon, start).value for bandit in ours],
        [tp.optimal_cyclic_policy(bandit, period).value for bandit in ours],
    ]
    for (question, parameters), values in zip(asked, expected, strict=True):
        found = tp.solve_many(given_array, question, denominator=case[1], **parameters)
        assert list(found) == values
        assert list(tp.solve_many(iter(ours), question, **parameters)) == values


@pytest.mark.parametrize("size", [(2, 6), (2, 9), (3, 4), (3, 5), (4, 3), (4, 4), (5, 3), (10, 2)])
def test_many_random_tables(size):
    """Many, since a walk whose cost and length share a divisor is a matter of luck."""
    tables = np.random.default_rng(1).integers(0, 1001, (300, *size))
    singles = [tp.minimum_mean_cycle(bandit).value for bandit in bandits(tables.tolist(), 1000)]
    assert list(tp.solve_many(tables, denominator=1000)) == singles


@pytest.mark.parametrize("highest", [0, 1, 10**6, 10**12, INT64_LIMIT, 2**64 - 1, 10**30])
def test_plain_python_agrees_at_the_ends_of_the_types(highest):
    """The largest losses and the smallest, at sizes for which the bound chooses each type."""
    tables = array([[[highest, 0, highest], [0, highest, highest]], [[highest] * 3] * 2], highest)
    answers = []
    for way in (nullcontext, in_plain_python):
        with way():
            costs, lengths = together.least_means(tables)
            answers.append([Fraction(int(a), int(b)) for a, b in zip(costs, lengths, strict=True)])
    assert answers == [[Fraction(0), Fraction(highest)]] * 2
    assert together.least_walks(tables, [0, 1, 2, 30], [1]).T.tolist() == [
        [0, highest, highest, highest],
        [0, highest, 2 * highest, 30 * highest],
    ]
    assert together.closed_walks(tables, 3).T.tolist() == [
        [highest, highest, 0],
        [highest, 2 * highest, 3 * highest],
    ]


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (1, 4), (2, 4), (2, 8), (3, 2), (3, 4)])
def test_all_horizons_and_periods_at_once_are_those_of_the_single_questions(actions, memory):
    """Closed walks of five tables with a memory of 8 do not fit the cache together."""
    tables, horizons = np.random.default_rng(2).integers(0, 9, (5, actions, memory)), [7, 0, 2, 12, 2]
    walks, closed = together.least_walks(tables, horizons), together.closed_walks(tables, 6)
    after = together.least_walks(tables, [9], [actions - 1][: memory - 1])
    for i, bandit in enumerate(bandits(tables.tolist(), 9)):
        assert walks[:, i].tolist() == [9 * tp.optimal_plan(bandit, T).value for T in horizons]
        assert after[0, i] == 9 * tp.optimal_plan(bandit, 9, [actions - 1][: memory - 1]).value
        assert closed[:, i].tolist() == [
            9 * L * tp.optimal_cyclic_policy(bandit, L).value for L in range(1, 7)
        ]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("question", [{}, {"question": "plan", "horizon": 5}])
def test_workers_change_nothing_and_order_is_kept(workers, question):
    tables = np.random.default_rng(3).integers(0, 8, (9000, 2, 3))
    said = []
    found = list(tp.solve_many(tables, **question, denominator=7, workers=workers, progress=said.append))
    parts = (tables[first : first + 1000] for first in range(0, 9000, 1000))
    assert found == [value for part in parts for value in tp.solve_many(part, **question, denominator=7)]
    assert said == [f"{done} tables done" for done in (4096, 8192, 9000)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_endless_iterator_is_read_only_as_far_as_needed(workers):
    read = []

    def tables():
        for i in count():
            read.append(i)
            yield [[Fraction(1, i + 1)] * 2] * 2

    answers = tp.solve_many(tables(), workers=workers)
    assert read == []
    assert list(islice(answers, 6)) == [Fraction(1, i + 1) for i in range(6)]
    assert len(read) <= 4096 * (2 + workers + 1)


def test_who_reads_no_further_does_not_wait_for_the_workers():
    tables = np.sort(np.random.default_rng(1).integers(0, 10**6, (2, 2, 25)))
    tables[0] = 0
    answers = tp.solve_many(tables, "plan", horizon=10**6, denominator=10**6, workers=2)
    assert next(answers) == 0
    began = monotonic()
    del answers
    assert monotonic() - began < 2  # the other table takes 10


@pytest.mark.parametrize(("memory", "question"), [(17, {}), (3, {"question": "plan", "horizon": 10**12})])
def test_what_is_too_large_to_be_swept_together_is_asked_by_itself(memory, question, monkeypatch):
    tables = np.random.default_rng(3).integers(0, 8, (3, 2, memory))
    monkeypatch.setattr(many, "least_means", None)
    monkeypatch.setattr(many, "least_walks", None)
    ask = partial(tp.optimal_plan, horizon=10**12) if question else tp.minimum_mean_cycle
    expected = [ask(bandit).value for bandit in bandits(tables.tolist(), 7)]
    assert list(tp.solve_many(tables, **question, denominator=7)) == expected


TABLE = [["0", "1"], ["0", "1"]]


@pytest.mark.parametrize(
    ("tables", "parameters", "words"),
    [
        ([TABLE], {"question": "plan"}, "needs a horizon"),
        ([TABLE], {"horizon": 3}, "has no horizon"),
        ([TABLE], {"start": [0]}, "has no start"),
        ([TABLE], {"question": "plan", "horizon": 3, "start": [2]}, "start"),
        (np.zeros((1, 2, 2), dtype=np.int64), {"question": "plan", "horizon": 3, "start": [2]}, "start"),
        ([TABLE], {"denominator": 2}, "for arrays"),
        ([TABLE, [["0"], ["1"]]], {}, "table 1 has 2 actions and memory 1"),
        ([TABLE, [["0", "2"], ["1", "1"]]], {}, "table 1: "),
        ([tp.WindowBandit(2, [[0, 1]])], {}, "table 0"),
        (np.zeros((2, 2), dtype=int), {}, "shape"),
        (np.full((1, 2, 2), 1.5), {}, "table 0: "),
        (np.zeros((1, 2, 2)), {"denominator": 2}, "for arrays of integers"),
        (np.full((2, 2, 2), 3), {"denominator": 2}, r"tables\[0, 0, 0\] is 3"),
        (np.full((2, 2, 2), -1), {}, r"tables\[0, 0, 0\] is -1"),
        (np.array([[[0.5]]], dtype=object), {}, "integers"),
        (np.ma.masked_equal(np.ones((1, 2, 2), dtype=int), 1), {}, r"table 0: losses\[0\]\[0\] is masked"),
    ],
)
def test_bad_input_is_named(tables, parameters, words):
    with pytest.raises(InvalidInput, match=words):
        list(tp.solve_many(tables, **parameters))


def test_decimals_lose_nothing_and_floats_mean_their_shortest():
    assert list(tp.solve_many([[["0.1234567890123456789"]]], "plan", horizon=0)) == [0]
    answers = tp.solve_many(np.array([[[0.1, 0.2], [0.3, 0.7]]]))
    assert repr(answers) == "ManyAnswers(question='cycle')"
    assert list(answers) == list(tp.solve_many([[["0.1", "0.2"], ["0.3", "0.7"]]])) == [Fraction(1, 5)]
