"""Slopes and charges: against the method `tallies`, which lists every vector of tallies, and all edges."""

import itertools
from fractions import Fraction

import pytest
from check_build import by_name, size, tallying, text
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.check import check
from tallyplan.check.tallies import compositions

SIZES = [(2, 1), (2, 2), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2)]
HALVES = st.integers(-6, 6)


@st.composite
def proofs(draw):
    """A document with small slopes and charges, and a lower bound at which it may or may not be a proof."""
    K, m = draw(st.sampled_from(SIZES))
    numbers = st.integers(0, 6).map(lambda n: text(Fraction(n, 6)))
    rows = draw(st.lists(st.lists(numbers, min_size=m, max_size=m), min_size=K, max_size=K))
    slopes = draw(st.lists(st.lists(HALVES, min_size=m - 1, max_size=m - 1), min_size=K, max_size=K))
    charges = draw(st.lists(st.lists(HALVES, min_size=m, max_size=m), min_size=K, max_size=K))
    dual = {"method": "separable", "scale": 12, "slopes": slopes, "charges": charges}
    return with_bound(by_name(tallying(*rows), dual, [0]), Fraction(draw(st.integers(-60, 12)), 12))


def with_bound(doc, lower):
    return {**doc, "claim": {**doc["claim"], "lower": text(lower)}}


def listed(doc):
    """The same proof by the method `tallies`."""
    K, m = size(doc["instance"])
    sums = [list(itertools.accumulate(row, initial=0)) for row in doc["dual"]["charges"]]
    phi = [sum(row[y] for row, y in zip(sums, s, strict=True)) for s in compositions(m, K)]
    dual = {key: value for key, value in doc["dual"].items() if key != "charges"}
    return {**doc, "dual": {**dual, "method": "tallies", "potentials": phi}}


def largest(doc):
    """The largest multiple of 1/12 that the slopes and charges prove, by bisection."""
    low, high = -(10**4), 13
    assert check(with_bound(doc, Fraction(low, 12)))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if check(with_bound(doc, Fraction(middle, 12))) else (low, middle)
    return Fraction(low, 12)


@settings(max_examples=150)
@given(proofs())
def test_it_proves_what_the_list_of_all_tallies_proves(doc):
    bound = largest(doc)
    for lower in (bound, bound + Fraction(1, 12), Fraction(doc["claim"]["lower"])):
        verdicts = {check(with_bound(made, lower)).status for made in (doc, listed(doc))}
        assert verdicts == ({"accepted"} if lower <= bound else {"refused"})


@settings(max_examples=40)
@given(proofs())
def test_a_factor_on_slopes_charges_and_scale_changes_nothing(doc):
    """However large the numbers are, no tally plays a part that it cannot have."""
    bound, factor = largest(doc), 10**12
    times = {key: [[factor * n for n in row] for row in doc["dual"][key]] for key in ("slopes", "charges")}
    larger = {**doc, "dual": {**doc["dual"], **times, "scale": factor * doc["dual"]["scale"]}}
    assert check(with_bound(larger, bound))
    assert not check(with_bound(larger, bound + Fraction(1, 12 * factor)))


@pytest.mark.parametrize("large", [1, 10**12])
def test_an_arm_that_is_not_in_the_window_after_a_step_was_not_played(large):
    """After a play of an arm the tallies cannot be (0, 1, 2), where the sum would be down by 4 `large`."""
    charges = [[0, large, 0]] * 3
    dual = {"method": "separable", "scale": large, "slopes": [[-large, -large]] * 3, "charges": charges}
    doc = with_bound(by_name(tallying(*[["1/1"] * 3] * 3), dual, [0]), Fraction(0))
    assert check(doc)
    assert check(listed(doc))
    assert not check(with_bound(doc, Fraction(1, large)))


@settings(max_examples=30)
@given(proofs())
def test_no_closed_walk_is_below_what_is_proved(doc):
    """All words up to a length, by their definition."""
    K, m = size(doc["instance"])
    bound = largest(doc)
    for length in range(1, 6 if K < 4 else 4):
        for word in itertools.product(range(K), repeat=length):
            turns = word * (m // length + 2)
            windows = [turns[i + 1 : i + 1 + m] for i in range(length)]
            losses = [Fraction(doc["instance"]["losses"][w[-1]][w.count(w[-1]) - 1]) for w in windows]
            assert sum(losses) >= bound * length


@pytest.mark.parametrize("limit", [1, 100, 10**4])
def test_work_is_charged_before_it_is_done(limit):
    K, m = 3, 60
    dual = {"method": "separable", "scale": 1, "slopes": [[0] * (m - 1)] * K, "charges": [[0] * m] * K}
    doc = by_name(tallying(*[["1/2"] * m] * K), dual, [0])
    assert check(doc)
    assert check(doc, limit=limit).status == "undecided"


def test_long_numbers_are_charged_by_their_bits():
    dual = {
        "method": "separable",
        "scale": 1,
        "slopes": [[10**4000], [0]],
        "charges": [[0, 10**4000], [0, 0]],
    }
    doc = by_name(tallying(("1/2", "1/2"), ("1/2", "1/2")), dual, [0])
    assert check(doc).status == "refused"
    assert check(doc, limit=1000).status == "undecided"
