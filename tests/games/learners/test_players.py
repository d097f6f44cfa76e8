"""Every learner plays exactly T steps, never beats the optimum, and plays the same game for the same seed."""

import math
from fractions import Fraction
from inspect import signature
from itertools import product
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, plan, small_tables, tallying_bandits

from proofs_check import definitions
from tallyplan import InvalidInput, TallyingBandit, make, replay_runs
from tallyplan.games import learners as package
from tallyplan.games import registry
from tallyplan.games.bounds import PROPOSITION_1, PROPOSITION_1_SHARP
from tallyplan.games.feedback import Bernoulli, Beta, Deterministic
from tallyplan.games.game import Game, simulate
from tallyplan.games.learners.baselines import GreedyOracle, RoundRobin
from tallyplan.games.learners.classics import UCB1, BatchedExp3, SuccessiveElimination, Weights, exp3
from tallyplan.games.learners.explore_then_plan import AlgDet, AlgStoch, default_rounds
from tallyplan.games.learners.stepwise import Follow, Stepwise
from tallyplan.games.learners.unknown_memory import SETBUnknownMemory
from tallyplan.games.optimism import hoeffding_radius
from tallyplan.games.registry import find, learners
from tallyplan.games.regret import complete_policy_regret
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.model.plugins import load_modules
from tallyplan.model.words import expand

FEEDBACKS = [Deterministic(), Bernoulli(), Beta()]
ALTERNATE = make("counterexample-3")
BULK = ["alg-det", "alg-stoch", "optimistic-planner", "optimistic-planner-anytime", "carmab"]
BULK += ["optimistic-planner-few-epochs", "greedy-oracle", "round-robin", "best-constant"]


def check_contract(name, bandit, horizon, seed, kind):
    """T steps, an exact account, no regret below 0, and the same game for the same seed."""
    learner = find(name).build(bandit)
    played = simulate(bandit, learner, horizon, seed=seed, feedback=kind)
    assert sum(len(word) * repeats for word, repeats in played.runs) == horizon
    assert played.loss == replay_runs(bandit, played.runs) >= plan(bandit, horizon).value
    again = simulate(bandit, learner, horizon, seed=seed, feedback=kind)
    fresh = simulate(bandit, find(name).build(bandit), horizon, seed=seed, feedback=kind)
    assert played == again == fresh


@pytest.mark.parametrize("name", learners())
@settings(max_examples=12)
@given(bandits(), st.integers(0, 60), st.integers(0, 99), st.sampled_from(FEEDBACKS))
def test_every_learner_keeps_the_contract(name, bandit, horizon, seed, kind):
    check_contract(name, bandit, horizon, seed, kind)


DEGENERATE = (
    [["1/2"]],  # one action, no memory
    [["0", "1", "1/3"]],  # one action
    [["1/2"], ["1/3"]],  # no memory
    [["1/4", "3/4"]] * 2,  # equal arms
    [["0", "0"]] * 2,
    [["1", "1", "1"]] * 2,
)


@pytest.mark.parametrize("name", learners())
def test_every_learner_plays_degenerate_instances(name):
    for losses, horizon in product(DEGENERATE, (0, 1, 2, 7)):
        check_contract(name, TallyingBandit(losses), horizon, 0, Deterministic())


@pytest.mark.parametrize("name", learners())
def test_every_delta_lies_between_zero_and_one(name):
    make_it = find(name).function
    if "delta" in signature(make_it).parameters:
        assert signature(make_it).parameters["delta"].default == Fraction(1, 20)
        for delta in (0, 1, "2", -1, "x", None):
            with pytest.raises(InvalidInput, match="delta"):
                make_it(delta=delta)


@pytest.mark.parametrize("name", BULK)
def test_long_games_are_played_in_bulk(name):
    bandit = make("uniform", actions=3, memory=3)
    played = simulate(bandit, find(name).build(bandit), 10**11)
    assert played.loss == replay_runs(bandit, played.runs) >= plan(bandit, 10**11).value


FIRST_ARM = '''
from tallyplan.games.registry import learner

@learner("first-arm", feedback="deterministic")
class FirstArm:
    """Plays the first arm.

    And no other.
    """

    def play(self, game):
        game.run((0,), game.horizon)
'''


@pytest.fixture
def afresh(registries):
    """Look for learners again."""
    load_modules.cache_clear()
    yield
    load_modules.cache_clear()


def test_a_file_in_learners_is_all_it_takes(afresh, tmp_path, monkeypatch):
    (tmp_path / "first_arm.py").write_text(FIRST_ARM)
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    entry = find("first-arm")
    assert (entry.summary, entry.feedback) == ("Plays the first arm", "deterministic")
    assert list(learners()) == sorted(learners())
    assert simulate(ALTERNATE, entry.build(ALTERNATE), 9).runs == (((0,), 9),)


def test_an_unknown_name_and_a_name_given_twice_are_refused():
    with pytest.raises(InvalidInput, match="no learner 'ucb'; did you mean 'ucb1'"):
        find("ucb")
    learners()
    with pytest.raises(InvalidInput, match="two learners of the name ucb1"):
        registry.learner("ucb1")(RoundRobin)


STEP_BY_STEP = (UCB1(), exp3(), Stepwise(lambda seen: 0), SETBUnknownMemory())
ENDLESS = [(learner, 10**11, "decides step by step") for learner in STEP_BY_STEP] + [
    (Follow(plan(ALTERNATE, 10).policy), 10**11, "decides step by step"),
    (BatchedExp3(), 10**15, "every 100000 steps, at most 100000000 times"),
    (BatchedExp3(batch=3), 3 * 10**8 + 1, "every 3 steps"),
]


@pytest.mark.parametrize(("learner", "horizon", "words"), ENDLESS)
def test_games_with_too_many_decisions_are_refused_at_once(learner, horizon, words):
    with pytest.raises(InvalidInput, match=words):
        simulate(ALTERNATE, learner, horizon)
    Game(ALTERNATE, 3 * 10**8).require_decisions(every=3)


# -- explore then commit --------------------


@settings(max_examples=20)
@given(tallying_bandits([(2, 2), (3, 2), (2, 3)]), st.integers(0, 50))
def test_without_noise_alg_stoch_commits_to_the_optimum_of_the_rest(bandit, horizon):
    cells = bandit.actions * bandit.memory
    played = simulate(bandit, AlgStoch(), horizon, feedback=Deterministic())
    rounds = max(1, default_rounds(cells, horizon))
    explored = tuple(x for x in range(bandit.actions) for _ in range(bandit.memory)) * rounds
    explored = explored[:horizon]
    rest = plan(bandit, horizon - len(explored), explored)
    assert tuple(expand(played.runs)[: len(explored)]) == explored
    assert played.loss == replay_runs(bandit, [(explored, 1)]) + rest.value


def test_the_rounds_of_exploration_can_be_chosen():
    played = simulate(ALTERNATE, AlgStoch(rounds=5), 100)
    assert expand(played.runs)[:20] == [0, 0, 1, 1] * 5
    assert played.loss == 10
    assert AlgStoch(rounds=1).rounds == 1
    with pytest.raises(InvalidInput, match="rounds is 0; it must be at least 1"):
        AlgStoch(rounds=0)


# -- Algorithm 2 --------------------


def regret_of_alg_det_in(bandit, horizon):
    return simulate(bandit, AlgDet(), horizon, feedback=Deterministic()).loss - plan(bandit, horizon).value


@pytest.mark.parametrize("actions", [2, 3, 5])
@pytest.mark.parametrize("memory", [1, 2, 3, 4])
def test_the_worst_instance_costs_exactly_the_supremum(actions, memory):
    cells = actions * memory
    worst = make("proposition-1-lower", actions=actions, memory=memory, best=0)
    for horizon in (*range(cells, cells + memory + 2), 10**6, 10**15):
        assert regret_of_alg_det_in(worst, horizon) == min(horizon - memory, cells - 1)
        setting = play_repeatedly(worst, Setup("alg-det", horizon), 1).setting
        assert PROPOSITION_1_SHARP.failing(setting) == PROPOSITION_1.failing(setting) == ""
        assert PROPOSITION_1_SHARP(setting) == min(horizon - memory, cells - 1)
        assert PROPOSITION_1(setting) >= int(regret_of_alg_det_in(worst, horizon))


@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2)])
def test_the_regret_is_exact_on_every_table_of_zeros_and_ones(actions, memory):
    cells = actions * memory
    for bandit in small_tables(actions, memory, (0, 1)):
        for horizon in (cells, cells + 1, cells + memory):
            measured = regret_of_alg_det_in(bandit, horizon)
            explored = tuple(x for x in range(actions) for _ in range(memory))
            rests = product(range(actions), repeat=horizon - cells)
            loss = min(definitions.total_loss(bandit, explored + rest) for rest in rests)
            assert measured == loss - plan(bandit, horizon).value
            assert 0 <= measured <= (min(horizon - memory, cells - 1) if actions > 1 else 0)


# -- oracles --------------------


@pytest.mark.parametrize(("actions", "horizon"), [(1, 4), (2, 2), (2, 5), (3, 4)])
def test_greedy_is_optimal_for_rotting_arms_with_memory_t(actions, horizon):
    """Rows increase, so that the cheapest losses are the first cells of each arm."""
    for seed in range(20):
        bandit = make("rotting", actions=actions, memory=horizon, denominator=3, seed=seed)
        greedy = simulate(bandit, GreedyOracle(bandit), horizon)
        assert greedy.loss == plan(bandit, horizon).value == sum(sorted(bandit.values())[:horizon])


# -- the classics --------------------

GAP = TallyingBandit([["7/10"], ["3/10"], ["6/10"]])


@pytest.mark.parametrize("learner", [UCB1(), exp3(), BatchedExp3(), SuccessiveElimination()])
def test_the_classics_find_the_best_arm_when_there_is_no_memory(learner):
    """Regret far below that of playing at random, 7/30 a step."""
    for seed in range(3):
        played = simulate(GAP, learner, 20_000, seed=seed)
        assert 0 < complete_policy_regret(GAP, played.runs) < 20_000 * Fraction(7, 30) / 2


def test_successive_elimination_drops_an_arm_exactly_when_the_radii_part():
    bandit, horizon = TallyingBandit([["1"], ["0"]]), 5_000
    failure = Fraction(1, 20) / (2 * horizon)
    rounds = next(n for n in range(1, horizon) if 2 * hoeffding_radius(n, failure) < 1)
    played = simulate(bandit, SuccessiveElimination(), horizon, feedback=Deterministic())
    assert expand(played.runs) == [0, 1] * rounds + [1] * (horizon - 2 * rounds)


def test_ucb1_follows_its_index():
    """The published index, in floating point."""
    bandit = TallyingBandit([["1/3"], ["1/2"], ["9/10"]])
    actions = expand(simulate(bandit, UCB1(), 500, feedback=Deterministic()).runs)
    plays = [0, 0, 0]
    for t, action in enumerate(actions):
        if t < 3:
            assert action == t
        else:
            index = [float(bandit.losses[x][0]) - math.sqrt(2 * math.log(t + 1) / plays[x]) for x in range(3)]
            assert index[action] < min(index) + 1e-6
        plays[action] += 1


def drawn(weights, number):
    return weights.draw(SimpleNamespace(random=lambda: number))


def test_actions_are_drawn_with_exponential_weights():
    weights = Weights(3, decisions=100)
    weights.update(1, 5.0)
    weights.update(2, 20.0)
    sizes = [math.exp(-weights.rate * loss) for loss in (0, 5, 20)]
    for x, size in enumerate(sizes):
        middle = (sum(sizes[:x]) + size / 2) / sum(sizes)
        assert drawn(weights, middle) == (x, pytest.approx(size / sum(sizes)))


def test_the_rate_of_exponential_weights_is_the_published_one():
    for actions, decisions in product((1, 2, 3, 10), (1, 2, 1000)):
        rate = Weights(actions, decisions).rate
        assert rate**2 * decisions * actions / 2 == pytest.approx(math.log(actions))
    assert Weights(5, 0).rate == Weights(5, 1).rate  # no division by zero decisions


def test_an_action_of_probability_zero_is_never_drawn():
    weights = Weights(3, decisions=1)
    weights.update(0, 1e6)  # exp(-rate 10^6) is 0 as a float, exp(rate 10^6) is none
    for number, action in ((0.0, 1), (0.25, 1), (0.5, 2), (1 - 2**-53, 2), (1.0, 2)):
        assert drawn(weights, number) == (action, 0.5)
