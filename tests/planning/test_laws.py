"""What must happen to the three optima when an instance or a question is changed in a known way.

Write R for the largest minus the smallest loss. Two facts serve several laws. (1) From two histories, the
same actions cost at most (m-1) R more or less, since after m-1 steps the windows agree. (2) Over the starting
points of a best cycle, T steps cost T lambda* on average; and no bound below T lambda* can hold from every
history.
"""

from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, cycle, cyclic, mapped, plan, relabelled, spread, starts, tallying_bandits

from tallyplan import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import expand

SMALLER = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 2), (2, 3)]
horizons = st.one_of(st.integers(0, 25), st.integers(10**9, 10**9 + 20))
periods = st.integers(1, 12)


def optima(bandit, horizon, period):
    """Per question, in the order plan, cycle, cyclic."""
    return plan(bandit, horizon).value, cycle(bandit).value, cyclic(bandit, period).value


@settings(max_examples=25)
@given(st.data(), tallying_bandits(), horizons, periods)
def test_relabelling_arms_keeps_the_optimum(data, bandit, horizon, period):
    order = data.draw(st.permutations(range(bandit.actions)))
    other = relabelled(bandit, order)
    assert optima(other, horizon, period) == optima(bandit, horizon, period)
    start = starts(bandit)[-1]
    moved = [order.index(action) for action in start]
    assert plan(other, horizon, moved).value == plan(bandit, horizon, start).value


@settings(max_examples=40)
@given(tallying_bandits(SMALLER), horizons, periods, st.booleans())
def test_neither_a_duplicate_arm_nor_one_that_always_costs_one_hurts(bandit, horizon, period, duplicate):
    more = TallyingBandit([*bandit.losses, bandit.losses[0] if duplicate else [1] * bandit.memory])
    for new, old in zip(optima(more, horizon, period), optima(bandit, horizon, period), strict=True):
        assert new <= old


@settings(max_examples=25)
@given(bandits(), horizons, periods, st.sampled_from([Fraction(0), Fraction(1, 7), Fraction(1)]))
def test_scaling_and_shifting_the_losses_scales_and_shifts_the_optima(bandit, horizon, period, share):
    scale, constant = (1 - share) / 3, share
    new = optima(mapped(bandit, lambda loss: scale * loss + constant), horizon, period)
    total, mean, word = optima(bandit, horizon, period)
    assert new == (scale * total + constant * horizon, scale * mean + constant, scale * word + constant)


@settings(max_examples=25)
@given(bandits(), horizons, periods)
def test_raising_losses_never_lowers_an_optimum(bandit, horizon, period):
    higher = mapped(bandit, lambda loss: min(Fraction(1), loss + Fraction(loss.numerator % 3, 7)))
    for new, old in zip(optima(higher, horizon, period), optima(bandit, horizon, period), strict=True):
        assert new >= old


@settings(max_examples=20)
@given(bandits(SMALLER), st.integers(0, 12), st.integers(0, 12))
def test_a_longer_game_splits_into_two_shorter_ones(bandit, first, second):
    for start in starts(bandit)[:4:3]:
        whole = plan(bandit, first + second, start)
        head = plan(bandit, first, start)
        reached = [*start, *expand(head.runs)]
        assert whole.value <= head.value + plan(bandit, second, reached).value
        longest = bandit.memory - 1
        lengths = {min(longest, len(start) + first)}
        histories = [h for length in lengths for h in product(range(bandit.actions), repeat=length)]
        assert whole.value >= head.value + min(plan(bandit, second, h).value for h in histories)


@settings(max_examples=25)
@given(bandits(), st.integers(0, 20), st.integers(0, 20))
def test_the_rest_of_an_optimal_plan_is_optimal_from_where_it_stands(bandit, first, second):
    for start in starts(bandit)[:4:3]:
        whole = plan(bandit, first + second, start)
        actions = expand(whole.runs)
        spent = replay(bandit, actions[:first], start)
        rest = plan(bandit, second, [*start, *actions[:first]])
        assert spent >= plan(bandit, first, start).value
        assert whole.value == spent + rest.value


@settings(max_examples=25)
@given(bandits(), horizons)
def test_the_optimum_stays_within_m_minus_1_losses_of_the_minimum_mean(bandit, horizon):
    mean, slack = cycle(bandit).value, (bandit.memory - 1) * spread(bandit)
    for start in starts(bandit):
        assert abs(plan(bandit, horizon, start).value - horizon * mean) <= slack


@settings(max_examples=20)
@given(bandits(SMALLER), st.integers(0, 12))
def test_the_minimum_mean_lies_between_the_best_and_the_worst_start(bandit, horizon):
    mean = cycle(bandit).value
    values = [
        plan(bandit, horizon, h).value for h in product(range(bandit.actions), repeat=bandit.memory - 1)
    ]
    assert min(values) <= horizon * mean <= max(values)


@settings(max_examples=25)
@given(bandits(), periods)
def test_no_word_beats_the_minimum_mean_and_multiples_of_the_best_cycle_attain_it(bandit, period):
    best = cycle(bandit)
    assert cyclic(bandit, period).value >= best.value
    assert cyclic(bandit, len(best.word) * (1 + period % 3)).value == best.value


@settings(max_examples=25)
@given(bandits(), periods, st.integers(1, 6))
def test_words_can_be_repeated_and_joined(bandit, period, other):
    loss = {L: L * cyclic(bandit, L).value for L in (period, other, period * other, period + other)}
    slack = (bandit.memory - 1) * spread(bandit)
    assert loss[period * other] <= min(other * loss[period], period * loss[other])
    assert loss[period + other] <= loss[period] + loss[other] + 2 * slack


@settings(max_examples=25)
@given(bandits(), periods)
def test_one_period_costs_at_least_a_game_and_at_most_m_minus_1_losses_more(bandit, period):
    answer = cyclic(bandit, period)
    loss, slack = period * answer.value, (bandit.memory - 1) * spread(bandit)
    settled = answer.word * bandit.memory
    assert plan(bandit, period, settled).value <= loss
    for start in starts(bandit):
        assert loss <= plan(bandit, period, start).value + slack
