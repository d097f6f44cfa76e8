"""Theorem 2, what the optimal policy loses: the states of pi, its loss, and the arithmetic of the regret.

Stated in the proof. pi plays x* for y* steps, another action for m - y* steps, and so on. In every period
after the first it observes h_{x*}(y*) exactly y* times. It loses at most T/2 - 23 eps (T - m)/24. A player
who misses (x*, y*) with probability 1/12 at each step loses at least T/2 - 11 eps T/12 on average, so the
regret is at least eps (T - 23m)/24.

Shown. pi has period m, so every full window holds y* plays of x*: the tally is y* at every play of x* from
step m on. T - m need not be a multiple of m: of r < m further steps, min(r, y*) >= y* r/m are hits.
"""

from __future__ import annotations

from fractions import Fraction

from proofs_check import definitions
from proofs_check.claim import Evidence, Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.steps import Step
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

PROOF = "Theorem 2, proof (thm:lower)"
HITS = Formula("y")  # in a period after the first
OPTIMAL_LOSS = Formula("T / 2 - eps * 23 * (T - m) / 24")
PLAYER_LOSS = Formula("T / 2 - 11 * eps * T / 12")
REGRET = Formula("eps * T / 24 - 23 * m * eps / 24")
EPS = Fraction(1, 4)

Size = tuple[int, int]  # (m, y*)


@claim(
    "theorem-2/hits",
    statement=f"In every period of m steps after the first, pi meets h_{{x*}}(y*) at exactly {HITS}* "
    "timesteps.",
    where=PROOF,
)
def hits(request: Request) -> Outcome:
    """A window of m steps holds a whole period; count the hits of pi for all m <= 8 and y*."""
    sizes = [(m, y) for m in range(1, 9) for y in range(1, m + 1)]
    failing = next((size for size in sizes if set(_hits_by_period(*size)[1:]) != {HITS(y=size[1])}), None)
    steps = periodic_steps()
    return Outcome(
        settled(failing, lambda size: _hits_by_period(*size)[1] != HITS(y=size[1]), steps),
        "K >= 2, all m and y* (for K = 1 only y* = m: there is no x != x*)",
        Evidence("windows are whole periods; pi played for m <= 8, all y*", len(sizes), tuple(steps)),
        witness=Witness({"m": failing[0], "y*": failing[1]}) if failing else None,
    )


@claim(
    "theorem-2/optimal-loss",
    statement=f"pi loses at most {OPTIMAL_LOSS} in T steps (T - m a multiple of m).",
    where=PROOF,
)
def optimal_loss(request: Request) -> Outcome:
    """Count hits in full periods and in the rest; replay pi for all m <= 8, y* >= 23m/24 and T <= 5m."""
    sizes = [(m, T) for m in range(1, 9) for T in range(m, 5 * m + 1)]
    failing = next((size for size in sizes if not _loses_at_most(*size)), None)
    steps = optimal_loss_steps()
    return Outcome(
        settled(failing, lambda size: not _loses_at_most(*size), steps),
        "K >= 2, all m and T >= m; no divisibility needed",
        Evidence(
            f"hits counted step by step; pi replayed with eps = {EPS} for m <= 8, T = m..5m",
            len(sizes),
            tuple(steps),
        ),
        witness=Witness(dict(zip(("m", "T"), failing, strict=True))) if failing else None,
        tight=Tight("T >= m suffices: T - m need not be a multiple of m", by_proof(steps)),
    )


@claim(
    "theorem-2/algebra",
    statement=f"({PLAYER_LOSS}) - ({OPTIMAL_LOSS}) = {REGRET} >= c sqrt(mKT) for m <= T/100.",
    where=PROOF,
)
def algebra(request: Request) -> Outcome:
    """Simplify the difference with sympy; find with z3 where it is positive."""
    steps = algebra_steps()
    exactly = [
        for_all("eps T m real", given=["eps > 0", "23 * m < T"], then=f"{REGRET} > 0"),
        for_all("eps T m real", given=["eps > 0", "23 * m >= T"], then=f"{REGRET} <= 0"),
    ]
    return Outcome(
        by_proof(steps),
        "m <= T/100 (and every m < T/23, with a smaller constant)",
        Evidence("sympy identities and z3", len(steps), (*steps, *exactly)),
        tight=Tight(
            "positive if and only if m < T/23; at least 77/2400 eps T for m <= T/100", by_proof(exactly)
        ),
    )


def periodic_steps() -> list[Step]:
    """Every m steps in a row hold each place of the period once, so y* plays of x*."""
    return [
        for_all(
            "s t k m integer",
            given=["m >= 1", "t - s == k * m", "s <= t", "t - s <= m - 1"],
            then="s == t",
            words="m steps in a row hold no place of the period twice, hence each once: y* plays of x*",
        ),
        for_all(
            "t m s integer",
            given=["t >= m", "s >= t - m + 1"],
            then="s >= 1",
            words="from step m on a window is m steps in a row, so every play of x* has tally y*",
        ),
    ]


def optimal_loss_steps() -> list[Step]:
    """What pi loses, T = m + a m + r."""
    return [
        *periodic_steps(),
        for_all(
            "m r y real",
            given=["m >= 1", "0 <= r", "r <= m", "0 <= y", "y <= m"],
            then="m * min(r, y) >= y * r",
            words="of the last r < m steps, min(r, y*) >= y* r/m are hits",
        ),
        for_all(
            "T m a r y eps loss real",
            given=[
                "m >= 1",
                "T == m + a * m + r",
                "a >= 0",
                "r >= 0",
                "24 * y >= 23 * m",
                "y <= m",
                "eps >= 0",
                "m * (T / 2 - loss) >= eps * (a * y * m + y * r)",
            ],
            then=f"loss <= {OPTIMAL_LOSS}",
            words=f"with y* >= 23m/24 and a y* + min(r, y*) hits, the loss is at most {OPTIMAL_LOSS}",
        ),
    ]


def algebra_steps() -> list[Step]:
    """The regret from the two losses."""
    return [
        identity("T / 2 / 12 + 11 * T * (1 / 2 - eps) / 12", str(PLAYER_LOSS)),
        identity(f"({PLAYER_LOSS}) - ({OPTIMAL_LOSS})", str(REGRET)),
        for_all("eps T m real", given=["eps >= 0", "T >= 100 * m"], then=f"{REGRET} >= 77 * eps * T / 2400"),
    ]


def _bandit(memory: int, height: int) -> TallyingBandit:
    """x* = 0, y* = height, eps = EPS."""
    half = Fraction(1, 2)
    return TallyingBandit([[half - EPS * (y == height) for y in range(1, memory + 1)], [half] * memory])


def _pi(memory: int, height: int, horizon: int) -> tuple[int, ...]:
    return tuple(0 if t % memory < height else 1 for t in range(horizon))


def _hits_by_period(memory: int, height: int) -> list[int]:
    """How often pi meets (x*, y*) in each of its first four periods."""
    actions = _pi(memory, height, 4 * memory)
    met = [actions[t] == 0 and definitions.tally(actions, t, memory) == height for t in range(len(actions))]
    return [sum(met[k * memory : (k + 1) * memory]) for k in range(4)]


def _loses_at_most(memory: int, horizon: int) -> bool:
    """The bound for every y* >= 23m/24, by the definitions."""
    heights = [y for y in range(1, memory + 1) if 24 * y >= 23 * memory]
    bound = OPTIMAL_LOSS(T=horizon, m=memory, eps=EPS)
    return all(definitions.total_loss(_bandit(memory, y), _pi(memory, y, horizon)) <= bound for y in heights)
