"""Optimism when only an upper bound M on the memory is known: M sqrt(KT), up to a logarithm.

One optimistic planner (`optimistic_planner`) for every memory j = 1, ..., M, each with its own cells (x, y),
y <= j, and its own observations. An epoch belongs to the one whose optimistic table has the least mean, its
*promise*; it plays as the optimistic planner does. Each is charged the losses observed in its epochs minus
what it promised. After n steps in e epochs the true memory is charged at most

    allowance = (2 + sqrt 2) sqrt(K j n L) + (j - 1) e + sqrt(n ln(3T/delta) / 2),   L = ln(6KjT/delta),

with probability 1 - 2 delta/3, at every step: the analysis of optimism bounds the losses, and the last term
bounds how far observations exceed their means. So **a memory that is charged more is not the true one, and is
dropped at once**. The true one stays, so every promise is at most lambda*, and the regret is at most the
charges: with probability 1 - delta at most

    (2 + sqrt 2) sqrt(K M (M + 1) T L / 2) + sqrt(M T ln(3T/delta) / 2) + sqrt(T ln(3/delta) / 2)
      + K (M^3 - M)/3 log2(2 max(T, K)/K) + M (M - 1)/2 + 2M,

L at j = M (docs/findings.md, `tallyplan verify 'unknown-memory*'`). Nothing is assumed of
wrong memories: they may promise anything and mix cells.

Estimates are rounded as those of the optimistic planner, allowances up. Cells of another memory than the
game's own cannot be read off a bulk run, so the learner plays step by step, and a game takes time
proportional to T.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, cycle
from typing import TYPE_CHECKING

from flint import arb, fmpq

from tallyplan.games.optimism import NOT_EXACT, RADIUS_GRID, Radii, approach, optimistic, rotated
from tallyplan.games.registry import learner
from tallyplan.games.schedule import failure_probability, rounded_up
from tallyplan.model.rationals import positive_integer
from tallyplan.model.replay import Cell
from tallyplan.model.words import Word, last
from tallyplan.planning.mean_cycle import minimum_mean_cycle

if TYPE_CHECKING:
    from tallyplan.games.game import Game, Observed


@dataclass
class Candidate:
    """A memory that may be the true one.

    Attributes
    ----------
    history : the actions of the game, as far back as any memory looks.
    seen : what was observed in its own epochs, by its own cells.
    promise, word : the least mean of its optimistic table, and a word that attains it.
    charge : what was observed in its epochs, minus what it promised.
    steps, epochs : how many of each it has had.
    allowed : an allowance that it has had at some step; allowances only grow.
    """

    memory: int
    game: Game
    delta: Fraction
    history: deque[int]
    seen: Observed
    promise: Fraction = Fraction(0)
    word: Word = (0,)
    charge: Fraction = Fraction(0)
    steps: int = 0
    epochs: int = 0
    allowed: Fraction = Fraction(0)
    dropped: bool = False

    def play_epoch(self, *, last_one: bool) -> None:
        """Play its word until a cell has been met as often as before, it breaks its promise, or the end.

        The last memory is kept even if it breaks its promise, since something must be played.
        """
        self.epochs += 1
        before = dict(self.seen.plays)
        met: Counter[Cell] = Counter()
        for action in chain(approach(self.word, self.memory), cycle(self.word)):
            if not self.game.remaining:
                return
            cell = self._step(action)
            if self.charge > self.allowed and not last_one and self.breaks_its_promise():
                self.dropped = True
                return
            met[cell] += 1
            if met[cell] >= max(1, before.get(cell, 0)):
                break
        self._plan()

    def _step(self, action: int) -> Cell:
        """Play the action, charge what it loses, and put the observation into its cell."""
        cell = (action, last(tuple(self.history), self.memory - 1).count(action) + 1)
        loss = self.game.step(action)
        self.history.append(action)
        self.seen.plays[cell] += 1
        self.seen.totals[cell] += loss
        self.steps += 1
        self.charge += loss - self.promise
        return cell

    def _plan(self) -> None:
        """A word of least mean under its optimistic table."""
        actions, horizon = self.game.actions, self.game.horizon
        radii = Radii(self.delta / (3 * actions * self.memory * horizon), horizon)
        table = optimistic(self.seen, actions, self.memory, radii)
        found = minimum_mean_cycle(table)
        if not found.exact:
            self.game.depart(NOT_EXACT)
        self.promise, self.word = found.lower, rotated(table, found.word)

    def breaks_its_promise(self) -> bool:
        """Whether it is charged more than the true memory could be."""
        sizes = self.game.actions, self.memory, self.steps, self.epochs, self.game.horizon
        self.allowed = allowance(*sizes, self.delta)
        return self.charge > self.allowed


@learner("optimistic-unknown-memory")
@dataclass(frozen=True, kw_only=True)
class OptimisticUnknownMemory:
    """Optimism for every memory up to M at once; a memory that breaks its promise is dropped.

    Parameters
    ----------
    delta : the probability with which the bound may fail.
    most_memory : the upper bound M on the memory; None means the game's own memory, the tightest bound.

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> from tallyplan.games.game import Game
    >>> game = Game(TallyingBandit([["0", "1"], ["1/2", "1/2"]]), horizon=500, seed=1)
    >>> OptimisticUnknownMemory(most_memory=4).play(game)
    >>> game.remaining
    0
    """

    delta: Fraction = Fraction(1, 20)
    most_memory: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))
        if self.most_memory is not None:
            positive_integer(self.most_memory, "most_memory")

    def play(self, game: Game) -> None:
        """Give each epoch to the memory that promises the least loss."""
        self.compare(game)

    def compare(self, game: Game) -> list[Candidate]:
        """Play the game; return what became of every memory."""
        game.require_decisions()
        most = self.most_memory or game.memory
        history: deque[int] = deque(maxlen=most - 1)
        candidates = [
            Candidate(memory, game, self.delta, history, game.run((0,), 0)) for memory in range(1, most + 1)
        ]
        while game.remaining:
            left = [one for one in candidates if not one.dropped]
            chosen = min(left, key=lambda one: (one.promise, one.memory))
            chosen.play_epoch(last_one=len(left) == 1)
        return candidates


def allowance(actions: int, memory: int, steps: int, epochs: int, horizon: int, delta: Fraction) -> Fraction:
    """What may be charged to the true memory, rounded up.

    >>> round(float(allowance(2, 2, 100, 5, 1000, Fraction(1, 20))), 3)
    275.428
    """
    per_delta = arb(fmpq(delta.denominator, delta.numerator))
    log = (6 * actions * memory * horizon * per_delta).log()
    radii = (2 + arb(2).sqrt()) * (actions * memory * steps * log).sqrt()
    noise = (steps * (3 * horizon * per_delta).log() / 2).sqrt()
    return rounded_up(radii + noise, RADIUS_GRID) + (memory - 1) * epochs
