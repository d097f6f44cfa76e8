"""Theorem 2, the steps: the best arm is hard to find, what pi loses, horizons near the memory."""

from fractions import Fraction

from proofs_check.balls import decimal
from proofs_check.bayes.bernoulli import bernoulli_regret
from proofs_check.bayes.deterministic import bayes_regret, bayes_regret_by_beliefs
from proofs_check.paper.theorem_2 import BOUND, SEVERAL_ACTIONS
from proofs_check.stating import Better, Outcome, Request, Setting, claim
from tallyplan.formula import Formula

PROOF = "Theorem 2, proof (thm:lower)"


@claim(
    "theorem-2/identification",
    statement="With eps**2 = c N / T for a constant c > 0, here 1/8, at each timestep up to T the algorithm "
    "does not select the arm of mean 1/2 - eps among N with probability {stated}.",
    where=PROOF,
    formulas={"stated": "P >= 1 / 12"},
    domain={"arms": "N >= 2", "horizon": "N <= T", "eps_squared": "eps >= 0 and eps**2 * T == 1 / 8 * N"},
    symbols={
        "N": "the number of arms",
        "eps": "what the mean of the best arm is below 1/2",
        "P": "the probability that the choice at some step is not the best arm, on average over that arm",
    },
)
def identification(request: Request) -> Outcome:
    """Pinsker's argument for 2 <= N <= T; the largest mean hits of any player for small N and T."""
    roots = [(2, 4, 4), (2, 9, 6), (2, 16, 8), (3, 6, 4), (4, 8, 4)]  # N, T and 1 / eps
    sizes = [(N, T, Fraction(1, over)) for N, T, over in roots]
    pinsker = request.argue(
        "Pinsker: P_i(choice = i) <= P_0(choice = i) + sqrt(KL(P_0, P_i)/2), where in world 0 all means "
        "are 1/2; chain rule: KL(P_0, P_i) = E_0[plays of i] kl; the plays sum to at most T, and a mean "
        "of roots is at most the root of the mean: 1 - P <= 1/N + sqrt(T kl/(2N)).",
        "kl = -ln(1 - 4 eps^2)/2 <= 4 ln(2) eps^2, as 2 ln(2) x + ln(1 - x) is concave, and 0 at x = 0 "
        "and x = 1/2; so 1 - P <= 1/2 + sqrt(ln(2)/4) < 11/12.",
    )
    return request.conclude(
        pinsker,
        box=[{"N": N, "T": T, "eps": eps, "P": _missed(N, T, eps)} for N, T, eps in sizes],
        checked_on="N = 2, 3, 4 and T up to 16 with a rational eps",
        tight=Better(
            "this argument reaches `1 / 12` for c up to about "
            f"{decimal(Formula('(5 / 12)**2 / (2 * log(2))'), 4)}: `1 / 2 + sqrt(2 * log(2) * c) <= 11 / 12`",
            pinsker.verdict,
        ),
    )


def _missed(N: int, T: int, eps: Fraction) -> Fraction:
    """The least mean share of the steps at which a player does not choose the best arm: each costs eps."""
    return bernoulli_regret(N, 1, T, eps) / (eps * T)


PI = Setting(
    variables="r real",
    define={
        "pi(y, m, t)": "1 if t - m * quotient(t - 1, m) <= y else 2",
        "low(q, r, x, y)": "1 / 2 - r if x == 1 and y == q else 1 / 2",
    },
    h="low(y, r)",
)
PI_SYMBOLS = {"y": "y*, the tally at which x* = 1 loses less", "r": "eps"}


@claim(
    "theorem-2/hits",
    statement="pi, which plays x* for y* steps, another action for m - y* steps, and so on, meets h_{x*}(y*) "
    "at exactly y* timesteps of every period after the first: any m steps in a row hold y* plays of x*, "
    "{stated}.",
    where=PROOF,
    formulas={"stated": "count(pi(y), 1, t + m) - count(pi(y), 1, t) == y"},
    domain={"height": "1 <= y <= m", "time": "t >= 0"},
    setting=PI,
    symbols=PI_SYMBOLS,
    model={"m": 3, "y": 2, "t": 2},
)
def hits(request: Request) -> Outcome:
    """The first m steps, and then one step further at a time."""
    p = request.proof()
    p.have("quotient(j + m, m) == quotient(j, m) + 1", all="j")
    p.have("pi(y, j + m) == pi(y, j)", all="j", hints=["quotient(j - 1, m)"])
    p.have("pi(y, j) == (1 if j <= y else 2)", all="j", given=["1 <= j <= m"])
    p.induct("j", "count(pi(y), 1, j) == min(j, y)", upto="m")
    p.induct("j", "count(pi(y), 1, j + m) - count(pi(y), 1, j) == y")
    return request.conclude(p.shown())


@claim(
    "theorem-2/optimal-loss",
    statement="pi loses at most T/2 - 23 eps (T - m)/24: {stated}.",
    where=PROOF,
    formulas={"stated": "total(pi(y), T) <= T / 2 - r * 23 * (T - m) / 24"},
    domain={
        "height": "1 <= y <= m and 23 * m <= 24 * y",
        "horizon": "T >= m",
        "eps": "0 <= r and r <= 1 / 2",
    },
    setting=PI,
    symbols=PI_SYMBOLS,
    model={"m": 2, "y": 2, "T": 5, "r": "1/4"},
    uses=("theorem-2/hits",),
)
def optimal_loss(request: Request) -> Outcome:
    """From step m on every play of x* has the tally y*; any t steps hold at least y* t / m plays of x*."""
    p = request.proof()
    p.use("theorem-2/hits")
    p.have("loss(pi(y), t) <= 1 / 2", all="t")
    p.have("loss(pi(y), t) <= (1 / 2 - r if pi(y, t) == 1 else 1 / 2)", all="t", given=["t > m"])
    p.have("24 * (y * (T - m)) >= m * (23 * (T - m))")
    p.have("implies(m * (24 * n) >= m * (23 * k), r * (24 * n) >= r * (23 * k))", all="n k")
    p.have("m * min(j, y) >= y * j", all="j", given=["0 <= j <= m"])
    p.have("pi(y, j) == (1 if j <= y else 2)", all="j", given=["1 <= j <= m"])
    p.induct("j", "count(pi(y), 1, j) == min(j, y)", upto="m")
    p.induct("q", "implies(0 <= j and j <= m, m * count(pi(y), 1, m * q + j) >= y * (m * q + j))", all="j")
    rest = ["quotient(i, m)", "i - m * quotient(i, m)"]
    p.have("m * count(pi(y), 1, i) >= y * i", all="i", given=["i >= 0"], hints=rest)
    p.have("m * count(pi(y), 1, T - m) >= y * (T - m)", hints=["T - m"])
    p.have("m * (24 * count(pi(y), 1, T - m)) >= m * (23 * (T - m))")
    last = ["count(pi(y), 1, T - m)", "T - m"]
    p.have("r * (24 * count(pi(y), 1, T - m)) >= r * (23 * (T - m))", hints=last)
    p.have("count(pi(y), 1, T) == y + count(pi(y), 1, T - m) and count(pi(y), 1, m) == y")
    p.induct("t", "total(pi(y), t) <= t / 2")
    counted = "count(pi(y), 1, t + 1) == count(pi(y), 1, t) + (1 if pi(y, t + 1) == 1 else 0)"
    p.have(counted, all="t", given=["t >= m"])
    p.induct("t", "total(pi(y), t) <= t / 2 - r * (count(pi(y), 1, t) - count(pi(y), 1, m))", start="m")
    return request.conclude(
        p.shown(),
        remarks=("T - m need not be a multiple of m.",),
    )


@claim(
    "theorem-2/all-horizons",
    statement="(not in the paper: the theorem for every horizon) For every player there is a problem with "
    "{stated}.",
    where="Theorem 2 (thm:lower)",
    formulas={"bound": BOUND, "stated": "worst >= 1 / 530 * min(T, bound)"},
    domain={**SEVERAL_ACTIONS, "horizon": "T >= 1"},
    uses=("theorem-2/linear-memory", "theorem-2/repaired"),
)
def all_horizons(request: Request) -> Outcome:
    """For T < mK, fewer actions or a lower threshold."""
    return request.conclude(
        request.argue(
            "T >= mK: theorem-2/repaired. 2m <= T < mK: the same with floor(T/m) > 2T/(3m) of the actions, "
            "the others always losing 1. T < 2m: a threshold (theorem-2/linear-memory).",
        ),
    )


@claim(
    "theorem-2/short-horizons",
    statement="Due to Proposition 1 one can assume m <= T/100, because the regret scales linearly with T "
    "for m > T/100: on its construction, with a constant c > 0, here 1/10^6, {stated}.",
    where=f"{PROOF}, first sentence",
    formulas={"stated": "regret >= 1 / 10**6 * T"},
    domain={**SEVERAL_ACTIONS, "horizon": "T >= 1", "long_memory": "100 * m > T"},
    symbols={"regret": "the expected regret of the player on the construction of Proposition 1"},
    uses=("theorem-2/linear-memory",),
)
def short_horizons(request: Request) -> Outcome:
    """Look for a regret on the needle that is no constant fraction of T."""
    box = [(K, m, T) for K in (2, 3) for m in range(1, 5) for T in range(1, 9)]
    return request.conclude(
        None,
        box=[{"K": K, "m": m, "T": T, "regret": bayes_regret_by_beliefs(K, m, T)} for K, m, T in box],
        checked_on="K = 2, 3, m <= 4, T <= 8",
        remarks=(f"At K = 2, T = m = 1000 it is {bayes_regret(2, 1000, 1000)}, no constant fraction of T.",),
        repair=Better(
            "It is linear in T by another construction, a threshold that takes `T / 2` plays to find: at "
            "least `T / 200` for `K >= 2` and `m > T / 100` (claim theorem-2/linear-memory).",
            request.result("theorem-2/linear-memory").outcome.verdict,
        ),
    )


@claim(
    "theorem-2/linear-memory",
    statement="When m is Omega(T), any player suffers Omega(T) worst case CPR (by Theorem 2): with theta = "
    "min(m, ceil(T / 2)), {stated}.",
    where="Section 5, rotting bandits",
    formulas={"theta": "min(m, ceil(T / 2))", "stated": "worst >= (1 - 1 / K) * theta"},
    domain={**SEVERAL_ACTIONS, "horizon": "T >= 1"},
)
def linear_memory(request: Request) -> Outcome:
    """A threshold that takes T/2 plays to find; exact Bayes regrets on a box."""
    f = request.formulas
    box = [(K, m, T) for K in (2, 3) for m in (1, 2, 3) for T in range(1, 7)]
    return request.conclude(
        request.argue(
            "h_x*(y) = 1 for y < theta and 0 from theta on, every other loss 1: before step 2 theta at most "
            "one action has been played theta times. All losses are 1 until x* has been, so that action is "
            "fixed in advance, and is x* with probability at most 1/K: the player loses at least 2 theta - 1 "
            "otherwise, and theta - 1 then, which always playing x* loses.",
        ),
        box=[
            {"K": K, "m": m, "T": T, "worst": bayes_regret_by_beliefs(K, m, T, int(f.theta(m=m, T=T)))}
            for K, m, T in box
        ],
        checked_on="K = 2, 3, m = 1..3, T = 1..6, the Bayes regret of the threshold",
        remarks=(
            "Not by the printed proof of Theorem 2, which assumes m <= T/100; and at m = T its right side c "
            "sqrt(K) T exceeds T, which no regret does, once K > 1/c^2. For K = 1 there is no regret.",
        ),
    )
