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


def losses_of(h, m, actions):
    windows = (actions[max(0, t - m + 1) : t + 1] for t in range(len(actions)))
    return [h[window[-1]][window.count(window[-1]) - 1] for window in windows]


def read(witness):
    instance = witness["instance"]
    return [[Fraction(value) for value in row] for row in instance["losses"]], instance["memory"]


def cells(actions, m, steps):
    return sorted((actions[t], actions[max(0, t - m + 1) : t + 1].count(actions[t])) for t in steps)


def test_the_right_side_of_theorem_1_is_negative_first_at_four_steps_and_three_arms(results):
    witness = witness_of(results, "theorem-1")
    h, m = read(witness)
    km, T, delta = len(h) * m, witness["horizon"], Fraction(witness["delta"])
    assert (T, km) == (4, 3)
    assert delta < 1
    assert theorem_1(km, T, delta) < 0
    assert abs(theorem_1(km, T, delta) - ball(witness["right side"])) < 1e-3
    edge = Fraction(witness["negative for delta above"])
    assert theorem_1(km, T, edge + Fraction(1, 10**5)) < 0 < theorem_1(km, T, edge - Fraction(1, 10**5))
    assert theorem_1(1, 4, 1) > 0
    assert theorem_1(2, 4, 1) > 0


def test_beyond_the_memory_the_right_side_of_theorem_1_can_be_below_the_horizon(results):
    witness = witness_of(results, "theorem-1/large-memory")
    assert witness["m"] > isqrt(witness["horizon"])
    assert (
        theorem_1(witness["K"] * witness["m"], witness["horizon"], Fraction(witness["delta"]))
        < witness["horizon"]
    )


def test_the_right_side_of_theorem_1_is_below_the_horizon_from_thirteen_epochs_on(results):
    witness = tight_of(results, "theorem-1/vacuous")
    S, km = witness["S"], witness["K"] * witness["m"]
    assert witness["horizon"] == (4 * km * (2**S - 1)) ** 2
    assert theorem_1(km, witness["horizon"], Fraction(witness["delta"])) < witness["horizon"]
    for smaller in range(1, S):
        for k in (1, 2, 7, 1000):
            assert theorem_1(k, (4 * k * (2**smaller - 1)) ** 2, 1) > (4 * k * (2**smaller - 1)) ** 2


def test_two_coins_that_never_change_beat_theorem_1(results):
    witness = witness_of(results, "definition-1/independence")
    h, m = read(witness)
    (h1,), (h2,) = h
    S, delta = witness["S"], Fraction(witness["delta"])
    L = 8 * (2**S - 1)
    assert (m, witness["horizon"]) == (1, L * L)
    assert (1 - h1) * h2 == Fraction(witness["probability of the event"]) > delta
    survivors, first_arm, played = L, 0, 0  # words with at most this many plays of arm 2
    for s in range(1, S + 1):
        first_arm += 2 * 2**s * L + 2 * 2**s * (L - survivors)
        played += 2 * (2 * 2**s) * L
        survivors = min(survivors, int((2 * width(2, S, s, delta) * L).floor().unique_fmpz()))
    assert played == L * L
    assert (h1 - h2) * first_arm == Fraction(witness["regret"])
    assert ball(witness["regret"]) > theorem_1(2, L * L, delta)


def test_one_step_less_of_burn_in_gives_wrong_counts(results):
    witness = tight_of(results, "algorithm-1/burn-in")
    h, m = read(witness)
    [cell] = [(x, y) for x, row in enumerate(h) for y, loss in enumerate(row, start=1) if loss]
    word, past, b = tuple(witness["word"]), tuple(witness["past"]), witness["burn-in"]
    actions, L = past + word * 4, len(word)
    early = range(len(past) + b, len(past) + b + L)
    late = range(len(past) + b + 2 * L, len(past) + b + 3 * L)
    assert b == m - 2
    assert cells(actions, m, early).count(cell) == witness["count"]
    assert cells(actions, m, late).count(cell) == witness["N_xy sqrt(T)"] != witness["count"]


def test_the_first_line_of_lemma_4_fails_where_the_epochs_do_not_fill_the_horizon(results):
    witness = witness_of(results, "lemma-4/first-line")
    h, m = read(witness)
    km, L = len(h) * m, isqrt(witness["horizon"])
    played = sum(2 * 2**s * km * L for s in range(1, witness["epochs run"] + 1))
    assert 4 * km <= L
    assert played - L * L == Fraction(witness["left"]) != Fraction(witness["right"]) == 0


def test_lemma_6_is_impossible_at_its_first_epoch(results):
    witness = witness_of(results, "lemma-6")
    h, m = read(witness)
    S, delta = witness["S"], Fraction(witness["delta"])
    km, gap = len(h) * m, max(max(row) for row in h) - min(min(row) for row in h)
    assert witness["horizon"] == (4 * km * (2**S - 1)) ** 2
    assert 4 * width(km, S, 0, delta) < ball(gap)
    for smaller in range(1, S):
        assert all(4 * width(k, smaller, 0, 1) > 1 for k in range(2, 50))


@pytest.mark.parametrize(("id", "excess", "gap"), [("lemma-6/chain", None, 4), ("lemma-8", 2, None)])
def test_the_adversary_attains_the_factors_of_lemmas_6_and_8(results, id, excess, gap):
    witness = tight_of(results, id)
    h, m = read(witness)
    C = Fraction(witness["C"])
    words = [tuple(word) for word in witness["A_s"]]
    errors = [Fraction(error) for error in witness["errors"]]
    L = len(words[0])
    mu = {word: sum(losses_of(h, m, word * 3)[2 * L :]) / L for word in product(range(len(h)), repeat=L)}
    best = min(mu.values())
    estimates = [mu[word] + error for word, error in zip(words, errors, strict=True)]
    kept = [word for word, e in zip(words, estimates, strict=True) if e <= min(estimates) + 2 * C]
    assert all(abs(error) <= C for error in errors)
    assert all(word in kept for word in words if mu[word] == best)
    if gap:
        assert max(mu[word] for word in kept) - best == gap * C
    if excess:
        optimal = max(e for word, e in zip(words, estimates, strict=True) if mu[word] == best)
        assert optimal - min(estimates) == excess * C


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


def test_the_traditional_regret_can_be_zero_where_the_policy_regret_is_not(results):
    witness = witness_of(results, "introduction/experts-regret")
    h, m = read(witness)
    T, policy = witness["horizon"], tuple(witness["policy"])
    loss = sum(losses_of(h, m, policy))
    every = list(product(range(len(h)), repeat=T))
    deviations = [sum(losses_of(h, m, (*policy[:t], y))[-1] for t, y in enumerate(other)) for other in every]
    assert loss - min(deviations) == Fraction(witness["traditional regret"]) == 0
    assert (
        loss - min(sum(losses_of(h, m, other)) for other in every) == Fraction(witness["policy regret"]) > 0
    )


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
