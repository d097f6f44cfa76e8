"""The claims: for each game and each residue of the horizon a mixture, a prior, and the value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from proofs_check.bayes.minimax import MinimaxRegret, minimax_by_horizon
from proofs_check.boxes import first_failing
from proofs_check.claim import Outcome, Request, claim
from proofs_check.ours.small_games.beliefs import Beliefs
from proofs_check.ours.small_games.learners import Game, Line, Rows, optimum, regret, rows_of, written
from proofs_check.steps import Given, Step, argued, conclusions
from proofs_check.ways.for_all import for_all
from proofs_check.ways.minima import below
from proofs_check.ways.sequences import definition
from proofs_check.witness import Witness
from tallyplan.check import check
from tallyplan.formula import Formula

WHERE = "Minimax regret without noise (ours, docs/constants.md)"
VARIABLES = "n T i table integer; value mixed lost best real"
SYMBOLS = {
    "value": "the least regret that a learner can guarantee on every table",
    "n": "the horizon over its period, rounded down",
}
TWO_BY_TWO, THREE_ACTIONS, MEMORY_THREE = (
    f"(not in the paper) For {size} and losses 0 and 1 that are seen without noise: {{stated}}."
    for size in ("two actions, memory 2", "three actions, memory 2", "two actions, memory 3")
)
ENDS = {"guaranteed": "value <= bound", "forced": "value >= bound", "stated": "value == bound"}


@dataclass(frozen=True)
class Solution:
    """A mixture of learners and a prior over tables; probabilities and weights depend on n."""

    game: Game
    mixture: Mapping[str, str]
    prior: Mapping[str, str]
    solved: tuple[int, ...]  # the n at which the bounds of the prior are read off

    @cached_property
    def beliefs(self) -> Beliefs:
        """The prior, and what no learner can avoid against it."""
        return Beliefs(self.game, self.prior, self.solved)

    @cached_property
    def regrets(self) -> dict[tuple[Line, ...], list[Rows]]:
        """The regrets of the learners, in their order, and the tables on which they are these."""
        found: dict[tuple[Line, ...], list[Rows]] = {}
        for table in self.game.tables():
            found.setdefault(tuple(regret(self.game, tree, table) for tree in self.mixture), []).append(table)
        return found

    @property
    def horizons(self) -> str:
        """Those in question."""
        return f"T == {self.game.period} * n + {self.game.residue} and n >= {self.game.first}"


EVEN = Solution(
    Game(actions=2, memory=2, period=2, residue=0, first=3, repeats=2),
    mixture={"0[0[.,1[.,1[.,.]]],0[.,1[1[.,.],1[.,.]]]]": "1"},
    prior={"10|11": "1"},
    solved=(12,),
)
ODD = Solution(
    Game(actions=2, memory=2, period=2, residue=1, first=6, repeats=2),
    mixture={
        "0[0[.,1[.,1[.,.]]],1[1[.,.],1[.,00[.,.]]]]": "(2 * n - 1) / (n * (n + 1))",
        "0[0[.,1[.,1[.,.]]],0[.,1[1[.,.],1[.,.]]]]": "(n - 2) / (n + 1)",
        "0[0[.,1[.,1[.,.]]],0[.,1[.,1[.,.]]]]": "1 / n",
    },
    prior={"00|11": "1", "01|10": "1", "01|11": "n - 1"},
    solved=(12,),
)
THREE_EVEN = Solution(
    Game(actions=3, memory=2, period=2, residue=0, first=6, repeats=6),
    mixture={"0[0[.,1[.,02[.,2[.,11[.,.]]]]],0[.,1[1[.,2[.,2[.,.]]],1[.,2[2[.,.],2[.,.]]]]]]": "1"},
    prior={"10|11|11": "1"},
    solved=(12,),
)
# What the trees share: after the losses 1 and 1 of action 0 (ONES), after one of them (MIDDLE, BOTH).
ONES = "0[.,1[1[.,2[.,2[.,.]]],1[.,2[2[.,.],2[.,.]]]]]"
THREE_ODD = Solution(
    Game(actions=3, memory=2, period=2, residue=1, first=8, repeats=6),
    mixture={
        f"0[0[.,1[.,1[.,02[.,2[.,.]]]]],{ONES}]": "(n - 5) / (n + 1)",
        f"0[0[.,1[.,02[.,2[.,.]]]],{ONES}]": "(4 * n + 16) / (n + 1)**2",
        f"0[0[.,1[.,1[.,02[.,.]]]],{ONES}]": "(n - 5) / (n + 1)**2",
        f"0[1[.,1[.,02[.,2[.,.]]]],{ONES}]": "(n - 5) / (n + 1)**2",
    },
    prior={"00|11|11": "1", "01|01|11": "1", "01|10|11": "2", "01|11|11": "n - 3"},
    solved=(8, 16),
)
MIDDLE = "0[.,1[1[.,1[.,.]],1[.,1[.,.]]]]"
BOTH = "0[.,1[1[1[.,.],1[.,.]],1[1[.,.],1[.,.]]]]"
ALL = "1[.,1[.,1[.,.]]]"  # every loss of action 1, until one is 0
TURN = "1[.,01[.,.]]"  # the first two of them
THOROUGH = f"0[0[0[.,{ALL}],{MIDDLE}],0[0[.,{ALL}],{BOTH}]]"
MODULO_0 = Solution(
    Game(actions=2, memory=3, period=3, residue=0, first=12, repeats=12),
    mixture={
        THOROUGH: "(n - 3) / n",
        f"0[0[0[.,1[.,.]],{MIDDLE}],0[0[.,1[.,.]],{BOTH}]]": (
            "(n**2 + 3 * n - 6) / (n * (2 * n**2 - n - 2))"
        ),
        f"0[0[0[.,{TURN}],{MIDDLE}],0[{TURN},{BOTH}]]": (
            "(4 * n**2 - 19 * n + 18) / (n * (2 * n**2 - n - 2))"
        ),
        f"0[0[0[.,1[.,.]],0[.,1[1[.,1[.,.]],1[.,.]]]],0[0[.,{TURN}],0[.,1[1[.,1[.,.]],1[1[.,.],1[.,.]]]]]]": (
            "(n**2 + 13 * n - 18) / (n * (2 * n**2 - n - 2))"
        ),
    },
    prior={
        "100|111": "2 * n - 2",
        "101|101": "n",
        "101|110": "4 * n - 6",
        "101|111": "2 * (n - 1) * (n - 3)",
    },
    solved=(14, 24),
)
MODULO_1 = Solution(
    Game(actions=2, memory=3, period=3, residue=1, first=12, repeats=12),
    mixture={
        f"0[0[1[.,000[.,.]],0[.,1[1[.,.],1[.,.]]]],0[0[.,{TURN}],{BOTH}]]": "(n + 12) / (n * (n + 1))",
        f"0[1[1[.,1[.,00[.,0[.,.]]]],1[.,1[.,00[0[.,.],0[.,.]]]]],0[0[.,{ALL}],{BOTH}]]": "(n - 4) / n",
        f"0[0[0[.,{TURN}],{MIDDLE}],0[{TURN},{BOTH}]]": "(3 * n - 8) / (n * (n + 1))",
    },
    prior={"100|111": "1", "101|110": "2", "101|111": "n - 2"},
    solved=(14, 24),
)
MODULO_2 = Solution(
    Game(actions=2, memory=3, period=3, residue=2, first=12, repeats=12),
    mixture={
        THOROUGH: "(2 * n**3 - 14 * n**2 + 39 * n - 21) / (2 * n**3 - 4 * n**2 - 5 * n + 6)",
        f"0[0[0[.,1[.,.]],0[.,1[1[.,1[.,.]],.]]],0[0[.,{ALL}],0[.,1[1[1[.,.],1[.,.]],1[.,1[.,.]]]]]]": (
            "(2 * n**2 - 24 * n + 20) / (2 * n**3 - 4 * n**2 - 5 * n + 6)"
        ),
        f"0[0[1[.,.],0[.,{ALL}]],0[1[.,.],0[.,1[1[.,1[.,.]],1[.,1[.,.]]]]]]": (
            "(2 * n**2 - 3 * n + 4) / (2 * n**3 - 4 * n**2 - 5 * n + 6)"
        ),
        f"0[0[0[.,{TURN}],{MIDDLE}],0[0[.,{TURN}],{BOTH}]]": (
            "(6 * n**2 - 17 * n + 3) / (2 * n**3 - 4 * n**2 - 5 * n + 6)"
        ),
    },
    prior={
        "100|111": "2 * (n - 1) * (n - 3)",
        "101|101": "n",
        "101|110": "4 * (n - 1) * (n - 3) + 4 * n - 6",
        "101|111": "2 * (n - 1)**2 * (n - 3)",
    },
    solved=(14, 24),
)


@dataclass(frozen=True)
class Solved:
    """The game at one horizon, by the minimax engine."""

    answer: MinimaxRegret
    period: int

    def satisfies(self, formula: Formula) -> bool:
        """Whether a formula in n, T and the value holds here."""
        T = self.answer.horizon
        known: dict[str, int | Fraction] = {"n": T // self.period, "T": T, "value": self.answer.value}
        return formula.holds(**{name: known[name] for name in formula.names})

    def witness(self) -> Witness:
        """For the reader."""
        return Witness({"horizon": self.answer.horizon, "minimax regret": self.answer.value})

    def confirmed(self) -> bool:
        """By the independent checker."""
        return self.answer.exact and bool(check(self.answer.certificate))


@claim(
    "minimax/two-by-two-even",
    statement=TWO_BY_TWO,
    where=WHERE,
    formulas={"bound": "1", **ENDS},
    domain={"horizon": "T == 2 * n", "long": "n >= 3"},
    integers="n T",
    symbols=SYMBOLS,
)
def even(request: Request) -> Outcome:
    """One learner after a random relabelling; a needle of unknown place as the prior."""
    return _examined(request, EVEN)


@claim(
    "minimax/two-by-two-odd",
    statement=TWO_BY_TWO,
    where=WHERE,
    formulas={"bound": "3 / 2 - 3 / (2 * (n + 1))", **ENDS},
    domain={"horizon": "T == 2 * n + 1", "long": "n >= 6"},
    integers="n T",
    symbols=SYMBOLS,
)
def odd(request: Request) -> Outcome:
    """Three learners mixed after a random relabelling; a prior on three tables, weighted by the horizon."""
    return _examined(request, ODD)


@claim(
    "minimax/three-actions-even",
    statement=THREE_ACTIONS,
    where=WHERE,
    formulas={"bound": "2", **ENDS},
    domain={"horizon": "T == 2 * n", "long": "n >= 6"},
    integers="n T",
    symbols=SYMBOLS,
)
def three_even(request: Request) -> Outcome:
    """One learner after a random relabelling; a needle of unknown place as the prior."""
    return _examined(request, THREE_EVEN)


@claim(
    "minimax/three-actions-odd",
    statement=THREE_ACTIONS,
    where=WHERE,
    formulas={"bound": "7 / 3 - 2 / (n + 1)", **ENDS},
    domain={"horizon": "T == 2 * n + 1", "long": "n >= 8"},
    integers="n T",
    symbols=SYMBOLS,
)
def three_odd(request: Request) -> Outcome:
    """Four learners mixed after a random relabelling; a prior on four tables, weighted by the horizon."""
    return _examined(request, THREE_ODD)


@claim(
    "minimax/memory-three-0",
    statement=MEMORY_THREE,
    where=WHERE,
    formulas={"bound": "(5 * n**2 - 11 * n + 6) / (2 * n**2 - n - 2)", **ENDS},
    domain={"horizon": "T == 3 * n", "long": "n >= 12"},
    integers="n T",
    symbols=SYMBOLS,
)
def modulo_0(request: Request) -> Outcome:
    """Four learners mixed after a random relabelling; a prior on four tables, weighted by the horizon."""
    return _examined(request, MODULO_0)


@claim(
    "minimax/memory-three-1",
    statement=MEMORY_THREE,
    where=WHERE,
    formulas={"bound": "3 - 11 / (2 * (n + 1))", **ENDS},
    domain={"horizon": "T == 3 * n + 1", "long": "n >= 12"},
    integers="n T",
    symbols=SYMBOLS,
)
def modulo_1(request: Request) -> Outcome:
    """Three learners mixed after a random relabelling; a prior on three tables, weighted by the horizon."""
    return _examined(request, MODULO_1)


@claim(
    "minimax/memory-three-2",
    statement=MEMORY_THREE,
    where=WHERE,
    formulas={"bound": "(6 * n**3 - 23 * n**2 + 20 * n - 3) / (2 * n**3 - 4 * n**2 - 5 * n + 6)", **ENDS},
    domain={"horizon": "T == 3 * n + 2", "long": "n >= 12"},
    integers="n T",
    symbols=SYMBOLS,
)
def modulo_2(request: Request) -> Outcome:
    """Four learners mixed after a random relabelling; a prior on four tables, weighted by the horizon."""
    return _examined(request, MODULO_2)


def _examined(request: Request, solution: Solution) -> Outcome:
    """Both ends, and two horizons by the engine."""
    f, game = request.formulas, solution.game
    horizons = [game.horizon(game.first), game.horizon(game.first + 2)]
    solved = [Solved(one, game.period) for one in minimax_by_horizon(game.actions, game.memory, horizons)]
    upper, lower = _upper(request, solution), _lower(request, solution)
    last = for_all(VARIABLES, given=conclusions(upper[-1], lower[-1]), then=f.stated, words="both ends")
    return request.conclude(
        request.show("stated", [*upper, *lower, last]),
        method="a mixture of learners that repeat themselves; bounds that satisfy the recursion of a prior",
        cases=len(solved),
        violation=first_failing(solved, f.stated),
        remarks=[f"The minimax engine says the same for T = {' and '.join(map(str, horizons))}."],
    )


def _upper(request: Request, solution: Solution) -> list[Step]:
    """The regrets of the learners on each table, and what their mixture guarantees."""
    f = request.formulas
    together = " + ".join(solution.mixture.values())
    mixes = [
        *(below("0", one, since=f.long, words="a probability") for one in solution.mixture.values()),
        *(below(*ends, since=f.long, words="they sum to 1") for ends in ((together, "1"), ("1", together))),
    ]
    regrets = [_regret(i, lines, solution) for i, lines in enumerate(solution.regrets)]
    bounds = [below(mixed(solution, lines), f.bound, since=f.long) for lines in solution.regrets]
    worst = definition(
        "the value, and of the kind of table at which the mixture does worst",
        f"value <= mixed and 0 <= table and table < {len(regrets)}",
    )
    given: list[Given] = [
        worst,
        f.horizon,
        f.long,
        *(step.at() for step in regrets),
        *conclusions(*mixes, *bounds),
    ]
    last = for_all(VARIABLES, given=given, then=f.guaranteed, words="so the mixture guarantees this much")
    return [*mixes, *regrets, *bounds, last]


def mixed(solution: Solution, lines: tuple[Line, ...]) -> str:
    """The regret of the mixture, given those of the learners."""
    weights = solution.mixture.values()
    return " + ".join(f"{weight} * ({line})" for weight, line in zip(weights, lines, strict=True))


def _regret(number: int, lines: tuple[Line, ...], solution: Solution) -> Step:
    """The mixture's regret on some tables, the mean over all orders of their rows."""
    return Step(
        f"tables {', '.join(map(written, solution.regrets[lines]))}: the regrets of the learners, actions "
        "relabelled at random",
        "replay, and value iteration, until they repeat themselves",
        True,
        Formula(f"implies(table == {number} and {solution.horizons}, mixed <= {mixed(solution, lines)})"),
        variables=VARIABLES,
    )


def _lower(request: Request, solution: Solution) -> list[Step]:
    """The prior, what every learner loses against it, and the optima of its tables."""
    f, game, beliefs = request.formulas, solution.game, solution.beliefs
    recursion = [
        step
        for kind in beliefs.kinds
        for r in range(game.period)
        for step in beliefs.recursion(kind, r, f.long)
    ]
    start, total = beliefs.at_the_start(), beliefs.total
    optima = " + ".join(
        f"({w}) / ({total}) * ({optimum(game, rows_of(one))})" for one, w in solution.prior.items()
    )
    least = Step(
        "the optima of the tables, on average over the prior",
        "value iteration, until it repeats itself",
        True,
        Formula(f"implies({solution.horizons}, best <= {optima})"),
        variables=VARIABLES,
    )
    by_induction = argued(
        "by induction on the steps to go, a learner loses at least this on average over the prior",
        then=f"implies({solution.horizons}, lost >= {start})",
        given=[step.at() for step in recursion],
    )
    value = definition("the value: no less than the regret against a prior", "value >= lost - best")
    prior = [below("0", weight, since=f.long, words="a weight") for weight in solution.prior.values()]
    apart = below(f"{f.bound} + {optima}", start, since=f.long, words="the bound at the start and the optima")
    given: list[Given] = [f.horizon, f.long, value, least.at(), *conclusions(by_induction, apart, *prior)]
    last = for_all(VARIABLES, given=given, then=f.forced, words="so the prior forces this much")
    return [*recursion, least, by_induction, *prior, apart, last]
