"""Formulas that are printed, evaluated and proved from the same text, so that the three cannot drift apart.

A `Formula` is an expression in named parameters: integers, + - * / **, `sqrt`, `log` (natural), `log2`,
`exp`, `floor`, `ceil`, `min`, `max`, `abs`, comparisons, `and`, `or`, `not`, `implies(p, q)`, `p if q else
r`, `integer(p)`, and functions of one's own, such as `tally(t)`, where a reading is given them. Its text is
parsed once and read in four ways: exactly (fractions; a root or a logarithm must be rational), as an Arb
ball (rigorous), by sympy (identities, limits, LaTeX) and by z3 (statements about all values).
"""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
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
    >>> bound.latex
    '\\\\sqrt{T} \\\\left(m + 1\\\\right)'
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
    def latex(self) -> str:
        """For papers and notebooks."""
        import sympy

        return str(sympy.latex(self.sympy()))

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, in the order of their first appearance.

        >>> Formula("(m + 1) * sqrt(T)").names
        ('m', 'T')
        """
        called = {id(node.func) for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        found = [n for n in ast.walk(self.tree) if isinstance(n, ast.Name) and id(n) not in called]
        found.sort(key=lambda node: node.col_offset)
        return tuple(dict.fromkeys(node.id for node in found))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of one's own, in the order of their first appearance.

        >>> Formula("sqrt(tally(t))").functions
        ('tally',)
        """
        calls = [node.func for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
        found = {node.id: None for node in calls if isinstance(node, ast.Name)}
        return tuple(name for name in found if name not in {*_EXACT.functions, "log", "exp"})

    def where(self, **meanings: Formula | str | int) -> Formula:
        """The formula with other expressions in place of some names; one that does not occur is an error.

        >>> print(Formula("2 * s + t").where(s="S - 1", t=3))
        2 * (S - 1) + 3
        """
        trees = {name: Formula(str(meaning)).tree for name, meaning in meanings.items()}
        idle = set(trees) - set(self.names)
        if idle:
            raise InvalidInput(f"{', '.join(sorted(idle))} does not occur in the formula {self.text!r}.")
        return self._with(lambda node: trees.get(node.id) if isinstance(node, ast.Name) else None)

    def put(self, whole: Formula | str, name: Formula | str) -> Formula:
        """The formula with `name` in place of the expression `whole`, wherever that is a part of it.

        >>> print(Formula("(m + 1) * sqrt(T) + T").put("sqrt(T)", "L"))
        (m + 1) * L + T
        """
        part, new = ast.dump(Formula(str(whole)).tree), Formula(str(name)).tree
        found = self._with(lambda node: new if ast.dump(node) == part else None)
        if found.text == self.canonical:
            raise InvalidInput(f"{whole} is no part of the formula {self.text!r}.")
        return found

    def _with(self, change: Callable[[ast.expr], ast.expr | None]) -> Formula:
        """The formula with parts changed; a changed part is not looked into again."""

        class Change(ast.NodeTransformer):
            def visit(self, node: ast.AST) -> Any:
                changed = change(node) if isinstance(node, ast.expr) else None
                return self.generic_visit(node) if changed is None else copy.deepcopy(changed)

        return Formula(_written(Change().visit(ast.parse(self.text, mode="eval").body)))

    @cached_property
    def canonical(self) -> str:
        """The text in one spelling, so that two formulas can be compared.

        >>> Formula("(a+b)  **2").canonical
        '(a + b)**2'
        """
        return _written(self.tree)

    @cached_property
    def tree(self) -> ast.expr:
        """The syntax tree; not to be changed."""
        return ast.parse(self.text, mode="eval").body

    def read(self, reading: Reading, given: Mapping[str, Any]) -> Any:
        """Evaluate in one of the readings; `given` holds the value of every parameter."""
        return self._value(self.tree, reading, given)

    def _value(self, node: ast.expr, how: Reading, given: Mapping[str, Any]) -> Any:
        def value(part: ast.expr) -> Any:
            return self._value(part, how, given)

        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return how.number(number)
            case ast.Name(id=name) if name in given:
                return given[name]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -value(operand)
            case ast.UnaryOp(op=ast.Not(), operand=operand) if "not" in how.functions:
                return how.functions["not"](value(operand))
            case ast.BinOp(op=ast.Pow(), left=left, right=right):
                return how.power(value(left), value(right))
            case ast.BinOp(op=ast.Div(), left=left, right=right):
                return how.divide(value(left), value(right))
            case ast.BinOp(op=sign, left=left, right=right) if type(sign) in _BINARY:
                return _BINARY[type(sign)](value(left), value(right))
            case ast.Compare(left=left, ops=signs, comparators=rights):
                parts = [left, *rights]
                links = [
                    _COMPARE[type(sign)](value(one), value(two))
                    for one, sign, two in zip(parts, signs, rights, strict=False)
                ]
                return links[0] if len(links) == 1 else how.functions["and"](*links)
            case ast.BoolOp(op=joint, values=parts):
                name = "and" if isinstance(joint, ast.And) else "or"
                return how.functions[name](*(value(part) for part in parts))
            case ast.IfExp(test=test, body=body, orelse=orelse) if "if" in how.functions:
                return how.functions["if"](value(test), value(body), value(orelse))
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in how.functions:
                return how.functions[name](*(value(argument) for argument in arguments))
            case ast.Call(func=ast.Name(id=name), args=arguments) if callable(given.get(name)):
                return given[name](*(value(argument) for argument in arguments))
        raise InvalidInput(f"{ast.unparse(node)!r} in the formula {self.text!r} has no value here.")


def _fractions(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if callable(value) else Fraction(value) for name, value in parameters.items()}


def _written(tree: ast.expr) -> str:
    return ast.unparse(tree).replace(" ** ", "**")


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


def _arb() -> Reading:
    from flint import arb

    return Reading(
        arb,
        lambda base, exponent: base**exponent,
        {
            **_LOGIC,
            "sqrt": lambda value: value.sqrt(),
            "log": lambda value: value.log(),
            "log2": lambda value: value.log() / arb(2).log(),
            "exp": lambda value: value.exp(),
            "floor": lambda value: value.floor(),
            "ceil": lambda value: value.ceil(),
            "min": lambda *values: reduce(lambda one, two: one.min(two), values),
            "max": lambda *values: reduce(lambda one, two: one.max(two), values),
            "abs": abs,
        },
    )


def _sympy() -> Reading:
    import sympy

    return Reading(
        sympy.Integer,
        operator.pow,
        {
            "sqrt": sympy.sqrt,
            "log": sympy.log,
            "log2": lambda value: sympy.log(value) / sympy.log(2),
            "exp": sympy.exp,
            "floor": sympy.floor,
            "ceil": sympy.ceiling,
            "min": sympy.Min,
            "max": sympy.Max,
            "abs": sympy.Abs,
            "and": sympy.And,
            "or": sympy.Or,
            "not": sympy.Not,
            "implies": sympy.Implies,
            "if": lambda test, yes, no: sympy.Piecewise((yes, test), (no, True)),
        },
    )
