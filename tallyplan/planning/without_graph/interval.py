"""What planning without the state graph answers: an interval [lower, upper] for the least loss per step.

The upper end is the mean of a word, replayed. The lower end is proved by the *dual* of a certificate, an
object with the name of a method and its data, from which `tallyplan.check` verifies, without the graph, that
no closed walk has a smaller mean. The answer is exact where the ends meet.

A method is a function (bandit, effort) -> MeanCycleBounds; an `Effort` says when an interval is good enough.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from tallyplan.answers import document
from tallyplan.errors import InternalError, OnlyAnInterval
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import text
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word

Dual = Mapping[str, Any]  # {"method": name, ...}, JSON as docs/certificates.md describes it


@dataclass(frozen=True)
class Effort:
    """How far to go: stop at a relative gap, or at a time on the monotonic clock.

    >>> Effort(gap=Fraction(1, 100)).enough(Fraction(99, 200), Fraction(1, 2))
    True
    """

    gap: Fraction = Fraction(0)
    deadline: float | None = None
    progress: Progress = silent

    @classmethod
    def of(cls, gap: Fraction, time_limit: float | None, progress: Progress) -> Effort:
        """Starting now, with `time_limit` seconds."""
        deadline = None if time_limit is None else time.monotonic() + time_limit
        return cls(gap, deadline, progress)

    def enough(self, lower: Fraction, upper: Fraction) -> bool:
        """Whether upper - lower <= gap * upper, which for gap 0 means exact."""
        return upper - lower <= self.gap * upper

    def within(self, seconds: float) -> Effort:
        """The same with a deadline so many seconds from now."""
        return replace(self, deadline=time.monotonic() + seconds)

    def half(self) -> Effort:
        """The same with half of the time that is left."""
        if self.deadline is None:
            return self
        now = time.monotonic()
        return replace(self, deadline=now + max(0.0, self.deadline - now) / 2)

    def out_of_time(self) -> bool:
        """Whether the deadline has passed."""
        return self.deadline is not None and time.monotonic() > self.deadline


@dataclass(frozen=True)
class MeanCycleBounds:
    """The answer to `minimum_mean_cycle` where there is no room for the state graph.

    Attributes
    ----------
    lower : no policy has a smaller long-run loss per step.
    upper : the loss per step of `word`, repeated for ever.
    value : the optimum, if `exact`; asking for it otherwise raises OnlyAnInterval.
    proof : the certificate's dual, which proves `lower`.
    method : the name of the method that found the proof.
    certificate : the document that `tallyplan.check` verifies.
    """

    bandit: TallyingBandit = field(repr=False)
    lower: Fraction
    upper: Fraction
    word: Word
    proof: Dual = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the ends meet."""
        return self.lower == self.upper

    @property
    def value(self) -> Fraction:
        """The least long-run loss per step."""
        if not self.exact:
            raise OnlyAnInterval(
                f"the least loss per step is only known to lie between {text(self.lower)} and "
                f"{text(self.upper)}; ask for lower and upper."
            )
        return self.upper

    @property
    def gap(self) -> Fraction:
        """(upper - lower) / upper; 0 if exact."""
        return Fraction(0) if self.exact else (self.upper - self.lower) / self.upper

    @property
    def method(self) -> str:
        """The name of the method that proves `lower`."""
        return str(self.proof["method"])

    @property
    def argument(self) -> str:
        """The proof of `lower` in words."""
        return in_words(self.proof)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Built on first use."""
        bounds = {} if self.exact else {"lower": text(self.lower)}
        return document(
            self.bandit,
            claim={"question": "mean-cycle"} | bounds,
            value=self.upper,
            primal={"word": list(self.word)},
            dual=dict(self.proof),
        )


ARGUMENTS: dict[str, Callable[[Dual], str]] = {
    "potentials": lambda proof: f"potentials on {len(proof['potentials'])} histories",
    "least-loss": lambda proof: "no loss of the table is smaller",
    "two-arms": lambda proof: f"two arms: a potential given by {_slopes(proof['slopes'])}",
    "per-arm": lambda proof: (
        f"a price for a step, and a bound for each of {len(proof['excesses'])} arms alone"
    ),
    "tallies": lambda proof: f"slopes, and potentials on {len(proof['potentials'])} vectors of tallies",
    "counts": lambda proof: "while nothing leaves the window only counts matter: a knapsack",
    "direct": lambda proof: "all ways to begin were tried, the rest by counts",
    "mean-cycle": lambda proof: (
        f"at least {proof['mean']} a step in the long run ({in_words(proof['proof'])}), less at the ends"
    ),
    "fewer-arms": lambda proof: f"without {_actions(proof['removed'])}; {in_words(proof['proof'])}",
}
"""What a proof amounts to, by the name of its method."""


def in_words(proof: Dual) -> str:
    """A proof as the command line tells it."""
    return ARGUMENTS[proof["method"]](proof)


def _slopes(written: list[str]) -> str:
    slopes = [Fraction(slope) for slope in written]
    rising = slopes == sorted(slopes)
    return f"{len(slopes)} rising slopes (Theorem 2)" if rising else f"{len(slopes)} slopes (Theorem 3)"


def _actions(removed: list[list[int]]) -> str:
    named = ", ".join(f"{x} (by {z})" for x, z in removed)
    return f"the {'action' if len(removed) == 1 else 'actions'} {named}"


def bounds(bandit: TallyingBandit, word: Word, lower: Fraction, proof: Dual) -> MeanCycleBounds:
    """The answer with this word and this proved lower end; the word is replayed."""
    upper = mean_of_word(bandit, word)
    if lower > upper:
        raise InternalError("a lower bound exceeds the mean of a word; please report this instance.")
    return MeanCycleBounds(bandit, lower, upper, word, proof)
