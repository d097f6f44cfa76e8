"""Statements about all values of their parameters: z3 for inequalities, sympy for identities.

`for_all` asks z3 for a counterexample of *given |- then*; `unsat` is the proof. `induction` asks twice, for
the first value and for the next one. `identity` has sympy simplify the difference of two sides to 0. All
return a `Step`, which holds the formulas that the tool saw.

What z3 does not know, it knows less about: a root is a number >= 0 whose square is the radicand, a rounded
number an integer next to it, and a logarithm or a power with an unknown exponent just some number, the same
one wherever its arguments are written alike. What holds for all such numbers holds for the true ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from proofs_check.steps import Given, Step, formula, givens
from proofs_check.ways.z3_question import TRIES, Z3_STEPS, Question, is_integer
from tallyplan.formula import Formula


def for_all(
    variables: str,
    *,
    then: Formula | str,
    given: Sequence[Given | str] = (),
    words: str = "",
) -> Step:
    """Is `then` true for all values of the variables that satisfy `given`?

    Hypotheses that contradict each other are refused: everything would follow from them.

    Parameters
    ----------
    variables : "x y real; K m integer; a(integer) integer"; names that are not declared are real.
    then, given : comparisons in the language of `Formula`.
    words : the step for people, beside the formulas.

    >>> print(for_all("x y real", given=["x > 0", "y > 0"], then="(x + y)**2 >= 4 * x * y"))
    x > 0, y > 0 |- (x + y)**2 >= 4 * x * y: yes, by z3 (the negation is unsatisfiable)
    >>> for_all("x real", then="x * x >= x").holds
    False
    >>> print(for_all("x real", given=["x > 1", "x < 1"], then="x == 7"))
    x > 1, x < 1 |- x == 7: no, by z3 (what is given contradicts itself)
    """
    known, goal = givens(given), formula(then)
    by, holds = _answer(variables, tuple(str(one) for one in known), str(goal))
    return Step(words, by, holds, goal, known, variables)


@cache
def _answer(variables: str, given: tuple[str, ...], then: str) -> tuple[str, bool | None]:
    question = Question(variables, given, then)
    answer = question.answer()
    if answer is False:
        return f"z3 (fails at {question.printed_counterexample()})", False
    if answer is None:
        return f"z3 (no answer in {TRIES} tries of {Z3_STEPS} steps)", None
    met = question.met()
    if met is False:
        return "z3 (what is given contradicts itself)", False
    unmet = "" if met else "; that all given can hold at once, it could not tell"
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
    if not all(is_integer(variables, str(one)) for one in (on, start)):
        raise ValueError(f"induction needs integers; {on} and {start} must be declared as such.")
    since = Formula(f"{on} >= {start}")
    before = [] if upto is None else [Formula(f"{on} < {upto}")]
    ends = [] if upto is None else [Formula(f"{on} <= {upto}")]
    first = for_all(
        variables,
        given=[*(_at(one, on, start) for one in known), *(Formula(f"{start} <= {upto}") for _ in ends)],
        then=goal.where(**{on: str(start)}),
        words=f"{on} = {start}",
    )
    following = for_all(
        variables,
        given=[*known, since, *before, goal],
        then=goal.where(**{on: f"{on} + 1"}),
        words=f"from {on} to {on} + 1",
    )
    parts = (first, following)
    answers = [part.holds for part in parts]
    holds = True if all(answers) else False if False in answers else None
    by = f"induction on {on}, z3 twice"
    if not holds:
        by += ": " + "; ".join(f"{part.words}: {part.by}" for part in parts if not part.holds)
    return Step(words, by, holds, goal, (*known, since, *ends), variables, parts)


def _at(one: Given, on: str, value: Formula | str | int) -> Given:
    """The fact at one value of the variable; a hypothesis does not hold it."""
    if isinstance(one, Formula) or on not in one.formula.names:
        return one
    return replace(one, formula=one.formula.where(**{on: str(value)}))


def counterexample(
    variables: str, *, then: Formula | str, given: Sequence[Formula | str] = ()
) -> dict[str, Fraction] | None:
    """Rational values that satisfy `given` and violate `then`, evaluated once more without z3; or None.

    >>> counterexample("x real", given=["x > 0"], then="x * x >= x") is None
    False
    """
    conditions, goal = [formula(one) for one in given], formula(then)
    question = Question(variables, [str(one) for one in conditions], str(goal))
    if question.answer() is not False:
        return None
    found = question.counterexample()
    values = {name: value for name, value in found.items() if value is not None}
    if len(values) < len(found):
        return None
    right = all(condition.holds(**values) for condition in conditions) and not goal.holds(**values)
    return values if right else None


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
