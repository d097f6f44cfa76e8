"""The small games for all horizons: learners, priors and bounds against the engines; planted errors."""

from fractions import Fraction
from itertools import product

import pytest

import proofs_check
import tallyplan as tp
from proofs_check.bayes.deterministic import least_expected_loss
from proofs_check.bayes.minimax import minimax_regret
from proofs_check.claim import named
from proofs_check.ours.small_games import learners
from proofs_check.ours.small_games.beliefs import Beliefs
from proofs_check.ours.small_games.claims import VALUES
from proofs_check.ours.small_games.learners import leaf, orders, rows_of
from tallyplan.formula import Formula

proofs_check.claims()
SOLUTIONS = {one.name: one for one in VALUES}
each = pytest.mark.parametrize("name", SOLUTIONS)


def bound(name, n):
    return Fraction(named(f"minimax/{name}").formula("bound")(n=n))


def fraction(number):
    return Fraction(int(number.p), int(number.q))


@each
def test_no_optimum_is_above_its_line_and_some_are_on_it(name):
    game = SOLUTIONS[name].game
    for table in game.tables()[::5]:
        line = learners.optimum(game, table)
        numbers = range(game.first, game.first + 2 * game.repeats // game.period)
        plans = [tp.optimal_plan(tp.TallyingBandit(table), horizon=game.horizon(n)).value for n in numbers]
        apart = [fraction(line(n)) - plan for n, plan in zip(numbers, plans, strict=True)]
        assert min(apart) == 0


@each
def test_a_learner_who_has_seen_everything_plays_optimally(name):
    """Where the whole table is known at the end of a tree, the rest is a plan from that history."""
    game = SOLUTIONS[name].game
    for tree, table in product(list(SOLUTIONS[name].mixture)[:2], game.tables()[::7]):
        end = leaf(game, tree, table)
        if end.table == table:
            rest = game.horizon(game.first) - end.steps
            bandit = tp.TallyingBandit(table)
            total = learners.lost_after(game, end)[0](game.first)
            assert (
                fraction(total) == end.lost + tp.optimal_plan(bandit, horizon=rest, start=end.history).value
            )


@pytest.mark.parametrize("name", ["two-by-two-odd", "three-actions-odd", "memory-three-0", "memory-three-1"])
def test_the_bound_at_the_start_is_the_least_expected_loss(name):
    solution = SOLUTIONS[name]
    n = solution.game.first + 1
    weights = {table: Formula(weight)(n=n) for table, weight in solution.prior.items()}
    total = sum(weights.values())
    prior = [
        (tp.TallyingBandit(order), weight / total / len(orders(rows_of(table))))
        for table, weight in weights.items()
        for order in orders(rows_of(table))
    ]
    beliefs = solution.beliefs
    start = min(one(n) for one in beliefs.at_the_start) / sum(one(n) for one in beliefs.weights.values())
    assert least_expected_loss(prior, solution.game.horizon(n)) == fraction(start)


@each
def test_a_bound_that_is_too_high_fails_its_recursion(name):
    solution = SOLUTIONS[name]
    fresh = Beliefs(solution.game, solution.prior)
    here = list(fresh.moves)[-1]
    fresh.pieces[here, 1] = [
        (tuple(base + 1 for base in bases), slopes) for bases, slopes in fresh.pieces[here, 1]
    ]
    assert not fresh.recursion(here, 1)


@pytest.mark.parametrize(
    ("name", "n"), [("three-actions-odd", 11), ("memory-three-0", 14), ("memory-three-2", 13)]
)
def test_another_horizon_by_the_engine(name, n):
    game = SOLUTIONS[name].game
    assert minimax_regret(game.actions, game.memory, game.horizon(n)).value == bound(name, n)
