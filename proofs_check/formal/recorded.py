"""What Rocq proves of the claims, by the record that `make formal` alone writes.

`headlines.json` lists the theorems with the claims they support. `record.json` has what they state and the
printed formulas that they close, with the hash of the sources in Rocq: where these are others, it counts for
nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from proofs_check.formal.gallina import module
from proofs_check.proving import Sequent

FOLDER = Path(__file__).parent
HEADLINES = FOLDER / "headlines.json"
RECORD = FOLDER / "record.json"  # written by `make formal` alone


@dataclass(frozen=True)
class Theorem:
    """A theorem `name` in `file`, in words, the claim it supports if any, and the axioms it may use.

    role : what it is to the claim: the `statement` itself, a `part` of it, what is `tight`, a `refutation`
        or a `repair`; without a claim, a `rule` of the checker or a `statement` of our own.
    closes : the formula of the claim that is, printed, its statement.
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
    def by_reading(self) -> bool:
        """Whether it decides the claim as far as a reader sees that both say the same."""
        return self.role in ("statement", "refutation") and not self.closes

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


def printed(theorem: Theorem, sequent: Sequent) -> str:
    """The formula that a theorem closes, in Gallina, as its claim says it now."""
    return module(str(theorem.claim), {theorem.closes: sequent}, theorem.rational)


def closed_by(id: str, name: str, sequent: Sequent) -> Theorem | None:
    """The theorem that closes this formula of a claim, if the record has it as the claim says it now."""
    for one in closing():
        if (one.claim, one.closes) == (id, name):
            return one if closures().get(one.qualified) == printed(one, sequent) else None
    return None


def vouches(theorem: Theorem, sequent: Sequent) -> str:
    """What a closing theorem says of a claim, in a sentence."""
    free = {one.name for one in sequent.free}
    fractions = [name for name in theorem.rational.split() if name in free]
    what = (
        f", for {' and '.join(fractions)} of rational numbers with a common denominator" if fractions else ""
    )
    return f"Rocq proves the printed formula{what}: {theorem.qualified} (recorded; recheck: make formal)."


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
    return found if found["sources"] == digest() else {"closed": {}, "theorems": {}}


def recorded() -> Mapping[str, str]:
    """What the theorems state, if they were compiled from the sources that are here."""
    return {**_record()["theorems"], **_record()["closed"]}


def closures() -> Mapping[str, str]:
    """The printed formulas that were closed, by the theorem, from the sources that are here."""
    found: Mapping[str, str] = _record()["closed"]
    return found
