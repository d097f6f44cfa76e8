"""Steps of a proof that are not polynomial: a value in balls, a derivative, a limit, a closed form of a sum.

A transcendental inequality on a half-line is proved in this manner: at the left end by `in_balls`, and from
there on by the sign of the derivative, which `derivative` reduces to an expression that z3 can judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from proofs_check.claim import Evidence, Outcome, Tight, Witness, by_proof
from proofs_check.steps import SHOWN, Step, Verdict
from proofs_check.ways.balls import less
from proofs_check.ways.for_all import counterexample, equal_zero, for_all
from tallyplan.formula import Formula

Value = int | Fraction


def in_balls(left: Formula | str, right: Formula | str, *, words: str = "", **values: Value) -> Step:
    """Is left < right for these values?

    >>> print(in_balls("log(T)", "sqrt(T)", T=7))
    T == 7 |- log(T) < sqrt(T): yes, by Arb
    """
    answer = less(_as(left), _as(right), **values)
    given = tuple(Formula(f"{name} == {value}") for name, value in values.items())
    return Step(words, "Arb", answer, Formula(f"{left} < {right}"), given)


def derivative(formula: Formula | str, name: str, equals: Formula | str) -> Step:
    """Is this the derivative of the formula?

    >>> print(derivative("log(x)", "x", "1 / x"))
    |- diff(log(x), x) == 1 / x: yes, by sympy (the difference simplifies to 0)
    """
    import sympy

    symbol = sympy.Symbol(name, positive=True)
    found = equal_zero(sympy.diff(_as(formula).sympy(), symbol) - _as(equals).sympy())
    return replace(found, then=Formula(f"diff({formula}, {name}) == {equals}"))


def limit(formula: Formula | str, name: str, value: Formula | str) -> Step:
    """Does the formula tend to the value as the parameter tends to infinity?

    >>> print(limit("x / (x + 1)", "x", "1"))
    |- limit(x / (x + 1), x) == 1: yes, by sympy (the difference simplifies to 0)
    """
    import sympy

    symbol = sympy.Symbol(name, positive=True)
    found = equal_zero(sympy.limit(_as(formula).sympy(), symbol, sympy.oo) - _as(value).sympy())
    return replace(found, then=Formula(f"limit({formula}, {name}) == {value}"))


def telescopes(term: Formula | str, total: Formula | str, *, index: str, first: int) -> Sequence[Step]:
    """Is `total`, a formula in the last index, the sum of the terms from `first` on? By induction.

    >>> [step.holds for step in telescopes("2*s - 1", "s**2", index="s", first=1)]
    [True, True]
    """
    import sympy

    s = sympy.Symbol(index, positive=True, integer=True)
    term_at, total_at = _as(term).sympy(**{index: s}), _as(total).sympy(**{index: s})
    empty, growth = total_at.subs(s, first - 1), total_at - total_at.subs(s, s - 1) - term_at
    return (
        replace(
            equal_zero(empty, "the empty sum"), then=Formula(f"{_as(total).where(**{index: first - 1})} == 0")
        ),
        replace(
            equal_zero(growth, "one term more"),
            then=Formula(f"{_as(total)} == {_as(total).where(**{index: f'{index} - 1'})} + {term}"),
        ),
    )


def exactly(name: str, domain: Formula | str, comparison: str) -> list[Step]:
    """Does the comparison in one positive real parameter hold on the domain, and nowhere else?

    >>> [step.holds for step in exactly("r", "r >= 4 / 3", "r / 4 + 1 <= r")]
    [True, True]
    """
    return [
        for_all(f"{name} real", given=[str(domain), f"{name} > 0"], then=comparison),
        for_all(f"{name} real", given=[f"not ({domain})", f"{name} > 0"], then=f"not ({comparison})"),
    ]


def again(id: str, statement: str, steps: Sequence[Step]) -> Step:
    """The steps of another claim, carried out again; only words say what they are about."""
    return Step(statement, f"claim {id}", all(step.holds or step.prose for step in steps) or None)


def inequality(
    variables: str,
    *,
    given: Sequence[str],
    then: str,
    domain: str,
    more: Sequence[str | Step] = (),
    tight: Tight | None = None,
) -> Outcome:
    """The outcome of one polynomial inequality: proved by z3, or refuted by values evaluated without it."""
    step = for_all(variables, given=given, then=then)
    found = None if step.holds else counterexample(variables, given=given, then=then)
    verdict = by_proof([step]) if found is None else Verdict.REFUTED
    return Outcome(
        verdict,
        domain,
        Evidence("z3: the negation is unsatisfiable" if step.holds else "z3", 1 + len(more), (step, *more)),
        witness=None if found is None else Witness(found),
        tight=tight if step.holds else None,
    )


def proof(
    steps: Sequence[Step],
    domain: str,
    *,
    method: str,
    said: Sequence[str] = (),
    tight: Tight | None = None,
    violation: Witness | None = None,
) -> Outcome:
    """Argued if every step holds; otherwise refuted if a violation was found, else undecided."""
    verdict = by_proof(steps)
    if verdict not in SHOWN and violation is not None:
        verdict = Verdict.REFUTED
    return Outcome(
        verdict,
        domain,
        Evidence(method, len(steps), (*steps, *said)),
        witness=violation if verdict is Verdict.REFUTED else None,
        tight=tight if verdict in SHOWN else None,
    )


def first_false(
    left: Formula | str, right: Formula | str, cases: Iterable[Mapping[str, Value]]
) -> Witness | None:
    """The first case at which left > right, proved in balls; None if there is none."""
    return next((Witness(dict(case)) for case in cases if less(_as(right), _as(left), **case)), None)


def _as(formula: Formula | str) -> Formula:
    return Formula(str(formula))
