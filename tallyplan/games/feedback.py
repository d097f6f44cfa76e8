"""What the player observes: a random variable in [0, 1] whose mean is the loss h_x(y), fresh for every play.

The draws of different plays are independent, given the actions; Theorem 1 needs this, and Definition 1 of the
paper does not say it. An observation is an exact rational. The randomness is that of a numpy `Generator`, and
where a distribution is drawn in floating point (the binomial of a bulk run, the Beta) it is that distribution
up to the rounding of a double. This touches only what the player sees: the losses that count are the means.

    Deterministic   the mean itself                              any number of plays at once
    Bernoulli       1 with probability h, else 0                 any number of plays at once (binomial)
    Beta            Beta(c h, c (1 - h)), on a grid of 2^-32     every play drawn
    Sampled         any function of your own                     every play drawn
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.rationals import ceil_div, rational, shown, unit_rational

Sampler = Callable[[Fraction, int, np.random.Generator], Iterable[Any]]

ZERO, ONE = Fraction(0), Fraction(1)
BETA_GRID = 2**32  # observations of Beta feedback are multiples of 1 / BETA_GRID
SMALLEST_BETA_PARAMETER = 1e-300  # below it, doubles lose digits
DRAWS_PER_CHUNK = 2**20  # draws at a time
MOST_DRAWS = 10**9  # plays of one cell in one run, where every play is drawn
MOST_BINOMIAL_PLAYS = 2**62  # plays of one cell in one run, where a binomial is drawn


class Feedback(ABC):
    """Draws observations with a given mean."""

    def one(self, mean: Fraction, rng: np.random.Generator) -> Fraction:
        """The observation of one play."""
        return self.total(mean, 1, rng)

    @abstractmethod
    def total(self, mean: Fraction, plays: int, rng: np.random.Generator) -> Fraction:
        """The sum of the observations of `plays` independent plays."""


@dataclass(frozen=True)
class Deterministic(Feedback):
    """The player observes the loss itself.

    >>> feedback_named("deterministic") == Deterministic()
    True
    """

    def total(self, mean: Fraction, plays: int, rng: np.random.Generator) -> Fraction:
        """n h."""
        return plays * mean


@dataclass(frozen=True)
class Bernoulli(Feedback):
    """The player observes 1 with probability h and 0 otherwise.

    One play is exact: a uniform integer below the denominator is compared with the numerator. A bulk run
    draws one binomial, whose success probability is h rounded to a double.

    >>> feedback_named("bernoulli") == Bernoulli()
    True
    """

    def one(self, mean: Fraction, rng: np.random.Generator) -> Fraction:
        """0 or 1."""
        return ONE if _uniform_below(mean.denominator, rng) < mean.numerator else ZERO

    def total(self, mean: Fraction, plays: int, rng: np.random.Generator) -> Fraction:
        """A binomial number."""
        if plays > MOST_BINOMIAL_PLAYS:
            raise InvalidInput(
                f"a run plays one cell {shown(plays)} times; Bernoulli feedback draws at most 2^62 at once."
            )
        return Fraction(int(rng.binomial(plays, float(mean))))


@dataclass(frozen=True)
class Beta(Feedback):
    """The player observes Beta(c h, c (1 - h)), whose mean is h and whose variance is h (1 - h) / (c + 1).

    A draw is rounded up or down to a multiple of 2^-32, at random so that its mean stays what it is: sums of
    observations are exact and short. Every play is drawn, in chunks: sums of Betas have no simple law.
    Where c h or c (1 - h) is too small for a double (below 10^-300), the draw is 0 or 1 with the mean h: in
    the limit that is the same law.

    >>> feedback_named("beta") == Beta()
    True
    """

    concentration: Fraction = Fraction(2)

    def __post_init__(self) -> None:
        concentration = rational(self.concentration, "the concentration of Beta feedback")
        if not 0 < concentration <= 10**300:
            raise InvalidInput(
                f"the concentration of Beta feedback is {shown(self.concentration)}; "
                "it must be positive and at most 10^300."
            )
        object.__setattr__(self, "concentration", concentration)

    def total(self, mean: Fraction, plays: int, rng: np.random.Generator) -> Fraction:
        """The sum of all draws."""
        if mean in (0, 1):
            return plays * mean
        first, second = float(self.concentration * mean), float(self.concentration * (1 - mean))
        if min(first, second) < SMALLEST_BETA_PARAMETER:
            return Bernoulli().total(mean, plays, rng)
        drawn = 0
        for size in _chunks(plays, "Beta feedback"):
            values = rng.beta(first, second, size) * BETA_GRID
            drawn += int(np.minimum(np.floor(values + rng.random(size)), BETA_GRID).astype(np.int64).sum())
        return Fraction(drawn, BETA_GRID)


@dataclass(frozen=True)
class Sampled(Feedback):
    """Feedback of your own: `sampler(mean, plays, rng)` returns `plays` numbers in [0, 1] with that mean.

    Draw from `rng` only, so that a seed reproduces the game. Integers, fractions and floats are fine (a float
    is read as its shortest decimal); a number outside [0, 1] or a wrong count is an error. That the mean is
    right cannot be checked here.

    >>> half = Sampled(lambda mean, plays, rng: [mean / 2 if rng.integers(2) else mean * 3 / 2] * plays)
    >>> half.one(Fraction(1, 3), np.random.default_rng(0))
    Fraction(1, 6)
    """

    sampler: Sampler

    def total(self, mean: Fraction, plays: int, rng: np.random.Generator) -> Fraction:
        """The sum of `plays` draws."""
        return sum((self._checked(mean, size, rng) for size in _chunks(plays, "a sampler")), Fraction(0))

    def _checked(self, mean: Fraction, size: int, rng: np.random.Generator) -> Fraction:
        values = [
            unit_rational(value, "an observation of the sampler") for value in self.sampler(mean, size, rng)
        ]
        if len(values) != size:
            raise InvalidInput(f"the sampler was asked for {size} observations and gave {len(values)}.")
        return sum(values, Fraction(0))


FEEDBACKS: dict[str, type[Deterministic] | type[Bernoulli] | type[Beta]] = {
    "deterministic": Deterministic,
    "bernoulli": Bernoulli,
    "beta": Beta,
}
"""By name, the kinds of feedback whose observations lie in [0, 1], have the mean h and are independent given
the actions, up to the rounding of a double."""


def feedback_named(name: str) -> Feedback:
    """The feedback of this name, with its default parameters.

    >>> feedback_named("beta")
    Beta(concentration=Fraction(2, 1))
    """
    if name not in FEEDBACKS:
        guess = did_you_mean(name, FEEDBACKS)
        raise InvalidInput(f"there is no feedback {shown(name)}{guess} Known are {', '.join(FEEDBACKS)}.")
    return FEEDBACKS[name]()


def _chunks(plays: int, what: str) -> Iterable[int]:
    if plays > MOST_DRAWS:
        raise InvalidInput(
            f"a run plays one cell {shown(plays)} times; {what} draws every play, at most "
            f"{MOST_DRAWS} at once. Bernoulli and deterministic feedback have no such limit."
        )
    return (min(DRAWS_PER_CHUNK, plays - done) for done in range(0, plays, DRAWS_PER_CHUNK))


def _uniform_below(bound: int, rng: np.random.Generator) -> int:
    """A uniform integer below `bound`, of any size, without rounding."""
    if bound <= 2**63:
        return int(rng.integers(bound))
    size = ceil_div(bound.bit_length(), 8)
    while True:
        number = int.from_bytes(rng.bytes(size), "little") >> (8 * size - bound.bit_length())
        if number < bound:
            return number
