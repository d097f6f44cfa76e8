"""Theorem 2, what the optimal policy loses: the states of pi, its loss, and the arithmetic of the regret.

Stated in the proof. pi plays x* for y* steps, another action for m - y* steps, and so on. In every period
after the first it observes h_{x*}(y*) exactly y* times. It loses at most T/2 - 23 eps (T - m)/24. A player
who misses (x*, y*) with probability 1/12 at each step loses at least T/2 - 11 eps T/12 on average, so the
regret is at least eps (T - 23m)/24.

Shown, with the model in the formulas (p is pi, x* is 1, the other action 2, y is y*). Every m steps in a row
hold y plays of 1, so from step m on the tally is y at every play of 1. T - m need not be a multiple of m: of
r < m further steps, min(r, y) >= y r/m are plays of 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Fact, Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import Play, definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

PROOF = "Theorem 2, proof (thm:lower)"
HITS = Formula("y")  # in a period after the first
OPTIMAL_LOSS = Formula("T / 2 - eps * 23 * (T - m) / 24")
PLAYER_LOSS = Formula("T / 2 - 11 * eps * T / 12")
REGRET = Formula("eps * T / 24 - 23 * m * eps / 24")
EPS = Fraction(1, 4)
MEMORIES = (1, 2, 3, 4, 24, 25)  # from 24 on there is a y* < m

P = Play("p")
VARIABLES = f"m y t j r T q hits(integer) integer; h(integer, integer) real; eps real; {P.variables}"
SYMBOLS = {
    "y": "y*, the tally at which x* loses less",
    "hits": "hits(t), the number of steps up to t at which pi plays x* with the tally y*",
}

Size = tuple[int, int, int]  # (m, y*, T)


def plays(t: str) -> Fact:
    """The first period of pi: 1 for y steps, then 2."""
    return definition("pi", f"implies(1 <= {t} and {t} <= m, p({t}) == (1 if {t} <= y else 2))", "p")


def repeats(t: str) -> Fact:
    """It repeats its first m actions."""
    return definition("pi", f"implies({t} >= 1, p({t} + m) == p({t}))", "p")


def meets(t: str) -> Fact:
    """Step t + 1 is a hit if it plays 1 with the tally y."""
    tally = f"p_count(1, {t} + 1) - p_count(1, max({t} + 1 - m, 0))"
    new = f"1 if p({t} + 1) == 1 and {tally} == y else 0"
    return definition("the hits", f"implies({t} >= 0, hits({t} + 1) == hits({t}) + ({new}))")


def no_hits() -> Fact:
    """None in no steps."""
    return definition("the hits", "hits(0) == 0")


@dataclass(frozen=True)
class Periodic:
    """What is known of pi: its counts in a period and after more of them, and its hits."""

    period: Step
    window: Step
    later: Step

    @property
    def steps(self) -> list[Step]:
        """All of them."""
        return [self.period, self.window, self.later]


def periodic(height: Formula) -> Periodic:
    """Every m steps in a row hold y plays of 1, so that every play of 1 from step m on is a hit."""
    period = induction(
        VARIABLES,
        on="t",
        start=0,
        upto="m",
        given=[height, P.begins_to_count("1"), P.counts("1", "t + 1"), plays("t + 1")],
        then="p_count(1, t) == min(t, y)",
        words="in its first period pi plays x* in the first y* steps",
    )
    window = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[
            *(height, period.at(t="m"), P.begins_to_count("1")),
            *(P.counts("1", "t + 1"), P.counts("1", "t + m + 1"), repeats("t + 1")),
        ],
        then="p_count(1, t + m) - p_count(1, t) == y",
        words="every m steps in a row hold y* plays of x*",
    )
    later = induction(
        VARIABLES,
        on="t",
        start="m",
        given=[height, window.at(t="t + 1 - m"), P.counts("1", "t + 1"), meets("t")],
        then="hits(t) - hits(m) == p_count(1, t) - p_count(1, m)",
        words="from step m on every play of x* has the tally y*",
    )
    return Periodic(period, window, later)


@dataclass(frozen=True)
class Replayed:
    """pi, played by the definitions, violates a formula."""

    stated: Formula
    size: Size

    @property
    def values(self) -> dict[str, Fraction]:
        """For the formulas about the loss."""
        m, y, T = self.size
        return {"m": Fraction(m), "y": Fraction(y), "T": Fraction(T), "eps": EPS}

    def witness(self) -> Witness:
        """For the reader."""
        return Witness(dict(zip(("m", "y*", "horizon"), self.size, strict=True)), _bandit(*self.size[:2]))

    def confirmed(self) -> bool:
        """The losses of the bandit itself, as the planners see them, in place of the definitions."""
        m, y, T = self.size
        bandit, actions = _bandit(m, y), _pi(m, y, T)
        lost = sum((bandit.loss(actions[max(0, t - m + 1) : t + 1]) for t in range(T)), Fraction(0))
        return not self.stated.holds(lost=lost, **self.values)


@dataclass(frozen=True)
class Met(Replayed):
    """The number of hits in the last of four periods is another."""

    def confirmed(self) -> bool:
        """A hit loses eps less than 1/2: the loss of the fourth period tells their number."""
        m, y, T = self.size
        bandit, actions = _bandit(m, y), _pi(m, y, T)
        lost = [bandit.loss(actions[max(0, t - m + 1) : t + 1]) for t in range(T)]
        saved = Fraction(m, 2) - sum(lost[-m:], Fraction(0))
        return not self.stated.holds(y=y, m=m, j=3, hits=lambda t: (t == 4 * m) * saved / EPS)


@claim(
    "theorem-2/hits",
    statement="In every period of m steps after the first, which is j = 1, 2, .., pi meets h_{x*}(y*) at "
    "exactly y* timesteps: {stated}.",
    where=PROOF,
    formulas={"met": HITS, "stated": "hits(j * m + m) - hits(j * m) == met"},
    domain={"height": "1 <= y and y <= m", "period": "j >= 1"},
    integers="m y j",
    symbols={**SYMBOLS, "j": "the number of a period, the first being 0"},
)
def hits(request: Request) -> Outcome:
    """Count the plays of x* in a window, for all m and y*; play pi for four periods on a box."""
    f = request.formulas
    known = periodic(f.height)
    last = for_all(
        VARIABLES,
        given=[
            *(f.height, f.period, known.window.at(t="j * m")),
            *(known.later.at(t="j * m"), known.later.at(t="j * m + m")),
        ],
        then=f.stated,
        words="a later period holds y* plays of x*, all of them hits",
    )
    sizes = [(m, y, 4 * m) for m in range(1, 9) for y in range(1, m + 1)]
    failing = next((size for size in sizes if not _meets(f.stated, size)), None)
    return request.conclude(
        request.show("stated", [*known.steps, last]),
        method="windows are whole periods; pi played for four periods",
        checked_on="m <= 8, all y*, the periods j = 1, 2, 3",
        cases=len(sizes),
        violation=Met(f.stated, failing) if failing else None,
    )


@claim(
    "theorem-2/optimal-loss",
    statement="pi, which plays x* for y* steps and another action for m - y* steps, again and again, loses "
    "in T steps {stated}.",
    where=PROOF,
    formulas={"bound": OPTIMAL_LOSS, "stated": "lost <= bound"},
    domain={
        "memory": "m >= 1",
        "height": "23 * m <= 24 * y and y <= m",
        "horizon": "T >= 0",
        "saving": "eps >= 0",
    },
    integers="m y T",
    symbols={"y": SYMBOLS["y"], "eps": "what h_{x*}(y*) is below 1/2", "lost": "what pi loses in T steps"},
)
def optimal_loss(request: Request) -> Outcome:
    """Count the hits in whole periods and in the rest, for all m, y* and T; replay pi on a box."""
    f = request.formulas
    sizes = [
        (m, y, T)
        for m in MEMORIES
        for y in range(1, m + 1)
        if f.height.holds(m=m, y=y)
        for T in range(m, 3 * m + 2)
    ]
    failing = next((size for size in sizes if not _loses_at_most(f.stated, size)), None)
    return request.conclude(
        request.show("stated", loss_steps(request)),
        method="the hits counted; pi replayed",
        checked_on=f"eps = {EPS}, m among {', '.join(map(str, MEMORIES))}, all y* >= 23m/24, T = m..3m + 1",
        cases=len(sizes),
        violation=Replayed(f.stated, failing) if failing else None,
        remarks=("T - m need not be a multiple of m; for T < m pi loses at most T/2.",),
    )


def loss_steps(request: Request) -> list[Step]:
    """What pi loses: T/2 - eps hits(T), and the hits are at least y (T - m)/m."""
    f = request.formulas
    positive = for_all(VARIABLES, given=[f.memory, f.height], then="1 <= y and y <= m", words="y* >= 1")
    known = periodic(Formula("1 <= y and y <= m"))
    tally = "p_count(p(t + 1), t + 1) - p_count(p(t + 1), max(t + 1 - m, 0))"
    totals = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[
            *(P.begins(), no_hits(), P.adds("t + 1"), P.loses("t + 1"), meets("t")),
            definition("the table", f"h(p(t + 1), {tally}) == (1 / 2 - eps if p(t + 1) == 1 and {tally} == y"
                       " else 1 / 2)"),
        ],
        then="p_total(t) == t / 2 - eps * hits(t) and hits(t) >= 0",
        words="t steps lose t/2 less eps for each hit",
    )  # fmt: skip
    counts = induction(
        VARIABLES,
        on="q",
        start=0,
        given=[
            "1 <= y and y <= m",
            "0 <= r",
            "r <= m",
            known.period.at(t="r"),
            known.window.at(t="q * m + r"),
        ],
        then="p_count(1, q * m + r) == q * y + min(r, y)",
        words="q periods and r steps hold q y* + min(r, y*) plays of x*",
    )
    divided = definition("division with remainder", "implies(m >= 1 and T >= 0, T == q * m + r and q >= 0 "
                         "and 0 <= r and r < m)", "q")  # fmt: skip
    share = for_all(
        "m y q r integer",
        given=["1 <= y and y <= m", "0 <= r", "r <= m"],
        then="m * (q * y + min(r, y)) >= y * (q * m + r)",
        words="of r < m steps, min(r, y*) >= y* r/m are plays of x*",
    )
    enough = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.horizon, *conclusions(positive)),
            *(divided, counts.at(), share.at()),
            *(known.later.at(t="T"), known.period.at(t="m"), totals.at(t="m")),
        ],
        then="implies(T >= m, m * hits(T) >= y * (T - m))",
        words="so that pi has at least y*(T - m)/m hits",
    )
    return [
        *(positive, *known.steps, totals, counts, share, enough),
        for_all(
            VARIABLES,
            given=[
                *request.domain,
                *conclusions(enough),
                totals.at(t="T"),
                definition("the loss of pi", "lost == p_total(T)", "lost"),
            ],
            then=f.stated,
            words="with y* >= 23m/24",
        ),
    ]


@claim(
    "theorem-2/algebra",
    statement="{stated}, if m <= T/100 and eps = sqrt(c m K / T).",
    where=PROOF,
    formulas={
        "player": PLAYER_LOSS,
        "optimal": OPTIMAL_LOSS,
        "regret": REGRET,
        "least": "77 / 2400 * sqrt(c * m * K * T)",
        "stated": "player - (optimal) == regret and regret >= least",
        "positive": "(regret > 0) == (23 * m < T)",
    },
    domain={
        "memory": "m >= 0",
        "long": "T >= 100 * m",
        "saving": "eps > 0",
        "eps_squared": "eps**2 * T == c * m * K",
    },
    symbols={"eps": "what h_{x*}(y*) is below 1/2", "c": "the constant of eps**2 = c m K / T"},
)
def algebra(request: Request) -> Outcome:
    """z3, with the root of c m K T being eps T; and where the difference is positive."""
    f = request.formulas
    variables = "eps c m K T real"
    root = for_all(
        variables,
        given=[f.memory, f.long, f.saving, f.eps_squared],
        then="sqrt(c * m * K * T) == eps * T",
        words="eps T is the root",
    )
    shown = request.show(
        "stated",
        [root, for_all(variables, given=[f.memory, f.long, f.saving, *conclusions(root)], then=f.stated)],
    )
    exactly = request.show("positive", [for_all(variables, given=[f.saving], then=f.positive)])
    return request.conclude(
        shown,
        method="z3",
        counterexamples=[{"eps": Fraction(1, 10), "c": 1, "m": 1, "K": 1, "T": 100}],
        free="c eps",
        tight=Tight("positive if and only if 23 m < T", exactly.verdict),
    )


def _bandit(memory: int, height: int) -> TallyingBandit:
    """x* = 0, y* = height, eps = EPS."""
    half = Fraction(1, 2)
    return TallyingBandit([[half - EPS * (y == height) for y in range(1, memory + 1)], [half] * memory])


def _pi(memory: int, height: int, horizon: int) -> tuple[int, ...]:
    return tuple(0 if t % memory < height else 1 for t in range(horizon))


def _meets(stated: Formula, size: Size) -> bool:
    """Whether the formula holds for the periods 1, 2 and 3, by the definitions."""
    m, y, T = size
    actions = _pi(*size)
    met = [actions[t] == 0 and definitions.tally(actions, t, m) == y for t in range(T)]
    return all(stated.holds(y=y, m=m, j=j, hits=lambda t: sum(met[: int(t)])) for j in (1, 2, 3))


def _loses_at_most(stated: Formula, size: Size) -> bool:
    """The bound, by the definitions."""
    m, y, T = size
    lost = definitions.total_loss(_bandit(m, y), _pi(*size))
    return stated.holds(m=m, y=y, T=T, eps=EPS, lost=lost)
