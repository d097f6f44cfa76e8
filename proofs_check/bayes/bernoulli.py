"""Bayes regret of the construction of Theorem 2, exactly: Bernoulli losses, rational epsilon.

One cell (x*, y*), uniform over X x Y, has mean 1/2 - epsilon; every other mean is 1/2. The paper takes
Y = {ceil(23m/24), ..., m}. A learner sees Bernoulli losses and pays means, so he wants many *hits* of the
cell: regret = epsilon (most hits possible - expected hits).

After a cell c gave a_c zeros and b_c ones, the hypothesis "c is it" has the unnormalised weight
W_c = (1 + 2 epsilon)^a_c (1 - 2 epsilon)^b_c. Only the ratios matter, so counts are reduced until min a = min b
= 0, and arms are interchangeable, so they are sorted by their counts and their places in the window. With t
steps to go, v_t homogeneous in W,

    v_t = max over plays of   W_c + (v_{t-1}(a_c + 1) + v_{t-1}(b_c + 1)) / 2   in a cell c of X x Y,
                              v_{t-1}                                           elsewhere.

With 2 epsilon = P/Q, the numbers v_t Q^T (2Q)^t are integers: a reduction of a multiplies by Q + P, one of b by
Q - P, none by Q.

If Y = {m}, a sample leaves the window full of its arm; the next one is that arm again, one step later, or another
arm after m plays of it. Nothing is learnt in between, and more steps to go are never worse, so no learner does
better by dawdling: it is enough to know the current arm (*runs*). Otherwise the window is kept (*windows*).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random

from proofs_check.exact import optimum
from tallyplan.errors import InstanceTooLarge, InvalidInput
from tallyplan.instance import TallyingBandit
from tallyplan.limits import Progress, silent

Places = tuple[int, ...]  # where an arm stands in the window, 0 = the last step
Counts = tuple[tuple[int, int], ...]  # for every tally of Y: (zeros, ones)
Arm = tuple[Places, Counts]
State = tuple[Arm, ...]  # sorted
Move = tuple[int, int | None, list[Arm]]  # steps, which tally of Y the last one shows, the arms after it
Moves = Callable[["Construction", Sequence["Arm"], int], Move]

MAX_STATES = 3_000_000


@dataclass(frozen=True)
class Construction:
    """K, m, T, the lowest tally of Y, and epsilon."""

    actions: int
    memory: int
    horizon: int
    lowest: int
    epsilon: Fraction

    @property
    def tallies(self) -> range:
        """Y."""
        return range(self.lowest, self.memory + 1)

    @property
    def cells(self) -> list[tuple[int, int]]:
        """X x Y: where the better mean may be."""
        return list(product(range(self.actions), self.tallies))

    def table(self, cell: tuple[int, int]) -> TallyingBandit:
        """The means when (x*, y*) is this cell."""
        half = Fraction(1, 2)
        return TallyingBandit(
            [
                [half - self.epsilon * ((x, y) == cell) for y in range(1, self.memory + 1)]
                for x in range(self.actions)
            ]
        )

    def most_hits(self, cell: tuple[int, int]) -> Fraction:
        """How often T steps can hit the cell, from the certified optimum."""
        return (Fraction(self.horizon, 2) - optimum(self.table(cell), self.horizon)) / self.epsilon


def lowest_tally(memory: int) -> int:
    """The paper's 23m/24, rounded up.

    >>> [lowest_tally(m) for m in (1, 23, 24, 48)]
    [1, 23, 23, 46]
    """
    return -(-23 * memory // 24)


def construction(
    actions: int, memory: int, horizon: int, epsilon: Fraction, lowest: int | None = None
) -> Construction:
    """The construction of Theorem 2, with the paper's Y unless another lowest tally is given.

    Raises
    ------
    InvalidInput : numbers out of range; epsilon must lie in (0, 1/2].
    """
    for name, number, least in (("actions", actions, 1), ("memory", memory, 1), ("horizon", horizon, 0)):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise InvalidInput(f"{name} is {number!r}; an integer of at least {least} is needed.")
    low = lowest_tally(memory) if lowest is None else lowest
    if not 1 <= low <= memory:
        raise InvalidInput(f"the lowest tally is {low}; it must be from 1 to {memory}.")
    if not 0 < epsilon <= Fraction(1, 2):
        raise InvalidInput(f"epsilon is {epsilon}; it must be above 0 and at most 1/2.")
    return Construction(actions, memory, horizon, low, Fraction(epsilon))


@dataclass(frozen=True)
class BernoulliRegret:
    """The Bayes regret of a construction of Theorem 2, and a learner that attains it.

    Attributes
    ----------
    value : epsilon * (most_hits - hits).
    hits : the largest expected number of hits of (x*, y*).
    most_hits : the mean over (x*, y*) of the largest number of hits when it is known.
    choices : for every number of steps to go, which arm of a (sorted) state is played next.
    """

    construction: Construction
    value: Fraction
    hits: Fraction
    most_hits: Fraction
    moves: Moves = field(repr=False, compare=False)
    choices: tuple[dict[State, int], ...] = field(repr=False, compare=False)

    def play(self, cell: tuple[int, int], draw: Callable[[Fraction], int]) -> tuple[tuple[int, ...], int]:
        """The optimal learner when (x*, y*) is `cell`: its actions, and how often it hit the cell.

        `draw` gives a loss of 0 or 1 with a given mean, for example `bernoulli(Random(7))`.
        """
        about, means = self.construction, self.construction.table(cell).losses
        arms, actions, hits = list(_root(about)), list[int](), 0
        while len(actions) < about.horizon:
            to_go = about.horizon - len(actions)
            order = sorted(range(about.actions), key=lambda x: arms[x])
            chosen = order[self.choices[to_go].get(tuple(arms[x] for x in order), 0)]
            steps, seen, arms = self.moves(about, arms, chosen)
            actions += [chosen] * min(steps, to_go)
            if seen is not None and steps <= to_go:
                tally = about.tallies[seen]
                hits += (chosen, tally) == cell
                arms = _reduced(_counted(arms, chosen, seen, draw(means[chosen][tally - 1])))[1]
        return tuple(actions), hits


def bernoulli(rng: Random) -> Callable[[Fraction], int]:
    """Losses of 0 or 1 with given means."""
    return lambda mean: int(rng.randrange(mean.denominator) < mean.numerator)


def bernoulli_regret(
    about: Construction, *, windows: bool = False, progress: Progress = silent
) -> BernoulliRegret:
    """The least expected regret of any learner, exactly, and a learner that attains it.

    Parameters
    ----------
    about : see `construction`.
    windows : keep the whole window even if Y = {m}, where the current arm is enough.
    progress : called with a line of words now and then.

    Raises
    ------
    InstanceTooLarge : more than MAX_STATES situations.

    Examples
    --------
    >>> bernoulli_regret(construction(2, 1, 2, Fraction(1, 4))).value  # one look, then the better guess
    Fraction(3, 16)
    """
    moves = window_move if windows or about.lowest < about.memory else run_move
    reached = _reached(about, moves, progress)
    total, choices = _backwards(about, moves, reached, progress)
    cells, Q = len(about.cells), (2 * about.epsilon).denominator
    hits = Fraction(total, cells * (2 * Q * Q) ** about.horizon)
    most = sum((about.most_hits((0, y)) for y in about.tallies), Fraction(0)) / len(about.tallies)
    return BernoulliRegret(about, about.epsilon * (most - hits), hits, most, moves, choices)


def window_move(about: Construction, arms: Sequence[Arm], x: int) -> Move:
    """Play arm x once."""
    tally = len(arms[x][0]) + 1
    keep = about.memory - 1
    moved = [(tuple(age + 1 for age in places if age + 1 < keep), counts) for places, counts in arms]
    if keep:
        moved[x] = ((0, *moved[x][0]), moved[x][1])
    return 1, tally - about.lowest if tally >= about.lowest else None, moved


def run_move(about: Construction, arms: Sequence[Arm], x: int) -> Move:
    """Play arm x until the next sample of its cell (x, m); the current arm is the one with a place."""
    current = bool(arms[x][0]) or about.memory == 1
    moved: list[Arm] = [((), counts) for _, counts in arms]
    if about.memory > 1:
        moved[x] = ((0,), moved[x][1])
    return 1 if current else about.memory, 0, moved


def _root(about: Construction) -> State:
    return (((), ((0, 0),) * len(about.tallies)),) * about.actions


def _counted(arms: Sequence[Arm], x: int, seen: int, loss: int) -> list[Arm]:
    places, counts = arms[x]
    zeros, ones = counts[seen]
    more = (zeros + 1 - loss, ones + loss)
    return [*arms[:x], (places, (*counts[:seen], more, *counts[seen + 1 :])), *arms[x + 1 :]]


def _reduced(arms: list[Arm]) -> tuple[bool, list[Arm]]:
    """Whether the least count of zeros or of ones is now one, and the arms without it."""
    for kind in (0, 1):
        if all(count[kind] for _, counts in arms for count in counts):
            less = (1 - kind, kind)
            return True, [(p, tuple((a - less[0], b - less[1]) for a, b in counts)) for p, counts in arms]
    return False, arms


def _distinct(state: State) -> list[int]:
    """One arm of every kind."""
    return [x for x, arm in enumerate(state) if x == 0 or arm != state[x - 1]]


def _outcomes(arms: list[Arm], x: int, seen: int | None) -> list[tuple[bool, State]]:
    """The states after the loss 0 and the loss 1 (the same state once, if nothing is learnt)."""
    if seen is None:
        return [(False, tuple(sorted(arms)))]
    after = [_reduced(_counted(arms, x, seen, loss)) for loss in (0, 1)]
    return [(reduced, tuple(sorted(there))) for reduced, there in after]


def _reached(about: Construction, moves: Moves, progress: Progress) -> list[set[State]]:
    """For every number of steps to go the states that some learner can be in."""
    reached: list[set[State]] = [set() for _ in range(about.horizon + 1)]
    reached[-1].add(_root(about))
    total = 0
    for to_go in range(about.horizon, 0, -1):
        total += len(reached[to_go])
        progress(f"{total} situations of the learner, {to_go} steps to go")
        if total > MAX_STATES:
            raise InstanceTooLarge(f"the learner can be in more than {MAX_STATES} situations.")
        for state in reached[to_go]:
            for x in _distinct(state):
                steps, seen, arms = moves(about, state, x)
                if steps <= to_go:
                    reached[to_go - steps].update(there for _, there in _outcomes(arms, x, seen))
    return reached


def _backwards(
    about: Construction, moves: Moves, reached: list[set[State]], progress: Progress
) -> tuple[int, tuple[dict[State, int], ...]]:
    """v_T Q^T (2Q)^T at the root, and an optimal arm in every state."""
    ratio, T = 2 * about.epsilon, about.horizon
    P, Q = ratio.numerator, ratio.denominator
    better, worse, neutral, twice = ([base**n for n in range(T + 1)] for base in (Q + P, Q - P, Q, 2 * Q))
    values: list[dict[State, int]] = [dict.fromkeys(reached[0], 0)]
    choices: list[dict[State, int]] = [{}]

    def worth(state: State, x: int, to_go: int) -> int:
        steps, seen, arms = moves(about, state, x)
        if steps > to_go:
            return 0
        later = values[to_go - steps]
        outcomes = _outcomes(arms, x, seen)
        if seen is None:
            return 2 * Q * later[outcomes[0][1]]
        zeros, ones = state[x][1][seen]
        hit = better[zeros] * worse[ones] * neutral[T - zeros - ones] * twice[to_go - steps + 1]
        factors = [(Q + P, Q - P)[loss] if reduced else Q for loss, (reduced, _) in enumerate(outcomes)]
        following = sum(f * later[there] for f, (_, there) in zip(factors, outcomes, strict=True))
        return (hit + following) * twice[steps - 1]

    for to_go in range(1, T + 1):
        progress(f"best plays with {to_go} of {T} steps to go")
        best = {s: max((worth(s, x, to_go), -x) for x in _distinct(s)) for s in reached[to_go]}
        values.append({state: value for state, (value, _) in best.items()})
        choices.append({state: -x for state, (_, x) in best.items()})
        if to_go >= about.memory:
            values[to_go - about.memory] = {}
    return values[T][_root(about)], tuple(choices)
