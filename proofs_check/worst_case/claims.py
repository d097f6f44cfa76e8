"""The named constants: which supremum a claim is about, and what is known about its value.

`proposition-1-upper` is the largest regret of ALG_det, `lemma-3` the largest T mu(pi*) - OPT_T,
`lemma-3/lower-end` the smallest one (minus a supremum, with the classes exchanged), and `gap:CLASS:CLASS` the
largest difference between the least losses of any two classes, or between greedy play and a class. A class
may be one's own, module:name, a function of K, m and T that lists words.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import islice
from math import isqrt
from typing import Any, Literal, NamedTuple

from proofs_check.bounds import LEMMA_3, LEMMA_3_SHARP, PROPOSITION_1, PROPOSITION_1_SHARP
from proofs_check.worst_case.engine import worst_case
from proofs_check.worst_case.greedy import worst_greedy
from proofs_check.worst_case.policies import CLASSES, Cyclic, Greedy, Listed, PolicyClass
from proofs_check.worst_case.where import where
from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.formula import Formula
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.plugins import load_plugin, translated_errors
from tallyplan.model.rationals import plain, text

Kind = Literal["closed form", "proved bound"]

NAMED = {
    "proposition-1-upper": ("alg-det", "optimal", 1),
    "lemma-3": ("cyclic", "optimal", 1),
    "lemma-3/lower-end": ("optimal", "cyclic", -1),
}
SECOND = "|".join([*CLASSES, r"[\w.]+:\w+"])  # a class, or one's own
MOST_WORDS = 10**5  # of one's own class
MOST_LISTED = 10**6  # actions of its words
SINGLE_ARM = Formula("min(T, m - 1)")
LOWER_END = Formula("-min(T, m - 1)")
ZERO = Formula("0")


class Expectation(NamedTuple):
    """What a value should be, or stay within."""

    kind: Kind
    formula: Formula
    source: str
    value: Fraction


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
    def sign(self) -> int:
        """-1 if the constant is an infimum: the supremum of the opposite difference."""
        return NAMED.get(self.claim, ("", "", 1))[2]

    @property
    def size(self) -> str:
        """K, m, T and L, for people."""
        size = f"K = {self.actions}, m = {self.memory}, T = {self.horizon}"
        return size if self.period is None else f"{size}, L = {self.period}"

    def classes(self) -> tuple[PolicyClass | Greedy, PolicyClass]:
        """The two sides of the supremum."""
        first, second = class_names(self.claim)
        against = self._class(second)
        if first == Greedy.name:
            return Greedy(self.actions, self.memory, self.horizon), against
        return self._class(first), against

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
        return NAMED[claim][:2]
    gap = re.fullmatch(rf"gap:({SECOND}|{Greedy.name}):({SECOND})", claim)
    if gap is not None:
        return gap[1], gap[2]
    known = [*NAMED, *(f"gap:{first}:{second}" for first in (*CLASSES, Greedy.name) for second in CLASSES)]
    raise InvalidInput(
        f"there is no constant {claim!r}{did_you_mean(claim, known)} There are {', '.join(NAMED)} and "
        f"gap:CLASS:CLASS with {', '.join(CLASSES)} or your own, module:name; the first may also be greedy."
    )


def own_class(name: str, actions: int, memory: int, horizon: int) -> Listed:
    """The words that the user's own function lists; with `repeated = True` on it, they are cyclic.

    Raises
    ------
    InvalidInput : there is no such function, or it does not list words.
    """
    with translated_errors(name):
        listing = load_plugin(name)
        words = [tuple(word) for word in islice(listing(actions, memory, horizon), MOST_WORDS + 1)]
    if len(words) > MOST_WORDS or sum(map(len, words)) > MOST_LISTED:
        raise InvalidInput(f"{name} lists more than {MOST_WORDS} words, or {MOST_LISTED} actions in all.")
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
    proofs_check.worst_case.where : fewer tables.
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


@displayable
@dataclass(frozen=True)
class BestConstant:
    """The best constant at one size: its value, the table that attains it, and the proof.

    Attributes
    ----------
    asked : the claim and the size.
    value : the constant; the best found if there was a time limit.
    bound : no table does better. Equal to the value unless there was a time limit.
    losses : a table that attains the value.
    effort : what the proof consists of, counted.
    certificate : the document that `tallyplan.check` verifies; None if it was not kept.

    >>> found = constant(question("gap:constant:optimal", 2, 2, horizon=4))
    >>> found.value, found.exact
    (Fraction(3, 1), True)

    See Also
    --------
    proofs_check.worst_case.constant : computes it.
    """

    asked: Question
    value: Fraction
    bound: Fraction
    losses: list[list[str]]
    effort: dict[str, int]
    certificate: dict[str, Any] | None = field(repr=False)

    @property
    def exact(self) -> bool:
        """Whether value and bound are equal."""
        return self.value == self.bound

    @property
    def expected(self) -> tuple[Expectation, ...]:
        """What is known about it, the strongest first."""
        return expectations(self.asked)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        ends = {"value": self.value} if self.exact else {"found": self.value, "bound": self.bound}
        table = " | ".join(" ".join(plain(Fraction(loss)) for loss in row) for row in self.losses)
        return card(f"{self.asked.claim}: {self.asked.size}", {**ends, "attained by": table})

    def met(self, known: Expectation) -> bool | None:
        """Does the constant satisfy it? None if the interval does not decide."""
        if self.exact and known.kind == "closed form":
            return self.value == known.value
        if known.kind == "proved bound" and self.bound <= known.value:
            return True
        return False if known.kind == "proved bound" and self.value > known.value else None

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
                    "value": text(known.value),
                    "source": known.source,
                    "met": self.met(known),
                }
                for known in self.expected
            ],
        }


def constant(
    asked: Question, *, time_limit: float | None = None, progress: Progress = silent
) -> BestConstant:
    """Compute the constant at one size.

    >>> answer = constant(question("proposition-1-upper", 2, 2, horizon=5))
    >>> answer.value, [str(known.formula) for known in answer.expected if answer.met(known)]
    (Fraction(3, 1), ['min(T - m, m * K - 1)', '(m + 1) * K'])

    See Also
    --------
    proofs_check.worst_case.question : what is asked.
    proofs_check.worst_case.BestConstant : the answer.
    """
    first, second = asked.classes()
    if isinstance(first, Greedy):
        if asked.where:
            raise InvalidInput("greedy play is for all tables; leave out the inequalities.")
        found = worst_greedy(first, second, progress=progress)
    else:
        tables = where(asked.where, asked.actions, asked.memory)
        found = worst_case(first, second, where=tables, time_limit=time_limit, progress=progress)
    losses = [[text(loss) for loss in row] for row in found.bandit.losses]
    value, bound = asked.sign * found.value, asked.sign * found.upper
    return BestConstant(asked, value, bound, losses, found.effort, found.certificate)


def expectations(asked: Question) -> tuple[Expectation, ...]:
    """What is known about a constant: closed forms and proved bounds; of fewer tables, only upper bounds."""
    known = _known(asked)
    if asked.where:
        known = [one for one in known if one[0] == "proved bound" and asked.sign > 0]
    sizes = {"K": asked.actions, "m": asked.memory, "T": asked.horizon}
    return tuple(Expectation(*one, one[1](**sizes)) for one in known)


def _known(asked: Question) -> list[tuple[Kind, Formula, str]]:
    K, m, L = asked.actions, asked.memory, asked.period or 0
    square = asked.horizon == L**2 > 0
    if asked.claim == "proposition-1-upper":
        sharp, source = (PROPOSITION_1_SHARP, "Proposition 1, sharp; K >= 2") if K > 1 else (ZERO, "K = 1")
        return [("closed form", sharp, source), ("proved bound", PROPOSITION_1, "Proposition 1 as stated")]
    if asked.claim == "lemma-3/lower-end" and square:
        return [("closed form", LOWER_END, "pi* from the empty history; T = L^2")]
    if asked.claim != "lemma-3" or not square:
        return []
    stated: tuple[Kind, Formula, str] = "proved bound", LEMMA_3, "Lemma 3 as stated"
    if K == 1:
        return [("closed form", SINGLE_ARM, "K = 1"), stated]
    if m == K and (L + 1) % m == 0:
        return [("closed form", LEMMA_3_SHARP, "K = m, L = -1 mod m"), stated]
    return [("proved bound", LEMMA_3_SHARP, "Lemma 3, sharp"), stated]
