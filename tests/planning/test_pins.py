"""Answers to four questions about some 500 instances, held against a table of hashes: `pins.txt`.

A row of the table has the name of an instance and a hash for each question. Pinned is what no change of the
engines may move: values, the canonical word of the minimum mean cycle, the cost of each action under both
kinds of policy. Plans and cyclic words may differ where several are optimal, so of those it is pinned that
their replay gives the value. `python tests/planning/test_pins.py` writes the table anew.
"""

import hashlib
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from random import Random

import tallyplan as tp
from tallyplan.model.replay import mean_of_word, replay_runs

TABLE = Path(__file__).with_name("pins.txt")
SIZES = [(2, 2), (3, 2), (2, 3), (3, 3), (2, 5), (4, 3), (2, 8), (3, 5)]
CORNERS = [(1, 1), (1, 2), (1, 5), (2, 1), (5, 1), (2, 2), (3, 3), (2, 5), (12, 2)]
LARGE = [(2, 12), (3, 8), (4, 6), (9, 4)]
RANDOM_FAMILIES = [
    *("uniform", "decreasing", "sparse", "near-tie", "equal-arms"),
    *("rotting", "improving", "single-peaked", "congested"),
]
HORIZONS = [0, 1, 2, 5, 23, 10**6 + 3, 10**40 + 7]
PLAIN = 81  # edges, at most, where the last of them is asked: plain Python plans it, slowly
PERIODS = [1, 2, 5, 12, 31, 1000]


# -- the instances --------------------


def bandits():
    """(name, bandit), with names that say how to build it."""
    for family, (actions, memory), seed in product(RANDOM_FAMILIES, SIZES, range(3)):
        made = tp.make(family, actions=actions, memory=memory, seed=seed)
        yield f"{family} {actions}x{memory} {seed}", made
    for family, (actions, memory) in product(["uniform", "near-tie", "single-peaked", "sparse"], LARGE):
        yield f"{family} {actions}x{memory}", tp.make(family, actions=actions, memory=memory, seed=7)
    for loss, (actions, memory) in product(["0", "1", "1/3"], CORNERS):
        yield f"constant {loss} {actions}x{memory}", tp.TallyingBandit([[loss] * memory] * actions)
    for bits, (actions, memory), seed in product([40, 62, 90, 126, 300], [*SIZES[:5], (1, 4), (3, 1)], [1]):
        made = tp.make("uniform", actions=actions, memory=memory, denominator=2**bits + 15, seed=seed)
        yield f"{bits} bits {actions}x{memory} {seed}", made
    yield from near_ties()
    for kind, (actions, memory), seed in product([windows, weighted], [(1, 3), (4, 1), *SIZES[:6]], range(3)):
        yield f"{kind.__name__} {actions}x{memory} {seed}", kind(actions, memory, Random(seed))
    yield from papers()


def near_ties():
    """Tables of three levels that are far apart."""
    half = Fraction(1, 2)
    for exponent, (actions, memory), seed in product([3, 9, 18, 45], [(2, 3), (2, 4), (3, 3)], range(4)):
        gap, draw = Fraction(1, 10**exponent), Random(seed)
        levels = [(Fraction(0), gap, Fraction(1)), (half, half + gap, Fraction(1)), (gap**2, gap, half)][
            seed % 3
        ]
        rows = [[levels[draw.randrange(3)] for _ in range(memory)] for _ in range(actions)]
        yield f"three levels 1e-{exponent} {actions}x{memory} {seed}", tp.TallyingBandit(rows)


def windows(actions, memory, draw):
    """A loss for each window."""
    denominator = [3, 1000, 10**25][draw.randrange(3)]
    return tp.WindowBandit(
        actions,
        [
            [Fraction(draw.randrange(denominator + 1), denominator) for _ in range(actions**length)]
            for length in range(1, memory + 1)
        ],
    )


def weighted(actions, memory, draw):
    """Weights that are equal, zero or negative now and then."""
    weights = [[1, 2, Fraction(1, 2), 0, -1][draw.randrange(5)] for _ in range(memory)]
    tallies = {
        weights[0] + sum(chosen) for size in range(memory) for chosen in combinations(weights[1:], size)
    }
    rows = [{tally: Fraction(draw.randrange(98), 97) for tally in sorted(tallies)} for _ in range(actions)]
    return tp.WeightedTallyBandit(weights, rows)


def papers():
    yield "counterexample-2", tp.make("counterexample-2", memory=4, secret="0,1,1")
    yield "counterexample-3", tp.make("counterexample-3")
    yield "round-robin 3", tp.make("round-robin", actions=3)
    yield "round-robin 4x3", tp.make("round-robin", actions=4, memory=3)
    yield "weighted-recency", tp.make("weighted-recency", actions=2, memory=5, ratio="1/2")
    thirds = [["77/1000", "23/1000", "29/1000"], ["3/1000", "34/1000", "45/1000"]]
    yield "0201", tp.TallyingBandit([*thirds, ["10/1000", "82/1000", "83/1000"]])


def graphs():
    """(name, edges), each with a cycle: sparse, dense, with loops and parallel edges, negative and large."""
    for nodes, degree, size, seed in product([1, 2, 5, 12, 40], [1, 2, 4], [1, 9, 10**30], range(2)):
        draw = Random(seed)
        edges = [
            (node, draw.randrange(nodes), Fraction(draw.randrange(-size, size + 1), 1 + seed))
            for node in range(nodes)
            for _ in range(degree)
        ]
        yield f"graph of {nodes} {degree} {size} {seed}", edges


# -- the answers --------------------


def starts(bandit):
    """The empty history, a short one, and one that is longer than the memory."""
    mixed = [(bandit.actions - 1 - i) % bandit.actions for i in range(bandit.memory + 2)]
    return [(), mixed[: bandit.memory // 2], mixed]


def cycle(bandit):
    found = tp.minimum_mean_cycle(bandit)
    assert mean_of_word(bandit, found.word) == found.value
    return found.value, found.word


def plan(bandit):
    large = bandit.actions**bandit.memory > PLAIN
    for horizon, start in product(HORIZONS, starts(bandit)):
        if (start and horizon not in HORIZONS[-3:]) or (large and horizon == HORIZONS[-1]):
            continue
        found = tp.optimal_plan(bandit, horizon, start)
        assert replay_runs(bandit, found.runs, start) == found.value
        yield found.value


def cyclic(bandit):
    for period in PERIODS:
        found = tp.optimal_cyclic_policy(bandit, period)
        assert len(found.word) == period
        assert mean_of_word(bandit, found.word) == found.value
        yield found.value


def policies(bandit):
    long_run = tp.minimum_mean_cycle(bandit).policy
    horizon = tp.optimal_plan(bandit, 10**9).policy
    for start in starts(bandit):
        yield long_run.after(start).losses
        yield [horizon.after(start, to_go).losses for to_go in (1, 4, 10**9)]


QUESTIONS = [cycle, plan, cyclic, policies]


def hashed(answer):
    return hashlib.sha256(written(answer).encode()).hexdigest()[:8]


def written(answer):
    """Text that is the same for equal numbers, whatever their type."""
    return str(answer) if isinstance(answer, int | Fraction) else f"({' '.join(map(written, answer))})"


def rows():
    """name: a hash for each question."""
    for name, bandit in bandits():
        yield name, [f"{question.__name__}={hashed(question(bandit))}" for question in QUESTIONS]
    for name, edges in graphs():
        yield name, [f"value={hashed(tp.minimum_mean_cycle_of(edges).value)}"]


def table():
    return [f"{name}: {' '.join(hashes)}" for name, hashes in rows()]


def test_answers_are_those_of_the_table():
    expected = TABLE.read_text().splitlines()
    found = table()
    assert [row.partition(":")[0] for row in found] == [row.partition(":")[0] for row in expected]
    assert [row for row in found if row not in set(expected)] == []


if __name__ == "__main__":
    TABLE.write_text("".join(f"{row}\n" for row in table()))
