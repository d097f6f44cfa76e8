"""Algorithm 1 with a wrong memory: what it believes when feedback has no noise.

The instantiation with memory m' takes each cell (x, y), y <= m', from the policy that meets it most often *by
its own tallies*, and stores the mean of the losses it sees there. The true losses follow the tallies of the
true memory m. `believed` are these means. A cyclic policy is a closed walk in the graph of histories, hence a
sum of simple cycles; so the simple cycles decide which policy meets a cell most often, for every period at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from proofs_check import definitions
from proofs_check.balls import precision
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import ceil_div
from tallyplan.model.replay import mean_of_word

Word = tuple[int, ...]
DELTA = Fraction(1, 20)
TWO_WIDTHS = Formula(f"2 * {WIDTH}")


@cache
def simple_cycles(actions: int, memory: int) -> tuple[Word, ...]:
    """The words of the simple cycles in the graph of histories of length m - 1.

    >>> simple_cycles(2, 2)
    ((0,), (1,), (0, 1))
    """
    import networkx as nx

    histories = list(product(range(actions), repeat=memory - 1))
    if memory == 1:
        return tuple((a,) for a in range(actions))
    graph = nx.DiGraph([(h, (*h, a)[1:]) for h in histories for a in range(actions)])
    words = [tuple(h[-1] for h in cycle) for cycle in nx.simple_cycles(graph)]
    return tuple(
        sorted((min(w[i:] + w[:i] for i in range(len(w))) for w in words), key=lambda w: (len(w), w))
    )


@cache
def steady_cells(word: Word, memory: int) -> list[tuple[int, int]]:
    """(action, tally) of each step of the word, repeated forever."""
    turns = ceil_div(memory, len(word)) + 1
    actions = tuple(word) * turns
    return [
        (actions[t], definitions.tally(actions, t, memory))
        for t in range(len(actions) - len(word), len(actions))
    ]


def frequency(word: Word, memory: int, cell: tuple[int, int]) -> Fraction:
    """N_xy: how often the word meets the cell."""
    return Fraction(steady_cells(word, memory).count(cell), len(word))


def most_frequent(words: Sequence[Word], memory: int, cell: tuple[int, int]) -> list[Word]:
    """The words that meet the cell most often."""
    rates = {word: frequency(word, memory, cell) for word in words}
    return [word for word in words if rates[word] == max(rates.values())]


def seen_at(truth: TallyingBandit, word: Word, memory: int, cell: tuple[int, int]) -> Fraction:
    """The mean of the true losses that the word meets at a cell of the wrong memory."""
    true_cells = steady_cells(word, truth.memory)
    losses = [
        truth.losses[x][y - 1]
        for mine, (x, y) in zip(steady_cells(word, memory), true_cells, strict=True)
        if mine == cell
    ]
    return sum(losses, Fraction(0)) / len(losses)


def believed(truth: TallyingBandit, memory: int, words: Sequence[Word]) -> TallyingBandit:
    """The table that the instantiation estimates; of equally frequent policies it takes the worst one."""

    def estimate(cell: tuple[int, int]) -> Fraction:
        met = [word for word in most_frequent(words, memory, cell) if frequency(word, memory, cell) > 0]
        return max((seen_at(truth, word, memory, cell) for word in met), default=Fraction(1))

    return TallyingBandit([[estimate((x, y + 1)) for y in range(memory)] for x in range(truth.actions)])


def least_belief(truth: TallyingBandit, memory: int, words: Sequence[Word]) -> tuple[Fraction, Word]:
    """The least estimated loss per step over the words, and a word that has it."""
    table = believed(truth, memory, words)
    return min((mean_of_word(table, word), word) for word in words)


def after_epoch(s: int, S: int, memory: int) -> dict[str, int | Fraction]:
    """The parameters of C_s, K = 2, on the horizon with S epochs."""
    return {"K": 2, "m": memory, "T": horizon_root(2, memory, S) ** 2, "s": s, "S": S, "delta": DELTA}


def gap_after(S: int) -> Fraction:
    """In the last epoch A_s keeps words with floor(2 C_(s-1) L) of L plays of the second action, m = 1."""
    L = horizon_root(2, 1, S)
    with precision(1024):
        most = (TWO_WIDTHS.ball(**after_epoch(S - 1, S, 1)) * L).floor().unique_fmpz()
    return Fraction(min(L, int(most)), L)
