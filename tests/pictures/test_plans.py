"""Timelines: every number in them is exact, and worked out here from the definitions."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tallying_bandits

import tallyplan as tp
from tallyplan.model.words import length
from tallyplan.pictures import draw_timeline
from tallyplan.pictures.plans import stretches

THREE = tp.TallyingBandit(
    [["0.077", "0.023", "0.029"], ["0.003", "0.034", "0.045"], ["0.010", "0.082", "0.083"]], name="three arms"
)
RUNS = st.lists(
    st.tuples(st.lists(st.integers(0, 1), min_size=1, max_size=4).map(tuple), st.integers(1, 9)), max_size=3
)


def labelled(figure, prefix, axes=0):
    return [text.get_text() for text in figure.axes[axes].texts if (text.get_gid() or "").startswith(prefix)]


@settings(max_examples=20)
@given(bandit=tallying_bandits(), runs=RUNS, start=st.lists(st.integers(0, 1), max_size=4))
def test_the_stretches_of_a_plan_lose_what_the_plan_loses(bandit, runs, start):
    runs = [(tuple(action % bandit.actions for action in word), repeats) for word, repeats in runs]
    start = tuple(action % bandit.actions for action in start)
    found = stretches(bandit, runs, start)
    total, steps = Fraction(0), 0
    for one in found:
        assert [play.arm for play in one.plays] == [*one.word] * (len(one.plays) // len(one.word))
        assert one.plays[0].step == steps + 1
        last = sum(play.loss for play in one.plays[-len(one.word) :])
        total += sum(play.loss for play in one.plays) + one.unseen * last
        steps += len(one.plays) + one.unseen * len(one.word)
    assert total == tp.replay_runs(bandit, runs, start)
    assert steps == length(runs)
    for one in found:
        for play in one.plays:
            assert play.loss == bandit.losses[play.arm][play.tally - 1]


def test_a_timeline_shows_every_step_that_differs_and_counts_the_rest():
    plan = tp.optimal_plan(THREE, 10**15)
    figure = draw_timeline(THREE, plan.runs)
    (label,) = labelled(figure, "break-")
    unseen = int(label.split()[0])
    squares = [patch for patch in figure.axes[0].patches if (patch.get_gid() or "").startswith("play-")]
    assert len(squares) + unseen * len(plan.runs[0][0]) == 10**15
    assert labelled(figure, "tally-")[:4] == ["1", "1", "1", "2"]
    assert "= 7375000000000017/500" in figure.get_suptitle()
