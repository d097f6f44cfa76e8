"""The optimistic planners play exactly the epochs of their theorems, and keep within their bounds.

Of unknown memories the true one stays, and the charges are what they say.
"""

from collections import deque
from fractions import Fraction
from itertools import product
from math import log, log2, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tallying_bandits

from tallyplan import InvalidInput, TallyingBandit, make, minimum_mean_cycle, optimal_plan, replay
from tallyplan.formula import as_ball
from tallyplan.games.bounds import OPTIMISM, UNKNOWN_MEMORY, Setting, bounds_of
from tallyplan.games.feedback import Bernoulli, Deterministic
from tallyplan.games.game import Game, simulate
from tallyplan.games.learners import optimistic_planner, optimistic_unknown_memory
from tallyplan.games.learners.optimistic_planner import OptimisticPlanner, carmab, onto
from tallyplan.games.learners.optimistic_unknown_memory import Candidate, OptimisticUnknownMemory, allowance
from tallyplan.games.optimism import Radii, anytime_radius, approach, hoeffding_radius, optimistic, rotated
from tallyplan.games.registry import find
from tallyplan.games.regret import complete_policy_regret
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.model.words import expand

DELTA = Fraction(1, 20)
GRID = 2**32
NAMES = ["optimistic-planner", "optimistic-planner-anytime", "optimistic-planner-few-epochs", "carmab"]


class LetterByLetter:
    """The epochs once more, one letter at a time, from the definition of tallies; for exact observations."""

    def __init__(self, name):
        self.name = name

    def play(self, game):
        m, C, T = game.memory, game.actions * game.memory, game.horizon
        anytime = self.name == "optimistic-planner-anytime"
        radii = Radii(DELTA / C, None) if anytime else Radii(DELTA / (C * T), T)
        played, seen = [], game.run((0,), 0)
        while game.remaining:
            table = optimistic(seen, game.actions, m, radii)
            word = minimum_mean_cycle(table).word
            if self.name == "carmab":
                letters, word = onto(word, tuple(played[len(played) - min(len(played), m - 1) :]), m)
            else:
                word = rotated(table, word)
                letters = (word * (m + 1))[len(word) * (m + 1) - (m - 1) :]
            start, at, full = dict(seen.plays), -len(letters), False
            while game.remaining and not full:
                action = letters[at] if at < 0 else word[at % len(word)]
                at += 1
                played.append(action)
                cell = (action, played[-m:].count(action))
                seen = seen + game.run((action,))
                before = start.get(cell, 0)
                full = self.is_full(before, seen.plays[cell], m, log(2 * C * T / DELTA))

    def is_full(self, before, now, m, L):
        if self.name != "optimistic-planner-few-epochs":
            return now - before == max(1, before)
        level = 1
        while level <= before:
            level += max(level, int(m * sqrt(level / L)))
        return now == level


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8, deadline=None)
@given(bandit=tallying_bandits(), horizon=st.integers(1, 120))
def test_in_bulk_it_plays_the_same_letters(name, bandit, horizon):
    slow, quick = (
        simulate(bandit, learner, horizon, feedback=Deterministic())
        for learner in (LetterByLetter(name), find(name).build(bandit, delta=DELTA))
    )
    assert expand(quick.runs) == expand(slow.runs)


@settings(max_examples=60, deadline=None)
@given(size=st.sampled_from([(2, 1), (2, 2), (2, 3), (3, 3), (2, 4)]), data=st.data())
def test_carmab_goes_onto_its_cycle_on_a_shortest_way(size, data):
    actions, memory = size
    letter = st.integers(0, actions - 1)
    word = tuple(data.draw(st.lists(letter, min_size=1, max_size=6)))
    history = tuple(data.draw(st.lists(letter, max_size=memory - 1)))
    start, turn = onto(word, history, memory)

    def on_the_cycle(past):
        windows = {approach(word[i:] + word[:i], memory) for i in range(len(word))}
        return past[len(past) - (memory - 1) :] in windows if len(past) >= memory - 1 else False

    assert approach(turn, memory) == (*history, *start)[len(history) + len(start) - (memory - 1) :]
    assert sorted(turn) == sorted(word)
    assert on_the_cycle((*history, *start))
    for shorter in range(len(start)):
        assert not any(on_the_cycle((*history, *way)) for way in product(range(actions), repeat=shorter))


def test_a_lower_bound_is_below_and_hardly_below_where_it_should_be():
    bandit, failure, plays = TallyingBandit([["9/10", "1/2"], ["1", "1/3"]]), Fraction(1, 100), 10**5
    seen = Game(bandit, 10**6, feedback=Deterministic()).run((0, 0, 1), plays)
    for horizon, room in ((10**6, 10**6), (10**12, 10**12), (10**24, 10**24), (None, 100 * plays**2)):
        radii = Radii(failure, horizon)
        least = 4 * horizon if horizon else 512 * plays**2
        assert radii.grid(plays) >= least > radii.grid(plays) // 4
        table = optimistic(seen, 2, 2, radii).losses
        law = hoeffding_radius if horizon else anytime_radius
        radius = law(plays, failure, 2**300)  # the true radius, for all that matters here
        for x, y in ((0, 0), (0, 1), (1, 0)):
            assert 0 <= bandit.losses[x][y] - radius - table[x][y] < Fraction(1, room)
        assert table[1][1] == 0


def setting_of(bandit, horizon, name, gap=0):
    sizes = bandit.actions, bandit.memory, horizon, DELTA
    return Setting(*sizes, "TallyingBandit", "bernoulli", name, gap=gap)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("actions", "memory"), [(3, 2), (1, 3), (2, 4), (4, 1)])
def test_regret_and_epochs_keep_within_their_bounds(name, actions, memory, monkeypatch):
    plans = []

    def counted(bandit, **options):
        plans.append(bandit)
        return minimum_mean_cycle(bandit, **options)

    for module in (optimistic_planner, optimistic_unknown_memory):
        monkeypatch.setattr(module, "minimum_mean_cycle", counted)
    cells, (bound,) = actions * memory, bounds_of(name)
    for seed, horizon in enumerate((1, 7, 50, 3000, 10**5, 10**12)):
        bandit = make("uniform", actions=actions, memory=memory, seed=seed)
        plans.clear()
        learner = find(name).build(bandit, delta=DELTA)
        played = simulate(bandit, learner, horizon, seed=seed, feedback=Bernoulli())
        setting = setting_of(bandit, horizon, name)
        assert not bound.failing(setting)
        assert not bound.exceeded_by(complete_policy_regret(bandit, played.runs), setting)
        assert played.gap == 0
        assert played.departures == ()
        assert len(plans) <= cells * log2(2 * max(horizon, cells) / cells) + 1
        assert len(plans) >= min(horizon, 3)


def test_the_anytime_planner_does_not_look_at_the_horizon():
    """Its game of T steps is the beginning of its longer games, if what it sees is the same."""
    bandit = make("uniform", actions=3, memory=3, seed=2)
    learner = find("optimistic-planner-anytime").build(bandit)
    longest = expand(simulate(bandit, learner, 3000, feedback=Deterministic()).runs)
    for horizon in (1, 17, 250, 2999):
        assert expand(simulate(bandit, learner, horizon, feedback=Deterministic()).runs) == longest[:horizon]
    known = expand(simulate(bandit, OptimisticPlanner(), 250, feedback=Deterministic()).runs)
    assert known != longest[:250]


@pytest.mark.parametrize(("actions", "memory"), [(2, 40), (3, 20)])
def test_beyond_the_graph_the_bound_applies_with_the_gap_of_the_game(actions, memory):
    name, horizon = "optimistic-planner-within-gaps", 300
    bandit = make("congested", actions=actions, memory=memory, seed=1)
    summary = play_repeatedly(bandit, Setup(name, horizon), repeats=1)
    (bound,) = bounds_of(name)
    assert summary.judged(bound).holds  # no departure: what a plan may lose is conceded
    assert summary.setting.gap == summary.gap


def test_plans_that_are_not_exact_are_conceded_step_by_step_or_a_departure(monkeypatch):
    bandit, gap = make("uniform", actions=2, memory=3, seed=5), Fraction(1, 7)

    class Loose:
        def __init__(self, plan):
            self.word, self.exact = plan.word, False
            self.lower, self.upper = plan.value - gap, plan.value

    for module in (optimistic_planner, optimistic_unknown_memory):
        monkeypatch.setattr(
            module, "minimum_mean_cycle", lambda table, **options: Loose(minimum_mean_cycle(table))
        )
    within = simulate(bandit, find("optimistic-planner-within-gaps").build(bandit), 1000)
    assert (within.gap, within.departures) == (1000 * gap, ())
    for learner in (OptimisticPlanner(), carmab(), OptimisticUnknownMemory()):
        strict = simulate(bandit, learner, 1000)
        assert strict.departures == ("a plan is only known to be within an interval of the best",)
    name = "optimistic-planner-within-gaps"
    (bound,) = bounds_of(name)
    values = [bound(setting_of(bandit, 1000, name, gap=some)) for some in (within.gap, 0)]
    assert (values[0] - values[1]).overlaps(as_ball(within.gap))
    assert OPTIMISM(setting_of(bandit, 1000, name)).overlaps(values[1])


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(InvalidInput, match="depend on T"):
        OptimisticPlanner(anytime=True, few_epochs=True)
    with pytest.raises(InvalidInput, match="cannot be negative"):
        OptimisticPlanner(gap=-1)
    with pytest.raises(InvalidInput, match="delta"):
        carmab(delta=0)


@given(st.integers(1, 10**6), st.fractions(Fraction(1, 10**6), Fraction(1, 2)))
def test_a_radius_is_a_multiple_of_the_grid_hardly_above_the_formula(plays, failure):
    p = float(failure)
    hoeffding = sqrt(log(2 / p) / (2 * plays))
    anytime = sqrt((1 + 1 / plays) * log(sqrt(plays + 1) / p) / (2 * plays))
    for radius, formula in (
        (hoeffding_radius(plays, failure), hoeffding),
        (anytime_radius(plays, failure), anytime),
    ):
        assert (radius * GRID).denominator == 1
        assert -1e-12 * formula < float(radius) - formula < 2 / GRID + 1e-12 * formula


# -- unknown memories --------------------

TRAP = TallyingBandit([[1, 1, 0, 1], [1, 1, 0, 1]], name="looks like memory three")
BANDITS = [
    TRAP,
    make("counterexample-3"),
    TallyingBandit([["1/2"], ["1/4"]]),
    make("uniform", actions=3, memory=2, seed=4),
]


def played(bandit, horizon, most, **options):
    game = Game(bandit, horizon, **options)
    return game, OptimisticUnknownMemory(most_memory=most).compare(game)


@pytest.mark.parametrize("bandit", BANDITS)
@pytest.mark.parametrize("seed", [1, *(pytest.param(s, marks=pytest.mark.thorough) for s in range(2, 22))])
def test_the_true_memory_stays(bandit, seed):
    _, candidates = played(bandit, 1500, bandit.memory + 2, seed=seed)
    assert not candidates[bandit.memory - 1].dropped


@pytest.mark.parametrize(
    "bandit", [make("counterexample-3"), TallyingBandit([[1], [0]]), TallyingBandit([[1, 0], [1, 1]])]
)
def test_the_bound_holds_where_it_is_nontrivial(bandit):
    """The worst that could be played exceeds it, and the learner does not."""
    horizon, most = 4000, 2
    game, _ = played(bandit, horizon, most)
    best = optimal_plan(bandit, horizon).value
    setting = Setting(bandit.actions, most, horizon, Fraction(1, 20))
    worst = max(replay(bandit, [action] * horizon) for action in range(bandit.actions))
    assert UNKNOWN_MEMORY.exceeded_by(worst - best, setting)
    assert not UNKNOWN_MEMORY.exceeded_by(game.loss - best, setting)


def test_the_charges_account_for_every_step():
    """Without noise, what is lost is what was promised and what was charged."""
    game, candidates = played(TRAP, 800, 4, feedback=Deterministic())
    assert sum(one.steps for one in candidates) == 800
    assert all((one.steps > 0) == (one.epochs > 0) for one in candidates)
    assert sum(sum(one.seen.plays.values()) for one in candidates) == 800
    assert sum(sum(one.seen.totals.values()) for one in candidates) == game.loss
    charges = sum(one.charge for one in candidates)
    least = optimal_plan(TRAP, 4 * 10**6).value / (4 * 10**6)
    assert game.loss - charges <= 800 * (least + Fraction(1, 1000))  # no promise is above lambda*


def test_a_memory_that_breaks_its_promise_is_dropped_and_the_last_one_stays(monkeypatch):
    monkeypatch.setattr(optimistic_unknown_memory, "allowance", lambda *sizes: Fraction(0))
    game, candidates = played(TRAP, 300, 4, feedback=Deterministic())
    assert game.remaining == 0
    assert sum(one.dropped for one in candidates) == 3


@pytest.mark.parametrize("sizes", [(2, 2, 100, 5, 1000), (3, 1, 7, 2, 50), (1, 4, 1, 9, 10**6)])
def test_the_allowance_is_that_of_its_formula(sizes):
    K, m, steps, epochs, T = sizes
    radii = (2 + sqrt(2)) * sqrt(K * m * steps * log(6 * K * m * T / DELTA))
    expected = radii + (m - 1) * epochs + sqrt(steps * log(3 * T / DELTA) / 2)
    assert 0 <= float(allowance(K, m, steps, epochs, T, DELTA)) - expected < 1e-9


def test_a_charge_that_is_just_allowed_breaks_no_promise():
    game = Game(TRAP, 100)
    one = Candidate(2, game, Fraction(1, 20), deque(), game.run((0,), 0), steps=30, epochs=4)
    one.charge = allowance(2, 2, 30, 4, 100, Fraction(1, 20))
    assert not one.breaks_its_promise()
    one.charge += Fraction(1, 10**9)
    assert one.breaks_its_promise()


def test_the_trap_of_the_other_scheme_costs_little():
    """se-tb-unknown-memory ends on memory 3 and loses 1 per step, three quarters above the optimum."""
    game, _ = played(TRAP, 20_000, 4, feedback=Deterministic())
    assert game.loss - optimal_plan(TRAP, 20_000).value < 20_000 / 10


@pytest.mark.parametrize("most", [0, -1, 1.5, True])
def test_a_faulty_bound_on_the_memory_is_named(most):
    with pytest.raises(InvalidInput, match="most_memory"):
        OptimisticUnknownMemory(most_memory=most)
