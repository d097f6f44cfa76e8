"""The story of a claim: what is told of it, in which order, whoever tells it.

`tallyplan verify --explain` prints it, `--latex` typesets it (`proofs_check.latex`), the report shows it
(`proofs_check.page`), and the site has a page of it (`docs/building/claims.py`). A story is a list of
sections, a section a list of lines, and a line is a step of the argument, or words with formulas, names of
claims and commands among them, so that each teller can show those in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from proofs_check.claim import Claim, named, registered
from proofs_check.examining import Result
from proofs_check.formal.recorded import digest, recorded, theorems
from proofs_check.formal.theorems import Recheck
from proofs_check.outcome import Outcome, Repair, Tight
from proofs_check.steps import Step, Verdict
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula

NOT_NOW = Recheck("tallyplan verify --formal does")
HEADINGS = {  # of the sections, in their order, where there is room for more than a word
    "stated": "Statement",
    "verdict": "Verdict",
    "domain": "Where the verdict holds",
    "witness": "Witness",
    "tight": "Best constant",
    "repair": "Repair",
    "notation": "Notation",
    "method": "Method",
    "evidence": "What was checked",
    "formal": "Machine-checked",
    "uses": "Rests on",
    "repeat": "Reproduce it",
    "picture": "Picture",
}


@dataclass(frozen=True)
class Name:
    """The name of a claim, where a reader may want to follow it."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True)
class Command:
    """A command to type."""

    text: str

    def __str__(self) -> str:
        return self.text


Fragment = str | Formula | Name | Command


@dataclass(frozen=True)
class Line:
    """Words with formulas, names and commands among them; `depth` is that in a tree."""

    words: tuple[Fragment, ...]
    depth: int = 0

    def __str__(self) -> str:
        return "  " * self.depth + "".join(map(str, self.words))


@dataclass(frozen=True)
class Section:
    """What is told under one name."""

    name: str
    lines: tuple[Line | Step, ...]


def story(
    result: Result, again: Recheck = NOT_NOW, recorded: Mapping[str, str] | None = None
) -> list[Section]:
    """The whole story of one claim, sections without lines left out; `recorded` are verdicts of other claims.

    >>> from proofs_check import verify
    >>> [result] = verify(["lemma-4/five-s"])
    >>> [section.name for section in story(result)]
    ['stated', 'verdict', 'domain', 'tight', 'notation', 'method', 'evidence', 'repeat']
    >>> print(*story(result)[0].lines)
    Lemma 4, proof (eqn:help4): In units of Km sqrt(T), 4 + (r - 1) <= 5 * r.

    See Also
    --------
    proofs_check.Result : what it is told of.
    proofs_check.latex.appendix : the story in LaTeX.
    """
    one, found = result.claim, result.outcome
    told: dict[str, Sequence[Line | Step]] = {
        "stated": [Line((f"{one.where}: ", *one.sentence))],
        "verdict": _sentences(f"{found.told}. {found.because}", *_beside(one, found)),
        "domain": [_domain(result)],
        "witness": _sentences(str(found.witness)) if found.witness else [],
        "tight": _sentences(*_told(found.tight)),
        "repair": _sentences(*_told(found.repair)),
        "notation": [_notation(name, meaning) for name, meaning in one.meanings.items()],
        "method": _sentences(one.method),
        "evidence": list(_evidence(result)),
        "formal": _sentences(*_formal(one, again)),
        "uses": list(_tree(one, recorded or {})),
        "repeat": [Line((Command(f"tallyplan verify {one.id} --json"), "; larger boxes: --thorough"))],
        "picture": [Line((Command(f"tallyplan verify {one.id} --plot picture.svg"),))] if one.picture else [],
    }
    return [Section(name, tuple(lines)) for name, lines in told.items() if lines]


def _beside(one: Claim, found: Outcome) -> Iterator[str]:
    """The hash of the sources in Rocq; or the theorems that say as much, as far as samples tell."""
    if found.kind == "Rocq":
        yield f"The hash of the sources in Rocq begins with {digest()[:12]}."
    names = [theorem.qualified for theorem in theorems() if theorem.claim == one.id and theorem.compared]
    if names and found.verdict in (Verdict.ARGUED, Verdict.CHECKED):
        when = "recorded; recheck: make formal" if set(names) <= set(recorded()) else "not recorded"
        yield f"Rocq proves {', '.join(names)} ({when}); only samples show that this is the same statement."


def _notation(name: str, meaning: str) -> Line:
    """What a name stands for; the meaning of a function begins with its arguments, as in "mu(L), the ..."."""
    function = re.match(rf"({name}\([a-zA-Z, ]*\))(?:,| (=)) ", meaning)
    if function:
        return Line((Formula(function[1]), f" {function[2] or 'is'} {meaning.removeprefix(function[0])}"))
    return Line((Formula(name), f" is {meaning}"))


def _domain(result: Result) -> Line:
    told = result.outcome.domain
    if told != result.claim.on:
        return Line((told,))
    parts = [part for one in result.claim.conditions for part in (one, ", ")]
    return Line(tuple(parts[:-1])) if parts else Line((told,))


def _evidence(result: Result) -> Iterator[Line | Step]:
    found = result.outcome.evidence
    yield Line((found.size,))
    for step in found.steps:
        yield step if isinstance(step, Step) else Line(("note: ", *with_names(step)))


def _told(best: Tight | Repair | None) -> Iterator[str]:
    if best is not None:
        yield f"{best.statement} ({best.verdict})"
    if isinstance(best, Tight) and best.witness:
        yield f"shown by {best.witness}"


def _sentences(*texts: str) -> list[Line]:
    return [Line(with_names(text)) for text in texts if text]


def with_names(text: str) -> tuple[Fragment, ...]:
    """The text, with the names of claims in it made out, and the formula of "For FORMULA:".

    >>> [type(one).__name__ for one in with_names("For x + 1 <= 2:")]
    ['str', 'Formula', 'str']
    """
    about = re.fullmatch(r"For (.+):", text)
    if about and _is_formula(about[1]):
        return ("For ", Formula(about[1]), ":")
    known = {one.id for one in registered()}
    parts = re.split(r"(?<=claim )([a-z0-9-]+(?:/[a-z0-9-]+)?)", text)
    return tuple(Name(part) if part in known else part for part in parts if part)


def _formal(one: Claim, again: Recheck) -> Iterator[str]:
    """The theorems about the claim, and whether each was rechecked here."""
    for theorem in theorems():
        if theorem.claim == one.id:
            axioms = f"; axioms: {', '.join(theorem.axioms)}" if theorem.axioms else ""
            stated = recorded().get(theorem.qualified)
            before = "recorded; recheck: make formal" if stated else f"not rechecked: {again.obstacle}"
            failed = before if again.obstacle else "not what is stated here"
            found = f"rechecked{axioms}" if again.stands(theorem) else failed
            yield f"{theorem.qualified} ({theorem.role}): {theorem.says} ({found})"
            if stated and theorem.compared:
                yield f"in Rocq: {' '.join(stated.split())}"


def _tree(one: Claim, recorded: Mapping[str, str], depth: int = 0) -> Iterator[Line]:
    """The claims that it uses, and those that they use, each with its recorded verdict."""
    for id in one.uses:
        yield Line((Name(id), f" ({recorded.get(id, 'no verdict recorded')})"), depth)
        yield from _tree(named(id), recorded, depth + 1)


def _is_formula(text: str) -> bool:
    try:
        return bool(Formula(text).tree)
    except InvalidInput:
        return False
