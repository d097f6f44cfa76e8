"""Bayes regret of the construction of Theorem 2, exactly: Bernoulli losses, rational epsilon.

One cell (x*, y*), uniform over X x Y, has mean 1/2 - epsilon; every other mean is 1/2. The paper takes
Y = {ceil(23m/24), ..., m}. A learner sees Bernoulli losses and pays means, so he wants many *hits* of the
cell: regret = epsilon (most hits possible - expected hits).

After a cell c gave a_c zeros and b_c ones, the hypothesis "c is it" has the unnormalised weight
W_c = (1 + 2 epsilon)^a_c (1 - 2 epsilon)^b_c. Only ratios matter, so counts are reduced until the least a and
the least b are 0; arms are interchangeable, so they are sorted by their places in the window and their
counts. With t steps to go, v_t homogeneous in W,

    v_t = max over plays of   W_c + (v_{t-1}(a_c + 1) + v_{t-1}(b_c + 1)) / 2   in a cell c of X x Y,
                              v_{t-1}                                           elsewhere.

With 2 epsilon = P/Q, the numbers v_t Q^T (2Q)^t are integers: a reduction of a multiplies by Q + P, one
of b by Q - P, none by Q.

If Y = {m}, a sample leaves the window full of its arm; the next one is that arm again, one step later, or
another arm after m plays of it. Nothing is learnt in between, and more steps to go are never worse, so no
learner does better by waiting: it is enough to know the current arm (`run_move`). Otherwise the
window is kept (`window_move`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from proofs_check.bayes.constructions import Construction
from tallyplan.errors import InstanceTooLarge
from tallyplan.limits import Progress, silent
from tallyplan.model.rationals import shown
from tallyplan.model.words import Word

Arm = tuple[Word, tuple[tuple[int, int], ...]]
"""Where it stands in the window, 0 = the last step; for every tally of Y how often it gave (zero, one)."""
State = tuple[Arm, ...]  # sorted
Move = tuple[int, int | None, list[Arm]]
"""Steps, which tally of Y the last one shows, the arms after it."""
Moves = Callable[[Construction, Sequence[Arm], int], Move]

MAX_STATES = 3_000_000  # with every number of steps to go


class Play(NamedTuple):
    """What can be done in a state: the cell seen, if one is, and the states that may follow."""

    arm: int
    steps: int
    seen: tuple[int, int] | None
    after: list[tuple[bool, int]]
    """After the loss 0 and the loss 1: whether counts were reduced, and the number of the state."""


@dataclass(frozen=True)
class BernoulliRegret:
    """The Bayes regret of a construction of Theorem 2, and a learner that attains it.

    Attributes
    ----------
    value : epsilon * (most_hits - hits).
    hits : the largest expected number of hits of (x*, y*).
    most_hits : the mean over (x*, y*) of the largest number of hits when it is known.
    situations, choices : for every number of steps to go, which arm of a (sorted) state is played next.
    """

    construction: Construction
    value: Fraction
    hits: Fraction
    most_hits: Fraction
    situations: Situations = field(repr=False, compare=False)
    choices: list[dict[int, int]] = field(repr=False, compare=False)

    def play(self, cell: tuple[int, int], draw: Callable[[Fraction], int]) -> tuple[Word, int]:
        """The optimal learner when (x*, y*) is `cell`: its actions, and how often it hit the cell.

        `draw` gives a loss of 0 or 1 with a given mean.
        """
        about, means = self.construction, self.construction.table(cell).losses
        arms, actions, hits = list(_root(about)), list[int](), 0
        while (to_go := about.horizon - len(actions)) > 0:
            order = sorted(range(about.actions), key=lambda x: arms[x])
            state = self.situations.numbers[tuple(arms[x] for x in order)]
            chosen = order[self.choices[to_go][state]]
            steps, seen, arms = self.situations.moves(about, arms, chosen)
            actions += [chosen] * min(steps, to_go)
            if seen is not None and steps <= to_go:
                tally = about.tallies[seen]
                hits += (chosen, tally) == cell
                arms = _reduced(_counted(arms, chosen, seen, draw(means[chosen][tally - 1])))[1]
        return tuple(actions), hits


def bernoulli_regret(
    about: Construction, *, windows: bool = False, progress: Progress = silent
) -> BernoulliRegret:
    """The least expected regret of any learner, exactly, and a learner that attains it.

    Parameters
    ----------
    about : see `construction`.
    windows : keep the whole window even if Y = {m}, where the current arm is enough.
    progress : called with a status string, periodically.

    Raises
    ------
    InstanceTooLarge : more than MAX_STATES situations.

    Examples
    --------
    >>> from proofs_check.bayes.constructions import construction
    >>> bernoulli_regret(construction(2, 1, 2, Fraction(1, 4))).value  # one look, then the better guess
    Fraction(7, 32)
    """
    situations = Situations(about, window_move if windows or about.lowest < about.memory else run_move)
    total, choices = _backwards(situations, _reached(situations, progress), progress)
    cells, Q = len(about.cells), (2 * about.epsilon).denominator
    hits = Fraction(total, cells * (2 * Q * Q) ** about.horizon)
    most = sum((about.most_hits((0, y)) for y in about.tallies), Fraction(0)) / len(about.tallies)
    return BernoulliRegret(about, about.epsilon * (most - hits), hits, most, situations, choices)


def window_move(about: Construction, arms: Sequence[Arm], x: int) -> Move:
    """Play arm x once."""
    tally, keep = len(arms[x][0]) + 1, about.memory - 1
    moved = [(tuple(age + 1 for age in places if age + 1 < keep), counts) for places, counts in arms]
    if keep:
        moved[x] = ((0, *moved[x][0]), moved[x][1])
    return 1, tally - about.lowest if tally >= about.lowest else None, moved


def run_move(about: Construction, arms: Sequence[Arm], x: int) -> Move:
    """Play arm x until the next sample of its cell (x, m); the current arm is the one with a place."""
    current = bool(arms[x][0]) or about.memory == 1
    moved: list[Arm] = [((0,) if y == x and about.memory > 1 else (), arms[y][1]) for y in range(len(arms))]
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
    for less in ((1, 0), (0, 1)):
        if all(a >= less[0] and b >= less[1] for _, counts in arms for a, b in counts):
            return True, [(p, tuple((a - less[0], b - less[1]) for a, b in counts)) for p, counts in arms]
    return False, arms


class Situations:
    """The states, numbered as they are met, and what can be done in each; the same for all steps to go."""

    def __init__(self, about: Construction, moves: Moves) -> None:
        self.about, self.moves = about, moves
        self.states: list[State] = [_root(about)]
        self.numbers: dict[State, int] = {self.states[0]: 0}
        self._plays: dict[int, list[Play]] = {}

    def plays(self, number: int) -> list[Play]:
        """What can be done in the state with this number; arms that are alike count once."""
        if number not in self._plays:
            state = self.states[number]
            kinds = [x for x, arm in enumerate(state) if x == 0 or arm != state[x - 1]]
            self._plays[number] = [self._play(state, x) for x in kinds]
        return self._plays[number]

    def _play(self, state: State, x: int) -> Play:
        steps, seen, arms = self.moves(self.about, state, x)
        if seen is None:
            return Play(x, steps, None, [(False, self._number(arms))])
        after = (_reduced(_counted(arms, x, seen, loss)) for loss in (0, 1))
        return Play(x, steps, state[x][1][seen], [(less, self._number(there)) for less, there in after])

    def _number(self, arms: Sequence[Arm]) -> int:
        state = tuple(sorted(arms))
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]


def _reached(situations: Situations, progress: Progress) -> list[set[int]]:
    """For every number of steps to go the states that some learner can be in.

    Whoever plays only one of several arms sees its cell (x, m) j times, j = 1 .. T - m + 1, and any number of
    zeros there: at least (T - m)^2 / 2 situations. If these are too many, nothing is begun.
    """
    about, horizon = situations.about, situations.about.horizon
    plays = max(0, horizon - about.memory)
    least = plays**2 // 2 if about.actions > 1 else plays
    if least > MAX_STATES:
        raise InstanceTooLarge(
            f"the learner can be in at least {shown(least)} situations within {shown(horizon)} steps; "
            f"at most {MAX_STATES} can be listed."
        )
    reached: list[set[int]] = [set() for _ in range(horizon + 1)]
    reached[-1].add(0)
    total = 0
    for to_go in range(horizon, 0, -1):
        total += len(reached[to_go])
        progress(f"{total} situations of the learner, {to_go} steps to go")
        if total > MAX_STATES:
            raise InstanceTooLarge(
                f"the learner can be in more than {MAX_STATES} situations within {horizon - to_go} of the "
                f"{horizon} steps, and no more can be listed."
            )
        for state in reached[to_go]:
            for play in situations.plays(state):
                if play.steps <= to_go:
                    reached[to_go - play.steps].update(there for _, there in play.after)
    return reached


def _backwards(
    situations: Situations, reached: list[set[int]], progress: Progress
) -> tuple[int, list[dict[int, int]]]:
    """v_T Q^T (2Q)^T at the root, and an optimal arm in every state."""
    about, T = situations.about, situations.about.horizon
    P, Q = (2 * about.epsilon).as_integer_ratio()
    better, worse, neutral, twice = (
        [int(base**n) for n in range(T + 1)] for base in (Q + P, Q - P, Q, 2 * Q)
    )
    values: list[dict[int, int]] = [dict.fromkeys(reached[0], 0)]
    choices: list[dict[int, int]] = [{}]

    def worth(play: Play, to_go: int) -> int:
        if play.steps > to_go:
            return 0
        later = values[to_go - play.steps]
        if play.seen is None:
            return 2 * Q * later[play.after[0][1]]
        zeros, ones = play.seen
        hit = better[zeros] * worse[ones] * neutral[T - zeros - ones] * twice[to_go - play.steps + 1]
        (light, after_zero), (heavy, after_one) = play.after
        following = (Q + P if light else Q) * later[after_zero] + (Q - P if heavy else Q) * later[after_one]
        return (hit + following) * twice[play.steps - 1]

    for to_go in range(1, T + 1):
        progress(f"best plays with {to_go} of {T} steps to go")
        best = {
            s: max((worth(play, to_go), -play.arm) for play in situations.plays(s)) for s in reached[to_go]
        }
        values.append({state: value for state, (value, _) in best.items()})
        choices.append({state: -x for state, (_, x) in best.items()})
        if to_go >= about.memory:
            values[to_go - about.memory] = {}
    return values[T][0], choices


def _powers(base: int, last: int) -> list[int]:
    return [int(base**n) for n in range(last + 1)]


def hardest_epsilon(regret: Callable[[Fraction], Fraction]) -> Fraction:
    """The best epsilon for the adversary among multiples of 1/16, then among multiples of 1/128 near it.

    A lower bound on the supremum over epsilon, not the supremum.

    >>> hardest_epsilon(lambda epsilon: epsilon * (1 - 3 * epsilon))
    Fraction(21, 128)
    """
    best = max((Fraction(i, 16) for i in range(1, 9)), key=regret)
    near = (best + Fraction(step, 128) for step in range(-7, 8))
    return max((epsilon for epsilon in near if epsilon <= Fraction(1, 2)), key=regret)
