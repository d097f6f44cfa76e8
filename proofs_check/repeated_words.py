"""For all horizons at once: what a repeated word loses, step by step, for ever.

Following a word from the empty history is a deterministic walk on finitely many states (the last m - 1
actions and the place in the word). So it closes: the losses are a finite `opening` and then a `cycle` that
repeats. Once the program has seen a state twice, an equation between the total loss and an affine function of
T needs only finitely many checks: T in one period after the opening, and the slope. The rest is induction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tallyplan.model.instance import TallyingBandit


@dataclass(frozen=True)
class Affine:
    """slope * T + intercept, printed and evaluated from the same two numbers.

    >>> print(Affine(1, -1), Affine(0, 2), Affine(Fraction(1, 2), -1))
    T - 1 2 1/2 T - 1
    """

    slope: Fraction | int
    intercept: Fraction | int

    def __call__(self, T: int) -> Fraction:
        """The value at T."""
        return Fraction(self.slope * T + self.intercept)

    def __str__(self) -> str:
        if not self.slope:
            return str(self.intercept)
        sign = "-" if self.intercept < 0 else "+"
        constant = f" {sign} {abs(self.intercept)}" if self.intercept else ""
        return f"{'' if self.slope == 1 else f'{self.slope} '}T{constant}"


@dataclass(frozen=True)
class Losses:
    """The losses of all steps: `opening`, then `cycle` again and again."""

    opening: tuple[Fraction, ...]
    cycle: tuple[Fraction, ...]

    def total(self, horizon: int) -> Fraction:
        """The sum of the first T losses."""
        if horizon <= len(self.opening):
            return sum(self.opening[:horizon], Fraction(0))
        turns, rest = divmod(horizon - len(self.opening), len(self.cycle))
        return sum(self.opening, Fraction(0)) + turns * sum(self.cycle) + sum(self.cycle[:rest])

    def always(self, formula: Affine, since: int = 1) -> bool:
        """Does the total equal the formula for *every* T >= since?

        Both sides grow by a constant over one period, once the opening is past; so they agree for ever if
        they agree up to the end of the first period, and if the two constants are equal.
        """
        period = len(self.cycle)
        end = max(since, len(self.opening)) + period
        return sum(self.cycle) == formula.slope * period and all(
            self.total(T) == formula(T) for T in range(since, end)
        )


def losses_forever(bandit: TallyingBandit, word: Sequence[int], charged: int | None = None) -> Losses:
    """The losses of repeating `word` from the empty history.

    With `charged`, each step is charged for that action instead, while the history goes on as the word has
    it: the comparator of the traditional regret.

    >>> losses_forever(TallyingBandit([[0, 1], [0, 1]]), [0])
    Losses(opening=(Fraction(0, 1),), cycle=(Fraction(1, 1),))
    """
    history: tuple[int, ...] = ()
    seen: dict[tuple[tuple[int, ...], int], int] = {}
    losses: list[Fraction] = []
    while (state := (history, len(losses) % len(word))) not in seen:
        seen[state] = len(losses)
        action = word[state[1]]
        losses.append(bandit.loss((*history, action if charged is None else charged)))
        played = (*history, action)
        history = played[max(0, len(played) - (bandit.memory - 1)) :]
    return Losses(tuple(losses[: seen[state]]), tuple(losses[seen[state] :]))
