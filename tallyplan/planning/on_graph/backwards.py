"""Walking backwards through a long forward recursion with few layers stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from tallyplan.planning.effort import tick

FAN = 8  # layers stored at each level of the recursion, unless there is room for more

AnyLayer = TypeVar("AnyLayer")


def layers_backwards(
    step: Callable[[AnyLayer], AnyLayer], base: AnyLayer, count: int, fan: int = FAN
) -> Iterator[AnyLayer]:
    """The layers number count - 1, ..., 1, 0 of the recursion that starts with `base`.

    At most fan * ceil(log_fan count) layers are stored: each level of the recursion keeps `fan` evenly spaced
    layers and computes those between them once more.

    >>> list(layers_backwards(lambda x: x + 1, 0, 20)) == list(range(19, -1, -1))
    True
    """
    if count <= 0:
        return
    spacing = 1
    while spacing * fan < count:
        spacing *= fan
    stored = [base]
    layer = base
    for index in range(1, (count - 1) // spacing * spacing + 1):
        tick()
        layer = step(layer)
        if index % spacing == 0:
            stored.append(layer)
    del layer
    last = count - (len(stored) - 1) * spacing
    while stored:
        first = stored.pop()
        if spacing == 1:
            yield first
        else:
            yield from layers_backwards(step, first, last, fan)
        last = spacing
