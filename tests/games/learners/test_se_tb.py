"""SE-TB plays Algorithm 1: its schedule, its choices, its eliminations, and its guarantee, on small games."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import plan, tallying_bandits

from tallyplan import TallyingBandit, make, optimal_cyclic_policy
from tallyplan.errors import InternalError
from tallyplan.games.feedback import Deterministic
from tallyplan.games.game import Game, Observed
from tallyplan.games.learners import se_tb
from tallyplan.games.learners.se_tb import SETB, Elimination
from tallyplan.games.learners.unknown_memory import SETBUnknownMemory
from tallyplan.games.policy_set import PolicyAnswer, PolicySet
from tallyplan.games.schedule import ESTIMATE_GRID, Schedule
from tallyplan.model.replay import mean_of_word, period_counts, replay
from tallyplan.model.words import expand

DELTA = Fraction(1, 20)
BANDIT = TallyingBandit([["1/5", "9/10"], ["1/2", "2/5"]])


def horizon(bandit, epochs):
    return (4 * bandit.actions * bandit.memory * (2**epochs - 1)) ** 2


def eliminate(bandit, steps, seed=0, feedback=None, **options):
    game = Game(bandit, steps, seed=seed, feedback=feedback)
    played = SETB(**options).eliminate(game)
    assert game.remaining == 0
    return game, played


def estimated(epoch, counts):
    return sum(w * n for w, n in zip(epoch.weights, counts, strict=True))


def counts_of(bandit, word):
    met = period_counts(word, bandit.memory)
    return tuple(met[x, y] for x in range(bandit.actions) for y in range(1, bandit.memory + 1))


# -- the schedule ----------------------------------------------------------------------------------------


@given(st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**7))
def test_on_other_horizons_the_epochs_are_as_many_as_fit(actions, memory, steps):
    schedule = Schedule(actions, memory, steps, DELTA)
    unit = 4 * actions * memory
    assert schedule.period**2 <= steps < (schedule.period + 1) ** 2
    assert unit * (2**schedule.epochs - 1) <= schedule.period < unit * (2 ** (schedule.epochs + 1) - 1)
    assert 0 <= schedule.rest <= steps
    assert schedule.guarantee <= steps
    assert schedule.epochs or schedule.guarantee == steps


@pytest.mark.parametrize(("sharp", "constant"), [(False, 32), (True, Fraction(1, 2))])
@pytest.mark.parametrize("short", [False, True])
def test_the_radius_is_the_papers_rounded_up_and_hardly_more(sharp, constant, short):
    schedule = Schedule(3, 2, (24 * 31) ** 2, DELTA, sharp, short)
    for epoch in range(1, schedule.epochs + 1):
        n = 2 * 2**epoch - 1 if short else 2**epoch
        true = math.sqrt(constant * 6 / (n * schedule.period) * math.log(2 * 6 * 5 / 0.05))
        radius = Fraction(schedule.reach(epoch), ESTIMATE_GRID * schedule.period)
        assert true < radius < true + 1e-6


# -- one epoch -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sharp", [False, True])
def test_every_choice_is_an_argmax_and_every_elimination_the_papers(sharp):
    """Against all words of a period: K = 2, m = 1, so that S = 1 has words of length 8."""
    bandit = TallyingBandit([["1/3"], ["1/2"]])
    _, played = eliminate(bandit, horizon(bandit, 1), sharp=sharp)
    (epoch,) = played.epochs
    words = {word: counts_of(bandit, word) for word in product(range(2), repeat=8)}
    for cell, answer in enumerate(epoch.chosen):
        assert answer.value == max(counts[cell] for counts in words.values())
    least = min(estimated(epoch, counts) for counts in words.values())
    assert epoch.best.value == least
    eliminated = 0
    for reach in (0, epoch.unit // 100, epoch.unit // 40, epoch.reach):
        survivors = replace(epoch, reach=reach).survivors()
        for counts in words.values():
            assert survivors.contains(counts) == (estimated(epoch, counts) <= least + 2 * reach)
            eliminated += not survivors.contains(counts)
    assert eliminated


@settings(max_examples=10, deadline=None)
@given(tallying_bandits([(2, 1), (2, 2), (3, 1), (1, 2)]), st.integers(0, 50), st.booleans(), st.booleans())
def test_the_best_policy_is_kept_while_estimates_are_within_the_radius(bandit, seed, sharp, short):
    """On the event of Lemma 7 (checked for the two policies that matter) pi* survives."""
    _, played = eliminate(bandit, horizon(bandit, 2), seed, sharp=sharp, short_burn_in=short)
    assert played.exact
    star = optimal_cyclic_policy(bandit, played.schedule.period)
    counts = counts_of(bandit, star.word)
    for epoch in played.epochs:
        best = expand(epoch.best.runs)
        errors = [
            abs(Fraction(estimated(epoch, counts_of(bandit, word)), epoch.unit) - mean_of_word(bandit, word))
            for word in (star.word, best)
        ]
        assert epoch.policies.contains(counts)
        if max(errors) <= epoch.radius:
            assert epoch.survivors().contains(counts)
            assert mean_of_word(bandit, best) <= star.value + 2 * epoch.radius
        else:
            return


# -- whole games -----------------------------------------------------------------------------------------


def test_a_game_replayed_step_by_step_equals_the_bulk_account():
    """Without noise the whole game is determined: play it once in bulk and once by single steps."""
    game, played = eliminate(BANDIT, horizon(BANDIT, 2) + 1234, feedback=Deterministic())
    actions = expand(game.runs)
    assert len(actions) == game.horizon
    assert replay(BANDIT, actions) == game.loss
    steps = Game(BANDIT, game.horizon, feedback=Deterministic())
    losses = [steps.step(action) for action in actions]
    assert sum(losses) == game.loss == steps.loss
    period, time = played.schedule.period, 0
    for epoch in played.epochs:
        for cell, answer in enumerate(epoch.chosen):
            half = 2**epoch.number * period
            word = actions[time : time + period]
            assert word == expand(answer.runs)
            assert actions[time : time + 2 * half] == word * (2 * 2**epoch.number)
            stored = _stored(actions, losses, time + half, time + 2 * half, cell)
            assert len(stored) == 2**epoch.number * answer.value
            assert epoch.weights[cell] == (round(sum(stored) / len(stored) * ESTIMATE_GRID) if stored else 0)
            time += 2 * half
    assert game.horizon - time == played.schedule.rest
    rest = expand(played.epochs[-1].best.runs)
    assert actions[time:] == (rest * (len(actions) // period + 1))[: game.horizon - time]


def _stored(actions, losses, begin, end, cell):
    """The losses of a cell, tallied step by step."""
    x, y = divmod(cell, 2)
    return [
        losses[t]
        for t in range(begin, end)
        if actions[t] == x and actions[max(0, t - 1) : t + 1].count(x) == y + 1
    ]


def test_a_cell_that_was_met_less_often_than_its_policy_says_is_a_bug():
    """In the second epoch, 4 periods: a policy that visits the cell 3 times a period met it 12 times."""
    schedule, cell = Schedule(2, 2, 10**6, DELTA), (1, 2)

    def estimate(value, stored):
        answer = PolicyAnswer(value, value, (), (), "branching")
        seen = Observed({cell: stored}, {cell: Fraction(stored, 3)})
        return se_tb._estimate(schedule, 2, answer, seen, cell)

    assert (estimate(3, 12), estimate(3, 13), estimate(0, 0)) == (333333, 333333, 0)
    for value, stored in ((3, 11), (3, 0), (0, 1)):
        with pytest.raises(InternalError, match="did not meet its cell"):
            estimate(value, stored)


def test_the_guarantee_adds_up_what_the_lemmas_allow():
    """K = 2, m = 3, L = 4 Km 3 + 1 = 73, S = 2: the first epoch, the second with its gap, rest and turns."""
    schedule = Schedule(2, 3, 73**2 + 5, DELTA)
    first, second = 2 * 2 * 6 * 73, 2 * 4 * 6 * 73
    assert (schedule.epochs, schedule.rest) == (2, 73**2 + 5 - first - second)
    for gap, last in product((Fraction(0), Fraction(1, 9), Fraction(1, 7)), repeat=2):
        expected = first + (6 * 2 + second * gap) + (2 + schedule.rest * last) + 73 * 2 + 5
        assert schedule.guarantee_with([gap], last) == expected < schedule.horizon
    assert schedule.guarantee_with([Fraction(2)], Fraction(0)) == schedule.horizon
    long = Schedule(2, 3, 10**10, DELTA, sharp=True)
    gaps = [4 * long.radius(epoch) for epoch in range(1, long.epochs)]
    assert long.guarantee == long.guarantee_with(gaps, 2 * long.radius(long.epochs)) < long.horizon


def test_the_guarantee_of_a_game_holds_for_many_seeds():
    """delta is tiny next to the true failure rate: Hoeffding is far from tight here."""
    bandit = TallyingBandit([["1/4"], ["3/4"]])
    steps = horizon(bandit, 5) + 5000
    optimum = plan(bandit, steps).value
    for seed in range(15):
        game, played = eliminate(bandit, steps, seed, sharp=True, short_burn_in=True)
        assert played.guarantee < steps
        assert 0 <= game.loss - optimum <= played.guarantee


# -- intervals -------------------------------------------------------------------------------------------


def test_intervals_widen_the_radius_and_the_game_goes_on(monkeypatch):
    """Oracles that stop at once: every choice is some word of the set, every bound only proved."""
    original = PolicySet.greatest_count

    def lazy(policies, action, tally):
        exact = original(policies, action, tally)
        constant = original(policies, action, policies.memory)
        cell = action * policies.memory + tally - 1
        return PolicyAnswer(constant.counts[cell], exact.bound, constant.runs, constant.counts, "branching")

    monkeypatch.setattr(PolicySet, "greatest_count", lazy)
    bandit = TallyingBandit([["1/2", "1/4"], ["1/3", "3/4"]])
    for sharp in (False, True):
        game, played = eliminate(bandit, horizon(bandit, 2), sharp=sharp, feedback=Deterministic())
        assert not played.exact
        assert game.departures == ("a question about a policy set was answered by an interval",)
        star = optimal_cyclic_policy(bandit, played.schedule.period)
        for epoch in played.epochs:
            unsampled = sum(answer.bound for answer in epoch.chosen if not answer.value)
            assert unsampled > 0
            assert epoch.reach >= played.schedule.reach(epoch.number) + unsampled * ESTIMATE_GRID
            assert epoch.policies.contains(counts_of(bandit, star.word))
        assert game.loss - plan(bandit, game.horizon).value <= played.guarantee


def test_an_interval_for_the_least_estimate_takes_its_upper_end():
    bandit = TallyingBandit([["1/3"], ["1/2"]])
    _, played = eliminate(bandit, horizon(bandit, 2))
    first = played.epochs[0]
    worse = first.policies.greatest_count(1, 1)
    value = estimated(first, worse.counts)
    assert value > first.best.value
    open_end = PolicyAnswer(value, first.best.value, worse.runs, worse.counts, "branching")
    wide = se_tb.Epoch(1, first.policies, first.chosen, first.weights, open_end, first.reach)
    assert wide.uncertainty == Fraction(value - first.best.value, first.unit)
    assert not wide.exact
    assert wide.survivors().rows[0][1] == value + 2 * first.reach
    assert wide.survivors().contains(first.best.counts)
    schedule, second = played.schedule, replace(played.epochs[1], reach=0)
    exact, more = (Elimination(schedule, (replace(one, reach=0), second)).guarantee for one in (first, wide))
    assert more - exact == schedule.steps(2) * wide.uncertainty > 0


# -- the scheme of the Discussion --------------------


TRAP = TallyingBandit([[1, 1, 0, 1]] * 2, name="looks like memory three")


@pytest.fixture(scope="module")
def trapped():
    """L = 1008, a multiple of 12, long enough for the radii of the first epoch to add up to less than 1/4."""
    game = Game(TRAP, 1008**2, seed=0, feedback=Deterministic())
    return game, SETBUnknownMemory(most_memory=4, sharp=True).compare(game)


def test_the_true_memory_is_discarded_for_a_wrong_one(trapped):
    _, epochs = trapped
    radii = {memory: one.radius for memory, one in epochs[0].instantiations.items()}
    assert radii[3] + radii[4] < Fraction(1, 4)
    assert 4 in epochs[0].discarded
    assert 3 not in epochs[0].discarded
    assert epochs[-1].best == 3


def test_the_wrong_memory_believes_in_a_policy_that_costs_much_more(trapped):
    """Its estimate is 0 and the policy costs 1; the true memory knew the optimum, 1/4."""
    game, epochs = trapped
    first = epochs[0].instantiations
    assert first[3].estimate == 0
    assert first[4].estimate == Fraction(1, 4)
    assert mean_of_word(TRAP, expand(first[3].best.runs)) == 1
    assert game.remaining == 0
    assert game.loss - plan(TRAP, game.horizon).value > game.horizon // 4


@pytest.mark.parametrize(("actions", "most", "cells"), [(2, 1, 2), (2, 2, 6), (3, 2, 9), (2, 3, 12)])
def test_an_epoch_needs_a_period_of_four_plays_per_cell_of_all_memories(actions, most, cells):
    """Cells of the memories 1 .. M: K + 2K + ... + MK."""
    bandit = make("equal-arms", actions=actions, memory=most)
    for horizon, epochs in (((4 * cells) ** 2 - 1, 0), ((4 * cells) ** 2, 1)):
        assert len(SETBUnknownMemory(most_memory=most).compare(Game(bandit, horizon))) == epochs
