"""Changing a JSON document in a few places: what the tests of the checkers do to proofs."""

import copy
from contextlib import suppress
from fractions import Fraction

from brute_force import about, rehashed
from hypothesis import strategies as st


def places(value, path=()):
    """The paths of everything inside a JSON value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield (*path, key)
        yield from places(part, (*path, key))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def mutated(draw, value):
    """Another value of nearly the same shape."""
    if type(value) is int:
        return value + draw(st.sampled_from([-2, -1, 1, 2, 10**30, -(10**30)]))
    if type(value) is str and "/" in value:
        hair = st.sampled_from([Fraction(sign, 10**9) for sign in (-1, 1)])
        x = Fraction(value) + draw(hair | st.fractions(-1, 1, max_denominator=12))
        return f"{x.numerator}/{x.denominator}"
    if type(value) is list and value:
        i = draw(st.integers(0, len(value) - 1))
        return draw(st.sampled_from([value[:i] + value[i + 1 :], [*value, value[i]], value[::-1]]))
    return draw(st.sampled_from([None, True, 1.5, [], {}, "1/2", 0, [[]], -1]))


@st.composite
def mutations(draw, documents):
    """One of the documents, changed in one to three places; the hash follows."""
    document = copy.deepcopy(draw(st.sampled_from(documents)))
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        part = draw(st.sampled_from(["claim", "claim", "primal", "dual", about(document)]))
        *way, last = draw(st.sampled_from(list(places(document[part], (part,))) or [(part,)]))
        at(document, way)[last] = mutated(draw, at(document, way)[last])
    with suppress(TypeError, AttributeError, ValueError):  # no longer an object: the old hash will do
        document = rehashed(document)
    return document
