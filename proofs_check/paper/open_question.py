"""The gap between mK sqrt(T) and sqrt(mKT), which the paper leaves open; congested bandits."""

from proofs_check.bounds import OPTIMISM_ENOUGH, OPTIMISM_GAP, OPTIMISM_GRID, OPTIMISM_LOG
from proofs_check.stating import Outcome, Request, claim


@claim(
    "theorem-2/open-question",
    statement="(the paper leaves the gap between mK sqrt(T) and sqrt(mKT) open; not in the paper) It is "
    "closed up to the root of a logarithm for large T: the regret of optimistic-planner is {stated}.",
    where="Section 6, open directions",
    formulas={
        "enough": OPTIMISM_ENOUGH,
        "stated": f"loss - OPT <= {OPTIMISM_GAP} * sqrt({OPTIMISM_LOG}) * worst",
    },
    domain={
        "actions": "K >= 2",
        "memory": "m >= 1",
        "horizon": "T >= m * K",
        "long": "T >= enough",
        "probability": "0 < delta and delta < 1",
        "grid": OPTIMISM_GRID,
    },
    assuming=("on the event of optimism/event, of probability at least 1 - delta",),
    uses=("optimism", "optimism/range"),
)
def open_question(request: Request) -> Outcome:
    """The bound, and its range."""
    return request.conclude(
        request.argue(
            "The regret is at most the bound (optimism), and the bound is at most that many times the worst "
            "regret of any player (optimism/range).",
        ),
        remarks=(
            "For T between the order of mK and of m^3 K it is open what is right.",
            "No assumption on the rows is made: for congested bandits, where the paper credits the bound "
            "sqrt(mKT) to increasing rows (Section 5), a bound of this order holds without them.",
        ),
    )
