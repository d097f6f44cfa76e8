"""How statements are written and printed: the syntax of Python's expressions, with a few words of our own.

    total(a, T) <= (m - 1) * L          a symbol of the theory; table, number of actions and memory are those
                                        of the setting, and need not be written
    all(a(t) == x for t in between(1, T))       for every t from 1 to T; outermost only
    plays(a, T)                                 all(1 <= a(t) <= K for t in between(1, T))
    table(h)                                    losses between 0 and 1 for 1 <= x <= K, 1 <= y <= m
    sum(C(s) for s in between(1, n))            a finite sum
    total(turns(x), T)                          a symbol whose last arguments are left out is a function

What is printed can be read back, and means the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from proofs_check.kernel.terms import (
    COMPARISONS,
    INTEGER,
    REAL,
    Free,
    Function,
    KernelError,
    Symbol,
    Term,
    Variable,
    abstraction,
    number,
    opened,
    term,
    variable,
)

HIDDEN = ("h", "K", "m")  # the setting: the table, the number of actions, the memory
INTEGERS = ["K", "m", "T", "L", "S", "x", "y", "z", "t", "s", "i", "j", "k", "n", "p", "q"]
PLAYS = ["a", "b", "c", "d", "e", "o", "w"]
USUAL: dict[str, Free] = {
    **{name: Variable(name, INTEGER) for name in INTEGERS},
    **{name: Function(name, 1, INTEGER) for name in PLAYS},
    "h": Function("h", 2, REAL),
    "f": Function("f", 1, REAL),
    "delta": Variable("delta", REAL),
}
MACROS = {
    "plays": ("a T", "all(1 <= a(t) <= K for t in between(1, T))"),
    "table": ("h", "all(0 <= h(x, y) <= 1 for x in between(1, K) for y in between(1, m))"),
    "abs": ("r", "max(r, -r)"),
}
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.LtE: "<=",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.Gt: ">",
    ast.And: "and",
    ast.Or: "or",
}


def declared(text: str) -> dict[str, Free]:
    """The variables of a declaration such as "r delta real; C(integer) real".

    >>> sorted(declared("r real; C(integer) real"))
    ['C', 'r']
    """
    found: dict[str, Free] = {}
    for group in filter(None, map(str.strip, text.split(";"))):
        *names, sort = group.replace(", ", ",").split()
        for name in names:
            bare, _, arguments = name.removesuffix(")").partition("(")
            found[bare] = (
                Function(bare, arguments.count(",") + 1, sort) if arguments else Variable(bare, sort)
            )
    return found


@dataclass(frozen=True)
class Language:
    """The names that may be used, and the setting that need not be written."""

    names: Mapping[str, Free | Symbol] = field(default_factory=dict)
    setting: Mapping[str, Term] = field(default_factory=dict)

    @classmethod
    def of(cls, symbols: Sequence[Symbol], variables: str = "") -> Language:
        """The usual names, these variables and these symbols; the setting is variable."""
        names = {**USUAL, **declared(variables), **{one.name: one for one in symbols}}
        own = Function("h", 2, REAL), Variable("K", INTEGER), Variable("m", INTEGER)
        values = [abstraction(one) if isinstance(one, Function) else variable(one) for one in own]
        return cls(names, dict(zip(HIDDEN, values, strict=True)))

    def having(self, *symbols: Symbol, **setting: str) -> Language:
        """The language with more symbols, or another setting."""
        wider = replace(self, names={**self.names, **{one.name: one for one in symbols}})
        new = {
            name: wider.function(text, 2) if name == "h" else wider.read(text)
            for name, text in setting.items()
        }
        return replace(wider, setting={**self.setting, **new})

    def read(self, text: str) -> Term:
        """The term that is written here."""
        try:
            return self._term(ast.parse(text.strip(), mode="eval").body, ())
        except SyntaxError as error:
            raise KernelError(f"{text!r} is no statement: {error.msg}") from None

    def function(self, text: str, arity: int) -> Term:
        """The function of integers, as many as its arity, that is written here."""
        return self._function(ast.parse(text, mode="eval").body, arity, ())

    def define(self, head: str, body: str, base: str | None = None) -> Symbol:
        """The symbol `name(parameters)`; with a base, by recursion on the last parameter n.

        In the body, `before` is the value at n - 1; the base holds where n <= 0.
        """
        call = ast.parse(head, mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise KernelError(f"{head!r} names no symbol and its parameters")
        parameters = [self._free(ast.unparse(one)) for one in call.args]
        first = None if base is None else self.read(base)
        for sort in (INTEGER, REAL):
            inner = replace(self, names={**self.names, "before": Variable("before", sort)})
            whole = inner.read(body)
            if all(one.sort == INTEGER for one in (whole, first or whole)):
                break
        functions = tuple(one for one in parameters if isinstance(one, Function))
        numbers = tuple(one for one in parameters if isinstance(one, Variable))
        return Symbol(call.func.id, functions + numbers, sort, whole, first)

    def _free(self, name: str) -> Free:
        one = self.names.get(name)
        if one is None or isinstance(one, Symbol):
            raise KernelError(f"{name!r} is no variable here")
        return one

    def _term(self, node: ast.expr, bound: tuple[str, ...]) -> Term:
        match node:
            case ast.Constant(value=value) if type(value) is int:
                return number(value)
            case ast.Name(id=name) if name in bound:
                return term("bound", value=bound.index(name))
            case ast.Name(id=name) if name in self.setting and name != "h":
                return self.setting[name]
            case ast.Name(id=name) if isinstance(self.names.get(name), Variable):
                return variable(self.names[name])  # type: ignore[arg-type]
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return term("-", self._term(inner, bound))
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return term("not", self._term(inner, bound))
            case ast.BinOp(op=ast.Pow(), left=base, right=ast.Constant(value=int() as power)):
                return self._power(self._term(base, bound), power)
            case ast.BinOp(op=ast.Pow(), left=base, right=exponent):
                parts = self._term(base, bound), self._term(exponent, bound)
                return term("symbol", *parts, value=self.names["power"])
            case ast.BinOp(op=sign, left=left, right=right) if type(sign) in OPERATORS:
                return term(OPERATORS[type(sign)], self._term(left, bound), self._term(right, bound))
            case ast.BoolOp(op=joint, values=parts):
                whole, *more = (self._term(part, bound) for part in parts)
                for part in more:
                    whole = term(OPERATORS[type(joint)], whole, part)
                return whole
            case ast.Compare(left=left, ops=signs, comparators=rights):
                sides = [self._term(side, bound) for side in (left, *rights)]
                pairs = zip(signs, sides, sides[1:], strict=False)
                return conjunction(term(OPERATORS[type(sign)], one, two) for sign, one, two in pairs)
            case ast.IfExp(test=test, body=body, orelse=other):
                return term("if", *(self._term(part, bound) for part in (test, body, other)))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return self._call(name, arguments, bound)
        raise KernelError(f"{ast.unparse(node)!r} means nothing here")

    def _power(self, base: Term, exponent: int) -> Term:
        whole = number(1) if exponent == 0 else base
        for _ in range(exponent - 1):
            whole = term("*", whole, base)
        return whole

    def _call(self, name: str, arguments: list[ast.expr], bound: tuple[str, ...]) -> Term:
        match name, arguments:
            case "all", [ast.GeneratorExp(elt=body, generators=ranges)]:
                inner = (
                    *(one.target.id for one in reversed(ranges) if isinstance(one.target, ast.Name)),
                    *bound,
                )
                whole = self._term(body, inner)
                for depth, one in enumerate(reversed(ranges), start=1):
                    lo, hi = (self._term(end, inner[depth:]) for end in _ends(one))
                    whole = term("all", lo, hi, whole)
                return whole
            case "sum", [ast.GeneratorExp(elt=body, generators=[one])] if isinstance(one.target, ast.Name):
                summand = term("lambda", self._term(body, (one.target.id, *bound)), value=1)
                ends = (self._term(end, bound) for end in _ends(one))
                return term("symbol", summand, *ends, value=self.names["sum"])
            case (("min" | "max"), _):
                whole, *more = (self._term(part, bound) for part in arguments)
                for part in more:
                    whole = term(name, whole, part)
                return whole
            case "implies", [_, _]:
                return term("implies", *(self._term(part, bound) for part in arguments))
        if name in MACROS:
            return self._macro(*MACROS[name], arguments, bound)
        symbol = self.names.get(name)
        if name == "h":
            return opened(self.setting["h"].parts[0], tuple(self._term(part, bound) for part in arguments))
        if isinstance(symbol, Function):
            return term("call", *(self._term(part, bound) for part in arguments), value=symbol)
        if isinstance(symbol, Symbol):
            return term(
                "symbol", *self._arguments(symbol, arguments, len(symbol.parameters), bound), value=symbol
            )
        raise KernelError(f"there is no {name!r} here")

    def _macro(self, names: str, text: str, arguments: list[ast.expr], bound: tuple[str, ...]) -> Term:
        given = dict(zip(names.split(), arguments, strict=True))

        class Put(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                return given.get(node.id, node)

        return self._term(Put().visit(ast.parse(text, mode="eval").body), bound)

    def _arguments(
        self, symbol: Symbol, given: Sequence[ast.expr], wanted: int, bound: tuple[str, ...]
    ) -> Iterator[Term]:
        """The first arguments of a symbol; those of the setting may be left out."""
        parameters = symbol.parameters[:wanted]
        hidden = [one.name for one in parameters if one.name in HIDDEN]
        if len(given) == wanted:
            hidden = []
        elif len(given) != wanted - len(hidden):
            raise KernelError(
                f"{symbol.name} has {wanted} arguments, or without the setting {wanted - len(hidden)}"
            )
        left = iter(given)
        for one in parameters:
            if one.name in hidden:
                yield self.setting[one.name]
            elif isinstance(one, Function):
                yield self._function(next(left), one.arity, bound)
            else:
                yield self._term(next(left), bound)

    def _function(self, node: ast.expr, arity: int, bound: tuple[str, ...]) -> Term:
        """A functional argument: a function variable, a lambda, or a symbol without its last arguments."""
        match node:
            case ast.Name(id="h"):
                return self.setting["h"]
            case ast.Name(id=name) if isinstance(self.names.get(name), Function):
                return abstraction(self.names[name])  # type: ignore[arg-type]
            case ast.Lambda(args=ast.arguments(args=names), body=body):
                inner = (*(one.arg for one in names), *bound)
                return term("lambda", self._term(body, inner), value=len(names))
        head, given = (node.func, node.args) if isinstance(node, ast.Call) else (node, [])
        symbol = self.names.get(head.id) if isinstance(head, ast.Name) else None
        if not isinstance(symbol, Symbol):
            raise KernelError(f"{ast.unparse(node)!r} is no function here")
        inner = (*(f" {i}" for i in range(arity)), *bound)  # names that nobody can write
        fixed = self._arguments(symbol, given, len(symbol.parameters) - arity, inner)
        last = (term("bound", value=i) for i in range(arity))
        return term("lambda", term("symbol", *fixed, *last, value=symbol), value=arity)

    def write(self, one: Term) -> str:
        """The term in this language."""
        return _Writer(self.setting).text(one)


def conjunction(parts: Iterable[Term]) -> Term:
    """All of these at once."""
    return reduce(lambda one, two: term("and", one, two), parts)


def _ends(one: ast.comprehension) -> list[ast.expr]:
    match one.iter:
        case ast.Call(func=ast.Name(id="between"), args=[lo, hi]) if not one.ifs:
            return [lo, hi]
    raise KernelError("a range is written between(first, last)")


BINDS = {
    "if": 0,
    "or": 1,
    "and": 2,
    "not": 3,
    **dict.fromkeys(COMPARISONS, 4),
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
}


@dataclass(frozen=True)
class _Writer:
    setting: Mapping[str, Term]

    def text(self, one: Term, level: int = 0, bound: tuple[str, ...] = ()) -> str:
        """The text, in brackets if it binds more loosely than its place wants."""
        own = 11 if one.op == "-" and len(one.parts) == 1 else BINDS.get(one.op, 20)
        written = self._text(one, own, bound)
        return f"({written})" if own < level else written

    def _text(self, one: Term, own: int, bound: tuple[str, ...]) -> str:
        def part(inner: Term, level: int = 0) -> str:
            return self.text(inner, level, bound)

        match one.op, one.parts:
            case "number", _:
                return str(one.value) if one.value >= 0 else f"({one.value})"
            case "variable", _:
                return str(one.value.name)
            case "bound", _:
                return str(bound[one.value])
            case "call", parts:
                return f"{one.value.name}({', '.join(map(part, parts))})"
            case "all", _:
                return self._all(one, bound)
            case "lambda", _:
                return self._function(one, bound)
            case "symbol", parts:
                return self._symbol(one.value, parts, bound)
            case "if", (test, yes, no):
                return f"{part(yes, 1)} if {part(test, 1)} else {part(no)}"
            case "max", (inner, other) if other is term("-", inner):
                return f"abs({part(inner)})"
            case (("min" | "max" | "implies"), parts):
                return f"{one.op}({', '.join(map(part, parts))})"
            case "not", (inner,):
                return f"not {part(inner, own)}"
            case "-", (inner,):
                return f"-{part(inner, own + 1)}"
            case "and", (left, right) if chain := _chain(left, right):
                middle, end = (part(one.parts[1], 5) for one in (left, right))
                return f"{part(chain, 5)} {left.op} {middle} {right.op} {end}"
            case op, (left, right):
                associates = op in ("+", "*", "and", "or", "-", "/")
                return f"{part(left, own if associates else own + 1)} {op} {part(right, own + 1)}"
        raise KernelError(f"{one.op} cannot be written")

    def _all(self, one: Term, bound: tuple[str, ...]) -> str:
        ranges, names, body = [], bound, one
        while body.op == "all":
            name = _new(names, body, "tijk")
            lo, hi = (self.text(end, 0, names) for end in body.parts[:2])
            ranges.append(f"for {name} in between({lo}, {hi})")
            names, body = (name, *names), body.parts[2]
        return f"all({self.text(body, 0, names)} {' '.join(ranges)})"

    def _symbol(self, symbol: Symbol, parts: Sequence[Term], bound: tuple[str, ...]) -> str:
        pairs = list(zip(symbol.parameters, parts, strict=False))
        if _is_sum(symbol):
            name = _new(bound, parts[0], "sijk")
            body, lo, hi = (
                self.text(parts[0].parts[0], 0, (name, *bound)),
                *(self.text(p, 0, bound) for p in parts[1:]),
            )
            return f"sum({body} for {name} in between({lo}, {hi}))"
        usual = all(self.setting.get(p.name) is part for p, part in pairs if p.name in HIDDEN)
        shown = [part for p, part in pairs if not (usual and p.name in HIDDEN)]
        return f"{symbol.name}({', '.join(self.text(part, 0, bound) for part in shown)})"

    def _function(self, one: Term, bound: tuple[str, ...]) -> str:
        body, arity = one.parts[0], one.value
        last = tuple(term("bound", value=i) for i in range(arity))
        if body.op == "call" and body.parts == last:
            return str(body.value.name)
        if body.op == "symbol" and body.parts[-arity:] == last and not _is_sum(body.value):
            rest = body.parts[:-arity]
            if all(_clear(part, arity) for part in rest):
                lower = [opened(part, tuple(number(0) for _ in range(arity))) for part in rest]
                written = self._symbol(body.value, lower, bound)
                return written.removesuffix("()")
        names: tuple[str, ...] = ()
        for _ in range(arity):
            names = (*names, _new((*names, *bound), body, "txyijk"))
        return f"(lambda {', '.join(names)}: {self.text(body, 0, (*names, *bound))})"


def _chain(left: Term, right: Term) -> Term | None:
    """The first side of a chain lo <= x <= hi, if these two comparisons are one."""
    rising = all(one.op in ("<=", "<") for one in (left, right))
    return left.parts[0] if rising and left.parts[1] is right.parts[0] else None


def _is_sum(symbol: Symbol) -> bool:
    """Whether this is the finite sum of the theory, which is written with its index."""
    return symbol.name == "sum" and symbol.body is None


def _clear(part: Term, arity: int) -> bool:
    """Whether none of the first indices occurs in the term."""
    marks = [tuple(number(value) for _ in range(arity)) for value in (0, 1)]
    return opened(part, marks[0]) is opened(part, marks[1])


def _new(taken: tuple[str, ...], body: Term, wanted: str) -> str:
    used = {one.name for one in body.free} | set(taken)
    names: list[str] = [*wanted, *(f"{wanted[0]}{i}" for i in range(1, 99))]
    return next(name for name in names if name not in used)
