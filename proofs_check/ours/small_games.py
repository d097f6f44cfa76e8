"""The minimax regret of two actions with memory 2 and losses 0 or 1, seen without noise, for all horizons.

Stated here. The least regret that a learner can guarantee on all 16 tables is 1 for every even T >= 4
(`minimax/two-by-two-even`) and 3/2 - 3/(T+1) for every odd T >= 13 (`minimax/two-by-two-odd`).

Shown. *Upper end*: three learners that look at what they know and at the last action, at nothing else, mixed
after a random relabelling of the actions. From some step on each of them repeats itself on each table, and so
does the optimum, so that their regrets are linear in T along each parity, and the mixture is an inequality of
polynomials. *Lower end*: a prior on a few tables, and for every set of tables that a learner may still hold
possible a bound on what he loses from there on. The bounds satisfy the belief recursion for all T (z3), and
by induction no learner loses less (docs/minimax.md). The minimax engine solves two horizons besides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from proofs_check.bayes.minimax import MinimaxRegret, minimax_by_horizon
from proofs_check.boxes import first_failing
from proofs_check.claim import Outcome, Request, claim
from proofs_check.steps import Given, Step, argued, conclusions
from proofs_check.ways.for_all import for_all
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.check import check
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

WHERE = "Minimax regret without noise (ours, docs/minimax.md)"
Table = str  # the losses of the two actions, "01|11"
Situation = tuple[str, str, int | None]  # what is known of each action, the last action

PLAYS = """
|      -:0
0|     0:0
00|    0:0
01|    0:1
01|0   0:1 1:0
01|1   1:1
01|10  1:1
01|11  0:1 1:0
1|0    1:1
1|00   1:1
1|01   0:1 1:0
1|1    1:1
1|10   1:1
1|11   0:0 1:0
10|    0:0
10|11  0:0
11|    0:1
11|0   0:1
11|00  1:1
11|01  0:1 1:0
11|1   1:1
11|10  1:1
11|11  0:1 1:0
"""  # the losses known of the two actions, and last:next; "1|01" is h_0(1) = 1, h_1 = (0, 1)


def _read(plays: str) -> dict[Situation, int]:
    """What is played in each situation."""
    found: dict[Situation, int] = {}
    for known, *pairs in map(str.split, plays.strip().splitlines()):
        zero, one = known.split("|")
        for last, action in (pair.split(":") for pair in pairs):
            found[zero, one, None if last == "-" else int(last)] = int(action)
    return found


LEARNERS = {
    "hasty": _read(PLAYS + "1| 0:1"),  # a loss at once: to the other action
    "thorough": _read(PLAYS + "1| 0:0\n11|0 1:1"),
    "content": _read(PLAYS + "1| 0:0\n11|0 1:0"),  # h_1(1) = 0 is enough: take turns
}
# Bounds on what is lost by a learner who still holds these tables possible, after the last action named: in
# 2n steps and in 2n + 1 steps, weighted by the prior.
EVEN_PRIOR = {"10|11": "1"}  # in both orders
EVEN_BOUNDS = {
    ("10|11 11|10", 0): ("min(2 * n, 2)", "min(n + 1, 2)"),
    ("10|11", 0): ("0", "0"),
    ("10|11", 1): ("min(n, 1)", "1"),
}
ODD_PRIOR = {"00|11": "1", "01|10": "1", "01|11": "c"}
ODD_BOUNDS = {
    ("00|11 01|10 01|11", 0): ("min(2 * n + c * n, 2 + c + c * n)", "1 + n + c + c * n"),
    ("00|11 01|10 01|11", 1): ("n + c * n", "min(2 * n + c * n, 1 + c + c * n)"),
    ("01|10 01|11", 0): ("n + c * n", "1 + c + c * n"),
    ("01|10 01|11", 1): ("c * n", "n + c * n"),
    ("00|11 01|11", 0): ("min(n, c) + c * n", "c + c * n"),
    ("00|11 01|11", 1): ("c * n", "n + c * n"),
    ("01|11", 0): ("c * n", "c + c * n"),
    ("01|11", 1): ("c * n", "c * n"),
    ("01|10", 0): ("min(n, 1)", "1"),
    ("01|10", 1): ("0", "0"),
    ("00|11", 0): ("0", "0"),
    ("00|11", 1): ("0", "0"),
}


@dataclass(frozen=True)
class Line:
    """A number that is `base` at n = `first` and grows by `slope` with every further n."""

    first: int
    base: Fraction
    slope: Fraction

    def __str__(self) -> str:
        rise = f" + {self.slope} * (n - {self.first})" if self.slope else ""
        return f"{self.base}{rise}"


def bandit_of(table: Table) -> TallyingBandit:
    """The table, for the planners and the replay."""
    return TallyingBandit([[int(loss) for loss in row] for row in table.split("|")])


def swapped(table: Table) -> Table:
    """The same with the two actions exchanged."""
    zero, one = table.split("|")
    return f"{one}|{zero}"


def unordered_tables() -> list[Table]:
    """The ten tables, up to the order of the rows."""
    rows = ["".join(row) for row in product("01", repeat=2)]
    return [f"{zero}|{one}" for i, zero in enumerate(rows) for one in rows[i:]]


def situations(learner: Mapping[Situation, int], table: Table) -> tuple[list[int], int]:
    """What the learner plays until his situation is that of two steps before, and the number of that step.

    He looks at nothing else, and the table does not change: from there on his last two actions repeat.
    """
    rows = table.split("|")
    known, last = ["", ""], None
    met: list[Situation] = []
    actions: list[int] = []
    while True:
        met.append((known[0], known[1], last))
        if len(met) > 2 and met[-1] == met[-3]:
            return actions, len(actions) - 2
        action = learner[met[-1]]
        tally = 2 if action == last else 1
        known[action] = rows[action][: max(tally, len(known[action]))]
        actions.append(action)
        last = action


def played(learner: Mapping[Situation, int], table: Table, horizon: int) -> list[int]:
    """His first actions."""
    actions, start = situations(learner, table)
    turns = max(0, horizon - len(actions) + 1)
    return (actions + actions[start:] * turns)[:horizon]


def lost_by(learner: Mapping[Situation, int], table: Table, parity: int, first: int) -> Line:
    """What he loses in 2n + parity steps, from n = `first` on, by when he must repeat himself."""
    _, start = situations(learner, table)
    if start > 2 * first + parity:
        raise ValueError(f"on {table} the learner does not repeat himself within {2 * first + parity} steps.")
    totals = [replay(bandit_of(table), played(learner, table, 2 * n + parity)) for n in (first, first + 1)]
    return Line(first, totals[0], totals[1] - totals[0])


def optimum(table: Table, parity: int, first: int) -> Line:
    """OPT of 2n + parity steps from n = `first` on: by value iteration, until it repeats itself in two steps.

    The least loss to go, one number per last action, determines all that follow, up to a constant.
    """
    losses = [[int(loss) for loss in row] for row in table.split("|")]
    horizon = 2 * first + parity
    values = [[0, 0]]
    for _ in range(horizon + 1):
        after = values[-1]
        values.append([min(losses[a][a == last] + after[a] for a in (0, 1)) for last in (0, 1)])
    if len({new - old for new, old in zip(values[-1], values[-3], strict=True)}) > 1:
        raise ValueError(f"the optimum of {table} does not repeat itself within {horizon} steps.")
    optima = [min(losses[a][0] + values[T - 1][a] for a in (0, 1)) for T in (horizon, horizon + 2)]
    return Line(first, Fraction(optima[0]), Fraction(optima[1] - optima[0]))


@dataclass(frozen=True)
class Beliefs:
    """A prior, and bounds on what is lost from every set of tables that may still be possible."""

    prior: Mapping[Table, str]  # weights; each table in both orders of its rows
    bounds: Mapping[tuple[str, int], tuple[str, str]]
    within: tuple[str, str]  # the n in question, for 2n and for 2n + 1 steps to go

    def weight(self, tables: Sequence[Table]) -> str:
        """Of a set of tables."""
        weights = [self.prior.get(table) or self.prior[swapped(table)] for table in tables]
        return " + ".join(weights) or "0"

    def bound(self, tables: Sequence[Table], last: int, parity: int) -> Formula:
        """For 2n + parity steps to go; exchanging the actions changes nothing."""
        other = " ".join(sorted(map(swapped, tables)))
        found = self.bounds.get((" ".join(sorted(tables)), last)) or self.bounds[other, 1 - last]
        return Formula(found[parity])

    def after(self, tables: Sequence[Table], last: int | None, action: int, parity: int) -> str:
        """The loss of an action, and the bounds on the rest, which has 2n + parity steps."""
        tally = 1 if action == last else 0
        seen: dict[str, list[Table]] = {}
        for table in tables:
            seen.setdefault(table.split("|")[action][tally], []).append(table)
        rest = [str(self.bound(one, action, parity)) for one in seen.values()]
        return " + ".join([self.weight(seen.get("1", [])), *rest])

    def recursion(self, key: tuple[str, int]) -> list[Step]:
        """The bounds of one set of tables satisfy the belief recursion, for all n."""
        tables, last = key[0].split(), key[1]
        even, odd = (self.bound(tables, last, parity) for parity in (0, 1))
        sooner = ", ".join(_at(self.after(tables, last, action, 1), "n - 1") for action in (0, 1))
        later = ", ".join(self.after(tables, last, action, 0) for action in (0, 1))
        words = f"{' or '.join(tables)}, {last} played last"
        return [
            for_all(
                "n c integer",
                given=["c >= 1", "n >= 1", self.within[0]],
                then=f"{_at(even, '0')} <= 0 and {even} <= min({sooner})",
                words=f"{words}, 2n steps to go",
            ),
            for_all(
                "n c integer",
                given=["c >= 1", "n >= 0", self.within[1]],
                then=f"{odd} <= min({later})",
                words=f"{words}, 2n + 1 steps to go",
            ),
        ]


def _at(formula: Formula | str, n: str) -> str:
    """The formula at another n."""
    whole = Formula(str(formula))
    return str(whole.where(n=n)) if "n" in whole.names else str(whole)


EVEN = Beliefs(EVEN_PRIOR, EVEN_BOUNDS, ("n >= 1", "n >= 0"))
ODD = Beliefs(ODD_PRIOR, ODD_BOUNDS, ("n <= c + 1", "n <= c"))
MIXTURE = {"hasty": "(2 * n - 1) / (n * (n + 1))", "thorough": "(n - 2) / (n + 1)", "content": "1 / n"}
SYMBOLS = {
    "value": "the least regret that a learner can guarantee on every table",
    "n": "half the horizon, rounded down",
}
VARIABLES = "n T c table integer; value mixed lost best real"
GAME = (
    "(not in the paper) For two actions, memory 2, and losses 0 and 1 that are seen without noise: {stated}."
)
ENDS = {"guaranteed": "value <= bound", "forced": "value >= bound", "stated": "value == bound"}


@dataclass(frozen=True)
class Solved:
    """The game at one horizon, by the minimax engine."""

    answer: MinimaxRegret

    def satisfies(self, formula: Formula) -> bool:
        """Whether a formula in n, T and the value holds here."""
        T = self.answer.horizon
        known: dict[str, int | Fraction] = {"n": T // 2, "T": T, "value": self.answer.value}
        return formula.holds(**{name: known[name] for name in formula.names})

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.answer.horizon, "minimax regret": self.answer.value})

    def confirmed(self) -> bool:
        """By the independent checker."""
        return self.answer.exact and bool(check(self.answer.certificate))


@claim(
    "minimax/two-by-two-even",
    statement=GAME,
    where=WHERE,
    formulas={"bound": "1", **ENDS},
    domain={"horizon": "T == 2 * n", "long": "n >= 2"},
    integers="n T",
    symbols=SYMBOLS,
)
def even(request: Request) -> Outcome:
    """One learner after a random relabelling; a needle of unknown place as the prior."""
    return _examined(request, {"thorough": "1"}, EVEN, start=_start(EVEN, 1, "n - 1"), parity=0, first=2)


@claim(
    "minimax/two-by-two-odd",
    statement=GAME,
    where=WHERE,
    formulas={"bound": "3 / 2 - 3 / (T + 1)", **ENDS},
    domain={"horizon": "T == 2 * n + 1", "long": "n >= 6"},
    integers="n T",
    symbols=SYMBOLS,
)
def odd(request: Request) -> Outcome:
    """Three learners mixed after a random relabelling; a prior on three tables, weighted by the horizon."""
    return _examined(request, MIXTURE, ODD, start=_start(ODD, 0, "n"), parity=1, first=6)


def _start(beliefs: Beliefs, parity: int, n: str) -> str:
    """The bound at the start; the prior is the same with the actions exchanged, so action 0 is played."""
    tables = [one for table in beliefs.prior for one in (table, swapped(table))]
    return _at(beliefs.after(tables, None, 0, parity), n)


def _examined(
    request: Request, mixture: Mapping[str, str], beliefs: Beliefs, *, start: str, parity: int, first: int
) -> Outcome:
    """Both ends, and two horizons by the engine."""
    f = request.formulas
    horizons = [2 * first + parity, 2 * first + parity + 4]
    solved = [Solved(answer) for answer in minimax_by_horizon(2, 2, horizons)]
    upper = _upper(request, mixture, parity, first)
    lower = _lower(request, beliefs, start, parity, first)
    last = for_all(VARIABLES, given=conclusions(upper[-1], lower[-1]), then=f.stated, words="both ends")
    return request.conclude(
        request.show("stated", [*upper, *lower, last]),
        method="a mixture of learners that repeat themselves; bounds that satisfy the recursion of a prior",
        cases=len(solved),
        violation=first_failing(solved, f.stated),
        remarks=[f"The minimax engine says the same for T = {' and '.join(map(str, horizons))}."],
    )


def _upper(request: Request, mixture: Mapping[str, str], parity: int, first: int) -> list[Step]:
    """The regrets of the learners on each table, and what their mixture guarantees."""
    f = request.formulas
    tables = unordered_tables()
    weights = mixture.values()
    mixes = for_all(
        VARIABLES,
        given=[f.long],
        then=f"{' + '.join(weights)} == 1 and min({', '.join(weights)}) >= 0",
        words="the learners are mixed with these probabilities",
    )
    regrets = [_regret(i, table, mixture, parity, first) for i, table in enumerate(tables)]
    bounded = [
        for_all(
            VARIABLES, given=[f.horizon, f.long, step.at()], then=f"implies(table == {i}, mixed <= {f.bound})"
        )
        for i, step in enumerate(regrets)
    ]
    worst = definition(
        "the value, and of the table at which the mixture does worst",
        f"value <= mixed and 0 <= table and table < {len(tables)}",
    )
    given: list[Given] = [worst, *conclusions(*bounded)]
    return [
        *(mixes, *regrets, *bounded),
        for_all(VARIABLES, given=given, then=f.guaranteed, words="so the mixture guarantees this much"),
    ]


def _regret(number: int, table: Table, mixture: Mapping[str, str], parity: int, first: int) -> Step:
    """The mixture's regret on one table, the mean over both orders of its rows."""
    least = optimum(table, parity, first)
    parts = []
    for name, weight in mixture.items():
        lost = [lost_by(LEARNERS[name], one, parity, first) for one in (table, swapped(table))]
        base, slope = (sum(getattr(one, part) for one in lost) / 2 for part in ("base", "slope"))
        parts.append(f"{weight} * ({Line(first, base - least.base, slope - least.slope)})")
    return Step(
        f"table {table}: the regret of {', '.join(mixture)}, the actions relabelled at random",
        "replay, and value iteration, until they repeat themselves",
        True,
        Formula(
            f"implies(table == {number} and {_steps(parity)} and n >= {first}, mixed == {' + '.join(parts)})"
        ),
        variables=VARIABLES,
    )


def _steps(parity: int) -> str:
    """The horizons of a parity."""
    return "T == 2 * n + 1" if parity else "T == 2 * n"


def _lower(request: Request, beliefs: Beliefs, start: str, parity: int, first: int) -> list[Step]:
    """The prior, what every learner loses against it, and the optima of its tables."""
    f = request.formulas
    recursion = [step for key in beliefs.bounds for step in beliefs.recursion(key)]
    weight = beliefs.weight([*beliefs.prior, *beliefs.prior])
    optima = " + ".join(f"2 * ({w}) * ({optimum(one, parity, first)})" for one, w in beliefs.prior.items())
    least = Step(
        "the weighted optima of the tables",
        "value iteration, until it repeats itself",
        True,
        Formula(f"implies({_steps(parity)} and n >= {first}, best == {optima})"),
        variables=VARIABLES,
    )
    by_induction = argued(
        "by induction on the steps to go, a learner loses at least this on average over the prior, c = n - 1",
        then=f"implies({_steps(parity)}, lost >= {start} and c == n - 1)",
        given=[step.at() for step in recursion],
    )
    value = definition(
        "the value: no less than the regret against a prior", f"value * ({weight}) >= lost - best"
    )
    given: list[Given] = [f.horizon, f.long, value, least.at(), *conclusions(by_induction)]
    return [
        *(*recursion, least, by_induction),
        for_all(VARIABLES, given=given, then=f.forced, words="so the prior forces this much"),
    ]
