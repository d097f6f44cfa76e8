"""A certificate as a whole: what it is about, what it asks, and the verdict."""

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from .cyclic import check_cyclic
from .document import (
    fields,
    load,
    mapping,
    number,
    our_limit_on_digits,
    rational,
    refuse_floats,
    shown,
    string,
)
from .game import read_game
from .graph import check_graph_mean_cycle, check_same_graph, read_graph
from .horizon import check_horizon
from .mean_cycle import check_mean_cycle
from .minimax import check_minimax
from .problem import Instance, fingerprint, read_instance, read_problem
from .verdict import Budget, Refused, Undecided, Verdict
from .worst_case import check_worst_case

Source = Mapping[str, Any] | str | os.PathLike[str]


class Writable(Protocol):
    """An instance as the planners have it: whatever writes itself as the document of section 2."""

    def to_json(self) -> dict[str, Any]:
        """The document."""


_OF_AN_INSTANCE: dict[str, Callable[..., str]] = {
    "mean-cycle": check_mean_cycle,
    "horizon": check_horizon,
    "cyclic": check_cyclic,
    "worst-case": check_worst_case,
}
_OF_A_GAME: dict[str, Callable[..., str]] = {"minimax": check_minimax}
_OF_A_GRAPH: dict[str, Callable[..., str]] = {"graph-mean-cycle": check_graph_mean_cycle}


def verdict_on(certificate: Source, instance: Source | Writable | None, limit: object) -> Verdict:
    """What `check` answers."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise ValueError(f"limit is {shown(limit)}; it must be an integer of at least 0.")
    try:
        with our_limit_on_digits():
            return Verdict("accepted", _prove(certificate, instance, Budget(limit)))
    except Refused as refusal:
        return Verdict("refused", str(refusal))
    except Undecided as doubt:
        return Verdict("undecided", str(doubt))
    except MemoryError:
        return Verdict("undecided", "Checking this certificate needs more memory than there is.")
    except RecursionError:
        return Verdict("undecided", "Checking this certificate needs more levels of calls than Python has.")


def _prove(certificate: Source, instance: Source | Writable | None, budget: Budget) -> str:
    document = mapping(load(certificate, "certificate", budget), "certificate")
    about = next((kind for kind in ("game", "graph") if kind in document), "instance")
    fields(document, "certificate", {"format", "version", about, "claim", "primal", "dual", "provenance"})
    if document["format"] != "tallyplan-certificate":
        raise Refused(f"The format is {shown(document['format'])}, not 'tallyplan-certificate'.")
    if type(document["version"]) is not int or document["version"] != 1:
        raise Refused(f"The version is {shown(document['version'])}; this checker knows version 1.")
    return f"Proved: {_PROVE_OF[about](document, instance, budget)}."


def _prove_of_instance(document: dict[str, Any], instance: Source | Writable | None, budget: Budget) -> str:
    certified, problem = read_problem(document["instance"], budget)
    _check_provenance(document, "instance")
    if instance is not None:
        given = load(instance, "instance given", budget, decimals=True)
        _check_same(certified, read_instance(given, number, budget, "instance given"))
    return _question(document, _OF_AN_INSTANCE)(problem, *_sides(document), budget)


def _prove_of_game(document: dict[str, Any], instance: Source | Writable | None, budget: Budget) -> str:
    if instance is not None:
        raise Refused("The certificate is about a game against all tables of a grid, not about an instance.")
    game = read_game(document["game"], budget)
    _check_provenance(document, "game")
    return _question(document, _OF_A_GAME)(game, *_sides(document), budget)


def _prove_of_graph(document: dict[str, Any], instance: Source | Writable | None, budget: Budget) -> str:
    graph = read_graph(document["graph"], rational, budget)
    _check_provenance(document, "graph")
    if instance is not None:
        given = load(instance, "graph given", budget, decimals=True)
        check_same_graph(graph, read_graph(given, number, budget, "graph given"))
    return _question(document, _OF_A_GRAPH)(graph, *_sides(document), budget)


_PROVE_OF = {"instance": _prove_of_instance, "game": _prove_of_game, "graph": _prove_of_graph}


def _sides(document: dict[str, Any]) -> tuple[Any, Any, Any]:
    return document["claim"], document["primal"], document["dual"]


def _question(document: dict[str, Any], questions: dict[str, Callable[..., str]]) -> Callable[..., str]:
    """The function that checks what is claimed."""
    question = mapping(document["claim"], "claim").get("question")
    if type(question) is not str or question not in questions:
        raise Refused(f"The question {shown(question)} is none of {', '.join(sorted(questions))}.")
    return questions[question]


def _check_provenance(document: dict[str, Any], about: str) -> None:
    found = mapping(document["provenance"], "provenance")
    needed = {"program", "version", f"{about}_sha256"}
    fields(found, "provenance", needed, frozenset(found))
    for key in sorted(needed):
        string(found[key], f"{key} in the provenance")
    refuse_floats(found, "provenance")
    if found[f"{about}_sha256"] != fingerprint(document[about]):
        raise Refused(f"The hash in the provenance is not that of the {about}.")


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
