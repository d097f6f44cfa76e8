"""The verdicts, and the steps by which something is shown.

A step that has a formula is the kernel's: it holds what the kernel rebuilt, and the premises that were found.
A step without one is a sentence of an argument in words, which nothing checks.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from tallyplan.formula import Formula


def plain(text: str) -> str:
    """Words without the backticks in which formulas stand, so that tellers can typeset those."""
    return text.replace("`", "")


class Verdict(StrEnum):
    """The five things that can be said of a claim, or of a formula.

    >>> [one.value for one in Verdict]
    ['proved', 'argued', 'checked', 'refuted', 'undecided']

    See Also
    --------
    proofs_check.Outcome : has one.
    """

    PROVED = "proved"
    ARGUED = "argued"
    CHECKED = "checked"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


SHOWN = (Verdict.PROVED, Verdict.ARGUED)  # for all values in the domain, the stronger first
IN_WORDS = "it is argued in words"


def weakest(*verdicts: Verdict) -> Verdict:
    """What can be said of something that rests on all of these.

    >>> weakest(Verdict.ARGUED, Verdict.PROVED), weakest(Verdict.PROVED, Verdict.REFUTED)
    (<Verdict.ARGUED: 'argued'>, <Verdict.UNDECIDED: 'undecided'>)
    """
    if Verdict.REFUTED in verdicts:
        return Verdict.UNDECIDED
    rising = (Verdict.UNDECIDED, Verdict.CHECKED, Verdict.ARGUED, Verdict.PROVED)
    return next((one for one in rising if one in verdicts), Verdict.UNDECIDED)


@dataclass(frozen=True)
class Step:
    """One step: words, and of a step of the kernel what it shows (`then`) and from which premises (`by`).

    >>> print(Step("t = 0", Formula("x * x >= 0"), "kernel, from nothing"))
    t = 0: x * x >= 0: yes, by kernel, from nothing
    >>> print(Step("by Hoeffding's inequality"))
    by Hoeffding's inequality (argued)

    See Also
    --------
    proofs_check.Evidence : a list of steps.
    """

    words: str
    then: Formula | None = None
    by: str = "words"  # formulas in backticks

    @property
    def is_argued(self) -> bool:
        """Whether only words make this link."""
        return self.then is None

    @property
    def folded(self) -> str:
        """Words and formula, which stands in backticks; only of words it is said by what they hold."""
        shown = f"`{self.then}`" if self.then else ""
        return ": ".join(filter(None, (self.words, shown))) + " (argued)" * self.is_argued

    @property
    def told(self) -> str:
        """The step with its premises, formulas in backticks."""
        return self.folded if self.is_argued else f"{self.folded}: yes, by {self.by}"

    def __str__(self) -> str:
        return plain(self.told)

    def to_json(self) -> dict[str, Any]:
        """Everything, formulas as text."""
        then = None if self.then is None else str(self.then)
        return {"words": self.words, "then": then, "by": plain(self.by), "argued": self.is_argued}


@dataclass(frozen=True)
class Shown:
    """How far a formula was shown, by these steps, and what stands in the way of more."""

    formula: Formula
    verdict: Verdict
    steps: tuple[Step, ...]
    because: tuple[str, ...] = ()  # why it is not proved
    rocq: str = ""  # that Rocq proves it, in a sentence


@cache
def kinds() -> dict[str, tuple[str, str]]:
    """Of each claim that is known to be refuted: slip, edge, constant or false, and a sentence."""
    text = files("proofs_check").joinpath("refuted.toml").read_text("utf-8")
    return {id: (kind, sentence) for id, (kind, sentence) in tomllib.loads(text).items()}


def because(verdict: Verdict, checked_on: str | None) -> str:
    """Why this is the verdict, in one sentence."""
    return {
        Verdict.PROVED: "The kernel rebuilds its proof from the axioms, and a case satisfies its hypotheses.",
        Verdict.ARGUED: "The argument is in words; the kernel does not prove it.",
        Verdict.CHECKED: f"It holds at every case that was tried: {checked_on}.",
        Verdict.REFUTED: "A case violates it, found by search and worked out again by other means.",
        Verdict.UNDECIDED: "No argument here shows it, and no case refutes it.",
    }[verdict]
