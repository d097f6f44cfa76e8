"""Proofs as they are made: lines, each a rule and what it was applied to, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from proofs_check.kernel.proof import RULES, Reader
from proofs_check.kernel.rules import Decide, Theorem
from proofs_check.kernel.terms import Free, Function, KernelError, Symbol, Term, Variable
from proofs_check.theory.schemas import SYMBOLS


@dataclass(frozen=True, eq=False)
class Line:
    """A rule, what it was applied to, and the theorem that it made."""

    rule: str
    arguments: tuple[Any, ...]
    theorem: Theorem


def apply(rule: str, *arguments: Any, decide: Decide | None = None) -> Line:
    """The line that applies a rule; `decide` answers in place of z3, until the proof is rebuilt."""
    if rule not in RULES:
        raise KernelError(f"there is no rule {rule!r}")
    more = {"decide": decide} if decide is not None and rule == "entails" else {}
    return Line(rule, arguments, RULES[rule](*map(_theorem_of, arguments), **more))


def _theorem_of(one: Any) -> Any:
    if isinstance(one, Line):
        return one.theorem
    return tuple(map(_theorem_of, one)) if isinstance(one, tuple) else one


def proof(last: Line) -> dict[str, Any]:
    """The proof as JSON: every term and every line that it needs, each once."""
    writer = _Writer()
    writer.line(last)
    return {"terms": writer.terms, "lines": writer.lines}


def sequent(hypotheses: Iterable[Term], conclusion: Term) -> dict[str, Any]:
    """What is claimed, as JSON."""
    writer = _Writer()
    places = [writer.term(one) for one in hypotheses]
    return {"hypotheses": places, "conclusion": writer.term(conclusion), "terms": writer.terms}


def read_proof(document: Mapping[str, Any]) -> Line:
    """The last line of a proof that was written; what z3 answered then is believed until it is rebuilt."""
    reader, made = Reader(document["terms"]), list[Line]()
    for rule, *arguments in document["lines"]:
        made.append(apply(rule, *(reader.value(one, made) for one in arguments), decide=lambda asked: True))
    return made[-1]


class _Writer:
    def __init__(self) -> None:
        self.terms: list[Any] = []
        self.lines: list[Any] = []
        self._places: dict[Any, int] = {}

    def term(self, one: Term) -> int:
        """The place of a term, written after its parts."""
        return self._place(one, lambda: [one.op, self._of(one.value), *map(self.term, one.parts)], self.terms)

    def line(self, one: Line) -> int:
        return self._place(one, lambda: [one.rule, *map(self.value, one.arguments)], self.lines)

    def value(self, one: Any) -> Any:
        """An argument of a rule, each kind under a key of its own."""
        match one:
            case Line():
                return {"line": self.line(one)}
            case Term():
                return {"term": self.term(one)}
            case Mapping():
                return {"values": [[self._of(key), self.term(value)] for key, value in one.items()]}
            case tuple():
                return {"list": list(map(self.value, one))}
            case str():
                return {"name": one}
        return {"free": self._of(one)}

    def _place(self, one: Any, entry: Callable[[], Any], into: list[Any]) -> int:
        if one not in self._places:
            new = entry()
            self._places[one] = len(into)
            into.append(new)
        return self._places[one]

    def _of(self, value: Any) -> Any:
        match value:
            case Variable():
                return ["variable", value.name, value.sort]
            case Function():
                return ["function", value.name, value.arity, value.sort]
            case Symbol(body=None):
                return ["theory", value.name]
            case Symbol():
                parts = [None if part is None else self.term(part) for part in (value.body, value.base)]
                return ["defined", value.name, list(map(self._of, value.parameters)), value.sort, *parts]
        return value


def distinct(statements: Iterable[Term]) -> None:
    """No two variables or symbols of these may have one name, or the name of one of the theory."""
    meanings: dict[str, Free | Symbol] = {one.name: one for one in SYMBOLS}
    for one in _named(statements):
        if meanings.setdefault(one.name, one) != one:
            raise KernelError(f"{one.name} would be printed for two things")


def names_in(statement: Term) -> list[str]:
    """The names of its variables and symbols, and of those in their definitions."""
    named = _named([statement])
    return sorted({one.name for one in named if one in statement.free or isinstance(one, Symbol)})


def _named(statements: Iterable[Term]) -> set[Free | Symbol]:
    """The variables, function variables and symbols in these, and in the definitions of symbols."""
    waiting = list(statements)
    seen = set(waiting)
    while waiting:
        part = waiting.pop()
        inner = [part.value.body, part.value.base] if isinstance(part.value, Symbol) else []
        new = {one for one in (*part.parts, *inner) if one is not None} - seen
        seen |= new
        waiting += new
    return {part.value for part in seen if isinstance(part.value, Variable | Function | Symbol)}
