"""A bound of one's own: is A(h) - B(h) <= bound for every table h, or which table refutes it?

The bound is a formula in K, m, T and L. At one size it holds if the supremum is proved to be at most its
value, and it is refuted if a table exceeds it. An infimum such as `lemma-3/lower-end` is bounded from below.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from proofs_check import balls
from proofs_check.worst_case.claims import BestConstant, Question, class_names
from proofs_check.worst_case.greedy import worst_play
from proofs_check.worst_case.policies import Constant, Greedy, PolicyClass
from proofs_check.worst_case.where import with_fractions
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import plain, text
from tallyplan.model.words import Runs, written

Status = Literal["holds", "refuted", "undecided"]

SIZES = ("K", "m", "T", "L")


@dataclass(frozen=True)
class Conjecture:
    """A bound on a constant.

    >>> from proofs_check.worst_case import constant, question
    >>> answer = constant(question("gap:constant:optimal", 2, 2, horizon=4))  # its supremum is 3
    >>> Conjecture.read("T - 1").status(answer), Conjecture.read("T * sqrt(m) / 2").status(answer)
    ('holds', 'refuted')
    """

    formula: Formula

    @staticmethod
    def read(given: str) -> Conjecture:
        """Read a bound.

        Raises
        ------
        InvalidInput : it is no formula, or uses other names than K, m, T and L.
        """
        formula = Formula(with_fractions(given))
        unknown = [name for name in (*formula.names, *formula.functions) if name not in SIZES]
        if unknown:
            raise InvalidInput(f"the bound {given!r} uses {unknown[0]!r}; it may use K, m, T and L.")
        if isinstance(formula.tree, ast.Compare | ast.BoolOp):
            raise InvalidInput(f"the bound {given!r} is a comparison; give the right-hand side alone.")
        return Conjecture(formula)

    def status(self, found: BestConstant) -> Status:
        """Whether the bound holds at the size of this constant.

        It is undecided if it lies in the interval of a search that was stopped, or where 4096 bits of a root
        or a logarithm do not tell it from the constant.
        """
        sign = found.asked.sign
        attained, proved = (self._excess(found.asked, number) for number in (found.value, found.bound))
        if attained is not None and attained * sign > 0:
            return "refuted"
        return "holds" if proved is not None and proved * sign <= 0 else "undecided"

    def value(self, asked: Question, write: Callable[[Fraction], str] = plain) -> str:
        """The bound at a size: exactly where it is rational, otherwise as an Arb ball."""
        exact = self._exact(asked)
        return str(self.formula.ball(**self._sizes(asked)).str(10)) if exact is None else write(exact)

    def to_json(self, found: BestConstant) -> dict[str, Any]:
        """Formula, value and status, and the two plays if it is refuted."""
        status = self.status(found)
        about = {"formula": str(self.formula), "value": self.value(found.asked, text), "status": status}
        return about | ({"plays": dict(plays(found))} if status == "refuted" else {})

    def _excess(self, asked: Question, number: Fraction) -> int | None:
        """The sign of number - bound; None if the balls do not decide."""
        exact = self._exact(asked)
        if exact is not None:
            return (number > exact) - (number < exact)
        return balls.sign(Formula(f"number - ({self.formula})"), number=number, **self._sizes(asked))

    def _exact(self, asked: Question) -> Fraction | None:
        """The bound, if its parts are rational."""
        try:
            return self.formula(**self._sizes(asked))
        except InvalidInput:
            if self.formula.ball(**self._sizes(asked)).is_finite():  # it has a value, but no rational one
                return None
        except ZeroDivisionError:
            pass
        at = ", ".join(f"{name} = {size}" for name, size in self._sizes(asked).items())
        raise InvalidInput(f"the bound {self.formula} has no value{at and ' at '}{at}.")

    def _sizes(self, asked: Question) -> dict[str, int]:
        sizes = {"K": asked.actions, "m": asked.memory, "T": asked.horizon, "L": asked.period}
        if sizes["L"] is None and "L" in self.formula.names:
            raise InvalidInput(f"the bound {self.formula} uses L, but {asked.claim} has no period.")
        return {name: size for name, size in sizes.items() if size is not None and name in self.formula.names}


def plays(found: BestConstant) -> list[tuple[str, str]]:
    """What the two classes play at the table that attains the constant, as words that can be read back."""
    bandit = TallyingBandit(found.losses)

    def play(one: PolicyClass | Greedy) -> Runs:
        if isinstance(one, Greedy):
            return [(worst_play(bandit, one.horizon), 1)]
        best = one.best(bandit)
        if isinstance(one, Constant):
            return [(best[0][0], one.horizon)]
        return [(tuple(one.explored), 1), *best] if one.explored else best

    both = zip(class_names(found.asked.claim), found.asked.classes(), strict=True)
    return [(name, written(play(one), bandit.actions)) for name, one in both]
