"""Formulas that are printed and evaluated from the same text, so that the two cannot drift apart.

Arithmetic is exact: integers and fractions, + - * /, `sqrt` of perfect squares, `min`, `max` and `ceil`.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tallyplan.errors import InvalidInput

_BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


@dataclass(frozen=True)
class Formula:
    """An expression in named parameters; call it with their values.

    >>> bound = Formula("(m + 1) * sqrt(T)")
    >>> print(bound, "=", bound(m=2, T=9))
    (m + 1) * sqrt(T) = 9
    """

    text: str

    def __call__(self, **parameters: int | Fraction) -> Fraction:
        """The exact value."""
        exact = {name: Fraction(value) for name, value in parameters.items()}
        return self._value(ast.parse(self.text, mode="eval").body, exact)

    def __str__(self) -> str:
        return self.text

    def _value(self, node: ast.expr, given: Mapping[str, Fraction]) -> Fraction:
        match node:
            case ast.Constant(value=int() as number):
                return Fraction(number)
            case ast.Name(id=name) if name in given:
                return given[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self._value(operand, given)
            case ast.BinOp(op=sign, left=left, right=right) if type(sign) in _BINARY:
                return _BINARY[type(sign)](self._value(left, given), self._value(right, given))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in _FUNCTIONS:
                return _FUNCTIONS[name](*(self._value(argument, given) for argument in arguments))
        raise InvalidInput(f"{ast.unparse(node)!r} in the formula {self.text!r} has no value here.")


def exact_root(value: Fraction) -> Fraction:
    """The square root of a rational square.

    >>> exact_root(Fraction(9, 4))
    Fraction(3, 2)
    """
    if value < 0:
        raise InvalidInput(f"{value} is negative; it has no real square root.")
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root * root != value:
        raise InvalidInput(f"{value} is not the square of a rational; its root is not exact.")
    return root


_FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "sqrt": exact_root,
    "min": min,
    "max": max,
    "ceil": lambda value: Fraction(math.ceil(value)),
}
