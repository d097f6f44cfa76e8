"""Each rule next to a plain evaluation of what docs/certificates.md says."""

import itertools
import json
from fractions import Fraction

import pytest
from brute_force import (
    GENERAL,
    VECTORS,
    best_plan,
    cyclic,
    document,
    long_weighted,
    tallying,
    text,
    total,
    weighted,
    windowed,
)
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tallyplan.check import arms, check
from tallyplan.check.close import least_total
from tallyplan.check.potential import Sum
from tallyplan.check.problem import Goal, openings, read_instance
from tallyplan.check.reading import Meter, Refused
from tallyplan.check.recursion import swept
from tallyplan.check.replay import attain

sixths = st.integers(0, 6).map(lambda x: Fraction(x, 6))
small = st.integers(-6, 6).map(lambda x: Fraction(x, 12))
KINDS = [GENERAL, weighted(), long_weighted(), windowed()]
SIZES = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2), (3, 3), (4, 2)]


def problem(instance):
    return (arms.read if "arms" in instance else read_instance)(instance, Meter(10**9))


def proved(goal, proof):
    try:
        goal.prove(proof, Meter(10**9))
    except Refused:
        return False
    return True


@st.composite
def tables(draw, sizes=SIZES):
    K, m = draw(st.sampled_from(sizes))
    return tallying(*draw(st.lists(st.lists(sixths, min_size=m, max_size=m), min_size=K, max_size=K)))


@st.composite
def sums(draw, sizes=SIZES):
    """An instance with slopes and charges."""
    instance = draw(tables(sizes))
    K, m = len(instance["losses"]), instance["memory"]
    slopes = draw(st.lists(st.lists(small, min_size=m - 1, max_size=m - 1), min_size=K, max_size=K))
    charges = draw(st.lists(st.lists(small, min_size=m, max_size=m), min_size=K, max_size=K))
    return instance, slopes, charges


def written(slopes, charges):
    rows = {"slopes": slopes, "charges": charges}
    return {"rule": "potential"} | {name: [list(map(text, row)) for row in rows[name]] for name in rows}


def sides(instance, slopes, charges):
    """The left sides of 1 and 2 plus v, for all vectors of tallies."""
    h = [list(map(Fraction, row)) for row in instance["losses"]]
    K, m = len(h), instance["memory"]
    t = [[Fraction(0), *row, Fraction(0)] for row in slopes]
    for s in itertools.product(range(m + 1), repeat=K):
        if sum(s) == m:
            S = sum(y * t[x][y] for x, y in enumerate(s))
            for a in (x for x in range(K) if s[x]):
                loop = h[a][s[a] - 1] - m * t[a][s[a]] + S
                yield loop
                jump = abs(t[a][s[a]] - t[a][s[a] - 1]) * (s[a] - 1) * (m - s[a])
                for d in set(range(K)) - {a}:
                    yield loop - jump + charges[a][s[a] - 1] - charges[d][s[d]]


@settings(max_examples=300, deadline=None)
@given(sums())
def test_a_sum_proves_the_least_of_its_sides_and_not_a_hair_more(drawn):
    instance, least = drawn[0], min(sides(*drawn))
    goal = problem(instance)
    assert proved(Goal(goal, least), written(*drawn[1:]))
    assert not proved(Goal(goal, least + Fraction(1, 10**9)), written(*drawn[1:]))


@settings(max_examples=200, deadline=None)
@given(sums([(1, 2), (2, 2), (2, 3), (3, 2), (3, 3)]), st.data())
def test_close_is_below_the_optimum_and_the_best_of_its_three_bounds(drawn, data):
    instance, mean = drawn[0], min(sides(*drawn))
    K, m = len(instance["losses"]), instance["memory"]
    start = data.draw(st.lists(st.integers(0, K - 1), max_size=m - 1).map(tuple))
    d = m - len(start)
    T = d + data.draw(st.integers(1, 8))
    goal = Goal(problem(instance), Fraction(0), horizon=T, start=start)
    bound = least_total(goal, mean, written(*drawn[1:]), Meter(10**9))
    assert bound <= best_plan(instance, T, start)[0]
    without = bound_without_potential(instance, T, start, mean)
    assert bound == max(without, by_the_range(drawn, T, start, mean))
    potential = Sum(goal, written(*drawn[1:]), Meter(10**9))
    costs = openings(goal.problem, start, d, Meter(10**9))
    scaled = [[cost * (potential.unit // goal.problem.D) for cost in row] for row in costs]
    assert (T - d) * mean + potential.ends(start, scaled, Meter(10**9)) == by_the_range(drawn, T, start, mean)


def by_the_range(drawn, T, start, mean):
    """The third bound of the rule `close`, over all tallies and all counts of the opening."""
    instance, slopes, charges = drawn
    m, d, lows, opens = instance["memory"], instance["memory"] - len(start), [], []
    for x, losses in enumerate(instance["losses"]):
        h, t = list(map(Fraction, losses)), [*slopes[x][:1], *slopes[x], *slopes[x][-1:]] or [Fraction(0)] * 2
        g = [Fraction(0)] * 2
        for k in range(1, m):
            E = t[k + 1] - t[k]
            g.append(g[k] - min(E * k * (k + 1) / 2, E * k * (2 * m - 1 - k) / 2))
        G = [g[k] - sum(charges[x][:k]) for k in range(m + 1)]
        least = [Fraction(s * (s - 1), 2) for s in range(m + 1)]
        lows.append([G[s] + min(t[s] * p, t[s] * (p + s * (m - s))) for s, p in enumerate(least)])
        held, at = start.count(x), sum(i for i, a in enumerate(start) if a == x)
        row = []
        for c in range(d + 1):
            P, s = at + c * len(start) + least[c], held + c
            row.append(sum(h[held:s]) - G[s] - max(t[s] * P, t[s] * (P + c * (d - c))))
        opens.append(row)
    return (T - d) * mean + least_sum_of(lows, m) + least_sum_of(opens, d)


def least_sum_of(rows, total):
    counts = itertools.product(range(total + 1), repeat=len(rows))
    return min(sum(row[c] for row, c in zip(rows, cs, strict=True)) for cs in counts if sum(cs) == total)


def bound_without_potential(instance, T, start, mean):
    losses = [Fraction(x) for row in instance["losses"] for x in row]
    d = instance["memory"] - len(start)
    opening = best_plan(instance, d, start)[0]
    return opening + max(
        (T - d) * min(losses), (T - d) * mean - (instance["memory"] - 1) * (max(losses) - mean)
    )


@settings(max_examples=200, deadline=None)
@given(tables(), st.data())
def test_counts_give_the_optimum_of_every_short_game(instance, data):
    K, m = len(instance["losses"]), instance["memory"]
    start = data.draw(st.lists(st.integers(0, K - 1), max_size=m - 1).map(tuple))
    T = data.draw(st.integers(0, 2 * m - len(start)))
    value = best_plan(instance, T, start)[0]
    goal = Goal(problem(instance), value, horizon=T, start=start)
    for proof in ({"over": "counts"}, {"over": "histories", "jumps": []}):
        assert proved(goal, {"rule": "recursion"} | proof)
        above = Goal(goal.problem, value + Fraction(1, 60), horizon=T, start=start)
        assert not proved(above, {"rule": "recursion"} | proof)


@settings(max_examples=200, deadline=None)
@given(
    st.integers(1, 3),
    st.integers(0, 3),
    st.integers(0, 4),
    st.sampled_from([0, 1, 2**30, 2**31 - 1, 2**31, 2**62, 2**63 - 1, 2**63, 2**80]),
    st.data(),
)
@example(1, 0, 3, 2**31, None)
def test_packed_sweeps_are_sweeps(K, power, count, D, data):
    n = K**power
    numbers = st.lists(st.integers(0, D), min_size=n, max_size=n)
    costs = [data.draw(numbers) if data else [D] * n for _ in range(K)]
    layer = [x - 7 for x in (data.draw(numbers) if data else [D] * n)]
    expected = layer
    for _ in range(count):
        expected = [min(costs[a][s] + expected[(s * K + a) % n] for a in range(K)) for s in range(n)]
    assert swept(costs, D, Meter(10**9), layer, count) == expected


@pytest.mark.parametrize("D", [2**31 - 1, 2**31, 2**63 - 1, 2**63])
def test_a_number_that_needs_the_free_bit_is_not_packed(D):
    assert swept([[D], [0]], D, Meter(10**9), [0], 1) == [0]
    assert swept([[0], [D]], D, Meter(10**9), [-3], 1) == [-3]
    assert swept([[D // 2], [D // 2 - 1]], D // 2, Meter(10**9), [0], 3) == [3 * (D // 2 - 1)]
    assert swept([[0, 0], [0, 0]], 0, Meter(10**9), [D, 0], 1) == [0, 0]
    assert swept([[0, 0], [0, 0]], 0, Meter(10**9), [-D, D], 1) == [-D, -D]


@pytest.mark.parametrize(
    ("jumps", "fine"),
    [
        ([[0, 1, 400], [600, 7, 100]], True),
        ([[0, 1, 400], [401, 1, 50]], True),
        ([[0, 1, 400], [400, 1, 50]], False),
        ([[3, 5, 90], [458, 5, 20]], True),
        ([[3, 5, 90], [457, 5, 20]], False),
        ([[0, 1, 1999]], False),
        ([[0, 1, 1998]], True),
    ],
)
def test_jumps_follow_each_other_and_prove_no_hair_more(jumps, fine):
    found = json.loads((VECTORS / "accepted" / "horizon-two-jumps.json").read_text())
    instance = {**found["instance"], "losses": [["1/2", "1/2"]] * 2} if jumps[0][1:] != [1, 400] else None
    goal = problem(instance or found["instance"])
    value = best_plan(instance or found["instance"], 2000, ())[0]
    proof = {"rule": "recursion", "over": "histories", "jumps": jumps}
    assert proved(Goal(goal, value, horizon=2000), proof) == fine
    assert not proved(Goal(goal, value + Fraction(1, goal.D), horizon=2000), proof)


@st.composite
def automata(draw):
    """Two arms, which may always be played and rest."""
    found = []
    for n in draw(st.tuples(st.integers(1, 4), st.integers(1, 3))):
        states = st.lists(st.integers(0, n - 1), min_size=n, max_size=n)
        losses = draw(st.lists(sixths.map(text), min_size=n, max_size=n))
        found.append({"start": 0, "played": draw(states), "rested": draw(states), "losses": losses})
    return {"arms": found}


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(KINDS) | automata(),
    st.lists(st.integers(0, 1), max_size=4),
    st.lists(st.tuples(st.lists(st.integers(0, 1), min_size=1, max_size=5), st.integers(1, 9)), max_size=4),
)
def test_counting_repeats_once_gives_the_total_of_playing_them_all(instance, start, runs):
    played = [a for word, repeats in runs for a in word * repeats]
    last = tuple(start)[max(0, len(start) - instance.get("memory", 9) + 1) :]
    goal = Goal(problem(instance), Fraction(0), horizon=len(played), start=last)
    value = total(instance, start, played)
    proof = {"rule": "replay", "runs": [list(run) for run in runs]}
    attain(goal, value, proof, Meter(10**9))
    with pytest.raises(Refused):
        attain(goal, value + Fraction(1, 10**9), proof, Meter(10**9))


@settings(max_examples=150, deadline=None)
@given(tables([(2, 1), (2, 2), (3, 2), (2, 3)]), st.integers(1, 7))
def test_cases_prove_the_best_word_and_not_a_hair_more(instance, L):
    found = cyclic(instance, L)
    assert check(found)
    above = Fraction(found["claim"]["value"]) + Fraction(1, 10**9)
    claim = found["claim"] | {"value": text(above)}
    assert not check(document(instance, claim, found["primal"], found["dual"]))
    claim = found["claim"] | {"lower": text(above)}
    assert not check(document(instance, claim, found["primal"], found["dual"]))
