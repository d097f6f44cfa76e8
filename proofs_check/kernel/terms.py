"""Terms and statements: the language in which a theorem is said.

A term is a number or a truth value, built from integers, variables, function variables (a play `a(t)`, a
table `h(x, y)`), symbols, arithmetic, comparisons and connectives. Three habits keep the rules short:

- *Symbols name everything that they depend on.* `total[a, h](m, t)` has the play, the table and the memory
  as arguments, so that a substitution reaches all of them. A functional argument is a `lambda`.
- *A definition is part of its symbol.* Two definitions under one name are two symbols; a definition can only
  mention symbols that were there before it, because a term cannot contain itself.
- *Every quantifier is bounded*, `all(lo, hi, body)`, and outermost: a statement can be evaluated.

Bound indices are de Bruijn indices. Equal terms are one object: they are compared by identity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

INTEGER, REAL, TRUTH, EVERY, ABSTRACTION = "integer", "real", "truth", "every", "lambda"
NUMBERS = (INTEGER, REAL)
COMPARISONS = ("==", "!=", "<=", "<", ">=", ">")


class KernelError(Exception):
    """A term that is not well formed, or a rule applied where it does not apply."""


@dataclass(frozen=True)
class Variable:
    """A number that may have any value of its sort."""

    name: str
    sort: str


@dataclass(frozen=True)
class Function:
    """A function of integers that may be any: a play (one argument, integer), a table (two, real)."""

    name: str
    arity: int
    sort: str


Free = Variable | Function


@dataclass(frozen=True)
class Symbol:
    """A function of functions and numbers: one of the theory, or one that is defined.

    The definition is `body`; or, by recursion on the last parameter n, an integer: `base` where n <= 0, and
    `body` elsewhere, in which the variable `before` is the value at n - 1 and otherwise the same arguments.
    """

    name: str
    parameters: tuple[Free, ...]
    sort: str
    body: Term | None = field(default=None, repr=False)
    base: Term | None = field(default=None, repr=False)


class Term:
    """A part of a statement; made by `term` alone, equal terms being one object."""

    __slots__ = ("free", "loose", "op", "parts", "sort", "value")

    op: str
    parts: tuple[Term, ...]
    value: Any
    sort: str
    free: frozenset[Free]  # its free variables and function variables
    loose: int  # no bound index in it refers to a binder more than this far outside


_TERMS: dict[tuple[Any, ...], Term] = {}


def term(op: str, *parts: Term, value: Any = None) -> Term:
    """The term with this operation and these parts, if it is well formed."""
    key = (op, parts, type(value), value)
    if key not in _TERMS:
        new = Term.__new__(Term)
        new.op, new.parts, new.value = op, parts, value
        new.sort = _sort(op, parts, value)
        if new.sort not in (*NUMBERS, TRUTH, EVERY, ABSTRACTION):
            raise KernelError(f"there is no sort {new.sort}")
        own = [value] if op in ("variable", "call") else []
        new.free = frozenset(own).union(*(part.free for part in parts))
        loose = [part.loose - binds for part, binds in zip(parts, _binders(op, parts, value), strict=True)]
        new.loose = value + 1 if op == "bound" else max([0, *loose])
        _TERMS[key] = new
    return _TERMS[key]


def _sort(op: str, parts: tuple[Term, ...], value: Any) -> str:
    """The sort of a term, after a look at those of its parts."""
    sorts = tuple(part.sort for part in parts)
    numbers = all(sort in NUMBERS for sort in sorts)
    whole = all(sort == INTEGER for sort in sorts)
    match op, len(parts):
        case (("number" | "bound"), 0) if type(value) is int and (op == "number" or value >= 0):
            return INTEGER
        case "variable", 0 if isinstance(value, Variable):
            return value.sort
        case "call", _ if isinstance(value, Function) and len(parts) == value.arity >= 1 and whole:
            return value.sort
        case "symbol", _ if isinstance(value, Symbol) and (
            len(parts) == len(value.parameters) and all(map(_fits, parts, value.parameters))
        ):
            return value.sort
        case "lambda", 1 if type(value) is int and value >= 1 and numbers:
            return ABSTRACTION
        case "all", 3 if sorts[0] == sorts[1] == INTEGER and sorts[2] in (TRUTH, EVERY):
            return EVERY
        case "if", 3 if sorts[0] == TRUTH and {*sorts[1:]} <= {*NUMBERS}:
            return INTEGER if sorts[1] == sorts[2] == INTEGER else REAL
        case "-", 1 if numbers:
            return sorts[0]
        case (("+" | "-" | "*" | "min" | "max"), 2) if numbers:
            return INTEGER if whole else REAL
        case "/", 2 if numbers:
            return REAL
        case _, 2 if op in COMPARISONS and numbers:
            return TRUTH
        case (("and" | "or" | "implies"), 2) | ("not", 1) if all(sort == TRUTH for sort in sorts):
            return TRUTH
    raise KernelError(f"{op} cannot be applied to {', '.join(sorts) or repr(value)}")


def _fits(part: Term, wanted: Free) -> bool:
    """Whether the part can stand for this; an integer may stand where a real number is wanted."""
    if isinstance(wanted, Function):
        if part.op != "lambda" or part.value != wanted.arity:
            return False
        part = part.parts[0]
    return part.sort == wanted.sort or (part.sort, wanted.sort) == (INTEGER, REAL)


def _binders(op: str, parts: tuple[Term, ...], value: Any) -> tuple[int, ...]:
    """How many indices the term binds in each of its parts."""
    return {"lambda": (value,), "all": (0, 0, 1)}.get(op, (0,) * len(parts))


def number(value: int) -> Term:
    """An integer."""
    return term("number", value=value)


def variable(one: Variable) -> Term:
    """A variable as a term."""
    return term("variable", value=one)


def abstraction(one: Function) -> Term:
    """A function variable as a functional argument."""
    indices = (term("bound", value=i) for i in range(one.arity))
    return term("lambda", term("call", *indices, value=one), value=one.arity)


def _rebuilt(whole: Term, change: Callable[[Term, int], Term | None]) -> Term:
    """The term with parts changed; `change` is told under how many indices a part stands."""
    known: dict[tuple[Term, int], Term] = {}

    def rebuild(part: Term, depth: int) -> Term:
        if (part, depth) not in known:
            new = change(part, depth)
            if new is None:
                inner = zip(part.parts, _binders(part.op, part.parts, part.value), strict=True)
                new = term(part.op, *(rebuild(one, depth + more) for one, more in inner), value=part.value)
            known[part, depth] = new
        return known[part, depth]

    return rebuild(whole, 0)


def opened(body: Term, values: tuple[Term, ...]) -> Term:
    """The body of a binder, these values in place of its indices."""

    def put(part: Term, depth: int) -> Term | None:
        if part.loose <= depth:
            return part
        if part.op != "bound":
            return None
        place = part.value - depth
        if place >= len(values):
            return term("bound", value=part.value - len(values))
        return _rebuilt(values[place], lambda one, inner: _shifted(one, inner, depth))

    return _rebuilt(body, put)


def _shifted(part: Term, depth: int, by: int) -> Term | None:
    """A term that is put under so many more indices: those of its own indices that are bound outside it."""
    if part.loose <= depth:
        return part
    return term("bound", value=part.value + by) if part.op == "bound" else None


def closed(whole: Term, one: Variable) -> Term:
    """The body of a binder of one index, which takes the place of this variable."""

    def close(part: Term, depth: int) -> Term | None:
        if part.op == "variable" and part.value == one:
            return term("bound", value=depth)
        return term("bound", value=part.value + 1) if part.op == "bound" and part.value >= depth else None

    return _rebuilt(whole, close)


def substituted(whole: Term, values: Mapping[Free, Term]) -> Term:
    """The term with values in place of variables, and lambdas in place of function variables."""
    for one, value in values.items():
        if value.loose or not _fits(value, one):
            raise KernelError(f"{one.name} cannot be replaced by a term of sort {value.sort}")

    def put(part: Term, depth: int) -> Term | None:
        if not part.free & values.keys():
            return part
        if part.op == "variable":
            return values[part.value]
        if part.op == "call" and part.value in values:
            return opened(values[part.value].parts[0], tuple(_rebuilt(one, put) for one in part.parts))
        return None

    return _rebuilt(whole, put)
