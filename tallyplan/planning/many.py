"""One question about many tables of one size: `solve_many`.

Tables come in as they are needed and answers go out in the same order, a chunk at a time, so a million
tables take no more memory than a few thousand. Small graphs are swept many tables at once
(`many_tables`); where that is slower, each table is asked by itself. The compiled core lets other threads
run while it computes, so threads are enough to use all cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import Any, NamedTuple

import numpy as np

from tallyplan.answers import Answer
from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.limits import Progress, silent
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import natural, positive_integer, shown
from tallyplan.model.replay import history_of
from tallyplan.model.words import Word, items, last
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.effort import IS_OVER
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.many_tables import closed_walks, least_means, least_walks
from tallyplan.planning.mean_cycle import minimum_mean_cycle

QUESTIONS = ("cycle", "plan", "cyclic")
MOST_STATES = 2**15  # of a graph that is swept in many tables at once
MOST_EDGES = 10**7  # treated per table before it is better asked by itself
EDGES_PER_CHUNK = 2**24
NUMPY = 16  # times as long as the core takes for an edge
TABLES_PER_CHUNK = 2**12  # at most, and what is read of an iterator before the first answer
THREADS = 256  # at most


class Asked(NamedTuple):
    """A question with its parameters, about one table and about many of them.

    `together` gives numerators, in units of 1 / (the table's denominator), and what they are to be divided
    by; of a table with K actions and memory m it treats about `edges(K, m)` edges.
    """

    single: Callable[[TallyingBandit], Answer]
    together: Callable[[Array], tuple[Array, Array | int]]
    edges: Callable[[int, int], int]
    start: Word = ()


class Chunk(NamedTuple):
    """Some tables as integers of shape (N, K, m), and their denominators."""

    tables: Array
    denominators: Array

    def bandits(self) -> Iterator[TallyingBandit]:
        """The tables one by one."""
        for table, unit in zip(self.tables.tolist(), self.denominators.tolist(), strict=True):
            yield TallyingBandit([[Fraction(loss, unit) for loss in row] for row in table])


@dataclass(frozen=True)
class Solved:
    """The values of some tables: numerators[i] / denominators[i], not in lowest terms; or one by one."""

    numerators: Array
    denominators: Array

    def __len__(self) -> int:
        return len(self.numerators)

    def __iter__(self) -> Iterator[Fraction]:
        return map(Fraction, self.numerators.tolist(), self.denominators.tolist())


@dataclass
class ManyAnswers(Iterator[Fraction]):
    """The answers of `solve_many`, one per table, in their order; `chunks` gives arrays instead."""

    question: str
    found: Iterator[Solved] = field(repr=False)

    def __post_init__(self) -> None:
        self._items = chain.from_iterable(self.found)

    def __next__(self) -> Fraction:
        return next(self._items)

    def chunks(self) -> Iterator[Solved]:
        """`Solved` after `Solved`; what was read one by one is not among them."""
        return self.found


def solve_many(
    tables: Iterable[Any],
    question: str = "cycle",
    *,
    horizon: int | None = None,
    start: Sequence[int] = (),
    period: int | None = None,
    denominator: int = 1,
    workers: int | None = None,
    progress: Progress = silent,
) -> ManyAnswers:
    """One question about many tallying bandits of one size (K, m): an iterator over the exact answers.

    Parameters
    ----------
    tables : instances, or tables as `TallyingBandit` takes them, as an iterable that is read as answers are
        taken; or an array of shape (N, K, m), of integers or of floats, which mean their shortest decimals.
    question : "cycle" (lambda*, as `minimum_mean_cycle`), "plan" (OPT_T, as `optimal_plan`, with `horizon`
        and perhaps `start`) or "cyclic" (as `optimal_cyclic_policy`, with `period`).
    denominator : of an array: the losses are its entries divided by this.
    workers : how many threads are used, 256 at most; as many as there are cores by default.
    progress : called with a status string after each chunk.

    Returns
    -------
    ManyAnswers, an iterator over `Fraction`s. Its method `chunks` gives numerators and denominators as
    arrays, much faster than a million `Fraction`s.

    Raises
    ------
    InvalidInput : an unknown question, or a parameter that it lacks or does not have; an invalid table,
        or one of another size than the first. Errors in a table are raised when its turn comes.

    Notes
    -----
    Values are computed in integers whose type is chosen by a bound; beyond 64 bits in Python's own. If
    the graph is too large, or the horizon or period too long, to sweep many tables at once, they are solved
    one by one.

    Examples
    --------
    >>> from tallyplan import solve_many
    >>> list(solve_many([[["0", "1"], ["0", "1"]], [["1/2", "1"], ["1/3", "1"]]]))
    [Fraction(0, 1), Fraction(5, 12)]
    >>> import numpy as np
    >>> list(solve_many(np.array([[[0, 3], [1, 2]]]), "plan", horizon=4, denominator=3))
    [Fraction(2, 3)]
    >>> list(solve_many([[["0", "1"], ["0", "1"]]], "cyclic", period=3))
    [Fraction(1, 3)]

    See Also
    --------
    tallyplan.minimum_mean_cycle : of one instance, with a certificate.
    tallyplan.studies.runners.run : many questions of any kind, kept in a file.
    """
    asked = _asked(question, horizon, start, period)
    workers = (os.cpu_count() or 1) if workers is None else positive_integer(workers, "workers")
    solved = _in_order(partial(_values, asked), _chunks(tables, asked, denominator), min(workers, THREADS))
    return ManyAnswers(question, _told(solved, progress))


def _asked(question: Any, horizon: Any, start: Sequence[int], period: Any) -> Asked:
    """The question, with the parameters that it has and no others."""
    if not isinstance(question, str) or question not in QUESTIONS:
        guess = did_you_mean(question, QUESTIONS)
        raise InvalidInput(
            f"there is no question {shown(question)}{guess} The questions are {', '.join(QUESTIONS)}."
        )
    for name, given, owner in (("horizon", horizon, "plan"), ("period", period, "cyclic")):
        if (given is None) == (question == owner):
            needs = "needs a" if given is None else "has no"
            raise InvalidInput(f"the question {question} {needs} {name}.")
    before = tuple(items(start, "start"))
    if question != "plan" and before:
        raise InvalidInput(f"the question {question} has no start.")
    if question == "cycle":
        return Asked(minimum_mean_cycle, least_means, lambda actions, memory: 20 * actions**memory)
    if question == "plan":
        steps = natural(horizon, "horizon")
        return Asked(
            lambda bandit: optimal_plan(bandit, steps, before),
            lambda tables: (least_walks(tables, [steps], last(before, tables.shape[2] - 1))[0], 1),
            lambda actions, memory: NUMPY * (steps * actions**memory + memory**2),
            before,
        )
    length = positive_integer(period, "period")
    return Asked(
        lambda bandit: optimal_cyclic_policy(bandit, length),
        lambda tables: (closed_walks(tables, length)[-1], length),
        lambda actions, memory: NUMPY * length * actions ** (2 * memory - 1),
    )


# -- tables in chunks -------------------------------------


def _chunks(tables: Iterable[Any], asked: Asked, denominator: Any) -> Iterator[Chunk]:
    """The tables in chunks, each some hundredths of a second of work."""
    unit = positive_integer(denominator, "denominator")
    if isinstance(tables, np.ndarray) and tables.dtype.kind != "f" and not np.ma.isMaskedArray(tables):
        if tables.ndim != 3 or tables.dtype.kind not in "iuO" or min(tables.shape[1:]) == 0:
            raise InvalidInput(
                f"an array of tables has integers and the shape (N, K, m), K and m at least 1; "
                f"this one has the shape {tables.shape} and the type {tables.dtype}."
            )
        size = _tables_per_chunk(asked, *tables.shape[1:])
        return (_array_chunk(tables, first, size, unit) for first in range(0, len(tables), size))
    if unit != 1:
        raise InvalidInput(
            "a denominator is for arrays of integers that are not masked; these tables hold losses."
        )
    return _read_chunks(items(tables, "tables", "a list of tables"), asked)


def _tables_per_chunk(asked: Asked, actions: int, memory: int) -> int:
    """For tables of this size, for which the start of the question is checked."""
    history_of(TallyingBandit([[0] * memory] * actions), asked.start)
    return max(1, min(TABLES_PER_CHUNK, EDGES_PER_CHUNK // max(1, asked.edges(actions, memory))))


def _array_chunk(tables: Array, first: int, size: int, unit: int) -> Chunk:
    some = tables[first : first + size]
    if some.dtype == object and not all(type(loss) is int for loss in some.flat):
        raise InvalidInput("an array of tables has integers; this one has other things in it.")
    if some.min() < 0 or some.max() > unit:
        i, x, y = map(int, np.argwhere((some < 0) | (some > unit))[0])
        raise InvalidInput(
            f"tables[{first + i}, {x}, {y}] is {shown(int(some[i, x, y]))}; with the denominator {unit} "
            f"losses are from 0 to {unit}."
        )
    return Chunk(some, _units([unit]).repeat(len(some)))


def _read_chunks(tables: Iterator[Any], asked: Asked) -> Iterator[Chunk]:
    """The tables of an iterable, all of the first one's size."""
    numbered = enumerate(tables)
    first = next(numbered, None)
    if first is None:
        return
    model = _table(*first)
    size = _tables_per_chunk(asked, model.actions, model.memory)
    left = chain([(0, model)], numbered)
    while some := [_table(number, table, model) for number, table in islice(left, size)]:
        units = _units([bandit.denominator for bandit in some])
        yield Chunk(np.array([bandit.integers for bandit in some], dtype=units.dtype), units)


def _units(denominators: list[int]) -> Array:
    """The denominators, which bound the entries, as 64-bit integers if they fit."""
    return np.array(denominators, dtype=np.int64 if max(denominators) < 2**62 else object)


def _table(number: int, table: Any, model: TallyingBandit | None = None) -> TallyingBandit:
    """The table of this number, of the size of the model."""
    try:
        bandit = table if isinstance(table, TallyingBandit) else TallyingBandit(table)
    except InvalidInput as error:
        raise InvalidInput(f"table {number}: {error}") from None
    if model is not None and (bandit.actions, bandit.memory) != (model.actions, model.memory):
        raise InvalidInput(
            f"table {number} has {bandit.actions} actions and memory {bandit.memory}, the first one "
            f"{model.actions} and {model.memory}; all must be of one size."
        )
    return bandit


# -- answers ----------------------------------------------


def _values(asked: Asked, chunk: Chunk) -> Solved:
    (_, actions, memory), units = chunk.tables.shape, chunk.denominators
    if actions ** (memory - 1) > MOST_STATES or asked.edges(actions, memory) > MOST_EDGES:
        ratios = [asked.single(bandit).value.as_integer_ratio() for bandit in chunk.bandits()]
        return Solved(*np.array(ratios, dtype=object).T)
    numerators, divisors = asked.together(chunk.tables)
    small = int(np.max(divisors)) * int(units.max()) < 2**63
    return Solved(numerators, divisors * (units if small else units.astype(object)))


def _in_order(solve: Callable[[Chunk], Solved], chunks: Iterator[Chunk], workers: int) -> Iterator[Solved]:
    """What becomes of each chunk, in their order; as many as there are workers are read at a time."""
    if workers == 1:
        yield from map(solve, chunks)
        return
    ended = Event()
    with ThreadPoolExecutor(workers, initializer=IS_OVER.set, initargs=(ended.is_set,)) as executor:
        try:
            while some := list(islice(chunks, workers)):
                yield from executor.map(solve, some)
        finally:  # also after Ctrl-C, or if nobody reads on
            ended.set()


def _told(found: Iterator[Solved], progress: Progress) -> Iterator[Solved]:
    done = 0
    for some in found:
        done += len(some)
        progress(f"{done} tables done")
        yield some
