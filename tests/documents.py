"""Changing a JSON document in one place: what the tests of the checker do to proofs."""

from fractions import Fraction

from hypothesis import strategies as st


def places(value, path=()):
    """The paths of everything inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield (*path, key)
        yield from places(part, (*path, key))


def mutated(draw, value):
    """Another value of nearly the same shape."""
    if type(value) is int:
        return value + draw(st.sampled_from([-2, -1, 1, 2, 10**30, -(10**30)]))
    if type(value) is str and "/" in value:
        x = Fraction(value) + draw(st.fractions(-1, 1, max_denominator=30))
        return f"{x.numerator}/{x.denominator}"
    if type(value) is list and value:
        i = draw(st.integers(0, len(value) - 1))
        return draw(st.sampled_from([value[:i] + value[i + 1 :], [*value, value[i]], value[::-1]]))
    return draw(st.sampled_from([None, True, 1.5, [], {}, "1/2", 0, [[]], -1]))
