"""Two arms, any memory: the best two-run word, and a potential of m-1 numbers that proves it optimal.

Let s be the number of ones in the window, A_s = h_1(s), B_s = h_0(m-s), and psi the sum of m-1-i over the
ages i of the ones (0 = newest), so that a step x adds m x - s to psi. For *slopes* theta_1 .. theta_{m-1} and
suitable g (docs/large-memory.md), Phi = theta_s psi + g(s) rises on no edge by more than its loss minus
lambda, if A_m, B_0 >= lambda, and with p_k = (A_k - lambda)/(m-k) and q_k = -(B_k - lambda)/k

    q_k <= theta_k <= p_k,
    (p_k - theta_k)(m-k) + (theta_{k-1} - q_{k-1})(k-1)  >=  |theta_k - theta_{k-1}| (k-1)(m-k).

Along a cycle Phi cancels, so then no mean is below lambda. In z_k = k(m-k) theta_k the inequalities read

    -(m-k)(B_k - lambda) <= z_k <= k(A_k - lambda),      z_k - z_{k-1} <= c_k = A_k + B_{k-1} - 2 lambda,
    (m-k-1)/(m-k+1) z_{k-1} - (k-2)/k z_k <= c_k,

a chain (`chain`). Two ways to slopes, lambda being the mean of the best two-run word:

- *rising slopes*: z_k as large as the first two lines allow, then theta_k lowered to the minimum of theta_l
  over l >= k. If no word of period below m would pay (p_l >= q_k for k < l), these slopes always prove
  lambda (two-arm theorem, rising slopes);
- *any slopes*: solve the chain exactly (two-arm theorem, any slopes).

If neither exists, the largest lambda for which the chain has a solution is still a lower bound: it is guessed
in floats by bisection, and proved in rationals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from tallyplan.answers import MeanCycle
from tallyplan.certificates import potential_by_slopes, proves
from tallyplan.errors import InternalError
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.effort import Effort, OutOfTimeError
from tallyplan.planning.single_run import best_single_run_word
from tallyplan.planning.without_graph.bounds.chain import Link, Number, intervals, on_grid, simplest, solution
from tallyplan.planning.without_graph.bounds.least_loss import bounds, least_loss

Slopes = tuple[Fraction, ...]

HALVINGS = 50  # of the interval in which the bisection in floats looks for lambda


def two_arm_bounds(bandit: TallyingBandit, effort: Effort | None = None) -> MeanCycle:
    """The best two-run word and the best lower bound that slopes prove; exact where they meet.

    >>> answer = two_arm_bounds(TallyingBandit([["0", *["1"] * 99], ["1/2", *["1"] * 99]]))
    >>> answer.value, len(answer.word)
    (Fraction(99, 100), 100)
    """
    upper, word = best_single_run_word(bandit)
    if effort is not None:
        effort.progress(f"two arms: the best two-run word loses about {float(upper):.6g} per step; proving")
    try:
        lower, slopes = best_proof(bandit, upper)
    except OutOfTimeError:
        return bounds(bandit, word, *least_loss(bandit))
    return bounds(bandit, word, lower, dual(Levels(bandit, lower), slopes))


def dual(levels: Levels, slopes: Slopes) -> dict[str, Any]:
    """The proof as a certificate has it: all slopes and charges are those of the second arm."""
    zeros, charges = (Fraction(0),) * levels.memory, charges_of(levels.ones, slopes)
    return potential_by_slopes([zeros[1:], slopes], [zeros, charges])


def charges_of(ones: Sequence[Fraction], slopes: Slopes) -> list[Fraction]:
    """The charges with which a play that raises the tally has nothing to spare."""
    m, theta = len(ones) - 1, (Fraction(0), *slopes)
    jumps = {k: abs(theta[k] - theta[k - 1]) * (k - 1) for k in range(2, m)}
    return [(m - k) * (jumps[k] + theta[k]) - ones[k] if k in jumps else Fraction(0) for k in range(1, m + 1)]


def best_proof(bandit: TallyingBandit, upper: Fraction) -> tuple[Fraction, Slopes]:
    """The largest bound up to `upper` that slopes prove, and the slopes: exactly `upper`, or close to it."""
    levels = Levels(bandit, upper)
    slopes = rising_slopes(levels) or any_slopes(levels)
    return (upper, slopes) if slopes is not None else _below(bandit, upper)


class Levels:
    """The excesses A_s - lambda and B_s - lambda, s = 0 .. m; A_0 and B_m mean nothing."""

    def __init__(self, bandit: TallyingBandit, mean: Fraction) -> None:
        zero, one = bandit.losses
        self.bandit, self.mean = bandit, mean
        self.ones = [Fraction(0), *(loss - mean for loss in one)]
        self.zeros = [*(loss - mean for loss in reversed(zero)), Fraction(0)]

    @property
    def memory(self) -> int:
        """m, the top level."""
        return len(self.ones) - 1

    def proved_by(self, slopes: Slopes) -> bool:
        """Whether the slopes prove that no mean is below lambda; the checker's rule says so."""
        return proves(self.bandit, self.mean, dual(self, slopes))


def rising_slopes(levels: Levels) -> Slopes | None:
    """The slopes of the two-arm theorem for rising slopes, if they prove the bound."""
    rising = largest_rising_slopes(levels.ones, levels.zeros)
    return rising if levels.proved_by(rising) else None


def largest_rising_slopes(ones: Sequence[Fraction], zeros: Sequence[Fraction]) -> Slopes:
    """z_k as large as the first two lines allow, then theta_k lowered to the least theta_l with l >= k."""
    m = len(ones) - 1
    greedy: list[Fraction] = []
    for k in range(1, m):
        most = k * ones[k]
        greedy.append(most if k == 1 else min(most, greedy[-1] + ones[k] + zeros[k - 1]))
    theta = [z / (k * (m - k)) for k, z in enumerate(greedy, 1)]
    return tuple(accumulate(reversed(theta), min))[::-1]


def any_slopes(levels: Levels) -> Slopes | None:
    """Slopes that prove the bound, if there are any: the chain, solved exactly."""
    m = levels.memory
    if m == 1:
        return () if levels.proved_by(()) else None
    links = chain_of(levels.ones, levels.zeros, Fraction(1))
    found = intervals(links, on_grid)
    if found is None or levels.ones[m] < 0 or levels.zeros[0] < 0:
        return None

    def choose(index: int, low: Fraction, high: Fraction) -> Fraction:
        scale = (index + 1) * (m - index - 1)
        return scale * simplest(low / scale, high / scale)

    chosen = solution(links, found, choose)
    slopes = tuple(z / (k * (m - k)) for k, z in enumerate(chosen, 1))
    if not levels.proved_by(slopes):
        raise InternalError("the slopes of a two-armed bandit failed; please report this instance.")
    return slopes


def chain_of(ones: Sequence[Number], zeros: Sequence[Number], unit: Number) -> list[Link[Number]]:
    """The inequalities for z_1 .. z_{m-1}, in rationals or, to guess, in floats; `unit` is the number 1."""
    m = len(ones) - 1
    return [
        Link(
            low=-(m - k) * zeros[k],
            high=k * ones[k],
            c=ones[k] + zeros[k - 1],
            forward=unit * (m - k - 1) / (m - k + 1),
            back=unit * max(0, k - 2) / k,
        )
        for k in range(1, m)
    ]


def _below(bandit: TallyingBandit, upper: Fraction) -> tuple[Fraction, Slopes]:
    """The best bound below `upper`, up to a billionth of the distance to the least loss."""
    least = min(bandit.values())
    guess = _largest_in_floats(bandit, least, upper)
    margin = (upper - least) / 10**9
    while guess > least:
        mean = max(least, simplest(guess - margin, guess))
        slopes = any_slopes(Levels(bandit, mean))
        if slopes is not None:
            return mean, slopes
        guess, margin = guess - margin, 4 * margin
    return least, (Fraction(0),) * (bandit.memory - 1)


def _largest_in_floats(bandit: TallyingBandit, least: Fraction, upper: Fraction) -> Fraction:
    """About the largest lambda for which the chain has a solution."""
    low, high = float(least), float(upper)
    levels = Levels(bandit, Fraction(0))
    ones, zeros = list(map(float, levels.ones)), list(map(float, levels.zeros))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        links = chain_of([x - middle for x in ones], [x - middle for x in zeros], 1.0)
        low, high = (low, middle) if intervals(links, lambda found: found) is None else (middle, high)
    return Fraction(low)
