"""Optimistic planners: sqrt(mKT) up to a logarithm, on the known graph of a tallying bandit.

A tallying bandit is a known deterministic graph with C = K m unknown means. Write N_c for the observations of
cell c so far, L = ln(2CT/delta) and r(n) = sqrt(L / (2n)). An epoch is this:

1. h~_c = max(0, mean_c - r(N_c)), and 0 where nothing was seen. With probability 1 - delta all of them are
   below the losses, at all times.
2. A word w that has the least mean loss under h~, rotated so that no beginning of it is above this mean.
3. Play the m - 1 letters that come before w when it repeats, then w again and again; stop **at once**, in
   the middle of the word too, when some cell has been met max(1, N_c) times in this epoch.

With probability 1 - delta the regret is at most (2 + sqrt 2) sqrt(CTL) + (m - 1)(C log2(2 max(T, C)/C) + 2)
(`docs/optimism.md`, `tallyplan verify 'optimism*'`). The idea is that of UCRL2 (Auer, Jaksch and Ortner
2010); with this rate it is CARMAB (Awasthi, Bhatia, Gollapudi and Kollias 2022; `carmab` below).

**Any time.** The radius r(n) = sqrt((1 + 1/n) ln(C sqrt(n+1)/delta) / (2n)) holds for all n at once, so that
T need not be known; L becomes ln(C sqrt(T+1)/delta), which is less.

**Few epochs.** A cell has levels 1 = l_1 < l_2 < ..., l' = l + max(l, floor(m sqrt(l/L))), and an epoch ends
when the count of a cell reaches its next level. The first levels grow like the iterated roots of (m^2/L), so
that a cell ends only log log m epochs before its count is of the order m^2/L; from there on an epoch costs
less than what the radii cost anyhow. The overhead has no log T then.

**Within gaps.** Where the graph is too large, the plan of an epoch is a word whose mean is within a certified
gap of the least. The game sums up these gaps, step by step, and the bound grows by the sum.

**Rounding.** The lower bounds are multiples of 1/G, rounded down, G a power of two >= 4T; where T is unknown,
G >= 512 N_c^2. They stay below the losses, and each is within 3/G of its true value, so that all steps
together lose at most 1 by it, or 1/50 per cell. The bounds have room for this: a first visit costs 1 at most,
and is charged more.

An epoch is one exact plan over K^(m-1) histories and a few bulk runs: time grows with the epochs, not with T.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tallyplan.answers import MeanCycle
from tallyplan.errors import InvalidInput
from tallyplan.games.optimism import (
    NOT_EXACT,
    Levels,
    Radii,
    approach,
    optimistic,
    play_epoch,
    rotated,
    visit_limits,
)
from tallyplan.games.registry import learner
from tallyplan.games.schedule import failure_probability
from tallyplan.model.graph import StateGraph
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import rational, shown
from tallyplan.model.words import Word, last
from tallyplan.planning.mean_cycle import STATES_SWEPT_FIRST, minimum_mean_cycle

if TYPE_CHECKING:
    from tallyplan.games.game import Game


@learner("optimistic-planner")
@dataclass(frozen=True, kw_only=True)
class OptimisticPlanner:
    """Re-plan on optimistic estimates when a count has doubled: sqrt(mKT), up to a logarithm.

    Parameters
    ----------
    delta : the probability with which some estimate may fail to be optimistic.
    anytime : use radii that hold for all T, and do not look at the horizon.
    few_epochs : end an epoch at the levels of a cell instead of when its count has doubled.
    rotate : begin a word where no beginning of it is above its mean; else wherever it is reached soonest.
    gap : be content with a plan as soon as it is proved to be within this share of the best; the game's
        `gap` says how far the plans were off. None: a plan that is not exact is a departure.
    """

    delta: Fraction = Fraction(1, 20)
    anytime: bool = False
    few_epochs: bool = False
    rotate: bool = True
    gap: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", failure_probability(self.delta))
        if self.anytime and self.few_epochs:
            raise InvalidInput("the levels of few_epochs depend on T; anytime does not know it.")
        if self.gap is not None:
            object.__setattr__(self, "gap", rational(self.gap, "the gap of a plan"))
            if self.gap < 0:
                raise InvalidInput(f"the gap of a plan is {shown(self.gap)}; it cannot be negative.")

    def play(self, game: Game) -> None:
        """Plan optimistically, play until a cell has been met often enough, and again."""
        radii = Radii.of(game, self.delta, anytime=self.anytime)
        levels = Levels(game.memory, radii.failure) if self.few_epochs else None
        seen = game.run((0,), 0)
        while game.remaining:
            table = optimistic(seen, game.actions, game.memory, radii)
            plan = self._plan(table)
            start, word = self._start(game, table, plan)
            begun = game.time
            seen = seen + play_epoch(game, start, word, visit_limits(game, seen, levels))
            self._account(game, plan, game.time - begun)

    def _start(self, game: Game, table: TallyingBandit, plan: MeanCycle) -> tuple[Word, Word]:
        """What is played before the word, and the word."""
        if not self.rotate:
            return onto(plan.word, game.history, game.memory)
        word = rotated(table, plan.word)
        return approach(word, game.memory), word

    def _plan(self, table: TallyingBandit) -> MeanCycle:
        if self.gap is None:
            return minimum_mean_cycle(table)
        small = StateGraph(table).states <= STATES_SWEPT_FIRST
        return minimum_mean_cycle(table, method="graph" if small else "bounds", gap=self.gap)

    def _account(self, game: Game, plan: MeanCycle, steps: int) -> None:
        if not plan.exact:
            game.concede(plan.upper - plan.lower, steps)
            if self.gap is None:
                game.depart(NOT_EXACT)


@learner("optimistic-planner-anytime")
def anytime(*, delta: Fraction = Fraction(1, 20)) -> OptimisticPlanner:
    """The optimistic planner with radii that hold for all T, which it need not know.

    >>> anytime(delta="1/10").anytime
    True
    """
    return OptimisticPlanner(delta=delta, anytime=True)


@learner("optimistic-planner-few-epochs")
def few_epochs(*, delta: Fraction = Fraction(1, 20)) -> OptimisticPlanner:
    """The optimistic planner with longer epochs in the beginning: no log T in what they cost."""
    return OptimisticPlanner(delta=delta, few_epochs=True)


@learner("optimistic-planner-within-gaps")
def within_gaps(*, delta: Fraction = Fraction(1, 20)) -> OptimisticPlanner:
    """The optimistic planner for memories beyond the graph: plans within certified gaps."""
    return OptimisticPlanner(delta=delta, gap=Fraction(1, 10))


@learner("carmab")
def carmab(*, delta: Fraction = Fraction(1, 20)) -> OptimisticPlanner:
    """CARMAB-style (after Awasthi et al. 2022): the optimistic planner without a rotated start.

    Awasthi, Bhatia, Gollapudi and Kollias, *Congested bandits: optimal routing via short-term resets*, ICML
    2022. Its congested bandit is a tallying bandit with m = Delta + 1, and rewards for losses. In each
    epoch it has an optimistic reward for every pair of an arm and a count, with a confidence radius of the
    order sqrt(log(K m T / delta) / n), finds the best cycle of the known deterministic graph under them
    (Karp's algorithm), and follows it until the visits of some pair have doubled. Its regret is stated up to
    a constant that is not given: c Delta^2 K log(T / (Delta K)) + c sqrt(K Delta T log(Delta K T / delta)).

    **What is ours.** The radius is Hoeffding's, sqrt(ln(2KmT/delta) / (2n)), and a pair that was never seen
    has the loss 0. Estimates are rounded as those of the optimistic planner. The policy goes to its cycle on
    a shortest way, enters it where that leads, and stays on it if it is there already; ties between cycles
    are broken by our planner. The epoch stops at once, in the middle of the cycle too.

    So it is the optimistic planner but for the start. An epoch may be cut where its word has lost up to m - 1
    more than the mean, and costs 2 (m - 1) instead of m - 1: with probability 1 - delta the regret is at most
    (2 + sqrt 2) sqrt(KmT ln(2KmT/delta)) + (m - 1)(2 Km log2(2 max(T, Km)/(Km)) + 3) (`tallyplan verify
    optimism/carmab`).
    """
    return OptimisticPlanner(delta=delta, rotate=False)


def onto(word: Word, history: Word, memory: int) -> tuple[Word, Word]:
    """The fewest letters after which the history is on the cycle, and the word as it goes on from there.

    >>> onto((0, 1, 1), (1, 0), 3), onto((0, 1, 1), (0, 0), 3), onto((0, 1), (), 3)
    (((), (1, 1, 0)), ((1,), (1, 0, 1)), ((0, 1), (0, 1)))
    """
    turns = [word[begin:] + word[:begin] for begin in range(len(word))]
    for letters in range(memory):
        for turn in turns:
            before = approach(turn, memory)
            start = before[memory - 1 - letters :]
            if last((*history, *start), memory - 1) == before:
                return start, turn
    raise AssertionError("m - 1 letters lead onto every cycle.")
