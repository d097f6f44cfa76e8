"""A fuzzer that tries to make the kernel prove something false: `python tests/kernel_fuzz.py 100000`.

It keeps a pool of theorems, applies random rules to random ones of them with random terms, few names among
them so that they clash, and evaluates what comes out in small models. Goals of `entails` are what follows,
what nearly follows, and what does not. Some tries are whole claims: a random statement that the search is
to prove, plainly or by induction.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]


from proofs_check.kernel import rules
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
from proofs_check.theory.argument import Argument, NotShown
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


class Fuzzer:
    """Random terms and random rules."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
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
                parts = [self.integer(depth - 1, bound) for _ in range(1)]
                return term("call", *parts, value=rng.choice(PLAYS))
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
            guards = [
                term("<=", self.integer(1), variable(index)),
                term("<=", variable(index), self.integer(1)),
            ]
            hypotheses = [h for h in one.hypotheses if h.op == "<="]
            lo = next((h.parts[0] for h in hypotheses if h.parts[1] is variable(index)), guards[0].parts[0])
            hi = next((h.parts[1] for h in hypotheses if h.parts[0] is variable(index)), guards[1].parts[1])
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
            "claim": self.claim,
        }
        weights = [8, 30, 6, 12, 10, 8, 10, 12, 8, 1]
        [name] = rng.choices(list(makers), weights)
        return name, makers[name]()

    def claim(self) -> Theorem:
        """A random claim, and a search for its proof."""
        rng = self.rng
        hypotheses = [term("<=", number(rng.randint(0, 1)), variable(one)) for one in rng.sample(INTEGERS, 2)]
        argument = Argument(LANGUAGE, hypotheses)
        goal = self.near(rng.choice([SCHEMAS[name][1] for name in SCHEMAS]))
        try:
            if rng.random() < 0.5:
                return argument.induct("t", LANGUAGE.write(goal)).theorem
            return argument.so(goal).theorem
        except NotShown:
            raise KernelError("not shown") from None

    def run(self, tries: int) -> list[str]:
        """The false theorems that were made, written out."""
        wrong = []
        for _ in range(tries):
            try:
                name, made = self.attempt()
            except (KernelError, RecursionError, AttributeError):
                self.counts["refused"] += 1
                continue
            self.counts[name] += 1
            if false_in_some_model(made, self.rng):
                said = [LANGUAGE.write(one) for one in (*made.hypotheses, made.conclusion)]
                wrong.append(f"{name}: {', '.join(said[:-1])} |- {said[-1]}")
            if len(str(made.conclusion.free)) < 400 and _size(made) < 60:
                self.pool.append(made)
            if len(self.pool) > 400:
                del self.pool[len(SCHEMAS) : len(SCHEMAS) + 100]
                del self.symbols[:-10]
        return wrong


def _size(made: Theorem) -> int:
    def size(one: Term) -> int:
        return 1 + sum(map(size, one.parts))

    return sum(map(size, (*made.hypotheses, made.conclusion)))


def false_in_some_model(made: Theorem, rng: random.Random) -> bool:
    """Whether some small model contradicts it."""
    names = free([*made.hypotheses, made.conclusion])
    for _ in range(MODELS):
        model = small_model(names, rng)
        try:
            if verdict(made.hypotheses, made.conclusion, model) is False:
                return True
        except (TypeError, RecursionError):
            return False
    return False


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for seed in range(0, total, 1000):
        fuzzer = Fuzzer(seed)
        wrong = fuzzer.run(1000)
        print(seed, dict(fuzzer.counts), flush=True)
        for sentence in wrong:
            print("FALSE:", sentence)
