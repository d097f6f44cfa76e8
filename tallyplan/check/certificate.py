"""A certificate as a whole: what it is about, what it claims, and the verdict."""

import hashlib
import inspect
import json
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from typing import Any

from .proof import Goal, prove, rules_of
from .reading import choices, fields, integer, load, number, rational, shown, typed
from .verdict import Meter, Refused, Undecided, Verdict

_KEYS = {"mean-cycle": set[str](), "cyclic": {"period"}, "horizon": {"horizon", "start"}}
_ELSEWHERE = "tallyplan.certificates"  # the entry points of questions that other packages check


def verdict_on(certificate: object, instance: object, limit: object) -> Verdict:
    """What `check` answers."""
    if type(limit) is not int or limit < 0:
        raise ValueError(f"limit is {shown(limit)}; it must be an integer of at least 0.")
    try:
        sentence, by = _proved(certificate, instance, Meter(limit))
        return Verdict("accepted", f"Proved: {sentence}.", by)
    except Refused as refusal:
        return Verdict("refused", str(refusal))
    except Undecided as doubt:
        return Verdict("undecided", str(doubt))
    except (MemoryError, RecursionError):
        return Verdict("undecided", "Checking this certificate takes more memory than there is.")


def _proved(certificate: object, instance: object, meter: Meter) -> tuple[str, str]:
    """What is proved, and by how many lines of code."""
    document = typed(load(certificate, "certificate", meter), dict, "certificate")
    about = next((kind for kind in ("game", "graph") if kind in document), "instance")
    fields(document, "certificate", {"format", "version", about, "claim", "primal", "dual", "provenance"})
    if document["format"] != "tallyplan-certificate":
        raise Refused(f"The format is {shown(document['format'])}, not 'tallyplan-certificate'.")
    if typed(document["version"], int, "version") != 2:
        raise Refused(f"The version is {shown(document['version'])}; this checker knows version 2 only.")
    typed(document[about], dict, about)
    typed(document["provenance"], dict, "provenance")
    _check_hash(document, about)
    subject = _subject(document, about, instance, meter)
    claim, primal, dual = document["claim"], document["primal"], document["dual"]
    question = typed(typed(claim, dict, "claim").get("question"), str, "question")
    if question in _KEYS and about != "game":
        sentence = _plan(subject, claim, primal, dual, meter)
        rules = ["replay", *rules_of(dual)]
        names = [f"{__package__}.{name.replace('-', '_')}" for name in (about, *rules)]
    else:
        checker = _elsewhere(question, about)
        sentence, rules, names = (
            checker(subject, claim, primal, dual, meter),
            [question],
            [checker.__module__],
        )
    return sentence, f"{_lines(__name__, *names)} lines: {', '.join(dict.fromkeys(rules))}"


def _check_hash(document: dict[str, Any], about: str) -> None:
    """Refuse a provenance that is not that of what the certificate is about."""
    needed = {"program", "version", f"{about}_sha256"}
    found = fields(document["provenance"], "provenance", needed, set(document["provenance"]))
    for key in needed:
        typed(found[key], str, f"{key} in the provenance")
    if found[f"{about}_sha256"] != fingerprint(document[about]):
        raise Refused(f"The hash in the provenance does not belong to the {about}.")


def fingerprint(written: dict[str, Any]) -> str:
    """The SHA-256 of the canonical text of what a certificate is about, without its name and units."""
    bare = {key: part for key, part in written.items() if key not in ("name", "units")}
    try:
        text = json.dumps(bare, sort_keys=True, separators=(",", ":"))
    except (TypeError, ValueError):  # a document that was parsed by someone else
        raise Refused("What the certificate is about cannot be written as JSON.") from None
    return hashlib.sha256(text.encode()).hexdigest()


def _subject(document: dict[str, Any], about: str, instance: object, meter: Meter) -> Any:
    """What the certificate is about, in integers; the same as the instance given, if one is."""
    if about == "game":
        if instance is not None:
            raise Refused("The certificate is about a game against all tables, not about an instance.")
        return document["game"]
    reader = import_module(f".{about}", __package__)
    subject = reader.read(document[about], rational, meter)
    if instance is not None:
        given = load(instance, f"{about} given", meter, decimals=True)
        if subject != reader.read(given, number, meter, f"{about} given"):
            raise Refused(f"The certificate is about another problem than the {about} given.")
    return subject


def _plan(subject: Any, claim: dict[str, Any], primal: object, dual: object, meter: Meter) -> str:
    """Replay the primal side, prove the goal by the dual one, and say so."""
    from .replay import attain

    fields(claim, "claim", {"question", "value"} | _KEYS[claim["question"]], {"lower"})
    value = rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    goal, what = _goal(subject, claim, lower)
    attain(goal, value, primal, meter)
    prove(goal, dual, meter)
    said = claim["value"] if lower == value else f"at least {claim['lower']} and at most {claim['value']}"
    return f"the least {what} is {said}"


def _goal(subject: Any, claim: dict[str, Any], lower: Fraction) -> tuple[Goal, str]:
    """What the dual side has to show, and its name."""
    if claim["question"] == "mean-cycle":
        loss = "weight of a cycle" if subject.kind == "graph" else "loss per step"
        return Goal(subject, lower), f"mean {loss}"
    if subject.kind == "graph":
        raise Refused("About a graph there is only the question 'mean-cycle'.")
    if claim["question"] == "cyclic":
        period = integer(claim["period"], "period", 1)
        return Goal(subject, lower, period=period), f"mean loss per step over words of length {shown(period)}"
    steps = integer(claim["horizon"], "horizon", 0)
    start = choices(claim["start"], "list of start actions", subject.K)
    last = tuple(start[max(0, len(start) - subject.m + 1) :])
    return Goal(subject, lower, horizon=steps, start=last), f"total loss of {shown(steps)} steps"


def _elsewhere(question: str, about: str) -> Callable[..., str]:
    """What another package that is installed names as the checker of this question."""
    from importlib.metadata import entry_points

    for point in entry_points(group=_ELSEWHERE, name=question):
        found: Callable[..., str] = point.load()
        return found
    raise Refused(f"No checker here knows the question {shown(question)} about the {about}.")


def _lines(*names: str) -> int:
    """The lines of these modules and of those in their folders from which they take something."""
    folders = {name.rpartition(".")[0] for name in names}
    found, ahead = set[str](), {*names, str(__package__)}
    while ahead:
        found |= ahead
        parts = [part for name in ahead for part in vars(sys.modules[name]).values()]
        homes = {str(getattr(part, "__module__", "")) for part in parts}
        ahead = {home for home in homes - found if home.rpartition(".")[0] in folders}
    return sum(len(inspect.getsource(sys.modules[name]).splitlines()) for name in found)
