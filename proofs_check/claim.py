"""What a claim is: a statement as printed, and a function that derives an outcome for it by computation.

The two sides never mix. A `Claim` holds what the paper says and where; an `Outcome` holds what the program
found: the verdict, the exact domain of the check, a witness, the best constant, a repair, and the evidence.

    proved      for every value of the parameters, by an argument whose steps the program carried out
    checked     at every member of the named domain
    refuted     with a witness that was found by search and evaluated again from the definitions
    undecided   neither; the evidence says what stood in the way
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, TypeVar

from tallyplan.errors import InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text

Case = TypeVar("Case")


class Verdict(StrEnum):
    """The four things that can be said of a claim."""

    PROVED = "proved"
    CHECKED = "checked"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Witness:
    """One case and the numbers that make it speak; its `bandit` can be saved as an instance file."""

    facts: Mapping[str, Any]
    bandit: Bandit | None = None

    def to_json(self) -> dict[str, Any]:
        """The instance (if there is one) and the facts, rationals as `p/q`."""
        instance = {} if self.bandit is None else {"instance": self.bandit.to_json()}
        return instance | {name: _plain(value) for name, value in self.facts.items()}

    def __str__(self) -> str:
        parts = [f"{name} = {_short(value)}" for name, value in self.facts.items()]
        if self.bandit is not None:
            rows = " | ".join(
                " ".join(_short(value) for value in row) for row in self.bandit.table()["losses"]
            )
            parts.insert(0, f"h = ({rows})")
        return ", ".join(parts)


@dataclass(frozen=True)
class Tight:
    """The best constant or the exact domain, how far that was shown, and the case that attains it."""

    statement: str
    verdict: Verdict
    witness: Witness | None = None

    def to_json(self) -> dict[str, Any]:
        """`{"statement": ..., "verdict": ..., "witness": ... or null}`."""
        return {
            "statement": self.statement,
            "verdict": self.verdict.value,
            "witness": self.witness and self.witness.to_json(),
        }


@dataclass(frozen=True)
class Repair:
    """The nearest true statement, and how far it was shown."""

    statement: str
    verdict: Verdict

    def to_json(self) -> dict[str, Any]:
        """`{"statement": ..., "verdict": ...}`."""
        return {"statement": self.statement, "verdict": self.verdict.value}


@dataclass(frozen=True)
class Step:
    """One step of an argument that the program carried out: what was shown, by what, and whether it holds."""

    statement: str
    by: str
    holds: bool | None

    def __str__(self) -> str:
        answer = {True: "yes", False: "no", None: "undecided"}[self.holds]
        return f"{self.statement}: {answer}, by {self.by}"


@dataclass(frozen=True)
class Evidence:
    """What was done: `method` in a phrase, the number of `cases` evaluated, and the `steps`.

    A step is a sentence, or a `Step` of an argument that was carried out.
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
        """`{"method": ..., "cases": ..., "steps": [...]}`."""
        return {"method": self.method, "cases": self.cases, "steps": [str(step) for step in self.steps]}


@dataclass(frozen=True)
class Outcome:
    """What the program found out about a claim.

    A witness accompanies a refutation; if undecided, it is the case that could not be confirmed.
    """

    verdict: Verdict
    domain: str
    evidence: Evidence
    witness: Witness | None = None
    tight: Tight | None = None
    repair: Repair | None = None


@dataclass(frozen=True)
class Request:
    """How to examine a claim: on larger boxes if `thorough`, telling `progress` where it stands."""

    thorough: bool = False
    progress: Progress = silent


Derive = Callable[[Request], Outcome]
Picture = Callable[[str], None]  # writes the picture file of this name, .svg or .png


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, or a step or a clause of one (`<id>/<name>`).

    Attributes
    ----------
    statement : as printed, in plain text.
    where : the result and its label in the source of the paper.
    derive : examines the claim; its docstring tells how.
    picture : draws what was found, if there is something to see.
    """

    id: str
    statement: str
    where: str
    derive: Derive = field(repr=False)
    picture: Picture | None = field(default=None, repr=False)

    @property
    def method(self) -> str:
        """How the claim is examined, in words."""
        return inspect.getdoc(self.derive) or ""

    def examine(self, request: Request) -> Result:
        """Derive the outcome; an answer that fails its own verification leaves the claim undecided."""
        try:
            outcome = self.derive(request)
        except InternalError as error:
            evidence = Evidence("an answer failed its own verification", steps=(str(error),))
            outcome = Outcome(Verdict.UNDECIDED, "none", evidence)
        return Result(self, outcome)


@dataclass(frozen=True)
class Result:
    """A claim and its outcome, side by side."""

    claim: Claim
    outcome: Outcome

    def to_json(self) -> dict[str, Any]:
        """The object that `tallyplan verify --json` lists."""
        found = self.outcome
        return {
            "id": self.claim.id,
            "verdict": found.verdict.value,
            "statement": f"{self.claim.where}: {self.claim.statement}",
            "domain": found.domain,
            "witness": found.witness and found.witness.to_json(),
            "tight": found.tight and found.tight.to_json(),
            "repair": found.repair and found.repair.to_json(),
            "evidence": found.evidence.to_json(),
        }


def after_search(violation: Case | None, confirmed: Callable[[Case], bool]) -> Verdict:
    """Checked if the search met no violation; refuted if it met one that was confirmed by other means."""
    if violation is None:
        return Verdict.CHECKED
    return Verdict.REFUTED if confirmed(violation) else Verdict.UNDECIDED


def by_proof(steps: Sequence[Step]) -> Verdict:
    """Proved if every step holds; undecided otherwise, since a failed proof refutes nothing."""
    return Verdict.PROVED if steps and all(step.holds for step in steps) else Verdict.UNDECIDED


_REGISTRY: dict[str, Claim] = {}


def claim(
    id: str, *, statement: str, where: str, picture: Picture | None = None
) -> Callable[[Derive], Derive]:
    """Register the decorated function as the examination of a claim."""

    def register(derive: Derive) -> Derive:
        if id in _REGISTRY:
            raise ValueError(f"the claim {id!r} is registered twice.")
        _REGISTRY[id] = Claim(id, statement, where, derive, picture)
        return derive

    return register


def registered() -> tuple[Claim, ...]:
    """All claims whose files have been imported, in the order of registration."""
    return tuple(_REGISTRY.values())


def with_steps(id: str) -> tuple[Claim, ...]:
    """The claim and its steps and clauses, `<id>/<name>`."""
    return (named(id), *(one for one in registered() if one.id.startswith(f"{id}/")))


def named(id: str) -> Claim:
    """The claim with this id.

    Raises
    ------
    InvalidInput : there is none; the sentence names the closest one.
    """
    if id not in _REGISTRY:
        closest = difflib.get_close_matches(id, _REGISTRY, n=1, cutoff=0.0)
        hint = f"; did you mean {closest[0]!r}?" if closest else "."
        raise InvalidInput(f"there is no claim {id!r}{hint}")
    return _REGISTRY[id]


def _plain(value: Any) -> Any:
    """Rationals as `p/q`, everything else as JSON has it."""
    if isinstance(value, Fraction):
        return text(value)
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def _short(value: Any) -> str:
    """For people: 3 instead of 3/1, and sequences in parentheses."""
    if isinstance(value, tuple | list):
        return f"({', '.join(_short(item) for item in value)})"
    return str(value).removesuffix("/1")
