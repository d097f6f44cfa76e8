"""The classes of policies of the checker, next to all of their plays, one by one."""

from fractions import Fraction
from itertools import permutations, product
from operator import mul

import pytest

from proofs_check.check.policies import read_class
from tallyplan.check.reading import Meter

SIZES = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)]
CLASSES = [
    {"class": "optimal", "horizon": 0},
    {"class": "optimal", "horizon": 4},
    {"class": "alg-det", "horizon": 8},
    {"class": "cyclic", "horizon": 7, "period": 1},
    {"class": "cyclic", "horizon": 7, "period": 3},
    {"class": "constant", "horizon": 2},
    {"class": "constant", "horizon": 5},
    {"class": "single-run", "horizon": 5},
    {"class": "listed", "horizon": 3, "words": [[0, 0, 0], [0, 0, 0]], "repeated": False},
    {"class": "listed", "horizon": 4, "words": [[0], [0, 0]], "repeated": True},
]


def paid(K, m, actions, start=()):
    """How often each loss h_x(y) is paid, straight from the definition of a tally."""
    played, counts = list(start), [0] * (K * m)
    for action in actions:
        played.append(action)
        counts[action * m + played[-m:].count(action) - 1] += 1
    return counts


def per_period(K, m, word, T):
    return [Fraction(T, len(word)) * count for count in paid(K, m, word, word * m)]


def plays(K, m, entry):
    """The profiles of all plays, straight from the description of the class."""
    name, T = entry["class"], entry["horizon"]
    words = product(range(K), repeat=T)
    if name == "optimal":
        return [paid(K, m, word) for word in words]
    if name == "alg-det":
        explored = [x for x in range(K) for _ in range(m)]
        return [paid(K, m, [*explored, *rest]) for rest in product(range(K), repeat=T - K * m)]
    if name == "constant":
        return [paid(K, m, [x] * T) for x in range(K)]
    if name == "cyclic":
        return [per_period(K, m, word, T) for word in product(range(K), repeat=entry["period"])]
    if name == "single-run":
        runs = [sum(((x,) * r for x, r in enumerate(rs)), ()) for rs in product(range(m + 1), repeat=K)]
        return [per_period(K, m, word, T) for word in runs if word]
    if entry["repeated"]:
        return [per_period(K, m, tuple(word), T) for word in entry["words"]]
    return [paid(K, m, word) for word in entry["words"]]


@pytest.mark.parametrize(("K", "m"), SIZES)
@pytest.mark.parametrize("entry", CLASSES, ids=lambda entry: f"{entry['class']}-{entry['horizon']}")
def test_a_class_is_the_set_of_its_plays(K, m, entry):
    expected = {tuple(profile) for profile in plays(K, m, entry)}
    found = read_class(entry, "class", K, m, Meter(10**8))
    assert {tuple(profile) for profile in found.profiles(Meter(10**8))} == expected
    tables = [[(7 * i * i + 3 * t) % 11 for t in range(5)] for i in range(K * m)]
    rows = list(zip(*tables, strict=True))
    least = [min(sum(map(mul, profile, row)) for profile in expected) for row in rows]
    assert found.least(tables, Meter(10**8)) == least
    if found.symmetric:
        of_actions = [[profile[x * m : x * m + m] for x in range(K)] for profile in expected]
        renamed = {sum(order, ()) for parts in of_actions for order in permutations(parts)}
        assert renamed == expected
