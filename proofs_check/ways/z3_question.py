"""Questions to z3: how it reads formulas, and how long it may think about them.

Every question has a context of its own, and its limit counts z3's steps, not seconds: so the answer depends
on the question alone, not on what was asked before or on what else the machine does. An unlucky search is
tried again with other random choices.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from tallyplan.formula import Formula, Reading

TRIES = 3
Z3_STEPS = 10**7  # per try; a second or two, and twice what the hardest step needs
Z3_STEPS_TO_MEET = 3 * 10**6  # for values that satisfy what is given
SETTINGS = {
    "phase_selection": 0,  # comparisons are tried as false first: 15 million steps over all claims, not 19
    "arith.nl.nra_check_assignment": False,  # a third of the time, and no answer to any claim hangs on it
}
MOST_SECONDS = 600  # far beyond any of these; only so that nothing hangs


class Question:
    """Does `then` follow from `given`? In the declared variables; names that are not declared are real."""

    def __init__(self, variables: str, given: Sequence[str], then: str) -> None:
        import z3

        self._context = z3.Context()
        self._reading = Z3Reading(variables, [*map(Formula, given), Formula(then)], self._context)
        self._given = [self._reading.read(one) for one in given]
        self._goal = self._reading.read(then)
        self._model: Any = None
        self._solver = z3.SimpleSolver(ctx=self._context)  # the one that is better at these questions
        self._solver.set(timeout=MOST_SECONDS * 1000, **SETTINGS)
        self._solver.add(*self._given, *self._reading.known)

    def answer(self) -> bool | None:
        """Whether it follows; None if z3 does not find out."""
        import z3

        for seed in range(TRIES):
            answer = self._check([z3.Not(self._goal)], Z3_STEPS, seed)
            if answer is not None:
                return not answer
        return None

    def met(self) -> bool | None:
        """Whether what is given can hold at all; None if z3 does not find out."""
        return self._check([], Z3_STEPS_TO_MEET) if self._given else True

    def _check(self, more: Sequence[Any], steps: int, seed: int = 0) -> bool | None:
        """Whether what is given and more can hold at once."""
        import z3

        self._solver.set(rlimit=steps, random_seed=seed)
        self._solver.push()
        self._solver.add(*more)
        answer = self._solver.check()
        self._model = self._solver.model() if answer == z3.sat else None
        self._solver.pop()
        return None if answer == z3.unknown else bool(answer == z3.sat)

    def counterexample(self) -> dict[str, Fraction | None]:
        """The values at which the answer was no; None for those that are no rationals."""
        return {name: self._fraction(symbol) for name, symbol in self._reading.symbols.items()}

    def printed_counterexample(self) -> str:
        """The same for people."""
        symbols = self._reading.symbols
        values = {name: self._model.eval(symbols[name], model_completion=True) for name in symbols}
        return ", ".join(f"{name} = {value}" for name, value in values.items())

    def _fraction(self, symbol: Any) -> Fraction | None:
        text = str(self._model.eval(symbol, model_completion=True))
        return Fraction(text) if text.replace("/", "").replace("-", "").isdigit() else None


@cache
def is_integer(variables: str, one: str) -> bool:
    """Whether z3 takes the expression for an integer; nothing is asked, so one context serves them all."""
    import z3

    return bool(z3.is_int(Z3Reading(variables, [Formula(one)], z3.main_ctx()).read(one)))


class Z3Reading:
    """How z3 reads formulas; `known` is what it is told about roots and rounded numbers."""

    def __init__(self, variables: str, formulas: Sequence[Formula], context: Any) -> None:
        import z3

        self._context = context
        self.symbols, self._functions = _declared(variables, context)
        for name in (name for one in formulas for name in one.names):
            self.symbols.setdefault(name, z3.Real(name, context))
        self.known: list[Any] = []
        self._kept: dict[ast.expr, Any] = {}

    def read(self, text: str) -> Any:
        """The formula for z3."""
        return Formula(text).read(self._how(), {**self.symbols, **self._functions})

    def _how(self) -> Reading:
        """Made for each formula: were it kept, the two would hold each other, and the context with them."""
        import z3

        context = self._context
        return Reading(
            lambda number: z3.IntVal(number, context),
            self._power,
            {
                "min": lambda *values: reduce(lambda one, two: z3.If(one < two, one, two), values),
                "max": lambda *values: reduce(lambda one, two: z3.If(one > two, one, two), values),
                "abs": lambda value: z3.If(value < 0, -value, value),
                "and": z3.And,
                "or": z3.Or,
                "not": z3.Not,
                "implies": z3.Implies,
                "if": z3.If,
                "integer": lambda value: z3.BoolVal(True, context) if z3.is_int(value) else z3.IsInt(value),
                "sqrt": self._root,
                "floor": lambda value: self._rounded(
                    "floor", value, lambda n: z3.And(n <= value, value < n + 1)
                ),
                "ceil": lambda value: self._rounded(
                    "ceil", value, lambda n: z3.And(n - 1 < value, value <= n)
                ),
                **{name: self._some(name) for name in ("log", "log2", "exp")},
            },
            lambda one, two: _real(one) / _real(two),
            self._kept,
        )

    def _power(self, base: Any, exponent: Any) -> Any:
        """Products, which z3 decides; its own powers it does not."""
        import z3

        known = z3.simplify(_real(exponent))
        if z3.is_rational_value(known) and known.denominator_as_long() == 1 and known.as_fraction() >= 0:
            one = z3.IntVal(1, self._context)
            return reduce(operator.mul, [base] * known.numerator_as_long(), one)
        power = z3.Real(f"({_key(base)})**({_key(exponent)})", self._context)
        self.known.append(z3.Implies(base > 0, power > 0))
        return power

    def _root(self, value: Any) -> Any:
        import z3

        root = z3.Real(f"sqrt({_key(value)})", self._context)
        self.known.append(z3.Implies(value >= 0, z3.And(root >= 0, root * root == value)))
        return root

    def _rounded(self, name: str, value: Any, is_next: Callable[[Any], Any]) -> Any:
        import z3

        whole = z3.Int(f"{name}({_key(value)})", self._context)
        self.known.append(is_next(whole))
        return whole

    def _some(self, name: str) -> Callable[[Any], Any]:
        import z3

        return lambda value: z3.Real(f"{name}({_key(value)})", self._context)


def _key(value: Any) -> str:
    """One name for each value that z3 writes alike."""
    import z3

    return str(z3.simplify(_real(value), som=True).sexpr())


def _real(value: Any) -> Any:
    import z3

    return z3.ToReal(value) if z3.is_int(value) else value


def _declared(variables: str, context: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The symbols and the functions of a declaration such as "x real; K integer; a(integer) integer"."""
    import z3

    sorts: Mapping[str, tuple[Callable[[str, Any], Any], Any]] = {
        "real": (z3.Real, z3.RealSort(context)),
        "integer": (z3.Int, z3.IntSort(context)),
    }
    symbols, functions = {}, {}
    for group in filter(None, map(str.strip, variables.split(";"))):
        *names, kind = group.replace(", ", ",").split()
        for name in names:
            if "(" in name:
                function, arguments = name.removesuffix(")").split("(")
                inputs = [sorts[argument][1] for argument in arguments.split(",")]
                functions[function] = z3.Function(function, *inputs, sorts[kind][1])
            else:
                symbols[name] = sorts[kind][0](name, context)
    return symbols, functions
