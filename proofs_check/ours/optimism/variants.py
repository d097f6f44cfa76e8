"""Optimism, its variants: no horizon, fewer epochs, any start, plans within gaps.

A cell of the learner with few epochs has levels, 1 and level + max(level, floor(m sqrt(level / log))), and
ends an epoch at each. CARMAB goes to its cycle on a shortest way, at most m - 1 letters, and enters it
anywhere.
"""

from proofs_check.bounds import CARMAB, OPTIMISM_ANYTIME, OPTIMISM_FEW_EPOCHS, OPTIMISM_WITHIN_GAPS
from proofs_check.ours.optimism.bound import ARGUMENT, CELLS, COUNTED, FEW, OVERHEAD, STEPS, Regret
from proofs_check.ours.optimism.cells import LOGARITHM, MEAN_GIVEN_THE_PAST, SEEN, SIZES
from proofs_check.stating import Outcome, Request, Setting, claim

WHERE = "Optimism (ours, docs/optimism.md)"
GAP = (
    "what the words of the epochs may lose beyond the least means of the lower tables, summed over the steps"
)
CELLS_ANYTIME = "excess <= (2 + sqrt(2)) * sqrt(K * m * T * log(K * m * sqrt(T + 1) / delta))"
CELLS_AND_EPOCHS = (
    "excess + (m - 1) * (epochs - 1) <= (3 + 2 * sqrt(2)) * sqrt(K * m * T * log(2 * K * m * T / delta)) + 1 "
    "+ K * m * (m + (1 + sqrt(2)) * m * (2 + log2(log2(max(2, m**2 / log(2 * K * m * T / delta))))))"
)
OVERHEAD_ANY_START = "regret <= excess + 2 * (m - 1) * epochs + (m - 1)"
OVERHEAD_GAPS = f"{OVERHEAD} + gap"
ANYTIME = Setting(
    define={
        "radius(K, m, delta, n)": "sqrt((1 + 1 / n) * log(K * m * sqrt(n + 1) / delta) / (2 * n))",
        "width(K, m, delta, n)": "1 if n == 0 else 2 * radius(delta, n) + 3 / (512 * n**2)",
        "spent(b, K, m, delta, k)": "0 then before + (b(k) - b(k - 1)) * width(delta, b(k - 1))",
    }
)
LEVELS = Setting(
    define={
        **LOGARITHM,
        "log2(r)": "log(r) / log(2)",
        "level(K, m, T, delta, j)": "1 then "
        "before + max(before, floor(m * sqrt(before / logarithm(T, delta))))",
    },
    variables="r real",
)


@claim(
    "optimism/anytime-event",
    statement="The probability that for some cell and some n >= 1 the mean of its first n observations is "
    "off by more than r(n) = {radius} satisfies {stated}.",
    formulas={
        "radius": "sqrt((1 + 1 / n) * log(K * m * sqrt(n + 1) / delta) / (2 * n))",
        "stated": "missing <= delta",
    },
    domain={**{one: SIZES[one] for one in ("actions", "memory", "probability")}, "number": "n >= 1"},
    symbols={"missing": "that probability", "n": "a number of observations"},
    assuming=(MEAN_GIVEN_THE_PAST,),
)
def anytime_event(request: Request) -> Outcome:
    """A mixture of exponential supermartingales at each cell, Ville's inequality, and a union bound."""
    return request.conclude(
        request.argue(
            "Hoeffding's lemma: exp(x S(n) - x^2 n / 8) is a supermartingale for every x, and so is its "
            "mixture over a normal x of variance 4, exp(2 S(n)^2 / (n + 1)) / sqrt(n + 1).",
            "Ville's inequality: it ever exceeds K m / delta with probability at most delta / (K m).",
            f"Off by more than `{request.formulas.radius}`: 2 S^2 / (n + 1) > log(K m sqrt(n + 1) / delta), "
            "so the mixture is above K m / delta. The probabilities of the K m cells add up.",
        ),
        remarks=("No horizon occurs: the event is one for all T.",),
    )


@claim(
    "optimism/anytime-cell",
    statement="With the radii of optimism/anytime-event, all visits to a cell in k epochs cost beyond its "
    "lower bounds {stated}.",
    formulas={
        "stated": "spent(b, delta, k) <= (2 + sqrt(2)) * sqrt(log(K * m * sqrt(T + 1) / delta)) * sqrt(b(k))"
    },
    domain={
        **SIZES,
        "epochs": "k >= 0",
        "unseen": "b(0) == 0",
        "stops": "all(b(s - 1) <= b(s) <= b(s - 1) + max(1, b(s - 1)) for s in between(1, k))",
        "counts": "b(k) <= T",
    },
    setting=ANYTIME,
    symbols={"k": "the number of epochs", "b": "b(k), how often the cell was seen in k epochs"},
)
def anytime_cell(request: Request) -> Outcome:
    """Roots that telescope, and what they leave pays for the first visit and the rounding."""
    return request.conclude(
        request.argue(
            "Write l(n) = log(K m sqrt(n + 1) / delta) <= l = l(T) for n <= T. For v <= n, 2 v radius(n) <= "
            "sqrt(l) (g(n + v) - g(n)): with a = sqrt(n), b = sqrt(n + v) <= sqrt(2) a this is (b + a) "
            "sqrt(2) sqrt(n + 1) b <= a^2 b (2 + sqrt(2)) + a (1 + sqrt(2)), as 2 a sqrt(n + 1) <= 2 n + 1.",
            "The rounding telescopes too: v 3 / (512 n^2) <= 3/256 (1/n - 1/(n + v)). The first visit costs "
            "1. So a cell that was seen N >= 1 times costs at most "
            "1 + 3/256 + sqrt(l) ((2 + sqrt(2)) sqrt(N) - 1 - (1 + sqrt(2)) / sqrt(N)).",
            "1 + 3/256 <= sqrt(l) (1 + (1 + sqrt(2)) / sqrt(N)): for N <= 6 since l >= log(2)/2, beyond "
            "since l >= log(8)/2.",
        ),
        box={"K": [1, 2], "m": [1, 2], "T": [1, 4, 16], "delta": ["1/20", "9/10"], "k": range(5), "b": SEEN},
    )


@claim(
    "optimism/levels",
    statement="The levels of a cell begin with level(0) = 1. If level(j) is below `m**2 / log(2 * K * m * T "
    "/ delta)`, then {stated}.",
    formulas={"few": "log2(log2(max(2, m**2 / logarithm(T, delta))))", "stated": "j <= 1 + few"},
    domain={**SIZES, "number": "j >= 0", "small": "level(T, delta, j) < m**2 / logarithm(T, delta)"},
    setting=LEVELS,
    symbols={"j": "the number of levels before it"},
)
def levels(request: Request) -> Outcome:
    """The logarithm of m^2 / log, divided by the level, halves from one level to the next."""
    return request.conclude(
        request.argue(
            "Write A = m^2 / log. The level l' after l is at least 2 l, and at least l + floor(sqrt(A l)) >= "
            "sqrt(A l): so A / l' <= sqrt(A / l), and 2^j log(A / level(j)) <= log(A).",
            "Two levels before one that is below A, the quotient is above 4, as levels double: so "
            "2^(j - 2) log(4) <= log(A), that is 2^(j - 1) <= log2(A), for j >= 2.",
            "For j <= 1 nothing is to be shown, as few >= 0.",
        ),
        box={
            "K": [1, 3],
            "m": [1, 2, 10, 100, 1000],
            "T": [1, 1000],
            "delta": ["1/2", "99/100"],
            "j": range(6),
        },
    )


VARIANTS = (
    Regret(
        "optimism/anytime",
        "optimistic-planner-anytime, which does not know T,",
        OPTIMISM_ANYTIME,
        (OVERHEAD, CELLS_ANYTIME, FEW),
        (
            *ARGUMENT,
            "The K m cells cost at most F times the sum of sqrt(N_c), with F = (2 + sqrt(2)) "
            "sqrt(log(Km sqrt(T + 1)/delta)) (optimism/anytime-cell), and the sum is at most sqrt(K m T).",
            COUNTED[1],
        ),
        "The event does not depend on T.",
        (*STEPS, "lemma-7/step-ii", "optimism/anytime-cell", "optimism/anytime-event", "optimism/epochs"),
        SIZES,
        horizons="For every tallying bandit and all T >= 1 at once",
    ),
    Regret(
        "optimism/few-epochs",
        "optimistic-planner-few-epochs",
        OPTIMISM_FEW_EPOCHS,
        (OVERHEAD, CELLS_AND_EPOCHS),
        (
            *ARGUMENT,
            "Below A = m^2 / log the visits from a level to the next are at most m sqrt(level / log), and "
            "cost at most sqrt(2) m; with the m - 1 of the epoch that ends there, (1 + sqrt(2)) m. There are "
            "at most 2 + log2(log2(max(2, A))) such levels (optimism/levels); the first visit costs 1.",
            "From A on a level doubles, m <= sqrt(log level), and both together cost at most (3 + 2 sqrt(2)) "
            "sqrt(log) times the growth of the root of the count. The roots add up to sqrt(K m T) "
            "(lemma-7/step-ii), the rounding to 1.",
        ),
        "With few epochs their starts cost less than the root.",
        (*STEPS, "lemma-7/step-ii", "optimism/event", "optimism/levels"),
    ),
    Regret(
        "optimism/carmab",
        "carmab",
        CARMAB,
        (OVERHEAD_ANY_START, CELLS, FEW),
        (
            *ARGUMENT,
            "Entered anywhere, a stretch of the cycle loses at most m - 1 more than its mean: what is left "
            "of the period, repeated, has at least the least mean, and differs in its first m - 1 steps "
            "only. So an epoch costs 2 (m - 1) in place of m - 1.",
            *COUNTED,
        ),
        "The radius and the way to the cycle are ours; the paper's bound has a constant that is not given.",
    ),
    Regret(
        "optimism/within-gaps",
        "optimistic-planner-within-gaps",
        OPTIMISM_WITHIN_GAPS,
        (OVERHEAD_GAPS, CELLS, FEW),
        (
            *ARGUMENT,
            "A plan whose mean is within a gap of the least adds this gap in every step of its epoch.",
            *COUNTED,
        ),
        "The learner sums up the gaps, certified by its planner: they are at least the true ones.",
        symbols={"gap": GAP},
    ),
)

for _variant in VARIANTS:
    _variant.register()
