"""The value of a statement for one table, one play, one horizon: by the definitions, in exact numbers.

The symbols of the theory are written out here literally, and slowly: this is what the schemas are held
against, what shows that the hypotheses of a claim can be met, and what a witness is evaluated with. A root or
a logarithm that is irrational is an Arb ball; a comparison that it leaves open has no value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial, reduce
from itertools import product
from typing import Any

from proofs_check.kernel import z3_question
from proofs_check.kernel.terms import Free, Symbol, Term, Variable
from tallyplan.errors import InvalidInput
from tallyplan.formula import as_ball, exact_root

Value = Any  # Fraction, int, arb, bool, or a function of integers
MOST_PLAYS = 20000  # that are tried for a minimum

BINARY: dict[str, Callable[[Any, Any], Any]] = {**z3_question.BINARY, "min": min, "max": max}


class NoValue(InvalidInput):
    """What is asked for cannot be computed here: too many plays, or balls that overlap."""


def value(one: Term, values: Mapping[Free, Value], bound: tuple[int, ...] = ()) -> Value:
    """The value of a term, its variables and function variables having these values.

    Raises
    ------
    NoValue : it is out of reach.
    """

    def part(inner: Term) -> Value:
        return value(inner, values, bound)

    match one.op, one.parts:
        case "number", _:
            return one.value
        case "variable", _:
            return values[one.value]
        case "bound", _:
            return bound[one.value]
        case "call", parts:
            return values[one.value](*map(part, parts))
        case "lambda", (body,):
            return cache(lambda *places: value(body, values, (*places, *bound)))
        case "all", (lo, hi, body):
            return all(value(body, values, (i, *bound)) for i in range(part(lo), part(hi) + 1))
        case "symbol", parts:
            return _symbol(one.value, list(map(part, parts)))
        case "if", (test, yes, no):
            return part(yes) if part(test) else part(no)
        case "and", (left, right):
            return part(left) and part(right)
        case "or", (left, right):
            return part(left) or part(right)
        case "implies", (left, right):
            return not part(left) or part(right)
        case "not", (inner,):
            return not part(inner)
        case "-", (inner,):
            return -part(inner)
        case "/", (above, below):
            return _quotient(part(above), part(below))
        case op, (left, right):
            return _applied(op, part(left), part(right))
    raise NoValue(f"{one.op} has no value.")


def _applied(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, (int, Fraction)) and isinstance(right, (int, Fraction)):
        return BINARY[op](left, right)
    left, right = as_ball(left), as_ball(right)
    if op in ("min", "max"):
        return getattr(left, op)(right)
    if op in ("+", "-", "*"):
        return BINARY[op](left, right)
    if op in ("==", "!="):
        return _decided(left == right, left != right) == (op == "==")
    contrary = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
    return _decided(BINARY[op](left, right), BINARY[contrary[op]](left, right))


def _decided(yes: bool, no: bool) -> bool:
    if not (yes or no):
        raise NoValue("two balls overlap.")
    return bool(yes)


def _quotient(above: Value, below: Value) -> Value:
    if isinstance(below, (int, Fraction)) and below == 0:
        return Fraction(0)
    if isinstance(above, (int, Fraction)) and isinstance(below, (int, Fraction)):
        return Fraction(above) / below
    return as_ball(above) / as_ball(below)


def _symbol(symbol: Symbol, arguments: list[Value]) -> Value:
    if symbol.body is None:
        return THEORY[symbol.name](*arguments)
    inner = dict(zip(symbol.parameters, arguments, strict=True))
    if symbol.base is None:
        return value(symbol.body, inner)
    last, before = arguments[-1], Variable("before", symbol.sort)
    found = value(symbol.base, {**inner, symbol.parameters[-1]: min(last, 0)})
    for n in range(1, last + 1):
        found = value(symbol.body, {**inner, symbol.parameters[-1]: n, before: found})
    return found


def _count(a: Value, x: int, t: int) -> int:
    return sum(a(s) == x for s in range(1, t + 1))


def _loss(a: Value, h: Value, m: int, t: int) -> Value:
    return h(a(t), _count(a, a(t), t) - _count(a, a(t), t - m))


def _total(a: Value, h: Value, m: int, t: int) -> Value:
    return sum((_loss(a, h, m, s) for s in range(1, t + 1)), Fraction(0))


def _words(K: int, length: int) -> Sequence[tuple[int, ...]]:
    if K < 1:
        return []
    if K ** max(length, 0) > MOST_PLAYS:
        raise NoValue(f"there are too many plays of {length} steps.")
    return list(product(range(1, K + 1), repeat=max(length, 0)))


def _play(word: Sequence[int], period: int | None = None) -> Callable[[int], int]:
    """The word, then action 1; or the word again and again."""
    if period is not None:
        return lambda t: word[(t - 1) % period]
    return lambda t: word[t - 1] if 1 <= t <= len(word) else 1


def _best(h: Value, K: int, m: int, T: int) -> tuple[Value, Callable[[int], int]]:
    tried = [(_total(_play(word), h, m, T), word) for word in _words(K, T)]
    if not tried:
        return Fraction(0), lambda t: 1
    least, word = min(tried)
    return least, _play(word)


def _cycle(h: Value, K: int, m: int, L: int) -> tuple[Value, Callable[[int], int]]:
    def second_period(word: Sequence[int]) -> Value:
        a = _play(word, L)
        return _total(a, h, m, 2 * L) - _total(a, h, m, L)

    tried = [(second_period(word), word) for word in _words(K, L)] if L >= 1 else []
    if not tried:
        return Fraction(0), lambda t: 1
    least, word = min(tried)
    return Fraction(least) / L, _play(word, L)


def _log(number: Value) -> Value:
    if isinstance(number, (int, Fraction)) and (number <= 0 or number == 1):
        return Fraction(0)
    return as_ball(number).log()


def _root(number: Value) -> Value:
    if isinstance(number, (int, Fraction)):
        if number < 0:
            return Fraction(0)
        try:
            return exact_root(Fraction(number))
        except InvalidInput:
            pass
    return as_ball(number).sqrt()


def _least(f: Value, lo: int, hi: int) -> int:
    return min(range(lo, hi + 1), key=f, default=lo)


def _floor(number: Value) -> int:
    if isinstance(number, (int, Fraction)):
        return math.floor(number)
    whole = number.floor().unique_fmpz()
    if whole is None:
        raise NoValue("a ball holds several integers.")
    return int(whole)


THEORY: dict[str, Callable[..., Value]] = {
    "count": _count,
    "loss": _loss,
    "total": _total,
    "OPT": lambda h, K, m, T: _best(h, K, m, T)[0],
    "best": lambda h, K, m, T, t: _best(h, K, m, T)[1](t),
    "mu": lambda h, K, m, L: _cycle(h, K, m, L)[0],
    "cycle": lambda h, K, m, L, t: _cycle(h, K, m, L)[1](t),
    "sum": lambda f, lo, hi: reduce(partial(_applied, "+"), map(f, range(lo, hi + 1)), Fraction(0)),
    "least": _least,
    "sqrt": _root,
    "log": _log,
    "floor": _floor,
    "quotient": lambda n, d: n // d if d >= 1 else 0,
}
