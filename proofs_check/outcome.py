"""What the program found about a claim: a verdict with its evidence. It never mixes with what is stated.

proved      for all values in the domain: by the kernel, from its axioms and from definitions, or by Rocq,
            as the record of `make formal` has it
argued      for all values in the domain, in words, beside what was evaluated
checked     at every member of the box that is named as the domain
refuted     with a witness that was found by search and evaluated again by other means
undecided   none of these; the evidence says what stood in the way

A step that has a formula is the kernel's: it holds what the kernel rebuilt, and the premises that were found.
A step without one is a sentence of an argument in words, which nothing checks.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from proofs_check.witness import Witness
from tallyplan.formula import Formula


def plain(text: str) -> str:
    """Words without the backticks that mark formulas for typesetting."""
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
        """Whether the step is argued in words only."""
        return self.then is None

    @property
    def folded(self) -> str:
        """Words, and the formula in backticks; a step in words only is marked as argued."""
        joint = " " if self.words.endswith(".") else ": "
        shown = f"`{self.then}`" if self.then else ""
        return joint.join(filter(None, (self.words, shown))) + " (argued)" * self.is_argued

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
    sentence: str = ""  # what the kernel reads of it, in a sentence that is generated from it
    rocq: str = ""  # that Rocq proves it, in a sentence
    violation: Violation | None = None  # a small case in which it does not hold


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


@dataclass(frozen=True)
class Violation:
    """A case that a search found to violate a statement; it refutes only if other means have confirmed it."""

    witness: Witness
    confirmed: bool


@dataclass(frozen=True)
class Better:
    """A better statement than the printed one: its best constant or exact domain; if it is false, a true one.

    In its words formulas stand in backticks. The witness attains a best constant.

    >>> Better("`m - 1`, attained", Verdict.PROVED).to_json()
    {'statement': 'm - 1, attained', 'verdict': 'proved', 'witness': None}

    See Also
    --------
    proofs_check.Outcome : has up to two, `tight` and `repair`.
    """

    words: str
    verdict: Verdict
    witness: Witness | None = None

    @property
    def statement(self) -> str:
        """The words, formulas among them as they are written."""
        return plain(self.words)

    def to_json(self) -> dict[str, Any]:
        """`{"statement": ..., "verdict": ..., "witness": ... or null}`."""
        return {
            "statement": self.statement,
            "verdict": self.verdict.value,
            "witness": self.witness and self.witness.to_json(),
        }


@dataclass(frozen=True)
class Evidence:
    """What was done: `method` in a phrase, the number of `cases` evaluated, and the `steps`.

    A step is a `Step` of an argument that was carried out, or a remark, which proves nothing; formulas in it
    stand in backticks.

    >>> Evidence("every table of a box", 16).size
    '16 cases'

    See Also
    --------
    proofs_check.Outcome : has it.
    proofs_check.Step : what it consists of.
    """

    method: str
    cases: int = 0
    steps: tuple[str | Step, ...] = ()

    @property
    def size(self) -> str:
        """How much was done: the steps of an argument, or the cases of a search."""
        argument = self.cases == sum(isinstance(step, Step) for step in self.steps)
        noun = "step" if argument else "case"
        return f"{self.cases} {noun}{'' if self.cases == 1 else 's'}"

    def to_json(self) -> dict[str, Any]:
        """`{"method": ..., "cases": ..., "steps": [...]}`; a remark is `{"remark": ...}`."""
        steps = [step.to_json() if isinstance(step, Step) else {"remark": plain(step)} for step in self.steps]
        return {"method": self.method, "cases": self.cases, "steps": steps}


@dataclass(frozen=True)
class Outcome:
    """What the program found out about a claim.

    A witness accompanies a refutation; if undecided, it is the case that could not be confirmed.
    `because` says in a sentence why this is the verdict, `kind` what kind of refutation it is
    (`refuted.toml`), or that Rocq vouches for a proof; `shown` tells for each formula how far it was shown,
    and `also` says what the others than the stated one are; `error` is the sentence of an examination that
    broke.

    >>> found = Outcome(Verdict.REFUTED, "T = 2", Evidence("search", 4), witness=Witness({"T": 2}))
    >>> print(found.verdict, "by", found.witness)
    refuted by T = 2

    See Also
    --------
    proofs_check.Result : the claim and its outcome.
    proofs_check.Evidence : what was done.
    """

    verdict: Verdict
    domain: str
    evidence: Evidence
    witness: Witness | None = None
    tight: Better | None = None
    repair: Better | None = None
    shown: Mapping[str, Verdict] = field(default_factory=dict)
    error: str | None = None
    because: str = ""
    kind: str = ""
    also: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The verdict for people: of a proof what vouches for it, of a refutation what kind it is."""
        more = self.kind or ("kernel" if self.verdict is Verdict.PROVED else "")
        return f"{self.verdict} ({more})" if more else self.verdict.value
