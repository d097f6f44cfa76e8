"""Two remarks before the main results: explore then exploit, and experts.

Stated. (1) A standard argument shows that the regret of the explore-then-exploit algorithm ALG_stoch scales
as Theta(T^(2/3)). (2) Bandit algorithms with expert advice, every sqrt(T)-cyclic policy an expert, would only
guarantee O(T^(3/4)) complete policy regret, since there are K^sqrt(T) experts.

Found. (1) is not decided here: it speaks of an algorithm that is not specified, and its lower half depends on
how it explores. (2) The exponent is right: sqrt(KT log N) with N = K^sqrt(T) is T^(3/4) sqrt(K log K), an
identity. But such algorithms bound the *traditional* regret, and for m >= 2 that says nothing about the
complete policy regret: with h_1 = (1/2, 1/2), h_2 = (1, 0), playing x_1 for ever has traditional regret 0
against all of X^T and complete policy regret T/2 - 1. Along the closed walk of x_1 this is shown for every T.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.boxes import binary_tables
from proofs_check.certified import optimum
from proofs_check.claim import Evidence, Outcome, Repair, Request, Tight, Witness, by_proof, claim
from proofs_check.repeated_words import Affine, losses_forever
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import proof
from proofs_check.ways.for_all import identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

EXPLORE = Formula("T**(2 / 3)")
EXPERTS = Formula("K**sqrt(T)")
EXPERT_REGRET = Formula("sqrt(K * T * log(N))")  # of EXP4 with N experts, up to a constant
STATED = Formula("T**(3 / 4)")
FACTOR = Formula("sqrt(K * log(K))")

BANDIT = TallyingBandit([[Fraction(1, 2), Fraction(1, 2)], [1, 0]])
POLICY_REGRET = Affine(Fraction(1, 2), -1)
MOST_STEPS = 8


@claim(
    "introduction/explore-then-exploit",
    statement=f"The regret of ALG_stoch scales as Theta({EXPLORE}), by a standard argument.",
    where="Section 3, after Proposition 1",
)
def explore_then_exploit(request: Request) -> Outcome:
    """Not decided: the algorithm is not specified, and Theta needs a lower bound for the way it explores."""
    cubed = str(EXPLORE).replace("T", "(t**3)")
    upper = identity(
        "t**2 + t**3 / sqrt(t**2)", f"2 * {cubed}", words=f"n + T/sqrt(n) is 2 * {EXPLORE} at n = {EXPLORE}"
    )
    said = (
        upper,
        "Exploring for n steps and then erring by 1/sqrt(n) a step gives the upper half, up to powers of Km.",
        "The lower half holds at best for K >= 2 and an exploration fixed in advance; no proof is given.",
    )
    return Outcome(Verdict.UNDECIDED, "none", Evidence("the algorithm is not specified", 1, said))


@claim(
    "introduction/experts",
    statement=f"With {EXPERTS} experts, {EXPERT_REGRET} is of order {STATED}.",
    where="Section 4.1, before Algorithm 1",
)
def experts(request: Request) -> Outcome:
    """Put N in: sympy simplifies the quotient by T^(3/4) to a factor without T."""
    step = identity(str(EXPERT_REGRET).replace("N", str(EXPERTS)), f"{STATED} * {FACTOR}")
    return proof(
        [step],
        "all K, T",
        method="an identity, sympy",
        tight=Tight(f"{STATED} * {FACTOR}, exactly", by_proof([step])),
    )


@claim(
    "introduction/experts-regret",
    statement="A bound on the regret against experts (traditional regret) bounds the complete policy regret.",
    where="Section 4.1, before Algorithm 1",
)
def experts_regret(request: Request) -> Outcome:
    """Play x_1 for ever: traditional regret 0 against X^T, policy regret T/2 - 1 for every T >= 2."""
    horizons = range(1, MOST_STEPS + 1)
    regrets = {T: _regrets(T) for T in horizons}
    found = next((T for T in horizons if regrets[T][0] <= 0 < regrets[T][1]), None)
    forever = _forever()
    oblivious = _equal_without_memory(request)
    return Outcome(
        Verdict.REFUTED if found is not None else Verdict.UNDECIDED,
        "m = 1",
        Evidence("regrets from the definitions; for ever by closed walks", len(horizons), tuple(forever)),
        witness=None if found is None else _witness(found, *regrets[found]),
        repair=Repair(
            "For m = 1 the two regrets agree for every sequence (K = 2, T <= 5, all {0,1} tables).",
            Verdict.CHECKED if oblivious else Verdict.UNDECIDED,
        ),
    )


def _regrets(T: int) -> tuple[Fraction, Fraction]:
    """Traditional and complete policy regret of (x_1, ..., x_1), all of X^T tried."""
    constant, everything = (0,) * T, list(definitions.everything(BANDIT, T))
    traditional = definitions.traditional_regret(BANDIT, constant, everything)
    return traditional, definitions.policy_regret(BANDIT, constant, everything)


def _witness(T: int, traditional: Fraction, policy: Fraction) -> Witness:
    facts = {"horizon": T, "policy": (0,) * T, "traditional regret": traditional, "policy regret": policy}
    return Witness(facts, BANDIT)


def _forever() -> list[Step]:
    """For every T: what x_1 loses, what a deviation loses in its step, and OPT_T from T = 2 on."""
    half = losses_forever(BANDIT, [0]).always(Affine(Fraction(1, 2), 0))
    deviation = losses_forever(BANDIT, [0], charged=1).always(Affine(1, 0))
    best = losses_forever(BANDIT, [1]).always(Affine(0, 1)) and optimum(BANDIT, 2) == 1
    return [
        Step("x_1 for ever loses T/2, and each deviation 1 in its step", "closed walks", half and deviation),
        Step(
            f"OPT_T = 1 from T = 2 on, so the policy regret is {POLICY_REGRET}", "closed walk, planner", best
        ),
    ]


def _equal_without_memory(request: Request) -> bool:
    """For m = 1, on every {0,1} table and every sequence of at most 5 steps: are the two regrets equal?"""
    for bandit in binary_tables(2, 1):
        for T in range(1, 6):
            request.progress(f"introduction/experts-regret: m = 1, T = {T}")
            everything = list(definitions.everything(bandit, T))
            if any(
                definitions.traditional_regret(bandit, actions, everything)
                != definitions.policy_regret(bandit, actions, everything)
                for actions in product(range(2), repeat=T)
            ):
                return False
    return True
