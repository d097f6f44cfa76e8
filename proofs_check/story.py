"""The story of a claim: what is told of it, in which order, whoever tells it.

`tallyplan verify --explain` prints it, `--latex` typesets it (`proofs_check.latex`), the report shows it
(`proofs_check.page`), and the site has a page of it (`docs/building/claims.py`). A story is a list of
sections, a section a list of lines, and a line is words, in which formulas, names of claims and code
stand in backticks, so that each teller can show those in its own way (`pieces`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from proofs_check.claim import Claim, named, registered
from proofs_check.examining import Result
from proofs_check.formal.gallina import statements
from proofs_check.formal.recorded import beneath, digest, recorded, theorems
from proofs_check.outcome import Better, Outcome, Step, plain

HEADINGS = {  # of the sections, in their order, where there is room for more than a word
    "stated": "In words",
    "verdict": "Verdict",
    "domain": "Where the verdict holds",
    "witness": "Witness",
    "formally": "Formally",
    "notation": "Notation",
    "method": "Method",
    "evidence": "What was checked",
    "tight": "Best constant",
    "repair": "Repair",
    "formal": "Machine-checked",
    "uses": "Rests on",
    "repeat": "Reproduce it",
    "picture": "Picture",
}

SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "sqrt(": "√(", "log2(": "log₂("}  # in words
IN_WORDS = re.compile(  # names of claims, and roots and powers that stand without backticks
    r"((?<=claim )[a-z0-9-]+(?:/[a-z0-9-]+)?|(?:sqrt|log2?)\(\w+\)|\b\w+\*\*\w+)"
)


@dataclass(frozen=True)
class Section:
    """What is told under one name; a line of a tree begins with two spaces for each level."""

    name: str
    lines: tuple[str, ...]


def story(result: Result, recorded: Mapping[str, str] | None = None, *, steps: bool = True) -> list[Section]:
    """The whole story of one claim, sections without lines left out.

    Parameters
    ----------
    recorded : verdicts of other claims.
    steps : also the premises of every step, and what theorems say in Rocq.

    >>> from proofs_check import verify
    >>> [result] = verify(["lemma-4/five-s"])
    >>> [section.name for section in story(result)]
    ['stated', 'verdict', 'formally', 'notation', 'method', 'evidence', 'tight', 'repeat']
    >>> print(*story(result)[0].lines)
    The paper says (Lemma 4, proof (eqn:help4)): In units of Km sqrt(T), `4 + (r - 1) <= 5 * r`.
    """
    one, found = result.claim, result.outcome
    address = one.address
    told: dict[str, Sequence[str]] = {
        "stated": [f"{'We say' if one.is_ours else 'The paper says'} ({one.where}): {one.told}"],
        "verdict": [f"{found.told}. {found.because}", *_beside(one, found)],
        "domain": [found.domain] if found.domain != plain(one.on) else [],
        "witness": [str(found.witness)] if found.witness else [],
        "formally": [one.formally, *found.also],
        "notation": [_notation(name, meaning) for name, meaning in one.meanings.items()],
        "method": [one.method],
        "evidence": list(_evidence(result, steps)),
        "tight": list(_better(found.tight)),
        "repair": list(_better(found.repair)),
        "formal": list(_formal(one, steps)),
        "uses": list(_tree(one, recorded or {})),
        "repeat": [f"`$ tallyplan verify {address} --json`; larger boxes: --thorough"],
        "picture": [f"`$ tallyplan verify {address} --plot picture.svg`"] if one.picture else [],
    }
    return [Section(name, tuple(filter(None, lines))) for name, lines in told.items() if any(lines)]


def pieces(line: str) -> Iterator[tuple[str, str]]:
    """The line in pieces, each with what it is: words, a formula, the name of a claim, code.

    >>> list(pieces("For `x + 1 <= 2`, type `$ tallyplan --help`"))
    [('words', 'For '), ('formula', 'x + 1 <= 2'), ('words', ', type '), ('code', 'tallyplan --help')]
    >>> list(pieces("at most m sqrt(T)"))
    [('words', 'at most m '), ('formula', 'sqrt(T)')]
    """
    known = {one.id for one in registered()}
    for place, part in enumerate(line.split("`")):
        if place % 2:
            kind = "claim" if part in known else "code" if part.startswith("$ ") else "formula"
            yield kind, part.removeprefix("$ ")
        else:
            for word in filter(None, IN_WORDS.split(part)):
                kind = "claim" if word in known else "formula" if IN_WORDS.fullmatch(word) else "words"
                yield kind, _in_print(word) if kind == "words" else word


def _in_print(words: str) -> str:
    """Words between formulas, with the signs of mathematics for those of a keyboard."""
    for typed, printed in SIGNS.items():
        words = words.replace(typed, printed)
    return words


def _beside(one: Claim, found: Outcome) -> Iterator[str]:
    """The hash of the sources in Rocq; of a statement in Gallina, what a reader has to see."""
    if found.kind == "Rocq":
        yield f"The hash of the sources in Rocq begins with {digest()[:12]}."
    if found.kind == "Rocq" and one.id in statements():
        yield "That the Gallina says what the words say is for you to see, with the definitions below."


def _notation(name: str, meaning: str) -> str:
    """What a name stands for; the meaning of a function begins with its arguments, as in "mu(L), the ..."."""
    if meaning.startswith("`"):  # a definition, which is a formula
        return meaning
    function = re.match(rf"({name}\([a-zA-Z, ]*\)), ", meaning)
    head, prefix = (function[1], function[0]) if function else (name, "")
    return f"`{head}` is {meaning.removeprefix(prefix)}"


def _evidence(result: Result, steps: bool) -> Iterator[str]:
    found = result.outcome.evidence
    yield found.size
    for step in found.steps:
        if isinstance(step, Step):
            yield step.told if steps else step.folded
        else:
            yield step if step.endswith(":") else f"note: {step}"


def _better(best: Better | None) -> Iterator[str]:
    if best is not None:
        yield f"{best.words} ({best.verdict})"
        if best.witness:
            yield f"shown by {best.witness}"


def _formal(one: Claim, steps: bool) -> Iterator[str]:
    """The theorems about the claim, whether they are recorded for the sources here, and their definitions."""
    about = {theorem.qualified: theorem for theorem in theorems() if theorem.claim == one.id}
    for name, theorem in about.items():
        stated = recorded().get(name)
        found = "recorded; recheck: make formal" if stated else "not recorded"
        yield f"{name} ({theorem.role}): {theorem.says} ({found})"
        if steps and stated and (theorem.closes or theorem.role == "refutation"):
            yield f"in Rocq: `$ {' '.join(stated.split())}`"
    closed = [name for name, theorem in about.items() if theorem.closes]
    definitions = beneath(" ".join(recorded().get(name, "") for name in closed))
    if definitions:
        yield f"Definitions that these rest on (`$ --steps` prints them): {', '.join(definitions)}"
        yield from (f"`$ {' '.join(text.split())}`" for text in definitions.values() if steps)


def _tree(one: Claim, recorded: Mapping[str, str], depth: int = 0) -> Iterator[str]:
    """The claims that it uses, and those that they use, each with its recorded verdict."""
    for id in one.uses:
        yield f"{'  ' * depth}`{id}` ({recorded.get(id, 'no verdict recorded')})"
        yield from _tree(named(id), recorded, depth + 1)
