"""A claim's closed formula in Gallina, the language of Rocq, in the words of `Language.v`.

Every variable is bound by a `forall`, every hypothesis is a premise, every symbol that the claim defines is a
`Definition` in front. Nothing is left to the reader: `Stated.v` is these texts, and `Closed.v` proves them.
Of tables, and of other real numbers that are named, Rocq speaks as fractions with a common denominator D.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from proofs_check.kernel.terms import (
    COMPARISONS,
    INTEGER,
    REAL,
    Free,
    Function,
    KernelError,
    Symbol,
    Term,
    abstraction,
)
from proofs_check.proving import Sequent
from proofs_check.theory.schemas import SYMBOLS

STATEMENTS = Path(__file__).parent / "statements.toml"
TYPES = {INTEGER: "Z", REAL: "R"}
RELATIONS = {"==": "=", "!=": "<>", **{one: one for one in COMPARISONS[2:]}}
TESTS = {"==": "=?", "<=": "<=?", "<": "<?", ">=": ">=?", ">": ">?", "and": "&&", "or": "||"}
CONNECTIVES = {"and": "/\\", "or": "\\/", "implies": "->"}
NAMES = {"sqrt": "sqrt", "log": "ln", "floor": "Int_part", "quotient": "Z.div"}
NAMES = {one.name: NAMES.get(one.name, f"Language.{one.name}") for one in SYMBOLS}
CHOICE = {("min", INTEGER): "Z.min", ("max", INTEGER): "Z.max", ("min", REAL): "Rmin", ("max", REAL): "Rmax"}


@dataclass(frozen=True)
class Statement:
    """What a claim says in Gallina: for all values the hypotheses (`given`) imply what it `shows`.

    of : what it is about, in words.
    model : the values of a case that satisfies the hypotheses, which is to be proved, too.
    says : what the claim says in its own formulas; where it says something else now, nothing is proved.
    """

    of: str
    forall: str
    given: Sequence[str]
    model: str
    says: Mapping[str, str]
    shows: Mapping[str, str]

    def proposition(self, name: str) -> str:
        """The formula of that name on its hypotheses; `model` is that these hold in such a case."""
        if name == "model":
            return f"exists {self.forall},\n  " + " /\\\n  ".join([f"({self.model})", *self.given])
        return f"forall {self.forall},\n  " + " ->\n  ".join([*self.given, self.shows[name].strip()])


@cache
def statements() -> Mapping[str, Statement]:
    """The statements in Gallina, by claim."""
    return {id: Statement(**one) for id, one in tomllib.loads(STATEMENTS.read_text("utf-8")).items()}


def module(name: str, sequents: Mapping[str, Sequent], rational: str) -> str:
    """The module of a claim: the symbols that it defines, and its formulas by their names."""
    printer = _Printer(frozenset(rational.split()))
    stated = {one: printer.sequent(whole) for one, whole in sequents.items()}
    return written(name, stated, printer.definitions.values())


def written(name: str, stated: Mapping[str, str], definitions: Iterable[str] = ()) -> str:
    """The module of a claim, from its propositions."""
    lines = [f"Definition {identifier(one)} : Prop :=\n  {text}." for one, text in stated.items()]
    return "\n".join([f"Module {identifier(name)}.", *definitions, *lines, f"End {identifier(name)}."])


def identifier(text: str) -> str:
    """A name that Rocq accepts.

    >>> identifier("lemma-3/lower-end")
    'lemma_3_lower_end'
    """
    return text.replace("-", "_").replace("/", "_")


@dataclass
class _Printer:
    rational: frozenset[str]
    definitions: dict[Symbol, str] = field(default_factory=dict)

    def sequent(self, whole: Sequent) -> str:
        """For all values of the variables, the hypotheses imply the conclusion."""
        ordered = sorted(whole.free, key=lambda one: (isinstance(one, Function), one.name))
        fractions = [one for one in ordered if one.sort == REAL and one.name in self.rational]
        bound = " ".join(_binder(one) for one in ordered if one not in fractions)
        start = [f"forall {bound},"] if bound else []
        if fractions:
            numerators = " ".join(f"({one.name}D : {_arrows(one, 'Z')})" for one in fractions)
            start.append(f"forall (D : Z) {numerators}, (0 < D)%Z ->")
            start += [f"let {one.name} {_fraction(one)} in" for one in fractions]
        parts = [self.text(one, ()) for one in (*whole.hypotheses, whole.conclusion)]
        return "\n  ".join([*start, " ->\n  ".join(parts)])

    def text(self, one: Term, bound: tuple[str, ...], wanted: str = "") -> str:
        """A term; an integer where a real number is wanted is one."""
        if wanted == REAL and one.sort == INTEGER:
            return f"(IZR {self.text(one, bound)})"
        scope = TYPES.get(one.sort, "")
        match one.op, one.parts:
            case "number", _:
                return f"{one.value}%Z" if one.value >= 0 else f"({one.value})%Z"
            case "variable", _:
                return str(one.value.name)
            case "bound", _:
                return str(bound[one.value])
            case "call", parts:
                return f"({' '.join([one.value.name, *(self.text(part, bound) for part in parts)])})"
            case "symbol", parts:
                return f"({' '.join([self._name(one.value), *self._arguments(one.value, parts, bound)])})"
            case "all", (lo, hi, body):
                i = f"i{len(bound) + 1}"
                ends = f"({self.text(lo, bound)} <= {i} <= {self.text(hi, bound)})%Z"
                return f"(forall {i} : Z, {ends} -> {self.text(body, (i, *bound))})"
            case "if", (test, *parts):
                yes, no = (self.text(part, bound, one.sort) for part in parts)
                return f"(if {self._test(test, bound)} then {yes} else {no})"
            case (("min" | "max"), parts):
                texts = (self.text(part, bound, one.sort) for part in parts)
                return f"({CHOICE[one.op, one.sort]} {' '.join(texts)})"
            case "not", (inner,):
                return f"(~ {self.text(inner, bound)})"
            case "-", (inner,):
                return f"(- {self.text(inner, bound)})%{scope}"
            case op, (left, right) if op in CONNECTIVES:
                return f"({self.text(left, bound)} {CONNECTIVES[op]} {self.text(right, bound)})"
            case op, (left, right) if op in RELATIONS:
                sort = _joint(left, right)
                sides = self.text(left, bound, sort), self.text(right, bound, sort)
                return f"({sides[0]} {RELATIONS[op]} {sides[1]})%{TYPES[sort]}"
            case op, (left, right):
                return (
                    f"({self.text(left, bound, one.sort)} {op} {self.text(right, bound, one.sort)})%{scope}"
                )
        raise KernelError(f"{one.op} is not written in Gallina")

    def _test(self, one: Term, bound: tuple[str, ...]) -> str:
        """A condition that can be computed: comparisons of integers and what is made of them."""
        if one.op == "not":
            return f"(negb {self._test(one.parts[0], bound)})"
        if one.op not in TESTS or (one.op in RELATIONS and _joint(*one.parts) == REAL):
            raise KernelError(f"the condition {one.op} is not written in Gallina")
        inner = self._test if one.op in CONNECTIVES else self.text
        left, right = (inner(part, bound) for part in one.parts)
        return f"({left} {TESTS[one.op]} {right})%{'bool' if one.op in CONNECTIVES else 'Z'}"

    def _arguments(self, symbol: Symbol, parts: Iterable[Term], bound: tuple[str, ...]) -> list[str]:
        return [
            self._function(part, one.sort, bound)
            if isinstance(one, Function)
            else self.text(part, bound, one.sort)
            for one, part in zip(symbol.parameters, parts, strict=True)
        ]

    def _function(self, one: Term, sort: str, bound: tuple[str, ...]) -> str:
        body = one.parts[0]
        if body.op == "call" and body.sort == sort and body == abstraction(body.value).parts[0]:
            return str(body.value.name)
        names = tuple(f"i{len(bound) + place}" for place in range(1, one.value + 1))
        return f"(fun {' '.join(names)} : Z => {self.text(body, (*names, *bound), sort)})"

    def _name(self, symbol: Symbol) -> str:
        """The name of a symbol, whose definition is written once."""
        if symbol.body is None:
            return NAMES[symbol.name]
        if symbol not in self.definitions:
            body = self.text(symbol.body, (), symbol.sort)
            parameters = list(symbol.parameters)
            if symbol.base is not None:
                last = parameters.pop()
                step = f"(fun ({last.name} : Z) (before : {TYPES[symbol.sort]}) => {body})"
                body = f"Language.recursion {self.text(symbol.base, (), symbol.sort)} {step}"
            typed = TYPES[symbol.sort] if symbol.base is None else f"Z -> {TYPES[symbol.sort]}"
            bound = "".join(f" {_binder(one)}" for one in parameters)
            self.definitions[symbol] = f"Definition {symbol.name}{bound} : {typed} :=\n  {body}."
        return symbol.name


def _joint(*parts: Term) -> str:
    return REAL if any(part.sort == REAL for part in parts) else INTEGER


def _arrows(one: Free, end: str) -> str:
    return " -> ".join([*["Z"] * getattr(one, "arity", 0), end])


def _binder(one: Free) -> str:
    return f"({one.name} : {_arrows(one, TYPES[one.sort])})"


def _fraction(one: Free) -> str:
    """What a fraction is, a number or a function of one or two integers."""
    arity = getattr(one, "arity", 0)
    if arity == 2:
        return f":= Language.rational {one.name}D D"
    names = "".join(f" i{place}" for place in range(1, arity + 1))
    bound = f"({names[1:]} : Z) " if arity else ""
    return f"{bound}: R := (IZR ({one.name}D{names}) / IZR D)%R"
