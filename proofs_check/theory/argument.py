"""An argument: statements that follow from the hypotheses, each found by the search, for later ones to use.

p.induct("t", "count(always(x), x, t) == t")      by induction on t, from 0
p.have("loss(a, t) <= 1", all="t", given=["t >= 1"])     a lemma, for every t
p.so("total(a, T) == T - 1")                      what was to be shown
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from proofs_check.kernel.rules import free
from proofs_check.kernel.terms import (
    TRUTH,
    Free,
    Function,
    KernelError,
    Symbol,
    Term,
    Variable,
    number,
    substituted,
    term,
    variable,
)
from proofs_check.theory.language import HIDDEN, Language
from proofs_check.theory.lines import Line, apply
from proofs_check.theory.schemas import POWER, SCHEMAS
from proofs_check.theory.search import Fact, Search, atoms

DEPTH = {"count": 2, "sum": 2}


@cache
def of_the_theory() -> tuple[Fact, ...]:
    """The schemas as facts."""
    lines = {name: apply("axiom", name) for name in SCHEMAS}
    facts = {
        name: Fact(name, line, free([*line.theorem.hypotheses, line.theorem.conclusion]), DEPTH.get(name, 1))
        for name, line in lines.items()
    }
    products = facts["log of products"]  # only where the logarithm of the product is there too
    products.patterns[:] = [tuple(atoms(products.line.theorem.conclusion))]
    return tuple(facts.values())


class Told(NamedTuple):
    """A statement that was shown, how, and the premises that were found."""

    statement: str
    how: str
    premises: tuple[str, ...]


@dataclass
class Argument:
    """Statements that follow from hypotheses, in a language."""

    language: Language
    hypotheses: list[Term]
    symbols: Sequence[Symbol] = ()
    told: list[Told] = field(default_factory=list)

    def __post_init__(self) -> None:
        unfolded = [
            Fact(one.name, apply("unfold", one), frozenset(one.parameters), 1)
            for one in (POWER, *self.symbols)
        ]
        self.search = Search(self.hypotheses, [*of_the_theory(), *unfolded])

    def read(self, text: str | Term) -> Term:
        """The statement that is written here."""
        return self.language.read(text) if isinstance(text, str) else text

    def use(self, name: str, line: Line, **values: str) -> None:
        """A theorem from elsewhere, with these values.

        Its plays stand for any play; another name that the hypotheses have too means the same in both.
        """
        if values:
            free_in = {one.name: one for one in free([*line.theorem.hypotheses, line.theorem.conclusion])}
            put = {
                free_in[key]: self.language.function(text, free_in[key].arity)  # type: ignore[union-attr]
                if isinstance(free_in[key], Function)
                else self.read(text)
                for key, text in values.items()
            }
            line = apply("instantiate", line, put)
        stated = [*line.theorem.hypotheses, line.theorem.conclusion]
        same = free(stated) & free(self.hypotheses) - _arguments(stated)
        self._add(name, line, free(stated) - same)

    def have(
        self, statement: str | Term, *, all: str = "", given: Sequence[str] = (), hints: Sequence[str] = ()
    ) -> Line:
        """A lemma, for all values of these variables that satisfy what is given."""
        goal, premises = self.read(statement), [self.read(one) for one in given]
        line = self._found(goal, premises, hints=[self.read(one) for one in hints])
        return self._lemma(goal, line, premises, all)

    def so(self, statement: str | Term, *, hints: Sequence[str] = ()) -> Line:
        """What was to be shown."""
        goal = self.read(statement)
        return self._found(goal, [], hints=[self.read(one) for one in hints])

    def induct(
        self,
        on: str,
        statement: str,
        *,
        start: str | int = 0,
        upto: str | None = None,
        all: str = "",
        given: Sequence[str] = (),
        hints: Sequence[str] = (),
    ) -> Line:
        """A statement for every integer from `start` on, up to `upto`, and all values of other variables.

        What is given must hold throughout, and may not mention these variables.
        """
        index = self._variable(on)
        others = [self._variable(name) for name in all.split()]
        goal, first = self.read(statement), self.read(str(start))
        if upto is not None:
            goal = term("implies", term("<=", variable(index), self.read(upto)), goal)
        premises = [self.read(one) for one in given]
        more = [self.read(one) for one in hints]
        base = self._found(
            substituted(goal, {index: first}), premises, f"{on} = {self.language.write(first)}", hints=more
        )
        used: list[dict[Free, Term]] = [{}]

        def at(values: Mapping[Free, Term]) -> Line:
            used.append(dict(values))
            return apply("assume", substituted(goal, values))

        hypothesis = Fact("the induction hypothesis", apply("assume", goal), frozenset(others), instance=at)
        since = term("<=", first, variable(index))
        following = substituted(goal, {index: term("+", variable(index), number(1))})
        plain = [] if others else [goal]
        step = self._found(
            following,
            [*premises, since, *plain],
            f"from {on} to {on} + 1",
            [hypothesis] if others else [],
            more,
        )
        line = apply("induct", goal, index, first, base, step, tuple(used))
        return self._lemma(goal, line, [*premises, since], " ".join([on, all]))

    def _variable(self, name: str) -> Variable:
        one = self.language.names[name]
        if not isinstance(one, Variable):
            raise KernelError(f"{name} is no number")
        return one

    def _found(
        self,
        goal: Term,
        given: Sequence[Term],
        how: str = "",
        facts: Sequence[Fact] = (),
        hints: Sequence[Term] = (),
    ) -> Line:
        found = self.search.proved(goal, given, facts, hints)
        written = self.language.write(goal)
        if found is None:
            raise KernelError(f"no proof was found of {written}" + (f" ({how})" if how else ""))
        line, premises = found
        self.told.append(Told(written, how, tuple(dict.fromkeys(premises))))
        return line

    def _lemma(self, goal: Term, line: Line, premises: Sequence[Term], names: str) -> Line:
        for one in premises:
            if one.sort == TRUTH and one in line.theorem.hypotheses:
                line = apply("discharge", line, one)
        self._add(self.language.write(goal), line, frozenset(self._variable(name) for name in names.split()))
        return line

    def _add(self, name: str, line: Line, variables: frozenset[Free]) -> None:
        self.search.facts.append(Fact(name, line, variables, lemma=True))


def _arguments(statements: Sequence[Term]) -> frozenset[Free]:
    """The plays that symbols of the statements are applied to; the table is the same everywhere."""
    found: set[Free] = set()
    for one in (one for part in statements for one in atoms(part)):
        for part in one.parts:
            if part.op == "lambda":
                found |= {f for f in part.free if isinstance(f, Function) and f.name not in HIDDEN}
    return frozenset(found)
