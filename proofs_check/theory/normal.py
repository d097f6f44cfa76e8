"""Terms up to arithmetic: integer arguments as sums of multiples of atoms, in one order."""

from __future__ import annotations

from functools import cache

from proofs_check.kernel.terms import INTEGER, Term, number, term

Linear = dict[Term, int]
ONE = number(1)


@cache
def normal(one: Term) -> Term:
    """The same value, every integer part of it in one spelling.

    >>> from proofs_check.theory.schemas import LANGUAGE
    >>> LANGUAGE.write(normal(LANGUAGE.read("count(a, x, 1 + t + 1 - 2)")))
    'count(a, x, t)'
    """
    if one.loose or one.op == "lambda":
        return one
    if one.sort == INTEGER and one.op in ("+", "-", "*", "number"):
        return _written(linear(one))
    return term(one.op, *map(normal, one.parts), value=one.value) if one.parts else one


def linear(one: Term) -> Linear:
    """An integer as multiples of atoms; the atom 1 has the constant."""
    match one.op, one.parts:
        case "number", _:
            return {ONE: one.value} if one.value else {}
        case "+", (left, right):
            return _sum(linear(left), linear(right), 1)
        case "-", (left, right):
            return _sum(linear(left), linear(right), -1)
        case "-", (inner,):
            return _sum({}, linear(inner), -1)
        case "*", (left, right):
            first, second = linear(left), linear(right)
            for constant, other in ((first, second), (second, first)):
                if set(constant) <= {ONE}:
                    return {atom: times * constant[ONE] for atom, times in other.items()} if constant else {}
            atoms = sorted((_written(first), _written(second)), key=spelling)
            return {term("*", *atoms): 1}
    return {normal(one) if one.parts else one: 1}


def _sum(left: Linear, right: Linear, sign: int) -> Linear:
    whole = dict(left)
    for atom, times in right.items():
        whole[atom] = whole.get(atom, 0) + sign * times
    return {atom: times for atom, times in whole.items() if times}


@cache
def spelling(one: Term) -> str:
    """What terms are sorted by wherever a set of them would come in an order of its own."""
    parts = ", ".join(map(spelling, one.parts))
    name = getattr(one.value, "name", one.value)
    return f"{one.op} {name}({parts})"


def _written(parts: Linear) -> Term:
    """The sum, atoms in their order and the constant last."""
    whole: Term | None = None
    for atom in sorted((atom for atom in parts if atom is not ONE), key=spelling):
        times = parts[atom]
        multiple = atom if abs(times) == 1 else term("*", number(abs(times)), atom)
        if whole is None:
            whole = multiple if times > 0 else term("-", multiple)
        else:
            whole = term("+" if times > 0 else "-", whole, multiple)
    constant = parts.get(ONE, 0)
    if whole is None:
        return number(constant)
    if constant == 0:
        return whole
    return term("+" if constant > 0 else "-", whole, number(abs(constant)))
