"""Witnesses hold when they are worked out once more, from their JSON, with flint and nothing of ours."""

from fractions import Fraction
from itertools import product
from math import comb, isqrt

import pytest
from flint import arb, ctx, fmpq


@pytest.fixture(autouse=True)
def precise():
    before, ctx.prec = ctx.prec, 256
    yield
    ctx.prec = before


def ball(value):
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def witness_of(results, id):
    return results[id].to_json()["witness"]


def tight_of(results, id):
    return results[id].to_json()["tight"]["witness"]


def log2(x):
    return x.log() / arb(2).log()


def theorem_1(km, T, delta):
    """The right side as the paper prints it."""
    root = (2 * km * arb(T).log() / ball(delta)).log().sqrt()
    return 1200 * km * arb(T).sqrt() * (root + log2(arb(T).sqrt() / (2 * km)))


def width(km, S, s, delta, constant=32):
    """C_s on the horizon with S epochs."""
    L = 4 * km * (2**S - 1)
    return (arb(constant) * km / (2**s * L) * (2 * km * S / ball(delta)).log()).sqrt()


def test_the_right_side_of_theorem_1_is_negative_first_at_four_steps_and_three_arms(results):
    witness = witness_of(results, "theorem-1")
    km, T, delta = witness["K"] * witness["m"], witness["T"], Fraction(witness["delta"])
    assert (T, km, witness["loss"], witness["OPT"]) == (4, 3, 0, 0)
    assert delta < 1
    assert theorem_1(km, T, delta) < 0
    assert theorem_1(1, 4, 1) > 0
    assert theorem_1(2, 4, 1) > 0


def test_beyond_the_memory_the_right_side_of_theorem_1_can_be_below_the_horizon(results):
    witness = witness_of(results, "theorem-1/large-memory")
    T = witness["T"]
    assert witness["m"] > isqrt(T)
    assert theorem_1(witness["K"] * witness["m"], T, Fraction(witness["delta"])) < T


def test_two_coins_that_never_change_beat_theorem_1(results):
    witness = witness_of(results, "definition-1/independence")
    T, rate, delta = witness["T"], Fraction(witness["rate"]), Fraction(witness["delta"])
    losses = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4))]
    least = Fraction(
        0
    )  # of a player who knows both coins from the start and plays the action that is better then
    for coins in product((0, 1), repeat=2):
        likely = [h[0] ** coins[0] * (1 - h[0]) ** (1 - coins[0]) / 2 for h in losses]
        likely = [
            p * h[1] ** coins[1] * (1 - h[1]) ** (1 - coins[1]) for p, h in zip(likely, losses, strict=True)
        ]
        least += min(sum(p * (h[x] - min(h)) for p, h in zip(likely, losses, strict=True)) for x in (0, 1))
    assert rate == least
    assert ball(rate * T) > theorem_1(2, T, delta) + ball(delta * T)


def test_lemma_6_is_impossible_at_its_first_epoch(results):
    witness = witness_of(results, "lemma-6")
    S, delta, km = witness["S"], Fraction(witness["delta"]), witness["K"] * witness["m"]
    assert witness["T"] == (4 * km * (2**S - 1)) ** 2
    assert 4 * width(km, S, 0, delta) < witness["mean"] - witness["mu"] == 1
    for smaller in range(1, S):
        assert all(4 * width(k, smaller, 0, 1) > 1 for k in range(2, 50))


def test_a_fair_coin_needs_more_than_two_fifths(results):
    witness = tight_of(results, "lemma-7/hoeffding")
    n, x, k = witness["n"], Fraction(witness["allowed failure probability"]), Fraction(witness["constant"])

    def tail(n, k):
        limit = (ball(k) * n * (2 / ball(x)).log()).sqrt()
        return Fraction(sum(comb(n, j) for j in range(n + 1) if abs(ball(j - Fraction(n, 2))) > limit), 2**n)

    assert k < Fraction(1, 2)
    assert tail(n, k) > x
    assert all(tail(smaller, k) <= x for smaller in range(1, n))
    assert all(tail(more, Fraction(1, 2)) <= x for more in range(1, 150))


def test_the_sharpened_bound_is_what_the_lemmas_add_up_to_and_below_the_printed_one():
    for km, m, S, delta in product((2, 6, 12), (1, 2), (1, 2, 5, 14), (Fraction(9, 10), Fraction(1, 10**6))):
        L = 4 * km * (2**S - 1)
        root = (2 * km * S / ball(delta)).log().sqrt()
        sharp = 32 * (2 + arb(2).sqrt()) * km * L * root + 4 * km * L + (S - 1) * km * (m - 1) + (m - 1) * L
        widths = sum((8 * km * 2**s * L * width(km, S, s - 1, delta) for s in range(2, S + 1)), arb(0))
        assert (
            4 * km * L + (S - 1) * km * (m - 1) + widths + (m - 1) * L < sharp < theorem_1(km, L * L, delta)
        )


def test_every_repair_is_shown(results):
    repairs = {id: result.outcome.repair for id, result in results.items() if result.outcome.repair}
    assert {"theorem-1", "lemma-6", "algorithm-1", "definition-1/independence"} <= set(repairs)
    assert all(repair.verdict in ("proved", "argued", "checked") for repair in repairs.values())
