"""Theorems and the rules that make them. Nothing else makes one.

A theorem is a sequent, *hypotheses |- conclusion*. It says: for all values of its free variables and function
variables, if every hypothesis holds, so does the conclusion. A claim is a sequent; whoever uses it inherits
its hypotheses, at the values at which it is used.

The rules, G and D being hypotheses:

    axiom         a schema of the theory (`proofs_check.theory`), which no claim can add to
    unfold        the equation of a definition
    assume        H |- H
    discharge     G, H |- C                           gives  G |- H implies C
    cut           G |- H and D, H |- C                gives  G, D |- C
    instantiate   G |- C                              gives  the same with terms in place of variables
    generalise    G, lo <= i, i <= hi |- C            gives  G |- all i in lo..hi: C      (i not in G, lo, hi)
    specialise    G |- all i in lo..hi: C             gives  G |- lo <= t and t <= hi implies C at t
    induct        G |- C at start, and
                  D, start <= i, C at i |- C at i + 1 gives  G, D, start <= i |- C     (i not in G, D, start)
    entails       theorems G_k |- C_k                 give   all G_k |- C, if z3 finds C_1, ..., C_n, not C
                                                             unsatisfiable; "unknown" gives nothing

In an induction the statement may be used at i for other values of variables z that are not in G, D or start.
Definitions are conservative by their form, and the theory is true of tables and plays; so what these rules
make is true. Python cannot hide a constructor: a proof is data, and what counts is what `proof.rebuilt` makes
of it in a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from proofs_check.kernel.terms import (
    EVERY,
    INTEGER,
    TRUTH,
    Free,
    KernelError,
    Symbol,
    Term,
    Variable,
    abstraction,
    closed,
    number,
    opened,
    substituted,
    term,
    variable,
)
from proofs_check.kernel.z3_question import unsatisfiable
from proofs_check.theory.schemas import SCHEMAS

Decide = Callable[[Sequence[Term]], bool]
_RULES = object()


@dataclass(frozen=True, eq=False)
class Theorem:
    """hypotheses |- conclusion, for all values of the free variables."""

    hypotheses: frozenset[Term]
    conclusion: Term
    made_by: object = None

    def __post_init__(self) -> None:
        if self.made_by is not _RULES:
            raise KernelError("only the rules make theorems")


def _theorem(hypotheses: Iterable[Term], conclusion: Term) -> Theorem:
    made = Theorem(frozenset(hypotheses), conclusion, _RULES)
    if any(part.sort not in (TRUTH, EVERY) or part.loose for part in (*made.hypotheses, conclusion)):
        raise KernelError("a theorem consists of closed statements")
    return made


def free(parts: Iterable[Term]) -> frozenset[Free]:
    """The variables and function variables of these."""
    return frozenset().union(*(part.free for part in parts))


def axiom(name: str) -> Theorem:
    """A schema of the theory."""
    if name not in SCHEMAS:
        raise KernelError(f"the theory has no schema {name!r}")
    return _theorem(*SCHEMAS[name])


def unfold(symbol: Symbol) -> Theorem:
    """What a defined symbol is, for all arguments."""
    parameters, before = symbol.parameters, Variable("before", symbol.sort)
    if symbol.body is None or len({one.name for one in (*parameters, before)}) <= len(parameters):
        raise KernelError(f"{symbol.name} has no definition, or two parameters of one name")
    known = {*parameters, before} if symbol.base else {*parameters}
    if not symbol.body.free <= known or not (symbol.base or symbol.body).free <= {*parameters}:
        raise KernelError(f"the definition of {symbol.name} depends on more than its parameters")
    values = [variable(one) if isinstance(one, Variable) else abstraction(one) for one in parameters]
    whole = term("symbol", *values, value=symbol)
    body = symbol.body
    if symbol.base is not None:
        if not values or values[-1].sort != INTEGER:
            raise KernelError(f"{symbol.name} does not descend on its last parameter")
        earlier = term("symbol", *values[:-1], term("-", values[-1], number(1)), value=symbol)
        start = term("<=", values[-1], number(0))
        body = term("if", start, symbol.base, substituted(body, {before: earlier}))
    if body.sort not in (INTEGER, symbol.sort):
        raise KernelError(f"{symbol.name} is declared an integer, and defined as a real number")
    return _theorem([], term("==", whole, body))


def assume(hypothesis: Term) -> Theorem:
    """H |- H."""
    return _theorem([hypothesis], hypothesis)


def discharge(one: Theorem, hypothesis: Term) -> Theorem:
    """The hypothesis becomes a premise of the conclusion; both are free of quantifiers."""
    return _theorem(one.hypotheses - {hypothesis}, term("implies", hypothesis, one.conclusion))


def cut(lemma: Theorem, one: Theorem) -> Theorem:
    """A hypothesis that the lemma concludes is replaced by those of the lemma."""
    return _theorem(lemma.hypotheses | (one.hypotheses - {lemma.conclusion}), one.conclusion)


def instantiate(one: Theorem, values: Mapping[Free, Term]) -> Theorem:
    """The theorem at these values of its variables, in its hypotheses as in its conclusion."""
    return _theorem(
        (substituted(part, values) for part in one.hypotheses), substituted(one.conclusion, values)
    )


def generalise(one: Theorem, index: Variable, lo: Term, hi: Term) -> Theorem:
    """From one index between bounds to all of them."""
    inside = {term("<=", lo, variable(index)), term("<=", variable(index), hi)}
    rest = one.hypotheses - inside
    if index.sort != INTEGER or index in free([*rest, lo, hi]):
        raise KernelError(f"{index.name} is not free to be any index")
    return _theorem(rest, term("all", lo, hi, closed(one.conclusion, index)))


def specialise(one: Theorem, *places: Term) -> Theorem:
    """A statement about all indices, at these places."""
    guards, body = [], one.conclusion
    for place in places:
        if body.op != "all" or place.sort != INTEGER:
            raise KernelError("this is no statement about all indices, or the place is no integer")
        lo, hi, inner = body.parts
        guards += [term("<=", lo, place), term("<=", place, hi)]
        body = opened(inner, (place,))
    for guard in reversed(guards):
        body = term("implies", guard, body)
    return _theorem(one.hypotheses, body)


def induct(
    statement: Term,
    index: Variable,
    start: Term,
    base: Theorem,
    step: Theorem,
    used_at: Sequence[Mapping[Free, Term]] = ({},),
) -> Theorem:
    """By induction on an integer, from `start` on; `used_at` is where the step uses the statement at i."""
    since, following = term("<=", start, variable(index)), term("+", variable(index), number(1))
    wanted = [substituted(statement, {index: place}) for place in (start, following)]
    if [base.conclusion, step.conclusion] != wanted:
        raise KernelError("the two parts of the induction conclude something else")
    used = {substituted(statement, values) for values in used_at}
    other = frozenset().union(*(values.keys() for values in used_at))
    rest = base.hypotheses | (step.hypotheses - used - {since})
    if index.sort != INTEGER or start.sort != INTEGER or index in other:
        raise KernelError("induction is on an integer")
    if (other | {index}) & free([*rest, start]):
        raise KernelError("a hypothesis fixes what the induction is about")
    return _theorem([*rest, since], statement)


def entails(premises: Sequence[Theorem], goal: Term, *, decide: Decide = unsatisfiable) -> Theorem:
    """What follows from the conclusions of the premises, quantifier-free."""
    stated = [*(one.conclusion for one in premises), term("not", goal)]
    if any(part.sort != TRUTH for part in stated) or not decide(stated):
        raise KernelError("z3 does not confirm that this follows")
    return _theorem((part for one in premises for part in one.hypotheses), goal)
