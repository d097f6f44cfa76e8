"""Theorem 1: the regret of Algorithm 1, and where the bound says something.

Stated (label thm:upper). For any tallying bandit problem and any delta in (0,1), with probability at least
1 - delta the complete policy regret of Algorithm 1 is at most
1200 Km sqrt(T) (sqrt(log(2Km log(T)/delta)) + log2(sqrt(T)/(2Km))).

Found. A regret is never negative, but the right side is, as soon as log2(2Km/sqrt(T)) exceeds the root. It
decreases in delta, so at each (T, Km) its sign at delta = 1 decides whether some delta < 1 makes it negative:
squares T are searched upwards, then Km, in balls. The theorem stands on the horizons of Algorithm 1,
sqrt(T) = 4Km(2^S - 1) with an integer S >= 1, if the observations are independent given the past: there every
step of the proof holds. Where the right side says something is another question (`theorem-1/vacuous`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import span
from proofs_check.claim import Outcome, Repair, Request, claim
from proofs_check.paper.theorem_1 import constants
from proofs_check.steps import Step, conclusions
from proofs_check.ways.balls import decide, decimal, less, sign
from proofs_check.ways.for_all import for_all
from proofs_check.ways.values import Falsified
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit

WHERE = "Theorem 1 (thm:upper)"
STATED = constants.STATED
NEGATIVE_ABOVE = Formula("2 * K * m * log(T) / exp(log2(2 * K * m / sqrt(T))**2)")  # delta above it
HORIZON = Formula("T")

LARGEST_ROOT, LARGEST_KM = 50, 200
LARGE_ROOTS = (10, 100, 1000)
DELTA = Fraction(1, 20)
MEMORY_ROOTS = range(2, 400)
DELTAS = tuple(Fraction(p, 100) for p in (90, 50, 10, 5, 1))
Case = dict[str, int | Fraction]


def picture(path: str) -> None:
    """The three regions of the right side."""
    from proofs_check.pictures.theorem_1 import draw

    draw(path)


@dataclass(frozen=True)
class Negative:
    """A plain K-armed bandit without losses: every regret is 0, above a right side that is negative."""

    bound: Formula
    actions: int
    root: int
    delta: Fraction

    @property
    def values(self) -> Case:
        """For the formulas."""
        return {"K": self.actions, "m": 1, "T": self.root**2, "delta": self.delta}

    def witness(self) -> Witness:
        """For the reader."""
        at = {name: value for name, value in self.values.items() if name != "delta"}
        facts = {
            "horizon": self.root**2,
            "delta": self.delta,
            "right side": decimal(self.bound, 6, **self.values),
            "negative for delta above": decimal(NEGATIVE_ABOVE, 6, **at),
            "least regret of any player": 0,
        }
        return Witness(facts, TallyingBandit([[0]] * self.actions))

    def confirmed(self) -> bool:
        """Every sequence of the horizon, by the definition of regret, against the right side in balls."""
        bandit, T = TallyingBandit([[0]] * self.actions), self.root**2
        regrets = (
            definitions.policy_regret(bandit, one, definitions.everything(bandit, T))
            for one in definitions.everything(bandit, T)
        )
        return less(self.bound, Formula("regret"), regret=min(regrets), **self.values) is True


@claim(
    "theorem-1",
    statement="For any tallying bandit problem, with probability at least 1 - delta, {stated}.",
    where=WHERE,
    picture=picture,
    formulas={"bound": STATED, "stated": "loss - OPT <= bound"},
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 2",
        "probability": "0 < delta and delta < 1",
    },
    uses=("theorem-1/domain", "theorem-1/final-constant"),
)
def theorem_1(request: Request) -> Outcome:
    """Search the smallest square T, then the smallest Km, with a negative right side for some delta < 1."""
    f = request.formulas
    sizes = (
        (K, L)
        for L in range(2, LARGEST_ROOT)
        for K in range(1, LARGEST_KM)
        if _inside(request, K, L, Fraction(1, 2))
    )
    tried, found = 0, None
    for K, L in sizes:
        tried += 1
        if _fails(request, K, L, Fraction(1)):
            found = _at(request, K, L)
            break
    best, repaired = (
        request.result("theorem-1/final-constant").outcome.tight,
        request.result("theorem-1/domain"),
    )
    return request.conclude(
        None,
        method="sign of the right side in balls, smallest T and Km first",
        cases=tried,
        checked_on=f"h = 0, m = 1, sqrt(T) < {LARGEST_ROOT}, Km < {LARGEST_KM}",
        violation=found,
        remarks=_said(f.bound, found),
        tight=best,
        repair=Repair(
            f"The theorem as printed, for {repaired.claim.on} (claim theorem-1/domain).",
            repaired.outcome.verdict,
        ),
    )


def _fails(request: Request, K: int, L: int, delta: Fraction) -> bool:
    """Whether the statement is false where nobody has any regret: loss = OPT = 0."""
    values: Case = {"K": K, "m": 1, "T": L * L, "delta": delta, "loss": 0, "OPT": 0}
    return decide(request.formulas.stated, **values) is False


def _inside(request: Request, K: int, L: int, delta: Fraction) -> bool:
    """Whether the theorem is stated for this problem."""
    return all(one.holds(K=K, m=1, T=L * L, delta=delta) for one in request.domain)


def _at(request: Request, K: int, L: int) -> Negative:
    """The first tenth that works, as delta."""
    tenths = [Fraction(tenth, 10) for tenth in range(1, 10)]
    stated = [d for d in (*tenths, Fraction(999, 1000)) if _inside(request, K, L, d)]
    delta = next((d for d in stated if _fails(request, K, L, d)), Fraction(1))
    return Negative(request.formulas.bound, K, L, delta)


def _said(bound: Formula, found: Negative | None) -> tuple[str, ...]:
    """Why the witness is the smallest, and how common such parameters are."""
    if found is None:
        return ()
    T = found.root**2
    smaller = all(sign(bound, K=k, m=1, T=T, delta=1) == 1 for k in range(1, found.actions))
    firsts = ", ".join(f"Km = {_first_negative(bound, L)} for sqrt(T) = {L}" for L in LARGE_ROOTS)
    no_square = sign(bound, K=2, m=1, T=2, delta=Fraction(9, 10)) == -1
    return (
        f"The right side is positive at T = {T}, Km = 1..{found.actions - 1}, delta = 1: {smaller} (Arb).",
        "The right side decreases in delta, and K and m enter as Km; at T = 1 it is not defined.",
        f"For delta = {DELTA} it is negative from {firsts} on.",
        f"It is negative at T = 2 (no square), Km = 2, delta = 9/10: {no_square} (Arb).",
        *_regions(),
    )


def _regions() -> list[str]:
    """How many fields of the picture are of each kind."""
    from proofs_check.pictures.theorem_1 import COLOURS, DELTAS, LARGEST_KM, LARGEST_ROOT, regions

    kinds = {delta: Counter(regions(delta).values()) for delta in DELTAS}
    shown = "; ".join(
        f"delta = {delta}: " + ", ".join(f"{counts[kind]} {kind.split(',')[0]}" for kind in COLOURS)
        for delta, counts in kinds.items()
    )
    return [f"The picture has Km <= {LARGEST_KM}, sqrt(T) <= {LARGEST_ROOT}. Its fields, {shown}."]


def _first_negative(bound: Formula, L: int) -> int:
    """The first Km at which the right side is negative, by bisection: its root grows slower than its log2."""
    low, high = 1, 100 * L
    while high - low > 1:
        middle = (low + high) // 2
        negative = sign(bound, K=middle, m=1, T=L * L, delta=DELTA) == -1
        low, high = (low, middle) if negative else (middle, high)
    return high


@claim(
    "theorem-1/large-memory",
    statement=(
        "If {memory}, the theorem is trivially true, since the regret is at most T: {stated}, where bound is "
        "the right side."
    ),
    where="Theorem 1, first sentence of the proof",
    formulas={
        "stated": "T <= bound",
        "repaired": "implies(T >= 0 and K >= 1 and m >= 1 and 2 * K * m <= sqrt(T) and sqrt(T) < 4 * K * m "
        f"and 0 < delta and delta < 1, T <= {STATED})",
    },
    domain={"memory": "m > sqrt(T)"},
    symbols={"bound": "the right side of Theorem 1 (claim theorem-1)"},
    uses=("theorem-1",),
)
def large_memory(request: Request) -> Outcome:
    """It needs T <= right side; search small T, K >= 2 and m = sqrt(T) + 1 for the contrary, in balls."""
    f = request.formulas
    stated = f.stated.where(bound=request.borrow("theorem-1", "bound"))
    cases = [
        case for L in MEMORY_ROOTS for case in _beyond_memory(2, L) if f.memory.holds(**_of(f.memory, case))
    ]
    found = next((case for case in cases if decide(stated, **_of(stated, case)) is False), None)
    always = [L for L in MEMORY_ROOTS if all(map(_below_horizon, _beyond_memory(10, L)))]
    repaired = request.show("repaired", _vacuous_steps(f.repaired))
    said = (
        f"With m = sqrt(T) + 1, K = 10 it fails for {len(always)} of the {len(MEMORY_ROOTS)} roots "
        f"{span(MEMORY_ROOTS)}, for all delta of {', '.join(map(str, DELTAS))}."
    )
    return request.conclude(
        None,
        method="T against the right side, in balls",
        cases=len(cases),
        checked_on=f"K = 2, m = sqrt(T) + 1, sqrt(T) = {span(MEMORY_ROOTS)}, delta = "
        f"{', '.join(map(str, DELTAS))}",
        violation=None if found is None else Below(stated, found),
        remarks=(said,),
        repair=Repair(
            "For 2Km <= sqrt(T) < 4Km, where no epoch is run, the right side is at least T.", repaired.verdict
        ),
    )


@dataclass(frozen=True)
class Below:
    """A memory and a horizon at which the right side is below T."""

    stated: Formula
    values: Case

    def witness(self) -> Witness:
        """For the reader."""
        facts = {"K": self.values["K"], "m": self.values["m"], "horizon": self.values["T"]}
        right = decimal(STATED, digits=6, **self.values)
        return Witness(facts | {"delta": self.values["delta"], "right side": right})

    def confirmed(self) -> bool:
        """By sympy."""
        return Falsified(self.stated, (), self.values).confirmed()


def _of(one: Formula, values: Case) -> Case:
    """The values of the names in a formula."""
    return {name: values[name] for name in one.names}


def _beyond_memory(K: int, L: int) -> list[Case]:
    """m = sqrt(T) + 1 and every delta."""
    return [{"K": K, "m": L + 1, "T": L * L, "delta": delta} for delta in DELTAS]


def _below_horizon(case: Case) -> bool:
    return less(STATED, HORIZON, **case) is True


def _vacuous_steps(conclusion: Formula) -> list[Step]:
    """As T >= 4, the root is at least 1, and the logarithm is not negative."""
    long = for_all("", given=["K >= 1", "m >= 1", "2 * K * m <= sqrt(T)", "T >= 0"], then="T >= 4")
    terms = constants.terms_steps()
    last = for_all("", given=[long.at(), *(step.at() for step in terms)], then=conclusion)
    return [long, *terms, last]


@claim(
    "theorem-1/domain",
    statement="(not in the paper) On the horizons of Algorithm 1, with probability 1 - delta, {stated}.",
    where=f"{WHERE}, read with Algorithm 1",
    formulas={"bound": STATED, "stated": "loss - OPT <= bound"},
    domain=constants.HORIZONS,
    integers="K m L T S",
    assuming=(constants.EVENT,),
    uses=("algorithm-1/schedule", "lemma-3", "lemma-4", "theorem-1/final-constant"),
)
def domain(request: Request) -> Outcome:
    """Lemma 4 and Lemma 3 on these horizons, and the last line of the proof."""
    f = request.formulas
    final = request.run.claim("theorem-1/final-constant")
    added = constants.added_up(request, "stated", Formula(f"loss - OPT <= {final.formula('sum')}"))
    last = for_all(
        constants.VARIABLES,
        given=[*request.domain, *conclusions(*added[:2]), request.quote("theorem-1/final-constant")],
        then=final.formula("stated"),
        words="the last line of the proof",
    )
    stated = for_all(constants.VARIABLES, given=conclusions(added[-1], last), then=f.stated)
    roots = ", ".join(str(horizon_root(2, 1, S)) for S in range(1, 6))
    return request.conclude(
        request.show("stated", [*added, last, stated]),
        method="Lemma 4, Lemma 3 and the last line of the proof",
        remarks=(f"For K = 2, m = 1 these are sqrt(T) = {roots}, ...",),
    )
