"""The two-arm theorem: the recorded facets, and what would refute it."""

import pytest

import proofs_check
from proofs_check.ours import hull
from proofs_check.outcome import Verdict

FACETS = [2, 3, 6, 9, 12, 15, 18, 26, 31, 36, 41, 56, 96, 181, 236, 389, 1158]  # m = 1, 2, ...


@pytest.mark.parametrize("memory", range(1, 15))
def test_the_hull_has_the_known_facets(memory):
    found = hull.hull_of(memory)
    assert len(found.facets) == FACETS[memory - 1]
    assert len(found.equations) == (memory > 1)
    for row in (*found.facets, *found.equations):
        products = [
            sum(c * n for c, n in zip(row, hull.counts(word, memory), strict=True))
            for word in hull.two_run_words(memory)
        ]
        assert min(products) == 0


def test_an_inequality_that_a_word_violates_is_not_valid():
    """D_5 + 4 b_4 >= 0 holds for m <= 7 in this form; at m = 8 the word 000111 violates it."""
    memory, k = 8, 4
    a = [-(memory - s) if s > k else 0 for s in range(1, memory + 1)]
    b = [s if s > k else 0 for s in range(memory)]
    b[k] += k
    row = (*a, *b)
    counted = hull.counts((0, 0, 0, 1, 1, 1), memory)
    assert sum(c * n for c, n in zip(row, counted, strict=True)) == -2
    assert not hull.is_valid(row, memory)


@pytest.mark.thorough
def test_the_theorem_up_to_seventeen():
    [result] = proofs_check.verify(["two-arm-theorem"], thorough=True)
    assert result.outcome.verdict is Verdict.ARGUED
    told = [str(one) for one in result.outcome.evidence.steps]
    assert all(any(one.startswith(f"m = {m}: none of the") for one in told) for m in range(1, 18))
    assert result.outcome.evidence.cases == sum(FACETS) + 2 * 16
