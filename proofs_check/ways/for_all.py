"""Statements about all values of their parameters: z3 for inequalities, sympy for identities.

`for_all` asks z3 for a counterexample of *given |- then*; `unsat` is the proof. `induction` asks twice, for
the first value and for the next one. `identity` has sympy simplify the difference of two sides to 0. All
return a `Step`, which holds the formulas that the tool saw.

What z3 does not know, it knows less about: a root is a number >= 0 whose square is the radicand, a rounded
number an integer next to it, and a logarithm or a power with an unknown exponent just some number, the same
one wherever its arguments are written alike. What holds for all such numbers holds for the true ones.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import Any

from proofs_check.steps import Given, Step, formula, givens
from tallyplan.formula import Formula, Reading

SECONDS = 60  # far more than any step needs on an idle machine
_ANSWERS: dict[tuple[str, tuple[str, ...], str, int], tuple[str, bool]] = {}
SECONDS_TO_MEET = 2  # for values that satisfy what is given


def for_all(
    variables: str,
    *,
    then: Formula | str,
    given: Sequence[Given | str] = (),
    seconds: int = SECONDS,
    words: str = "",
) -> Step:
    """Is `then` true for all values of the variables that satisfy `given`?

    Hypotheses that contradict each other are refused: everything would follow from them.

    Parameters
    ----------
    variables : "x y real; K m integer; a(integer) integer"; names that are not declared are real.
    then, given : comparisons in the language of `Formula`.
    seconds : z3's time limit; when it is reached the step is undecided.
    words : the step for people, beside the formulas.

    >>> print(for_all("x y real", given=["x > 0", "y > 0"], then="(x + y)**2 >= 4 * x * y"))
    x > 0, y > 0 |- (x + y)**2 >= 4 * x * y: yes, by z3 (the negation is unsatisfiable)
    >>> for_all("x real", then="x * x >= x").holds
    False
    >>> print(for_all("x real", given=["x > 1", "x < 1"], then="x == 7"))
    x > 1, x < 1 |- x == 7: no, by z3 (what is given contradicts itself)
    """
    known, goal = givens(given), formula(then)
    texts = tuple(str(one) for one in known)
    asked = (variables, texts, str(goal), seconds)
    by, holds = _ANSWERS.get(asked) or _answer(*asked)
    if holds is not None:  # no answer in time is no answer for good
        _ANSWERS[asked] = by, holds
    return Step(words, by, holds, goal, known, variables)


def _answer(variables: str, given: tuple[str, ...], then: str, seconds: int) -> tuple[str, bool | None]:
    import z3

    reading = _Z3(variables, [*map(Formula, given), Formula(then)])
    hypotheses = [reading.read(one) for one in given]
    goal = reading.read(then)
    solver = z3.Solver()
    solver.add(*hypotheses, *reading.known)
    solver.push()
    solver.set("timeout", seconds * 1000)
    solver.add(z3.Not(goal))
    answer = solver.check()
    if answer == z3.sat:
        return f"z3 (fails at {_model(solver.model(), reading.symbols)})", False
    if answer != z3.unsat:
        return f"z3 (no answer in {seconds} s)", None
    solver.pop()
    solver.set("timeout", SECONDS_TO_MEET * 1000)
    met = solver.check() if given else z3.sat
    if met == z3.unsat:
        return "z3 (what is given contradicts itself)", False
    unmet = "" if met == z3.sat else "; that all given can hold at once, it could not tell"
    return f"z3 (the negation is unsatisfiable{unmet})", True


def induction(
    variables: str,
    *,
    on: str,
    start: Formula | str | int,
    then: Formula | str,
    upto: Formula | str | None = None,
    given: Sequence[Given | str] = (),
    words: str = "",
    seconds: int = SECONDS,
) -> Step:
    """Is `then` true for every integer `on` from `start` on (and not beyond `upto`)? By induction.

    What is given must hold for all values of `on`: facts, or hypotheses in which it does not occur.

    >>> from proofs_check.steps import Fact
    >>> sums = induction("n S(integer) integer", on="n", start=0, then="2 * S(n) == n * (n + 1)",
    ...     given=[Fact(Formula("S(0) == 0"), "definition"),
    ...            Fact(Formula("implies(n >= 0, S(n + 1) == S(n) + n + 1)"), "definition")])
    >>> print(sums.holds, sums.hypotheses[0])
    True n >= 0
    >>> [part.holds for part in sums.parts]
    [True, True]
    """
    known, goal = givens(given), formula(then)
    loose = [one for one in known if isinstance(one, Formula) and on in one.names]
    if loose:
        raise ValueError(f"{loose[0]} is given for one {on}, and needed for all.")
    if not all(_is_integer(variables, one) for one in (on, start)):
        raise ValueError(f"induction needs integers; {on} and {start} must be declared as such.")
    since = Formula(f"{on} >= {start}")
    before = [] if upto is None else [Formula(f"{on} < {upto}")]
    ends = [] if upto is None else [Formula(f"{on} <= {upto}")]
    first = for_all(
        variables,
        given=[*(_at(one, on, start) for one in known), *(Formula(f"{start} <= {upto}") for _ in ends)],
        then=goal.where(**{on: str(start)}),
        seconds=seconds,
        words=f"{on} = {start}",
    )
    following = for_all(
        variables,
        given=[*known, since, *before, goal],
        then=goal.where(**{on: f"{on} + 1"}),
        seconds=seconds,
        words=f"from {on} to {on} + 1",
    )
    parts = (first, following)
    answers = [part.holds for part in parts]
    holds = True if all(answers) else False if False in answers else None
    by = f"induction on {on}, z3 twice"
    if not holds:
        by += ": " + "; ".join(f"{part.words}: {part.by}" for part in parts if not part.holds)
    return Step(words, by, holds, goal, (*known, since, *ends), variables, parts)


def _is_integer(variables: str, one: Formula | str | int) -> bool:
    import z3

    return bool(z3.is_int(_Z3(variables, [Formula(str(one))]).read(str(one))))


def _at(one: Given, on: str, value: Formula | str | int) -> Given:
    """The fact at one value of the variable; a hypothesis does not hold it."""
    if isinstance(one, Formula) or on not in one.formula.names:
        return one
    return replace(one, formula=one.formula.where(**{on: str(value)}))


def counterexample(
    variables: str, *, then: Formula | str, given: Sequence[Formula | str] = (), seconds: int = SECONDS
) -> dict[str, Fraction] | None:
    """Rational values that satisfy `given` and violate `then`, evaluated once more without z3; or None.

    >>> counterexample("x real", given=["x > 0"], then="x * x >= x") is None
    False
    """
    import z3

    conditions, goal = [formula(one) for one in given], formula(then)
    reading = _Z3(variables, [*conditions, goal])
    solver = z3.Solver()
    solver.set("timeout", seconds * 1000)
    solver.add(*(reading.read(str(one)) for one in conditions), z3.Not(reading.read(str(goal))))
    solver.add(*reading.known)
    if solver.check() != z3.sat:
        return None
    values = {name: _fraction(solver.model(), symbol) for name, symbol in reading.symbols.items()}
    if any(value is None for value in values.values()):
        return None
    exact = {name: value for name, value in values.items() if value is not None}
    right = all(condition.holds(**exact) for condition in conditions) and not goal.holds(**exact)
    return exact if right else None


def identity(
    left: Formula | str,
    right: Formula | str,
    *,
    given: Sequence[Given | str] = (),
    words: str = "",
    integers: str = "",
) -> Step:
    """Are the two sides the same expression? For positive values; those in `integers` are integers.

    With `given`, z3 must show from it that all values are positive; otherwise that is what is given.

    >>> print(identity("(x + 1)**2", "x**2 + 2*x + 1"))
    x > 0 |- (x + 1)**2 == x**2 + 2*x + 1: yes, by sympy (the difference simplifies to 0)
    >>> identity("(x + 1)**2", "x**2 + 1").holds
    False
    """
    import sympy

    whole = [sympy.Symbol(name, positive=True, integer=True) for name in integers.split()]
    difference = Formula(f"({left}) - ({right})")
    symbols = {symbol.name: symbol for symbol in whole if symbol.name in difference.names}
    found = equal_zero(difference.sympy(**symbols), words)
    positive = [Formula(f"{name} > 0") for name in difference.names]
    known = givens(given) or tuple(positive)
    declared = f"{integers} integer" if integers else ""
    shown = [for_all(declared, given=known, then=one) for one in positive] if given else []
    if not all(step.holds for step in shown):
        return Step(
            words, "sympy (only for positive values)", None, found.then, known, declared, tuple(shown)
        )
    return Step(words, found.by, found.holds, Formula(f"{left} == {right}"), known, declared, tuple(shown))


def equal_zero(difference: Any, words: str = "") -> Step:
    """Does a sympy expression simplify to 0? For sums and limits that `Formula` cannot write."""
    import sympy

    goal = Formula(f"{difference} == 0")
    rest = sympy.simplify(sympy.expand(difference))
    if rest == 0:
        return Step(words, "sympy (the difference simplifies to 0)", True, goal)
    numbers = rest.is_number and rest.is_zero is False
    known = numbers or (rest.is_polynomial() and sympy.expand(rest) != 0)
    return Step(words, f"sympy (the difference is {rest})", False if known else None, goal)


class _Z3:
    """How z3 reads formulas; `known` is what it is told about roots and rounded numbers."""

    def __init__(self, variables: str, formulas: Sequence[Formula]) -> None:
        import z3

        self.symbols, self.functions = _declared(variables)
        for name in (name for one in formulas for name in one.names):
            self.symbols.setdefault(name, z3.Real(name))
        self.known: list[Any] = []
        self._reading = Reading(
            z3.IntVal,
            self._power,
            {
                "min": lambda *values: reduce(lambda one, two: z3.If(one < two, one, two), values),
                "max": lambda *values: reduce(lambda one, two: z3.If(one > two, one, two), values),
                "abs": lambda value: z3.If(value < 0, -value, value),
                "and": z3.And,
                "or": z3.Or,
                "not": z3.Not,
                "implies": z3.Implies,
                "if": z3.If,
                "integer": lambda value: z3.BoolVal(True) if z3.is_int(value) else z3.IsInt(value),
                "sqrt": self._root,
                "floor": lambda value: self._rounded(
                    "floor", value, lambda n: z3.And(n <= value, value < n + 1)
                ),
                "ceil": lambda value: self._rounded(
                    "ceil", value, lambda n: z3.And(n - 1 < value, value <= n)
                ),
                **{name: self._some(name) for name in ("log", "log2", "exp")},
            },
            lambda one, two: _real(one) / _real(two),
        )

    def read(self, text: str) -> Any:
        """The formula for z3."""
        return Formula(text).read(self._reading, {**self.symbols, **self.functions})

    def _power(self, base: Any, exponent: Any) -> Any:
        """Products, which z3 decides; its own powers it does not."""
        import z3

        known = z3.simplify(_real(exponent))
        if z3.is_rational_value(known) and known.denominator_as_long() == 1 and known.as_fraction() >= 0:
            return reduce(operator.mul, [base] * known.numerator_as_long(), z3.IntVal(1))
        power = z3.Real(f"({_key(base)})**({_key(exponent)})")
        self.known.append(z3.Implies(base > 0, power > 0))
        return power

    def _root(self, value: Any) -> Any:
        import z3

        root = z3.Real(f"sqrt({_key(value)})")
        self.known.append(z3.Implies(value >= 0, z3.And(root >= 0, root * root == value)))
        return root

    def _rounded(self, name: str, value: Any, is_next: Callable[[Any], Any]) -> Any:
        import z3

        whole = z3.Int(f"{name}({_key(value)})")
        self.known.append(is_next(whole))
        return whole

    def _some(self, name: str) -> Callable[[Any], Any]:
        import z3

        return lambda value: z3.Real(f"{name}({_key(value)})")


def _key(value: Any) -> str:
    """One name for each value that z3 writes alike."""
    import z3

    return str(z3.simplify(_real(value), som=True).sexpr())


def _real(value: Any) -> Any:
    import z3

    return z3.ToReal(value) if z3.is_int(value) else value


def _declared(variables: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The symbols and the functions of a declaration such as "x real; K integer; a(integer) integer"."""
    import z3

    sorts: Mapping[str, tuple[Callable[[str], Any], Any]] = {
        "real": (z3.Real, z3.RealSort()),
        "integer": (z3.Int, z3.IntSort()),
    }
    symbols, functions = {}, {}
    for group in filter(None, map(str.strip, variables.split(";"))):
        *names, kind = group.replace(", ", ",").split()
        for name in names:
            if "(" in name:
                function, arguments = name.removesuffix(")").split("(")
                inputs = [sorts[argument][1] for argument in arguments.split(",")]
                functions[function] = z3.Function(function, *inputs, sorts[kind][1])
            else:
                symbols[name] = sorts[kind][0](name)
    return symbols, functions


def _fraction(model: Any, symbol: Any) -> Fraction | None:
    value = model.eval(symbol, model_completion=True)
    text = str(value)
    return Fraction(text) if text.replace("/", "").replace("-", "").isdigit() else None


def _model(model: Any, symbols: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {model.eval(symbols[name], model_completion=True)}" for name in symbols)
