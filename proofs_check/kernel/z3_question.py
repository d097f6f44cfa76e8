"""The one question that is asked of z3: can these quantifier-free statements hold together?

A function variable is an uninterpreted function, and so is a symbol together with its functional arguments:
what z3 refutes for all functions is false for the true ones. Division is real; by 0 it gives 0. The limit
counts z3's steps, not seconds: the answer depends on the question alone.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import z3

from proofs_check.kernel.terms import COMPARISONS, INTEGER, REAL, KernelError, Term

STEPS = 2 * 10**7  # some seconds
BINARY = dict(zip(("+", "-", "*"), (operator.add, operator.sub, operator.mul), strict=True))
BINARY |= dict(
    zip(
        COMPARISONS,
        (operator.eq, operator.ne, operator.le, operator.lt, operator.ge, operator.gt),
        strict=True,
    )
)
SETTINGS = {"phase_selection": 0, "arith.nl.nra_check_assignment": False}


def unsatisfiable(statements: Sequence[Term]) -> bool:
    """Whether z3 finds that they cannot hold together; False also if it does not find out."""
    reader = Reader()
    solver = z3.SimpleSolver(ctx=reader.context)
    solver.set(rlimit=STEPS, **SETTINGS)
    solver.add(*map(reader.read, statements))
    return bool(solver.check() == z3.unsat)


class Reader:
    """How z3 reads terms, in a context of its own."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self._functions: dict[Any, Any] = {}
        self._read: dict[Term, Any] = {}

    def read(self, one: Term) -> Any:
        """The term for z3."""
        if one not in self._read:
            self._read[one] = self._term(one)
        return self._read[one]

    def _term(self, one: Term) -> Any:
        context = self.context
        match one.op:
            case "number":
                return z3.IntVal(one.value, context)
            case "variable":
                return self._applied(one.value, one.value.sort, [], [])
            case "call":
                return self._applied(one.value, one.value.sort, [INTEGER] * len(one.parts), one.parts)
            case "symbol":
                plain = [place for place, part in enumerate(one.parts) if part.op != "lambda"]
                sorts = [one.value.parameters[place].sort for place in plain]
                key = (one.value, *(part for part in one.parts if part.op == "lambda"))
                return self._applied(key, one.value.sort, sorts, [one.parts[place] for place in plain])
        parts = [self.read(part) for part in one.parts]
        match one.op, parts:
            case "/", [above, below]:
                zero, quotient = _real(below) == 0, _real(above) / _real(below)
                return z3.If(zero, z3.RealVal(0, context), quotient)
            case "-", [only]:
                return -only
            case (("min" | "max"), [left, right]):
                return z3.If(left <= right if one.op == "min" else left >= right, left, right)
            case "if", [test, left, right]:
                return z3.If(test, left, right)
            case (("and" | "or" | "not" | "implies"), _):
                return {"and": z3.And, "or": z3.Or, "not": z3.Not, "implies": z3.Implies}[one.op](*parts)
            case op, [left, right] if op in BINARY:
                return BINARY[op](left, right)
        raise KernelError(f"z3 is not asked about {one.op}")

    def _applied(self, key: Any, sort: str, sorts: Sequence[str], parts: Sequence[Term]) -> Any:
        """The uninterpreted function of this key, which without arguments is a number."""
        kinds = {INTEGER: z3.IntSort(self.context), REAL: z3.RealSort(self.context)}
        if key not in self._functions:
            name = f"f{len(self._functions)}"
            self._functions[key] = z3.Function(name, *(kinds[one] for one in sorts), kinds[sort])
        return self._functions[key](*(self.read(part) for part in parts))


def _real(value: Any) -> Any:
    return z3.ToReal(value) if z3.is_int(value) else value
