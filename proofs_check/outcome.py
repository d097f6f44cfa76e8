"""What the program found about a claim: a verdict with its evidence. It never mixes with what is stated.

proved      for all values in the domain: by the kernel, from its axioms and from definitions, or by Rocq,
            as the record of `make formal` has it
argued      for all values in the domain, in words, beside what was evaluated
checked     at every member of the box that is named as the domain
refuted     with a witness that was found by search and evaluated again by other means
undecided   none of these; the evidence says what stood in the way
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from proofs_check.steps import Step, Verdict, plain
from proofs_check.witness import Witness


class Violation(Protocol):
    """A case that a search found to violate a statement."""

    def witness(self) -> Witness:
        """For the reader."""

    def confirmed(self) -> bool:
        """Whether it violates the statement, worked out by other means than those of the search."""


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
    (`refuted.toml`), or that Rocq vouches for a proof; `shown` tells for each formula how far it was shown;
    `error` is the sentence of an examination that broke.

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

    @property
    def told(self) -> str:
        """The verdict for people: of a proof what vouches for it, of a refutation what kind it is."""
        more = self.kind or ("kernel" if self.verdict is Verdict.PROVED else "")
        return f"{self.verdict} ({more})" if more else self.verdict.value
