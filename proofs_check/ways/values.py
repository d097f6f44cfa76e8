"""Values at which a statement is false, for claims that their steps do not show.

Where a statement speaks of nothing but parameters, z3 proposes values; a claim may name some of its own, with
expressions for what it defines, such as `{"S": 4, "geometric(S)": "2 + 2**(3 / 2) + 4"}`. Exact numbers or
balls decide, and sympy confirms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check.ways.balls import decide
from proofs_check.ways.for_all import counterexample
from proofs_check.witness import Witness
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula

Values = Mapping[str, int | Fraction | str]

INTEGERS = ("K", "m", "T", "L", "S", "s")


@dataclass(frozen=True)
class Falsified:
    """Values of the parameters that satisfy the domain and violate what is stated."""

    stated: Formula
    domain: tuple[Formula, ...]
    values: Values

    def found(self) -> bool:
        """Whether they do so, in exact numbers or in balls."""
        return (
            all(_true(self.at(one)) is True for one in self.domain) and _true(self.at(self.stated)) is False
        )

    def confirmed(self) -> bool:
        """The same by sympy."""
        return (
            all(_by_sympy(self.at(one)) is True for one in self.domain)
            and _by_sympy(self.at(self.stated)) is False
        )

    def witness(self) -> Witness:
        """For the reader."""
        return Witness(dict(self.values))

    def at(self, one: Formula) -> Formula:
        """The formula with the values in place of whole expressions, outer ones first, and of names."""
        order = sorted(self.values, key=lambda name: (name.isidentifier(), -len(name)))
        for name, value in ((name, self.values[name]) for name in order):
            if not name.isidentifier():
                one = _put(one, name, str(value))
            elif name in one.names:
                one = one.where(**{name: str(value)})
        return one


def falsified(
    stated: Formula, domain: Sequence[Formula], *, cases: Iterable[Values] = (), integers: str, free: str
) -> Falsified | None:
    """Values at which the statement is false: of the cases, or what z3 proposes for the names in `free`.

    >>> found = falsified(Formula("K * K > K"), [Formula("K >= 1")], integers="", free="")
    >>> print(found.witness(), found.confirmed())
    K = 1 True
    """
    tried = [
        Falsified(stated, tuple(domain), case)
        for case in (*cases, *_proposed(stated, domain, integers, free))
    ]
    return next((one for one in tried if one.found()), None)


def _proposed(stated: Formula, domain: Sequence[Formula], integers: str, free: str) -> list[Values]:
    """What z3 proposes, if every name is a parameter or free, and nothing is a function."""
    parts = (stated, *domain)
    names = {name for one in parts for name in one.names}
    if names - {*INTEGERS, "delta", *free.split()} or any(one.functions for one in parts):
        return []
    whole = " ".join(dict.fromkeys([*INTEGERS, *integers.split()]))
    try:
        found = counterexample(f"{whole} integer", given=domain, then=stated)
    except InvalidInput:  # a root or a logarithm that is not rational
        return []
    return [] if found is None else [{name: found[name] for name in found if name in names}]


def _put(one: Formula, whole: str, value: str) -> Formula:
    try:
        return one.put(whole, value)
    except InvalidInput:  # it is no part of this formula
        return one


def _true(one: Formula) -> bool | None:
    """Whether a formula without names holds; None if neither exact numbers nor balls tell."""
    try:
        return one.holds()
    except InvalidInput:
        return decide(one) if not one.names and not one.functions else None


def _by_sympy(one: Formula) -> bool | None:
    import sympy

    answer = one.sympy() if not one.names and not one.functions else None
    return {True: True, sympy.true: True, False: False, sympy.false: False}.get(answer)
