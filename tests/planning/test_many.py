"""Many tables at once: the answers of the single questions, in their order, whatever code computes them."""

import pickle
from fractions import Fraction
from itertools import count, islice, product
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tallyplan as tp
from tallyplan.errors import InternalError, InvalidInput
from tallyplan.model.graph import INT32_LIMIT, INT64_LIMIT
from tallyplan.planning import many
from tallyplan.planning.on_graph import batches
from tallyplan.planning.on_graph.kernels import lanes

SIZES = [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (2, 5), (3, 2), (3, 3), (4, 2)]
SPANS = [1, 2, 7, 1000, INT32_LIMIT // 100, INT64_LIMIT // 1000, 10**30]
NOT_SINGLE_RUN = [[77, 23, 29], [3, 34, 45], [10, 82, 83]]  # 0201 beats every single-run word


@pytest.fixture(params=["numpy", "compiled"])
def code(request, monkeypatch):
    """Each test with numpy, and with compiled code wherever there is any."""
    forced = request.param == "compiled"
    monkeypatch.setattr(batches, "compiled_pays", _force(forced))
    return request.param


def _force(compiled):
    return lambda kind, memory, edges: compiled and kind is not object and memory > 1


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
    return np.array(tables, dtype=np.int64 if unit <= INT64_LIMIT else object)


@settings(max_examples=20)
@given(some_tables(), st.integers(0, 9), st.integers(1, 6), st.data())
def test_the_values_are_those_of_the_single_questions(case, horizon, period, data):
    _, unit = case
    ours, given_array = bandits(*case), array(*case)
    start = data.draw(st.lists(st.integers(0, ours[0].actions - 1), max_size=ours[0].memory + 1))
    asked = [("cycle", {}), ("plan", {"horizon": horizon, "start": start}), ("cyclic", {"period": period})]
    expected = [
        [tp.minimum_mean_cycle(bandit).value for bandit in ours],
        [tp.optimal_plan(bandit, horizon, start).value for bandit in ours],
        [tp.optimal_cyclic_policy(bandit, period).value for bandit in ours],
    ]
    with pytest.MonkeyPatch.context() as patch:
        for compiled in (False, True):
            patch.setattr(batches, "compiled_pays", _force(compiled))
            for (question, parameters), values in zip(asked, expected, strict=True):
                found = tp.solve_many(given_array, question, denominator=unit, **parameters)
                assert list(found) == values
                assert list(tp.solve_many(iter(ours), question, **parameters)) == values


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(("actions", "memory", "levels"), [(2, 3, 2), (3, 2, 2)])
def test_every_small_table_of_a_grid(actions, memory, levels):
    grid = np.array(list(product(range(levels + 1), repeat=actions * memory))).reshape(-1, actions, memory)
    found = list(tp.solve_many(grid, denominator=levels))
    assert len(found) == len(grid)
    for i in range(0, len(grid), 41):
        [bandit] = bandits([grid[i].tolist()], levels)
        assert found[i] == tp.minimum_mean_cycle(bandit).value


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize("unit", [100, 10**9, 10**15, 10**30])
def test_a_word_with_several_runs_of_an_arm_is_found(unit):
    """With every type of numbers: the best single-run word is not optimal, and a proof of it fails."""
    scaled = [[[loss * unit // 100 for loss in row] for row in NOT_SINGLE_RUN]] * 70
    found = list(tp.solve_many(array(scaled, unit), denominator=unit))
    assert found == [Fraction(59, 400)] * 70


@pytest.mark.usefixtures("code")
def test_tables_that_are_proved_late_do_not_disturb_their_neighbours():
    """More tables than lanes, easy and hard ones mixed: each lane is refilled at another time."""
    rng = np.random.default_rng(5)
    tables = rng.integers(0, 101, (200, 3, 3))
    tables[::7] = NOT_SINGLE_RUN
    tables[3::11] = 0
    tables[4::13] = 100
    values = [tp.minimum_mean_cycle(bandit).value for bandit in bandits(tables.tolist(), 100)]
    assert list(tp.solve_many(tables, denominator=100)) == values


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize("actions", [2, 3, 4, 7, 8])
def test_however_many_bits_an_action_needs_the_better_words_are_found(actions):
    """Three arms as above, and between them arms that nobody plays: the best word is no single-run word."""
    rows = np.full((70, actions, 3), 100)
    rows[:, [0, actions // 2, actions - 1]] = NOT_SINGLE_RUN if actions > 2 else [[0, 100, 100]] * 3
    rows[1::2] = np.random.default_rng(actions).integers(0, 101, (35, actions, 3))
    values = [tp.minimum_mean_cycle(bandit).value for bandit in bandits(rows.tolist(), 100)]
    assert list(tp.solve_many(rows, denominator=100)) == values


@pytest.mark.parametrize(("actions", "memory"), [(2, 2), (2, 5), (3, 2), (3, 4), (5, 3)])
@pytest.mark.parametrize("sweeps", [1, 3, 1000])
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_the_least_mean_is_found_from_any_word_however_often_parents_are_looked_at(
    actions, memory, sweeps, kind
):
    """From the constant word 0, good or bad; with 1000 sweeps, potentials are at their floor long before."""
    tables = np.random.default_rng(actions).integers(0, 6, (40, actions, memory))
    tables[::2] = np.sort(tables[::2], axis=2)
    tables[5], tables[9, :, -1] = 5, 0
    costs, lengths = tables[:, 0, -1].astype(kind), np.ones(40, dtype=kind)
    proved = np.zeros(40, dtype=np.bool_)
    blocks, graph = batches._blocks(tables.reshape(40, -1), kind), batches.tallies_of(actions, memory - 2)
    lanes.least_means(blocks, graph, batches._unit(actions), costs, lengths, sweeps, 10**6, proved)
    assert proved.all()
    means = [Fraction(int(a), 5 * int(b)) for a, b in zip(costs, lengths, strict=True)]
    assert means == [tp.minimum_mean_cycle(bandit).value for bandit in bandits(tables.tolist(), 5)]


def test_a_table_whose_better_word_is_too_long_is_asked_by_itself(monkeypatch):
    """With room for words of K m actions only, longer ones are found table by table."""
    tables = np.sort(np.random.default_rng(1).integers(0, 1001, (500, 3, 5)), axis=2)
    by_itself = Mock(wraps=batches._single_mean)
    monkeypatch.setattr(batches, "compiled_pays", _force(True))
    monkeypatch.setattr(batches, "_single_mean", by_itself)
    values = list(tp.solve_many(tables, denominator=1000))
    assert not by_itself.called
    monkeypatch.setattr(batches, "LONGEST", 1)
    assert list(tp.solve_many(tables, denominator=1000)) == values
    assert by_itself.called


@pytest.mark.parametrize("highest", [0, 1, 10**6, 10**12, INT64_LIMIT, 10**30])
def test_both_forms_agree_at_the_ends_of_the_types(highest, monkeypatch):
    """The largest losses and the smallest, at sizes for which the bound chooses each type."""
    tables = array([[[highest, 0, highest], [0, highest, highest]], [[highest] * 3] * 2], highest)
    answers = []
    for compiled in (False, True):
        monkeypatch.setattr(batches, "compiled_pays", _force(compiled))
        costs, lengths = batches.minimum_means(tables)
        means = [Fraction(int(a), int(b)) for a, b in zip(costs, lengths, strict=True)]
        walks = [batches.least_walks(tables, [0, 1, 2, 30], [1]), batches.closed_walks(tables, 9)]
        answers.append((means, *(walk.tolist() for walk in walks)))
    assert answers[0] == answers[1]
    assert answers[0][0] == [Fraction(0), Fraction(highest)]


def test_all_horizons_and_periods_at_once_are_those_one_by_one():
    tables = np.random.default_rng(2).integers(0, 9, (5, 2, 4))
    horizons = [7, 0, 2, 12, 2]
    together = batches.least_walks(tables, horizons)
    assert [row.tolist() for row in together] == [
        batches.least_walks(tables, [T])[0].tolist() for T in horizons
    ]
    assert batches.closed_walks(tables, 6)[:4].tolist() == batches.closed_walks(tables, 4).tolist()


def test_numpy_solves_in_pieces(monkeypatch):
    tables = np.random.default_rng(2).integers(0, 9, (9, 2, 3))
    monkeypatch.setattr(batches, "compiled_pays", _force(False))
    whole = [
        batches.minimum_means(tables)[0],
        batches.least_walks(tables, [9]),
        batches.closed_walks(tables, 4),
    ]
    monkeypatch.setattr(batches, "ENTRIES_AT_ONCE", 8)
    parts = [
        batches.minimum_means(tables)[0],
        batches.least_walks(tables, [9]),
        batches.closed_walks(tables, 4),
    ]
    assert [x.tolist() for x in whole] == [x.tolist() for x in parts]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("question", [{}, {"question": "plan", "horizon": 5}])
def test_workers_change_nothing_and_order_is_kept(workers, question, monkeypatch):
    monkeypatch.setattr(many, "TABLES_PER_CHUNK", 16)
    tables = np.random.default_rng(3).integers(0, 8, (100, 2, 3))
    said = []
    found = list(tp.solve_many(tables, **question, denominator=7, workers=workers, progress=said.append))
    assert found == [next(tp.solve_many(table[None], **question, denominator=7)) for table in tables]
    assert said[-1] == "100 tables done"
    assert len(said) == 7


@pytest.mark.parametrize("workers", [1, 2])
def test_an_endless_iterator_is_read_only_as_far_as_needed(workers, monkeypatch):
    monkeypatch.setattr(many, "TABLES_PER_CHUNK", 4)
    read = []

    def tables():
        for i in count():
            read.append(i)
            yield [[Fraction(1, i + 1)] * 2] * 2

    answers = tp.solve_many(tables(), workers=workers)
    assert read == []
    assert list(islice(answers, 6)) == [Fraction(1, i + 1) for i in range(6)]
    assert len(read) <= 4 * (2 + workers + 1)


def test_chunks_are_arrays_of_the_same_values():
    tables = np.random.default_rng(3).integers(0, 8, (50, 3, 2))
    chunks = list(tp.solve_many(tables, denominator=7).chunks())
    values = [value for some in chunks for value in some.fractions()]
    assert values == list(tp.solve_many(tables, denominator=7))
    assert all(len(some.numerators) == len(some.denominators) for some in chunks)


@pytest.mark.parametrize(
    "question", [{}, {"question": "plan", "horizon": 40}, {"question": "cyclic", "period": 3}]
)
def test_certified_answers_are_those_of_the_single_questions(question):
    tables = [[["1/3", "1"], ["0", "1/7"]], [["0", "0"], ["1", "1"]]]
    answers = list(tp.solve_many(tables, **question, certificates=True))
    assert [answer.value for answer in answers] == list(tp.solve_many(tables, **question))
    for table, answer in zip(tables, answers, strict=True):
        assert answer.bandit == tp.TallyingBandit(table)
        assert tp.check(answer.certificate)
    assert list(tp.solve_many(tables, **question, words=True)) == answers


def test_words_by_two_processes(monkeypatch):
    monkeypatch.setattr(many, "ANSWERS_PER_CHUNK", 1)
    tables = [[["1/3", "1"], ["0", "1/7"]], [["0", "0"], ["1", "1"]], [["1", "0"], ["1", "0"]]]
    answers = list(tp.solve_many(tables, words=True, workers=2))
    assert answers == [tp.minimum_mean_cycle(tp.TallyingBandit(table)) for table in tables]
    assert pickle.loads(pickle.dumps(answers)) == answers


def test_a_certificate_that_is_refused_is_an_error(monkeypatch):
    monkeypatch.setattr(many, "check", lambda certificate: tp.check({}))
    with pytest.raises(InternalError, match="refuses"):
        list(tp.solve_many([[["1"]]], certificates=True))


def test_what_is_too_large_to_be_swept_together_is_asked_by_itself(monkeypatch):
    tables = np.random.default_rng(3).integers(0, 8, (3, 2, 3))
    values = list(tp.solve_many(tables, denominator=7))
    monkeypatch.setattr(many, "MOST_STATES", 1)
    monkeypatch.setattr(batches, "minimum_means", None)
    assert list(tp.solve_many(tables, denominator=7)) == values
    assert list(tp.solve_many(tables, "plan", horizon=10**12, denominator=7, workers=1)) == [
        tp.optimal_plan(bandit, 10**12).value for bandit in bandits(tables.tolist(), 7)
    ]


def test_nothing_in_nothing_out():
    assert list(tp.solve_many([])) == []
    assert list(tp.solve_many(np.zeros((0, 2, 3), dtype=int), "plan", horizon=3)) == []


TABLE = [["0", "1"], ["0", "1"]]


@pytest.mark.parametrize(
    ("tables", "parameters", "words"),
    [
        ([TABLE], {"question": "mean"}, "The questions are cycle, plan, cyclic"),
        ([TABLE], {"question": "plan"}, "needs a horizon"),
        ([TABLE], {"question": "cyclic"}, "needs a period"),
        ([TABLE], {"horizon": 3}, "has no horizon"),
        ([TABLE], {"start": [0]}, "has no start"),
        ([TABLE], {"workers": 0}, "workers"),
        ([TABLE], {"question": "plan", "horizon": 3, "start": [2]}, "start"),
        (np.zeros((1, 2, 2), dtype=np.int64), {"question": "plan", "horizon": 3, "start": [2]}, "start"),
        ([TABLE], {"denominator": 2}, "for arrays"),
        ([TABLE, [["0"], ["1"]]], {}, "table 1 has 2 actions and memory 1"),
        ([TABLE, [["0", "2"], ["1", "1"]]], {}, "table 1: "),
        ([tp.WindowBandit(2, [[0, 1]])], {}, "table 0"),
        (np.zeros((2, 2)), {}, "shape"),
        (np.zeros((1, 2, 2)), {}, "integers"),
        (np.full((2, 2, 2), 3), {"denominator": 2}, r"tables\[0, 0, 0\] is 3"),
        (np.full((2, 2, 2), -1), {}, r"tables\[0, 0, 0\] is -1"),
        (np.array([[[0.5]]], dtype=object), {}, "integers"),
    ],
)
def test_bad_input_is_named(tables, parameters, words):
    with pytest.raises(InvalidInput, match=words):
        list(tp.solve_many(tables, **parameters))


UNITS = (7, 10**30 + 57, 2**61 - 1)


def test_denominators_of_any_length_are_treated_together():
    """Short next to long ones; and some that fit into 64 bits, though not five times."""
    short, long, middle = (tp.TallyingBandit([[Fraction(n, unit) for n in (1, 3)]] * 2) for unit in UNITS)
    for some in ([short, long], [middle]):
        values = [tp.optimal_cyclic_policy(bandit, 5).value for bandit in some]
        assert list(tp.solve_many(some, "cyclic", period=5)) == values
