"""Statements about all values of their parameters: z3 for inequalities, sympy for identities.

`for_all` asks z3 for a counterexample of "given ... then ..."; `unsat` is the proof. `identity` has sympy
simplify the difference of two sides to 0. Both return a `Step`, which tells what was shown and by what; a
proof is a list of steps that all hold (`claim.by_proof`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from proofs_check.claim import Step
from tallyplan.formula import Formula, Reading

SECONDS = 20


def for_all(
    variables: str, *, then: str, given: Sequence[str] = (), seconds: int = SECONDS, name: str | None = None
) -> Step:
    """Is `then` true for all values of the variables that satisfy `given`?

    Parameters
    ----------
    variables : "x y real; K m integer".
    then, given : comparisons in the language of `Formula` (no roots or logarithms: name them and say what
        they satisfy, for example "L * L == T").
    seconds : z3's time limit; when it is reached the step is undecided.
    name : what to print instead of the formulas.

    >>> print(for_all("x y real", given=["x > 0", "y > 0"], then="(x + y)**2 >= 4 * x * y"))
    (x + y)**2 >= 4 * x * y for all real x, y with x > 0, y > 0: yes, by z3 (the negation is unsatisfiable)
    >>> for_all("x real", then="x * x >= x").holds
    False
    """
    import z3

    symbols = _symbols(variables)
    solver = z3.Solver()
    solver.set("timeout", seconds * 1000)
    for condition in given:
        solver.add(Formula(condition).read(_z3(), symbols))
    solver.add(z3.Not(Formula(then).read(_z3(), symbols)))
    answer = solver.check()
    where = f" for all {_declared(variables)}" + (f" with {', '.join(given)}" if given else "")
    if answer == z3.sat:
        return Step(name or then + where, f"z3 (fails at {_model(solver.model(), symbols)})", False)
    by = "z3 (the negation is unsatisfiable)" if answer == z3.unsat else f"z3 (no answer in {seconds} s)"
    return Step(name or then + where, by, True if answer == z3.unsat else None)


def counterexample(
    variables: str, *, then: str, given: Sequence[str] = (), seconds: int = SECONDS
) -> dict[str, Fraction] | None:
    """Rational values that satisfy `given` and violate `then`, evaluated once more without z3; or None.

    >>> counterexample("x real", given=["x > 0"], then="x * x >= x") is None
    False
    """
    import z3

    symbols = _symbols(variables)
    solver = z3.Solver()
    solver.set("timeout", seconds * 1000)
    conditions = [Formula(condition) for condition in given]
    solver.add(*(condition.read(_z3(), symbols) for condition in conditions))
    solver.add(z3.Not(Formula(then).read(_z3(), symbols)))
    if solver.check() != z3.sat:
        return None
    values = {name: _fraction(solver.model(), symbol) for name, symbol in symbols.items()}
    if any(value is None for value in values.values()):
        return None
    exact = {name: value for name, value in values.items() if value is not None}
    right = all(condition.holds(**exact) for condition in conditions) and not Formula(then).holds(**exact)
    return exact if right else None


def identity(left: str, right: str, *, name: str | None = None, integers: str = "") -> Step:
    """Are the two sides the same expression? Parameters are positive reals, those in `integers` integers.

    >>> print(identity("(x + 1)**2", "x**2 + 2*x + 1"))
    (x + 1)**2 == x**2 + 2*x + 1: yes, by sympy (the difference simplifies to 0)
    >>> identity("(x + 1)**2", "x**2 + 1").holds
    False
    """
    import sympy

    symbols = {name: sympy.Symbol(name, positive=True, integer=True) for name in integers.split()}
    difference = Formula(f"({left}) - ({right})").sympy(**symbols)
    return equal_zero(difference, name or f"{left} == {right}")


def equal_zero(difference: Any, name: str) -> Step:
    """Does a sympy expression simplify to 0? For sums and limits that `Formula` cannot write."""
    import sympy

    rest = sympy.simplify(sympy.expand(difference))
    if rest == 0:
        return Step(name, "sympy (the difference simplifies to 0)", True)
    numbers = rest.is_number and rest.is_zero is False
    known = numbers or (rest.is_polynomial() and sympy.expand(rest) != 0)
    return Step(name, f"sympy (the difference is {rest})", False if known else None)


def _symbols(variables: str) -> dict[str, Any]:
    import z3

    kinds: Mapping[str, Callable[[str], Any]] = {"real": z3.Real, "integer": z3.Int}
    return {name: kinds[kind](name) for *names, kind in _groups(variables) for name in names}


def _groups(variables: str) -> list[list[str]]:
    return [group.split() for group in variables.split(";")]


def _declared(variables: str) -> str:
    return ", ".join(f"{kind} {', '.join(names)}" for *names, kind in _groups(variables))


def _z3() -> Reading:
    import z3

    return Reading(
        lambda number: z3.RealVal(number),
        _z3_power,
        {
            "min": lambda *values: reduce(lambda one, two: z3.If(one < two, one, two), values),
            "max": lambda *values: reduce(lambda one, two: z3.If(one > two, one, two), values),
            "abs": lambda value: z3.If(value < 0, -value, value),
            "and": z3.And,
            "or": z3.Or,
            "not": z3.Not,
        },
    )


def _z3_power(base: Any, exponent: Any) -> Any:
    """Products, which z3 decides; its own powers it does not."""
    return reduce(operator.mul, [base] * exponent.as_long())


def _fraction(model: Any, symbol: Any) -> Fraction | None:
    value = model.eval(symbol, model_completion=True)
    text = str(value)
    return Fraction(text) if text.replace("/", "").replace("-", "").isdigit() else None


def _model(model: Any, symbols: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {model.eval(symbols[name], model_completion=True)}" for name in symbols)
