"""Premises are found, not listed: facts are instantiated at the terms of a goal, and z3 chooses among them.

A `Fact` is a theorem with some variables that may be replaced, and the patterns at which that is worth doing.
`Search.proved` instantiates every fact at every term of the goal that a pattern fits, then at the terms of
those instances, some rounds deep; asks z3; and reads the premises off its unsatisfiable core. Nothing here is
trusted: the answer is a line of the kernel, made by its rules. The same question has the same answer in every
process: sets are sorted before they are walked through, and z3's limit counts its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count, product
from operator import attrgetter

from proofs_check.kernel.terms import (
    EVERY,
    INTEGER,
    TRUTH,
    Free,
    Function,
    Term,
    Variable,
    abstraction,
    number,
    opened,
    substituted,
    term,
    variable,
)
from proofs_check.kernel.z3_question import SETTINGS, STEPS, Reader, unsatisfiable
from proofs_check.theory.lines import Line, apply
from proofs_check.theory.normal import linear, normal, spelling

# rounds of instances, and how often a fact may lead to itself beyond its depth
EFFORTS = ((0, 0), (1, 0), (3, 0), (5, 0), (6, 1))
MOST = 3000  # instances
PHASES = (0, 5)  # how z3 guesses: always false; at random, from the same seed each time
NESTED = 2  # statements about all indices, each needed to show the one around it
Binding = dict[Free, Term]


def atoms(whole: Term) -> list[Term]:
    """The applications of functions and symbols in a statement, without those under a binder."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()

    def look(one: Term) -> None:
        if one in seen or one.op == "lambda" or one.loose:
            return
        seen.add(one)
        for part in one.parts:
            look(part)
        if one.op in ("call", "symbol"):
            found[one] = None

    look(whole)
    return list(found)


@dataclass(frozen=True, eq=False)
class Fact:
    """A theorem, the variables in it that stand for anything, and how often it may lead to itself."""

    name: str
    line: Line
    variables: frozenset[Free]
    depth: int = 1
    instance: Callable[[Binding], Line] | None = None  # what may be assumed at these values, if that is all
    lemma: bool = False  # tried at the variables of a goal too, whatever terms it has
    patterns: list[tuple[Term, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        stated = [self.line.theorem.conclusion, *sorted(self.line.theorem.hypotheses, key=spelling)]
        within = [one for part in stated for one in atoms(part) if one.free & self.variables]
        usable = [one for one in dict.fromkeys(within) if self._bound(one)]
        for size in (1, 2, 3):
            found = [some for some in combinations(usable, size) if self._covers(some)]
            if found or size == 3:
                partial = [(one,) for one in usable]
                self.patterns.extend(found or partial)
                return

    def _covers(self, some: tuple[Term, ...]) -> bool:
        known: frozenset[Free] = frozenset()
        for pattern in some * len(some):  # what one gives may tell more of another
            known |= self._bound(pattern, known)
        return known >= self.variables

    def _bound(self, pattern: Term, known: frozenset[Free] = frozenset()) -> frozenset[Free]:
        """The variables to which a term that fits the pattern gives a value, these being known."""
        found: set[Free] = set()
        if pattern.op == "call" and pattern.value in self.variables:
            return frozenset()
        for part in pattern.parts:
            unknown = (part.free & self.variables) - known
            if part.op == "lambda" or (len(unknown) == 1 and _solvable(part, *unknown)):
                found |= unknown
        return frozenset(found)

    def at(self, values: Mapping[Free, Term]) -> Line:
        """The theorem at these values."""
        if self.instance is not None:
            return self.instance(dict(values))
        return apply("instantiate", self.line, dict(values)) if values else self.line


def _solvable(part: Term, one: Free) -> bool:
    """Whether a value of the part determines the variable: it occurs once, with factor 1 or -1."""
    if part.op == "variable":
        return bool(part.value == one)
    if part.sort != INTEGER or not isinstance(one, Variable):
        return False
    sums = linear(part)
    inside = [atom for atom in sums if one in atom.free]
    return inside == [variable(one)] and sums[variable(one)] in (1, -1)


def fits(pattern: Term, one: Term, variables: frozenset[Free], known: Binding) -> Binding | None:
    """The values of the variables at which the pattern is this term, beyond those that are known."""
    if pattern.op != one.op or pattern.value != one.value or len(pattern.parts) != len(one.parts):
        return None
    found = dict(known)
    later: list[tuple[Term, Term]] = []
    for part, target in zip(pattern.parts, one.parts, strict=True):
        if part.op == "lambda":
            if not _inside(part, target, variables, found):
                return None
        elif part.op == "variable" and part.value in variables:
            if part.value.sort == INTEGER and target.sort != INTEGER:
                return None
            if found.setdefault(part.value, normal(target)) is not normal(target):
                return None
        else:
            later.append((part, target))
    for part, target in later:
        unknown = [v for v in part.free & variables if v not in found]
        if not unknown:
            if part.free & variables and normal(substituted(part, _known(part, found))) is not normal(target):
                return None
        elif len(unknown) == 1 and _solvable(part, unknown[0]) and target.sort == INTEGER:
            sums = linear(part)
            rest = term("-", part, term("*", number(sums[variable(unknown[0])]), variable(unknown[0])))  # type: ignore[arg-type]
            value = term("-", target, substituted(rest, {unknown[0]: number(0), **_known(rest, found)}))
            found[unknown[0]] = normal(value if sums[variable(unknown[0])] == 1 else term("-", value))  # type: ignore[arg-type]
    return found


def _inside(part: Term, target: Term, variables: frozenset[Free], found: Binding) -> bool:
    """Whether a functional argument fits, piece by piece; what its variables stand for is added."""
    if not part.free & variables:
        return part is target
    owner = next((one for one in variables if isinstance(one, Function) and abstraction(one) is part), None)
    if owner is not None:
        return found.setdefault(owner, target) is target
    if part.op == "variable":
        return not target.loose and found.setdefault(part.value, target) is target
    if (part.op, part.value, len(part.parts)) != (target.op, target.value, len(target.parts)):
        return False
    return all(_inside(one, two, variables, found) for one, two in zip(part.parts, target.parts, strict=True))


def _known(part: Term, found: Binding) -> Binding:
    return {one: value for one, value in found.items() if one in part.free}


@dataclass
class Search:
    """What may be assumed, and the facts that may be used."""

    hypotheses: list[Term]
    facts: list[Fact]
    _every: dict[Term, Line | None] = field(default_factory=dict)
    _names: Iterator[int] = field(default_factory=lambda: count(1))
    _nested: int = 0

    def proved(
        self, goal: Term, given: Sequence[Term] = (), facts: Sequence[Fact] = (), hints: Sequence[Term] = ()
    ) -> tuple[Line, list[str]] | None:
        """The goal from what may be assumed and what is given, and the names of the facts that were used."""
        allowed = [*self.hypotheses, *given]
        for rounds, extra in EFFORTS:
            found = self._attempt(goal, allowed, [*self.facts, *facts], rounds, extra, hints)
            if found is not None:
                return found
        return None

    def _attempt(
        self,
        goal: Term,
        allowed: Sequence[Term],
        facts: Sequence[Fact],
        rounds: int,
        extra: int,
        hints: Sequence[Term],
    ) -> tuple[Line, list[str]] | None:
        plain = [apply("assume", one) for one in allowed if one.sort == TRUTH]
        every = [every_fact(one, self._fresh) for one in allowed if one.sort == EVERY]
        start = [goal, *(line.theorem.conclusion for line in plain), *hints]
        made = self._instances(start, [*every, *facts], rounds, extra, set(allowed), hints)
        lines = [*((line, "") for line in plain), *made]
        core = _core([line.theorem.conclusion for line, _ in lines], goal)
        if core is None:
            return None
        used = [lines[place] for place in core]
        line = apply("entails", tuple(one for one, _ in used), goal, decide=lambda asked: True)
        if not unsatisfiable([*(one.theorem.conclusion for one, _ in used), term("not", goal)]):
            return None
        return line, [name for _, name in used if name]

    def _instances(
        self,
        start: Sequence[Term],
        facts: Sequence[Fact],
        rounds: int,
        extra: int,
        allowed: set[Term],
        hints: Sequence[Term],
    ) -> list[tuple[Line, str]]:
        terms: dict[Term, tuple[int, ...]] = {}
        made: dict[tuple[int, tuple[Term, ...]], tuple[Line, str]] = {}
        fresh: list[Term] = []

        def see(whole: Term, trail: tuple[int, ...]) -> None:
            for one in atoms(normal(whole)):
                if one not in terms:
                    terms[one] = trail
                    fresh.append(one)

        for whole in start:
            see(whole, ())
        free = (one for whole in start for one in sorted(whole.free, key=attrgetter("name")))
        numbers = [variable(one) for one in free if one.sort == INTEGER and isinstance(one, Variable)]
        candidates = list(dict.fromkeys([*(one for one in hints if one.sort == INTEGER), *numbers]))

        def use(place: int, binding: Binding, trail: tuple[int, ...]) -> None:
            fact = facts[place]
            for values in _completed(binding, fact.variables, candidates):
                key = (place, tuple(values[v] for v in sorted(values, key=attrgetter("name"))))
                if key in made:
                    continue
                line = fact.at(values) if fact.instance else self._usable(fact.at(values), allowed)
                if line is not None:
                    made[key] = line, fact.name
                    see(line.theorem.conclusion, (*trail, place))

        for place, fact in enumerate(facts):
            if fact.lemma or not fact.variables:
                use(place, {}, ())
        for _ in range(rounds):
            now, fresh = fresh, []
            if not now or len(made) > MOST:
                break
            for place, fact in enumerate(facts):
                for binding, trail in self._bindings(fact, now, terms):
                    if trail.count(place) < fact.depth + extra:
                        use(place, binding, trail)
        return list(made.values())

    def _bindings(
        self, fact: Fact, now: Sequence[Term], terms: Mapping[Term, tuple[int, ...]]
    ) -> Iterator[tuple[Binding, tuple[int, ...]]]:
        """The values that some pattern gives, at least one of its terms being new."""
        for pattern in fact.patterns:
            for first in range(len(pattern)):
                partial: list[tuple[Binding, tuple[Term, ...]]] = [({}, ())]
                order = [pattern[first], *pattern[:first], *pattern[first + 1 :]]
                for place, part in enumerate(order):
                    pool: Iterable[Term] = now if place == 0 else terms
                    partial = [
                        (more, (*chosen, one))
                        for binding, chosen in partial
                        for one in pool
                        if (more := fits(part, one, fact.variables, binding)) is not None
                    ]
                for binding, chosen in partial:
                    again = fits(order[0], chosen[0], fact.variables, binding)
                    if again is not None:
                        yield again, max((terms[one] for one in chosen), key=len)

    def _usable(self, line: Line, allowed: set[Term]) -> Line | None:
        """The line without hypotheses that may not be assumed: premises of its conclusion, or proved."""
        for one in sorted(line.theorem.hypotheses - allowed, key=lambda part: (part.sort, spelling(part))):
            if one.sort == TRUTH:
                line = apply("discharge", line, one)
            else:
                proved = self._for_all(one)
                if proved is None:
                    return None
                line = apply("cut", proved, line)
        return line

    def _for_all(self, statement: Term) -> Line | None:
        """A statement about all indices, proved from what may be assumed."""
        if statement not in self._every and self._nested < NESTED:
            self._nested += 1
            self._every[statement] = None  # while it is looked for, it may not be used
            ranges, body = [], statement
            while body.op == "all":
                index = self._fresh("i")
                lo, hi, inner = body.parts
                ranges.append((index, lo, hi))
                body = opened(inner, (variable(index),))
            guards = [
                term("<=", *ends) for i, lo, hi in ranges for ends in ((lo, variable(i)), (variable(i), hi))
            ]
            found = self.proved(body, guards)
            if found is not None:
                line, _ = found
                for index, lo, hi in reversed(ranges):
                    line = apply("generalise", line, index, lo, hi)
                self._every[statement] = line
            self._nested -= 1
        return self._every.get(statement)

    def _fresh(self, name: str) -> Variable:
        return Variable(f"{name}#{next(self._names)}", INTEGER)


def every_fact(statement: Term, fresh: Callable[[str], Variable]) -> Fact:
    """A hypothesis about all indices, which may be used at any of them."""
    indices, body = [], statement
    while body.op == "all":
        indices.append(fresh("i"))
        body = body.parts[2]
    line = apply("specialise", apply("assume", statement), *map(variable, indices))
    return Fact("a hypothesis", line, frozenset(indices), depth=2)


def _completed(binding: Binding, variables: frozenset[Free], candidates: Sequence[Term]) -> Iterator[Binding]:
    missing = sorted((one for one in variables if one not in binding), key=attrgetter("name"))
    if all(one.sort == INTEGER and isinstance(one, Variable) for one in missing) and len(missing) <= 2:
        for values in product(candidates, repeat=len(missing)):
            yield {**binding, **dict(zip(missing, values, strict=True))}


def _core(statements: Sequence[Term], goal: Term) -> list[int] | None:
    """The places of statements from which the goal follows, or None; z3 has a second try if it gives up."""
    import z3

    reader = Reader()
    solver = z3.SimpleSolver(ctx=reader.context)
    solver.set(rlimit=STEPS, unsat_core=True, **SETTINGS)
    solver.add(z3.Not(reader.read(goal)))
    marks = [z3.Bool(f"use{place}", reader.context) for place in range(len(statements))]
    for mark, one in zip(marks, statements, strict=True):
        solver.add(z3.Implies(mark, reader.read(one)))
    found = z3.unknown
    for phase in PHASES:
        if found == z3.unknown:
            solver.set(phase_selection=phase)
            found = solver.check(*marks)
    if found != z3.unsat:
        return None
    names = {str(one) for one in solver.unsat_core()}
    return [place for place, mark in enumerate(marks) if str(mark) in names]
