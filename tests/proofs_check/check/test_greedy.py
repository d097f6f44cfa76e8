"""Greedy play where sizes are easily confused: one action, one loss, no steps, K m other than K + m."""

from fractions import Fraction

import pytest
from brute_force import text

from proofs_check.worst_case import Constant, Greedy, Optimal, worst_greedy
from tallyplan.check import check

SIZES = [(1, 1, 2), (1, 3, 4), (2, 1, 3), (2, 2, 0), (2, 3, 5)]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("other", [Constant, Optimal])
def test_the_largest_difference_is_accepted_and_no_other(sizes, other):
    document = worst_greedy(Greedy(*sizes), other(*sizes)).certificate
    verdict = check(document)
    assert verdict, verdict.reason
    claim = document["claim"]
    for change in (Fraction(-1, 7), Fraction(1, 7)):
        false = document | {"claim": claim | {"value": text(Fraction(claim["value"]) + change)}}
        assert check(false).status == "refused"
