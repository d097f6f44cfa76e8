"""What the optimistic planners share: lower bounds of the losses, the start of a word, epochs in bulk.

Confidence radii are rationals. Hoeffding: the mean of n independent observations in [0, 1] is within
sqrt(ln(2/p) / (2n)) of its expectation, except with probability p. Laplace's method: except with probability
p, the mean of the first n is within sqrt((1 + 1/n) ln(sqrt(n + 1)/p) / (2n)) of it for all n at once.
Logarithm and root are Arb balls; a radius is rounded up to a multiple of 2^-32, or of a finer grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, product
from typing import TYPE_CHECKING

from flint import arb, ctx, fmpq

from tallyplan.games.schedule import rounded_up
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import Cell, period_counts
from tallyplan.model.words import Word, last, last_of_runs

if TYPE_CHECKING:
    from tallyplan.games.game import Game, Observed

NOT_EXACT = "a plan is only known to be within an interval of the best"
RADIUS_GRID = 2**32
SPARE_BITS = 64  # of the balls, beyond those of the grid


@lru_cache(maxsize=4096)
def hoeffding_radius(plays: int, failure: Fraction, grid: int = RADIUS_GRID) -> Fraction:
    """The confidence radius after `plays` observations, wrong with probability at most `failure`.

    Rounded up to a multiple of 1 / grid, less than 2 / grid above the true radius.

    >>> round(float(hoeffding_radius(100, Fraction(1, 20))), 9)
    0.135810152
    """
    with ctx.workprec(grid.bit_length() + SPARE_BITS):
        ball = (arb(fmpq(2 * failure.denominator, failure.numerator)).log() / (2 * plays)).sqrt()
        return rounded_up(ball, grid)


@lru_cache(maxsize=4096)
def anytime_radius(plays: int, failure: Fraction, grid: int = RADIUS_GRID) -> Fraction:
    """A radius that holds for all numbers of plays at once, except with probability `failure`.

    >>> round(float(anytime_radius(100, Fraction(1, 20))), 9)
    0.163650931
    """
    with ctx.workprec(grid.bit_length() + SPARE_BITS):
        log = (arb(plays + 1).sqrt() * arb(fmpq(failure.denominator, failure.numerator))).log()
        return rounded_up((log * (plays + 1) / 2).sqrt() / plays, grid)


@dataclass(frozen=True)
class Radii:
    """How far the mean of n observations of a cell may be off, and on which grid its lower bound is rounded.

    Attributes
    ----------
    failure : the probability that a radius of a cell is wrong: for one n, or for any n of an unknown horizon.
    horizon : None if it is unknown.
    """

    failure: Fraction
    horizon: int | None

    @classmethod
    def of(cls, game: Game, delta: Fraction, *, anytime: bool = False) -> Radii:
        """Radii that are right for all cells of the game together with probability 1 - delta."""
        cells, steps = game.actions * game.memory, max(1, game.horizon)
        return cls(delta / cells, None) if anytime else cls(delta / (cells * steps), steps)

    def grid(self, plays: int) -> int:
        """A power of two: at least 4T, or at least 512 n^2 if T is unknown.

        >>> Radii(Fraction(1, 2), 10**12).grid(7) == 2**42, Radii(Fraction(1, 2), None).grid(3)
        (True, 8192)
        """
        least = 4 * self.horizon if self.horizon is not None else 512 * plays**2
        return int(2 ** (least - 1).bit_length())

    def lower(self, total: Fraction, plays: int) -> Fraction:
        """The lower confidence bound, rounded down by less than 3 / grid; 0 if nothing was seen."""
        if plays == 0:
            return Fraction(0)
        grid = self.grid(plays)
        radius = anytime_radius if self.horizon is None else hoeffding_radius
        bound = total / plays - radius(plays, self.failure, grid)
        return max(Fraction(0), Fraction(int(bound * grid // 1), grid))


class Levels:
    """The counts of a cell at which an epoch ends: 1, then l + max(l, floor(m sqrt(l / L))).

    L = ln(2 / failure) is irrational, so a fine enough ball decides the floor.

    >>> levels = Levels(100, Fraction(1, 10**6))
    >>> [levels.after(plays) for plays in (0, 1, 27, 160, 492)]
    [1, 27, 163, 163, 498]
    """

    def __init__(self, memory: int, failure: Fraction) -> None:
        self._memory, self._failure, self._known = memory, failure, [1]

    def after(self, plays: int) -> int:
        """The first level above this number of plays."""
        while self._known[-1] <= plays:
            level = self._known[-1]
            self._known.append(level + max(level, self._floor(level)))
        return next(level for level in self._known if level > plays)

    def _floor(self, level: int) -> int:
        bits = 64 + level.bit_length()
        while True:
            with ctx.workprec(bits):
                log = arb(fmpq(2 * self._failure.denominator, self._failure.numerator)).log()
                whole = (self._memory * (level / log).sqrt()).floor().unique_fmpz()
            if whole is not None:
                return int(whole)
            bits *= 2


def visit_limits(game: Game, seen: Observed, levels: Levels | None = None) -> dict[Cell, int]:
    """How often each cell may be met in the next epoch: max(1, N), or up to its next level."""
    limits = {}
    for cell in product(range(game.actions), range(1, game.memory + 1)):
        plays = seen.plays[cell]
        limits[cell] = max(1, plays) if levels is None else levels.after(plays) - plays
    return limits


def optimistic(seen: Observed, actions: int, memory: int, radii: Radii) -> TallyingBandit:
    """The table of lower confidence bounds."""
    return TallyingBandit(
        [
            [radii.lower(seen.totals[x, y], seen.plays[x, y]) for y in range(1, memory + 1)]
            for x in range(actions)
        ]
    )


def rotated(table: TallyingBandit, word: Word) -> Word:
    """The rotation of a repeated word in which no prefix has a mean loss above the word's.

    It begins where the sums of (loss - mean) are largest (the cycle lemma).

    >>> rotated(TallyingBandit([["1", "0"], ["1/2", "0"]]), (0, 0, 1))
    (0, 1, 0)
    """
    costs = [table.losses[x][y - 1] for x, y in cells(approach(word, table.memory), word, table.memory)]
    above = [Fraction(0), *accumulate(len(word) * cost - sum(costs) for cost in costs)]
    begin = above.index(max(above[:-1]))
    return word[begin:] + word[:begin]


def approach(word: Word, memory: int) -> Word:
    """The m - 1 letters that precede each turn of a word that is repeated forever.

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
        window = (*history, action)
        history = last(window, memory - 1)
        yield action, window.count(action)


def play_epoch(game: Game, start: Word, word: Word, limits: Mapping[Cell, int]) -> Observed:
    """Play `start`, then repeat `word`, until some cell has been met as often as its limit allows.

    After `start` the history is that of the repeated word. Whole turns are played in bulk as long as no
    cell reaches its limit, then single letters.
    """
    met, left = period_counts(word, game.memory), dict(limits)
    steps, ended = _until_full(game.history, start[: game.remaining], game.memory, left)
    seen = game.run(start[:steps]) if steps else game.run(word, 0)
    if ended or not game.remaining:
        return seen
    turns = min((left[cell] - 1) // times for cell, times in met.items())
    turns = min(turns, game.remaining // len(word))
    seen = seen + game.run(word, turns)
    left = {cell: some - turns * met[cell] for cell, some in left.items()}
    steps, _ = _until_full(approach(word, game.memory), word[: game.remaining], game.memory, left)
    return seen + game.run(word[:steps]) if steps else seen


def _until_full(history: Word, actions: Word, memory: int, left: dict[Cell, int]) -> tuple[int, bool]:
    """How many actions are played until a cell has no visits left, and whether one ran out.

    Their visits are subtracted from `left`.
    """
    for steps, cell in enumerate(cells(history, actions, memory), start=1):
        left[cell] -= 1
        if left[cell] == 0:
            return steps, True
    return len(actions), False
