"""The game between a learner and a bandit: the learner sees noisy losses, the account holds the exact means.

A learner is anything with a method `play(game)`. It calls `game.step(action)`, which plays one action and
returns the observed loss, or `game.run(word, repeats)`, which plays a word many times in bulk at the cost of
the word, until exactly `game.horizon` steps are played. It knows the bandit only through K, m, T and what
these calls return, keeps its state in local variables, so that one learner can play many games, and takes its
randomness from `game.rng`.

The loss of a game is the sum of the means h along the actions actually played, an exact rational, whatever
was observed.

Seeds: `SeedSequence(seed)` has two children, one for the noise and one for the learner's own coins (`rng`),
both PCG64. The same seed, bandit and learner give the same game, bit for bit, on every machine with the same
numpy streams. The noise of a bulk run is drawn cell by cell in the order of (x, y), so that a game played in
bulk and the same game played in steps see different noise of the same distribution (and the same losses).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from tallyplan.answers import RUNS_SHOWN
from tallyplan.errors import InvalidInput, TimeLimitReached
from tallyplan.games.feedback import Bernoulli, Feedback
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.instance import Bandit, State, TallyingBandit
from tallyplan.model.rationals import integer, natural, shown
from tallyplan.model.replay import Cell, checked_action, checked_word, tally_counts, visits_from
from tallyplan.model.words import Word, items, last, last_of_runs, written
from tallyplan.planning.effort import OutOfTimeError, tick

MOST_SINGLE_STEPS = 10**8  # that a learner may have to decide
STEPS_PER_REPORT = 2**16  # single steps between two lines of progress

Number = TypeVar("Number", int, Fraction)


class PerCell(dict[Cell, Number]):
    """A number for every cell (x, y), 0 unless it is set."""

    def __missing__(self, cell: Cell) -> int:
        return 0

    def __add__(self, other: PerCell[Number]) -> PerCell[Number]:
        return PerCell({cell: self[cell] + other[cell] for cell in self.keys() | other.keys()})


@dataclass(frozen=True)
class Observed:
    """What a bulk run showed, cell by cell (x, y), y = 1 .. m.

    Attributes
    ----------
    plays : how often the cell was played.
    totals : the sum of the losses observed there.

    >>> import tallyplan as tp
    >>> from tallyplan.games.feedback import Deterministic
    >>> from tallyplan.games.game import Game
    >>> seen = Game(tp.make("counterexample-3"), horizon=10, feedback=Deterministic()).run([0, 0], 2)
    >>> seen.plays[0, 2], seen.totals[0, 2]
    (3, Fraction(3, 1))
    """

    plays: PerCell[int]
    totals: PerCell[Fraction]

    def __add__(self, other: Observed) -> Observed:
        return Observed(self.plays + other.plays, self.totals + other.totals)

    def estimate(self) -> TallyingBandit:
        """The bandit whose losses are the means observed, after `Game.explore` has met every cell."""
        actions, memory = (1 + max(indices) for indices in zip(*self.plays, strict=True))
        cells = [[(x, y) for y in range(1, memory)] for x in range(actions)]
        return TallyingBandit([[self.totals[cell] / self.plays[cell] for cell in row] for row in cells])

    def mean(self, cell: Cell) -> Fraction | None:
        """The mean of the observed losses of a cell; None if it was not played."""
        plays = self.plays[cell]
        return Fraction(self.totals[cell]) / plays if plays else None


@runtime_checkable
class Learner(Protocol):
    """Plays exactly `game.horizon` steps.

    >>> class Always:
    ...     def play(self, game):
    ...         game.run([0], game.horizon)
    >>> import tallyplan as tp
    >>> from tallyplan.games.game import simulate
    >>> simulate(tp.make("counterexample-3"), Always(), horizon=4).loss
    Fraction(3, 1)

    See Also
    --------
    tallyplan.games.learners.stepwise.Stepwise : a learner from a function.
    tallyplan.games.registry.learner : gives it a name.
    """

    def play(self, game: Game) -> None:
        """Play the game to its end."""


class Game:
    """One game of `horizon` steps, from the empty history.

    Attributes
    ----------
    actions, memory, horizon : K, m, T; arms have no memory, and asking for it is an error.
    time, remaining : steps played, steps left.
    state : the last m - 1 actions, oldest first (fewer in the beginning); or the states of the arms.
    history : another name of `state`.
    rng : the learner's own coins, seeded.
    loss : the sum of the means so far; the learner must not use it.
    runs : everything played, as (word, repeats).
    departures : where the learner could not keep to its algorithm; its theorems do not hold for this game.
    gap : what the learner's plans may lose beyond the best ones, under the tables that it planned with and
        summed over the steps; 0 if every plan is exact.

    >>> import tallyplan as tp
    >>> from tallyplan.games.game import Game
    >>> game = Game(tp.make("counterexample-3"), horizon=10)
    >>> game.step(0), game.run([1, 0], 2).plays[0, 1]
    (Fraction(0, 1), 2)
    >>> game.remaining, game.loss
    (5, Fraction(0, 1))
    """

    def __init__(
        self,
        bandit: Bandit,
        horizon: int,
        *,
        seed: int | np.random.SeedSequence = 0,
        feedback: Feedback | None = None,
        progress: Progress = silent,
    ) -> None:
        self.actions: int = bandit.actions
        self.horizon: int = natural(horizon, "horizon")
        self.time: int = 0
        self.state: State = bandit.state_after(())
        noise, coins = seed_sequence(seed).spawn(2)
        self.rng: np.random.Generator = np.random.Generator(np.random.PCG64(coins))
        self._noise = np.random.Generator(np.random.PCG64(noise))
        self._feedback: Feedback = Bernoulli() if feedback is None else feedback
        self._bandit = bandit
        self._cost = 0
        self._runs: list[tuple[Word, int]] = []
        self._steps: list[int] = []
        self._progress = progress
        self.departures: tuple[str, ...] = ()
        self.gap: Fraction = Fraction(0)

    @property
    def remaining(self) -> int:
        """Steps left to play."""
        return self.horizon - self.time

    @property
    def loss(self) -> Fraction:
        """The exact sum of the mean losses so far."""
        return Fraction(self._cost, self._bandit.denominator)

    @property
    def runs(self) -> tuple[tuple[Word, int], ...]:
        """What was played, in order."""
        self._flush()
        return tuple(self._runs)

    @property
    def memory(self) -> int:
        """m, the length of the window."""
        if not self._bandit.memory:
            raise InvalidInput("this learner counts plays in a window of m steps; an arm bandit has none.")
        return self._bandit.memory

    @property
    def sizes(self) -> tuple[int, int, int]:
        """K, m (0 for arms) and T."""
        return self.actions, self._bandit.memory, self.horizon

    @property
    def history(self) -> Word:
        """The last m - 1 actions."""
        return self.state

    def tally_of(self, action: int) -> int:
        """The tally y that `action` would have if played now; in an arm bandit, the state of the arm."""
        return self._bandit.seen_at(self.state, action)

    def depart(self, reason: str) -> None:
        """Record that the learner deviates from its algorithm, and why."""
        if reason not in self.departures:
            self.departures += (reason,)

    def concede(self, gap: Fraction, steps: int) -> None:
        """Record that the plan of these steps may be above the best one, by at most `gap` per step."""
        self.gap += gap * steps

    def require_decisions(self, every: int = 1) -> None:
        """Refuse a game with more than 10^8 decisions, if there is one every `every` steps."""
        if self.remaining > MOST_SINGLE_STEPS * every:
            often = "step by step" if every == 1 else f"every {shown(every)} steps"
            raise InvalidInput(
                f"this learner decides {often}, at most {MOST_SINGLE_STEPS} times; the game has "
                f"{shown(self.horizon)} steps. Longer games need a learner that plays words in bulk."
            )

    def step(self, action: int) -> Fraction:
        """Play one action and return the observed loss."""
        tick()
        action = checked_action(self._bandit, action, f"the action of step {self.time + 1}")
        self._require(1)
        mean, after = self._bandit.step(self.state, action)
        seen = self._feedback.one(mean, self._noise)
        self.state = after
        self._cost += self._bandit.scaled(mean)
        self._steps.append(action)
        self.time += 1
        if len(self._steps) % STEPS_PER_REPORT == 0:
            self._progress(f"step {self.time} of {self.horizon}")
        return seen

    def run(self, word: Sequence[int], repeats: int = 1) -> Observed:
        """Play `word` `repeats` times; return the plays and the sum of observations of each cell (x, y).

        The tallies are the true ones along the actual history. The time depends on the word alone.

        Raises
        ------
        InvalidInput : an unknown action, an empty word, a negative number of repeats, or too many steps.
        """
        tick()
        repeats = integer(repeats, "the repeats of a run")
        played = self._checked_word(word)
        if repeats < 0:
            raise InvalidInput(f"the repeats of a run are {shown(repeats)}; they cannot be negative.")
        seen = Observed(PerCell(), PerCell())
        if repeats == 0:
            return seen
        self._require(len(played) * repeats)
        met, after = self._met(played, repeats)
        for cell, mean, plays in met:
            seen.plays[cell] += plays
            seen.totals[cell] += self._feedback.total(mean, plays, self._noise)
        self._cost += sum(plays * self._bandit.scaled(mean) for _, mean, plays in met)
        self._flush()
        earlier = self._runs.pop()[1] if self._runs and self._runs[-1][0] == played else 0
        self._runs.append((played, earlier + repeats))
        self.state = after
        self.time += len(played) * repeats
        self._progress(f"step {self.time} of {self.horizon}")
        return seen

    def repeat(self, word: Sequence[int]) -> None:
        """Repeat `word` to the end of the game; the last turn may be cut short."""
        word = tuple(word)
        turns, rest = divmod(self.remaining, len(word))
        self.run(word, turns)
        if rest:
            self.run(word[:rest])

    def explore(self, rounds: int = 1) -> Observed | None:
        """Play every action m times in a row, 0^m 1^m ... (K-1)^m; None if that ends the game too early.

        For K >= 2 one round meets every cell (x, y) exactly once, also after an earlier round: when x comes
        back, the window holds m - 1 plays of another action. (K = 1 meets the cells y < m once only.)

        >>> import tallyplan as tp
        >>> Game(tp.make("counterexample-3"), horizon=7).explore().plays
        {(0, 1): 1, (0, 2): 1, (1, 1): 1, (1, 2): 1}
        """
        word = [x for x in range(self.actions) for _ in range(self.memory)]
        if len(word) * rounds > self.remaining:
            self.repeat(word)
            return None
        return self.run(word, rounds)

    def _met(self, word: Word, repeats: int) -> tuple[list[tuple[Cell, Fraction, int]], State]:
        """The cells that a run meets, (x, y) in order, with their mean losses and counts; the state after."""
        bandit, keep = self._bandit, self._bandit.memory - 1
        if isinstance(bandit, TallyingBandit):
            counts = tally_counts(word, bandit.memory, repeats=repeats, start=self.state)
            after = last((*self.state, *last_of_runs([(word, repeats)], keep)), keep)
            return [((x, y), bandit.losses[x][y - 1], counts[x, y]) for x, y in sorted(counts)], after
        visits, after = visits_from(bandit, [(word, repeats)], self.state)
        groups: Counter[tuple[Cell, Fraction]] = Counter()  # losses that see more than the tally
        for (here, action), times in visits.items():
            groups[(action, bandit.seen_at(here, action)), bandit.step(here, action)[0]] += times
        return [(cell, mean, groups[cell, mean]) for cell, mean in sorted(groups)], after

    def _checked_word(self, word: Sequence[int]) -> Word:
        """The word; a faulty action is named."""
        if self._runs and word is self._runs[-1][0]:  # a long policy is usually played several times
            return self._runs[-1][0]
        needed = "a list of at least one action"
        actions = checked_word(self._bandit, items(word, "the word of a run", needed), "an action of a run")
        if not actions:
            raise InvalidInput(f"the word of a run is {shown(word)}; {needed} is needed.")
        return actions

    def _require(self, steps: int) -> None:
        if steps > self.remaining:
            raise InvalidInput(
                f"the learner plays {shown(steps)} more steps after step {self.time}; "
                f"the game has {self.horizon}."
            )

    def _flush(self) -> None:
        if self._steps:
            self._runs.append((tuple(self._steps), 1))
            self._steps = []


@displayable
@dataclass(frozen=True)
class Played:
    """A finished game.

    Attributes
    ----------
    runs : what was played, as ((word, repeats), ...).
    loss : the exact sum of the means along it.
    departures : where the learner could not keep to its algorithm.
    gap : what its plans may lose beyond the best ones, summed over the steps.

    >>> import tallyplan as tp
    >>> from tallyplan.games.game import simulate
    >>> from tallyplan.games.learners.stepwise import Stepwise
    >>> played = simulate(tp.make("counterexample-3"), Stepwise(lambda seen: 0), horizon=3)
    >>> played.loss, played.runs
    (Fraction(2, 1), (((0, 0, 0), 1),))
    """

    bandit: Bandit = field(repr=False)
    horizon: int
    runs: tuple[tuple[Word, int], ...] = field(repr=False)
    loss: Fraction
    departures: tuple[str, ...] = ()
    gap: Fraction = Fraction(0)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        return card(
            f"a game of {self.horizon} steps",
            {"loss": self.loss, "played": written(self.runs[:RUNS_SHOWN], self.bandit.actions)}
            | {f"departure {i}": words for i, words in enumerate(self.departures[:RUNS_SHOWN], start=1)},
        )


def simulate(
    bandit: Bandit,
    learner: Learner,
    horizon: int,
    *,
    seed: int | np.random.SeedSequence = 0,
    feedback: Feedback | None = None,
    progress: Progress = silent,
) -> Played:
    """Let a learner play `horizon` steps.

    Parameters
    ----------
    seed : determines the noise and the learner's coins.
    feedback : Bernoulli by default; see `tallyplan.games.feedback`.

    Raises
    ------
    InvalidInput : the learner played an unknown action, too many steps or too few, or changed the bandit.
    TimeLimitReached : the time limit around the game has passed (`tallyplan.planning.effort.limited`).

    Examples
    --------
    >>> from tallyplan import TallyingBandit
    >>> from tallyplan.games.learners.baselines import RoundRobin
    >>> simulate(TallyingBandit([["0", "1"], ["0", "1"]]), RoundRobin(), 10**11).loss
    Fraction(0, 1)

    See Also
    --------
    tallyplan.games.trials.play_repeatedly : many seeds.
    tallyplan.games.regret.complete_policy_regret : what the game cost beyond the optimum.
    """
    game = Game(bandit, horizon, seed=seed, feedback=feedback, progress=progress)
    before = dict(vars(bandit))
    try:
        learner.play(game)
    except OutOfTimeError:
        where = f"after {shown(game.time)} of {shown(game.horizon)} steps of a game"
        raise TimeLimitReached(f"the time limit was reached {where}; its regret is not known.") from None
    if any(vars(bandit).get(name) is not value for name, value in before.items()):
        raise InvalidInput("the learner changed the bandit, so its loss means nothing; it may only look.")
    if game.remaining:
        raise InvalidInput(
            f"the learner stopped after {game.time} of {game.horizon} steps; a learner plays all of them."
        )
    return Played(bandit, game.horizon, game.runs, game.loss, game.departures, game.gap)


def seed_sequence(seed: Any) -> np.random.SeedSequence:
    """The seed of a game; children of one `SeedSequence` seed independent games."""
    if isinstance(seed, np.random.SeedSequence):
        return np.random.SeedSequence(seed.entropy, spawn_key=seed.spawn_key)
    return np.random.SeedSequence(natural(seed, "the seed"))
