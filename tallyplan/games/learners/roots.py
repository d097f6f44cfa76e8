"""Integer roots, for amounts of exploration: exact for horizons of any size."""

from __future__ import annotations


def cube_root(number: int) -> int:
    """The largest integer whose cube is at most `number` >= 0, by Newton's iteration from above.

    >>> cube_root(26), cube_root(27), cube_root(10**300) == 10**100
    (2, 3, True)
    """
    if number == 0:
        return 0
    root = 1 << -(-number.bit_length() // 3)
    while True:
        better = (2 * root + number // root**2) // 3
        if better >= root:
            return root
        root = better
