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


@pytest.fixture
def witness(results):
    """The facts of a refutation, or of what shows that a constant is the best; the table and the memory."""

    def found(id, of=None):
        document = results[id].to_json()
        facts = (document[of] if of else document)["witness"]
        instance = facts.get("instance", {"losses": [], "memory": None})
        return facts, [[Fraction(value) for value in row] for row in instance["losses"]], instance["memory"]

    return found


def losses_of(h, m, actions):
    """The loss of every step."""
    windows = (actions[max(0, t - m + 1) : t + 1] for t in range(len(actions)))
    return [h[window[-1]][window.count(window[-1]) - 1] for window in windows]


def traditional_regret(h, m, policy):
    def charged(y):
        return sum(losses_of(h, m, (*policy[:t], y))[-1] for t in range(len(policy)))

    return sum(losses_of(h, m, policy)) - min(charged(y) for y in range(len(h)))


def test_the_traditional_regret_is_one_less_than_the_horizon_so_one_at_two_steps(witness):
    facts, *_ = witness("counterexample-3/traditional-regret")
    x, h = facts["x"] - 1, [[0, 1], [0, 1]]
    assert facts["T"] == 2
    assert [traditional_regret(h, 2, (x,) * T) for T in range(1, 9)] == [T - 1 for T in range(1, 9)]


@pytest.mark.parametrize(
    ("id", "extreme"), [("lemma-3", lambda m, L: (m - 1) * L), ("lemma-3/lower-end", lambda m, L: 1 - m)]
)
def test_lemma_3_is_attained_from_both_ends(witness, id, extreme):
    facts, h, m = witness(id, "tight")
    T, period = facts["horizon"], isqrt(facts["horizon"])
    words = product(range(len(h)), repeat=period)
    least = min(sum(losses_of(h, m, word * 4)[-period:]) for word in words)
    optimum = min(sum(losses_of(h, m, plan)) for plan in product(range(len(h)), repeat=T))
    gap = T * least / Fraction(period) - optimum
    assert gap == Fraction(facts["gap"]) == extreme(m, period) != 0


def steady_tallies(word, m):
    actions = word * 3
    steps = range(2 * len(word), 3 * len(word))
    return [actions[max(0, t - m + 1) : t + 1].count(actions[t]) for t in steps]


def test_memory_three_believes_in_a_policy_that_always_loses(witness):
    facts, *_ = witness("discussion-unknown-memory")
    h, m = [[Fraction(value) for value in (1, 1, 0, 1)]] * 2, facts["m"]
    wrong, L = facts["m'"], facts["period"]
    words = list(product((0, 1), repeat=L))
    mine = {word: list(zip(word, steady_tallies(word, wrong), strict=True)) for word in words}
    true = {word: [h[a][y - 1] for a, y in zip(word, steady_tallies(word, m), strict=True)] for word in words}
    estimate = {}
    for cell in product((0, 1), range(1, wrong + 1)):
        met = {word: mine[word].count(cell) for word in words}
        most = [word for word in words if met[word] == max(met.values())]
        seen = {
            word: sum(loss for one, loss in zip(mine[word], true[word], strict=True) if one == cell)
            for word in most
        }
        [estimate[cell]] = {Fraction(seen[word], met[word]) for word in most}  # whichever of them is chosen
    believed = min(sum(map(estimate.get, mine[word])) for word in words) / Fraction(L)
    assert believed == Fraction(facts["other"]) == 0
    assert min(map(sum, true.values())) / Fraction(L) == Fraction(facts["own"])
    assert sum(true[(0, 1) * (L // 2)]) / Fraction(L) == Fraction(facts["its true loss"]) == 1


@pytest.mark.parametrize(
    ("id", "expected"),
    [
        ("proposition-1-lower", {"K": 128, "m": 1000, "T": 1000}),
        ("counterexample-2", {"m": 2, "T": 1, "regret": "0/1"}),
        ("definition-1/rested", {"m": 2}),
    ],
)
def test_small_parameters_do_not_refute_what_is_said_of_large_ones(witness, id, expected):
    assert expected.items() <= witness(id)[0].items()


def ball(value):
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def theorem_1(km, T, delta):
    """The right side as the paper prints it."""
    root = (2 * km * arb(T).log() / ball(delta)).log().sqrt()
    return 1200 * km * arb(T).sqrt() * (root + (arb(T).sqrt() / (2 * km)).log() / arb(2).log())


def width(km, S, s, delta):
    """C_s on the horizon with S epochs."""
    L = 4 * km * (2**S - 1)
    return (arb(32) * km / (2**s * L) * (2 * km * S / ball(delta)).log()).sqrt()


def test_the_right_side_of_theorem_1_is_negative_first_at_four_steps_and_three_arms(witness):
    facts, *_ = witness("theorem-1")
    km, T, delta = facts["K"] * facts["m"], facts["T"], Fraction(facts["delta"])
    assert (T, km, delta < 1) == (4, 3, True)
    assert theorem_1(km, T, delta) < facts["loss"] - facts["OPT"] == 0
    assert theorem_1(1, 4, 1) > 0
    assert theorem_1(2, 4, 1) > 0


def test_beyond_the_memory_the_right_side_of_theorem_1_can_be_below_the_horizon(witness):
    facts, *_ = witness("theorem-1/large-memory")
    T = facts["T"]
    assert facts["m"] > isqrt(T)
    assert theorem_1(facts["K"] * facts["m"], T, Fraction(facts["delta"])) < T


def test_two_coins_that_never_change_beat_theorem_1(witness):
    facts, *_ = witness("definition-1/independence")
    T, rate, delta = facts["T"], Fraction(facts["rate"]), Fraction(facts["delta"])
    losses = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(3, 4), Fraction(1, 4))]
    least = Fraction(0)  # of one who knows both coins from the start and plays the action that is better then
    for coins in product((0, 1), repeat=2):
        chances = [[p if coin else 1 - p for p, coin in zip(h, coins, strict=True)] for h in losses]
        likely = [one * other / 2 for one, other in chances]
        least += min(sum(p * (h[x] - min(h)) for p, h in zip(likely, losses, strict=True)) for x in (0, 1))
    assert rate == least
    assert ball(rate * T) > theorem_1(2, T, delta) + ball(delta * T)


def test_lemma_6_is_impossible_at_its_first_epoch(witness):
    facts, *_ = witness("lemma-6")
    S, delta, km = facts["S"], Fraction(facts["delta"]), facts["K"] * facts["m"]
    assert facts["T"] == (4 * km * (2**S - 1)) ** 2
    assert 4 * width(km, S, 0, delta) < facts["mean"] - facts["mu"] == 1
    assert all(4 * width(k, smaller, 0, 1) > 1 for smaller in range(1, S) for k in range(2, 50))


def test_a_fair_coin_needs_more_than_two_fifths(witness):
    facts, *_ = witness("lemma-7/hoeffding", "tight")
    n, x, k = facts["n"], Fraction(facts["allowed failure probability"]), Fraction(facts["constant"])

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
        rest = 4 * km * L + (S - 1) * km * (m - 1) + (m - 1) * L
        widths = sum((8 * km * 2**s * L * width(km, S, s - 1, delta) for s in range(2, S + 1)), arb(0))
        sharp = 32 * (2 + arb(2).sqrt()) * km * L * root + rest
        assert widths + rest < sharp < theorem_1(km, L * L, delta)
