"""The named constants: which supremum a claim is about, and bounds on it, known ones and one's own.

`proposition-1-upper` is the largest regret of ALG_det, `lemma-3` the largest T mu(pi*) - OPT_T, and
`gap:CLASS:CLASS` the largest difference between the least losses of any two classes. A class may be one's
own, module:name, a function of K, m and T that lists words.

A bound is a formula in K, m, T and L. At one size it holds if the supremum is proved to be at most its value,
and it is refuted if a table exceeds it. A closed form must be the value itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import islice
from math import isqrt
from typing import Any, Literal

from proofs_check import balls
from proofs_check.bounds import LEMMA_3, LEMMA_3_SHARP, PROPOSITION_1, PROPOSITION_1_SHARP
from proofs_check.worst_case.engine import WorstCase, worst_case
from proofs_check.worst_case.policies import CLASSES, Cyclic, Listed, PolicyClass
from proofs_check.worst_case.where import with_fractions
from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.plugins import load_plugin, users_code
from tallyplan.model.rationals import plain, text
from tallyplan.model.words import written

NAMED = {"proposition-1-upper": ("alg-det", "optimal"), "lemma-3": ("cyclic", "optimal")}
ANY_CLASS = "|".join([*CLASSES, r"[\w.]+:\w+"])
MOST_WORDS = 10**5  # of one's own class
BELOW_MEMORY = Formula("min(T, m - 1)")
ZERO = Formula("0")


@dataclass(frozen=True)
class Question:
    """A claim at one size."""

    claim: str
    actions: int
    memory: int
    horizon: int
    period: int | None = None
    where: str = ""

    @property
    def symbols(self) -> dict[str, int]:
        """K, m, T and, if there is a period, L."""
        sizes = {"K": self.actions, "m": self.memory, "T": self.horizon, "L": self.period}
        return {name: size for name, size in sizes.items() if size is not None}

    @property
    def size(self) -> str:
        """The same for people."""
        return ", ".join(f"{name} = {size}" for name, size in self.symbols.items())

    def classes(self) -> tuple[PolicyClass, PolicyClass]:
        """The two sides of the supremum."""
        first, second = map(self._class, class_names(self.claim))
        return first, second

    def _class(self, name: str) -> PolicyClass:
        size = self.actions, self.memory, self.horizon
        if name not in CLASSES:
            return own_class(name, *size)
        if name != Cyclic.name:
            return CLASSES[name](*size)
        if self.period is None:
            raise InvalidInput(
                f"{self.claim} needs a period, or a horizon that is a square: the period is its root."
            )
        return Cyclic(*size, self.period)


def class_names(claim: str) -> tuple[str, str]:
    """The names of the two classes of a claim.

    >>> class_names("gap:my_module:lazy:optimal")
    ('my_module:lazy', 'optimal')
    """
    if claim in NAMED:
        return NAMED[claim]
    gap = re.fullmatch(rf"gap:({ANY_CLASS}):({ANY_CLASS})", claim)
    if gap is not None:
        return gap[1], gap[2]
    known = [*NAMED, *(f"gap:{first}:{second}" for first in CLASSES for second in CLASSES)]
    raise InvalidInput(
        f"there is no constant {claim!r}{did_you_mean(claim, known)} There are {', '.join(NAMED)} and "
        f"gap:CLASS:CLASS with {', '.join(CLASSES)} or your own, module:name."
    )


def own_class(name: str, actions: int, memory: int, horizon: int) -> Listed:
    """The words that the user's own function lists; with `repeated = True` on it, they are cyclic.

    Raises
    ------
    InvalidInput : there is no such function, or it does not list words.
    """
    with users_code(f"{name} failed"):
        listing = load_plugin(name)
        words = [tuple(word) for word in islice(listing(actions, memory, horizon), MOST_WORDS + 1)]
    if len(words) > MOST_WORDS:
        raise InvalidInput(f"{name} lists more than {MOST_WORDS} words.")
    if not all(type(action) is int for word in words for action in word):
        raise InvalidInput(f"{name} lists something else than words of actions.")
    repeated = bool(getattr(listing, "repeated", False))
    return Listed(actions, memory, horizon, tuple(dict.fromkeys(words)), repeated)


def question(
    claim: str,
    actions: int,
    memory: int,
    *,
    horizon: int | None = None,
    period: int | None = None,
    where: str = "",
) -> Question:
    """A claim at one size, over the tables that `where` describes, all of them if it is empty.

    With a cyclic class, T = L^2 if only one of horizon and period is given.

    >>> question("lemma-3", 2, 3, horizon=16).period
    4

    See Also
    --------
    proofs_check.worst_case.constant : the answer.
    """
    cyclic = Cyclic.name in class_names(claim)
    if period is not None and not cyclic:
        raise InvalidInput(f"{claim} has no cyclic policies; --period means nothing here.")
    if horizon is None:
        if period is None:
            raise InvalidInput(f"{claim} needs a horizon" + (" or a period." if cyclic else "."))
        horizon = period**2
    if cyclic and period is None and horizon > 0 and isqrt(horizon) ** 2 == horizon:
        period = isqrt(horizon)
    return Question(claim, actions, memory, horizon, period, where)


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

    def status(self, found: BestConstant) -> Literal["holds", "refuted", "undecided"]:
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


@displayable
@dataclass(frozen=True)
class BestConstant(WorstCase):
    """The best constant of a claim at one size, `asked`: the worst case, and what is known about it.

    >>> found = constant(question("gap:constant:optimal", 2, 2, horizon=4))
    >>> found.value, found.exact
    (Fraction(3, 1), True)

    See Also
    --------
    proofs_check.worst_case.constant : computes it.
    """

    asked: Question

    @property
    def expected(self) -> list[Bound]:
        """What is known about it, the strongest first; of fewer tables, only upper bounds."""
        return [one for one in _known(self.asked) if not self.asked.where or one.kind == "proved bound"]

    @property
    def attained_by(self) -> str:
        """The table for people, a row for each action."""
        return " | ".join(" ".join(map(plain, row)) for row in self.bandit.losses)

    def plays(self) -> dict[str, str]:
        """What the two classes play at that table, as words that can be read back."""
        both = zip(class_names(self.asked.claim), self.asked.classes(), strict=True)
        return {name: written(one.whole(one.best(self.bandit)), self.asked.actions) for name, one in both}

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        ends = {"value": self.value} if self.exact else {"found": self.value, "bound": self.bound}
        return card(f"{self.asked.claim}: {self.asked.size}", {**ends, "attained by": self.attained_by})

    def to_json(self) -> dict[str, Any]:
        """Everything but the certificate."""
        return {
            **asdict(self.asked),
            "value": text(self.value),
            "losses": self.losses,
            "bound": text(self.bound),
            "proof": self.effort,
            "expected": [
                {
                    "kind": known.kind,
                    "formula": str(known.formula),
                    "value": known.value(self.asked, text),
                    "source": known.source,
                    "met": {"holds": True, "refuted": False}.get(known.status(self)),
                }
                for known in self.expected
            ],
        }

    @property
    def losses(self) -> list[list[str]]:
        """The table as documents write it."""
        return [list(map(text, row)) for row in self.bandit.losses]


def constant(
    asked: Question, *, time_limit: float | None = None, progress: Progress = silent
) -> BestConstant:
    """Compute the constant at one size.

    >>> answer = constant(question("proposition-1-upper", 2, 2, horizon=5))
    >>> answer.value, [str(known.formula) for known in answer.expected if known.status(answer) == "holds"]
    (Fraction(3, 1), ['min(T - m, m * K - 1)', '(m + 1) * K'])

    See Also
    --------
    proofs_check.worst_case.question : what is asked.
    proofs_check.worst_case.BestConstant : the answer.
    """
    found = worst_case(*asked.classes(), where=asked.where, time_limit=time_limit, progress=progress)
    return BestConstant(**vars(found), asked=asked)


def _known(asked: Question) -> list[Bound]:
    K, m, L = asked.actions, asked.memory, asked.period or 0
    if asked.claim == "proposition-1-upper":
        sharp, source = (PROPOSITION_1_SHARP, "Proposition 1, sharp; K >= 2") if K > 1 else (ZERO, "K = 1")
        return [
            Bound(sharp, "closed form", source),
            Bound(PROPOSITION_1, "proved bound", "Proposition 1 as stated"),
        ]
    if asked.horizon != L**2 or L == 0:
        return []
    if asked.claim == "gap:optimal:cyclic":
        return [Bound(BELOW_MEMORY, "closed form", "pi* from the empty history; T = L^2")]
    if asked.claim != "lemma-3":
        return []
    stated = Bound(LEMMA_3, "proved bound", "Lemma 3 as stated")
    if K == 1:
        return [Bound(BELOW_MEMORY, "closed form", "K = 1"), stated]
    if m == K and (L + 1) % m == 0:
        return [Bound(LEMMA_3_SHARP, "closed form", "K = m, L = -1 mod m"), stated]
    return [Bound(LEMMA_3_SHARP, "proved bound", "Lemma 3, sharp"), stated]
