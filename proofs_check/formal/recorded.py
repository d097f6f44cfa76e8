"""What Rocq proves of the claims, by the record that `make formal` alone writes.

`headlines.json` lists the theorems with the claims they support, `statements.toml` says in Gallina what the
kernel's language cannot say. `record.json` has what the theorems state, the printed formulas that they close
and the definitions that these rest on, with the hash of the sources in Rocq: where these are others, it
counts for nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from proofs_check.claim import Claim
from proofs_check.formal.gallina import module, statements, written
from proofs_check.outcome import plain

FOLDER = Path(__file__).parent
HEADLINES = FOLDER / "headlines.json"
RECORD = FOLDER / "record.json"  # written by `make formal` alone


@dataclass(frozen=True)
class Theorem:
    """A theorem `name` in `file`, in words, the claim it supports if any, and the axioms it may use.

    role : what it is to the claim: the `statement` itself, a `part` of it, what is `tight`, a `refutation`, a
        `repair`, or a `model`; without a claim, a `rule` of the checker or a `statement` of our own.
    closes : the formula of the claim that is, printed, its statement; `model`: that its hypotheses can hold.
    rational : the real variables of the formula that are fractions there, with a common denominator.
    """

    claim: str | None
    role: str
    file: str
    name: str
    says: str
    axioms: tuple[str, ...] = ()
    closes: str = ""
    rational: str = "h"

    @property
    def qualified(self) -> str:
        """As Rocq knows it."""
        return f"{Path(self.file).stem}.{self.name}"


@cache
def theorems() -> tuple[Theorem, ...]:
    """All headline theorems."""
    listed = json.loads(HEADLINES.read_text())
    return tuple(Theorem(**one | {"axioms": tuple(one.get("axioms", ()))}) for one in listed)


def closing() -> list[Theorem]:
    """The theorems whose statement is a printed formula of their claim."""
    return [one for one in theorems() if one.closes]


def printed(claim: Claim, *some: Theorem) -> str:
    """The formulas that theorems close, in Gallina, as their claim says them now."""
    if claim.id in statements():
        stated = {one.closes: statements()[claim.id].proposition(one.closes) for one in some}
        return written(claim.id, stated, ["Local Open Scope R_scope."])
    return module(claim.id, {one.closes: claim.closed(one.closes) for one in some}, some[0].rational)


def closed_by(claim: Claim, name: str) -> Theorem | None:
    """The theorem that closes this formula as the claim says it now, by the record; it must have a model."""
    found = {one.closes: one for one in closing() if one.claim == claim.id}
    if name not in found or recorded().get(found[name].qualified) != printed(claim, found[name]):
        return None
    if claim.id not in statements():
        return found[name] if claim.model is not None and claim.closed(name).holds(claim.model) else None
    said, model = f"{claim.formula(name)}, for {plain(claim.on)}", found.get("model")
    known = model is not None and recorded().get(model.qualified) == printed(claim, model)
    return found[name] if known and statements()[claim.id].says.get(name) == said else None


def vouches(theorem: Theorem, claim: Claim) -> str:
    """What a closing theorem says of a claim, in a sentence."""
    if claim.id in statements():
        what = f"the statement in Gallina, for {statements()[claim.id].of}"
    else:
        free = {one.name for one in claim.closed(theorem.closes).free}
        fractions = " and ".join(name for name in theorem.rational.split() if name in free)
        what = "the printed formula"
        what += f", for {fractions} of rational numbers with a common denominator" if fractions else ""
    return f"Rocq proves {what}: {theorem.qualified} (recorded; recheck: make formal)."


def named_in(text: str) -> set[str]:
    """The names of ours in a text in Gallina, each with the file that defines it."""
    ours = "|".join(path.stem for path in FOLDER.glob("*.v"))
    return set(re.findall(rf"\b(?:{ours})\.\w+", text))


def beneath(text: str) -> dict[str, str]:
    """The definitions of ours that a text in Gallina rests on, by name, as Rocq prints them."""
    known, names = _record()["definitions"], named_in(text)
    found: dict[str, str] = {}
    while names:
        found |= {name: known.get(name, "not recorded") for name in names}
        names = {inner for name in names for inner in named_in(found[name])} - set(found)
    return dict(sorted(found.items()))


@cache
def digest() -> str:
    """The hash of all sources in Rocq."""
    whole = hashlib.sha256()
    for source in sorted(FOLDER.glob("*.v")):
        whole.update(f"{source.name} {hashlib.sha256(source.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


@cache
def _record() -> Mapping[str, Any]:
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    return found if found["sources"] == digest() else {"closed": {}, "theorems": {}, "definitions": {}}


def recorded() -> Mapping[str, str]:
    """What the theorems state, if they were compiled from the sources that are here."""
    return {**_record()["theorems"], **_record()["closed"]}
