"""The independent checker: does this document prove what it claims?

It follows docs/certificates.md and nothing else: it replays what the primal side plays, evaluates what the
dual side asserts, and never searches. Only the standard library is used and all imports are relative, so the
folder can be copied and run alone (`python -m check FILE`).
"""

import os
from collections.abc import Mapping
from typing import Any

from .cyclic import check_cyclic
from .document import fields, load, mapping, number, refuse_floats, shown, string
from .horizon import check_horizon
from .mean_cycle import check_mean_cycle
from .problem import Instance, fingerprint, read_instance, read_problem
from .verdict import Budget, Refused, Undecided, Verdict
from .worst_case import check_worst_case

__all__ = ["Verdict", "check"]

Source = Mapping[str, Any] | str | os.PathLike[str]

_QUESTIONS = {
    "mean-cycle": check_mean_cycle,
    "horizon": check_horizon,
    "cyclic": check_cyclic,
    "worst-case": check_worst_case,
}


def check(certificate: Source, *, instance: Source | None = None, limit: int = 10**9) -> Verdict:
    """Say whether a certificate proves its claim.

    Parameters
    ----------
    certificate
        A parsed certificate, or the path of a JSON file with one.
    instance
        Your own problem, parsed or as a path: the certificate must be about it. Without it, the certificate
        is checked for the instance that it names itself.
    limit
        The most edges to evaluate before the answer is "undecided".

    Returns
    -------
    A `Verdict`, true if and only if its status is "accepted"; its reason is a sentence. A hostile document is
    refused or undecided, it does not raise.

    Raises
    ------
    OSError
        If a file cannot be read.

    >>> check({"format": "something else"}).status
    'refused'
    """
    try:
        return Verdict("accepted", _prove(certificate, instance, Budget(limit)))
    except Refused as refusal:
        return Verdict("refused", str(refusal))
    except RecursionError:
        return Verdict("refused", "The certificate is nested too deeply.")
    except Undecided as doubt:
        return Verdict("undecided", str(doubt))


def _prove(certificate: Source, instance: Source | None, budget: Budget) -> str:
    keys = {"format", "version", "instance", "claim", "primal", "dual", "provenance"}
    document = fields(load(certificate, "certificate"), "certificate", keys)
    if document["format"] != "tallyplan-certificate":
        raise Refused(f"The format is {shown(document['format'])}, not 'tallyplan-certificate'.")
    if type(document["version"]) is not int or document["version"] != 1:
        raise Refused(f"The version is {shown(document['version'])}; this checker knows version 1.")
    certified, problem = read_problem(document["instance"], budget)
    _check_provenance(document["provenance"], document["instance"])
    if instance is not None:
        _check_same(
            certified,
            read_instance(load(instance, "instance given", decimals=True), number, budget, "instance given"),
        )
    question = mapping(document["claim"], "claim").get("question")
    if type(question) is not str or question not in _QUESTIONS:
        raise Refused(f"The question {shown(question)} is none of {', '.join(sorted(_QUESTIONS))}.")
    proved = _QUESTIONS[question](problem, document["claim"], document["primal"], document["dual"], budget)
    return f"Proved: {proved}."


def _check_provenance(provenance: object, instance: dict[str, Any]) -> None:
    found = mapping(provenance, "provenance")
    fields(found, "provenance", {"program", "version", "instance_sha256"}, frozenset(found))
    for key in ("program", "version", "instance_sha256"):
        string(found[key], f"{key} in the provenance")
    refuse_floats(found, "provenance")
    if found["instance_sha256"] != fingerprint(instance):
        raise Refused("The hash in the provenance is not that of the instance.")


def _check_same(certified: Instance, given: Instance) -> None:
    """Refuse a proof about another problem, and say in what it differs."""
    for name, what in (("kind", "kind"), ("K", "number of actions"), ("m", "memory")):
        if getattr(certified, name) != getattr(given, name):
            raise Refused(
                f"The certificate is about another problem than the instance given: the {what} differs."
            )
    if certified.weights != given.weights:
        raise Refused("The certificate is about another problem than the instance given: the weights differ.")
    if certified != given:
        raise Refused("The certificate is about another problem than the instance given: the losses differ.")
