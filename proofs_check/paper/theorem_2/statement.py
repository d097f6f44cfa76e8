"""Theorem 2: no player does better than sqrt(mKT), up to a constant.

Stated (label thm:lower). There exist a tallying bandit problem and a constant c > 0 such that the expected
complete policy regret of any algorithm on this problem is at least c max{mK, sqrt(mKT)}.

Shown. As printed it fails for K = 1, where every policy is optimal, and for T < c mK, as no regret exceeds T;
and the quantifiers should read as in `proposition-1-lower/quantifiers`. The proof needs small repairs, which
are separate claims: the set of y* (`/set-size`, `/number-of-arms`), the range of eps (`/epsilon`), and short
horizons (`/short-horizons`); the rest of it stands. Put together, for K >= 2 and T >= mK:

- if m <= T/100, the construction of the paper with N = K (floor(m/24) + 1) >= mK/24 arms and eps^2 = N/(8T)
has regret at least eps (T - 23m)/24 >= sqrt(mKT)/432; - if m > T/100, the needle of Proposition 1 has regret
m(K - 1)/2 >= mK/4 >= sqrt(mKT)/432.

For T < mK, fewer actions (floor(T/m) of them) or a lower threshold (`/short-horizons`) give a constant times
T.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check import definitions
from proofs_check.boxes import binary_tables
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.paper.proposition_1.lower import regret_steps
from proofs_check.paper.theorem_2.identification import identification_steps
from proofs_check.paper.theorem_2.loss import algebra_steps, optimal_loss_steps
from proofs_check.paper.theorem_2.short import threshold_steps
from proofs_check.steps import Step, Verdict
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Theorem 2 (thm:lower)"
PROOF = "Theorem 2, proof (thm:lower)"
STATED = Formula("max(m * K, sqrt(m * K * T))")  # up to a constant
CONSTANT = Fraction(1, 432)
CONSTANT_FOR_ALL_HORIZONS = Fraction(1, 612)
LEAST_Y = Formula("23 * m / 24")
SET_SIZE, SET_SIZE_EXACT = Formula("m / 24"), Formula("floor(m / 24) + 1")
ARMS, ARMS_EXACT = Formula("m * K / 24"), Formula("K * (floor(m / 24) + 1)")
LOWEST_LOSS = Formula("1 / 2 - eps")
EPSILON_SQUARED = Formula("c * m * K / T")


@claim("theorem-2", statement=f"E[CPR] >= c * {STATED} for every player, with a constant c > 0.", where=WHERE)
def theorem_2(request: Request) -> Outcome:
    """With one action nobody has any regret; then prove the repaired theorem from the repaired steps."""
    tables = [h for m in (1, 2) for h in binary_tables(1, m)]
    without_regret = [h for h in tables if _largest_regret(h, 3) == 0]
    failing = without_regret[0] if without_regret else None
    steps = repaired_steps()
    return Outcome(
        after_search(failing, lambda h: _largest_regret(h, 1) == 0 < STATED(m=1, K=1, T=1)),
        "K >= 2 and T >= mK",
        Evidence(
            "one action, all tables of a box; the repaired theorem from its repaired steps",
            len(tables),
            (
                *steps,
                "No regret exceeds T, so the bound also fails wherever T < c mK, for example at T = 1, mK "
                "> 1/c.",
                "As worded, `there exists a problem such that any algorithm` fails on every problem, as in "
                "proposition-1-lower/quantifiers: what is proved is a bound on the average over (x*, y*).",
            ),
        ),
        witness=Witness({"horizon": 1, "largest regret": _largest_regret(failing, 1)}, failing)
        if failing
        else None,
        repair=Repair(
            f"For every K >= 2, T >= mK and every player there is a problem with E[CPR] >= {CONSTANT} * "
            f"{STATED} (there the maximum is the root); for all T it is at least "
            f"{CONSTANT_FOR_ALL_HORIZONS} * min(T, {STATED}).",
            by_proof(steps),
        ),
    )


@claim(
    "theorem-2/set-size",
    statement=f"{{{LEAST_Y}, {LEAST_Y} + 1, .., m}}, from which y* is drawn, has {SET_SIZE} elements.",
    where=PROOF,
)
def set_size(request: Request) -> Outcome:
    """Count the integers from 23m/24 to m for m up to 120; prove the count for all m."""
    memories = range(1, 121)
    counts = {m: len(_heights(m)) for m in memories}
    divisible = [m for m in memories if LEAST_Y(m=m).denominator == 1]
    failing = next((m for m in divisible if counts[m] != SET_SIZE(m=m)), None)
    right = all(counts[m] == SET_SIZE_EXACT(m=m) for m in memories)
    steps = size_steps()
    return Outcome(
        after_search(failing, lambda m: sum(24 * y >= 23 * m for y in range(1, m + 1)) != m / 24),
        "no m",
        Evidence(
            "the elements counted, and for all m = 24q + r by z3",
            len(memories),
            (f"{LEAST_Y} is an integer only if 24 divides m, {divisible[0]} at the least.", *steps),
        ),
        witness=Witness({"m": failing, "elements": counts[failing], "stated": SET_SIZE(m=failing)})
        if failing
        else None,
        tight=Tight(f"{SET_SIZE_EXACT}, exactly, taking ceil({LEAST_Y}) .. m", by_proof(steps))
        if right
        else None,
        repair=Repair(
            f"Draw y* from ceil({LEAST_Y}) .. m: {SET_SIZE_EXACT} >= {SET_SIZE} elements, for every m >= 1; "
            "no large m and no divisibility are needed.",
            by_proof(steps) if right else Verdict.UNDECIDED,
        ),
    )


@claim(
    "theorem-2/number-of-arms",
    statement=f"(x*, y*) is drawn from a set of cardinality {ARMS}, so there are {ARMS} arms.",
    where=PROOF,
)
def number_of_arms(request: Request) -> Outcome:
    """Count the pairs for small K and m; the count errs in the harmless direction."""
    sizes = [(K, m) for m in range(24, 97, 24) for K in range(1, 5)]
    counts = {(K, m): len([(x, y) for x in range(K) for y in _heights(m)]) for K, m in sizes}
    failing = next(((K, m) for K, m in sizes if counts[K, m] != ARMS(K=K, m=m)), None)
    right = all(counts[K, m] == ARMS_EXACT(K=K, m=m) for K, m in sizes)
    steps = [
        *size_steps(),
        for_all(
            "K q r integer",
            given=["K >= 1", "q >= 0", "0 <= r", "r < 24"],
            then="K * (q + 1) >= (24 * q + r) * K / 24",
            words=f"{ARMS_EXACT} >= {ARMS} (m = 24q + r)",
        ),
    ]
    return Outcome(
        after_search(failing, lambda size: counts[size] == ARMS_EXACT(K=size[0], m=size[1])),
        "no K, m",
        Evidence("the pairs counted; z3 for all m = 24q + r", len(sizes), tuple(steps)),
        witness=Witness(
            {
                "K": failing[0],
                "m": failing[1],
                "arms": counts[failing],
                "stated": ARMS(K=failing[0], m=failing[1]),
            }
        )
        if failing
        else None,
        repair=Repair(
            f"There are {ARMS_EXACT} >= {ARMS} arms, which is all that the lower bound needs.",
            by_proof(steps) if right else Verdict.UNDECIDED,
        ),
    )


@claim(
    "theorem-2/epsilon",
    statement=f"h_{{x*}}(y*) = {LOWEST_LOSS} for some eps in (0, 1), with eps**2 = {EPSILON_SQUARED}.",
    where=PROOF,
)
def epsilon(request: Request) -> Outcome:
    """Look for an eps in (0, 1) with which the loss is no loss."""
    candidates = [Fraction(i, 4) for i in range(1, 4)]
    failing = next((eps for eps in candidates if LOWEST_LOSS(eps=eps) < 0), None)
    exactly = [
        for_all("eps real", given=["eps > 0", "eps <= 1 / 2"], then=f"0 <= {LOWEST_LOSS}"),
        for_all("eps real", given=["eps > 1 / 2"], then=f"{LOWEST_LOSS} < 0"),
        for_all(
            "eps c m K T real",
            given=[
                "c > 0",
                "m >= 1",
                "K >= 1",
                "T >= 4 * c * m * K",
                "eps > 0",
                "eps * eps * T == c * m * K",
            ],
            then="eps <= 1 / 2",
        ),
    ]
    return Outcome(
        after_search(failing, lambda eps: Fraction(1, 2) - eps < 0),
        "eps <= 1/2",
        Evidence("a search over eps, and z3 for all real values", len(candidates), tuple(exactly)),
        witness=Witness({"eps": failing, "h_{x*}(y*)": LOWEST_LOSS(eps=failing)}) if failing else None,
        tight=Tight("eps <= 1/2, exactly; with the eps of the proof, T >= 4 c m K", by_proof(exactly)),
        repair=Repair("eps in (0, 1/2], that is, T >= 4 c m K.", by_proof(exactly)),
    )


def repaired_steps() -> list[Step]:
    """From the repaired steps to the repaired theorem, in terms of R = mK and root = sqrt(mKT)."""
    c, d = CONSTANT, CONSTANT_FOR_ALL_HORIZONS
    return [
        _all_hold("x* is missed with probability 1/12 (theorem-2/identification)", identification_steps()),
        _all_hold(
            "what the optimal policy loses (theorem-2/optimal-loss, /algebra)",
            [*optimal_loss_steps(), *algebra_steps()],
        ),
        _all_hold(
            "N = K (floor(m/24) + 1) >= mK/24, and N <= mK (theorem-2/number-of-arms)",
            [
                *size_steps(),
                for_all(
                    "m q K integer",
                    given=["m >= 1", "q >= 0", "24 * q <= m", "K >= 1"],
                    then="K * (q + 1) <= K * m",
                ),
            ],
        ),
        _all_hold("the needle of Proposition 1 (proposition-1-lower)", regret_steps()),
        _all_hold("a lower threshold (theorem-2/short-horizons)", threshold_steps()),
        for_all(
            "m T R N eps root regret real",
            given=[
                "m >= 1",
                "T >= 100 * m",
                "R >= m",
                "root >= 0",
                "root * root == R * T",
                "24 * N >= R",
                "eps > 0",
                "8 * eps * eps * T == N",
                "24 * regret >= eps * (T - 23 * m)",
            ],
            then=f"regret >= {c} * root",
            words=f"m <= T/100: eps (T - 23m)/24 with eps^2 = N/(8T) is at least {c} sqrt(mKT)",
        ),
        for_all(
            "m K T R root regret real",
            given=[
                "m >= 1",
                "K >= 2",
                "R == m * K",
                "T < 100 * m",
                "T >= R",
                "root >= 0",
                "root * root == R * T",
                "regret >= m * (K - 1) / 2",
            ],
            then=f"regret >= {c} * root",
            words=f"m > T/100: m(K - 1)/2 is at least {c} sqrt(mKT)",
        ),
        for_all(
            "m T few root regret real",
            given=[
                "m >= 1",
                "T >= 2 * m",
                "m * few > T - m",
                "m * few <= T",
                "root >= 0",
                "root * root == m * few * T",
                f"regret >= {c} * root",
            ],
            then=f"regret >= {d} * T",
            words=f"T < mK, m <= T/2: with floor(T/m) of the actions, the regret is at least {d} T",
        ),
        for_all(
            "T theta K regret real",
            given=["T >= 1", "K >= 2", "theta >= T / 2", "regret >= (1 - 1 / K) * theta"],
            then=f"regret >= {d} * T",
            words=f"T < mK, m > T/2: with theta = ceil(T/2), it is at least {d} T",
        ),
    ]


def size_steps() -> list[Step]:
    """ceil(23m/24) .. m has floor(m/24) + 1 >= m/24 elements; m = 24q + r."""
    return [
        for_all(
            "m q r y integer",
            given=["m == 24 * q + r", "0 <= r", "r < 24", "q >= 0"],
            then="(24 * y >= 23 * m and y >= m - q) or (24 * y < 23 * m and y < m - q)",
            words="y >= 23m/24 if and only if y >= m - floor(m/24)",
        ),
        identity("m - (m - q) + 1", "q + 1", words="so there are floor(m/24) + 1 such y up to m"),
        for_all(
            "m q r integer",
            given=["m == 24 * q + r", "0 <= r", "r < 24"],
            then="q + 1 >= m / 24",
            words="which is at least m/24",
        ),
    ]


def _all_hold(name: str, steps: list[Step]) -> Step:
    """One line for an argument that is told elsewhere, and carried out here again."""
    return Step(name, f"{len(steps)} steps, carried out again", all(step.holds for step in steps))


def _heights(memory: int) -> list[int]:
    least = LEAST_Y(m=memory)
    return [y for y in range(1, memory + 1) if y >= least]


def _largest_regret(bandit: TallyingBandit, horizon: int) -> Fraction:
    """The most that any player can regret."""
    sequences = list(definitions.everything(bandit, horizon))
    return max(definitions.policy_regret(bandit, actions, sequences) for actions in sequences)
