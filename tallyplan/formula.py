"""Formulas that are printed, evaluated and proved from the same text, so that the three cannot drift apart.

A `Formula` is an expression in named parameters: integers, + - * / **, `sqrt`, `log` (natural), `log2`,
`exp`, `floor`, `ceil`, `min`, `max`, `abs`, comparisons, `and`, `or`, `not`, `implies(p, q)`, `p if q else
r`, `integer(p)`, and functions of one's own, such as `tally(t)`, where a reading is given them. Its text is
parsed once and read in three ways: exactly (fractions; a root or a logarithm must be rational), as an Arb
ball (rigorous) and by sympy (identities).
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from tallyplan.errors import InvalidInput

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


@dataclass(frozen=True)
class Reading:
    """One way to read a formula: numbers, powers, the functions it knows, and how it divides."""

    number: Callable[[int], Any]
    power: Callable[[Any, Any], Any]
    functions: Mapping[str, Callable[..., Any]]
    divide: Callable[[Any, Any], Any] = operator.truediv


@dataclass(frozen=True)
class Formula:
    """An expression in named parameters; call it with their values.

    >>> bound = Formula("(m + 1) * sqrt(T)")
    >>> print(bound, "=", bound(m=2, T=9))
    (m + 1) * sqrt(T) = 9
    >>> print(bound.ball(m=2, T=2))  # doctest: +ELLIPSIS
    [4.24264068711... +/- ...]
    """

    text: str

    def __str__(self) -> str:
        return self.text

    def __call__(self, **parameters: int | Fraction) -> Fraction:
        """The exact value.

        Raises
        ------
        InvalidInput : a parameter is missing, or the value is not rational.
        """
        return Fraction(self.read(_EXACT, _fractions(parameters)))

    def holds(self, **parameters: int | Fraction | Callable[..., Any]) -> bool:
        """The truth of a comparison, exactly; a parameter may be a function, if the formula calls it."""
        return bool(self.read(_EXACT, _fractions(parameters)))

    def ball(self, **parameters: Any) -> Any:
        """An Arb ball that contains the value, at the working precision of `flint.ctx`.

        A comparison is true if it is certain; a parameter may be a function, if the formula calls it.
        """
        return self.read(_arb(), {name: as_ball(value) for name, value in parameters.items()})

    def sympy(self, **symbols: Any) -> Any:
        """The sympy expression; names without a given symbol become positive ones."""
        import sympy

        return self.read(
            _sympy(), {name: symbols.get(name, sympy.Symbol(name, positive=True)) for name in self.names}
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, in the order of their first appearance.

        >>> Formula("(m + 1) * sqrt(T)").names
        ('m', 'T')
        """
        return _names(self.text)[0]

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions that are not built in, in the order of their first appearance.

        >>> Formula("sqrt(tally(t))").functions
        ('tally',)
        """
        return tuple(name for name in _names(self.text)[1] if name not in {*_EXACT.functions, "log", "exp"})

    def where(self, **meanings: Formula | str | int) -> Formula:
        """The formula with other expressions in place of some names; one that does not occur is an error.

        >>> print(Formula("2 * s + t").where(s="S - 1", t=3))
        2 * (S - 1) + 3
        >>> print(Formula("a + b - c * d").where(b="x - y", c="u + v", d="p / q"))
        a + x - y - (u + v) * p / q
        """
        trees = {name: Formula(str(meaning)).tree for name, meaning in meanings.items()}
        idle = set(trees) - set(self.names)
        if idle:
            raise InvalidInput(f"{', '.join(sorted(idle))} does not occur in the formula {self.text!r}.")
        return Formula(_written(_Replaced(trees).visit(ast.parse(self.text, mode="eval").body)))

    @property
    def canonical(self) -> str:
        """The text in one spelling, so that two formulas can be compared.

        >>> Formula("(a+b)  **2").canonical
        '(a + b)**2'
        """
        return _written(self.tree)

    @property
    def tree(self) -> ast.expr:
        """The syntax tree; not to be changed."""
        return _tree(self.text)

    def read(self, reading: Reading, given: Mapping[str, Any]) -> Any:
        """Evaluate in one of the readings; `given` holds the value of every parameter."""
        try:
            return _value(self.tree, reading, given)
        except _NoValue as part:
            raise InvalidInput(f"{str(part)!r} in the formula {self.text!r} has no value here.") from None


@cache
def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # the last two: too deep
        raise InvalidInput(f"{text!r} is not a formula: {getattr(error, 'msg', error)}.") from None


class _Replaced(ast.NodeTransformer):
    """Puts expressions in the place of names, and does not look into them."""

    def __init__(self, meanings: Mapping[str, ast.expr]) -> None:
        self.meanings = meanings

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.meanings.get(node.id, node)


FLAT: dict[type, tuple[type, ...]] = {ast.Add: (ast.Add, ast.Sub), ast.Mult: (ast.Mult, ast.Div)}


def _written(tree: ast.expr) -> str:
    return ast.unparse(_flat(tree)).replace(" ** ", "**")


def _flat(node: Any) -> Any:
    """The tree with a + (b + c) as a + b + c, and products alike: fewer parentheses, the same value."""
    if isinstance(node, list):
        return list(map(_flat, node))
    if not isinstance(node, ast.expr):
        return node
    made = type(node)(*(_flat(getattr(node, name)) for name in node._fields))
    while isinstance(made, ast.BinOp) and isinstance(inner := made.right, ast.BinOp):
        if not isinstance(inner.op, FLAT.get(type(made.op), ())):
            break
        made = ast.BinOp(_flat(ast.BinOp(made.left, made.op, inner.left)), inner.op, inner.right)
    return made


@cache
def _names(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parameters and the functions, each in the order of their first appearance."""
    nodes = list(ast.walk(_tree(text)))
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    found = [node for node in nodes if isinstance(node, ast.Name)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    names, functions = (
        tuple(dict.fromkeys(node.id for node in found if (node in called) == is_function))
        for is_function in (False, True)
    )
    return names, functions


class _NoValue(Exception):
    """A part of a formula that has no value in a reading."""


def _value(node: ast.expr, how: Reading, given: Mapping[str, Any]) -> Any:

    def call(name: str, *arguments: ast.expr) -> Any:
        """A function of the reading, or one that is among the parameters."""
        function: Any = how.functions.get(name) or given.get(name)
        return function(*map(value, arguments)) if callable(function) else _no_value(node)

    def value(part: ast.expr) -> Any:
        return _value(part, how, given)

    match node:
        case ast.Name(id=name):
            return given[name] if name in given else _no_value(node)
        case ast.BinOp(op=ast.Pow()):
            return how.power(value(node.left), value(node.right))
        case ast.BinOp(op=ast.Div()):
            return how.divide(value(node.left), value(node.right))
        case ast.BinOp(op=sign) if type(sign) in _BINARY:
            return _BINARY[type(sign)](value(node.left), value(node.right))
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return how.number(number)
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _COMPARE:
            return _COMPARE[type(sign)](value(left), value(right))
        case ast.Compare(left=left, ops=signs, comparators=rights):
            links = zip([left, *rights], signs, rights, strict=False)
            return call("and", *(ast.Compare(one, [sign], [two]) for one, sign, two in links))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return call(name, *arguments)
        case ast.BoolOp(op=joint, values=parts):
            return call("and" if isinstance(joint, ast.And) else "or", *parts)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return call("if", test, body, orelse)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return call("not", operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -value(operand)
    return _no_value(node)


def _no_value(node: ast.expr) -> Any:
    raise _NoValue(ast.unparse(node))


def _fractions(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if callable(value) else Fraction(value) for name, value in parameters.items()}


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


def _exact_log2(value: Fraction) -> Fraction:
    if value > 0:
        exponent = value.numerator.bit_length() - value.denominator.bit_length()
        if value == Fraction(2) ** exponent:
            return Fraction(exponent)
    raise InvalidInput(f"{value} is not a power of two; its logarithm is not exact.")


def _exact_power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise InvalidInput(f"{base}**{exponent} is not exact: the exponent is not an integer.")
    return Fraction(base**exponent.numerator)


_LOGIC: dict[str, Callable[..., Any]] = {
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": operator.not_,
    "implies": lambda premise, conclusion: not premise or conclusion,
    "if": lambda test, yes, no: yes if test else no,
}

_EXACT = Reading(
    Fraction,
    _exact_power,
    {
        **_LOGIC,
        "sqrt": exact_root,
        "log2": _exact_log2,
        "floor": lambda value: Fraction(math.floor(value)),
        "ceil": lambda value: Fraction(math.ceil(value)),
        "min": min,
        "max": max,
        "abs": abs,
        "integer": lambda value: value.denominator == 1,
    },
)


def as_ball(value: Any) -> Any:
    """A number as an Arb ball; balls and functions stay what they are."""
    from flint import arb, fmpq

    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    return value if isinstance(value, arb) or callable(value) else arb(value)


@cache
def _arb() -> Reading:
    from flint import arb

    named = {name: operator.methodcaller(name) for name in ("sqrt", "log", "exp", "floor", "ceil")}
    more = {
        "log2": lambda value: value.log() / arb(2).log(),
        "min": lambda *values: reduce(arb.min, values),
        "max": lambda *values: reduce(arb.max, values),
        "abs": abs,
    }
    return Reading(arb, operator.pow, {**_LOGIC, **named, **more})


@cache
def _sympy() -> Reading:
    import sympy

    named = {name: getattr(sympy, name) for name in ("sqrt", "log", "exp", "floor")}
    more = {"ceil": sympy.ceiling, "min": sympy.Min, "max": sympy.Max, "abs": sympy.Abs}
    return Reading(sympy.Integer, operator.pow, {**named, **more, "log2": lambda value: sympy.log(value, 2)})
