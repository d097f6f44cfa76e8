"""Formulas that are printed, evaluated and proved from the same text, so that the three cannot drift apart.

A `Formula` is an expression in named parameters: integers, + - * / **, `sqrt`, `log` (natural), `log2`,
`exp`, `floor`, `ceil`, `min`, `max`, `abs`, comparisons, `and`, `or`, `not`, `implies(p, q)`, `p if q else
r`, `integer(p)`, and functions of one's own, such as `tally(t)`, where a reading is given them. Its text is
parsed once and read in four ways: exactly (fractions; a root or a logarithm must be rational), as an Arb
ball (rigorous), by sympy (identities, limits) and by z3 (statements about all values).
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache, reduce
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
    kept: dict[ast.expr, Any] | None = None  # the values of parts, where it pays to read each once


@dataclass(frozen=True)
class Formula:
    """An expression in named parameters; call it with their values.

    >>> bound = Formula("(m + 1) * sqrt(T)")
    >>> print(bound, "=", bound(m=2, T=9))
    (m + 1) * sqrt(T) = 9
    >>> print(bound.ball(m=2, T=2))  # doctest: +ELLIPSIS
    [4.24264068711... +/- ...]

    See Also
    --------
    tallyplan.typesetting.latex : the formula in LaTeX.
    tallyplan.games.bounds.Bound : bounds are formulas.
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
        return _names(self.tree)

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of one's own, in the order of their first appearance.

        >>> Formula("sqrt(tally(t))").functions
        ('tally',)
        """
        return _functions(self.text)

    def where(self, **meanings: Formula | str | int) -> Formula:
        """The formula with other expressions in place of some names; one that does not occur is an error.

        >>> print(Formula("2 * s + t").where(s="S - 1", t=3))
        2 * (S - 1) + 3
        """
        trees = {name: Formula(str(meaning)).tree for name, meaning in meanings.items()}
        idle = set(trees) - set(self.names)
        if idle:
            raise InvalidInput(f"{', '.join(sorted(idle))} does not occur in the formula {self.text!r}.")

        def change(node: ast.expr) -> ast.expr | None:
            if trees.keys().isdisjoint(_names(node)):
                return node
            return trees[node.id] if isinstance(node, ast.Name) else None

        return self._with(change)

    def put(self, whole: Formula | str, name: Formula | str) -> Formula:
        """The formula with `name` in place of the expression `whole`, wherever that is a part of it.

        >>> print(Formula("(m + 1) * sqrt(T) + T").put("sqrt(T)", "L"))
        (m + 1) * L + T
        """
        part, new = Formula(str(whole)).canonical, Formula(str(name)).tree
        found = self._with(lambda node: new if _written(node) == part else None)
        if found.text == self.canonical:
            raise InvalidInput(f"{whole} is no part of the formula {self.text!r}.")
        return found

    def _with(self, change: Callable[[ast.expr], ast.expr | None]) -> Formula:
        """The formula with parts changed; a changed part is not looked into again."""
        return _formula(_changed(self.tree, change))

    @property
    def canonical(self) -> str:
        """The text in one spelling, so that two formulas can be compared.

        >>> Formula("(a+b)  **2").canonical
        '(a + b)**2'
        """
        return _canonical(self.text)

    @property
    def tree(self) -> ast.expr:
        """The syntax tree; not to be changed."""
        return _tree(self.text)

    def read(self, reading: Reading, given: Mapping[str, Any]) -> Any:
        """Evaluate in one of the readings; `given` holds the value of every parameter."""
        try:
            return _evaluated(self.tree)(reading, given)
        except _NoValue as part:
            raise InvalidInput(f"{str(part)!r} in the formula {self.text!r} has no value here.") from None


_TREES: dict[str, ast.expr] = {}  # by text; equal parts are one object, and are never altered
_PARTS: dict[tuple[Any, ...], ast.expr] = {}  # by what they consist of


def _tree(text: str) -> ast.expr:
    if text not in _TREES:
        try:
            _TREES[text] = _shared(ast.parse(text, mode="eval").body)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:  # the last two: too deep
            raise InvalidInput(f"{text!r} is no formula: {error}.") from None
    return _TREES[text]


def _formula(tree: ast.expr) -> Formula:
    """The formula of a tree, which its text need not be parsed for."""
    text = _written(tree)
    _TREES.setdefault(text, tree)
    return Formula(text)


def _shared(value: Any) -> Any:
    """The tree made of shared parts, so that what was found out about a part is known wherever it occurs."""
    if isinstance(value, ast.expr):
        return _part(type(value), [_shared(getattr(value, name)) for name in value._fields])
    return list(map(_shared, value)) if isinstance(value, list) else value


def _part(kind: type[ast.expr], fields: list[Any]) -> ast.expr:
    """The one part that consists of these fields; 1 and True are equal, and are told apart by their types."""
    same = [type(fields[0])] if kind is ast.Constant else []
    key = (kind, *same, *[tuple(one) if type(one) is list else one for one in fields])
    if key not in _PARTS:
        _PARTS[key] = kind(*fields)
    return _PARTS[key]


def _changed(node: ast.expr, change: Callable[[ast.expr], ast.expr | None]) -> ast.expr:
    """The tree with parts changed; what stays the same is shared."""

    def part(value: Any) -> Any:
        if isinstance(value, ast.expr):
            return _changed(value, change)
        return list(map(part, value)) if isinstance(value, list) else value

    whole = change(node)
    if whole is not None:
        return whole
    old = [getattr(node, name) for name in node._fields]
    new = list(map(part, old))
    return node if new == old else _part(type(node), new)


@cache
def _names(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,)
    return tuple(dict.fromkeys(name for part in _from_left_to_right(node) for name in _names(part)))


def _from_left_to_right(node: ast.AST) -> list[ast.AST]:
    """The parts of a formula without the names of functions, in the order of its text."""
    match node:
        case ast.Name() | ast.Constant():
            return []
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Call(func=ast.Name(), args=arguments, keywords=named):
            return [*arguments, *named]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return [body, test, orelse]
    return list(ast.iter_child_nodes(node))


@cache
def _functions(text: str) -> tuple[str, ...]:
    calls = [node.func for node in ast.walk(_tree(text)) if isinstance(node, ast.Call)]
    found = {node.id: None for node in calls if isinstance(node, ast.Name)}
    return tuple(name for name in found if name not in {*_EXACT.functions, "log", "exp"})


Evaluation = Callable[[Reading, Mapping[str, Any]], Any]


class _NoValue(Exception):
    """A part of a formula that has no value in a reading."""


@cache
def _evaluated(node: ast.expr) -> Evaluation:
    """The value of a part of a formula, as a function of the reading and the parameters."""
    work = _taken_apart(node)

    def value(how: Reading, given: Mapping[str, Any]) -> Any:
        if how.kept is None:
            return work(how, given)
        if node not in how.kept:
            how.kept[node] = work(how, given)
        return how.kept[node]

    return work if isinstance(node, ast.Name) else value


def _taken_apart(node: ast.expr) -> Evaluation:
    """The same without a look at what is kept: however often it is called, the tree is taken apart once."""
    value = _evaluated
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return lambda how, given: how.number(number)
        case ast.Name(id=name):
            return lambda how, given: given[name] if name in given else _no_value(node)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            one = value(operand)
            return lambda how, given: -one(how, given)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _call("not", [value(operand)], node)
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            one, two = value(left), value(right)
            return lambda how, given: how.power(one(how, given), two(how, given))
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            one, two = value(left), value(right)
            return lambda how, given: how.divide(one(how, given), two(how, given))
        case ast.BinOp(op=sign, left=left, right=right) if type(sign) in _BINARY:
            one, two, join = value(left), value(right), _BINARY[type(sign)]
            return lambda how, given: join(one(how, given), two(how, given))
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            one, two, compare = value(left), value(right), _COMPARE[type(sign)]
            return lambda how, given: compare(one(how, given), two(how, given))
        case ast.Compare(left=left, ops=signs, comparators=rights):
            links = [
                value(ast.Compare(left=one, ops=[sign], comparators=[two]))
                for one, sign, two in zip([left, *rights], signs, rights, strict=False)
            ]
            return _call("and", links, node)
        case ast.BoolOp(op=joint, values=parts):
            return _call("and" if isinstance(joint, ast.And) else "or", list(map(value, parts)), node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _call("if", list(map(value, (test, body, orelse))), node)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, list(map(value, arguments)), node)
    return lambda how, given: _no_value(node)


def _call(name: str, arguments: list[Evaluation], node: ast.expr) -> Evaluation:
    """A function of the reading, or one that is among the parameters."""

    def called(how: Reading, given: Mapping[str, Any]) -> Any:
        function: Any = how.functions.get(name) or given.get(name)
        if not callable(function):
            return _no_value(node)
        return function(*[argument(how, given) for argument in arguments])

    return called


def _no_value(node: ast.expr) -> Any:
    raise _NoValue(ast.unparse(node))


_fraction = lru_cache(maxsize=2**10)(Fraction)  # boxes of parameters ask for the same few again and again


def _fractions(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value if type(value) is Fraction or callable(value) else _fraction(value)
        for name, value in parameters.items()
    }


@cache
def _canonical(text: str) -> str:
    return _formula(_tree(text)).text


class _Binds(IntEnum):
    """How tightly the parts of a formula bind, from the loosest to the tightest, with Python's steps."""

    IF, OR, AND, NOT, COMPARISON = range(5)
    SUM, PRODUCT, SIGN, POWER = range(9, 13)  # Python has bits and shifts between
    AWAIT, ATOM = 13, 14


_SIGNS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Add: (" + ", _Binds.SUM),
    ast.Sub: (" - ", _Binds.SUM),
    ast.Mult: (" * ", _Binds.PRODUCT),
    ast.Div: (" / ", _Binds.PRODUCT),
    ast.Lt: (" < ", _Binds.COMPARISON),
    ast.LtE: (" <= ", _Binds.COMPARISON),
    ast.Gt: (" > ", _Binds.COMPARISON),
    ast.GtE: (" >= ", _Binds.COMPARISON),
    ast.Eq: (" == ", _Binds.COMPARISON),
    ast.NotEq: (" != ", _Binds.COMPARISON),
    ast.And: (" and ", _Binds.AND),
    ast.Or: (" or ", _Binds.OR),
    ast.Not: ("not ", _Binds.NOT),
    ast.USub: ("-", _Binds.SIGN),
}


def _written(node: ast.expr, level: int = _Binds.IF) -> str:
    """The text of a part, in brackets if it binds more loosely than its place wants: as `ast.unparse` has it.

    Trees of other things than formulas are left to Python. `a**b` is written without spaces.
    """
    text, own = _spelled(node)
    return f"({text})" if own < level else text


@cache
def _spelled(node: ast.expr) -> tuple[str, int]:
    """The text of a part without brackets around it, and how tightly that binds."""
    match node:
        case ast.Constant(value=int() as number):
            return repr(number), _Binds.ATOM
        case ast.Name(id=name):
            return name, _Binds.ATOM
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return f"{_written(left, _Binds.AWAIT)}**{_written(right, _Binds.POWER)}", _Binds.POWER
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _SIGNS:
            sign, own = _SIGNS[type(op)]
            return _written(left, own) + sign + _written(right, own + 1), own
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return f"{name}({', '.join(map(_written, arguments))})", _Binds.ATOM
        case ast.Compare(left=left, ops=ops, comparators=rights) if all(type(op) in _SIGNS for op in ops):
            tight = _Binds.COMPARISON + 1
            links = (_SIGNS[type(op)][0] + _written(one, tight) for op, one in zip(ops, rights, strict=True))
            return "".join([_written(left, tight), *links]), _Binds.COMPARISON
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _SIGNS:
            sign, own = _SIGNS[type(op)]
            return sign + _written(operand, own), own
        case ast.BoolOp(op=op, values=parts):  # Python wants each part to bind more tightly than the last
            sign, own = _SIGNS[type(op)]
            return sign.join(_written(one, min(own + 1 + i, _Binds.ATOM)) for i, one in enumerate(parts)), own
        case ast.IfExp(test=test, body=body, orelse=orelse):
            one, two = _written(body, _Binds.OR), _written(test, _Binds.OR)
            return f"{one} if {two} else {_written(orelse)}", _Binds.IF
    return ast.unparse(node), _Binds.IF


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
    _fraction,
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


def _is_integer_for_sympy(value: Any) -> bool:
    if value.is_integer is None:
        raise InvalidInput(f"sympy cannot tell whether {value} is an integer.")
    return bool(value.is_integer)


@cache
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
            "integer": _is_integer_for_sympy,
        },
    )
