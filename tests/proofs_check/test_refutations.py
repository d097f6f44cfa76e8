"""Refutations of lower bounds, algorithms and remarks, worked out again from their JSON, with own code."""

from fractions import Fraction
from itertools import product

from tests.proofs_check.test_witnesses import losses_of, witness_of


def best(h, m, T):
    return min(sum(losses_of(h, m, actions)) for actions in product(range(len(h)), repeat=T))


def steady_tallies(word, m):
    actions = word * 3
    steps = range(2 * len(word), 3 * len(word))
    return [actions[max(0, t - m + 1) : t + 1].count(actions[t]) for t in steps]


def test_memory_three_believes_in_a_policy_that_always_loses(results):
    witness = witness_of(results, "discussion-unknown-memory")
    h, m = [[Fraction(value) for value in (1, 1, 0, 1)]] * 2, witness["m"]
    wrong, L = witness["m'"], witness["period"]
    words = list(product((0, 1), repeat=L))
    mine = {word: steady_tallies(word, wrong) for word in words}
    true = {word: [h[a][y - 1] for a, y in zip(word, steady_tallies(word, m), strict=True)] for word in words}
    estimate = {}
    for cell in product((0, 1), range(1, wrong + 1)):
        met = {word: list(zip(word, mine[word], strict=True)).count(cell) for word in words}
        most = [word for word in words if met[word] == max(met.values())]
        means = {
            Fraction(
                sum(loss for a, y, loss in zip(word, mine[word], true[word], strict=True) if (a, y) == cell),
                met[word],
            )
            for word in most
        }
        [estimate[cell]] = means  # whichever of them is chosen
    believed = min(
        sum(estimate[a, y] for a, y in zip(word, mine[word], strict=True)) / Fraction(L) for word in words
    )
    assert believed == Fraction(witness["believed loss"]) == 0
    assert min(sum(losses) for losses in true.values()) / Fraction(L) == Fraction(witness["least true loss"])
    alternating = (0, 1) * (L // 2)
    assert sum(true[alternating]) / Fraction(L) == Fraction(witness["its true loss"]) == 1
