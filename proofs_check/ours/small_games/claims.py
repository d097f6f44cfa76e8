"""The claims: for each game and each residue of the horizon a mixture, a prior, and the value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from proofs_check.bayes.minimax import minimax_by_horizon
from proofs_check.ours.small_games.beliefs import Beliefs
from proofs_check.ours.small_games.learners import Game, Line, Rows, optimum, regret, rows_of
from proofs_check.ours.small_games.minima import below
from proofs_check.stating import Outcome, Request, claim
from tallyplan.check import check
from tallyplan.formula import Formula

WHERE = "Minimax regret without noise (ours, docs/constants.md)"
SYMBOLS = {
    "value": "the least regret that a learner can guarantee on every table",
    "n": "the horizon over its period, rounded down",
}
NUMBERS = {2: "two", 3: "three"}


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
class Value:
    """The claim that the value of a game, at the horizons of a solution, is this bound."""

    name: str
    solution: Solution
    bound: str

    def register(self) -> None:
        """As a claim."""
        game = self.solution.game
        past = f" + {game.residue}" if game.residue else ""
        claim(
            f"minimax/{self.name}",
            statement=f"(not in the paper) For {NUMBERS[game.actions]} actions, memory {game.memory} and "
            "losses 0 and 1 that are seen without noise: {stated}.",
            where=WHERE,
            formulas={"bound": self.bound, "stated": "value == bound"},
            domain={"horizon": f"T == {game.period} * n{past}", "long": f"n >= {game.first}"},
            symbols=SYMBOLS,
        )(self.examined)

    def examined(self, request: Request) -> Outcome:
        """Some learners mixed after a random relabelling; a prior whose weights depend on the horizon."""
        f, solution, game = request.formulas, self.solution, self.solution.game
        horizons = [game.horizon(game.first), game.horizon(game.first + 2)]
        solved = minimax_by_horizon(game.actions, game.memory, horizons)
        certified = [one for one in solved if one.exact and check(one.certificate)]
        held = _asked(request, game) and guaranteed(solution, f.bound, f.long)
        return request.conclude(
            request.argue(
                f"The mixture of {len(solution.mixture)} learners guarantees the value on every table: their "
                "regrets are lines in n, by replay and value iteration until they repeat themselves, and the "
                "inequalities between polynomials were decided for all n.",
                f"Against the prior on {len(solution.prior)} tables no learner loses less: a bound for each "
                f"of {len(solution.beliefs.kinds)} kinds of belief satisfies the recursion for all numbers "
                "of steps to go, decided in the same way; by induction a learner loses at least the bound at "
                "the start, and the optima of the tables are subtracted.",
            )
            if held and forced(solution, f.bound, f.long)
            else None,
            box=[
                {"T": one.horizon, "n": one.horizon // game.period, "value": one.value} for one in certified
            ],
            checked_on=f"T = {' and '.join(map(str, horizons))}, by the minimax engine",
        )


def _asked(request: Request, game: Game) -> bool:
    """Whether the domain is about the horizons of this game, and about long ones alone."""
    sizes = [(n, T) for n in range(2 * game.first) for T in range(3 * n + 3)]
    inside = [all(one.holds(**_known(one, n, T)) for one in request.domain) for n, T in sizes]
    return inside == [n >= game.first and game.horizon(n) == T for n, T in sizes]


def _known(formula: Formula, n: int, T: int) -> dict[str, int]:
    return {name: value for name, value in {"n": n, "T": T}.items() if name in formula.names}


def guaranteed(solution: Solution, bound: Formula, long: Formula) -> bool:
    """Whether the mixture is one, and its regret on every table at most the bound."""
    shares = solution.mixture.values()
    together = " + ".join(shares)
    mixes = all(below("0", one, since=long) for one in shares)
    mixes &= below(together, "1", since=long) and below("1", together, since=long)
    return mixes and all(below(mixed(solution, lines), bound, since=long) for lines in solution.regrets)


def mixed(solution: Solution, lines: tuple[Line, ...]) -> str:
    """The regret of the mixture, given those of the learners."""
    weights = solution.mixture.values()
    return " + ".join(f"{weight} * ({line})" for weight, line in zip(weights, lines, strict=True))


def forced(solution: Solution, bound: Formula, long: Formula) -> bool:
    """Whether every learner loses, against the prior, at least the bound more than the optima."""
    game, beliefs = solution.game, solution.beliefs
    recursion = all(beliefs.recursion(kind, r, long) for kind in beliefs.kinds for r in range(game.period))
    optima = " + ".join(
        f"({w}) / ({beliefs.total}) * ({optimum(game, rows_of(one))})" for one, w in solution.prior.items()
    )
    prior = all(below("0", weight, since=long) for weight in solution.prior.values())
    return recursion and prior and below(f"{bound} + {optima}", beliefs.at_the_start(), since=long)


for _value in (
    Value("two-by-two-even", EVEN, "1"),
    Value("two-by-two-odd", ODD, "3 / 2 - 3 / (2 * (n + 1))"),
    Value("three-actions-even", THREE_EVEN, "2"),
    Value("three-actions-odd", THREE_ODD, "7 / 3 - 2 / (n + 1)"),
    Value("memory-three-0", MODULO_0, "(5 * n**2 - 11 * n + 6) / (2 * n**2 - n - 2)"),
    Value("memory-three-1", MODULO_1, "3 - 11 / (2 * (n + 1))"),
    Value(
        "memory-three-2",
        MODULO_2,
        "(6 * n**3 - 23 * n**2 + 20 * n - 3) / (2 * n**3 - 4 * n**2 - 5 * n + 6)",
    ),
):
    _value.register()
