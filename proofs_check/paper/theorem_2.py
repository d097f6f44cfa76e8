"""Theorem 2: no player does better than sqrt(mKT), up to a constant."""

from fractions import Fraction

from proofs_check import definitions
from proofs_check.bounds import OPTIMISM_ENOUGH, OPTIMISM_GAP, OPTIMISM_GRID, OPTIMISM_LOG
from proofs_check.paper import theorem_1
from proofs_check.paper.theorem_1_steps import LOG_TERM, ROOT_TERM
from proofs_check.stating import Better, Outcome, Request, Verdict, claim, weakest
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Theorem 2 (thm:lower)"
BOUND = Formula("max(m * K, sqrt(m * K * T))")
SEVERAL_ACTIONS = {"actions": "K >= 2", "memory": "m >= 1"}
LONG = {**SEVERAL_ACTIONS, "horizon": "T >= m * K"}


@claim(
    "theorem-2",
    statement="There exist a tallying bandit problem and a constant c > 0 such that, for any (possibly "
    "randomized) algorithm on this problem, in expectation {stated}.",
    formulas={"bound": BOUND, "stated": "loss - OPT >= c * bound"},
    domain={"sizes": "K >= 1 and m >= 1 and T >= 1", "constant": "c > 0"},
    symbols={"c": "the constant"},
    uses=("theorem-2/all-horizons", "theorem-2/repaired"),
)
def theorem_2(request: Request) -> Outcome:
    """On every problem the algorithm that plays an optimal sequence of it, blindly, has no regret."""
    least = definitions.optimum(TallyingBandit([[1, 0], ["1/2", "1/2"]]), 4)
    whole, long = (request.result(f"theorem-2/{name}") for name in ("all-horizons", "repaired"))
    return request.conclude(
        None,
        box={"K": [2], "m": [2], "T": [4], "c": [Fraction(1, 10**6)], "loss": [least], "OPT": [least]},
        remarks=(
            "The quantifiers are the wrong way round: what is proved is that for every algorithm there is a "
            "problem. So read it still fails for K = 1, where every regret is 0, and for T < c mK, as no "
            "regret exceeds T.",
        ),
        repair=Better(
            f"For every player there is a problem with `{long.claim.formula('stated')}`, for "
            f"{long.claim.on}; and with `{whole.claim.formula('stated')}`, for {whole.claim.on}.",
            weakest(long.outcome.verdict, whole.outcome.verdict),
        ),
    )


@claim(
    "theorem-2/repaired",
    statement="(not in the paper: the theorem with its constant and where it holds) For every player there "
    "is a problem with {stated}.",
    formulas={"constant": "1 / 432", "bound": BOUND, "stated": "worst >= constant * bound"},
    domain=LONG,
    uses=("proposition-1-lower", "theorem-2/identification", "theorem-2/optimal-loss"),
)
def repaired(request: Request) -> Outcome:
    """The proof of the paper with the repaired steps; the needle of Proposition 1 for m > T/100."""
    needles = request.result("proposition-1-lower").outcome.repair
    return request.conclude(
        request.argue(
            "m <= T/100: with N = K(floor(m/24) + 1) arms, mK/24 <= N <= mK, and eps^2 = N/(8T), so eps <= "
            "1/2, the player misses (x*, y*) with probability 1/12 at every step (theorem-2/identification), "
            "even if the player may choose the state; pi loses at most T/2 - 23 eps (T - m)/24 "
            "(theorem-2/optimal-loss). So the regret is at least eps (T - 23m)/24 >= sqrt(mKT)/432.",
            "m > T/100: the needle of Proposition 1 has Bayes regret m(K - 1)/2 >= mK/4 for T >= mK.",
            on=("theorem-2/identification", "theorem-2/optimal-loss"),
        )
        if needles and needles.verdict in (Verdict.ARGUED, Verdict.PROVED)
        else None,
    )


@claim(
    "theorem-2/near-optimal",
    statement="Algorithm 1 is nearly minimax optimal: on its horizons, with probability at least 1 - delta, "
    "its regret is at most sqrt(mK) times logarithms times what every player suffers somewhere, {stated}.",
    where="Section 4.2, after Theorem 2",
    formulas={
        "stated": f"loss - OPT <= 1200 * 432 * sqrt(m * K) * ({ROOT_TERM} + {LOG_TERM}) * worst",
    },
    domain={**theorem_1.HORIZONS, "actions": "K >= 2"},
    assuming=(theorem_1.EVENT,),
    uses=("theorem-1/domain", "theorem-2/repaired"),
)
def near_optimal(request: Request) -> Outcome:
    """Divide the bound of Theorem 1 by the one of Theorem 2, on the horizons of Algorithm 1."""
    return request.conclude(
        request.argue(
            "Theorem 1 on its horizons (theorem-1/domain) has Km sqrt(T) = sqrt(mK) sqrt(mKT), and "
            "sqrt(mKT) <= 432 worst (theorem-2/repaired).",
        ),
        remarks=("The probability comes from Theorem 1; the regret of the other players is an expectation.",),
    )


@claim(
    "theorem-2/open-question",
    statement="(the paper leaves the gap between mK sqrt(T) and sqrt(mKT) open; not in the paper) It is "
    "closed up to the root of a logarithm for large T: the regret of optimistic-planner is {stated}.",
    where="Section 6, open directions",
    formulas={
        "enough": OPTIMISM_ENOUGH,
        "stated": f"loss - OPT <= {OPTIMISM_GAP} * sqrt({OPTIMISM_LOG}) * worst",
    },
    domain={**LONG, "long": "T >= enough", "probability": "0 < delta and delta < 1", "grid": OPTIMISM_GRID},
    assuming=("on the event of optimism/event, of probability at least 1 - delta",),
    uses=("optimism", "optimism/range", "theorem-2/repaired"),
)
def open_question(request: Request) -> Outcome:
    """The bound, and its range."""
    return request.conclude(
        request.argue(
            "The bound of optimism is at most that many times the worst regret (optimism/range), which is at "
            "least `sqrt(m * K * T) / 432` (theorem-2/repaired).",
        ),
        remarks=(
            "For T between the order of mK and of m^3 K it is open what is right.",
            "No assumption on the rows is made: for congested bandits, where the paper credits the bound "
            "sqrt(mKT) to increasing rows (Section 5), a bound of this order holds without them.",
        ),
    )
