"""A learner that knows only an upper bound M on the memory: what it guarantees, and what ignorance must cost.

`optimistic-unknown-memory` runs one optimistic planner for each memory j <= M, gives each epoch to the one
that promises the least mean loss, and drops a memory that is charged more than the true one could be.
"""

from dataclasses import dataclass
from fractions import Fraction

from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.ours.optimism.cells import MEAN_GIVEN_THE_PAST
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, Witness, claim, weakest
from tallyplan.games import bounds
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.planning.horizon import optimal_plan

WHERE = "Unknown memory (ours, docs/findings.md)"
SIZES = {
    "actions": "K >= 1",
    "bound_on_memory": "M >= 1",
    "horizon": "T >= 1",
    "probability": "0 < delta and delta < 1",
}
MEMORIES = Setting(
    define={
        "log2(r)": "log(r) / log(2)",
        "starts(K, levels, n)": "0 then before + (n - 1) * (K * n * levels + 1)",
        "roots(b, n)": "0 then before + sqrt(n * b(n))",
    },
    variables="M integer; levels r regret charges radii real",
)
LOG = "log(6 * K * M * T / delta)"
NOISE = "sqrt(M * T * log(3 * T / delta) / 2)"


@claim(
    "unknown-memory/roots",
    statement="The sum of `sqrt(j * b(j))` over all memories j <= M satisfies {stated}.",
    formulas={"stated": "roots(b, M) <= sqrt(M * (M + 1) / 2 * sum(b(s) for s in between(1, M)))"},
    domain={"bound_on_memory": "M >= 0", "counts": "all(b(s) >= 0 for s in between(1, M))"},
    setting=MEMORIES,
    symbols={"b": "b(j), the steps in epochs of memory j"},
    model={"M": 3, "b": [4, 2, 1]},
)
def roots(request: Request) -> Outcome:
    """The inequality of Cauchy and Schwarz, by induction on the memories."""
    p = request.proof()
    A, R, one = "(j * (j + 1) / 2)", "roots(b, j)", "sqrt((j + 1) * b(j + 1))"
    S = "sum(b(s) for s in between(1, j))"
    more, inside = f"({A} * b(j + 1) + (j + 1) * {S})", {"all": "j", "given": ["0 <= j", "j < M"]}
    p.induct("j", f"{R} >= 0 and {S} >= 0", upto="M")
    p.have(
        f"implies({R} * {R} <= {A} * {S}, (2 * {R} * {one}) * (2 * {R} * {one}) <= {more} * {more})", **inside
    )
    p.induct("j", f"{R} * {R} <= {A} * {S}", upto="M")
    return request.conclude(p.shown())


@claim(
    "unknown-memory/starts",
    statement="If memory j has at most K j levels + 1 epochs, and each may cost j - 1 at its start, then all "
    "of them together cost {stated}.",
    formulas={"stated": "starts(K, levels, M) == K * (M**3 - M) / 3 * levels + M * (M - 1) / 2"},
    domain={"bound_on_memory": "M >= 1"},
    setting=MEMORIES,
    symbols={"levels": "an upper bound on log2(2 max(T, K j)/(K j))"},
    model={"K": 2, "M": 3, "levels": 4},
)
def starts(request: Request) -> Outcome:
    """A sum of cubes and squares, by induction on the memories."""
    p = request.proof()
    p.induct("j", "starts(K, levels, j) == K * (j**3 - j) / 3 * levels + j * (j - 1) / 2")
    return request.conclude(p.shown())


@claim(
    "unknown-memory",
    statement="For every tallying bandit of a memory m <= M and every T >= 1, with probability at least "
    "1 - delta the learner optimistic-unknown-memory, which knows M and not m, has {stated}.",
    formulas={
        "bound": bounds.UNKNOWN_MEMORY.formula.where(m="M"),
        "stated": "regret <= bound",
        "added": "implies(regret <= charges + sqrt(T * log(3 / delta) / 2) + M - 1 and "
        f"charges <= radii + {NOISE} + levels + M + 1 and "
        f"radii <= (2 + sqrt(2)) * sqrt(K * M * (M + 1) / 2 * T * {LOG}) and "
        "levels <= K * (M**3 - M) / 3 * log2(2 * max(T, K) / K) + M * (M - 1) / 2, regret <= bound)",
    },
    domain=SIZES,
    setting=MEMORIES,
    symbols={
        "charges": "what all memories are charged",
        "radii": "the first parts of the allowances, summed",
        "levels": "what the starts of epochs cost",
    },
    assuming=(MEAN_GIVEN_THE_PAST,),
    model={"K": 2, "M": 2, "T": 9, "delta": "1/2", "regret": 0, "charges": 0, "radii": 0, "levels": 0},
    uses=(
        "optimism/cell",
        "optimism/epochs",
        "optimism/optimum",
        "unknown-memory/roots",
        "unknown-memory/starts",
    ),
)
def unknown_memory(request: Request) -> Outcome:
    """The charges of all memories, each at most its allowance and 1, added up."""
    return request.conclude(
        request.argue(
            "With probability 1 - 2 delta/3 the true memory is never dropped (optimism, applied to its own "
            "steps with delta/3, and Azuma's inequality for its observations at all T numbers of steps), so "
            "that no promise is above the least mean.",
            "The observations of all steps are below their means by at most sqrt(T log(3/delta)/2) but for "
            "delta/3; OPT is at least T times the least mean, minus M - 1 (optimism/optimum).",
            "A memory is dropped when it is charged more than its allowance; a step charges at most 1, and "
            "roundings together at most 1.",
            "The first parts of the allowances add up by unknown-memory/roots, the logarithm being largest "
            "at j = M; the last parts are M roots of numbers that sum to T.",
            "Memory j has at most K j log2(2 max(T, K j)/(K j)) + 1 epochs (optimism/epochs), and the "
            "logarithm is largest at j = 1; their starts add up by unknown-memory/starts.",
            given=[request.proof("added").shown()],
        ),
    )


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


@claim(
    "unknown-memory/cost",
    statement="For K = 2 and every learner, the expected regrets on the two tables h_0 = 1/2, h_1 = 1 (of "
    "memory 1) and h_0 = 1/2, h_1(y) = 1 for y < M, h_1(M) = 0 (of memory M) satisfy {stated}.",
    formulas={
        "gain": "T / 2 - (M - 1)",
        "bound": "M * gain / (M + 2 * gain)",
        "stated": "max(regret_1, regret_2) >= bound",
    },
    domain={"memory": "M >= 1", "long": "T >= 2 * (M - 1)"},
    symbols={
        "regret_1": "the expected regret on the table of memory 1",
        "regret_2": "the expected regret on the table of memory M",
    },
)
def cost(request: Request) -> Outcome:
    """The two tables look alike until action 1 was played M times in a row; all small cases exactly."""
    f = request.formulas
    pairs = [TwoTables(M, 2 * M - 2 + more) for M in range(1, 5) for more in (1, 2, M + 3)]
    values = [{"M": one.memory, "T": one.horizon, "regret_1": one.value} for one in pairs]
    shown = request.argue(
        "On the first table the optimum rests; with probability p the learner plays action 1 M times in a "
        "row, and each play costs 1/2: the regret is at least p M / 2.",
        "Until then the second table looks the same. Without such a run the loss is at least T/2, and the "
        f"optimum is M - 1; with it M - 1 is lost at least: the regret is at least (1 - p) ({f.gain}).",
        f"The larger of the two is least where both are equal, and `{f.bound}` there.",
    )
    exact = all(one.value == one.guaranteed == f.bound(M=one.memory, T=one.horizon) for one in pairs)
    return request.conclude(
        shown,
        box=[{**one, "regret_2": one["regret_1"]} for one in values],
        checked_on="M <= 4, three horizons each",
        tight=Better("attained on the box", weakest(shown.verdict, Verdict.CHECKED), Witness(values[-1]))
        if exact
        else None,
    )
