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
from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import span
from proofs_check.claim import Evidence, Outcome, Repair, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.schedule import ROOT, horizon_root
from proofs_check.paper import lemma_7
from proofs_check.paper.lemma_4 import statement as lemma_4
from proofs_check.paper.theorem_1 import constants
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import again, in_balls, proof
from proofs_check.ways.balls import decimal, less, sign
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Theorem 1 (thm:upper)"
STATED = constants.STATED
NEGATIVE_ABOVE = Formula("2 * K * m * log(T) / exp(log2(2 * K * m / sqrt(T))**2)")  # delta above it
HORIZON = Formula("T")
REPAIRED = f"sqrt(T) = {ROOT}, S >= 1 an integer, observations independent given the past"

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


@claim(
    "theorem-1",
    statement=(
        "For any tallying bandit problem and any delta in (0,1), with probability at least 1 - delta the "
        f"complete policy regret of Algorithm 1 is at most {STATED}."
    ),
    where=WHERE,
    picture=picture,
)
def theorem_1(request: Request) -> Outcome:
    """Search the smallest square T, then the smallest Km, with a negative right side for some delta < 1."""
    sizes = [(K, L) for L in range(2, LARGEST_ROOT) for K in range(1, LARGEST_KM)]
    first = next((n for n, (K, L) in enumerate(sizes) if _negative(K, L, delta=Fraction(1))), None)
    found = None if first is None else _negative_witness(*sizes[first])
    tried = len(sizes) if first is None else first + 1
    return Outcome(
        Verdict.REFUTED if found and _every_regret_exceeds(found) else Verdict.UNDECIDED,
        REPAIRED,
        Evidence("sign of the right side in balls, smallest T and Km first", tried, _said(found)),
        witness=found,
        tight=Tight(
            f"{constants.BEST} instead of 1200 there; sharper: claim theorem-1/sharpened",
            by_proof(constants.best_steps()),
        ),
        repair=Repair(f"The theorem as printed, for {REPAIRED}.", by_proof(proof_steps())),
    )


def proof_steps() -> list[Step]:
    """The printed proof, on the horizons of Algorithm 1."""
    return [
        lemma_7.all_epochs(),
        again("lemma-4", f"the loss beyond T mu(pi*) is at most {lemma_4.STATED}", lemma_4.proof_steps()),
        *constants.lemma_3_steps(),
        *constants.final_steps(),
        for_all(
            "K m v real",
            given=["K >= 1", "m >= 1", "v >= 2"],
            then="m <= 4 * K * m * (v - 1)",
            words=f"m <= sqrt(T) = {ROOT}",
        ),
    ]


def _negative(km: int, L: int, delta: Fraction) -> bool:
    return sign(STATED, K=km, m=1, T=L * L, delta=delta) == -1


def _negative_witness(K: int, L: int) -> Witness:
    """A plain K-armed bandit with all losses 0; delta is the first tenth that works."""
    tenths = [Fraction(tenth, 10) for tenth in range(1, 10)]
    delta = next((d for d in tenths if _negative(K, L, d)), Fraction(999, 1000))
    facts = {
        "horizon": L * L,
        "delta": delta,
        "right side": decimal(STATED, K=K, m=1, T=L * L, delta=delta),
        "negative for delta above": decimal(NEGATIVE_ABOVE, K=K, m=1, T=L * L),
        "least regret of any player": 0,
    }
    return Witness(facts, TallyingBandit([[0]] * K))


def _every_regret_exceeds(witness: Witness) -> bool:
    """Every sequence of the horizon, by the definition of regret, against the right side in balls."""
    bandit, facts = witness.bandit, witness.facts
    assert isinstance(bandit, TallyingBandit)
    T, best = facts["horizon"], definitions.optimum(bandit, facts["horizon"])
    least = min(
        definitions.total_loss(bandit, actions) - best for actions in definitions.everything(bandit, T)
    )
    at: Case = {"K": bandit.actions, "m": bandit.memory, "T": T, "delta": facts["delta"]}
    return less(STATED, Formula("regret"), regret=least, **at) is True


def _said(found: Witness | None) -> tuple[str | Step, ...]:
    """Why the witness is the smallest, and how common such parameters are."""
    if found is None:
        return ()
    K, T = found.bandit.actions if found.bandit else 0, found.facts["horizon"]
    smaller = all(sign(STATED, K=k, m=1, T=T, delta=1) == 1 for k in range(1, K))
    firsts = ", ".join(f"Km = {_first_negative(L)} for sqrt(T) = {L}" for L in LARGE_ROOTS)
    no_square = sign(STATED, K=2, m=1, T=2, delta=Fraction(9, 10)) == -1
    return (
        Step(f"0 < right side at T = {T}, Km = 1..{K - 1}, delta = 1", "Arb", smaller),
        "The right side decreases in delta, and K and m enter as Km; at T = 1 it is not defined.",
        f"For delta = {DELTA} it is negative from {firsts} on.",
        Step("right side < 0 at T = 2 (no square), Km = 2, delta = 9/10", "Arb", no_square),
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


def _first_negative(L: int) -> int:
    """The first Km at which the right side is negative, by bisection: its root grows slower than its log2."""
    low, high = 1, 100 * L
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _negative(middle, L, DELTA) else (middle, high)
    return high


@claim(
    "theorem-1/large-memory",
    statement="If m > sqrt(T), the theorem is trivially true, since the regret is at most T.",
    where="Theorem 1, first sentence of the proof",
)
def large_memory(request: Request) -> Outcome:
    """It needs T <= right side; search small T, K >= 2 and m = sqrt(T) + 1 for the contrary, in balls."""
    found = next((case for L in MEMORY_ROOTS for case in _beyond_memory(2, L) if _below_horizon(case)), None)
    always = [L for L in MEMORY_ROOTS if all(map(_below_horizon, _beyond_memory(10, L)))]
    said = (
        f"With m = sqrt(T) + 1, K = 10 it fails for {len(always)} of the {len(MEMORY_ROOTS)} roots "
        f"{span(MEMORY_ROOTS)}, for all delta of {', '.join(map(str, DELTAS))}."
    )
    return Outcome(
        Verdict.UNDECIDED if found is None else Verdict.REFUTED,
        "2Km <= sqrt(T) < 4Km",
        Evidence(
            "T against the right side, in balls", len(MEMORY_ROOTS) * len(DELTAS), (*_vacuous_steps(), said)
        ),
        witness=None if found is None else _memory_witness(found),
        repair=Repair(
            "For 2Km <= sqrt(T) < 4Km, where no epoch is run, the right side is at least T.",
            by_proof(_vacuous_steps()),
        ),
    )


def _beyond_memory(K: int, L: int) -> list[Case]:
    """m = sqrt(T) + 1 and every delta."""
    return [{"K": K, "m": L + 1, "T": L * L, "delta": delta} for delta in DELTAS]


def _below_horizon(case: Case) -> bool:
    return less(STATED, HORIZON, **case) is True


def _memory_witness(case: Case) -> Witness:
    facts = {"K": case["K"], "m": case["m"], "horizon": case["T"], "delta": case["delta"]}
    return Witness(facts | {"right side": decimal(STATED, digits=6, **case)})


def _vacuous_steps() -> list[Step]:
    """In units of Km sqrt(T), T is r; y is the root, a = log2(r/2) >= 0 for r >= 2, and T >= 4."""
    return [
        in_balls("1", "sqrt(log(2 * log(T)))", T=4),
        for_all("r y a real", given=["2 <= r", "r < 4", "y >= 1", "a >= 0"], then="r <= 1200 * (y + a)"),
    ]


@claim(
    "theorem-1/domain",
    statement=f"(not in the paper) The proof is complete for sqrt(T) = {ROOT}, S >= 1 an integer.",
    where=f"{WHERE}, read with Algorithm 1",
)
def domain(request: Request) -> Outcome:
    """Run every step of the proof for these horizons; m <= sqrt(T) then holds by itself."""
    roots = ", ".join(str(horizon_root(2, 1, S)) for S in range(1, 6))
    return proof(
        proof_steps(),
        REPAIRED,
        method="all steps of the proof",
        said=(f"For K = 2, m = 1 these are sqrt(T) = {roots}, ...",),
    )
