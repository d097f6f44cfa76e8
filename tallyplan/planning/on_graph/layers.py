"""Walking backwards through a long forward recursion with few layers stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

FAN = 8  # stored layers at each level of the recursion

Layer = TypeVar("Layer")


def layers_backwards(step: Callable[[Layer], Layer], base: Layer, count: int) -> Iterator[Layer]:
    """The layers number count - 1, ..., 1, 0 of the recursion that starts with `base`.

    At most FAN ceil(log_FAN count) layers are stored: every level of the recursion keeps FAN evenly spaced
    ones and computes again between them, one step more a layer and level.

    >>> list(layers_backwards(lambda x: x + 1, 0, 20)) == list(range(19, -1, -1))
    True
    """
    if count <= 0:
        return
    spacing = 1
    while spacing * FAN < count:
        spacing *= FAN
    stored = [base]
    layer = base
    for index in range(1, (count - 1) // spacing * spacing + 1):
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
            yield from layers_backwards(step, first, last)
        last = spacing
