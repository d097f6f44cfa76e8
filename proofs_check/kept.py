"""Outcomes of claims as JSON, and the store in which `verify` keeps them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

from proofs_check.claim import Claim, named
from proofs_check.examining import Result
from proofs_check.outcome import Better, Evidence, Outcome, Step, Verdict
from proofs_check.parallel import examined, rests_on
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.limits import Progress, available_cores, silent
from tallyplan.model.files import AnyPath
from tallyplan.model.instance import Bandit, from_json
from tallyplan.model.rationals import text
from tallyplan.studies import store as stores
from tallyplan.studies.runners import resumable
from tallyplan.studies.spec import study_of

Document = dict[str, Any]
CLAIMS_PER_WORKER = 8  # at least: a process takes a second to start


def to_document(outcome: Outcome) -> Document:
    """The outcome as JSON: rational numbers and formulas as text, everything else by its parts.

    >>> found = Outcome(Verdict.CHECKED, "K = 2", Evidence("search", 3), Witness({"loss": Fraction(1, 3)}))
    >>> str(from_document(to_document(found)).witness)
    'loss = 1/3'
    """
    document: Document = json.loads(json.dumps(outcome, default=_parts))
    return document


def _parts(value: Any) -> Any:
    match value:
        case Fraction():
            return text(value)
        case Formula():
            return str(value)
        case Bandit():
            return value.to_json()
    return {part.name: getattr(value, part.name) for part in fields(value)}


def from_document(document: Document) -> Outcome:
    """The outcome that `to_document` wrote; of anything else, some error."""
    evidence = document["evidence"]
    steps = (one if isinstance(one, str) else _step(**one) for one in evidence["steps"])
    read = {
        "verdict": Verdict(document["verdict"]),
        "evidence": Evidence(evidence["method"], evidence["cases"], tuple(steps)),
        "witness": _witness(document["witness"]),
        "tight": _better(document["tight"]),
        "repair": _better(document["repair"]),
        "also": tuple(document["also"]),
        "shown": {name: Verdict(one) for name, one in document["shown"].items()},
    }
    return Outcome(**document | read)


def _step(words: str, then: str | None, by: str) -> Step:
    return Step(words, None if then is None else Formula(then), by)


def _witness(document: Mapping[str, Any] | None) -> Witness | None:
    if document is None:
        return None
    instance = document["bandit"]
    return Witness(document["facts"], None if instance is None else from_json(instance))


def _better(document: Mapping[str, Any] | None) -> Better | None:
    if document is None:
        return None
    return Better(document["words"], Verdict(document["verdict"]), _witness(document["witness"]))


def facts_about(outcome: Outcome) -> dict[str, Any]:
    """What the store keeps of an outcome; verdict and domain are columns of a study's table."""
    return {
        "verdict": outcome.verdict.value,
        "domain": outcome.domain,
        "outcome": to_document(outcome),
    }


def examined_and_kept(
    chosen: Sequence[Claim], path: AnyPath | None, *, thorough: bool = False, progress: Progress = silent
) -> list[Result]:
    """The results of the claims, by several processes if there are many; the store's are not examined again.

    An examination that ends with an error is not kept; without a path, nothing is.
    """
    ours = all(one.derive.__module__.startswith("proofs_check.") for one in chosen)
    workers = max(1, min(len(chosen) // CLAIMS_PER_WORKER, available_cores())) if ours else 1
    how: dict[str, Any] = {"workers": workers, "thorough": thorough, "progress": progress}
    if path is None:
        found = examined(chosen, {}, **how)
        return [found[one.id] for one in chosen]
    ids = list(rests_on(chosen, {}))
    study = study_of({"questions": [{"ask": "claim", "id": ids, "thorough": int(thorough)}]})
    with resumable(path, study) as kept:
        keys = dict(zip(ids, kept.keys, strict=True))
        answers = kept.known()
        with stores.read_from(path):
            known = {
                id: Result(named(id), from_document(answers[key].facts["outcome"]))
                for id, key in keys.items()
                if key in answers
            }

        def keep(result: Result) -> None:
            if result.outcome.error is None:
                facts = facts_about(result.outcome)
                kept.store.record([stores.Result(keys[result.claim.id], stores.TOLD, facts=facts)])

        found = examined(chosen, known, **how, keep=keep)
        return [found[one.id] for one in chosen]
