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

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isqrt

from proofs_check.bayes.bernoulli import bernoulli_regret
from proofs_check.bayes.constructions import construction
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Step, argued, conclusions
from proofs_check.ways.analysis import derivative, in_balls
from proofs_check.ways.balls import decide, decimal
from proofs_check.ways.for_all import for_all, identity
from proofs_check.ways.laws import grows, log_of_one
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula, exact_root

PROOF = "Theorem 2, proof (thm:lower)"
MISSED = Formula("1 / 12")
CONSTANT = Formula("1 / 8")
LOWER = Formula("sqrt(m * K * T) / 7")
SIXTEENTHS = tuple(Fraction(i, 16) for i in range(1, 8))  # the eps that are tried

Observed = tuple[tuple[int, int], ...]  # for each arm, how many losses 1 and 0 were seen


VARIABLES = "N T eps P kl x real"


@dataclass(frozen=True)
class HitTooOften:
    """N arms and T steps, at which some player hits more often than stated, on average over the steps."""

    stated: Formula
    eps: Fraction
    arms: int
    horizon: int

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"N": self.arms, "T": self.horizon, "eps": self.eps})

    def confirmed(self) -> bool:
        """Staying with an arm until it shows a loss of 1, then moving on, hits too often as well."""
        return not _missed_enough(
            self.stated, _hits_of_staying(self.arms, self.horizon, self.eps), self.horizon
        )


@dataclass(frozen=True)
class RegretTooSmall:
    """A size at which some player regrets less than stated, whatever eps of the sixteenths is chosen."""

    stated: Formula
    memory: int
    horizon: int

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"m": self.memory, "K": 2, "T": self.horizon})

    def confirmed(self) -> bool:
        """The recursion that keeps whole windows, at every eps of the grid."""
        size = self.memory, self.horizon
        regrets = (_bayes_regret(*size, eps, windows=True) for eps in SIXTEENTHS)
        return not any(_at_least(self.stated, regret, *size) for regret in regrets)


@claim(
    "theorem-2/identification",
    statement="With eps**2 = c N / T for a constant c > 0, here {c}, at each timestep up to T the algorithm "
    "does not select the arm of mean 1/2 - eps among N with probability {stated}.",
    where=PROOF,
    formulas={"c": CONSTANT, "missed": MISSED, "stated": "P >= missed"},
    domain={
        "arms": "N >= 2",
        "horizon": "N <= T",
        "saving": "eps >= 0",
        "eps_squared": "eps**2 * T == c * N",
    },
    symbols={
        "N": "the number of arms",
        "eps": "what the mean of the best arm is below 1/2",
        "P": "the probability that the choice at some step is not the best arm, on average over that arm",
    },
)
def identification(request: Request) -> Outcome:
    """Carry out Pinsker's argument for 2 <= N <= T; compute the largest mean hits for small N and T."""
    f = request.formulas
    c = f.c()
    sizes = [(N, T) for N, T in _box(request) if _rational(c * N / T)]
    hits = {(N, T): most_hits(N, T, exact_root(c * N / T)) for N, T in sizes}
    failing = next(((N, T) for N, T in sizes if not _missed_enough(f.stated, hits[N, T], T)), None)
    shown = request.show("stated", identification_steps(request))
    rates = ", ".join(f"{float(hits[N, T] / T):.3f} (N = {N}, T = {T})" for N, T in sizes)
    return request.conclude(
        shown,
        method="Pinsker's inequality and the chain rule, step by step; exact mean hits on a box",
        cases=len(sizes),
        checked_on=f"N = 2, 3, 4 and T up to {max(T for _, T in sizes)} with a rational eps",
        violation=HitTooOften(f.stated, exact_root(c * failing[0] / failing[1]), *failing)
        if failing
        else None,
        remarks=(f"The largest mean fraction of hits of any player, exactly (shown rounded): {rates}.",),
        tight=Tight(
            f"this argument reaches {f.missed} for c up to about {decimal(_largest_constant(f.missed), 4)}",
            shown.verdict,
        ),
    )


@claim(
    "theorem-2/exact-bayes",
    statement="(not in the paper) On the construction with y* = m, K = 2 and the best eps of the sixteenths, "
    "the expected regret of every player is {stated}.",
    where="Theorem 2 (thm:lower), small analogue",
    formulas={"bound": LOWER, "stated": "regret >= bound"},
    symbols={"regret": "the least expected regret of a player, on average over x*"},
)
def exact_bayes(request: Request) -> Outcome:
    """The least Bayes regret over all players, by a recursion over counts and runs, for several eps."""
    stated = request.formulas.stated
    sizes = [(1, 16), (2, 12), (3, 12)] + ([(1, 36), (2, 20), (4, 16)] if request.thorough else [])
    best = {}
    for m, T in sizes:
        request.progress(f"theorem-2/exact-bayes: m = {m}, T = {T}")
        best[m, T] = max((_bayes_regret(m, T, eps), eps) for eps in SIXTEENTHS)
    failing = next(((m, T) for m, T in sizes if not _at_least(stated, best[m, T][0], m, T)), None)
    told = "; ".join(
        f"m = {m}, T = {T}: {value} at eps = {eps}, about {float(value) / (2 * m * T) ** 0.5:.3f} sqrt(mKT)"
        for (m, T), (value, eps) in best.items()
    )
    return request.conclude(
        None,
        method="exact recursion over what a player can know",
        cases=len(sizes) * len(SIXTEENTHS),
        checked_on="K = 2, (m,T) = " + ", ".join(f"({m},{T})" for m, T in sizes) + ", y* = m",
        violation=RegretTooSmall(stated, *failing) if failing else None,
        remarks=(f"{told}.",),
    )


def _largest_constant(missed: Formula) -> Formula:
    """1/N + sqrt(2 log(2) c) = 1 - missed at N = 2, solved for c."""
    return Formula(f"(1 / 2 - {missed})**2 / (2 * log(2))")


def identification_steps(request: Request) -> list[Step]:
    """Pinsker's inequality, the chain rule, and the numbers."""
    f = request.formulas
    short = for_all(
        VARIABLES,
        given=[f.arms, f.horizon, f.saving, f.eps_squared],
        then="0 <= 4 * eps**2 and 4 * eps**2 <= 1 / 2",
        words="4 eps^2 <= 1/2, as N <= T",
    )
    pinsker = argued(
        "Pinsker: P_i(choice = i) <= P_0(choice = i) + sqrt(KL(P_0, P_i)/2), where in world 0 all means are "
        "1/2; chain rule: KL(P_0, P_i) = E_0[plays of i] kl; the plays sum to at most T, and a mean of "
        "roots is at most the root of the mean",
        then="1 - P <= 1 / N + sqrt(T * kl / (2 * N))",
    )
    kl = definition("kl", "kl == -log(1 - 4 * eps**2) / 2", "kl")
    chord = argued(
        "2 ln(2) x + ln(1 - x) is concave, and 0 at x = 0 and x = 1/2",
        then="-log(1 - x) <= 2 * log(2) * x",
        given=["0 <= x and x <= 1 / 2"],
    )
    divergence = for_all(
        VARIABLES,
        given=[
            *conclusions(short),
            *(kl, chord.at(x="4 * eps**2"), grows("log", "1 - 4 * eps**2", "1"), log_of_one()),
        ],
        then="0 <= kl and kl <= 4 * log(2) * eps**2",
        words="kl is at most 4 ln(2) eps^2",
    )
    two = in_balls("log(2)", "6932 / 10000")
    radicand = for_all(
        VARIABLES,
        given=[f.arms, f.horizon, f.eps_squared, *conclusions(divergence)],
        then="0 <= T * kl / (2 * N) and T * kl / (2 * N) <= 2 * log(2) * c".replace(" c", f" {f.c}"),
        words="T kl/(2N) <= 2 ln(2) c",
    )
    half = for_all(VARIABLES, given=[f.arms], then="1 / N <= 1 / 2")
    return [
        *_about_pinsker(),
        *(short, pinsker, chord, divergence, two, radicand, half),
        for_all(
            VARIABLES,
            given=conclusions(pinsker, radicand, half, two),
            then=f.stated,
            words="1/N + sqrt(2 ln(2) c) is small enough",
        ),
    ]


def _about_pinsker() -> list[Step]:
    """For two outcomes, kl(p, q) >= 2 (p - q)^2: the derivative in q, and its sign; and kl itself."""
    difference = "p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)) - 2 * (p - q)**2"
    slope = "(q - p) * (1 - 2 * q)**2 / (q * (1 - q))"
    return [
        derivative(difference, "q", slope),
        for_all(
            "p q real",
            given=["0 < q", "q < 1"],
            then=f"(q >= p and {slope} >= 0) or (q < p and {slope} <= 0)",
            words="so kl(p, q) - 2 (p - q)^2 is least, and 0, at q = p",
        ),
        identity(
            "(1/2) / (1/2 - eps) * ((1/2) / (1/2 + eps))",
            "1 / (1 - 4 * eps**2)",
            words="kl = (ln((1/2)/(1/2 - eps)) + ln((1/2)/(1/2 + eps)))/2 = -ln(1 - 4 eps^2)/2",
        ),
        derivative("2 * log(2) * x + log(1 - x)", "x", "2 * log(2) - 1 / (1 - x)"),
        derivative("2 * log(2) - 1 / (1 - x)", "x", "-1 / (1 - x)**2"),
    ]


def most_hits(arms: int, horizon: int, eps: Fraction) -> Fraction:
    """The largest mean number of plays of the hidden arm, exactly.

    Relative to world 0, where every loss is a fair coin, a transcript has weight (1 - 2 eps)^ones (1 + 2
    eps)^zeros in world i, counted on arm i.
    """
    one, zero = 1 - 2 * eps, 1 + 2 * eps

    @cache
    def hits(seen: Observed, steps: int) -> Fraction:
        if not steps:
            return Fraction(0)
        return max(_after_play(seen, i, steps) for i in range(arms))

    def _after_play(seen: Observed, i: int, steps: int) -> Fraction:
        ones, zeros = seen[i]
        further = [
            hits(tuple(sorted((*seen[:i], counts, *seen[i + 1 :]))), steps - 1)
            for counts in ((ones + 1, zeros), (ones, zeros + 1))
        ]
        return one**ones * zero**zeros + sum(further, Fraction(0)) / 2

    return hits(((0, 0),) * arms, horizon) / arms


def _bayes_regret(memory: int, horizon: int, eps: Fraction, *, windows: bool = False) -> Fraction:
    """The least expected regret of a player, K = 2 and y* = m."""
    return bernoulli_regret(construction(2, memory, horizon, eps, memory), windows=windows).value


def _missed_enough(stated: Formula, hits: Fraction, horizon: int) -> bool:
    """Whether the formula holds on average over the steps."""
    return stated.holds(P=1 - hits / horizon)


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


def _at_least(stated: Formula, regret: Fraction, memory: int, horizon: int) -> bool:
    """Whether the formula holds; decided by balls."""
    return decide(stated, regret=regret, m=memory, K=2, T=horizon) is True


def _box(request: Request) -> list[tuple[int, int]]:
    """Sizes (N, T) with N <= T."""
    longest = 25 if request.thorough else 16
    return [(N, T) for N in (2, 3, 4) for T in range(N, longest + 1) if T**N <= 10**5]


def _rational(square: Fraction) -> bool:
    """Whether its root is."""
    return (
        isqrt(square.numerator) ** 2 == square.numerator
        and isqrt(square.denominator) ** 2 == square.denominator
    )
