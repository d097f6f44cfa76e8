"""A fuzzer that tries to make the kernel prove something false.

`python tests/kernel_fuzz.py 100000 [SEED]`.

It keeps a pool of theorems, applies random rules to random ones of them with random terms, few names among
them so that they clash, and evaluates what comes out in small models. Many applications would be sound but
for one condition of a rule: an induction whose base or step is something else, an index that a hypothesis
fixes, a goal that nearly follows.
"""

import random
import signal
import sys
from collections import Counter
from pathlib import Path
from unittest import mock

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]


from proofs_check.kernel import rules, z3_question
from proofs_check.kernel.rules import free
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
NAMED = {one.name: one for one in SYMBOLS}
CHEAP = [NAMED[name] for name in ("count", "loss", "total", "sum", "least", "floor", "quotient")]
BINDING = ["sum", "least is below", "sum of none", "count", "total"]  # schemas about functions
NEARLY = {"==": "<=", "<=": "<", "<": "<=", ">=": ">", ">": ">=", "!=": "=="}
WEIGHTS = {"assume": 2, "instantiate": 6, "define": 8, "halve": 4, "generalise": 8, "specialise": 6}
WEIGHTS |= {"bind": 6, "discharge": 3, "cut": 3, "entails": 8, "compare": 16, "induct": 20}
MODELS = 12
PATIENCE = 1  # seconds: a best play inside another takes forever to evaluate
STEPS = 2 * 10**5  # of z3; what takes longer is refused


def plus(one, more):
    """A little further."""
    return term("+", one, number(more))


class Fuzzer:
    """Random terms and random rules, the `favoured` one of them often."""

    def __init__(self, seed, favoured=None):
        self.rng = random.Random(seed)
        self.weights = {name: 10 * WEIGHTS[name] if name == favoured else WEIGHTS[name] for name in WEIGHTS}
        self.pool = [rules.axiom(name) for name in SCHEMAS]
        self.symbols = []
        self.counts = Counter()

    def number(self, depth, bound=0, itself=False):
        """A random number; `bound` indices are bound around it, and a recursion may name `itself`."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            choices = [number(rng.randint(-1, 3)), variable(rng.choice(INTEGERS))]
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

    def integer(self, depth, bound=0):
        """A random integer."""
        tries = (self.number(depth, bound) for _ in range(20))
        return next((one for one in tries if one.sort == INTEGER), number(1))

    def symbol(self, symbol, depth, bound=0):
        """A symbol at random arguments."""
        return term("symbol", *(self.value(one, depth, bound) for one in symbol.parameters), value=symbol)

    def value(self, one, depth, bound=0):
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

    def truth(self, depth, bound=0):
        """A random statement without quantifiers."""
        if depth > 0 and self.rng.random() < 0.3:
            op = self.rng.choice(["and", "or", "implies"])
            return term(op, self.truth(depth - 1, bound), self.truth(depth - 1, bound))
        return term(self.rng.choice(COMPARISONS), self.number(depth, bound), self.number(depth, bound))

    def about(self, place, bound=0):
        """A short statement about a place, rarely true of all places."""
        other = self.integer(1, bound)
        return self.rng.choice(
            [
                term("!=", place, number(self.rng.randint(-1, 3))),
                term(self.rng.choice(COMPARISONS), place, other),
                term("==", term("call", place, value=self.rng.choice(PLAYS)), other),
            ]
        )

    def near(self, one):
        """A statement that follows from another, or nearly."""
        if one.op in NEARLY and self.rng.random() < 0.7:
            left, right = one.parts
            right = self.rng.choice([right, plus(right, self.rng.randint(-1, 1))])
            return term(self.rng.choice([one.op, NEARLY[one.op]]), left, right)
        if one.op in ("and", "or", "implies"):
            return self.rng.choice([one, *one.parts])
        return self.rng.choice([one, self.truth(1)])

    def theorem(self):
        """One of the pool, lately made ones rather; or a short assumption."""
        if self.rng.random() < 0.4:
            return rules.assume(self.about(variable(self.rng.choice(INTEGERS))))
        return self.rng.choice(self.pool[-40:] if self.rng.random() < 0.6 else self.pool)

    def assume(self):
        if self.rng.random() < 0.3:
            return rules.assume(term("all", self.integer(1), self.integer(1), self.truth(2, 1)))
        return rules.assume(self.truth(2))

    def instantiate(self):
        one = self.theorem()
        names = sorted(free([*one.hypotheses, one.conclusion]), key=lambda v: v.name)
        chosen = self.rng.sample(names, self.rng.randint(1, len(names))) if names else []
        return rules.instantiate(one, {v: self.value(v, 2) for v in chosen})

    def define(self):
        """A definition, which may be recursive, or name more than its parameters."""
        rng = self.rng
        recursive, sort = rng.random() < 0.5, rng.choice([INTEGER, REAL])
        parameters = (*rng.sample(PLAYS, rng.randint(0, 1)), *rng.sample(INTEGERS, rng.randint(1, 3)))
        body, base = self.number(2, itself=recursive), self.number(1) if recursive else None
        symbol = Symbol(rng.choice("uvw"), parameters, sort, body, base)
        made = rules.unfold(symbol)
        self.symbols = [*self.symbols[-9:], symbol]
        return made

    def halve(self):
        """What holds of integers, at a half that is declared an integer."""
        n = Variable("n", INTEGER)
        half = Symbol("v", (n,), INTEGER, term("/", variable(n), number(2)))
        outside = term("<=", variable(n), number(0)), term("<=", number(1), variable(n))
        rules.unfold(half)
        no_half = rules.entails([], term("or", *outside))
        return rules.instantiate(no_half, {n: term("symbol", variable(n), value=half)})

    def generalise(self):
        """All indices from one that may not be free, or from a range that may be another."""
        rng, i = self.rng, self.rng.choice(INTEGERS)
        here, lo = variable(i), number(rng.randint(0, 2))
        hi = rng.choice([self.integer(1), term("-", number(rng.randint(0, 3)), here)])
        below, above = rules.assume(term("<=", lo, here)), rules.assume(term("<=", here, hi))
        both = rules.entails([below, above], term("and", below.conclusion, above.conclusion))
        one = rng.choice([self.theorem(), rules.assume(self.about(here)), above, both])
        return rules.generalise(one, i, lo, rng.choice([hi, plus(hi, 1)]))

    def specialise(self):
        """A place that may be outside the range."""
        every = [one for one in self.pool if one.conclusion.op == "all"]
        inner, outer = term("bound", value=0), term("bound", value=1)
        multiples = term("lambda", term("*", inner, outer), value=1)
        thrice = term("symbol", multiples, number(1), number(2), value=NAMED["sum"])
        body = self.rng.choice([self.about(inner, 1), term("==", thrice, term("*", number(3), inner))])
        every += [rules.assume(term("all", self.integer(0), self.integer(1), body))] * (1 + len(every))
        return rules.specialise(self.rng.choice(every), self.integer(1))

    def bind(self):
        """A schema about functions, at one with a binder inside; then for all indices, then at one."""
        rng, i = self.rng, self.rng.choice(INTEGERS)
        one, inner, outer = rules.axiom(rng.choice(BINDING)), term("bound", value=0), term("bound", value=1)
        small = [number(1), number(2), variable(i), plus(variable(i), 1)]
        inside = term("lambda", term("+", term("*", inner, outer), self.integer(0)), value=1)
        ends = rng.choice([number(1), inner]), rng.choice([number(2), inner])
        nested = term("symbol", inside, *ends, value=NAMED[rng.choice(["sum", "least"])])
        values: dict[Free, Term] = {}
        for each in free([*one.hypotheses, one.conclusion]):
            if isinstance(each, Variable):
                values[each] = rng.choice(small)
            elif (each.arity, each.sort) == (1, REAL):
                values[each] = term("lambda", nested, value=1)
        made = rules.generalise(rules.instantiate(one, values), i, number(0), number(3))
        return rng.choice([made, rules.specialise(made, rng.choice(small))])

    def discharge(self):
        one = self.theorem()
        return rules.discharge(one, self.rng.choice([*one.hypotheses, self.truth(1)]))

    def cut(self):
        one = self.theorem()
        return rules.cut(self.rng.choice([self.theorem(), rules.assume(self.near(one.conclusion))]), one)

    def entails(self):
        premises = [self.theorem() for _ in range(self.rng.randint(1, 3))]
        plain = [one for one in premises if one.conclusion.sort == TRUTH]
        return rules.entails(plain, self.near(self.rng.choice(plain).conclusion) if plain else self.truth(1))

    def compare(self):
        """Small numbers, or a symbol at two arguments, without a premise."""
        rng, here = self.rng, variable(INTEGERS[0])
        small = [number(0), number(0), number(1), number(1), here, plus(here, 1)]
        left = term(rng.choice(["min", "max", "-", "/"]), rng.choice(small), rng.choice(small))
        right = rng.choice(small)
        if rng.random() < 0.3:
            left = self.symbol(rng.choice(CHEAP), 1)
            place, parts = rng.randrange(len(left.parts)), list(left.parts)
            parts[place] = self.value(left.value.parameters[place], 1)
            right = term("symbol", *parts, value=left.value)
        return rules.entails([], term(rng.choice(["==", "<=", ">="]), left, right))

    def induct(self):
        """An induction that may lack one thing: a base, a step, a fresh index, a start that is kept."""
        rng, start = self.rng, number(self.rng.randint(0, 1))
        i, z = rng.choice([INTEGERS[0]] * 3 + REALS), INTEGERS[1]
        here, whole = variable(i), term("==", variable(i), start)
        goal = rng.choice(
            [
                self.about(here) if i.sort == INTEGER else self.truth(1),
                self.about(term("+", variable(INTEGERS[0]), variable(z))),
                term(">=", here, rng.choice([start, self.integer(0)])),
                term("or", whole, term(">=", here, plus(start, 1))),
            ]
        )
        first, following = (substituted(goal, {i: at}) for at in (start, plus(here, 1)))
        used: list[dict[Free, Term]] = rng.choice(
            [[{}], [{}, {i: plus(here, 1)}], [{z: plus(variable(z), 1)}]]
        )
        given = [rules.assume(substituted(goal, values)) for values in used]
        given += [rules.assume(term("<=", start, here))] * rng.randint(0, 1)
        return rules.induct(goal, i, start, self.part([], first), self.part(given, following), used)

    def part(self, given, goal):
        """A part of an induction: what follows, what is only assumed, or something else."""
        match self.rng.randrange(5):
            case 0:
                return rules.entails([], term("==", number(0), number(0)))
            case 1 | 2:
                return rules.assume(goal)
        return rules.entails(given, goal)

    def run(self, tries):
        """The first false theorem that was made, written out; from it anything would follow."""
        for name in self.rng.choices([*self.weights], [*self.weights.values()], k=tries):
            try:
                with mock.patch.object(z3_question, "STEPS", STEPS):
                    made = getattr(self, name)()
            except (KernelError, RecursionError):
                self.counts["refused"] += 1
                continue
            self.counts[name] += 1
            if false_in_some_model(made, self.rng):
                said = [LANGUAGE.write(one) for one in (*made.hypotheses, made.conclusion)]
                return [f"{name}: {', '.join(said[:-1])} |- {said[-1]}"]
            if sum(map(size, (*made.hypotheses, made.conclusion))) < 60:
                self.pool.append(made)
            if len(self.pool) > 400:
                del self.pool[len(SCHEMAS) : len(SCHEMAS) + 100]
        return []


def size(one):
    return 1 + sum(map(size, one.parts))


def false_in_some_model(made, rng):
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


def _too_long(*_):
    raise TimeoutError


if __name__ == "__main__":
    total, first = [*map(int, sys.argv[1:]), *(1000, 0)[len(sys.argv) - 1 :]]
    for seed in range(first, first + total, 1000):
        fuzzer = Fuzzer(seed)
        wrong = fuzzer.run(1000)
        print(seed, dict(fuzzer.counts), flush=True)
        for sentence in wrong:
            print("FALSE:", sentence)
