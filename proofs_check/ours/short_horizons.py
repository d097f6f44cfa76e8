"""Between T = mK and T = m^3 K: exploring first is better there than optimism, and the gap is m^(1/4)."""

from proofs_check.ours.optimism.cells import MEAN_GIVEN_THE_PAST
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, Witness, claim, weakest

WHERE = "Short horizons (ours, docs/findings.md)"
PASSES = {"n": "the number of passes over all cells", "r": "how far an estimate may be off"}
ROOTS = {"u": "the fourth root of m", "v": "the sixth root of T/(Km)"}
NUMBERS = Setting(variables="r u v level regret lost low optimum real")


@claim(
    "short-horizons/explore",
    statement="If n passes over all cells leave every estimate within r of its loss, and a word of least "
    "estimated mean is repeated afterwards, rotated as in optimism, then {stated}.",
    formulas={
        "bound": "n * K * m + 2 * T * r + 2 * (m - 1)",
        "stated": "regret <= bound",
        "added": "implies(regret <= n * K * m + lost + (T - n * K * m) * r - optimum and "
        "lost <= (T - n * K * m) * low + (m - 1) * (1 - low) and 0 <= low and "
        "T * (low - r) <= optimum + m - 1, regret <= bound)",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "enough": "n * K * m <= T",
        "passes": "n >= 0",
        "radius": "r >= 0",
    },
    setting=NUMBERS,
    symbols={
        **PASSES,
        "lost": "what the steps after the passes lose under the estimates",
        "low": "the least mean under the estimates",
        "optimum": "OPT",
    },
    assuming=("every estimate is within r of its loss",),
    model={"K": 2, "m": 2, "T": 9, "n": 1, "r": 0, "regret": 0, "lost": 0, "low": 0, "optimum": 0},
    uses=("optimism/epoch", "optimism/optimum"),
)
def explore(request: Request) -> Outcome:
    """The passes at 1 per step, then one epoch under the estimates, and the optimum from below."""
    return request.conclude(
        request.argue(
            "The passes lose at most 1 per step, and each later step at most r more than its estimate.",
            "What follows the passes is one epoch under the estimates (optimism/epoch).",
            "The estimates minus r are a lower table: T (low - r) <= OPT + m - 1 (optimism/optimum).",
            given=[request.proof("added").shown()],
        ),
    )


@claim(
    "short-horizons/rate",
    statement="With T = K m v^6, n = v^4 passes and the radius of n observations, the regret of "
    "exploring first satisfies {stated}.",
    formulas={
        "bound": "(1 + sqrt(2 * level)) * K * m * v**4 + 2 * (m - 1)",
        "stated": "regret <= bound",
        "added": "implies(regret <= n * K * m + 2 * T * r + 2 * (m - 1), regret <= bound)",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "root": "v >= 1",
        "horizon": "T == K * m * v**6",
        "passes": "n == v**4",
        "logarithm": "level >= 0",
        "width": "r == sqrt(level / (2 * n))",
    },
    setting=NUMBERS,
    symbols={**PASSES, **ROOTS, "level": "the logarithm of 2KmT/delta"},
    assuming=(
        "the event of optimism/event, of probability at least 1 - delta",
        MEAN_GIVEN_THE_PAST,
        "n passes meet every cell n times, as they do for K >= 2",
    ),
    model={"K": 2, "m": 2, "T": 4, "n": 1, "v": 1, "level": 2, "r": 1, "regret": 0},
    uses=("short-horizons/explore",),
)
def rate(request: Request) -> Outcome:
    """The best number of passes, put in."""
    p = request.proof("added")
    p.have("2 * (v * v) * r == sqrt(2 * level)")
    p.have("2 * T * r == K * m * (v * v * v * v) * (2 * (v * v) * r)")
    return request.conclude(
        request.argue(
            "short-horizons/explore, at the radius of n observations; both parts are of one order.",
            given=[p.shown()],
        ),
    )


@claim(
    "short-horizons/gap",
    statement="With m = u^4 and T = K m v^6, the better of the two rates, m^2 K and (Km)^(1/3) T^(2/3) = "
    "K m v^4, satisfies {stated}.",
    formulas={
        "rates": "min(m * m * K, K * m * v**4)",
        "forced": "u * sqrt(m * K * T)",
        "stated": "rates <= forced",
        "less": "rates < forced",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m == u**4",
        "one": "u >= 1",
        "root": "v >= 1",
        "horizon": "T == K * m * v**6",
    },
    setting=NUMBERS,
    symbols=ROOTS,
    model={"K": 1, "m": 1, "T": 1, "u": 1, "v": 1},
)
def gap(request: Request) -> Outcome:
    """min(u^4, v^4) <= u v^3, and sqrt(mKT) = m K v^3."""
    p = request.proof()
    p.have("min(u**4, v**4) <= u * v**3")
    p.have("sqrt(m * K * T) == m * K * v**3")
    shown, case = p.shown(), {"K": 2, "m": 16, "T": 2048, "u": 2, "v": 2}
    return request.conclude(
        shown,
        box={"K": [1, 2], "m": [1, 16], "T": [1, 2, 16, 64, 128, 1024, 2048], "u": [1, 2], "v": [1, 2]},
        tight=Better(
            "attained at `v == u`, that is `T == m**(5 / 2) * K`",
            weakest(shown.verdict, Verdict.CHECKED),
            Witness({"K": 2, "m": 16, "T": 2048}),
        )
        if request.sequent("less").holds(case) is False
        else None,
    )
