"""Optimism, the bound: from one epoch to the regret, and how far the rate is the right one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from proofs_check.bounds import OPTIMISM, OPTIMISM_ENOUGH, OPTIMISM_GAP
from proofs_check.ours.optimism.cells import DOMAIN, MEAN_GIVEN_THE_PAST
from proofs_check.stating import Better, Outcome, Proof, Request, Setting, Verdict, Witness, claim
from tallyplan.formula import Formula

WHERE = "Optimism (ours, docs/optimism.md)"
AGAIN, NOW = "repeated(best(T), T)", "repeated(best(T), T, t)"
REPEATED = Setting(
    define={"repeated(w, L, t)": "w(t - L * quotient(t - 1, L))"},
    variables="g(integer, integer) real",
)
LOWER = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "table": "table(h)",
    "lower": "all(0 <= g(x, y) <= h(x, y) for x in between(1, K) for y in between(1, m))",
}
A_TABLE = {"g": "g(x, y), the lower bound of the loss of action x at tally y"}
TWO = {"K": 2, "m": 2, "T": 2, "h": [[0, 1], [1, 0]], "g": [[0, "1/2"], [1, 0]]}
ATTAINED = {"K": 1, "m": 2, "T": 3, "h": [[0, 1]], "g": [[0, 1]]}
STEPS = ("optimism/epoch", "optimism/rotation", "optimism/visit", "optimism/optimum")
USES = (*STEPS, "lemma-7/step-ii", "optimism/cell", "optimism/epochs", "optimism/event")
ARGUMENT = (
    "On the event every lower bound is at most its loss (optimism/visit), so the word of an epoch, of least "
    "mean under the lower table, has a mean low with T low <= OPT + m - 1 (optimism/optimum).",
    "An epoch of n steps loses under its lower table at most n low + (m - 1) (optimism/epoch; its rotation "
    "comes from optimism/rotation). Over all epochs: at most OPT + (m - 1)(epochs + 1).",
    "A step to a cell that was seen n times before its epoch exceeds its lower bound by at most width(n) "
    "(optimism/visit). Collected by cells, these excesses are the sums of optimism/cell.",
)
COUNTED = (
    "The K m cells cost at most F times the sum of sqrt(N_c), F = (2 + sqrt(2)) sqrt(log(2KmT/delta)), minus "
    "1 for each cell that was seen, plus 3 T / G <= 1. The sum is at most sqrt(K m T) (lemma-7/step-ii).",
    "Every epoch but the last was ended by a cell, and a cell that was seen N times has ended at most "
    "log2(2 N) (optimism/epochs). The logarithm is concave: epochs <= K m log2(2 max(T, Km)/(Km)) + 1.",
)
LOGS = Setting(
    define={"log2(r)": "log(r) / log(2)"},
    variables="r worst regret excess epochs gap real; G integer",
)
COUNTS = {
    "excess": "what the losses exceed the lower tables by, summed over all steps",
    "epochs": "the number of epochs",
}
OVERHEAD = "regret <= excess + (m - 1) * (epochs + 1)"
CELLS = "excess <= (2 + sqrt(2)) * sqrt(K * m * T * log(2 * K * m * T / delta))"
FEW = "epochs <= K * m * log2(2 * max(T, K * m) / (K * m)) + 1"
CASE = {"K": 2, "m": 2, "T": 9, "G": 27, "delta": "1/2", "regret": 0, "excess": 0, "epochs": 1, "gap": 0}


@dataclass(frozen=True)
class Regret:
    """The bound of an optimistic learner: what its parts are at most, and why, in words."""

    id: str
    learner: str
    bound: Formula
    parts: Sequence[str]
    sentences: Sequence[str]
    remark: str
    uses: Sequence[str] = USES
    domain: Mapping[str, str] = field(default_factory=lambda: DOMAIN)
    symbols: Mapping[str, str] = field(default_factory=dict)
    horizons: str = "For every tallying bandit and every T >= 1"

    def register(self) -> None:
        """Register it as a claim."""
        added = f"implies({' and '.join(self.parts)}, regret <= bound)"
        claim(
            self.id,
            statement=f"{self.horizons}, with probability at least 1 - delta the learner {self.learner} has "
            "{stated}.",
            formulas={"bound": self.bound, "stated": "regret <= bound", "added": added},
            domain=self.domain,
            setting=LOGS,
            symbols={**self.symbols, **COUNTS},
            assuming=(MEAN_GIVEN_THE_PAST,),
            model=CASE,
            uses=self.uses,
        )(self.examined)

    def examined(self, request: Request) -> Outcome:
        """What an epoch, a visit and a cell cost, in words; that it adds up to the bound, by the kernel."""
        added = request.proof("added").shown()
        return request.conclude(request.argue(*self.sentences, given=[added]), remarks=[self.remark])


@claim(
    "optimism/repeated",
    statement="Repeat an optimal sequence of T steps. Under a table g that is nowhere above h, its loss in m "
    "periods, after the first m, satisfies {stated}.",
    formulas={
        "stated": f"total({AGAIN}, g, m, m * T + m * T) - total({AGAIN}, g, m, m * T) "
        "<= m * (OPT(T) + m - 1)",
    },
    domain=LOWER,
    setting=REPEATED,
    symbols=A_TABLE,
    model=TWO,
)
def repeated(request: Request) -> Outcome:
    """A period loses at most m - 1 more than OPT: its first m - 1 steps, at most 1 each."""
    p = request.proof()
    p.have("j * T >= 0", all="j", given=["j >= 0"])
    p.have("implies(1 <= t and t <= T, quotient(t - 1, T) == 0)", all="t")
    p.have("implies(1 <= t and t <= T, t - T * quotient(t - 1, T) == t)", all="t")
    p.have(f"implies(1 <= t and t <= T, {NOW} == best(T, t))", all="t")
    _periods(p)
    within = ["j >= 0", "1 <= i", "i <= T"]
    p.have("repeated(best(T), T, i + j * T) == best(T, i)", all="i j", given=within)
    for play in (AGAIN, "best(T)"):
        p.induct("t", f"implies(s <= t, 0 <= count({play}, x, t) - count({play}, x, s) <= t - s)", all="x s")
    p.have("loss(best(T), t) >= 0", all="t", given=["1 <= t"], hints=["count(best(T), best(T, t), t - 1)"])
    p.have(
        f"1 <= count({AGAIN}, {NOW}, t) - count({AGAIN}, {NOW}, t - m) <= m",
        all="t",
        given=["1 <= t"],
        hints=[f"count({AGAIN}, {NOW}, t - 1)"],
    )
    p.have(f"loss({AGAIN}, g, m, t) <= loss({AGAIN}, t) <= 1", all="t", given=["1 <= t"])
    counted = f"count({AGAIN}, x, i + j * T) - count({AGAIN}, x, j * T) == count(best(T), x, i)"
    p.induct("i", counted, upto="T", all="x", given=["j >= 0"])
    p.have(f"loss({AGAIN}, i + j * T) == loss(best(T), i)", all="i j", given=[*within, "m <= i"])
    first = f"loss({AGAIN}, g, m, i + j * T) <= loss(best(T), i) + (1 if i < m else 0)"
    p.have(first, all="i j", given=within)
    lost = f"total({AGAIN}, g, m, i + j * T) - total({AGAIN}, g, m, j * T)"
    p.induct("i", f"{lost} <= total(best(T), i) + min(i, m - 1)", upto="T", given=["j >= 0"])
    period = f"total({AGAIN}, g, m, T + j * T) - total({AGAIN}, g, m, j * T) <= OPT(T) + m - 1"
    p.have(period, all="j", given=["j >= 0"])
    later = f"total({AGAIN}, g, m, m * T + j * T) - total({AGAIN}, g, m, m * T)"
    p.induct(
        "j",
        f"{later} <= j * (OPT(T) + m - 1)",
        hints=["m + j", f"total({AGAIN}, g, m, (m + j) * T)"],
    )
    p.have(f"total({AGAIN}, g, m, m * T + m * T) - total({AGAIN}, g, m, m * T) <= m * (OPT(T) + m - 1)")
    return request.conclude(p.shown())


@claim(
    "optimism/optimum",
    statement="If no loss of the lower table g is above the loss of h, the least mean under g of a word, "
    "here of m T letters, satisfies {stated}.",
    formulas={
        "stated": "T * mu(g, K, m, m * T) <= OPT(T) + m - 1",
        "less": "T * mu(g, K, m, m * T) < OPT(T) + m - 1",
    },
    domain=LOWER,
    setting=REPEATED,
    symbols=A_TABLE,
    model=TWO,
    uses=("optimism/repeated",),
)
def optimum(request: Request) -> Outcome:
    """Repeat an optimal sequence: its mean under g is at least the least."""
    p = request.proof()
    mean = "T * mu(g, K, m, m * T)"
    p.have(f"implies(m * ({mean}) <= m * (OPT(T) + m - 1), {mean} <= OPT(T) + m - 1)")
    _periods(p)
    p.have(f"m * ({mean}) <= total({AGAIN}, g, m, m * T + m * T) - total({AGAIN}, g, m, m * T)")
    p.use("optimism/repeated")
    p.have(f"m * ({mean}) <= m * (OPT(T) + m - 1)")
    return request.conclude(
        p.shown(),
        tight=Better(
            "attained by one action, `h(m) == 1`, every other loss 0",
            Verdict.CHECKED,
            Witness({"K": 1, "m": 2}),
        )
        if not request.sequent("less").holds(ATTAINED) and request.sequent().holds(ATTAINED)
        else None,
    )


def _periods(p: Proof) -> None:
    """The repeated sequence has the periods T and m T, and plays 1..K."""
    p.have("quotient(t + T, T) == quotient(t, T) + 1", all="t")
    p.have(f"repeated(best(T), T, t + T) == {NOW}", all="t", hints=["quotient(t - 1, T)"])
    p.induct("j", f"repeated(best(T), T, t + j * T) == {NOW}", all="t")
    p.have(f"repeated(best(T), T, t + m * T) == {NOW}", all="t")
    p.have(f"1 <= {NOW} <= K", all="t")


Regret(
    "optimism",
    "optimistic-planner",
    OPTIMISM,
    (OVERHEAD, CELLS, FEW),
    (*ARGUMENT, *COUNTED),
    "With delta = 1/T the expected regret is at most the bound plus 1: no regret exceeds T.",
).register()


@claim(
    "optimism/range",
    statement="For T >= {enough}, the bound is within a factor of order sqrt(log) of the repaired Theorem 2: "
    "{stated}.",
    formulas={
        "bound": OPTIMISM,
        "constant": OPTIMISM_GAP,
        "enough": OPTIMISM_ENOUGH,
        "stated": "bound <= constant * sqrt(log(2 * K * m * T / delta)) * worst",
    },
    domain={
        "actions": "K >= 2",
        "memory": "m >= 1",
        "horizon": "T >= m * K",
        "long": "T >= enough",
        "probability": "0 < delta and delta < 1",
        "forced": "432 * worst >= sqrt(K * m * T)",
    },
    setting=LOGS,
    model={"K": 2, "m": 1, "T": 64, "delta": "1/2", "worst": 1},
)
def in_range(request: Request) -> Outcome:
    """The overhead is at most a multiple of the root where T is that large; then Theorem 2, repaired."""
    p = request.proof()
    log, level = "log(2 * K * m * T / delta)", "log2(2 * T / (K * m))"
    root = f"sqrt(K * m * T * {log})"
    p.have(f"m * (K * m) * {level} <= 1204 / 1000 * {root}")
    p.have(f"(m - 1) * (K * m * {level} + 2) <= m * (K * m) * {level}")
    p.have(f"{request.formulas.bound} <= 4619 / 1000 * {root}")
    p.have(f"{root} <= 432 * worst * sqrt({log})")
    return request.conclude(
        p.shown(),
        remarks=(
            "Between T of the order mK and of the order m^3 K the two bounds differ by more; the most is a "
            "factor of the order sqrt(m), near T = m^2 K, up to logarithms. What is right there is open.",
        ),
    )
