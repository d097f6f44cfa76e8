"""The theory: symbols of tallying bandits, and the schemas that say what they are.

Actions are 1..K; a play is a function of t = 1, 2, ..., a table h(x, y) the loss of action x at tally y.
Every schema holds for all integers, all plays and all tables, and is evaluated on thousands of them by
`tests/proofs_check/kernel/test_theory.py`. A claim cannot add to them; what it needs beyond them, it states.
"""

from __future__ import annotations

from collections.abc import Iterable

from proofs_check.kernel.terms import INTEGER, REAL, Function, Symbol, Term
from proofs_check.theory.language import USUAL, Language, declared


def _symbol(name: str, parameters: str, sort: str = REAL, variables: str = "") -> Symbol:
    names = {**USUAL, **declared(variables)}
    found = [names[one] for one in parameters.split()]
    return Symbol(name, tuple(sorted(found, key=lambda one: isinstance(one, Function), reverse=True)), sort)


SYMBOLS = (
    _symbol("count", "a x t", INTEGER),
    _symbol("loss", "a h m t"),
    _symbol("total", "a h m t"),
    _symbol("OPT", "h K m T"),
    _symbol("best", "h K m T t", INTEGER),
    _symbol("mu", "h K m L"),
    _symbol("cycle", "h K m L t", INTEGER),
    _symbol("sum", "f i n"),
    _symbol("least", "f i n", INTEGER),
    _symbol("sqrt", "r", variables="r real"),
    _symbol("log", "r", variables="r real"),
    _symbol("floor", "r", INTEGER, variables="r real"),
    _symbol("quotient", "n p", INTEGER),
)
WORDS = {
    "count": "count(a, x, t), how often the play a has played x in its first t steps",
    "loss": "loss(a, t), the loss of step t",
    "total": "total(a, t), the loss of the first t steps of the play a",
    "OPT": "OPT(T), the least loss of T steps",
    "best": "best(T), a play that attains OPT(T)",
    "mu": "mu(L), the least loss per step, in its second period, of a play that repeats L actions; for "
    "`L >= m - 1` this is its mean",
    "cycle": "cycle(L), a play that attains mu(L)",
    "sum": "a finite sum",
    "least": "least(f, i, n), a place in i..n at which f is least",
    "power": "power(r, n), the product of n factors r",
    "sqrt": "the square root",
    "log": "the natural logarithm",
    "floor": "the next integer below",
    "quotient": "quotient(n, p), n / p rounded down",
    "h": "h(x, y), the loss of action x at tally y",
}
LANGUAGE = Language.of(SYMBOLS, "r u real")
POWER = LANGUAGE.define("power(r, n)", "r * before", base="1")
LANGUAGE = LANGUAGE.having(POWER)

TEXTS: dict[str, tuple[list[str], str]] = {  # the hypotheses and the conclusion of each schema
    "count at 0": ([], "implies(t <= 0, count(a, x, t) == 0)"),
    "count": ([], "implies(t >= 1, count(a, x, t) == count(a, x, t - 1) + (1 if a(t) == x else 0))"),
    "loss": ([], "loss(a, t) == h(a(t), count(a, a(t), t) - count(a, a(t), t - m))"),
    "total at 0": ([], "implies(t <= 0, total(a, t) == 0)"),
    "total": ([], "implies(t >= 1, total(a, t) == total(a, t - 1) + loss(a, t))"),
    "OPT is least": (["m >= 1", "plays(a, T)"], "OPT(T) <= total(a, T)"),
    "OPT is attained": ([], "implies(K >= 1, OPT(T) == total(best(T), T))"),
    "the best play": ([], "implies(K >= 1, 1 <= best(T, t) <= K)"),
    "mu is least": (
        ["m >= 1", "L >= 1", "plays(a, L)", "all(a(t + L) == a(t) for t in between(1, L))"],
        "L * mu(L) <= total(a, 2 * L) - total(a, L)",
    ),
    "mu is attained": (
        [],
        "implies(K >= 1 and L >= 1, L * mu(L) == total(cycle(L), 2 * L) - total(cycle(L), L))",
    ),
    "the best cycle": ([], "implies(K >= 1, 1 <= cycle(L, t) <= K)"),
    "the best cycle repeats": ([], "cycle(L, t + L) == cycle(L, t)"),
    "sum of none": ([], "implies(n < i, sum(f(s) for s in between(i, n)) == 0)"),
    "sum": (
        [],
        "implies(n >= i, sum(f(s) for s in between(i, n)) == sum(f(s) for s in between(i, n - 1)) + f(n))",
    ),
    "least is there": ([], "implies(i <= n, i <= least(f, i, n) <= n)"),
    "least is below": ([], "implies(i <= j and j <= n, f(least(f, i, n)) <= f(j))"),
    "sqrt": ([], "implies(r >= 0, sqrt(r) >= 0 and sqrt(r) * sqrt(r) == r)"),
    "log of 1": ([], "log(1) == 0"),
    "log of 2": ([], "69314718 / 100000000 < log(2) and log(2) < 69314719 / 100000000"),
    "log of products": ([], "implies(r > 0 and u > 0, log(r * u) == log(r) + log(u))"),
    "log is concave": ([], "implies(r > 0, log(r) <= r - 1)"),
    "log increases": ([], "implies(0 < r and r < u, log(r) < log(u))"),
    "floor": ([], "floor(r) <= r and r < floor(r) + 1"),
    "quotient": ([], "implies(p >= 1, p * quotient(n, p) <= n and n < p * quotient(n, p) + p)"),
}


def read(
    hypotheses: Iterable[str], conclusion: str, language: Language = LANGUAGE
) -> tuple[list[Term], Term]:
    """The sequent that is written here."""
    return [language.read(one) for one in hypotheses], language.read(conclusion)


SCHEMAS = {name: read(*texts) for name, texts in TEXTS.items()}
