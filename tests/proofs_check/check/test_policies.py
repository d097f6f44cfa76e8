"""The classes of policies of the checker, next to all of their plays, one by one."""

from itertools import permutations
from operator import mul

import pytest
from all_plays import profiles

from proofs_check.check.policies import read_class
from tallyplan.check.reading import Meter, Refused

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


@pytest.mark.parametrize(("K", "m"), SIZES)
@pytest.mark.parametrize("entry", CLASSES, ids=lambda entry: f"{entry['class']}-{entry['horizon']}")
def test_a_class_is_the_set_of_its_plays(K, m, entry):
    plays = profiles(K, m, entry)
    found = read_class(entry, "class", K, m, Meter(10**8))
    for word, profile in plays.items():
        assert tuple(found.profile(list(word), "play")) == profile
    with pytest.raises(Refused, match="The play"):
        found.profile([0] * 99, "play")
    expected = set(plays.values())
    tables = [[(7 * i * i + 3 * t) % 11 for t in range(5)] for i in range(K * m)]
    rows = list(zip(*tables, strict=True))
    least = [min(sum(map(mul, profile, row)) for profile in expected) for row in rows]
    assert found.least(tables, Meter(10**8)) == least
    if found.symmetric:
        of_actions = [[profile[x * m : x * m + m] for x in range(K)] for profile in expected]
        assert {sum(order, ()) for parts in of_actions for order in permutations(parts)} == expected
