"""The methods for a horizon that need no recursion over histories, next to that recursion."""

from fractions import Fraction

import pytest
from check_build import GENERAL, best_plan, tallying
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check.long_memory import lower_end
from tallyplan.check.problem import read_problem
from tallyplan.check.verdict import Budget, Refused


@st.composite
def games(draw):
    """An instance and the actions before the game."""
    K, m = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    loss = st.integers(0, 6).map(lambda x: Fraction(x, 6))
    rows = draw(st.lists(st.lists(loss, min_size=m, max_size=m), min_size=K, max_size=K))
    return tallying(*rows), draw(st.lists(st.integers(0, K - 1), max_size=m - 1))


def proved(instance, start, T, method):
    budget = Budget(10**7)
    return lower_end(read_problem(instance, budget)[1], start, T, {"method": method}, budget)


@settings(max_examples=80)
@given(games(), st.data())
def test_counting_is_exact_while_the_window_has_room_and_refused_beyond(game, data):
    instance, start = game
    room = instance["memory"] - len(start)
    T = data.draw(st.integers(0, room))
    assert proved(instance, start, T, "counts") == best_plan(instance, T, start)[0]
    with pytest.raises(Refused, match="more than counts matters"):
        proved(instance, start, room + 1, "counts")


@settings(max_examples=120)
@given(games(), st.data())
def test_trying_what_leaves_the_window_is_exact_for_games_up_to_twice_the_memory(game, data):
    instance, start = game
    m, d = instance["memory"], instance["memory"] - len(start)
    T = data.draw(st.integers(d, m + d))
    assert proved(instance, start, T, "direct") == best_plan(instance, T, start)[0]
    for wrong in (d - 1, m + d + 1):
        with pytest.raises(Refused, match="a little longer than the memory"):
            proved(instance, start, wrong, "direct")


def test_only_some_of_the_first_plays_leave_the_window():
    """Two plays before the game, and one of them leaves: not both."""
    assert proved(GENERAL, [1, 0], 2, "direct") == best_plan(GENERAL, 2, (1, 0))[0]
