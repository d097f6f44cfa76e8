"""What is asked: questions with our answer, and the line that asks a peer the same.

Losses and weights are scaled to integers for the peers; a state graph is written down from the definition
of the loss of a window, edge by edge.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from random import Random
from typing import Any

import tallyplan as tp
from benchmarks.agreement.published import PUBLISHED, Edges
from benchmarks.race import DENOMINATOR, FAMILIES

SIZES = ((2, 1), (2, 2), (2, 3), (2, 4), (2, 6), (3, 1), (3, 2), (3, 3), (3, 4), (4, 2), (4, 3), (6, 2))
STEP_SIZES = ((2, 2), (2, 3), (2, 4), (3, 2), (3, 3))


@dataclass(frozen=True)
class Case:
    """`value` is ours; a peer asked `line` answers `scale` times it."""

    question: str
    shown: Any = field(repr=False)  # the instance, for whoever has to look at a disagreement
    value: Fraction | None
    line: str = field(repr=False)
    scale: int
    accepted: bool  # whether our checker accepts our certificate
    table: str = field(default="", repr=False)  # of a tallying bandit, as the peers of the race read it

    @cached_property
    def widest(self) -> int:
        """The largest weight of a graph in absolute value, for errors that grow with it."""
        return max(1, *(abs(int(word)) for word in self.line.split()[5::3]))


def on_graph(question: str, edges: Edges, shown: Any, answer: Any, table: str = "") -> Case:
    """A case whose line is an explicit graph."""
    scale = lcm(*(weight.denominator for *_, weight in edges))
    number: dict[int, int] = {}
    for tail, head, _ in edges:
        number.setdefault(tail, len(number))
        number.setdefault(head, len(number))
    words = [f"{number[u]} {number[v]} {int(w * scale)}" for u, v, w in edges]
    line = f"graph {len(number)} {len(edges)} {' '.join(words)}"
    value = None if answer is None else answer.value
    accepted = answer is None or bool(tp.check(answer.certificate))
    return Case(question, shown, value, line, scale, accepted, table)


def state_graph(bandit: tp.Bandit) -> Edges:
    """Every edge of the state graph, from the loss of its window."""
    K, m = bandit.actions, bandit.memory
    code = {history: s for s, history in enumerate(product(range(K), repeat=m - 1))}
    windows = ((*history, action) for history in code for action in range(K))
    return [(code[w[: m - 1]], code[w[1:]] if m > 1 else 0, bandit.loss(w)) for w in windows]


def table_of(bandit: tp.TallyingBandit) -> str:
    entries = [int(loss * DENOMINATOR) for row in bandit.losses for loss in row]
    return " ".join(map(str, [bandit.actions, bandit.memory, DENOMINATOR, *entries]))


def bandits(sizes: tuple[tuple[int, int], ...], count: int) -> Iterator[tp.TallyingBandit]:
    """Tallying bandits, the families and sizes in turn."""
    kinds = list(product(FAMILIES, sizes))
    for i in range(count):
        family, (K, m) = kinds[i % len(kinds)]
        bandit = tp.make(family, actions=K, memory=m, denominator=DENOMINATOR, seed=1000 + i)
        assert isinstance(bandit, tp.TallyingBandit)
        yield bandit


def cycles(count: int) -> Iterator[Case]:
    """Minimum mean cycles of tallying bandits."""
    for bandit in bandits(SIZES, count):
        answer = tp.minimum_mean_cycle(bandit)
        table = f"bandit - {table_of(bandit)}"
        yield on_graph(
            "mean cycle of a tallying bandit", state_graph(bandit), bandit.to_json(), answer, table
        )


def other_cycles(count: int) -> Iterator[Case]:
    """The same for the two wider kinds of bandits."""
    rng = Random(17)
    for i in range(count):
        K, m = rng.choice(((2, 2), (2, 3), (2, 4), (3, 2), (3, 3)))
        bandit: tp.Bandit
        if i % 2:
            rows = [[Fraction(rng.randrange(61), 60) for _ in range(K**length)] for length in range(1, m + 1)]
            bandit = tp.WindowBandit(K, rows)
        else:
            weights = [Fraction(rng.randint(-3, 6), rng.randint(1, 3)) for _ in range(m)]
            tallies = {weights[0]}
            for weight in weights[1:]:
                tallies |= {tally + weight for tally in tallies}
            tables = [{tally: Fraction(rng.randrange(61), 60) for tally in tallies} for _ in range(K)]
            bandit = tp.WeightedTallyBandit(weights, tables)
        answer = tp.minimum_mean_cycle(bandit)
        yield on_graph(
            "mean cycle of a window or weighted bandit", state_graph(bandit), bandit.to_json(), answer
        )


def random_graph(rng: Random) -> Edges:
    """Sparse, dense, nearly acyclic, a ring with chords; few or many different weights, negative ones too."""
    n = rng.randint(1, 30)
    kind = rng.randrange(4)
    if kind == 0:
        pairs = [(rng.randrange(n), rng.randrange(n)) for _ in range(2 * n + 1)]
    elif kind == 1:
        n = min(n, 9)
        pairs = [(u, v) for u in range(n) for v in range(n) if rng.random() < 0.7] or [(0, 0)]
    elif kind == 2:
        pairs = [(u, v) for u in range(n) for v in range(u + 1, n) if rng.random() < 3 / n]
        pairs += [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randrange(3))]
        pairs = pairs or [(0, 1)]
    else:
        pairs = [(u, (u + 1) % n) for u in range(n)] + [
            (rng.randrange(n), rng.randrange(n)) for _ in range(n)
        ]
    denominators = rng.choice(((1,), (1, 2, 3, 4, 5, 6), (60,)))
    most = rng.choice((1, 3, 1000, 10**6))
    return [(u, v, Fraction(rng.randint(-most, most), rng.choice(denominators))) for u, v in pairs]


def graphs(count: int) -> Iterator[Case]:
    """Minimum mean cycles of explicit graphs."""
    rng = Random(4)
    for _ in range(count):
        edges = random_graph(rng)
        yield on_graph(
            "mean cycle of an explicit graph", edges, [[u, v, str(w)] for u, v, w in edges], ours(edges)
        )


def ours(edges: Edges) -> Any:
    """Our answer, or None if we say that there is no cycle."""
    try:
        return tp.minimum_mean_cycle_of(edges)
    except tp.InvalidInput as error:
        if "no cycle" not in str(error):
            raise
        return None


def steps(count: int) -> Iterator[Case]:
    """The least loss of T steps."""
    for i, bandit in enumerate(bandits(STEP_SIZES, count)):
        horizon = bandit.memory - 1 + (1, 5, 12, 25)[i % 4]
        yield _on_bandit(f"least loss of {horizon} steps", bandit, horizon, tp.optimal_plan(bandit, horizon))


def words(count: int) -> Iterator[Case]:
    """The best word of L actions."""
    for i, bandit in enumerate(bandits(STEP_SIZES, count)):
        period = 1 + i % 11
        answer = tp.optimal_cyclic_policy(bandit, period)
        yield _on_bandit(f"best word of {period} actions", bandit, period, answer)


def _on_bandit(question: str, bandit: tp.TallyingBandit, argument: int, answer: Any) -> Case:
    line = f"bandit {argument} {table_of(bandit)}"
    accepted = bool(tp.check(answer.certificate))
    return Case(question, bandit.to_json(), answer.value, line, 1, accepted)


def published() -> Iterator[tuple[Case, Fraction | None]]:
    """The published graphs, and what their sources say."""
    for found in PUBLISHED:
        shown = {"source": found.source, "edges": [[u, v, str(w)] for u, v, w in found.edges]}
        yield on_graph("published figures", found.edges, shown, ours(found.edges)), found.value
