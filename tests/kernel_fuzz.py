"""A fuzzer that tries to make the kernel prove something false.

`python tests/kernel_fuzz.py 100000 [SEED]`.

It keeps a pool of theorems, applies random rules to random ones of them with random terms, few names among
them so that they clash, and evaluates what comes out in small models. Goals of `entails` are what follows,
what nearly follows, and what does not. Some tries are traps: applications that would be sound but for one
condition of a rule, with random statements in them (`TRAPS`).
"""

from __future__ import annotations

import random
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]


from proofs_check.kernel import rules, z3_question
from proofs_check.kernel.rules import Theorem, free
from proofs_check.kernel.terms import (
    COMPARISONS,
    INTEGER,
    REAL,
    TRUTH,
    Free,
    Function,
    KernelError,
    Symbol,
    Term,
    Variable,
    abstraction,
    number,
    substituted,
    term,
    variable,
)
from proofs_check.theory.models import small_model, verdict
from proofs_check.theory.schemas import LANGUAGE, SCHEMAS, SYMBOLS

INTEGERS = [Variable(name, INTEGER) for name in ("t", "x", "T", "K", "m", "n", "i")]
REALS = [Variable("r", REAL)]
PLAYS = [Function(name, 1, INTEGER) for name in "ab"]
TABLES = [Function("h", 2, REAL), Function("f", 1, REAL)]
CHEAP = [
    one for one in SYMBOLS if one.name in ("count", "loss", "total", "sum", "least", "floor", "quotient")
]
MODELS = 12
PATIENCE = 1  # seconds: a best play inside another takes forever to evaluate
STEPS = 2 * 10**5  # of z3; what takes longer is refused


class Fuzzer:
    """Random terms and random rules."""

    def __init__(self, seed: int, traps: int = 40) -> None:
        self.rng = random.Random(seed)
        self.traps = traps  # their share of the tries, next to 104 of all others
        self.pool: list[Theorem] = [rules.axiom(name) for name in SCHEMAS]
        self.symbols: list[Symbol] = []
        self.counts: Counter[str] = Counter()

    def number(self, depth: int, bound: int = 0, itself: bool = False) -> Term:
        """A random number."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            choices: list[Term] = [number(rng.randint(-1, 3)), variable(rng.choice(INTEGERS))]
            choices += [term("bound", value=rng.randrange(bound))] * 2 if bound else []
            choices += [variable(rng.choice(REALS))] if rng.random() < 0.2 else []
            choices += [variable(Variable("before", INTEGER))] * 3 if itself else []
            return rng.choice(choices)
        match rng.randrange(6):
            case 0:
                return term("call", self.integer(depth - 1, bound), value=rng.choice(PLAYS))
            case 1:
                return self.symbol(rng.choice(CHEAP + self.symbols), depth - 1, bound)
            case 2:
                test = self.truth(depth - 1, bound)
                return term("if", test, self.number(depth - 1, bound, itself), self.number(depth - 1, bound))
            case 3:
                return term("call", *(self.integer(depth - 1, bound) for _ in range(2)), value=TABLES[0])
        op = rng.choice(["+", "-", "*", "min", "max", "+", "-", "/"])
        return term(op, self.number(depth - 1, bound, itself), self.number(depth - 1, bound))

    def integer(self, depth: int, bound: int = 0) -> Term:
        """A random integer."""
        for _ in range(20):
            one = self.number(depth, bound)
            if one.sort == INTEGER:
                return one
        return number(1)

    def symbol(self, symbol: Symbol, depth: int, bound: int) -> Term:
        """A symbol at random arguments."""
        parts = [self.value(one, depth, bound) for one in symbol.parameters]
        return term("symbol", *parts, value=symbol)

    def value(self, one: Free, depth: int, bound: int = 0) -> Term:
        """A random value for a variable or a function variable."""
        if isinstance(one, Function):
            same = [
                other for other in (*PLAYS, *TABLES) if (other.arity, other.sort) == (one.arity, one.sort)
            ]
            if same and self.rng.random() < 0.5:
                return abstraction(self.rng.choice(same))
            inner = self.integer if one.sort == INTEGER else self.number
            return term("lambda", inner(depth, bound + one.arity), value=one.arity)
        return self.integer(depth, bound) if one.sort == INTEGER else self.number(depth, bound)

    def truth(self, depth: int, bound: int = 0) -> Term:
        """A random statement without quantifiers."""
        if depth > 0 and self.rng.random() < 0.3:
            op = self.rng.choice(["and", "or", "implies"])
            return term(op, self.truth(depth - 1, bound), self.truth(depth - 1, bound))
        return term(self.rng.choice(COMPARISONS), self.number(depth, bound), self.number(depth, bound))

    def statement(self) -> Term:
        """A random statement, sometimes about all indices."""
        if self.rng.random() < 0.3:
            return term("all", self.integer(1), self.integer(1), self.truth(2, 1))
        return self.truth(2)

    def near(self, one: Term) -> Term:
        """A statement that follows from another, or nearly."""
        other = {"==": "<=", "<=": "<", "<": "<=", ">=": ">", ">": ">=", "!=": "=="}
        if one.op in other and self.rng.random() < 0.7:
            left, right = one.parts
            if self.rng.random() < 0.5:
                right = term("+", right, number(self.rng.randint(-1, 1)))
            return term(self.rng.choice([one.op, other[one.op]]), left, right)
        if one.op in ("and", "or", "implies"):
            parts = [self.near(part) if self.rng.random() < 0.5 else part for part in one.parts]
            return self.rng.choice([term(one.op, *parts), *parts])
        return self.rng.choice([one, self.truth(1)])

    def theorem(self) -> Theorem:
        """One of the pool, lately made ones rather."""
        recent = self.pool[-40:]
        return self.rng.choice(recent if self.rng.random() < 0.6 else self.pool)

    def attempt(self) -> tuple[str, Theorem]:
        """Apply a random rule."""
        rng, one = self.rng, self.theorem()
        names = sorted(free([*one.hypotheses, one.conclusion]), key=lambda v: v.name)
        index = rng.choice(INTEGERS)

        def instantiate() -> Theorem:
            chosen = rng.sample(names, rng.randint(1, len(names))) if names else []
            return rules.instantiate(one, {v: self.value(v, 2) for v in chosen})

        def define() -> Theorem:
            recursive = rng.random() < 0.5
            parameters = tuple(rng.sample(PLAYS, rng.randint(0, 1)) + rng.sample(INTEGERS, rng.randint(1, 3)))
            body = self.number(2, itself=recursive)
            base = self.number(1) if recursive else None
            sort = INTEGER if rng.random() < 0.5 else REAL
            symbol = Symbol(rng.choice("uvw"), parameters, sort, body, base)
            made = rules.unfold(symbol)
            self.symbols.append(symbol)
            return made

        def generalise() -> Theorem:
            ends = [h.parts for h in one.hypotheses if h.op == "<="]
            lo = next((left for left, right in ends if right is variable(index)), self.integer(1))
            hi = next((right for left, right in ends if left is variable(index)), self.integer(1))
            return rules.generalise(one, index, lo, hi)

        def specialise() -> Theorem:
            every = [other for other in self.pool if other.conclusion.op == "all"]
            return rules.specialise(rng.choice(every), self.integer(2)) if every else one

        def entails() -> Theorem:
            premises = [self.theorem() for _ in range(rng.randint(1, 3))]
            plain = [other for other in premises if other.conclusion.sort == TRUTH]
            goal = self.near(rng.choice(plain).conclusion) if plain else self.truth(1)
            return rules.entails(plain, goal)

        def induct() -> Theorem:
            goal = self.near(one.conclusion) if one.conclusion.sort == TRUTH else self.truth(1)
            start = number(rng.randint(0, 1))
            more = rng.sample(INTEGERS, 1)
            used = [{}, {v: self.integer(1) for v in more}] if rng.random() < 0.4 else [{}]
            given = [rules.assume(substituted(goal, values)) for values in used]
            since = rules.assume(term("<=", start, variable(index)))
            some = [self.theorem() for _ in range(2)]
            plain = [other for other in (one, *some) if other.conclusion.sort == TRUTH]
            first = substituted(goal, {index: start})
            following = substituted(goal, {index: term("+", variable(index), number(1))})
            wished = [rules.assume(one) for one in (first, following) if rng.random() < 0.3]
            base = one if rng.random() < 0.2 else rules.entails([*plain, *wished], first)
            step = rules.entails([*plain, *wished, *given, since], following)
            return rules.induct(goal, index, start, base, step, used)

        makers: dict[str, Callable[[], Theorem]] = {
            "assume": lambda: rules.assume(self.statement()),
            "instantiate": instantiate,
            "define": define,
            "generalise": generalise,
            "specialise": specialise,
            "discharge": lambda: rules.discharge(one, rng.choice([*one.hypotheses, self.truth(1)])),
            "cut": lambda: rules.cut(self.theorem(), one),
            "entails": entails,
            "induct": induct,
            "trap": lambda: rng.choice(TRAPS)(self),
        }
        weights = [8, 30, 6, 12, 10, 8, 10, 12, 8, self.traps]
        [name] = rng.choices(list(makers), weights)
        return name, makers[name]()

    def run(self, tries: int) -> list[str]:
        """The first false theorem that was made, written out; from it anything would follow."""
        for _ in range(tries):
            try:
                with mock.patch.object(z3_question, "STEPS", STEPS):
                    name, made = self.attempt()
            except (KernelError, RecursionError):
                self.counts["refused"] += 1
                continue
            self.counts[name] += 1
            if false_in_some_model(made, self.rng):
                said = [LANGUAGE.write(one) for one in (*made.hypotheses, made.conclusion)]
                return [f"{name}: {', '.join(said[:-1])} |- {said[-1]}"]
            if len(str(made.conclusion.free)) < 400 and _size(made) < 60:
                self.pool.append(made)
            if len(self.pool) > 400:
                del self.pool[len(SCHEMAS) : len(SCHEMAS) + 100]
                del self.symbols[:-10]
        return []


def _size(made: Theorem) -> int:
    def size(one: Term) -> int:
        return 1 + sum(map(size, one.parts))

    return sum(map(size, (*made.hypotheses, made.conclusion)))


def false_in_some_model(made: Theorem, rng: random.Random) -> bool:
    """Whether some small model contradicts it."""
    names = free([*made.hypotheses, made.conclusion])
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        models = (small_model(names, rng) for _ in range(MODELS))
        return any(verdict(made.hypotheses, made.conclusion, model) is False for model in models)
    except KeyError:  # a definition that depends on more than its parameters has no value
        return True
    except (TypeError, RecursionError, TimeoutError):
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(*_: object) -> None:
    raise TimeoutError


def about(fuzzer: Fuzzer, place: Term, bound: int = 0) -> Term:
    """A random statement about a place, rarely true of all places."""
    other, number_of = fuzzer.integer(1, bound), term("call", place, value=fuzzer.rng.choice(PLAYS))
    return fuzzer.rng.choice(
        [
            term("!=", place, number(fuzzer.rng.randint(-1, 3))),
            term(fuzzer.rng.choice(COMPARISONS), place, other),
            term("==", number_of, other),
            term("<=", term("*", place, place), term("+", other, place)),
        ]
    )


def plus(one: Term, more: int) -> Term:
    """A little further."""
    return term("+", one, number(more))


def induction(fuzzer: Fuzzer) -> Theorem:
    """An induction that lacks one thing: a base, a step, a fresh index, a start that is kept."""
    rng, i, start = fuzzer.rng, INTEGERS[0], number(fuzzer.rng.randint(0, 1))
    here, goal, z = variable(i), about(fuzzer, variable(i)), variable(INTEGERS[1])
    trivial = rules.entails([], term("==", number(0), number(0)))
    first, following = (substituted(goal, {i: at}) for at in (start, plus(here, 1)))
    match rng.randrange(7):
        case 0:  # true from the start on
            return inductive(term(">=", here, start), i, start)
        case 1:  # of integers only
            one = Variable("r", REAL)
            whole = term("==", variable(one), start), term(">=", variable(one), plus(start, 1))
            return inductive(term("or", *whole), one, start)
        case 2:  # a step that nothing supports but itself
            return rules.induct(goal, i, start, rules.assume(first), rules.assume(following))
        case 3:  # the statement used where it is to be shown
            used = [{}, {i: plus(here, 1)}]
            return rules.induct(goal, i, start, rules.assume(first), rules.assume(following), used)
        case 4:  # no base
            goal = term(">=", here, fuzzer.integer(0))
            step = rules.entails([rules.assume(goal)], substituted(goal, {i: plus(here, 1)}))
            return rules.induct(goal, i, start, trivial, step)
        case 5:  # no step
            return rules.induct(goal, i, start, rules.assume(first), trivial)
    goal = about(fuzzer, term("+", here, z))  # used at z + 1, though the base is about one z
    used = [{INTEGERS[1]: plus(z, 1)}]
    step = rules.entails([rules.assume(substituted(goal, used[0]))], substituted(goal, {i: plus(here, 1)}))
    return rules.induct(goal, i, start, rules.assume(substituted(goal, {i: start})), step, used)


def inductive(goal: Term, i: Variable, start: Term) -> Theorem:
    """An induction whose two parts hold."""
    base = rules.entails([], substituted(goal, {i: start}))
    step = rules.entails([rules.assume(goal)], substituted(goal, {i: plus(variable(i), 1)}))
    return rules.induct(goal, i, start, base, step)


def range_of_indices(fuzzer: Fuzzer) -> Theorem:
    """All indices from one that is not free, or a place that may be outside the range."""
    rng, i = fuzzer.rng, fuzzer.rng.choice(INTEGERS)
    here, lo, hi = variable(i), number(rng.randint(0, 2)), fuzzer.integer(1)
    match rng.randrange(4):
        case 0:
            return rules.generalise(rules.assume(about(fuzzer, here)), i, lo, plus(lo, 2))
        case 1:
            hi = term("-", number(rng.randint(0, 3)), here)
            return rules.generalise(rules.assume(term("<=", here, hi)), i, lo, hi)
        case 2:
            inside = term("<=", lo, here), term("<=", here, hi)
            both = rules.entails([*map(rules.assume, inside)], term("and", *inside))
            return rules.generalise(both, i, lo, plus(hi, rng.randint(0, 1)))
    body = rng.choice([about(fuzzer, term("bound", value=0), 1), triangle(rng.randint(1, 3))])
    return rules.specialise(rules.assume(term("all", lo, hi, body)), fuzzer.integer(1))


def triangle(end: int) -> Term:
    """The sum of the first multiples of an index, which a binder inside uses."""
    inner, outer = term("bound", value=0), term("bound", value=1)
    multiples = term("lambda", term("*", inner, outer), value=1)
    total = term("symbol", multiples, number(1), number(end), value=SUM)
    return term("==", total, term("*", number(end * (end + 1) // 2), inner))


def nested(fuzzer: Fuzzer) -> Term:
    """A function of one integer with a binder inside that uses the outer index and a variable."""
    rng, inner, outer = fuzzer.rng, term("bound", value=0), term("bound", value=1)
    inside = term("lambda", term("+", term("*", inner, outer), fuzzer.integer(0)), value=1)
    ends = rng.choice([number(1), inner]), rng.choice([number(2), inner])
    return term("lambda", term("symbol", inside, *ends, value=rng.choice([SUM, LEAST])), value=1)


def binders(fuzzer: Fuzzer) -> Theorem:
    """A schema about functions, at one with a binder inside; then for all of an index, then at a place."""
    rng, i = fuzzer.rng, fuzzer.rng.choice(INTEGERS)
    one = rules.axiom(rng.choice(["sum", "least is below", "sum of none", "count", "total"]))
    small = [number(1), number(2), variable(i), plus(variable(i), 1)]
    values: dict[Free, Term] = {}
    for each in free([*one.hypotheses, one.conclusion]):
        if isinstance(each, Variable):
            values[each] = rng.choice(small)
        elif (each.arity, each.sort) == (1, REAL):
            values[each] = nested(fuzzer)
    made = rules.instantiate(one, values)
    if rng.random() < 0.6:
        made = rules.generalise(made, i, number(0), number(3))
        if rng.random() < 0.6:
            made = rules.specialise(made, fuzzer.integer(1))
    return made


def equal_symbols(fuzzer: Fuzzer) -> Theorem:
    """A symbol at two arguments, said to be equal."""
    rng = fuzzer.rng
    symbol = rng.choice(CHEAP)
    parts = [fuzzer.value(one, 1) for one in symbol.parameters]
    place = rng.randrange(len(parts))
    others = [*parts[:place], fuzzer.value(symbol.parameters[place], 1), *parts[place + 1 :]]
    left, right = (term("symbol", *some, value=symbol) for some in (parts, others))
    return rules.entails([], term(rng.choice(["==", "<=", ">="]), left, right))


def arithmetic(fuzzer: Fuzzer) -> Theorem:
    """A minimum, a maximum, a difference or a quotient of small numbers, compared with another."""
    here = variable(INTEGERS[0])
    small = [number(0), number(0), number(1), number(1), here, plus(here, 1)]
    left, right, other = (fuzzer.rng.choice(small) for _ in range(3))
    made = term(fuzzer.rng.choice(["min", "max", "-", "/"]), left, right)
    return rules.entails([], term(fuzzer.rng.choice(["==", "<=", ">="]), made, other))


def integrality(fuzzer: Fuzzer) -> Theorem:
    """What holds of integers, at a symbol that is declared one; or what a definition says."""
    rng, n = fuzzer.rng, Variable("n", INTEGER)
    halves = Symbol("v", (n,), INTEGER, term("/", variable(n), number(2)))
    steps = Symbol("v", (n,), INTEGER, fuzzer.number(1, itself=True), fuzzer.number(1))
    symbol = rng.choice([halves, steps])
    unfolded = rules.unfold(symbol)
    if symbol is steps:
        return unfolded
    outside = term("<=", variable(n), number(0)), term("<=", number(1), variable(n))
    no_half = rules.entails([], term("or", *outside))
    return rules.instantiate(no_half, {n: term("symbol", variable(n), value=symbol)})


def idle_premise(fuzzer: Fuzzer) -> Theorem:
    """A hypothesis that a rule must carry along: discharged, cut by something else, or a premise's own."""
    rng, i = fuzzer.rng, fuzzer.rng.choice(INTEGERS)
    one = rules.assume(about(fuzzer, variable(i)))
    match rng.randrange(3):
        case 0:
            return rules.discharge(one, rng.choice([one.conclusion, about(fuzzer, variable(i))]))
        case 1:
            return rules.cut(rules.assume(fuzzer.near(one.conclusion)), one)
    return rules.entails([one], fuzzer.near(one.conclusion))


TRAPS = [induction, arithmetic] * 2
TRAPS += [range_of_indices, binders, equal_symbols, integrality, idle_premise]

SUM, LEAST = (next(one for one in SYMBOLS if one.name == name) for name in ("sum", "least"))


if __name__ == "__main__":
    given = [int(one) for one in sys.argv[1:]]
    total, first = [*given, *(1000, 0)[len(given) :]]
    for seed in range(first, first + total, 1000):
        fuzzer = Fuzzer(seed)
        wrong = fuzzer.run(1000)
        print(seed, dict(fuzzer.counts), flush=True)
        for sentence in wrong:
            print("FALSE:", sentence)
