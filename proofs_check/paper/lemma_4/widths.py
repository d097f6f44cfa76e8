"""Lemma 4, second half of the proof (eqn:help5): the sum of the widths, and its constant.

Stated. 8Km sum_{s=2..S} n_s sqrt(T) C_{s-1} <= 400 Km sqrt(T) sqrt(log(2KmS / delta)), and S <= log T.

Proved. The widths C_s make it a sum of 64 * 2^(s/2): geometric with the ratio sqrt(2). Its closed form is
shown by induction on S; z3 decides the rest, 2^(s/2) being just a number to it. With r = sqrt(T)/(Km),
2^S = r/4 + 1. Without rounding in between, the quotient of the two sides is a function of u = 2^(S/2) that
increases to its supremum: 32 (2 + sqrt(2)) instead of 400, and 8 times less with the constant 1/2 in
Hoeffding's bound (`lemma-7/hoeffding`).
"""

from __future__ import annotations

from dataclasses import dataclass

from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Fact, Step, conclusions, weakest
from proofs_check.ways.analysis import (
    in_balls,
    limit,
)
from proofs_check.ways.balls import decimal, less
from proofs_check.ways.for_all import for_all, identity, induction
from proofs_check.ways.laws import (
    grows,
    log2_as_log,
    log_of_one,
    log_of_root,
    power_grows,
    power_of_sum,
)
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS, PERIODS, WIDTH

WHERE = "Lemma 4, proof (eqn:help5)"
LOG = "log(2 * K * m * S / delta)"
VARIABLES = "S s integer; E(integer) C(integer) widths(integer) geometric(integer) real"
SIZES = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "probability": "0 < delta and delta < 1",
    "epochs": "S >= 1",
    "epoch": "s >= 1",
}

SUM_BOUND = Formula("400")

BOTH = Formula("64 * (sqrt(2) * u - 2) / (sqrt(2) - 1) / (2 * sqrt(u**2 - 1))")  # u = 2^(S/2)
BOTH_SHARP = Formula("32 * (2 + sqrt(2))")
BOTH_SHARPEST = Formula("4 * (2 + sqrt(2))")  # C_s with 1/2 instead of 32, 8 times narrower

LOG_BOUND = Formula("log(T)")
LOG_SHARP = Formula("log2(T) / 2")


@claim(
    "lemma-4/substitution",
    statement="With C_s = {width}: {stated}.",
    where=WHERE,
    formulas={
        "width": WIDTH,
        "before": f"sqrt(64 * K * m / (2**s * sqrt(T)) * {LOG})",
        "term": f"64 * (K * m)**(3 / 2) * sqrt({LOG}) * T**(1 / 4) * 2**(s / 2)",
        "stated": "C(s - 1) == before and 8 * K * m * 2**s * sqrt(T) * C(s - 1) == term",
    },
    domain=SIZES,
    integers="S s",
)
def substitution(request: Request) -> Outcome:
    """Two identities, simplified by sympy, in which the log is one positive number E."""
    f = request.formulas
    before, term, at = (
        Formula(str(one).replace(LOG, "E")) for one in (f.before, f.term, f.width.where(s="s - 1"))
    )
    halved = identity(at, before, integers="s", words="C_(s-1) has twice the radicand of C_s")
    moved = identity(f"8 * K * m * {PERIODS} * sqrt(T) * ({before})", term, integers="s")
    two = in_balls("0", "log(2)")
    log = for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, f.probability, f.epochs, *conclusions(two)),
            grows("log", "2", "2 * K * m * S / delta"),
        ],
        then=f"{LOG} > 0",
    )
    stated = for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, f.horizon, f.epoch, *conclusions(log)),
            definition("the width C_s", f"C(s - 1) == {f.width.where(s='s - 1')}", "C"),
            *(step.at(E=LOG) for step in (halved, moved)),
        ],
        then=f.stated,
    )
    return request.conclude(
        request.show("stated", [halved, moved, two, log, stated]), method="sympy simplifies both to 0"
    )


@claim(
    "lemma-4/geometric-sum",
    statement="64 times the sum of 2**(s/2) over s = 2..S satisfies {stated}.",
    where=WHERE,
    formulas={
        "factor": SUM_BOUND,
        "stated": "64 * geometric(S) <= factor * 2**(S / 2)",
        "sharper": "64 * (2 + sqrt(2))",
        "sharp": "64 * geometric(S) < (sharper) * 2**(S / 2)",
        "closed": "(sqrt(2) * v - 2) / (sqrt(2) - 1)",
    },
    domain={"epochs": "S >= 1"},
    integers="S",
    symbols={"geometric": "geometric(s), the sum of 2**(j/2) over j = 2..s", "v": "2**(S/2)"},
)
def geometric_sum(request: Request) -> Outcome:
    """The closed form by induction on S, then z3; the limit is the best."""
    f = request.formulas
    supremum = limit(f"64 * ({f.closed}) / v", "v", f.sharper)
    sharp = request.show("sharp", _sum_steps(request, f.sharp))
    return request.conclude(
        request.show("stated", _sum_steps(request, f.stated)),
        method="induction and z3",
        counterexamples=({"S": S, "geometric(S)": _terms(S)} for S in (1, 2, 3, 10, 40)),
        remarks=(supremum,),
        tight=Tight(f"{f.sharper} = {decimal(f.sharper)}, the supremum, not attained", sharp.verdict)
        if supremum.holds
        else None,
    )


def _terms(S: int) -> str:
    """The sum of 2**(s/2) over s = 2..S, written out."""
    return " + ".join(["0", *(f"2**({s} / 2)" for s in range(2, S + 1))])


def _sum_steps(request: Request, conclusion: Formula) -> list[Step]:
    f = request.formulas
    added = induction(
        VARIABLES,
        on="s",
        start=1,
        given=[
            definition("geometric, a sum", "geometric(1) == 0", "geometric"),
            definition(
                "geometric, a sum",
                "implies(s >= 1, geometric(s + 1) == geometric(s) + 2**((s + 1) / 2))",
                "geometric",
            ),
            *(power_of_sum("2", half, "1 / 2") for half in ("1 / 2", "s / 2")),
        ],
        then=f"geometric(s) == {f.closed.where(v='2**(s / 2)')}",
        words="the closed form",
    )
    return [
        added,
        for_all(VARIABLES, given=[f.epochs, added.at(s="S")], then=conclusion),
    ]


@claim(
    "lemma-4/root",
    statement="{stated}.",
    where=WHERE,
    formulas={
        "left": "sqrt(sqrt(T) / (4 * K * m) + 1)",
        "right": "sqrt(sqrt(T)) / sqrt(K * m)",
        "stated": "left <= right",
        "half": "sqrt(2) * left <= right",
        "least": "sqrt(T) >= 4 * K * m / 3",
        "exact": "implies(K >= 1 and m >= 1 and T >= 0, (left <= right) == (least))",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "runs": "sqrt(T) >= 4 * K * m"},
)
def root(request: Request) -> Outcome:
    """Squared, it reads r/4 + 1 <= r with r = sqrt(T)/(Km); an epoch is run if r >= 4."""
    f = request.formulas
    names = ("stated", "half", "exact")
    stated, half, exact = (request.show(name, _root_steps(request, name)) for name in names)
    outside = Witness({"K": 1, "m": 1, "horizon": 1, "left": decimal(f.left, K=1, m=1, T=1), "right": 1})
    return request.conclude(
        stated,
        method="z3, both sides squared",
        counterexamples=({"K": 1, "m": 1, "T": L * L} for L in (1, 2, 4, 8, 100)),
        remarks=(f"Where an epoch is run, the left is at most 1/sqrt(2) of the right: {half.verdict}.",),
        tight=Tight("sqrt(T) >= 4Km/3, exactly", exact.verdict, outside),
    )


def _root_steps(request: Request, name: str) -> list[Step]:
    """The two sides squared, in r."""
    f = request.formulas
    squares = for_all(
        "t k real",
        given=["k > 0", "t >= 0"],
        then="(sqrt(t) / sqrt(k)) * (sqrt(t) / sqrt(k)) == t / k and sqrt(t) / sqrt(k) >= 0",
        words="the right side squared",
    )
    given = [] if name == "exact" else request.domain
    last = for_all("", given=[*given, squares.at(k="K * m", t="sqrt(T)")], then=getattr(f, name))
    return [squares, last]


@claim(
    "lemma-4/constant",
    statement="8Km sum_(s=2..S) n_s sqrt(T) C_(s-1), that is {stated}, where C_s is {width}.",
    where=WHERE,
    formulas={
        "width": WIDTH,
        "factor": SUM_BOUND,
        "stated": f"widths(S) <= factor * K * m * sqrt(T) * sqrt({LOG})",
        "sharper": BOTH_SHARP,
        "sharp": f"widths(S) <= (sharper) * K * m * sqrt(T) * sqrt({LOG})",
        "quotient": BOTH,
        "equal": f"implies(u > 0 and u * u == 2**S, widths(S) == quotient * K * m * sqrt(T) * sqrt({LOG}))",
        "tends": "limit(quotient, u) == sharper",
        "narrower": "4 * (2 + sqrt(2))",
        "eighth": "narrower == (sharper) / sqrt(32 / (1 / 2))",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 1",
        "probability": "0 < delta and delta < 1",
        "epochs": "S >= 1",
        "filled": "T == E(S)",
    },
    integers="S",
    symbols={"u": "2**(S / 2)", "limit": "limit(f, x), the limit of f as x grows"},
    uses=("algorithm-1/schedule",),
)
def constant(request: Request) -> Outcome:
    """Add up the widths by induction; put the horizon in, and z3 compares."""
    f = request.formulas
    stated, sharp, equal = (
        request.show(name, _added_widths(request, getattr(f, name))) for name in ("stated", "sharp", "equal")
    )
    tends = request.show("tends", [limit(f.quotient, "u", f.sharper)])
    eighth = request.show("eighth", [identity(f.narrower, f"({f.sharper}) / sqrt(32 / (1 / 2))")])
    return request.conclude(
        stated,
        method="the widths added up by induction, z3",
        remarks=(
            f"With the right constant in Hoeffding's bound it is {f.narrower} = {decimal(f.narrower)}: "
            f"{eighth.verdict}.",
        ),
        tight=Tight(
            f"{f.sharper} = {decimal(f.sharper)}, the supremum",
            weakest(sharp.verdict, equal.verdict, tends.verdict),
        ),
    )


def _added_widths(request: Request, conclusion: Formula) -> list[Step]:
    """C_(s-1) 2^(s/2) does not depend on s, so the sum is geometric with the ratio sqrt(2)."""
    f = request.formulas
    each = f"8 * sqrt(K * m / sqrt(T)) * sqrt({LOG})"
    positive = [f.actions, f.memory, f.horizon]
    log = for_all(
        VARIABLES,
        given=[*positive, f.probability, f.epochs, grows("log", "1", "2 * K * m * S / delta"), log_of_one()],
        then=f"{LOG} >= 0",
    )
    one = for_all(
        VARIABLES,
        given=[
            *(*positive, *conclusions(log)),
            definition("C_s", f"C(s - 1) == {f.width.where(s='s - 1')}", "C"),
            power_of_sum("2", "s - 1", "1"),
            power_of_sum("2", "s / 2", "s / 2"),
        ],
        then=f"C(s - 1) * 2**(s / 2) == {each}",
        words="the width of an epoch",
    )
    added = induction(
        VARIABLES,
        on="s",
        start=1,
        given=[
            *(*positive, *conclusions(log)),
            *widths_add_up("s"),
            *(power_of_sum("2", half, half) for half in ("1 / 2", "(s + 1) / 2")),
            power_of_sum("2", "s / 2", "1 / 2"),
            one.at(s="s + 1"),
        ],
        then=f"widths(s) * (sqrt(2) - 1) == 8 * K * m * sqrt(T) * ({each}) * (sqrt(2) * 2**(s / 2) - 2)",
        words="the sum of the widths up to epoch s",
    )
    horizon = for_all(
        VARIABLES,
        given=[*positive, f.epochs, f.filled, request.quote("algorithm-1/schedule")],
        then="sqrt(T) == 4 * K * m * (2**S - 1)",
        words="the horizon",
    )
    return [
        *(log, one, added, horizon),
        for_all(
            VARIABLES,
            given=[
                *(*positive, f.epochs, *conclusions(log, horizon)),
                power_of_sum("2", "S / 2", "S / 2"),
                power_grows("2", "1", "S"),
                added.at(s="S"),
            ],
            then=conclusion,
            words="put the horizon in",
        ),
    ]


def widths_add_up(s: str) -> tuple[Fact, Fact]:
    """The sum of 8 K m n_j sqrt(T) C(j - 1) over j = 2..s."""
    more = f"widths({s}) + 8 * K * m * 2**({s} + 1) * sqrt(T) * C({s})"
    return (
        definition("widths, a sum", "widths(1) == 0", "widths"),
        definition("widths, a sum", f"implies({s} >= 1, widths({s} + 1) == {more})", "widths"),
    )


@claim(
    "lemma-4/log-t",
    statement="{stated}.",
    where=WHERE,
    formulas={
        "most": LOG_BOUND,
        "stated": "S <= most",
        "sharper": LOG_SHARP,
        "sharp": "S <= sharper",
        "reached": f"limit(({EPOCHS.where(K=1, m=1)}) / (sharper), T) == 1",
    },
    symbols={"limit": "limit(f, x), the limit of f as x grows"},
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 2",
        "epochs": f"S <= {EPOCHS}",
    },
)
def log_t(request: Request) -> Outcome:
    """sqrt(T)/(4Km) + 1 <= sqrt(T), as 4/3 <= sqrt(2); and log2(sqrt(T)) = log(T) / (2 log(2))."""
    f = request.formulas
    fails = in_balls(LOG_BOUND, EPOCHS, K=1, m=1, T=1)
    reached = request.show("reached", [limit(f"({EPOCHS.where(K=1, m=1)}) / ({f.sharper})", "T", "1")])
    outside = Witness({"K": 1, "m": 1, "horizon": 1, "S": decimal(EPOCHS, K=1, m=1, T=1)})
    return request.conclude(
        request.show("stated", _log_steps(request, f.stated)),
        method="logarithms grow; z3, and log(2) in balls",
        checked_on="K = m = 1, T < 50",
        violation=_longer(f.most),
        remarks=(f"At T = 1 it fails: {fails}.",),
        tight=Tight(
            f"S <= {f.sharper} = {decimal(Formula(f'({f.sharper}) / log(T)'), 4, T=4)} log(T) for T >= 2, no "
            "smaller factor; T = 1 is the only exception",
            weakest(request.show("sharp", _log_steps(request, f.sharp)).verdict, reached.verdict),
            outside,
        )
        if fails.holds
        else None,
    )


def _log_steps(request: Request, conclusion: Formula) -> list[Step]:
    half = in_balls("1 / 2", "log(2)")
    smaller = for_all(
        "",
        given=[*request.domain, grows("log2", "sqrt(T) / (4 * K * m) + 1", "sqrt(T)")],
        then="S <= log2(sqrt(T))",
        words="S is largest for Km = 1, and 4/3 <= sqrt(T)",
    )
    return [
        *(half, smaller),
        for_all(
            "",
            given=[
                *(request.formulas.horizon, *conclusions(half, smaller)),
                *(
                    log2_as_log("sqrt(T)"),
                    log2_as_log("T"),
                    log_of_root("T"),
                    grows("log", "1", "T"),
                    log_of_one(),
                ),
            ],
            then=conclusion,
            words="log2(sqrt(T)) = log(T) / (2 log(2))",
        ),
    ]


@dataclass(frozen=True)
class Longer:
    """A horizon with more epochs than a bound allows, K = m = 1."""

    bound: Formula
    horizon: int

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"K": 1, "m": 1, "T": self.horizon})

    def confirmed(self) -> bool:
        """Without logarithms to the base 2: S > bound where sqrt(T)/4 + 1 > 2^bound."""
        power = Formula(f"exp(({self.bound}) * log(2))")
        return less(power, Formula("sqrt(T) / 4 + 1"), T=self.horizon) is True


def _longer(bound: Formula) -> Longer | None:
    cases = (T for T in range(2, 50) if less(bound, EPOCHS, K=1, m=1, T=T))
    return next((Longer(bound, T) for T in cases), None)
