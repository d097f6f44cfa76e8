"""What must happen to the three optima when an instance or a question is changed in a known way."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bandits, cycle, cyclic, mapped, plan, relabelled, starts, tallying_bandits

from tallyplan.model.replay import replay
from tallyplan.model.words import expand

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


@settings(max_examples=25)
@given(bandits(), horizons, periods, st.sampled_from([Fraction(0), Fraction(1, 7), Fraction(1)]))
def test_scaling_and_shifting_the_losses_scales_and_shifts_the_optima(bandit, horizon, period, share):
    scale, constant = (1 - share) / 3, share
    new = optima(mapped(bandit, lambda loss: scale * loss + constant), horizon, period)
    total, mean, word = optima(bandit, horizon, period)
    assert new == (scale * total + constant * horizon, scale * mean + constant, scale * word + constant)


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
@given(bandits(), periods)
def test_no_word_beats_the_minimum_mean_and_multiples_of_the_best_cycle_attain_it(bandit, period):
    best = cycle(bandit)
    assert cyclic(bandit, period).value >= best.value
    assert cyclic(bandit, len(best.word) * (1 + period % 3)).value == best.value
