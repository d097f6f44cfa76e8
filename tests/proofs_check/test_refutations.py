"""Refutations of lower bounds, algorithms and remarks, worked out again from their JSON, with own code."""

from fractions import Fraction
from itertools import product
from math import log, sqrt

from tests.proofs_check.test_witnesses import losses_of, read, witness_of


def best(h, m, T):
    return min(sum(losses_of(h, m, actions)) for actions in product(range(len(h)), repeat=T))


def test_who_knows_the_problem_has_no_regret(results):
    witness = witness_of(results, "proposition-1-lower/quantifiers")
    h, m, T = read(witness)
    regret = sum(losses_of(h, m, tuple(witness["algorithm plays"]))) - best(h, m, T)
    assert (
        regret == Fraction(witness["regret"]) == 0 < Fraction(witness["stated"]) == Fraction(m * len(h), 128)
    )


def test_the_needle_is_found_after_half_of_the_exploration_on_average(results):
    tight = results["proposition-1-lower/queries"].to_json()["tight"]
    _, m, _ = read(tight["witness"])
    assert Fraction(tight["witness"]["queries"]) == sum(j * m for j in (1, 2)) / Fraction(2)
    tight = results["proposition-1-lower"].to_json()["tight"]["witness"]
    h, m, T = read(tight)
    K = len(h)
    lost = [sum(losses_of([h[x], h[1 - x]], m, (0, 0) if h[x] == [0] else (0, 1))) for x in range(K)]
    assert (K, m, T) == (2, 1, 2)
    regret = Fraction(sum(lost), K) - best(h, m, T)  # stay if the first play loses 0, else change
    assert Fraction(tight["Bayes regret"]) == regret == Fraction(m * (K - 1), 2)


def test_the_set_of_heights_has_one_element_more(results):
    witness = witness_of(results, "theorem-2/set-size")
    m = witness["m"]
    heights = [y for y in range(1, m + 1) if 24 * y >= 23 * m]
    assert m == 24
    assert len(heights) == witness["elements"] == m // 24 + 1 != m // 24
    arms = witness_of(results, "theorem-2/number-of-arms")
    assert arms["arms"] == arms["K"] * (arms["m"] // 24 + 1)


def test_the_printed_transition_has_too_many_entries(results):
    witness = witness_of(results, "lemma-1/transition")
    s, m = witness["s"], witness["m"]
    assert witness["T_M(s, i)"] == [s[1], *s[1 : m - 1], s[m - 1], witness["i"]]
    assert len(witness["T_M(s, i)"]) == m + 1


def test_nothing_leads_back_to_a_state_with_a_zero(results):
    witness = witness_of(results, "theorem-2/transition-time")
    assert 0 in witness["to"]
    state = witness["from"]
    for _ in range(5):  # with one action there is one way to go on
        state = [*state[1:], 1]
        assert state != witness["to"]
    assert witness["K"] == 1


def test_nobody_can_open_the_lock_in_fewer_than_m_steps(results):
    witness = witness_of(results, "counterexample-2")
    assert witness["least regret"] == 0
    bounds = [Fraction(bound) for bound in witness["bound at m = 2, 3, ..."]]
    assert bounds == [Fraction(min(2**m, m - 1), m) for m in range(2, 2 + len(bounds))]
    index = witness_of(results, "counterexample-2/index")
    assert index["t"] - index["m"] + 1 == Fraction(index["first index"]) < 1


def steady_tallies(word, m):
    actions = word * 3
    steps = range(2 * len(word), 3 * len(word))
    return [actions[max(0, t - m + 1) : t + 1].count(actions[t]) for t in steps]


def test_memory_three_believes_in_a_policy_that_always_loses(results):
    witness = witness_of(results, "discussion-unknown-memory")
    h, m = [[Fraction(value) for value in row] for row in witness["instance"]["losses"]], 4
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


def test_the_kept_policies_are_far_worse_than_stated(results):
    witness = witness_of(results, "discussion-unknown-memory/set-accuracy")
    L, S = witness["sqrt(T)"], witness["S = s"]
    gap, delta = float(witness["kept gap"]), Fraction(witness["delta"])
    assert L == 8 * (2**S - 1)
    width = sqrt(32 * 2 / (2 ** (S - 1) * L) * log(4 * S / delta))
    assert 0 < (2 * width - gap) * L < 1  # one play more would be too many
    assert gap > witness["c"] * log(L * L) ** witness["p"] / (2**S * L**0.5)
