"""A learner that knows only an upper bound M on the memory: what it guarantees, and what ignorance must cost.

Stated here. `optimistic-unknown-memory` runs one optimistic planner for each memory j <= M, gives each epoch
to the one that promises the least mean loss, and drops a memory that is charged more than the true one could
be. Its regret is of the order M sqrt(K T log T) (`unknown-memory`). No learner that knows only M avoids a
regret of nearly M/2 on one of two tables, the first of memory 1, even without noise (`unknown-memory/cost`);
who knows that the memory is 1 loses at most 1 there.

Shown. The true memory is charged at most its allowance: that is the analysis of `optimism`, at every step,
and the deviation of a martingale. The charges of all memories then add up: Cauchy and Schwarz by induction
(`unknown-memory/roots`), and the starts of epochs (`unknown-memory/starts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.boxes import first_failing
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.ours.optimism.radii import MEAN_GIVEN_THE_PAST
from proofs_check.steps import Verdict, argued, conclusions, weakest
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import grows, log_of_one
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.games import bounds
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.planning.horizon import optimal_plan

WHERE = "Unknown memory (ours, docs/findings.md)"
SUMS = "K M T j n(integer) steps(integer) integer; roots(integer) starts(integer) levels real"
INSIDE = "6 * K * M * T / delta"
LOG = f"log({INSIDE})"
SIZES = {
    "actions": "K >= 1",
    "memory": "M >= 1",
    "horizon": "T >= 1",
    "probability": "0 < delta and delta < 1",
}
OF_A_MEMORY = {
    "roots": "roots(j), the sum of sqrt(i n(i)) over the memories i = 1, ..., j",
    "n": "n(j), the steps in epochs of memory j",
    "steps": "steps(j), the steps in epochs of the memories up to j",
    "M": "the upper bound on the memory",
    "j": "a memory",
}


@claim(
    "unknown-memory/roots",
    statement="The sum of sqrt(j n(j)) over all memories j <= M satisfies {stated}.",
    where=WHERE,
    formulas={"stated": "roots(M) <= sqrt(M * (M + 1) / 2 * T)"},
    domain={"memory": "M >= 0", "all": "steps(M) <= T"},
    integers="M T",
    symbols=OF_A_MEMORY,
)
def roots(request: Request) -> Outcome:
    """The inequality of Cauchy and Schwarz, by induction on the memories."""
    f = request.formulas
    one = for_all(
        "a b c d r s real",
        given=[
            "a >= 0",
            "b >= 0",
            "c >= 0",
            "d >= 0",
            "r >= 0",
            "s >= 0",
            "r * r <= a * b",
            "s * s == c * d",
        ],
        then="(r + s) * (r + s) <= (a + c) * (b + d)",
        words="one memory more: 2 r s <= a d + b c",
    )
    parts = {"a": "j * (j + 1) / 2", "b": "steps(j)", "c": "j + 1", "d": "n(j + 1)"}
    added = induction(
        SUMS,
        on="j",
        start=0,
        given=[
            definition("the sum of the roots", "roots(0) == 0"),
            definition("the sum of the roots", "roots(j + 1) == roots(j) + sqrt((j + 1) * n(j + 1))"),
            definition("the steps", "steps(0) == 0"),
            definition("the steps", "steps(j + 1) == steps(j) + n(j + 1) and n(j + 1) >= 0"),
            one.at(**parts, r="roots(j)", s="sqrt((j + 1) * n(j + 1))"),
        ],
        then="roots(j) >= 0 and steps(j) >= 0 and roots(j) * roots(j) <= j * (j + 1) / 2 * steps(j)",
        words="the memories up to j",
    )
    last = for_all(
        SUMS, given=[*request.domain, added.at(j="M")], then=f.stated, words="all memories, and the root"
    )
    return request.conclude(
        request.show("stated", [one, added, last]), method="induction on the memories, z3"
    )


@claim(
    "unknown-memory/starts",
    statement="If memory j has at most K j levels + 1 epochs, and each may cost j - 1 at its start, then all "
    "of them together cost {stated}.",
    where=WHERE,
    formulas={"stated": "starts(M) <= K * (M**3 - M) / 3 * levels + M * (M - 1) / 2"},
    domain={"memory": "M >= 1", "logarithm": "levels >= 0"},
    integers="K M",
    symbols={
        "starts": "starts(j), what the starts of epochs may cost in all, memories up to j",
        "levels": "an upper bound on log2(2 max(T, K j)/(K j))",
        "M": "the upper bound on the memory",
    },
)
def starts(request: Request) -> Outcome:
    """A sum of cubes and squares, by induction on the memories."""
    f = request.formulas
    added = induction(
        SUMS,
        on="j",
        start=0,
        given=[
            f.logarithm,
            definition("the costs", "starts(0) == 0"),
            definition("the costs", "starts(j + 1) <= starts(j) + j * (K * (j + 1) * levels + 1)"),
        ],
        then="starts(j) <= K * (j**3 - j) / 3 * levels + j * (j - 1) / 2",
        words="the memories up to j",
    )
    last = for_all(SUMS, given=[f.memory, f.logarithm, added.at(j="M")], then=f.stated)
    return request.conclude(request.show("stated", [added, last]), method="induction on the memories, z3")


@claim(
    "unknown-memory",
    statement="For every tallying bandit of a memory m <= M and every T >= 1, with probability at least "
    "1 - delta the learner optimistic-unknown-memory, which knows M and not m, has {stated}.",
    where=WHERE,
    formulas={"bound": bounds.UNKNOWN_MEMORY.formula.where(m="M"), "stated": "loss - OPT <= bound"},
    domain=SIZES,
    integers="K M T",
    symbols={"M": "the upper bound on the memory"},
    assuming=(MEAN_GIVEN_THE_PAST,),
    uses=("unknown-memory/roots", "unknown-memory/starts"),
)
def unknown_memory(request: Request) -> Outcome:
    """The charges of all memories, each at most its allowance and 1, added up."""
    f = request.formulas
    variables = (
        "K M T steps(integer) integer; "
        "roots(integer) starts(integer) delta loss OPT charges radii noise levels real"
    )
    levels = "log2(2 * max(T, K) / K)"
    noise = "sqrt(M * T * log(3 * T / delta) / 2)"
    promised = argued(
        "with probability 1 - 2 delta/3 the true memory is never dropped (optimism, applied to its own steps "
        "with delta/3, and Azuma's inequality for its observations at all T numbers of steps), so that no "
        "promise is above the least mean; the observations of all steps are below their means by at most the "
        "last root but for delta/3; OPT is at least T times the least mean, minus M - 1 (optimism/optimum)",
        then="loss - OPT <= charges + sqrt(T * log(3 / delta) / 2) + M - 1",
    )
    charged = argued(
        "a memory is dropped when it is charged more than its allowance; a step charges at most 1, and "
        "roundings together at most 1",
        then="charges <= radii + noise + starts(M) + M + 1",
    )
    factor = f"(2 + sqrt(2)) * sqrt(K * {LOG})"
    widths = argued(
        "the first parts of the allowances, with the logarithm at j = M",
        then=f"radii <= {factor} * roots(M)",
    )
    deviations = argued(
        "the last parts of the allowances: a sum of M roots of n(j), which sum to T", then=f"noise <= {noise}"
    )
    positive = for_all(
        variables,
        given=[*request.domain, grows("log", "1", INSIDE), log_of_one()],
        then=f"{LOG} >= 0",
    )
    product = for_all(
        variables,
        given=[
            *request.domain,
            *conclusions(positive, widths),
            request.quote("unknown-memory/roots"),
            definition("the steps of all memories", "steps(M) == T"),
        ],
        then=f"radii <= {factor} * sqrt(M * (M + 1) / 2 * T)",
        words="the widths, by Cauchy and Schwarz",
    )
    roots_of = for_all(
        "a b real", given=["a >= 0", "b >= 0"], then="sqrt(a) * sqrt(b) == sqrt(a * b)", words="two roots"
    )
    together = for_all(
        variables,
        given=[
            *request.domain,
            *conclusions(positive, product),
            roots_of.at(a=f"K * {LOG}", b="M * (M + 1) / 2 * T"),
        ],
        words="under one root",
        then=f"radii <= (2 + sqrt(2)) * sqrt(K * M * (M + 1) / 2 * T * {LOG})",
    )
    enough = argued(
        "memory j has at most K j log2(2 max(T, K j)/(K j)) + 1 epochs (optimism/epochs, and one that no "
        "cell ended), and the logarithm is largest at j = 1",
        then=f"levels == {levels} and levels >= 0",
    )
    last = for_all(
        variables,
        given=[
            *request.domain,
            *conclusions(promised, charged, together, deviations, enough),
            request.quote("unknown-memory/starts"),
        ],
        then=f.stated,
        words="everything added up",
    )
    steps = [promised, charged, widths, deviations, positive, product, roots_of, together, enough, last]
    return request.conclude(request.show("stated", steps), method="charges of all memories, z3")


@dataclass(frozen=True)
class TwoTables:
    """Rest at 1/2, or play action 1, which loses 1; in the second table it loses nothing M times in a row."""

    memory: int
    horizon: int

    @property
    def tables(self) -> list[TallyingBandit]:
        """The first has memory 1: its rows are constant."""
        half, M = Fraction(1, 2), self.memory
        return [TallyingBandit([[half] * M, [1] * M]), TallyingBandit([[half] * M, [1] * (M - 1) + [0]])]

    @property
    def gain(self) -> Fraction:
        """What the second table has to give: T/2 - (M - 1)."""
        return Fraction(self.horizon, 2) - (self.memory - 1)

    @property
    def value(self) -> Fraction:
        """What no learner avoids: the Bayes regret at the prior that balances the two, by the recursion."""
        second = Fraction(self.memory) / (self.memory + 2 * self.gain)
        prior = list(zip(self.tables, (1 - second, second), strict=True))
        optima = sum((p * optimal_plan(one, self.horizon).value for one, p in prior), Fraction(0))
        return least_expected_loss(prior, self.horizon) - optima

    @property
    def guaranteed(self) -> Fraction:
        """The larger expected regret of a learner that rests, or else begins with M plays of action 1.

        It does the latter with probability 2g/(M + 2g), g the gain, and goes on with what was better.
        """
        M, T = self.memory, self.horizon
        tries = 2 * self.gain / (M + 2 * self.gain)
        then = ([1] * M + [0] * (T - M), [1] * T)
        return max(
            (1 - tries) * replay(table, [0] * T)
            + tries * replay(table, played)
            - optimal_plan(table, T).value
            for table, played in zip(self.tables, then, strict=True)
        )

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds with the Bayes regret in place of the larger regret."""
        value = self.value
        known: dict[str, int | Fraction] = {"M": self.memory, "T": self.horizon}
        known |= {"regret_1": value, "regret_2": value}
        return formula.holds(**{name: known[name] for name in formula.names})

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.horizon, "Bayes regret": self.value}, self.tables[1])

    def confirmed(self) -> bool:
        """By the planner: what is to be gained."""
        return optimal_plan(self.tables[1], self.horizon).value == self.memory - 1


@claim(
    "unknown-memory/cost",
    statement="For K = 2 and every learner, the expected regrets on the two tables h_0 = 1/2, h_1 = 1 (of "
    "memory 1) and h_0 = 1/2, h_1(y) = 1 for y < M, h_1(M) = 0 (of memory M) satisfy {stated}.",
    where=WHERE,
    formulas={
        "gain": "T / 2 - (M - 1)",
        "bound": "M * gain / (M + 2 * gain)",
        "stated": "max(regret_1, regret_2) >= bound",
    },
    domain={"memory": "M >= 1", "long": "T >= 2 * (M - 1)"},
    integers="M T",
    symbols={
        "regret_1": "the expected regret on the table of memory 1",
        "regret_2": "the expected regret on the table of memory M",
        "M": "the upper bound on the memory",
    },
)
def cost(request: Request) -> Outcome:
    """The two tables look alike until action 1 was played M times in a row; all small cases exactly."""
    f = request.formulas
    variables = "M T integer; p regret_1 regret_2 real"
    first = argued(
        "on the first table the optimum rests; with probability p the learner plays action 1 M times in a "
        "row, and each play costs him 1/2",
        then="regret_1 >= p * M / 2 and 0 <= p and p <= 1",
    )
    second = argued(
        "until he does, the second table looks the same; if he never does, he loses T/2 at least, and the "
        "optimum is M - 1; if he does, he has lost M - 1 at least",
        then=f"regret_2 >= (1 - p) * ({f.gain})",
    )
    last = for_all(
        variables,
        given=[*request.domain, *conclusions(first, second)],
        then=f.stated,
        words="the larger of two",
    )
    box = [TwoTables(M, 2 * M - 2 + more) for M in range(1, 5) for more in (1, 2, M + 3)]
    shown = request.show("stated", [first, second, last])
    exact = all(one.value == one.guaranteed == f.bound(M=one.memory, T=one.horizon) for one in box)
    return request.conclude(
        shown,
        method="two tables that look alike; the belief recursion",
        cases=len(box),
        checked_on="M <= 4, three horizons each",
        violation=first_failing(box, f.stated),
        tight=Tight("met on the box", weakest(shown.verdict, Verdict.CHECKED), box[-1].witness())
        if exact
        else None,
    )
