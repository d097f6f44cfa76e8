"""Short documents that ask for endless work or memory: each ends within a few seconds and little memory."""

from fractions import Fraction
from itertools import combinations

import pytest
from bombs import MERSENNE, THOROUGH, USUAL, flat, primes, verdict_of
from brute_force import document, text

ZERO = {"rule": "potential"}
COUNTS = {"rule": "recursion", "over": "counts"}
HISTORIES = {"rule": "recursion", "over": "histories", "jumps": []}
CLOSE = {"rule": "close", "mean": "0/1", "proof": ZERO}


def horizon(instance, T, dual, start=(), runs=None):
    """All losses are 1."""
    claim = {"question": "horizon", "horizon": T, "start": list(start), "value": f"{T}/1"}
    return document(instance, claim, {"rule": "replay", "runs": runs or [[[0], T]]}, dual)


def mean(instance, dual, value="1/1", **more):
    claim = {"question": "mean-cycle", "value": value, **more}
    return document(instance, claim, {"rule": "replay", "word": [0]}, dual)


def cases(m, L, roots):
    n = 2 ** (m - 1) if m > 1 else 1
    vector = {"scale": 1, "values": [0] * n}
    stage = {"mean": "0/1", **vector, "roots": [{"root": root} for root in roots]}
    dual = {"rule": "cases", "stages": [stage], "proof": {"rule": "potential", **vector}}
    claim = {"question": "cyclic", "period": L, "value": "1/1"}
    return document(flat(min(m, 2), m), claim, {"rule": "replay", "word": [0] * L}, dual)


def slopes(K, m, dens, lower="1/2"):
    """A sum over the actions whose numbers have these denominators, over and over."""
    rows = [[text(Fraction(1, dens[(x * m + y) % len(dens)])) for y in range(m)] for x in range(K)]
    dual = {"rule": "potential", "slopes": [row[1:] for row in rows], "charges": rows}
    return mean(flat(K, m), dual, lower=lower)


def graph(weights, cycle, values, nodes=1, scale=1, value="0/1"):
    """All edges are loops of node 0."""
    ends = [0] * len(weights)
    body = {"nodes": nodes, "tails": ends, "heads": ends, "weights": weights}
    dual = {"rule": "potential", "scale": scale, "values": values}
    claim = {"question": "mean-cycle", "value": value}
    return document(body, claim, {"rule": "replay", "cycle": cycle}, dual, "graph")


def coprime(digits, how_many):
    return [text(Fraction(1, p)) for p in primes(digits, how_many)]


def weighted(weights, tallies, K=1):
    table = {f"{tally}/1": "1/1" for tally in tallies}
    listed = [f"{weight}/1" for weight in weights]
    return {"memory": len(weights), "weights": listed, "losses": [table] * K}


def tallies_of_many_digits():
    weights = [10**2000 + 3**i for i in range(4)] + [0] * 9
    sums = {weights[0] + sum(some) for r in range(4) for some in combinations(weights[1:4], r)}
    return horizon(weighted(weights, sums, 3), 40, HISTORIES)


def losses_that_collide():
    losses = [text(Fraction(i * MERSENNE, 20_000 * MERSENNE + 1)) for i in range(1, 2**13)]
    windows = [losses[: 2**length] for length in range(1, 13)]
    dual = {"rule": "potential", "scale": 1, "values": [0] * 2**11}
    return mean({"memory": 12, "actions": 2, "windows": windows}, dual, losses[0])


def weights_of_coprime_denominators():
    table = {text(Fraction(i, 7)): "1/1" for i in range(1, 3000) if i % 7}
    return mean({"memory": 60, "weights": coprime(900, 60), "losses": [table]}, ZERO)


def long_values(n=15):
    values = [10**4000 + i for i in range(n**2)]
    return mean(flat(n, 3), {"rule": "potential", "scale": 1, "values": values})


def one_jump_after_the_other(jumps=100_000):
    listed = [[2 * i, 1, 1] for i in range(jumps)]
    return horizon(flat(1, 1), 2 * jumps, {**HISTORIES, "jumps": listed})


def rings(*sizes, dual=ZERO, T=None, runs=None):
    """Arms that go round, one state with every play; all losses are 1."""
    turns = [[*range(1, n), 0] for n in sizes]
    arms = [
        {"start": 0, "played": turn, "rested": sorted(turn), "losses": ["1/1"] * len(turn)} for turn in turns
    ]
    if T is None:
        return document({"arms": arms}, {"question": "mean-cycle", "value": None}, {}, dual)
    return horizon({"arms": arms}, T, dual, runs=runs)


def critical(nodes):
    """A ring of that many nodes and their loops."""
    ring, zeros = list(range(nodes)), [0] * nodes
    heads = ring[1:] + ring[:1] + ring
    body = {"nodes": nodes, "tails": ring * 2, "heads": heads, "weights": ["0/1"] * (2 * nodes)}
    claim = {"question": "critical-graph", "value": "0/1", "edges": list(range(2 * nodes))}
    far = {"from": ring, "to": ring[:1] + ring[:0:-1]}
    dual = {"rule": "critical", "scale": 1, "values": zeros, "order": zeros, **far}
    return document(body, claim, {"rule": "replay", "cycle": ring}, dual, "graph")


def coprime_times(how_many):
    bomb = graph(["1/1"] * how_many, [0], [0])
    times = coprime(1000, how_many)
    claim = {"question": "ratio-cycle", "value": f"{times[0][2:]}/1"}
    return document(bomb["graph"] | {"times": times}, claim, bomb["primal"], bomb["dual"], "graph")


STATES = {"rule": "recursion", "over": "states", "jumps": []}
BOMBS = {
    "a product of many arms": lambda: rings(*[10] * 10, dual={"rule": "longest-walk", "values": []}),
    "arms that come round late": lambda: rings(97, 101, 103, T=3 * 10**9, runs=[[[0, 1, 2], 10**9]]),
    "a word of arms that never ends": lambda: rings(2, 3, T=200_000, runs=[[[0, 1] * 50_000, 2]]),
    "many runs of arms": lambda: rings(97, 101, T=10**8, runs=[[[0], 2500]] * 40_000),
    "arms forever": lambda: rings(1, 1, dual=STATES, T=9_000_000),
    "many states forever": lambda: rings(30, 31, dual=STATES, T=10**6),
    "a critical ring": lambda: critical(6000),
    "times of coprime denominators": lambda: coprime_times(40),
    "one history forever": lambda: horizon(flat(1, 1), 9_000_000, HISTORIES),
    "one history, the default limit's worst": lambda: horizon(flat(1, 1), 45_238_095, HISTORIES),
    "one action and a long tree": lambda: horizon(flat(1, 3000), 2999, HISTORIES),
    "many actions at one history": lambda: horizon(flat(900, 1), 520, HISTORIES),
    "one jump after the other": one_jump_after_the_other,
    "a jump of long numbers": lambda: horizon(
        flat(2, 2), 10**4000, {**HISTORIES, "jumps": [[0, 1, 10**3999]]}
    ),
    "counts after a long start": lambda: horizon(flat(3, 60), 59, COUNTS, [i % 3 for i in range(59)]),
    "counts of ten actions": lambda: horizon(flat(10, 50), 49, COUNTS, [i % 10 for i in range(49)]),
    "counts with many beginnings": lambda: horizon(flat(2, 40), 59, COUNTS),
    "counts after a longer start": lambda: horizon(flat(3, 8000), 180, COUNTS, [i % 3 for i in range(7820)]),
    "a knapsack of many actions": lambda: horizon(flat(300, 300), 300, COUNTS),
    "short runs among many actions": lambda: horizon(flat(150, 150), 14_000, CLOSE, runs=[[[0], 1]] * 14_000),
    "runs of a long memory": lambda: horizon(flat(1, 50_000), 100, COUNTS, runs=[[[0], 1]] * 100),
    "slopes of coprime denominators": lambda: slopes(2, 100, primes(600, 100)),
    "slopes of many actions": lambda: slopes(100, 50, primes(1000, 100)),
    "a sum over many tallies": lambda: slopes(100, 100, [3, 7, 11]),
    "losses of coprime denominators": lambda: mean({"memory": 90, "losses": [coprime(1000, 90)] * 2}, ZERO),
    "weights of coprime denominators": weights_of_coprime_denominators,
    "tallies that collide": lambda: mean(
        weighted([MERSENNE] * 3, [i * MERSENNE for i in range(1, 20_000)]), ZERO
    ),
    "weights that collide": lambda: mean(
        weighted([MERSENNE * 2**i for i in range(16)], range(1, 20_000)), ZERO
    ),
    "losses that collide": losses_that_collide,
    "tallies of many digits": tallies_of_many_digits,
    "values of many digits": long_values,
    "a cycle of coprime weights": lambda: graph(coprime(1000, 30), list(range(30)) * 400, [0]),
    "loops with long values": lambda: graph(
        [f"{10**4000 + i}/1" for i in range(2000)], [0], [10**4200], scale=10**4200, value=f"{10**4000}/1"
    ),
    "a cycle that never ends": lambda: graph(["0/1"] * 2, [0, 1] * 10**6, [0]),
    "nodes without end": lambda: graph(["0/1"], [0], [0], nodes=10**4000),
    "one table forever": lambda: cases(1, 300_000, [0]),
    "ways home from everywhere": lambda: cases(12, 12, range(1, 2**11)),
    "deep and wide": lambda: mean(flat(2, 2), {"rule": [[[[[[[]]]]]]] * 1000}),
}
LARGE = {  # of megabytes, and most of them need the usual limit to do harm
    "more runs among more actions": lambda: horizon(
        flat(1000, 1000), 400_000, CLOSE, runs=[[[0], 1]] * 400_000
    ),
    "counts after a very long start": lambda: horizon(
        flat(3, 100_000), 1000, COUNTS, [i % 3 for i in range(99_000)]
    ),
    "a long table": lambda: mean(flat(1, 9_900_000), ZERO),
    "a wide document": lambda: {"format": [[]] * 24_000_000},
    "a name beyond ASCII": lambda: mean(flat(1, 1) | {"name": "\U0001f4a3" * 10**7}, ZERO),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_ends_in_a_verdict_within_the_limit(bomb, tmp_path):
    assert "more memory" not in verdict_of(BOMBS[bomb](), tmp_path, USUAL)  # not by running out of memory


@pytest.mark.thorough
@pytest.mark.parametrize("bomb", BOMBS | LARGE)
def test_a_bomb_ends_in_a_verdict_within_the_usual_limit(bomb, tmp_path):
    verdict_of((BOMBS | LARGE)[bomb](), tmp_path, THOROUGH)
