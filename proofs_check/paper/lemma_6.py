"""Lemma 6: the policies that survive are nearly optimal.

Stated (label lem:opt_gap). If m <= sqrt(T), the event that mu(pi) - mu(pi*) <= 4 C_{s-1} for all s = 1..S and
all pi in A_s has probability at least 1 - delta.

For s >= 2 proved: on the event of Lemma 7 the four steps of the proof are linear, and z3 adds them up; 4 is
the best factor. For s = 1 refuted, a slip: there is no epoch 0. If C_0 is read as the formula says (n_0 = 1),
then A_1 holds all policies, and with h_1 = 0, h_2 = 1 one of them has gap 1: the event is impossible once
4 C_0 < 1. The horizons of Algorithm 1 are searched from S = 1 up; for each S the inequality 4 C_0 < 1 reads

    128 log(2KmS/delta) < 2^S - 1,

which is weakest at Km = 2 (K = 1 has no gap) and delta -> 1. So the first S that admits a delta < 1 is the
smallest for all K, m and delta. Nothing is lost: only s >= 2 is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.computations.elimination import RULE, box, eliminations
from proofs_check.paper import lemma_8
from proofs_check.steps import Step, Verdict, conclusions
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.balls import decide, decimal, less
from proofs_check.ways.for_all import for_all, identity
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit

WHERE = "Lemma 6 (lem:opt_gap)"
GAP = Formula("4 * C")
THRESHOLD = Formula("2 * K * m * S / exp(sqrt(T) / (512 * K * m))")  # 4 C_0 < 1 for delta above it
MOST_EPOCHS = 20
ONE = Formula("1")
BANDIT = TallyingBandit([[0], [1]])

Values = dict[str, int | Fraction]


@dataclass(frozen=True)
class AtStart:
    """s = 1, K = 2, m = 1, h_1 = 0, h_2 = 1: the constant policies, which are in A_1; S and delta."""

    gap: Formula
    epochs: int
    delta: Fraction

    @property
    def values(self) -> Values:
        """For the formulas."""
        return {**_weakest(self.epochs), "delta": self.delta}

    def witness(self) -> Witness:
        """For the reader."""
        value = decimal(self.gap, digits=6, **self.values)
        sizes = {"horizon": self.values["T"], "S": self.epochs, "delta": self.delta}
        return Witness({**sizes, "4 C_0": value, "largest gap in A_1": 1}, BANDIT)

    def confirmed(self) -> bool:
        """By the definitions, the two constant policies differ by more than the bound allows."""
        constant = [definitions.mu(BANDIT, (action, action)) for action in (0, 1)]
        values = {**self.values, "high": max(constant), "low": min(constant)}
        return less(self.gap, Formula("high - low"), **values) is True


@claim(
    "lemma-6",
    statement="With probability at least 1 - delta, for all s = 1..S and all pi in A_s, C_(s-1) being "
    "{width}: {stated}.",
    where=WHERE,
    formulas={
        "width": WIDTH.where(s="s - 1"),
        "gap": GAP.where(C="width"),
        "stated": "mean - mu <= gap",
    },
    domain={"memory": "m <= sqrt(T)", "first": "s >= 1", "last": "s <= S"},
    integers="K m s",
    assuming=("with probability at least 1 - delta",),
    uses=("lemma-6/chain",),
)
def lemma_6(request: Request) -> Outcome:
    """At s = 1, search the horizons of Algorithm 1 for the first with 4 C_0 < 1 for some delta < 1."""
    found = _first_failure(request)
    return request.conclude(
        None,
        method="search over the horizons of Algorithm 1, in balls",
        cases=found.epochs if found else MOST_EPOCHS - 1,
        checked_on="s = 1, K = 2, m = 1, the horizons of Algorithm 1" if found else None,
        violation=found,
        remarks=_said(found) if found else (),
        repair=Repair(
            "On the events of Lemma 7 it holds for s = 2..S, all that is used (claim lemma-6/chain).",
            request.result("lemma-6/chain").outcome.verdict,
        ),
    )


def _first_failure(request: Request) -> AtStart | None:
    """The first S that admits a delta < 1, and the first tenth that works."""
    f = request.formulas
    tenths = [*(Fraction(tenth, 10) for tenth in range(1, 10)), Fraction(999, 1000)]
    for S in range(1, MOST_EPOCHS):
        inside = all(one.holds(**_weakest(S)) for one in request.domain)
        fails = [delta for delta in tenths if decide(f.stated, **_values(S, delta, mean=1, mu=0)) is False]
        if inside and fails:
            return AtStart(f.gap, S, fails[0])
    return None


def _values(S: int, delta: Fraction, **more: int) -> Values:
    return {**_weakest(S), "delta": delta, **more}


def _said(found: AtStart) -> tuple[str | Step, ...]:
    """Why no smaller S will do, and what else is known."""
    S, gap = found.epochs, found.gap
    threshold = decimal(THRESHOLD, K=2, m=1, S=S, T=horizon_root(2, 1, S) ** 2)
    before = [in_balls(ONE, gap, words="", **_weakest(one)) for one in range(1, S)]
    return (
        *_equivalence(gap),
        *before,
        f"So nothing refutes it for S < {S}; S = {S} does, for K = 2, m = 1, delta > {threshold}.",
        f"If S need not be an integer: from sqrt(T) = {_first_root(gap)} on, for some delta < 1.",
    )


@claim(
    "lemma-6/chain",
    statement="On the events of Lemma 7 ({event} for every epoch j and every policy of A_j), for every "
    "policy of A_s: {stated}.",
    where="Lemma 6, steps (i) to (iv) of the proof",
    formulas={
        "event": lemma_8.EVENT,
        "rule": RULE.where(C="C(j)"),
        "gap": GAP.where(C="C(s - 1)"),
        "stated": "mean - mu <= gap",
    },
    domain={"on_event": "good == 1", "first": "s >= 2", "survives": "member(p, s) == 1"},
    integers="s p",
    symbols={**lemma_8.SYMBOLS, "j": "an epoch"},
    uses=("lemma-8",),
)
def chain(request: Request) -> Outcome:
    """The four steps as linear inequalities; the factor is attained on exhaustively enumerated small A_s."""
    f = request.formulas
    rule = f.rule.put("C(j)", "C")
    worst = max(eliminations(rule, request, "lemma-6/chain"), key=lambda one: one.gap / one.width)
    allowed = f.gap.put("C(s - 1)", "C")(C=worst.width)
    return request.conclude(
        request.show("stated", _chain(request)),
        method="z3; all small A_s enumerated",
        checked_on=box(request),
        violation=worst if worst.gap > allowed else None,
        remarks=(f"The largest gap of a survivor of the box is {worst.gap / worst.width} C.",),
        tight=Tight(
            f"{allowed / worst.width} is the best factor, given errors up to C",
            Verdict.CHECKED,
            worst.witness(),
        )
        if worst.gap == allowed
        else None,
    )


def _chain(request: Request) -> list[Step]:
    """The policy p was kept after epoch s - 1, in which pi* was present (Lemma 8)."""
    f = request.formulas
    kept = f"hat(p, s - 1) <= hat(best(s - 1), s - 1) + {f.rule.where(j='s - 1')}"
    before = for_all(
        lemma_8.VARIABLES,
        given=[f.first, f.survives, lemma_8.stays(f, "p", "(s - 1)")],
        then=f"member(p, s - 1) == 1 and {kept}",
        words="(ii) line 19 of Algorithm 1",
    )
    stated = for_all(
        lemma_8.VARIABLES,
        given=[
            *(*request.domain, *conclusions(before)),
            request.quote("lemma-8", j="s - 1"),
            *(lemma_8.event(f, "p", "(s - 1)"), lemma_8.event(f, "star", "(s - 1)")),
            lemma_8.least("star", "(s - 1)"),
            definition("mean and mu", "mean == loss_of(p) and mu == loss_of(star)"),
        ],
        then=f.stated,
        words="(i), (iii) and (iv): the estimates of p and of pi*, and pi* is in A_(s-1) by Lemma 8",
    )
    return [before, stated]


def _weakest(S: int) -> Values:
    """s = 1, K = 2, m = 1 and delta = 1, where 4 C_0 is least for this S."""
    return {"K": 2, "m": 1, "S": S, "s": 1, "T": horizon_root(2, 1, S) ** 2, "delta": 1}


def _equivalence(gap: Formula) -> list[Step]:
    """Km and delta enter (4 C_0)^2 through the logarithm alone; w is 2^S - 1, sqrt(T) being 4 Km w."""
    short = gap.put("log(2 * K * m * S / delta)", "E").put("2**(s - 1) * sqrt(T)", "4 * K * m * w")
    return [
        identity(f"({short})**2", "128 * E / w", words="(4 C_0)**2 == 128 log(2KmS/delta) / (2**S - 1)"),
        for_all(
            "k S delta real",
            given=["k >= 2", "S >= 1", "0 < delta", "delta < 1"],
            then="2 * k * S / delta > 4 * S",
        ),
    ]


def _first_root(gap: Formula) -> int:
    """The least sqrt(T) with 4 C_0 < 1 at delta = 1, K = 2, m = 1; S = log2(sqrt(T)/8 + 1) is a real."""
    real = gap.where(S="log2(L / 8 + 1)").put("sqrt(T)", "L")
    return next(L for L in range(1, 10**5) if less(real, ONE, K=2, m=1, s=1, L=L, delta=1))
