"""What is asked: questions with our answer, and the line that asks a peer the same.

Losses and weights are scaled to integers for the peers; a state graph is written down from the definition
of the loss of a window, edge by edge.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
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
    scale: Fraction
    accepted: bool  # whether our checker accepts our certificate, and a source has our value

    @cached_property
    def widest(self) -> int:
        """The largest weight of a graph in absolute value, for errors that grow with it."""
        return max(1, *(abs(int(word)) for word in self.line.split()[5::4]))


def on_graph(question: str, edges: Edges, shown: Any, answer: Any) -> Case:
    """A case whose line is an explicit graph; an edge without a time takes 1."""
    columns = list(zip(*((*edge, Fraction(1))[:4] for edge in edges), strict=True))
    scale, unit = (lcm(*(number.denominator for number in column)) for column in columns[2:])
    nodes = dict.fromkeys(node for edge in edges for node in edge[:2])
    number = {node: i for i, node in enumerate(nodes)}
    words = [
        f"{number[u]} {number[v]} {int(w * scale)} {int(t * unit)}"
        for u, v, w, t in zip(*columns, strict=True)
    ]
    line = f"graph {len(number)} {len(edges)} {' '.join(words)}"
    value = None if answer is None else answer.value
    accepted = answer is None or bool(tp.check(answer.certificate))
    return Case(question, shown, value, line, Fraction(scale, unit), accepted)


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
        yield on_graph("mean cycle of a tallying bandit", state_graph(bandit), bandit.to_json(), answer)


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
        asked = "mean cycle of a window or weighted bandit"
        yield on_graph(asked, state_graph(bandit), bandit.to_json(), answer)


def random_graph(rng: Random) -> Edges:
    """Sparse, dense, nearly acyclic, a ring with chords; few or many different weights, negative ones too."""
    kind, n = rng.randrange(4), rng.randint(1, 30)
    pairs, others = list[tuple[int, int]](), 2 * n + 1
    if kind == 1:
        n, others = min(n, 9), 1
        pairs = [(u, v) for u in range(n) for v in range(n) if rng.random() < 0.7]
    elif kind == 2:
        pairs, others = [(u, v) for u in range(n) for v in range(u + 1, n) if rng.random() < 3 / n], 1
    elif kind == 3:
        pairs, others = [(u, (u + 1) % n) for u in range(n)], n
    pairs += [(rng.randrange(n), rng.randrange(n)) for _ in range(others)]
    denominators = rng.choice(((1,), (1, 2, 3, 4, 5, 6), (60,)))
    most = rng.choice((1, 3, 1000, 10**6))
    return [(u, v, Fraction(rng.randint(-most, most), rng.choice(denominators))) for u, v in pairs]


def as_text(edges: Edges) -> list[list[Any]]:
    return [[tail, head, *map(str, numbers)] for tail, head, *numbers in edges]


def graphs(count: int) -> Iterator[Case]:
    """Minimum mean cycles of explicit graphs; the sign says whether there is a negative cycle."""
    rng = Random(4)
    for _ in range(count):
        edges = random_graph(rng)
        found, negative = ours(edges), tp.negative_cycle_of(edges)
        case = on_graph("mean cycle of an explicit graph", edges, as_text(edges), found)
        agree = negative.exists == (found is not None and found.value < 0)
        yield replace(case, accepted=case.accepted and agree and bool(tp.check(negative.certificate)))


def shortcuts(count: int) -> Iterator[Case]:
    """Rings on which every policy of Howard's iteration but the last has a next one: the last shortcut wins.

    Along a ring of n nodes, shortcut i from the first node skips i of them and costs (2n)^(n-1-i). At the
    ratio of one shortcut the next is the best answer, since its cost is below that ratio, the later ones
    gain less than they are shorter by, and so all of them are met one after the other.
    """
    for n in range(2, 2 + count):
        ring = [(node, (node + 1) % n, Fraction(0)) for node in range(1, n)]
        edges = [(0, (i + 1) % n, Fraction((2 * n) ** (n - 1 - i))) for i in range(n)] + ring
        yield on_graph("mean cycle of a ring with shortcuts", edges, n, ours(edges))


def ratios(count: int) -> Iterator[Case]:
    """Cycles of least ratio of weight to time."""
    rng = Random(5)
    for _ in range(count):
        unit = rng.choice((1, 1, 6))
        edges = [(u, v, w, Fraction(rng.randint(1, 9), unit)) for u, v, w in random_graph(rng)]
        found = ours(edges, tp.minimum_ratio_cycle_of)
        yield on_graph("ratio cycle of an explicit graph", edges, as_text(edges), found)


def arms(count: int) -> Iterator[Case]:
    """Minimum mean cycles of arms that are automata, on the graph that their definition gives."""
    rng = Random(6)
    names = ("recharging", "recovering", "last-switch", "rested-rotting", "rested-rising", "rested-chains")
    for i in range(count):
        sizes = {"actions": rng.randint(1, 3), "states": rng.randint(1, 4)}
        bandit = tp.make(names[i % len(names)], **sizes, denominator=60, seed=i)
        if i % 7 == 0:
            delays, rewards = ([rng.randint(1, 5) for _ in range(3)] for _ in range(2))
            bandit = tp.make("blocking", delays=delays, rewards=rewards)
        assert isinstance(bandit, tp.ArmBandit)
        edges = product_graph(bandit)
        yield on_graph("mean cycle of an arm bandit", edges, bandit.to_json(), tp.minimum_mean_cycle(bandit))


def product_graph(bandit: tp.ArmBandit) -> Edges:
    """Every edge between states that can be reached, from the tables of the arms."""
    first = tuple(arm.start for arm in bandit.arms)
    number, ahead, edges = {first: 0}, [first], []
    for state in ahead:
        for x, arm in enumerate(bandit.arms):
            loss, after = arm.losses[state[x]], list[Any]()
            for y, other in enumerate(bandit.arms):
                after.append((other.played if x == y else other.rested)[state[y]])
            if loss is not None and None not in after:
                if tuple(after) not in number:
                    number[tuple(after)] = len(number)
                    ahead.append(tuple(after))
                edges.append((number[state], number[tuple(after)], loss))
    return edges


def ours(edges: Edges, ask: Callable[[Any], Any] = tp.minimum_mean_cycle_of) -> Any:
    """Our answer, or None if we say that there is no cycle."""
    try:
        return ask(edges)
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
    return Case(question, bandit.to_json(), answer.value, line, Fraction(1), accepted)


def published() -> Iterator[Case]:
    """The published graphs; what the source says has to be our answer."""
    for found in PUBLISHED:
        shown = {"source": found.source, "edges": as_text(found.edges)}
        case = on_graph("published figures", found.edges, shown, ours(found.edges))
        yield replace(case, accepted=case.accepted and case.value == found.value)
