"""Witnesses hold when they are worked out once more, here, from their JSON and with nothing of ours."""

from fractions import Fraction
from itertools import product


def losses_of(h, m, actions):
    """The loss of every step."""
    windows = (actions[max(0, t - m + 1) : t + 1] for t in range(len(actions)))
    return [h[window[-1]][list(window).count(window[-1]) - 1] for window in windows]


def read(witness):
    instance = witness["instance"]
    h = [[Fraction(value) for value in row] for row in instance["losses"]]
    return h, instance["memory"], witness["horizon"]


def best(h, m, T, prefix=()):
    return min(sum(losses_of(h, m, prefix + rest)) for rest in product(range(len(h)), repeat=T - len(prefix)))


def witness_of(results, id):
    return results[id].to_json()["witness"]


def tight_witness_of(results, id):
    return results[id].to_json()["tight"]["witness"]


def traditional_regret(h, m, policy):
    def charged(y):
        return sum(losses_of(h, m, (*policy[:t], y))[-1] for t in range(len(policy)))

    return sum(losses_of(h, m, policy)) - min(charged(y) for y in range(len(h)))


def test_the_traditional_regret_is_one_at_two_steps_and_zero_at_one(results):
    witness = witness_of(results, "counterexample-3/traditional-regret")
    h, m, T = [[0, 1], [0, 1]], 2, witness["T"]
    assert T == 2
    assert traditional_regret(h, m, (witness["x"] - 1,)) == 0
    assert traditional_regret(h, m, (witness["x"] - 1,) * T) == 1


def test_the_repaired_traditional_regret_is_one_less_than_the_horizon():
    h = [[0, 1], [0, 1]]
    assert [traditional_regret(h, 2, (0,) * T) for T in range(1, 9)] == [T - 1 for T in range(1, 9)]


def gap(h, m, T):
    period = round(T**0.5)
    means = (
        sum(losses_of(h, m, word * 4)[-period:]) / Fraction(period)
        for word in product(range(len(h)), repeat=period)
    )
    return T * min(means) - best(h, m, T)


def test_lemma_3_is_attained_from_both_ends(results):
    for id, extreme in (
        ("lemma-3", lambda m, T: (m - 1) * T**0.5),
        ("lemma-3/lower-end", lambda m, T: 1 - m),
    ):
        witness = tight_witness_of(results, id)
        h, m, T = read(witness)
        assert gap(h, m, T) == Fraction(witness["gap"]) == extreme(m, T) != 0
