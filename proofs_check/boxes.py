"""The finite boxes that claims are checked on, words for them, and the first case that fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from proofs_check.balls import by_sympy, decide
from proofs_check.outcome import Violation
from proofs_check.witness import Witness
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

Case = Mapping[str, Any]  # values by name; others may stand beside them, for the reader


def members(box: Mapping[str, Sequence[Any]] | Iterable[Case]) -> Iterable[Case]:
    """Every case of a box; cases are a box, too.

    >>> list(members({"K": [1, 2], "m": [3]}))
    [{'K': 1, 'm': 3}, {'K': 2, 'm': 3}]
    """
    if not isinstance(box, Mapping):
        return box
    return (dict(zip(box, chosen, strict=True)) for chosen in product(*box.values()))


def violated(
    stated: Formula, domain: Sequence[Formula], cases: Iterable[Case]
) -> tuple[Violation | None, int]:
    """The first case in the domain at which the statement fails, and how many cases the domain allows.

    Irrational sides are compared in balls; sympy, which shares nothing with them, works it out again.
    """
    inside = 0
    for case in cases:
        if all(_holds(one, case) for one in domain):
            inside += 1
            if not _holds(stated, case):
                return Violation(Witness(case), by_sympy(stated, **case) is False), inside
    return None, inside


def _holds(formula: Formula, case: Case) -> bool:
    """Whether it holds; a case that the balls leave open is an error, since the box would not be checked."""
    values = {name: case[name] for name in formula.names}
    try:
        return formula.holds(**values)
    except InvalidInput:
        found = decide(formula, **values)
    if found is None:
        at = ", ".join(f"{name} = {value}" for name, value in values.items())
        raise InvalidInput(f"whether {formula} holds could not be decided at {at}.")
    return found


def random_table(rng: Random, actions: int, memory: int, denominator: int) -> TallyingBandit:
    """A table of multiples of 1/denominator, uniform."""
    return TallyingBandit(
        [[Fraction(rng.randint(0, denominator), denominator) for _ in range(memory)] for _ in range(actions)]
    )


def needle(actions: int, memory: int, best: int = 0, threshold: int | None = None) -> TallyingBandit:
    """Proposition 1 with x* = `best`: h_{x*}(y) = 0 for y = m, or from the threshold on, all others are 1."""
    low = [int(y < (threshold or memory)) for y in range(1, memory + 1)]
    return TallyingBandit([low if x == best else [1] * memory for x in range(actions)])


def span(values: range) -> str:
    """A range of integers in words.

    >>> span(range(1, 4)), span(range(2, 3))
    ('1..3', '2')
    """
    return f"{values[0]}..{values[-1]}" if len(values) > 1 else str(values[0])


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """The parts, with a word before the last.

    >>> listed(["1", "2", "4"], "or")
    '1, 2 or 4'
    """
    return f" {joint} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
