"""Small random cases: numbers, plays and tables, at which statements are evaluated."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from proofs_check.kernel.rules import free
from proofs_check.kernel.terms import INTEGER, Free, Function, Term
from proofs_check.theory.evaluate import NoValue, Value, value

SIZES = {"K": (1, 3), "m": (1, 3), "T": (0, 3), "L": (1, 2)}
KEPT = (0.0, 0.5, 0.8)  # the share of values that stay as they are in a case that is varied


def small_model(free: Iterable[Free], rng: random.Random) -> dict[Free, Value]:
    """Values for these: mostly of the sizes that their names suggest, sometimes any."""
    return {one: _function(one, rng) if isinstance(one, Function) else _number(one, rng) for one in free}


def _number(one: Free, rng: random.Random) -> Value:
    low, high = SIZES.get(one.name, (0, 4)) if rng.random() < 0.8 else (-2, 3)
    whole = rng.randint(low, high)
    if one.sort == INTEGER:
        return whole
    return rng.choice([Fraction(whole), Fraction(whole, rng.choice([2, 3, 4])), Fraction(whole**2, 4)])


def _function(one: Function, rng: random.Random) -> Value:
    """A function with a few values, the same for the same arguments."""
    seed = rng.random()
    period = rng.choice([1, 2, 3, 100])
    values = [1, 2, rng.choice([1, 2, 3])] if rng.random() < 0.8 else [-1, 0, 1, 2, 4]
    reals = [Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3)]

    def at(*places: int) -> Value:
        key = tuple((place - 1) % period for place in places) if one.arity == 1 else places
        chosen = random.Random(f"{seed} {key}")
        return chosen.choice(values) if one.sort == INTEGER else chosen.choice(reals)

    return at


def verdict(hypotheses: Iterable[Term], conclusion: Term, model: dict[Free, Value]) -> bool | None:
    """Whether the conclusion holds in the model; None if a hypothesis does not, or it is out of reach."""
    try:
        if not all(value(one, model) for one in hypotheses):
            return None
        return bool(value(conclusion, model))
    except NoValue:
        return None


def contradiction(
    hypotheses: Sequence[Term], conclusion: Term, near: Mapping[Free, Value], tries: int
) -> dict[Free, Value] | None:
    """A case that satisfies the hypotheses and not the conclusion: the given one, or one near it.

    Some of the values of a random case are those of the given one.
    """
    rng = random.Random(0)
    names = sorted(free([*hypotheses, conclusion]), key=lambda one: one.name)
    for number in range(tries):
        small = small_model(names, rng)
        kept = 1 if number == 0 else rng.choice(KEPT)
        case = {one: near[one] if one in near and rng.random() < kept else small[one] for one in names}
        if verdict(hypotheses, conclusion, case) is False:
            return case
    return None
