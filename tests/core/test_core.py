"""The compiled core: every variant gives the same answers as plain Python, and calls keep their limits."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from random import Random

import exhaustive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan import TallyingBandit
from tallyplan.core import library, questions
from tallyplan.errors import InstanceTooLarge

BEST = library.library().tp_variant().decode()
VARIANTS = library.variants()
RUNNABLE = VARIANTS[: VARIANTS.index(BEST) + 1]
SIZES = [(1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (5, 2), (2, 5), (3, 3)]


def nothing():
    pass


def cycle_of_table(table, look=nothing):
    return questions.cycle(questions.graph_of_table(table), look)


def histories(table):
    """By history, the edges that leave it: (head, cost)."""
    actions, memory = len(table), len(table[0])
    states = actions ** (memory - 1)
    digits = [[state // actions**i % actions for i in range(memory - 1)] for state in range(states)]
    return [
        [((state * actions + a) % states, row[digits[state].count(a)]) for a, row in enumerate(table)]
        for state in range(states)
    ]


def mean_of(found, rows):
    """The least mean, after the word was replayed and the potentials were tried on every edge."""
    node, total = found.start, 0
    for place in found.word:
        node, cost = rows[node][place]
        total += cost
    assert node == found.start
    assert Fraction(total, len(found.word)) == Fraction(found.mean, found.scale)
    potentials = [int(number) for number in found.potentials]
    for tail, row in enumerate(rows):
        for head, cost in row:
            assert found.scale * cost - found.mean + potentials[head] >= potentials[tail]
    return Fraction(total, len(found.word))


@st.composite
def tables(draw):
    actions, memory = draw(st.sampled_from(SIZES))
    losses = st.integers(0, draw(st.sampled_from([0, 1, 3, 1000, 2**40, 2**62, 2**90])))
    return [[draw(losses) for _ in range(memory)] for _ in range(actions)]


@settings(max_examples=150, deadline=None)
@given(tables())
def test_a_cycle_is_one_of_least_mean(table):
    top = max(1, *map(max, table))
    bandit = TallyingBandit([[Fraction(loss, top) for loss in row] for row in table])
    assert mean_of(cycle_of_table(table), histories(table)) == top * exhaustive.karp(bandit)


@pytest.mark.parametrize(("actions", "memory"), [(2, 14), (3, 9), (4, 7), (7, 5), (40, 3), (300, 2)])
@pytest.mark.parametrize("top", [1, 100, 2**31, 2**61])
def test_variants_agree(monkeypatch, actions, memory, top):
    draw, found = Random(7), []
    table = [sorted(draw.randrange(top + 1) for _ in range(memory)) for _ in range(actions)]
    for variant in RUNNABLE:
        monkeypatch.setattr(questions, "function", partial(library.function, variant=variant))
        found.append(cycle_of_table(table))
        monkeypatch.undo()
    for other in found[1:]:
        assert other._replace(potentials=found[0].potentials) == found[0]
        assert np.array_equal(other.potentials, found[0].potentials)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_graph_with_stored_edges(data):
    """Against the cycles of a graph, listed one by one."""
    import networkx as nx

    nodes = data.draw(st.integers(1, 6))
    top = data.draw(st.sampled_from([1, 20, 2**70]))
    rows = [
        data.draw(st.lists(st.tuples(st.integers(0, nodes - 1), st.integers(0, top)), max_size=3))
        for _ in range(nodes)
    ]
    first = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    edges = [edge for row in rows for edge in row]
    heads = np.array([head for head, _ in edges], dtype=np.int32)
    given = questions.graph_of_edges(first, heads, [cost for _, cost in edges])
    graph = nx.DiGraph([(tail, head) for tail, row in enumerate(rows) for head, _ in row])
    least = {(tail, head): min(cost for to, cost in rows[tail] if to == head) for tail, head in graph.edges}
    means = [
        Fraction(sum(least[edge] for edge in zip(cycle, cycle[1:] + cycle[:1], strict=True)), len(cycle))
        for cycle in nx.simple_cycles(graph)
    ]
    if means:
        assert mean_of(questions.cycle(given, nothing), rows) == min(means)
    else:
        with pytest.raises(library.NoAnswerError):
            questions.cycle(given, nothing)


def test_numbers_beyond_128_bits_are_refused():
    for top in (2**126, 2**130):
        with pytest.raises(library.TooWideError):
            cycle_of_table([[top, 0, top], [0, top, 5]])


def test_memory_is_refused_before_it_is_taken(monkeypatch):
    monkeypatch.setattr(questions, "available_memory", lambda: 10**6)
    with pytest.raises(InstanceTooLarge, match="would need"):
        cycle_of_table([[0] * 28, [1] * 28])


def test_results_of_gigabytes_are_not_copied(monkeypatch):
    given_back, room = [], np.zeros(2**29, dtype=np.int64)
    monkeypatch.setattr(library.library(), "tp_free", given_back.append)
    values = questions._vector(library.Found(states=2**29, values=room.ctypes.data, bytes=8))
    assert (len(values), given_back) == (2**29, [])
    del values
    assert given_back == [room.ctypes.data]


def test_what_looks_on_may_end_a_long_call():
    draw = Random(1)
    table = [sorted(draw.randrange(10**6) for _ in range(24)) for _ in range(2)]
    began = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        cycle_of_table(table, lambda: 1 // 0)
    assert time.monotonic() - began < 60  # a broken stop would sweep on for minutes


def test_ctrl_c_reaches_a_long_call():
    program = (
        "import os, signal; from random import Random\n"
        "from tallyplan.core.questions import cycle, graph_of_table\n"
        "looks = []\n"
        "def look():\n"
        "    looks.append(1)\n"
        "    if len(looks) == 2:  # the first is before the call goes on in another thread\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "draw = Random(1)\n"
        "table = [sorted(draw.randrange(10**6) for _ in range(26)) for _ in range(2)]\n"
        "cycle(graph_of_table(table), look)\n"
        "print('done', flush=True)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=False)
    assert run.stdout == b""
    assert b"KeyboardInterrupt" in run.stderr


def test_threads_may_ask_at_once():
    asked = [[[(i * j + a) % 17 for j in range(9)] for a in range(3)] for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda table: cycle_of_table(table).word, asked))
    assert together == [cycle_of_table(table).word for table in asked]


def test_other_sources_than_the_library_was_built_from_are_an_error(tmp_path, monkeypatch):
    for path in library.FOLDER.iterdir():
        if path.is_file():
            (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    library.library.__wrapped__()  # as it was
    with (tmp_path / "histories.hpp").open("a") as changed:
        changed.write("// changed\n")
    with pytest.raises(ImportError, match=r"other sources .* build it with `make`"):
        library.library.__wrapped__()
    monkeypatch.setattr(library, "FOLDER", tmp_path / "empty")
    with pytest.raises(ImportError, match="cannot be loaded"):
        library.library.__wrapped__()
