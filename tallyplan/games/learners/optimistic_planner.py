"""An optimistic planner: sqrt(mKT) up to a logarithm, on the known graph of a tallying bandit.

A tallying bandit is a known deterministic graph with C = K m unknown means. Write N_c for the observations of
cell c so far, L = ln(2CT/delta) and r(n) = sqrt(L / (2n)). An epoch is this:

1. h~_c = max(0, mean_c - r(N_c)), and 0 where nothing was seen. With probability 1 - delta all of them are
   below the losses, at all times.
2. A word w that has the least mean loss under h~, rotated so that no beginning of it is above this mean.
3. Play the m - 1 letters that come before w when it repeats, then w again and again; stop **at once**, in
   the middle of the word too, when some cell has been met max(1, N_c) times in this epoch.

With probability 1 - delta the regret is at most (2 + sqrt 2) sqrt(CTL) + (m - 1)(C log2(2 max(T, C)/C) + 2)
(`docs/optimism.md`, `tallyplan verify 'optimism*'`). The idea is that of UCRL2 (Auer, Jaksch and Ortner
2010); with this rate it is CARMAB (Awasthi, Bhatia, Gollapudi and Kollias 2022).

**Rounding.** The lower bounds are multiples of 1/G, rounded down, G a power of two >= 4T. They stay below
the losses, and each is within 3/G <= 1/T of its true value, so that all T steps together lose at most 1 by
it. The bound has room for this: a first visit costs 1 at most, and is charged 2 at least.

An epoch is one exact plan over K^(m-1) histories and a few bulk runs: the horizon costs its epochs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from tallyplan.games.confidence import failure_probability, hoeffding_radius
from tallyplan.games.registry import learner
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.tallies import Cell, period_counts, windowed
from tallyplan.model.words import Word, last_of_runs
from tallyplan.planning.mean_cycle import minimum_mean_cycle

if TYPE_CHECKING:
    from tallyplan.games.game import Game, Observed


@learner("optimistic-planner")
@dataclass(frozen=True, kw_only=True)
class OptimisticPlanner:
    """Re-plan on optimistic estimates when a count has doubled: sqrt(mKT), up to a logarithm.

    Parameters
    ----------
    delta : the probability with which some estimate may fail to be optimistic.
    """

    delta: Fraction = Fraction(1, 20)

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))

    def play(self, game: Game) -> None:
        """Plan optimistically, play until a count has doubled, and again."""
        failure = self.delta / (game.actions * game.memory * max(1, game.horizon))
        grid = grid_for(game.horizon)
        seen = game.run((0,), 0)
        while game.remaining:
            table = optimistic(seen, game.actions, game.memory, failure, grid)
            seen = seen + play_epoch(game, rotated(table, minimum_mean_cycle(table).word), seen.plays)


def grid_for(horizon: int) -> int:
    """A power of two that is at least 4T.

    >>> grid_for(1), grid_for(10**12) == 2**42
    (4, True)
    """
    return int(2 ** (4 * max(1, horizon) - 1).bit_length())


def optimistic(seen: Observed, actions: int, memory: int, failure: Fraction, grid: int) -> TallyingBandit:
    """The table of lower confidence bounds, rounded down to multiples of 1 / grid, by less than 3 / grid."""

    def lower(cell: Cell) -> Fraction:
        plays = seen.plays[cell]
        if plays == 0:
            return Fraction(0)
        bound = seen.totals[cell] / plays - hoeffding_radius(plays, failure, grid)
        return max(Fraction(0), Fraction(int(bound * grid // 1), grid))

    return TallyingBandit([[lower((x, y)) for y in range(1, memory + 1)] for x in range(actions)])


def rotated(table: TallyingBandit, word: Word) -> Word:
    """The rotation of a word no beginning of which loses more than its mean, when the word is repeated.

    It begins where the sums of (loss - mean) are largest (the cycle lemma).

    >>> rotated(TallyingBandit([["1", "0"], ["1/2", "0"]]), (0, 0, 1))
    (0, 1, 0)
    """
    costs = [table.losses[x][y - 1] for x, y in cells(approach(word, table.memory), word, table.memory)]
    above = [Fraction(0), *accumulate(len(word) * cost - sum(costs) for cost in costs)]
    begin = above.index(max(above[:-1]))
    return word[begin:] + word[:begin]


def approach(word: Word, memory: int) -> Word:
    """The m - 1 letters that come before a word that is repeated.

    >>> approach((0, 1, 1), 5)
    (1, 0, 1, 1)
    """
    return last_of_runs([(word, memory)], memory - 1)


def cells(history: Word, actions: Iterable[int], memory: int) -> Iterator[Cell]:
    """The cells (x, y) that the actions meet after a history, one by one.

    >>> list(cells((0,), (0, 1, 0), 2))
    [(0, 2), (1, 1), (0, 1)]
    """
    for action in actions:
        window, history = windowed(history, action, memory)
        yield action, window.count(action)


def play_epoch(game: Game, word: Word, before: Mapping[Cell, int]) -> Observed:
    """Approach the word and repeat it, until a cell was met max(1, before) times in this epoch.

    In bulk: whole words as long as no cell gets there, then letter by letter.
    """
    start, met = approach(word, game.memory), period_counts(word, game.memory)
    room = {(x, y): max(1, before[x, y]) for x in range(game.actions) for y in range(1, game.memory + 1)}
    steps, ended = _until_full(game.history, start[: game.remaining], game.memory, room)
    seen = game.run(start[:steps]) if steps else game.run(word, 0)
    if ended or not game.remaining:
        return seen
    turns = min((room[cell] - 1) // times for cell, times in met.items())
    turns = min(turns, game.remaining // len(word))
    seen = seen + game.run(word, turns)
    room = {cell: left - turns * met[cell] for cell, left in room.items()}
    steps, _ = _until_full(start, word[: game.remaining], game.memory, room)
    return seen + game.run(word[:steps]) if steps else seen


def _until_full(history: Word, actions: Word, memory: int, room: dict[Cell, int]) -> tuple[int, bool]:
    """How many of the actions are played until a cell has no room left, and whether one has not.

    Takes from the room what they use.
    """
    for steps, cell in enumerate(cells(history, actions, memory), start=1):
        room[cell] -= 1
        if room[cell] == 0:
            return steps, True
    return len(actions), False
