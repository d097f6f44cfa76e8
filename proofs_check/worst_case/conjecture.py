"""Bounds on a constant, known ones and one's own: is A(h) - B(h) <= bound for every table h, or refuted?

A bound is a formula in K, m, T and L. At one size it holds if the supremum is proved to be at most its
value, and it is refuted if a table exceeds it. A closed form must be the value itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from proofs_check import balls
from proofs_check.worst_case.where import with_fractions
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.model.rationals import plain

if TYPE_CHECKING:
    from proofs_check.worst_case.claims import BestConstant, Question

Status = Literal["holds", "refuted", "undecided"]


@dataclass(frozen=True)
class Bound:
    """A bound on a constant; `source` says where one that is known comes from.

    >>> from proofs_check.worst_case import constant, question
    >>> answer = constant(question("gap:constant:optimal", 2, 2, horizon=4))  # its supremum is 3
    >>> conjectured("T - 1").status(answer), conjectured("T * sqrt(m) / 2").status(answer)
    ('holds', 'refuted')
    """

    formula: Formula
    kind: Literal["closed form", "proved bound", "conjecture"]
    source: str = ""

    def status(self, found: BestConstant) -> Status:
        """Whether the bound holds at the size of this constant.

        It is undecided if it lies in the interval of a search that was stopped, or where 4096 bits of a root
        or a logarithm do not tell it from the constant.
        """
        attained, proved = (self._excess(found.asked, number) for number in (found.value, found.bound))
        if self.kind == "closed form":
            return "undecided" if not found.exact else "holds" if attained == 0 else "refuted"
        if attained is not None and attained > 0:
            return "refuted"
        return "holds" if proved is not None and proved <= 0 else "undecided"

    def value(self, asked: Question, write: Callable[[Fraction], str] = plain) -> str:
        """The bound at a size: exactly where it is rational, otherwise as an Arb ball."""
        exact = self._exact(asked)
        return str(self.formula.ball(**self._sizes(asked)).str(10)) if exact is None else write(exact)

    def judged(self, found: BestConstant) -> str:
        """Formula, value and status, for people; what is not as it should be stands out."""
        status = self.status(found)
        told = status if status == "holds" else status.upper()
        return f"{self.formula} = {self.value(found.asked)}: {told}"

    def _excess(self, asked: Question, number: Fraction) -> int | None:
        """The sign of number - bound; None if the balls do not decide."""
        exact = self._exact(asked)
        if exact is not None:
            return (number > exact) - (number < exact)
        return balls.sign(Formula(f"number - ({self.formula})"), number=number, **self._sizes(asked))

    def _exact(self, asked: Question) -> Fraction | None:
        """The bound, if its parts are rational."""
        sizes = self._sizes(asked)
        try:
            return self.formula(**sizes)
        except InvalidInput:
            if self.formula.ball(**sizes).is_finite():  # it has a value, but no rational one
                return None
        except ZeroDivisionError:
            pass
        at = ", ".join(f"{name} = {size}" for name, size in sizes.items())
        raise InvalidInput(f"the bound {self.formula} has no value{at and ' at '}{at}.")

    def _sizes(self, asked: Question) -> dict[str, int]:
        sizes, names = asked.symbols, self.formula.names
        if "L" in names and "L" not in sizes:
            raise InvalidInput(f"the bound {self.formula} uses L, but {asked.claim} has no period.")
        return {name: size for name, size in sizes.items() if name in names}


def conjectured(given: str) -> Bound:
    """Read a bound of one's own.

    Raises
    ------
    InvalidInput : it is no formula, or uses other names than K, m, T and L.
    """
    formula = Formula(with_fractions(given))
    unknown = [name for name in (*formula.names, *formula.functions) if name not in ("K", "m", "T", "L")]
    if unknown:
        raise InvalidInput(f"the bound {given!r} uses {unknown[0]!r}; it may use K, m, T and L.")
    if isinstance(formula.tree, ast.Compare | ast.BoolOp):
        raise InvalidInput(f"the bound {given!r} is a comparison; give the right-hand side alone.")
    return Bound(formula, "conjecture")
