"""A certificate as a whole: what it is about, what it claims, the goal of its proof, and the verdict."""

import hashlib
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from importlib.metadata import entry_points
from math import ceil
from pathlib import Path
from typing import Any

from . import Verdict
from .problem import read_graph, read_instance
from .reading import Meter, Refused, Undecided, choices, fields, integer, load, rational, shown, typed

RULES = ("potential", "fewer-actions", "recursion", "close", "cases")
_KEYS = {"mean-cycle": set[str](), "cyclic": {"period"}, "horizon": {"horizon", "start"}}
_READERS: dict[str, Callable[[Any, Meter], Any]] = {
    "instance": read_instance,
    "graph": read_graph,
    "game": lambda body, _: body,
}
_ALWAYS = ("__init__", "certificate", "reading", "problem")  # files that every certificate needs


@dataclass(frozen=True)
class Goal:
    """What a dual side has to show about a problem: a `Problem` or a `Graph`.

    With a horizon, so many steps after `start` cost at least `least` in total. Without, closed walks cost
    that much per step: those of `period` steps, if one is given, that avoid the states `removed`.
    """

    problem: Any
    least: Fraction
    period: int | None = None
    horizon: int | None = None
    start: tuple[int, ...] = ()
    removed: frozenset[int] = frozenset()

    def prove(self, proof: object, meter: Meter) -> None:
        """Refuse unless the proof, by the rule that it names, reaches the goal."""
        rule = typed(proof, dict, "dual side").get("rule")
        if rule not in RULES:
            raise Refused(f"The rule {shown(rule)} is none of {', '.join(RULES)}.")
        import_module(f".{rule.replace('-', '_')}", __package__).prove(self, proof, meter)

    def require(self, rule: str, *, tallying: bool = True, horizon: bool = False) -> None:
        """Refuse a rule that is not for this goal."""
        if tallying and self.problem.kind != "tallying":
            raise Refused(f"The rule '{rule}' is for tallying instances.")
        if horizon and self.horizon is None:
            raise Refused(f"The rule '{rule}' is for games of finitely many steps.")

    def reached(self, bound: Fraction) -> None:
        """Refuse unless the bound, rounded up to a multiple of 1/D as all losses are, is high enough."""
        if Fraction(ceil(bound * self.problem.D), self.problem.D) < self.least:
            raise Refused("The dual side proves less than the claimed value.")


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
    except (MemoryError, RecursionError, ValueError):  # of value: Python's limit on digits
        return Verdict("undecided", "It takes more memory, or longer integers, than this process allows.")


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
        raise Refused(f"The hash in the provenance is not that of the {about}.")
    subject = _subject(document[about], about, instance, meter)
    claim, primal, dual = typed(document["claim"], dict, "claim"), document["primal"], document["dual"]
    question = typed(claim.get("question"), str, "question")
    files = [Path(__file__).with_name(f"{name}.py") for name in _ALWAYS]
    if question in _KEYS and about != "game":
        sentence, rules = _plan(subject, claim, primal, dual, meter), ["replay"]
        while dual:
            rules.append(dual["rule"])
            dual = dual.get("proof")
        files += [Path(__file__).with_name(f"{rule.replace('-', '_')}.py") for rule in {*rules}]
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
    subject = _READERS[about](body, meter)
    if instance is not None:
        try:
            given = _READERS[about](load(instance, about, meter), meter)
        except Refused as refusal:
            raise Refused(f"The {about} given cannot be read. {refusal}") from None
        if subject != given:
            raise Refused(f"The certificate is about another problem than the {about} given.")
    return subject


def _plan(subject: Any, claim: dict[str, Any], primal: object, dual: object, meter: Meter) -> str:
    """Replay the primal side, prove the goal by the dual one, and say so."""
    from .replay import attain

    fields(claim, "claim", {"question", "value"} | _KEYS[claim["question"]], {"lower"})
    value = rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    goal, what = Goal(subject, lower), "mean loss per step"
    if subject.kind == "graph":
        what = "mean weight of a cycle"
        if claim["question"] != "mean-cycle":
            raise Refused("About a graph there is only the question 'mean-cycle'.")
    elif claim["question"] == "cyclic":
        goal = replace(goal, period=integer(claim["period"], "period", 1))
        what += f" over words of length {shown(goal.period)}"
    elif claim["question"] == "horizon":
        steps, start = integer(claim["horizon"], "horizon", 0), choices(claim["start"], "start", subject.K)
        goal = replace(goal, horizon=steps, start=tuple(start[max(0, len(start) - subject.m + 1) :]))
        what = f"total loss of {shown(steps)} steps"
        meter.widen([steps])
    attain(goal, value, primal, meter)
    goal.prove(dual, meter)
    said = claim["value"] if lower == value else f"at least {claim['lower']} and at most {claim['value']}"
    return f"the least {what} is {said}"
