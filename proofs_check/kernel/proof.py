"""A proof is data: the terms that occur in it, and the rules that were applied, each to earlier ones.

`proves` makes the theorem anew from what is written, and holds it against what is claimed. It is asked in a
process of its own (`python -m proofs_check.kernel.proof`), where nothing that a claim does can reach it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from proofs_check.kernel import rules
from proofs_check.kernel.terms import Function, KernelError, Symbol, Term, Variable, term
from proofs_check.theory.schemas import SYMBOLS

RULES: Mapping[str, Callable[..., rules.Theorem]] = {
    one.__name__: one
    for one in (
        *(rules.axiom, rules.unfold, rules.assume, rules.discharge, rules.cut, rules.instantiate),
        *(rules.generalise, rules.specialise, rules.induct, rules.entails),
    )
}


def rebuilt(proof: Mapping[str, Any]) -> rules.Theorem:
    """The theorem that a written proof makes, every rule applied again."""
    reader = Reader(proof["terms"])
    made: list[rules.Theorem] = []
    for name, *arguments in proof["lines"]:
        if name not in RULES:
            raise KernelError(f"there is no rule {name!r}")
        made.append(RULES[name](*(reader.value(one, made) for one in arguments)))
    return made[-1]


def proves(proof: Mapping[str, Any], claim: Mapping[str, Any]) -> None:
    """Hold what a proof makes against a written claim: the same conclusion, and no other hypotheses."""
    reader = Reader(claim["terms"])
    hypotheses = [reader.terms[place] for place in claim["hypotheses"]]
    theorem = rebuilt(proof)
    if theorem.conclusion is not reader.terms[claim["conclusion"]]:
        raise KernelError("the proof concludes something else")
    if not theorem.hypotheses <= set(hypotheses):
        raise KernelError("the proof needs hypotheses that the claim does not have")


class Reader:
    """The terms that are written, each from earlier ones."""

    def __init__(self, entries: Sequence[Any]) -> None:
        self.terms: list[Term] = []
        for op, value, *parts in entries:
            self.terms.append(term(op, *(self.terms[part] for part in parts), value=self._of(value)))

    def value(self, one: Mapping[str, Any], made: Sequence[Any]) -> Any:
        """An argument of a rule; each kind is written under a key of its own."""
        [(kind, inner)] = one.items()
        match kind:
            case "line":
                return made[inner]
            case "term":
                return self.terms[inner]
            case "values":
                return {self._of(key): self.terms[value] for key, value in inner}
            case "list":
                return tuple(self.value(part, made) for part in inner)
        return str(inner) if kind == "name" else self._of(inner)

    def _of(self, value: Any) -> Any:
        match value:
            case ["variable", name, sort]:
                return Variable(name, sort)
            case ["function", name, arity, sort]:
                return Function(name, arity, sort)
            case ["theory", name]:
                return next(one for one in SYMBOLS if one.name == name)
            case ["defined", name, parameters, sort, body, base]:
                parts = (None if part is None else self.terms[part] for part in (body, base))
                return Symbol(name, tuple(map(self._of, parameters)), sort, *parts)
        return value


if __name__ == "__main__":  # a proof and a claim a line in; null, or the reason why it is not proved, out
    for document in map(json.loads, sys.stdin):
        answer = None
        try:
            proves(document["proof"], document["claim"])
        except (KernelError, ValueError, LookupError, TypeError, AttributeError) as error:
            answer = f"{type(error).__name__}: {error}"
        print(json.dumps(answer), flush=True)
