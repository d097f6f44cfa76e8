"""Between T = mK and T = m^3 K: exploring first is better there than optimism, and the gap is m^(1/4).

Optimism is right up to sqrt(log) from T = m^3 K log T on; below that its starts of epochs cost m^2 K log T,
and against the lower bound sqrt(mKT) that is a gap of up to sqrt(m), near T = m^2 K, if nothing else is
played.

Stated here. Explore all cells n times, then repeat the best word of the estimates: the regret is at most
n K m + 2 T r + 2 (m - 1) where all estimates are within r (`short-horizons/explore`). At n = (T/(Km))^(2/3)
that is (1 + sqrt(2 ln(2KmT/delta))) (Km)^(1/3) T^(2/3) + 2 (m - 1) (`short-horizons/rate`). The better of
(Km)^(1/3) T^(2/3) and m^2 K is at most m^(1/4) sqrt(mKT) for all T >= Km, with equality at T = m^(5/2) K
(`short-horizons/gap`). So with the repaired Theorem 2 the minimax regret is known within m^(1/4), logarithms
and a constant, for T = Km v^6 with v^4 an integer; between such T the passes are rounded, which no claim
does.

Shown. Every cell is met once in a pass 0^m 1^m ... of Km steps, which costs at most 1 per step. What follows
is one epoch of optimism, with estimates in place of lower bounds.
"""

from __future__ import annotations

from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.ours.optimism.radii import MEAN_GIVEN_THE_PAST
from proofs_check.steps import Verdict, argued, conclusions, weakest
from proofs_check.ways.for_all import for_all
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness

WHERE = "Short horizons (ours, docs/findings.md)"
PASSES = {"n": "the number of passes over all cells", "r": "how far an estimate may be off"}
ROOTS = {"u": "the fourth root of m", "v": "the sixth root of T/(Km)"}


@claim(
    "short-horizons/explore",
    statement="If n passes over all cells leave every estimate within r of its loss, and a word of least "
    "estimated mean is repeated afterwards, rotated as in optimism, then {stated}.",
    where=WHERE,
    formulas={
        "bound": "n * K * m + 2 * T * r + 2 * (m - 1)",
        "stated": "loss - OPT <= bound",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "enough": "n * K * m <= T",
        "passes": "n >= 0",
        "radius": "r >= 0",
    },
    integers="K m T n",
    symbols=PASSES,
    assuming=("every estimate is within r of its loss",),
    uses=("optimism/epoch", "optimism/optimum"),
)
def explore(request: Request) -> Outcome:
    """The passes at 1 per step, then one epoch under the estimates, and the optimum from below."""
    f = request.formulas
    variables = "K m T n q rest integer; loss OPT least mean estimated r real"
    rest = definition("the steps after the passes", "rest == T - n * K * m", "rest")
    off = argued(
        "each step loses at most r more than its estimate, and the best word at most r less",
        then="loss <= n * K * m + estimated + rest * r and mean <= least + r and 0 <= least and least <= 1",
    )
    epoch = request.quote("optimism/epoch", lost="estimated", length="rest", low="mean", p="n * K * m", n="q")
    word = definition("the word that is repeated", "q >= 1 and mean >= 0", "q")
    last = for_all(
        variables,
        given=[*request.domain, rest, word, epoch, request.quote("optimism/optimum"), *conclusions(off)],
        then=f.stated,
        words="everything added up",
    )
    return request.conclude(request.show("stated", [off, last]), method="one epoch of optimism, z3")


@claim(
    "short-horizons/rate",
    statement="With T = K m v^6, n = v^4 passes and the radius of n observations, the regret of "
    "exploring first satisfies {stated}.",
    where=WHERE,
    formulas={
        "radius": "sqrt(level / (2 * n))",
        "stated": "loss - OPT <= (1 + sqrt(2 * level)) * K * m * v**4 + 2 * (m - 1)",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "root": "v >= 1",
        "horizon": "T == K * m * v**6",
        "passes": "n == v**4",
        "logarithm": "level >= 0",
        "width": "r == radius",
    },
    integers="K m T n",
    symbols={**PASSES, **ROOTS, "level": "the logarithm of 2KmT/delta"},
    assuming=(
        "the event of optimism/event, of probability at least 1 - delta",
        MEAN_GIVEN_THE_PAST,
        "n passes meet every cell n times, as they do for K >= 2",
    ),
    uses=("short-horizons/explore",),
)
def rate(request: Request) -> Outcome:
    """The best number of passes, put in."""
    f = request.formulas
    variables = "K m T n integer; v level r loss OPT real"
    width = for_all(
        variables,
        given=[f.root, f.passes, f.logarithm, f.width],
        then="2 * v**2 * r == sqrt(2 * level) and r >= 0",
        words="the radius after v^4 observations",
    )
    steps = for_all(
        variables,
        given=[f.actions, f.memory, f.root, f.horizon, f.passes],
        then="n * K * m <= T and n >= 0",
        words="the passes fit",
    )
    product = for_all(
        variables,
        given=[f.horizon, *conclusions(width)],
        then="2 * T * r == K * m * v**4 * sqrt(2 * level)",
        words="what the radii cost",
    )
    last = for_all(
        variables,
        given=[
            *(f.actions, f.memory, f.passes),
            *conclusions(width, steps, product),
            request.quote("short-horizons/explore"),
        ],
        then=f.stated,
        words="both parts are of the same order",
    )
    return request.conclude(request.show("stated", [width, steps, product, last]), method="z3")


@claim(
    "short-horizons/gap",
    statement="With m = u^4 and T = K m v^6, the better of the two rates, m^2 K and (Km)^(1/3) T^(2/3) = "
    "K m v^4, satisfies {stated}.",
    where=WHERE,
    formulas={
        "rates": "min(m**2 * K, K * m * v**4)",
        "forced": "u * sqrt(m * K * T)",
        "stated": "rates <= forced",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m == u**4",
        "one": "u >= 1",
        "root": "v >= 1",
        "horizon": "T == K * m * v**6",
    },
    symbols=ROOTS,
)
def gap(request: Request) -> Outcome:
    """min(u^4, v^4) <= u v^3, and sqrt(mKT) = m K v^3."""
    f = request.formulas
    variables = "K m T u v real"
    least = for_all(
        "u v real",
        given=["u >= 1", "v >= 1"],
        then="min(u**4, v**4) <= u * v**3",
        words="the smaller of the two, once as a power of u and three times of v",
    )
    root = for_all(
        "a v x real",
        given=["a >= 1", "v >= 1", "x == a**2 * v**6"],
        then="sqrt(x) == a * v**3",
        words="the lower bound's root",
    )
    sizes = for_all(
        variables,
        given=[f.actions, f.one, f.memory, f.horizon],
        then="m >= 1 and K * m >= 1 and m * K * T == (K * m)**2 * v**6",
    )
    common = for_all(
        variables,
        given=[f.memory],
        then="m**2 * K == K * m * u**4",
    )
    scaled = for_all(
        "a u v real",
        given=["a >= 1", least.at()],
        then="implies(u >= 1 and v >= 1, min(a * u**4, a * v**4) <= u * (a * v**3))",
        words="the same, K m times",
    )
    last = for_all(
        variables,
        given=[
            *(f.one, f.root, *conclusions(sizes, common)),
            root.at(a="K * m", x="m * K * T"),
            scaled.at(a="K * m"),
        ],
        then=f.stated,
        words="both together",
    )
    shown = request.show("stated", [least, root, sizes, common, scaled, last])
    meets = f.rates(K=2, m=16, v=2) == f.forced(K=2, m=16, u=2, T=2048)
    return request.conclude(
        shown,
        method="z3",
        tight=Tight(
            "attained at v = u, that is T = m^(5/2) K",
            weakest(shown.verdict, Verdict.CHECKED),
            Witness({"K": 2, "m": 16, "T": 2048}),
        )
        if meets
        else None,
    )
