"""Proofs without the state graph, as certificates have them and in words.

A lower bound is proved by the *dual* side of a certificate, an object with the name of a method and its
data, from which `tallyplan.check` verifies, without the graph, that nothing is smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tallyplan.answers import MeanCycle
from tallyplan.model.instance import Bandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.words import Word

ARMS_NAMED = 20  # of those that a proof does without; of more only the number

Dual = Mapping[str, Any]  # {"method": name, ...}, JSON as docs/certificates.md describes it


@dataclass(frozen=True)
class WrittenProof:
    """A proof given by its dual side."""

    dual: Dual

    @property
    def method(self) -> str:
        """The name of the method."""
        return str(self.dual["method"])

    @property
    def argument(self) -> str:
        """The proof in words."""
        return in_words(self.dual)

    def to_json(self) -> dict[str, Any]:
        """As docs/certificates.md describes it."""
        return dict(self.dual)


ARGUMENTS: dict[str, Callable[[Dual], str]] = {
    "least-loss": lambda proof: "no loss of the table is smaller",
    "two-arms": lambda proof: f"two arms: a potential given by {_slopes(proof['slopes'])}",
    "per-arm": lambda proof: f"a price per step, and a bound for each of {len(proof['excesses'])} arms alone",
    "tallies": lambda proof: f"slopes, and potentials on {len(proof['potentials'])} vectors of tallies",
    "separable": lambda proof: f"slopes and charges for each of {len(proof['slopes'])} arms",
    "counts": lambda proof: "while nothing leaves the window only counts matter: a knapsack",
    "direct": lambda proof: "all ways to begin were tried, the rest by counts",
    "mean-cycle": lambda proof: (
        f"at least {proof['mean']} per step in the long run ({in_words(proof['proof'])}), less at the ends"
    ),
    "fewer-arms": lambda proof: f"{arms_in_words(proof)}; {in_words(proof['proof'])}",
    "cheap-arms": lambda proof: f"{arms_in_words(proof)}; {in_words(proof['proof'])}",
}
"""What a proof amounts to, by the name of its method."""


def in_words(proof: Dual) -> str:
    """A proof in words, as the command line prints it."""
    return ARGUMENTS[proof["method"]](proof)


def _slopes(written: list[str]) -> str:
    slopes = [Fraction(slope) for slope in written]
    rising = slopes == sorted(slopes)
    return f"{len(slopes)} slopes (two-arm theorem, {'rising' if rising else 'any'} slopes)"


def arms_in_words(step: Dual) -> str:
    """Which arms a proof does without, and why."""
    if "kept" in step:
        return f"{_counted(len(step['kept']), 'action')} enough, since the others are dearer"
    removed = step["removed"]
    if len(removed) > ARMS_NAMED:
        return f"without {len(removed)} actions that others replace"
    named = ", ".join(f"{x} (by {z})" for x, z in removed)
    return f"without the {'action' if len(removed) == 1 else 'actions'} {named}"


def _counted(count: int, what: str) -> str:
    return f"1 {what} is" if count == 1 else f"{count} {what}s are"


def bounds(bandit: Bandit, word: Word, lower: Fraction, dual: Dual) -> MeanCycle:
    """The answer with this word and this proved lower end."""
    return MeanCycle(bandit, lower, mean_of_word(bandit, word), word, WrittenProof(dual))
