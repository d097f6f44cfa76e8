"""The claims: for each game and each residue of the horizon a mixture, a prior, and the value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flint import fmpq_poly

from proofs_check.bayes.minimax import minimax_by_horizon
from proofs_check.ours.small_games.beliefs import ZERO, Beliefs
from proofs_check.ours.small_games.learners import Game, optimum, regret
from proofs_check.ours.small_games.lines import nonnegative, polynomial, quotient
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
class Value:
    """The claim that the value of a game is this bound: by a mixture of learners and a prior over tables.

    Probabilities are given up to a factor; they depend on n.
    """

    name: str
    bound: str
    game: Game
    mixture: Mapping[str, str]
    prior: Mapping[str, str]

    @property
    def beliefs(self) -> Beliefs:
        """The prior, and what no learner can avoid against it."""
        return Beliefs(self.game, self.prior)

    def register(self) -> None:
        """Register it as a claim."""
        game = self.game
        past = f" + {game.residue}" if game.residue else ""
        claim(
            f"minimax/{self.name}",
            statement=f"(not in the paper) For {NUMBERS[game.actions]} actions, memory {game.memory} and "
            "losses 0 and 1 that are seen without noise: {stated}.",
            formulas={"bound": self.bound, "stated": "value == bound"},
            domain={"horizon": f"T == {game.period} * n{past}", "long": f"n >= {game.first}"},
            symbols=SYMBOLS,
        )(self.examined)

    def examined(self, request: Request) -> Outcome:
        """Some learners mixed after a random relabelling; a prior whose weights depend on the horizon."""
        bound, game = request.formulas.bound, self.game
        horizons = [game.horizon(game.first), game.horizon(game.first + 2)]
        solved = minimax_by_horizon(game.actions, game.memory, horizons)
        certified = [one for one in solved if one.exact and check(one.certificate)]
        held = _asked(request, game) and self.guaranteed(bound) and self.forced(bound)
        return request.conclude(
            request.argue(
                f"The mixture of learners, {len(self.mixture)} in all, guarantees the value on every table: "
                "regrets are lines in n, by replay and value iteration until they repeat themselves, and the "
                "inequalities between polynomials were decided for all n.",
                f"Against the prior on tables, {len(self.prior)} in all, no learner loses less: a bound for "
                f"each of {len(self.beliefs.moves)} beliefs satisfies the recursion for all numbers "
                "of steps to go, decided in the same way; by induction a learner loses at least the bound at "
                "the start, and the optima of the tables are subtracted.",
            )
            if held
            else None,
            box=[
                {"T": one.horizon, "n": one.horizon // game.period, "value": one.value} for one in certified
            ],
            checked_on=f"T = {' and '.join(map(str, horizons))}, by the minimax engine",
        )

    def guaranteed(self, bound: Formula) -> bool:
        """Whether the mixture is one, and its regret on every table at most the bound."""
        since, weights = self.game.first, [polynomial(one) for one in self.mixture.values()]
        over, under = quotient(bound)
        regrets = ([regret(self.game, tree, table) for tree in self.mixture] for table in self.game.tables())
        total = sum(weights, ZERO)
        less = [over * total - under * _mixed(weights, lines) for lines in regrets]
        return all(nonnegative(one, since) for one in (*weights, total - 1, under - 1, *less))

    def forced(self, bound: Formula) -> bool:
        """Whether every learner loses, against the prior, at least the bound more than the optima."""
        game, beliefs = self.game, self.beliefs
        weights, (over, under) = list(beliefs.weights.values()), quotient(bound)
        optima = _mixed(weights, (optimum(game, table) for table in beliefs.weights))
        more = [under * (one - optima) - over * sum(weights, ZERO) for one in beliefs.at_the_start]
        return all(nonnegative(one, game.first) for one in (*weights, under - 1, *more)) and all(
            beliefs.recursion(here, r) for here in beliefs.moves for r in range(game.period)
        )


def _mixed(weights: Iterable[fmpq_poly], lines: Iterable[fmpq_poly]) -> fmpq_poly:
    return sum((weight * line for weight, line in zip(weights, lines, strict=True)), ZERO)


def _asked(request: Request, game: Game) -> bool:
    """Whether the domain is about the horizons of this game, and about long ones alone."""
    sizes = [(n, T) for n in range(2 * game.first) for T in range(3 * n + 3)]
    inside = [all(one.holds(**_known(one, n, T)) for one in request.domain) for n, T in sizes]
    return inside == [n >= game.first and game.horizon(n) == T for n, T in sizes]


def _known(formula: Formula, n: int, T: int) -> dict[str, int]:
    return {name: value for name, value in {"n": n, "T": T}.items() if name in formula.names}


# What the trees share: after the losses 1 and 1 of action 0 (ONES), after one of them (MIDDLE, BOTH).
ONES = "0[.,1[1[.,2[.,2[.,.]]],1[.,2[2[.,.],2[.,.]]]]]"
MIDDLE = "0[.,1[1[.,1[.,.]],1[.,1[.,.]]]]"
BOTH = "0[.,1[1[1[.,.],1[.,.]],1[1[.,.],1[.,.]]]]"
ALL = "1[.,1[.,1[.,.]]]"  # every loss of action 1, until one is 0
TURN = "1[.,01[.,.]]"  # the first two of them
THOROUGH = f"0[0[0[.,{ALL}],{MIDDLE}],0[0[.,{ALL}],{BOTH}]]"
SLOWLY = f"0[0[0[.,1[.,.]],0[.,1[1[.,1[.,.]],1[.,.]]]],0[0[.,{TURN}],0[.,1[1[.,1[.,.]],1[1[.,.],1[.,.]]]]]]"
BACK = f"0[1[1[.,1[.,00[.,0[.,.]]]],1[.,1[.,00[0[.,.],0[.,.]]]]],0[0[.,{ALL}],{BOTH}]]"
QUICKLY = f"0[0[0[.,1[.,.]],0[.,1[1[.,1[.,.]],.]]],0[0[.,{ALL}],0[.,1[1[1[.,.],1[.,.]],1[.,1[.,.]]]]]]"

VALUES = (
    Value(
        "two-by-two-even",
        "1",
        Game(actions=2, memory=2, period=2, residue=0, first=3, repeats=2),
        mixture={"0[0[.,1[.,1[.,.]]],0[.,1[1[.,.],1[.,.]]]]": "1"},
        prior={"10|11": "1"},
    ),
    Value(
        "two-by-two-odd",
        "3 / 2 - 3 / (2 * (n + 1))",
        Game(actions=2, memory=2, period=2, residue=1, first=6, repeats=2),
        mixture={
            "0[0[.,1[.,1[.,.]]],1[1[.,.],1[.,00[.,.]]]]": "2 * n - 1",
            "0[0[.,1[.,1[.,.]]],0[.,1[1[.,.],1[.,.]]]]": "n * (n - 2)",
            "0[0[.,1[.,1[.,.]]],0[.,1[.,1[.,.]]]]": "n + 1",
        },
        prior={"00|11": "1", "01|10": "1", "01|11": "n - 1"},
    ),
    Value(
        "three-actions-even",
        "2",
        Game(actions=3, memory=2, period=2, residue=0, first=6, repeats=6),
        mixture={"0[0[.,1[.,02[.,2[.,11[.,.]]]]],0[.,1[1[.,2[.,2[.,.]]],1[.,2[2[.,.],2[.,.]]]]]]": "1"},
        prior={"10|11|11": "1"},
    ),
    Value(
        "three-actions-odd",
        "7 / 3 - 2 / (n + 1)",
        Game(actions=3, memory=2, period=2, residue=1, first=8, repeats=6),
        mixture={
            f"0[0[.,1[.,1[.,02[.,2[.,.]]]]],{ONES}]": "(n - 5) * (n + 1)",
            f"0[0[.,1[.,02[.,2[.,.]]]],{ONES}]": "4 * n + 16",
            f"0[0[.,1[.,1[.,02[.,.]]]],{ONES}]": "n - 5",
            f"0[1[.,1[.,02[.,2[.,.]]]],{ONES}]": "n - 5",
        },
        prior={"00|11|11": "1", "01|01|11": "1", "01|10|11": "2", "01|11|11": "n - 3"},
    ),
    Value(
        "memory-three-0",
        "(5 * n**2 - 11 * n + 6) / (2 * n**2 - n - 2)",
        Game(actions=2, memory=3, period=3, residue=0, first=12, repeats=12),
        mixture={
            THOROUGH: "(n - 3) * (2 * n**2 - n - 2)",
            f"0[0[0[.,1[.,.]],{MIDDLE}],0[0[.,1[.,.]],{BOTH}]]": "n**2 + 3 * n - 6",
            f"0[0[0[.,{TURN}],{MIDDLE}],0[{TURN},{BOTH}]]": "4 * n**2 - 19 * n + 18",
            SLOWLY: "n**2 + 13 * n - 18",
        },
        prior={
            "100|111": "2 * n - 2",
            "101|101": "n",
            "101|110": "4 * n - 6",
            "101|111": "2 * (n - 1) * (n - 3)",
        },
    ),
    Value(
        "memory-three-1",
        "3 - 11 / (2 * (n + 1))",
        Game(actions=2, memory=3, period=3, residue=1, first=12, repeats=12),
        mixture={
            f"0[0[1[.,000[.,.]],0[.,1[1[.,.],1[.,.]]]],0[0[.,{TURN}],{BOTH}]]": "n + 12",
            BACK: "(n - 4) * (n + 1)",
            f"0[0[0[.,{TURN}],{MIDDLE}],0[{TURN},{BOTH}]]": "3 * n - 8",
        },
        prior={"100|111": "1", "101|110": "2", "101|111": "n - 2"},
    ),
    Value(
        "memory-three-2",
        "(6 * n**3 - 23 * n**2 + 20 * n - 3) / (2 * n**3 - 4 * n**2 - 5 * n + 6)",
        Game(actions=2, memory=3, period=3, residue=2, first=12, repeats=12),
        mixture={
            THOROUGH: "2 * n**3 - 14 * n**2 + 39 * n - 21",
            QUICKLY: "2 * n**2 - 24 * n + 20",
            f"0[0[1[.,.],0[.,{ALL}]],0[1[.,.],0[.,1[1[.,1[.,.]],1[.,1[.,.]]]]]]": "2 * n**2 - 3 * n + 4",
            f"0[0[0[.,{TURN}],{MIDDLE}],0[0[.,{TURN}],{BOTH}]]": "6 * n**2 - 17 * n + 3",
        },
        prior={
            "100|111": "2 * (n - 1) * (n - 3)",
            "101|101": "n",
            "101|110": "4 * (n - 1) * (n - 3) + 4 * n - 6",
            "101|111": "2 * (n - 1)**2 * (n - 3)",
        },
    ),
)

for _value in VALUES:
    _value.register()
