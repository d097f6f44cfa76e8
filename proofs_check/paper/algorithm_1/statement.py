"""Algorithm 1 (SE-TB): is it well defined, and does it fill the horizon?

Stated (label alg:main). S = log2(sqrt(T)/(4Km) + 1) epochs; epoch s executes Km policies for 2 n_s periods
each, n_s = 2^s, T_s = 2 n_s Km sqrt(T) steps; half of the periods are thrown away; the estimate muhat_s
divides by the number n_s N_xy(pi_sxy) sqrt(T) of observations of each cell.

Found. The lengths add up to T as an identity in S (a lemma in a comment of the source), but there are S
epochs only if S is an integer: sqrt(T) = 4Km(2^S - 1). On other horizons floor(S) epochs are run and the rest
is unspecified; this is counted on a box, and its largest share is found by z3 in w = 2^floor(S). A cell that
no policy of A_s meets is divided by 0; the smallest case is searched by counting.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.claim import Evidence, Outcome, Repair, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.schedule import (
    EPOCH_STEPS,
    EPOCHS,
    PERIODS,
    ROOT,
    WIDTH,
    full_epochs,
    horizon_root,
)
from proofs_check.paper import lemma_7
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import again, inequality, proof, telescopes
from proofs_check.ways.balls import decimal
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula

WHERE = "Algorithm 1 (alg:main)"
STEPS_OF_S = Formula("4 * K * m * sqrt(T) * (2**S - 1)")
LARGEST_UNPLAYED = Formula("2 / 3")

SIZES = [(K, m) for K in range(1, 4) for m in range(1, 4)]
ROOTS = range(1, 101)


@claim(
    "algorithm-1",
    statement=f"S = {EPOCHS} epochs of T_s = {EPOCH_STEPS} steps take T steps in all.",
    where=f"{WHERE}, lines 1 and 2",
)
def algorithm_1(request: Request) -> Outcome:
    """Count the steps of floor(S) epochs on a box, smallest T first; S is seldom an integer."""
    box = [(K, m, L) for L in ROOTS for K, m in SIZES if m <= L]
    left = {case: unplayed(*case) for case in box}
    found = next((case for case in box if left[case]), None)
    exact = all((left[K, m, L] == 0) == (_last_horizon(K, m, L) == L) for K, m, L in box)
    return Outcome(
        Verdict.CHECKED if found is None else Verdict.REFUTED,
        f"sqrt(T) = {ROOT}, S = 1, 2, ...",
        Evidence("steps of floor(S) epochs counted on a box", len(box), _said()),
        witness=None if found is None else _unplayed_witness(*found),
        tight=Tight(f"exactly for sqrt(T) = {ROOT}: 4Km, 12Km, 28Km, ...", Verdict.CHECKED)
        if exact
        else None,
        repair=Repair(
            f"sqrt(T) = {ROOT} with an integer S >= 1 (claim algorithm-1/schedule).", by_proof(_schedule())
        ),
    )


def unplayed(K: int, m: int, L: int) -> Fraction:
    """The steps of the horizon L^2 that no epoch takes."""
    epochs = range(1, full_epochs(K, m, L) + 1)
    return L * L - sum((EPOCH_STEPS(K=K, m=m, T=L * L, s=s) for s in epochs), Fraction(0))


def _last_horizon(K: int, m: int, L: int) -> int:
    """The largest sqrt(T) <= L with an integer S >= 1, or 0."""
    return horizon_root(K, m, full_epochs(K, m, L))


def _said() -> tuple[str | Step, ...]:
    """What is left unplayed, in examples and in general: w = 2^floor(S), and 2^S is just below 2w."""
    examples = ((2, 1, 7), (2, 1, 23), (2, 1, 1000))
    shown = "; ".join(f"{unplayed(K, m, L)} of {L * L} at sqrt(T) = {L}" for K, m, L in examples)
    share = "1 - (w - 1) / (v - 1)"
    return (
        f"Steps that no epoch takes, K = 2, m = 1: {shown}.",
        for_all(
            "v w real",
            given=["w >= 2", "w <= v", "v < 2 * w"],
            then=f"{share} < {LARGEST_UNPLAYED}",
            words=f"for S >= 1 their share {share} is below {LARGEST_UNPLAYED}, v = 2**S, w = 2**floor(S)",
        ),
        identity(
            share.replace("v", "(2 * w)").replace("w", "2"),
            str(LARGEST_UNPLAYED),
            words=f"it tends to {LARGEST_UNPLAYED} as S rises to 2",
        ),
    )


def _unplayed_witness(K: int, m: int, L: int) -> Witness:
    facts = {
        "K": K,
        "m": m,
        "horizon": L * L,
        "S": decimal(EPOCHS, K=K, m=m, T=L * L),
        "epochs run": full_epochs(K, m, L),
        "steps without an action": unplayed(K, m, L),
    }
    return Witness(facts)


@claim(
    "algorithm-1/schedule",
    statement=f"T = sum_(s=1..S) {EPOCH_STEPS} = {STEPS_OF_S}, hence S = {EPOCHS}.",
    where="a lemma in a comment of the source, after Proposition 1",
)
def schedule(request: Request) -> Outcome:
    """The sum by induction on S; put sqrt(T) = 4Km(2^S - 1) in, and S comes out."""
    return proof(_schedule(), "every integer S >= 1", method="induction, sympy")


def _schedule() -> list[Step]:
    in_s = str(STEPS_OF_S).replace("S", "s")
    return [
        *telescopes(EPOCH_STEPS, in_s, index="s", first=1),
        identity(
            str(STEPS_OF_S).replace("sqrt(T)", f"({ROOT})"),
            f"({ROOT})**2",
            integers="S",
            words=f"that is T for sqrt(T) = {ROOT}",
        ),
        identity(
            f"({ROOT}) / (4 * K * m) + 1",
            "2**S",
            integers="S",
            words=f"2**S == sqrt(T) / (4Km) + 1 for sqrt(T) = {ROOT}",
        ),
    ]


@claim(
    "algorithm-1/estimate",
    statement="muhat_s(pi) is defined, dividing by n_s N_xy(pi_sxy) sqrt(T), for every pi in A_s.",
    where=f"{WHERE}, line 16",
)
def estimate(request: Request) -> Outcome:
    """Look for a cell that no cyclic policy meets, for S = 1, small K and m first."""
    sizes = [(1, m) for m in range(1, 5)] + [(K, m) for K in (2, 3) for m in range(1, 5)]
    unmet = {(K, m): _unmet_cell(K, m, horizon_root(K, m, 1)) for K, m in sizes}
    found = next(((K, m) for K, m in sizes if unmet[K, m]), None)
    only_single = all((cell is not None) == (K == 1 and m > 1) for (K, m), cell in unmet.items())
    harmless = for_all("N most real", given=["0 <= N", "N <= most", "most == 0"], then="N == 0")
    return Outcome(
        Verdict.CHECKED if found is None else Verdict.REFUTED,
        "cells that some policy of A_s meets",
        Evidence("policies of K = 1..3, m = 1..4, sqrt(T) = 4Km counted", len(sizes), (harmless,)),
        witness=None if found is None else _unmet_witness(*found, unmet[found]),
        tight=Tight("in epoch 1: undefined exactly for K = 1, m >= 2, on the box", Verdict.CHECKED)
        if only_single
        else None,
        repair=Repair(
            "Leave out the cells with N_xy(pi_sxy) = 0: then N_xy(pi) = 0 for all pi in A_s.",
            by_proof([harmless]),
        ),
    )


def _unmet_cell(K: int, m: int, L: int) -> tuple[int, int] | None:
    """A cell that no word meets. With a second action z, the word x^y z^(L-y) meets (x, y)."""
    for x, y in product(range(K), range(1, m + 1)):
        word = (x,) * L if K == 1 else (x,) * y + ((x + 1) % K,) * (L - y)
        if not definitions.period_counts(word, m, n=1)[x, y]:
            return x, y
    return None


def _unmet_witness(K: int, m: int, cell: tuple[int, int] | None) -> Witness:
    L = horizon_root(K, m, 1)
    assert cell is not None
    return Witness(
        {"K": K, "m": m, "horizon": L * L, "S": 1, "x": cell[0], "y": cell[1], "N_xy of every policy": 0}
    )


@claim(
    "algorithm-1/periods",
    statement=f"Every policy is executed for 2 n_s <= sqrt(T) periods, n_s = {PERIODS}, s <= S.",
    where=f"{WHERE}, 'to execute for k <= sqrt(T) periods'",
)
def periods(request: Request) -> Outcome:
    """2 n_s <= 2 n_S = 2v with v = 2^S, against sqrt(T) = 4Km(v - 1); z3, also for S that is no integer."""
    domain = for_all(
        "k L real",
        given=["k >= 1", "L >= 0"],
        then="(2 * (L / (4 * k) + 1) <= L) == (L >= 4 * k / (2 * k - 1))",
        words="2 * 2**S <= sqrt(T) exactly for sqrt(T) >= 4Km / (2Km - 1)",
    )
    return inequality(
        "k v real",
        given=["k >= 1", "v >= 2"],
        then="2 * v <= 4 * k * (v - 1)",
        domain="S >= 1",
        more=(domain,),
        tight=Tight("equality at K = m = 1, S = 1", by_proof([domain]), _equality()),
    )


def _equality() -> Witness:
    L = horizon_root(1, 1, 1)
    return Witness({"K": 1, "m": 1, "horizon": L * L, "2 n_1": 2 * PERIODS(s=1), "sqrt(T)": L})


@claim(
    "algorithm-1/width",
    statement=f"C_s = {WIDTH}.",
    where=f"{WHERE}, line 2",
)
def width(request: Request) -> Outcome:
    """A definition: wide enough for Lemma 7, whose steps are run again; and wider than needed."""
    enough = again(
        "lemma-7", "with probability 1 - delta/S all estimates are within C_s", lemma_7.proof_steps()
    )
    return proof(
        [enough],
        lemma_7.GIVEN,
        method="the proof of Lemma 7",
        tight=Tight("32 -> 1/2: C_s may be 8 times narrower", by_proof(lemma_7.narrower_steps())),
    )
