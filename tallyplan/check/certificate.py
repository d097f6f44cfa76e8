"""A certificate as a whole: what it is about, what it claims, the goal of its proof, and the verdict."""

import hashlib
import inspect
import json
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from .problem import Goal, read_graph, read_instance
from .reading import Meter, Refused, Undecided, choices, fields, integer, load, rational, shown, typed
from .replay import attain

_KEYS = {"mean-cycle": set[str](), "cyclic": {"period"}, "horizon": {"horizon", "start"}}
_ON_GRAPHS = ("ratio-cycle", "critical-graph", "negative-cycle")
_READERS: dict[str, Any] = {"instance": read_instance, "graph": read_graph, "game": lambda body, _: body}
_ALWAYS = ("__init__", "certificate", "reading", "problem")  # files that every certificate needs


def verdict_on(certificate: object, instance: object, limit: object) -> tuple[str, str, str]:
    """What `check` answers: status, reason, and by how many lines."""
    if type(limit) is not int or limit < 0:
        raise ValueError(f"limit is {shown(limit)}; it must be an integer of at least 0.")
    try:
        sentence, by = _proved(certificate, instance, Meter(limit))
        return "accepted", f"Proved: {sentence}.", by
    except Refused as refusal:
        return "refused", str(refusal), ""
    except Undecided as doubt:
        return "undecided", str(doubt), ""
    except (MemoryError, RecursionError, ValueError):  # of value: Python's limit on digits
        return "undecided", "It takes more memory, or longer integers, than this process allows.", ""


def _proved(certificate: object, instance: object, meter: Meter) -> tuple[str, str]:
    """What is proved, and by how many lines of code."""
    document = typed(load(certificate, "certificate", meter), dict, "certificate")
    about = next((kind for kind in ("game", "graph") if kind in document), "instance")
    fields(document, "certificate", {"format", "version", about, "claim", "primal", "dual", "provenance"})
    if document["format"] != "tallyplan-certificate":
        raise Refused(f"The format is {shown(document['format'])}, not 'tallyplan-certificate'.")
    if typed(document["version"], int, "version") != 2:
        raise Refused(f"The version is {shown(document['version'])}; this checker knows version 2 only.")
    needed, provenance = {"program", "version", f"{about}_sha256"}, document["provenance"]
    fields(provenance, "provenance", needed, set(typed(provenance, dict, "provenance")))
    for key in needed:
        typed(provenance[key], str, f"{key} in the provenance")
    if provenance[f"{about}_sha256"] != fingerprint(typed(document[about], dict, about)):
        raise Refused(f"The hash in the provenance does not belong to the {about}.")
    subject = _subject(document[about], about, instance, meter)
    claim, primal, dual = typed(document["claim"], dict, "claim"), document["primal"], document["dual"]
    question = typed(claim.get("question"), str, "question")
    folder = Path(__file__).parent
    files = [folder / f"{name}.py" for name in _ALWAYS]
    if (question in _KEYS and about != "game") or (question in _ON_GRAPHS and about == "graph"):
        proved, rules = _plan, ["replay", "arms"] if subject.kind == "arms" else ["replay"]
        if question in _ON_GRAPHS:
            proved, rules = import_module(".graphs", __package__).proved, ["replay", "graphs", "potential"]
        sentence = proved(subject, claim, primal, dual, meter)
        while dual:
            rules.append(dual["rule"])
            dual = dual.get("proof")
        files += [folder / f"{rule.replace('-', '_')}.py" for rule in {*rules} - {"critical"}]
    else:
        checkers = [point.load() for point in entry_points(group="tallyplan.certificates", name=question)]
        if not checkers:
            raise Refused(f"No checker here knows the question {shown(question)} about the {about}.")
        sentence, rules = checkers[0](subject, claim, primal, dual, meter), [question]
        files += Path(inspect.getfile(checkers[0])).parent.glob("*.py")
    lines = sum(len(file.read_bytes().splitlines()) for file in files)
    return sentence, f"{lines} lines: {', '.join(dict.fromkeys(rules))}"


def fingerprint(body: dict[str, Any]) -> str:
    """The SHA-256 of the canonical text of what a certificate is about, without its name and units."""
    bare = {key: part for key, part in body.items() if key not in ("name", "units")}
    return hashlib.sha256(json.dumps(bare, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _subject(body: Any, about: str, instance: object, meter: Meter) -> Any:
    """What the certificate is about, in integers; the same as the instance given, if one is."""
    read = import_module(".arms", __package__).read if "arms" in body else _READERS[about]
    subject = read(body, meter)
    if instance is not None:
        try:
            given = read(load(instance, about, meter), meter)
        except Refused as refusal:
            raise Refused(f"The {about} given cannot be read. {refusal}") from None
        if subject != given:
            raise Refused(f"The certificate is about another problem than the {about} given.")
    return subject


def _plan(subject: Any, claim: dict[str, Any], primal: object, dual: object, meter: Meter) -> str:
    """Replay the primal side, prove the goal by the dual one, and say so."""
    optional = set() if claim.get("value") is None else {"lower"}
    fields(claim, "claim", {"question", "value"} | _KEYS[claim["question"]], optional)
    none = claim["value"] is None and subject.kind == "arms"  # there is no such play: what is, loses too much
    steps = integer(claim.get("horizon", 1), "horizon", 0)
    value = steps + Fraction(1, subject.D) if none else rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    goal, what = Goal(subject, lower), "mean loss per step"
    if subject.kind == "graph":
        what = "mean weight of a cycle"
        if claim["question"] != "mean-cycle" or subject.times:
            raise Refused("About a graph there is only the question 'mean-cycle'.")
    elif claim["question"] == "cyclic":
        goal = replace(goal, period=integer(claim["period"], "period", 1))
        what += f" over words of length {shown(goal.period)}"
    elif claim["question"] == "horizon":
        start = choices(claim["start"], "start", subject.K)
        goal = replace(goal, horizon=steps, start=tuple(start[max(0, len(start) - subject.m + 1) :]))
        what = f"total loss of {shown(steps)} steps"
        meter.widen([steps])
    if none:
        fields(primal, "primal side", set())
        goal.prove(dual, meter)
        return f"the arms forbid every play; there is no {what}"
    attain(goal, value, primal, meter)
    goal.prove(dual, meter)
    said = claim["value"] if lower == value else f"at least {claim['lower']} and at most {claim['value']}"
    return f"the least {what} is {said}"
