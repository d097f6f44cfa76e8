"""Steps of a proof that are not polynomial: a value in balls, a derivative, a limit.

A transcendental inequality on a half-line is proved in this manner: at the left end by `in_balls`, and from
there on by the sign of the derivative, which `derivative` reduces to an expression that z3 can judge.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from proofs_check.steps import Step
from proofs_check.ways.balls import less
from proofs_check.ways.for_all import equal_zero
from tallyplan.formula import Formula

Value = int | Fraction


def in_balls(left: Formula | str, right: Formula | str, *, words: str = "", **values: Value) -> Step:
    """Is left < right for these values?

    >>> print(in_balls("log(T)", "sqrt(T)", T=7))
    T == 7 |- log(T) < sqrt(T): yes, by Arb
    """
    answer = less(_as(left), _as(right), **values)
    given = tuple(Formula(f"{name} == {value}") for name, value in values.items())
    return Step(words, "Arb", answer, Formula(f"{left} < {right}"), given)


def derivative(formula: Formula | str, name: str, equals: Formula | str) -> Step:
    """Is this the derivative of the formula?

    >>> print(derivative("log(x)", "x", "1 / x"))
    |- diff(log(x), x) == 1 / x: yes, by sympy (the difference simplifies to 0)
    """
    import sympy

    symbol = sympy.Symbol(name, positive=True)
    found = equal_zero(sympy.diff(_as(formula).sympy(), symbol) - _as(equals).sympy())
    return replace(found, then=Formula(f"diff({formula}, {name}) == {equals}"))


def limit(formula: Formula | str, name: str, value: Formula | str) -> Step:
    """Does the formula tend to the value as the parameter tends to infinity?

    >>> print(limit("x / (x + 1)", "x", "1"))
    |- limit(x / (x + 1), x) == 1: yes, by sympy (the difference simplifies to 0)
    """
    import sympy

    symbol = sympy.Symbol(name, positive=True)
    found = equal_zero(sympy.limit(_as(formula).sympy(), symbol, sympy.oo) - _as(value).sympy())
    return replace(found, then=Formula(f"limit({formula}, {name}) == {value}"))


def _as(formula: Formula | str) -> Formula:
    return Formula(str(formula))
