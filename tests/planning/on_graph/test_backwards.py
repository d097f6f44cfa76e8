"""Walking backwards through a recursion with few layers stored."""

from math import ceil, log

import pytest

from tallyplan.planning.on_graph.backwards import FAN, layers_backwards


class Counted:
    """A layer that knows how many of its kind are alive."""

    alive = most = 0

    def __init__(self, number):
        self.number = number
        Counted.alive += 1
        Counted.most = max(Counted.most, Counted.alive)

    def __del__(self):
        Counted.alive -= 1


def test_every_count_up_to_600_gives_the_forward_list_reversed():
    for count in range(601):
        assert list(layers_backwards(lambda x: x + 1, 5, count)) == list(range(count + 4, 4, -1))


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 63, 64, 65, 100, 511, 512, 513, 600, 5000])
def test_few_layers_are_alive_at_any_time(count):
    Counted.alive = Counted.most = 0
    base = Counted(0)
    for expected, layer in zip(
        range(count - 1, -1, -1), layers_backwards(lambda x: Counted(x.number + 1), base, count), strict=True
    ):
        assert layer.number == expected
    assert Counted.most <= FAN * max(1, ceil(log(count, FAN) - 1e-9)) + 3


@pytest.mark.parametrize("count", [64, 512, 4000])
def test_a_layer_is_computed_at_most_once_for_every_level(count):
    calls = 0

    def step(layer):
        nonlocal calls
        calls += 1
        return layer + 1

    list(layers_backwards(step, 0, count))
    assert calls <= count * ceil(log(count, FAN) - 1e-9)
