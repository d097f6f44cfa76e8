"""Theorem 2, the step from best arm identification: x* is missed with probability 1/12 at every step.

Stated in the proof, quoted from Slivkins. With eps^2 = c N/T for N arms and a suitable c, at each step up to
T the algorithm misses the best arm with probability at least 1/12, on average over the arm.

Shown, for c = 1/8 and 2 <= N <= T. World 0: every arm has mean 1/2; world i: arm i has mean 1/2 - eps. A
player's choice at step t is a function of T - 1 observations at most, so P_i(choice = i) - P_0(choice = i) is
at most sqrt(KL(P_0, P_i)/2) (Pinsker), and KL(P_0, P_i) = E_0[plays of i] kl with kl = -ln(1 - 4 eps^2)/2 <=
4 ln(2) eps^2 (chain rule; convexity for 4 eps^2 <= 1/2). The plays sum to at most T. On average over i,

    P_i(choice = i) <= 1/N + sqrt(T kl/(2N)) <= 1/2 + sqrt(2 ln(2) c) = 1/2 + sqrt(ln(2)/4) < 11/12.

Every inequality on the way is a step. The largest mean number of hits is also computed exactly for small N
and T.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import isqrt

from proofs_check.bayes.bernoulli import bernoulli_regret
from proofs_check.bayes.constructions import construction
from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, after_search, by_proof, claim
from proofs_check.steps import Step
from proofs_check.ways.arguments import settled
from proofs_check.ways.balls import decimal, less
from proofs_check.ways.for_all import equal_zero, for_all, identity
from tallyplan.formula import Formula, exact_root

PROOF = "Theorem 2, proof (thm:lower)"
MISSED = Formula("1 / 12")
CONSTANT = Fraction(1, 8)
HIT = Formula("1 / N + sqrt(2 * log(2) * c)")
LOWER = Formula("sqrt(m * K * T) / 432")

Counts = tuple[tuple[int, int], ...]  # for each arm, how many losses 1 and 0 were seen


@claim(
    "theorem-2/identification",
    statement=(
        "With eps**2 = c N / T for a constant c > 0, at each timestep up to T the algorithm does not select "
        f"the arm of mean 1/2 - eps among N with probability at least {MISSED}."
    ),
    where=PROOF,
)
def identification(request: Request) -> Outcome:
    """Carry out Pinsker's argument for 2 <= N <= T; compute the largest mean hits for small N and T."""
    sizes = _box(request)
    rates = {(N, T): most_hits(N, T, exact_root(CONSTANT * N / T)) / T for N, T in sizes}
    failing = next((size for size in sizes if rates[size] > 1 - MISSED()), None)
    steps = identification_steps()
    shown = ", ".join(f"{float(rate):.3f} (N = {N}, T = {T})" for (N, T), rate in rates.items())
    return Outcome(
        settled(failing, _hit_too_often, steps),
        f"c = {CONSTANT}, 2 <= N <= T",
        Evidence(
            "Pinsker's inequality and the chain rule, step by step; exact mean hits on a box",
            len(sizes),
            (*steps, f"The largest mean fraction of hits of any player, exactly (shown rounded): {shown}."),
        ),
        witness=Witness(dict(zip(("N", "T"), failing, strict=True))) if failing else None,
        tight=Tight(
            f"this argument reaches {MISSED} for c up to about {decimal(_largest_constant(), 4)}",
            by_proof(steps),
        ),
    )


@claim(
    "theorem-2/exact-bayes",
    statement=(
        "On the construction with y* = m, K = 2 and the best eps, the expected regret of every player is at "
        f"least {LOWER} (the constant of the repaired theorem)."
    ),
    where="Theorem 2 (thm:lower), small analogue",
)
def exact_bayes(request: Request) -> Outcome:
    """The least Bayes regret over all players, by a recursion over counts and runs, for several eps."""
    sizes = [(1, 16), (2, 12), (3, 12)] + ([(1, 36), (2, 20), (4, 16)] if request.thorough else [])
    grid = [Fraction(i, 16) for i in range(1, 8)]
    best = {}
    for m, T in sizes:
        request.progress(f"theorem-2/exact-bayes: m = {m}, T = {T}")
        best[m, T] = max((_bayes_regret(m, T, eps), eps) for eps in grid)
    failing = next((size for size in sizes if not _above(best[size][0], size)), None)
    shown = "; ".join(
        f"m = {m}, T = {T}: {value} at eps = {eps}, about {float(value) / (2 * m * T) ** 0.5:.3f} sqrt(mKT)"
        for (m, T), (value, eps) in best.items()
    )
    return Outcome(
        after_search(failing, lambda size: not _above(_bayes_regret(*size, best[size][1]), size)),
        "K = 2, (m,T) = " + ", ".join(f"({m},{T})" for m, T in sizes) + ", y* = m",
        Evidence("exact recursion over what a player can know", len(sizes) * len(grid), (f"{shown}.",)),
        witness=Witness(dict(zip(("m", "T"), failing, strict=True))) if failing else None,
    )


def _largest_constant() -> Formula:
    """HIT = 1 - MISSED at N = 2, solved for c."""
    return Formula(f"(1 / 2 - {MISSED})**2 / (2 * log(2))")


def identification_steps() -> list[Step]:
    """Pinsker's inequality, the chain rule, and the numbers."""
    return [*_tangent(), *_fewer_outcomes(), *_pinsker(), *_chain_rule(), *_numbers()]


def _tangent() -> list[Step]:
    import sympy

    u = sympy.Symbol("u", positive=True)
    return [
        equal_zero(sympy.diff(u - 1 - sympy.log(u), u) - (u - 1) / u, words="(u - 1 - ln u)' = (u - 1)/u"),
        for_all(
            "u real",
            given=["u > 0"],
            then="(u >= 1 and (u - 1) / u >= 0) or (u < 1 and (u - 1) / u < 0)",
            words="it has the sign of u - 1, so u - 1 - ln u >= 0, with its minimum 0 at u = 1",
        ),
    ]


def _fewer_outcomes() -> list[Step]:
    return [
        identity(
            "a * (b * A / (a * B) - 1)",
            "b * A / B - a",
            words="ln(u) <= u - 1 at u = bA/(aB): a ln(a/b) >= a ln(A/B) + a - bA/B for each outcome",
        ),
        identity(
            "B * A / B - A",
            "0",
            words="summed over outcomes (a to A, b to B): lumping outcomes together lowers KL",
        ),
    ]


def _pinsker() -> list[Step]:
    import sympy

    p, q = sympy.symbols("p q", positive=True)
    rest = p * sympy.log(p / q) + (1 - p) * sympy.log((1 - p) / (1 - q)) - 2 * (p - q) ** 2
    return [
        equal_zero(
            sympy.diff(rest, q) - (q - p) * (1 - 2 * q) ** 2 / (q * (1 - q)),
            words="d/dq (kl(p, q) - 2 (p - q)^2) = (q - p)(1 - 2q)^2/(q (1 - q))",
        ),
        for_all(
            "p q real",
            given=["0 < q", "q < 1"],
            then="(q >= p and (q - p) * (1 - 2*q)**2 / (q * (1 - q)) >= 0) or (q < p and (q - p) * (1 - "
            "2*q)**2 / (q * (1 - q)) <= 0)",
            words="it has the sign of q - p, so kl(p, q) >= 2 (p - q)^2, with 0 at q = p",
        ),
    ]


def _chain_rule() -> list[Step]:
    import sympy

    a, b, x = sympy.symbols("a b x", positive=True)
    slack = 2 * sympy.log(2) * x + sympy.log(1 - x)
    return [
        equal_zero(
            sympy.expand_log(sympy.log(a * b)) - sympy.log(a) - sympy.log(b),
            words="ln(ab) = ln a + ln b: the log ratio of a transcript is a sum over its steps, 0 for other "
            "arms than i; so KL(P_0, P_i) = E_0[plays of i] kl",
        ),
        identity(
            "(1/2) / (1/2 - e) * ((1/2) / (1/2 + e))",
            "1 / (1 - 4 * e**2)",
            words="kl = (ln((1/2)/(1/2 - eps)) + ln((1/2)/(1/2 + eps)))/2 = -ln(1 - 4 eps^2)/2",
        ),
        equal_zero(
            sympy.diff(slack, x, 2) + 1 / (1 - x) ** 2, words="(2 ln(2) x + ln(1 - x))'' = -1/(1 - x)^2 < 0"
        ),
        equal_zero(
            slack.subs(x, 0) + sympy.expand_log(slack.subs(x, sympy.Rational(1, 2)), force=True),
            words="it is 0 at x = 0 and x = 1/2, so -ln(1 - x) <= 2 ln(2) x between, and kl <= 4 ln(2) eps^2",
        ),
    ]


def _numbers() -> list[Step]:
    reached = less(HIT, Formula(f"1 - {MISSED}"), N=2, c=CONSTANT)
    return [
        for_all(
            "r s real",
            given=["r >= 0", "s > 0"],
            then="r <= (r * r / s + s) / 2",
            words="r <= (r^2/s + s)/2: a mean of roots is at most the root of the mean",
        ),
        identity(
            f"T * (4 * g * {CONSTANT} * N / T) / (2 * N)",
            f"2 * g * {CONSTANT}",
            words=f"T kl/(2N) <= 2 ln(2) c, c = {CONSTANT} (g stands for ln 2)",
        ),
        for_all(
            "N T x real",
            given=["2 <= N", "N <= T", f"x * T == 4 * {CONSTANT} * N"],
            then="x <= 1 / 2 and 1 / N <= 1 / 2",
            words="4 eps^2 <= 1/2 and 1/N <= 1/2, as 2 <= N <= T",
        ),
        Step(f"{HIT} < 1 - {MISSED} at N = 2, c = {CONSTANT}", "Arb balls", reached),
    ]


def most_hits(arms: int, horizon: int, eps: Fraction) -> Fraction:
    """The largest mean number of plays of the hidden arm, exactly.

    Relative to world 0, where every loss is a fair coin, a transcript has weight (1 - 2 eps)^ones (1 + 2
    eps)^zeros in world i, counted on arm i.
    """
    one, zero = 1 - 2 * eps, 1 + 2 * eps

    @cache
    def hits(seen: Counts, steps: int) -> Fraction:
        if not steps:
            return Fraction(0)
        return max(_after_play(seen, i, steps) for i in range(arms))

    def _after_play(seen: Counts, i: int, steps: int) -> Fraction:
        ones, zeros = seen[i]
        further = [
            hits(tuple(sorted((*seen[:i], counts, *seen[i + 1 :]))), steps - 1)
            for counts in ((ones + 1, zeros), (ones, zeros + 1))
        ]
        return one**ones * zero**zeros + sum(further, Fraction(0)) / 2

    return hits(((0, 0),) * arms, horizon) / arms


def _bayes_regret(memory: int, horizon: int, eps: Fraction) -> Fraction:
    """The least expected regret of a player, K = 2 and y* = m."""
    return bernoulli_regret(construction(2, memory, horizon, eps, memory)).value


def _hit_too_often(size: tuple[int, int]) -> bool:
    """Does staying with an arm until it shows a loss of 1, then moving on, hit more often than stated?"""
    arms, horizon = size
    eps = exact_root(CONSTANT * arms / horizon)
    return _hits_of_staying(arms, horizon, eps) / horizon > 1 - MISSED()


def _hits_of_staying(arms: int, horizon: int, eps: Fraction) -> Fraction:
    """The mean hits of that player; arm 0 is the hidden one, and the first arm is random."""

    @cache
    def hits(arm: int, steps: int) -> Fraction:
        if not steps:
            return Fraction(0)
        loss = Fraction(1, 2) - (eps if arm == 0 else 0)
        further = loss * hits((arm + 1) % arms, steps - 1) + (1 - loss) * hits(arm, steps - 1)
        return int(arm == 0) + further

    return sum((hits(arm, horizon) for arm in range(arms)), Fraction(0)) / arms


def _above(regret: Fraction, size: tuple[int, int]) -> bool:
    """Is the regret above the bound? Decided by balls."""
    return less(LOWER, Formula(str(regret)), m=size[0], K=2, T=size[1]) is True


def _box(request: Request) -> list[tuple[int, int]]:
    """Sizes (N, T) with a rational eps, N <= T."""
    longest = 25 if request.thorough else 16
    return [(N, T) for N in (2, 3, 4) for T in range(N, longest + 1) if _rational(N, T) and T**N <= 10**5]


def _rational(arms: int, horizon: int) -> bool:
    square = CONSTANT * arms / horizon
    return (
        isqrt(square.numerator) ** 2 == square.numerator
        and isqrt(square.denominator) ** 2 == square.denominator
    )
