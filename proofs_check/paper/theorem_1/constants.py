"""Theorem 1: the constant 1200, and a sharper bound for the same algorithm.

Stated, as the last line of the proof: Lemma 4 and Lemma 3 add up to
Km sqrt(T) (5S + 400 root) + (m + 1) sqrt(T) <= 1200 Km sqrt(T) (root + log2(sqrt(T)/(2Km))).

Proved for sqrt(T) >= 2Km. For sqrt(T) >= 4Km, that is S >= 1, S is at most the logarithm, which is at least
1; below that S <= 1, and the root is at least 1: both are for z3. As delta -> 0 the root grows without bound
and the others stay, so 400 is the least constant, and it is enough for sqrt(T) >= 4Km.

Sharpened. The same algorithm, with what the lemmas really give on sqrt(T) = 4Km(2^S - 1): the first epoch
costs 4Km sqrt(T); every later execution m - 1 instead of sqrt(T) (`lemma-5`); the widths 32 (2 + sqrt(2))
or, with 1/2 in Hoeffding's bound, 4 (2 + sqrt(2)) (`lemma-4/constant`); and Lemma 3 (m - 1) sqrt(T).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.bounds import LEMMA_3, LEMMA_3_SHARP
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.paper.lemma_4 import statement as lemma_4
from proofs_check.steps import Given, Step, Verdict, conclusions, weakest
from proofs_check.ways.analysis import in_balls
from proofs_check.ways.balls import decide
from proofs_check.ways.for_all import for_all
from proofs_check.ways.laws import grows, log2_of_power, log_of_one, power_grows
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS, ROOT, THEOREM_1
from tallyplan.games.schedule import horizon_root

WHERE = "Theorem 1, last line of the proof"
ROOT_TERM, LOG_TERM = "sqrt(log(2 * K * m * log(T) / delta))", "log2(sqrt(T) / (2 * K * m))"
STATED = THEOREM_1.formula
SHARP = Formula(f"{lemma_4.SHARP} + {LEMMA_3_SHARP}")
SHARPEST = Formula(str(SHARP).replace("32 *", "4 *"))
VARIABLES = "K m L T S integer; E(integer) real"
EVENT = "on the event of Lemma 7, of probability at least 1 - delta"
HORIZONS = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "probability": "0 < delta and delta < 1",
    "epochs": "S >= 1",
    "square": "T == L * L",
    "horizon": f"L == {ROOT}",
}


@dataclass(frozen=True)
class Parameters:
    """Values at which a comparison of two sides is false, in balls."""

    left: Formula
    right: Formula
    values: dict[str, int | Fraction]

    def witness(self) -> Witness:
        """For the reader."""
        return Witness(self.values)

    def confirmed(self) -> bool:
        """The two sides apart, each in a ball of its own."""
        return bool(self.left.ball(**self.values) > self.right.ball(**self.values))


@claim(
    "theorem-1/final-constant",
    statement="{stated}.",
    where=WHERE,
    formulas={
        "lemma_4": lemma_4.STATED,
        "lemma_3": LEMMA_3,
        "sum": "lemma_4 + lemma_3",
        "terms": f"{ROOT_TERM} + {LOG_TERM}",
        "bound": STATED,
        "stated": "sum <= bound",
        "best": "400",
        "sharp": "implies(sqrt(T) >= 4 * K * m, sum <= best * K * m * sqrt(T) * (terms))",
        "no_less": f"implies(0 < c and c < best and {ROOT_TERM} * (best - c) > c * {LOG_TERM}, "
        "sum > c * K * m * sqrt(T) * (terms))",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "probability": "0 < delta and delta < 1",
        "long": "sqrt(T) >= 2 * K * m",
        "horizon": "T >= 4",
        "epochs": f"S == {EPOCHS}",
    },
    symbols={"c": "another constant"},
)
def final_constant(request: Request) -> Outcome:
    """Two cases, sqrt(T) >= 4Km and below; linear in the root and the logarithms, for z3."""
    f = request.formulas
    outside: dict[str, int | Fraction] = {"K": 2, "m": 1, "T": 4, "delta": Fraction(9, 10)}
    fails = decide(f.stated.where(S=EPOCHS), **outside) is False
    best = [_best(request, name) for name in ("sharp", "no_less")]
    return request.conclude(
        request.show("stated", _final(request)),
        method="z3, linear in the root and the logarithms",
        checked_on="K = 2, m = 1, S = 1, 2, 5, delta = 10^-1, 10^-10, 10^-1000",
        violation=_first_failure(f.sum, f.bound),
        remarks=(f"At T = 4, K = 2, m = 1, delta = 9/10, below that, it {'fails' if fails else 'holds'}.",),
        tight=Tight(
            f"{f.best} instead of 1200 for sqrt(T) >= 4Km; no smaller constant for all delta", weakest(*best)
        ),
    )


def _first_failure(left: Formula, right: Formula) -> Parameters | None:
    """The first horizon of Algorithm 1 at which the left side is larger."""
    cases = (
        {"K": 2, "m": 1, "S": S, "T": horizon_root(2, 1, S) ** 2, "delta": Fraction(1, 10**digits)}
        for S in (1, 2, 5)
        for digits in (1, 10, 1000)
    )
    return next(
        (Parameters(left, right, at) for at in cases if decide(Formula(f"{left} <= {right}"), **at) is False),
        None,
    )


def terms_steps() -> list[Step]:
    """For T >= 4 the root is at least 1, for sqrt(T) >= 2Km the logarithm is not negative."""
    balls = [in_balls("1", "2 * log(4)"), in_balls("1", "log(2 * log(4))")]
    root = for_all(
        "",
        given=[
            *("K >= 1", "m >= 1", "0 < delta and delta < 1", "T >= 4"),
            *(step.at() for step in balls),
            *(grows("log", "4", "T"), grows("log", "2 * log(4)", "2 * K * m * log(T) / delta")),
        ],
        then=f"{ROOT_TERM} >= 1",
        words="the root is at least 1",
    )
    log = for_all(
        "",
        given=[
            *("K >= 1", "m >= 1", "sqrt(T) >= 2 * K * m"),
            *(grows("log2", "1", "sqrt(T) / (2 * K * m)"), log2_of_power("1", "0")),
        ],
        then=f"{LOG_TERM} >= 0",
        words="the logarithm is not negative",
    )
    return [*balls, root, log]


def _final(request: Request) -> list[Step]:
    """For sqrt(T) >= 4Km the logarithm is at least S and 1; below that S is at most 1."""
    f = request.formulas
    inside, half = "sqrt(T) / (4 * K * m) + 1", "sqrt(T) / (2 * K * m)"
    *balls, root, log = terms_steps()
    cases = for_all(
        "",
        given=[
            *(f.actions, f.memory, f.long, f.epochs),
            *(grows("log2", inside, half), grows("log2", inside, "2"), grows("log2", "2", half)),
            log2_of_power("2", "1"),
        ],
        then=f"S <= 1 or S <= {LOG_TERM} and {LOG_TERM} >= 1",
        words="S is at most 1, or at most the logarithm",
    )
    return [
        *(*balls, root, log, cases),
        for_all(
            "",
            given=[
                *(f.actions, f.memory, f.probability, f.long, f.horizon),
                root.at(),
                log.at(),
                *conclusions(cases),
            ],
            then=f.stated,
        ),
    ]


def _best(request: Request, name: str) -> Verdict:
    """400 is enough for sqrt(T) >= 4Km, and no c < 400 is once the root is large."""
    f = request.formulas
    inside, half = "sqrt(T) / (4 * K * m) + 1", "sqrt(T) / (2 * K * m)"
    *steps, log, _, _ = _final(request)
    cases = for_all(
        "",
        given=[
            *(f.actions, f.memory, f.epochs),
            *(grows("log2", inside, half), grows("log2", "2", half), log2_of_power("2", "1")),
            *(grows("log2", "1", inside), log2_of_power("1", "0")),
            f.horizon,
        ],
        then=f"S >= 0 and implies(sqrt(T) >= 4 * K * m, S <= {LOG_TERM} and {LOG_TERM} >= 1)",
        words="the logarithm is at least S and 1",
    )
    given: list[Given] = [
        *(f.actions, f.memory, f.probability, f.long, f.horizon),
        *(steps[-1].at(), log.at()),
        *conclusions(cases),
    ]
    return request.show(name, [*steps, log, cases, for_all("", given=given, then=getattr(f, name))]).verdict


@claim(
    "theorem-1/log-factor",
    statement="(not in the paper) The S - 1 later epochs cost, beyond their widths, no sqrt(T): {stated}.",
    where=WHERE,
    formulas={
        "later_starts": "(S - 1) * K * m * (m - 1)",
        "widths": "32 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta))",
        "stated": "loss - T * mu <= 4 * K * m * sqrt(T) + later_starts + widths",
    },
    domain=HORIZONS,
    integers="K m L T S",
    assuming=(EVENT,),
    uses=("algorithm-1/schedule", "lemma-4"),
)
def log_factor(request: Request) -> Outcome:
    """It comes from sqrt(T) for each execution in Lemma 5; m - 1 is enough there (lemma-4, sharp)."""
    f = request.formulas
    horizon = horizon_steps(request)
    stated = for_all(
        VARIABLES,
        given=[*request.domain, *conclusions(*horizon), request.quote("lemma-4", "sharp")],
        then=f.stated,
    )
    return request.conclude(
        request.show("stated", [*horizon, stated]), method="Lemma 4 with its sharp constants"
    )


def root_step(request: Request) -> Step:
    """On the horizons of Algorithm 1 sqrt(T) is L, at least 4Km."""
    f = request.formulas
    return for_all(
        VARIABLES,
        given=[*(f.actions, f.memory, f.epochs, f.square, f.horizon), power_grows("2", "1", "S")],
        then="L >= 4 * K * m and sqrt(T) == L and T >= 16",
        words="sqrt(T) = L >= 4Km",
    )


def horizon_steps(request: Request) -> list[Step]:
    """On the horizons of Algorithm 1 the S epochs take T steps; sqrt(T) is L, at least 4Km."""
    root = root_step(request)
    filled = for_all(
        VARIABLES,
        given=[*request.domain, *conclusions(root), request.quote("algorithm-1/schedule")],
        then=f"T == E(S) and S == {EPOCHS}",
        words="the S epochs take T steps",
    )
    return [root, filled]


@claim(
    "theorem-1/sharpened",
    statement="(not in the paper) With probability at least 1 - delta, {stated}.",
    where=WHERE,
    formulas={
        "sharp": SHARP,
        "stated": "loss - OPT <= sharp",
        "printed": STATED,
        "below": "sharp <= printed",
        "narrower": SHARPEST,
        "widths": "32 * (2 + sqrt(2)) * K * m * sqrt(T) * sqrt(log(2 * K * m * S / delta))",
        "saved": "sharp - (narrower) == 7 / 8 * widths",
    },
    domain=HORIZONS,
    integers="K m L T S",
    assuming=(EVENT,),
    uses=("algorithm-1/schedule", "lemma-3", "lemma-4", "lemma-4/log-t", "lemma-7/hoeffding"),
)
def sharpened(request: Request) -> Outcome:
    """Add up what the lemmas really give; then z3 shows that it is below the printed bound."""
    f = request.formulas
    below = request.show("below", _below_the_printed(request))
    saved = request.show("saved", [for_all(VARIABLES, then=f.saved)])
    narrow = request.result("lemma-7/hoeffding").outcome
    return request.conclude(
        request.show("stated", added_up(request, "sharp", f.stated)),
        method="the lemmas with their best constants, z3",
        remarks=(f"It is below the printed bound on all these horizons: {below.verdict}.",),
        tight=Tight(
            f"{f.narrower}, if C_s is taken with 1/2 in place of 32 (claim lemma-7/hoeffding), so that all "
            "widths are 8 times narrower",
            weakest(saved.verdict, narrow.shown["stated"]),
        ),
    )


def added_up(request: Request, name: str, conclusion: Formula) -> list[Step]:
    """Lemma 4 and Lemma 3, as stated or sharp."""
    horizon = horizon_steps(request)
    given = [*request.domain, *conclusions(*horizon)]
    four, three = request.run.claim("lemma-4"), request.run.claim("lemma-3")
    epochs = for_all(
        VARIABLES, given=[*given, request.quote("lemma-4", name)], then=four.formula(name), words="Lemma 4"
    )
    cyclic = for_all(
        VARIABLES, given=[*given, request.quote("lemma-3", name)], then=three.formula(name), words="Lemma 3"
    )
    return [*horizon, epochs, cyclic, for_all(VARIABLES, given=conclusions(epochs, cyclic), then=conclusion)]


def _below_the_printed(request: Request) -> list[Step]:
    """S <= log2(r/2), (m - 1) <= sqrt(T), and the root with S is at most the one with log(T)."""
    f = request.formulas
    horizon = horizon_steps(request)
    short, long = "2 * K * m * S / delta", "2 * K * m * log(T) / delta"
    root = for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, f.epochs, f.probability, *conclusions(*horizon)),
            request.quote("lemma-4/log-t"),
            *(grows("log", short, long), grows("log", "1", short), log_of_one()),
        ],
        then=f"0 <= sqrt(log({short})) and sqrt(log({short})) <= {ROOT_TERM}",
        words="the root with S is at most the one with log(T)",
    )
    log = for_all(
        VARIABLES,
        given=[
            *(f.actions, f.memory, *conclusions(*horizon)),
            grows("log2", "sqrt(T) / (4 * K * m) + 1", "sqrt(T) / (2 * K * m)"),
        ],
        then=f"S <= {LOG_TERM}",
        words="S is at most the logarithm",
    )
    return [
        *(*horizon, root, log),
        for_all(
            VARIABLES,
            given=[f.actions, f.memory, f.epochs, *conclusions(horizon[0], root, log)],
            then=f.below,
        ),
    ]
