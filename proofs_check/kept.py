"""Outcomes of claims as JSON, without loss, and the store in which `verify` keeps them.

What JSON has no word for is a list that begins with its kind: ["Fraction", "1/3"]. Steps and facts, which
others refer to, are written once and named by their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from fractions import Fraction
from typing import Any

from proofs_check.claim import Claim, named
from proofs_check.examining import Result
from proofs_check.outcome import Better, Evidence, Outcome, Step, Verdict
from proofs_check.parallel import examined, rests_on
from proofs_check.witness import Witness
from tallyplan.errors import InternalError
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent
from tallyplan.model.files import AnyPath, json_text
from tallyplan.model.instance import TallyingBandit, from_json
from tallyplan.model.kinds import WindowBandit
from tallyplan.studies import store as stores
from tallyplan.studies.runners import facts_of, read_from, resumable
from tallyplan.studies.spec import study_of

Document = dict[str, Any]

KINDS: dict[str, type] = {kind.__name__: kind for kind in (Outcome, Evidence, Step, Formula, Witness, Better)}
LARGEST_NUMBER = 2**53  # larger integers are written as text


def to_document(outcome: Outcome) -> Document:
    """The outcome as JSON.

    >>> found = Outcome(Verdict.CHECKED, "K = 2", Evidence("search", 3), Witness({"loss": Fraction(1, 3)}))
    >>> from_document(to_document(found)) == found
    True
    """
    return _Writer().document(outcome)


def from_document(document: Document) -> Outcome:
    """The outcome that `to_document` wrote; of anything else, some error."""
    found = _Reader(document["objects"]).value(document["outcome"])
    if not isinstance(found, Outcome):
        raise TypeError("this is no outcome of a claim.")
    return found


class _Writer:
    """Values in, JSON out; an object that was met before is named by its number."""

    def __init__(self) -> None:
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}

    def document(self, outcome: Outcome) -> Document:
        written = self.value(outcome)
        return {"outcome": written, "objects": self._objects}

    def value(self, value: Any) -> Any:
        if isinstance(value, Verdict):
            return ["Verdict", value.value]
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, int):
            return value if abs(value) <= LARGEST_NUMBER else ["int", hex(value)]
        if isinstance(value, Fraction):
            return ["Fraction", hex(value.numerator), hex(value.denominator)]
        if isinstance(value, tuple | list | frozenset | set):
            kind = type(value).__name__ if not isinstance(value, tuple) else "tuple"
            ordered = sorted(value) if isinstance(value, frozenset | set) else value
            return [kind, *map(self.value, ordered)]
        if isinstance(value, dict):
            return ["dict", *([self.value(key), self.value(entry)] for key, entry in value.items())]
        if isinstance(value, TallyingBandit | WindowBandit):
            return ["instance", value.to_json()]
        if type(value).__name__ in KINDS:
            return ["object", self._number(value)]
        raise InternalError(f"a store cannot keep the {type(value).__name__} {value!r} of a claim.")

    def _number(self, value: Any) -> int:
        known = self._numbers.get(id(value))
        if known is None:
            parts = {part.name: self.value(getattr(value, part.name)) for part in fields(value)}
            known = self._numbers[id(value)] = len(self._objects)
            self._objects.append([type(value).__name__, parts])
        return known


class _Reader:
    """JSON in, values out; an object refers only to those before it."""

    def __init__(self, objects: list[Any]) -> None:
        self._objects: list[Any] = []
        for kind, parts in objects:
            self._objects.append(KINDS[kind](**{name: self.value(part) for name, part in parts.items()}))

    def value(self, written: Any) -> Any:
        if not isinstance(written, list):
            return written
        return self._of_kind(*written)

    def _of_kind(self, kind: str, *parts: Any) -> Any:
        readers: dict[str, Callable[[], Any]] = {
            "Verdict": lambda: Verdict(parts[0]),
            "int": lambda: int(parts[0], 16),
            "Fraction": lambda: Fraction(int(parts[0], 16), int(parts[1], 16)),
            "tuple": lambda: tuple(map(self.value, parts)),
            "list": lambda: list(map(self.value, parts)),
            "set": lambda: set(map(self.value, parts)),
            "frozenset": lambda: frozenset(map(self.value, parts)),
            "dict": lambda: {self.value(key): self.value(entry) for key, entry in parts},
            "instance": lambda: from_json(parts[0]),
            "object": lambda: self._objects[parts[0]],
        }
        return readers[kind]()


def facts_about(outcome: Outcome) -> dict[str, Any]:
    """What the store keeps of an outcome; verdict and domain are columns of a study's table."""
    return {
        "verdict": outcome.verdict.value,
        "domain": outcome.domain,
        "outcome": to_document(outcome),
    }


def examined_and_kept(
    chosen: Iterable[Claim],
    path: AnyPath,
    *,
    workers: int,
    thorough: bool = False,
    progress: Progress = silent,
) -> dict[str, Result]:
    """The results of the claims and of all that they use; what the store has is not examined again.

    An examination that ends with an error is not kept.
    """
    ids = list(rests_on(chosen, {}))
    study = study_of({"questions": [{"ask": "claim", "id": ids, "thorough": int(thorough)}]})
    with resumable(path, study) as kept:
        keys = dict(zip(ids, kept.keys, strict=True))
        found = kept.known()
        with read_from(path):
            known = {
                id: Result(named(id), from_document(facts_of(found[key])["outcome"]))
                for id, key in keys.items()
                if key in found
            }

        def keep(result: Result) -> None:
            if result.outcome.error is None:
                facts = json_text(facts_about(result.outcome))
                kept.store.record([stores.Result(keys[result.claim.id], stores.TOLD, facts=facts)])

        return examined(chosen, known, workers=workers, thorough=thorough, progress=progress, keep=keep)
