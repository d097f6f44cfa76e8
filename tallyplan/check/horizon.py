"""Finite horizon: replay the runs, then run the Bellman recursion itself, with the proved short cuts."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from operator import add, sub
from typing import Any

from .document import actions, array, fields, integer, mapping, rational, word
from .fewer_arms import smaller_problem
from .long_memory import lower_end
from .problem import Problem, code, power
from .replay import total_of_runs
from .sweep import Sweeps, fit_edges, fit_packed, least
from .verdict import EDGES_PER_TURN, Budget, Refused

Jump = tuple[int, int, int]
Run = tuple[list[int], int]


def check_horizon(problem: Problem, claim: Any, primal: Any, dual: Any, budget: Budget) -> str:
    """Refuse, or say what was proved."""
    fields(claim, "claim", {"question", "horizon", "start", "value"}, frozenset({"lower"}))
    T = integer(claim["horizon"], "horizon", 0)
    start = actions(claim["start"], "list of start actions", problem.K)
    start = start[max(0, len(start) - (problem.m - 1)) :]
    value = rational(claim["value"], "claimed value")
    runs = _read_runs(primal, T, problem.K)
    game, before = problem, start  # what the dual side is about
    while smaller := smaller_problem(game, dual, budget):
        game, before, dual = smaller.problem, smaller.renamed(before), smaller.dual
    if "method" in mapping(dual, "dual side"):
        _check_total(problem, start, runs, value, budget)
        return _interval(game, before, claim, dual, budget)
    fields(claim, "claim", {"question", "horizon", "start", "value"})
    tree = min(T, game.m - 1 - len(before))
    jumps = _read_jumps(dual, T - tree)
    if tree < T:
        game.histories(budget)  # refuses too many before anything is played

    _check_total(problem, start, runs, value, budget)
    optimum = Fraction(_optimum(game, before, tree, T - tree, jumps, budget), game.denominator)
    if optimum != value:
        relation = "below" if optimum < value else "above"
        raise Refused(f"The least total loss is {relation} the claimed value.")
    return f"the least total loss of {_big(T)} steps is {claim['value']}"


def _interval(problem: Problem, start: Sequence[int], claim: Any, dual: object, budget: Budget) -> str:
    """A proof without the recursion; the least total loss need not be pinned down."""
    T, value = claim["horizon"], rational(claim["value"], "claimed value")
    lower = rational(claim["lower"], "claimed lower bound") if "lower" in claim else value
    least_cost = ceil(lower_end(problem, start, T, dual, budget) * problem.denominator)
    if Fraction(least_cost, problem.denominator) < lower:
        raise Refused("The dual side proves less than the claimed lower bound.")
    least = f"the least total loss of {_big(T)} steps"
    if lower == value:
        return f"{least} is {claim['value']}"
    return f"{least} is at least {claim['lower']} and at most {claim['value']}"


def _check_total(
    problem: Problem, start: Sequence[int], runs: Sequence[Run], value: Fraction, budget: Budget
) -> None:
    if Fraction(total_of_runs(problem, start, runs, budget), problem.denominator) != value:
        raise Refused("The total loss of the runs is not the claimed value.")


def _big(T: int) -> str:
    return str(T) if T.bit_length() < 2000 else "the claimed number of"


def _read_runs(primal: object, T: int, K: int) -> list[Run]:
    runs, total = [], 0
    for run in array(fields(primal, "primal side", {"runs"})["runs"], "list of runs"):
        actions_, repeats_ = array(run, "run of the primal side", 2)
        actions_ = word(actions_, "word of a run", K)
        repeats = integer(repeats_, "number of repeats of a run", 1)
        runs.append((actions_, repeats))
        total += len(actions_) * repeats
    if total != T:
        raise Refused("The lengths of the runs do not add up to the horizon.")
    return runs


def _read_jumps(dual: object, N: int) -> list[Jump]:
    jumps, end = [], 0
    for jump in array(fields(dual, "dual side", {"jumps"})["jumps"], "list of jumps"):
        t, p, k = array(jump, "jump of the dual side", 3)
        integer(t, "start of a jump", 0)
        integer(p, "period of a jump", 1)
        integer(k, "count of a jump", 1)
        if t < end:
            raise Refused("A jump starts before the end of the one before it.")
        end = t + (k + 1) * p
        if end > N:
            raise Refused("A jump ends beyond the last layer of the recursion.")
        jumps.append((t, p, k))
    return jumps


def _optimum(
    problem: Problem, start: Sequence[int], tree: int, N: int, jumps: Sequence[Jump], budget: Budget
) -> int:
    """The least cost: V_N on the full histories, then back through the tree of the shorter ones."""
    K, bits = problem.K, max((problem.denominator * (N + tree + 1)).bit_length(), problem.tally_bits)
    leaves = power(K, tree, budget)
    budget.fit(leaves, bits)
    layer = [0] * leaves
    if N > 0:
        first = code(start, K) * leaves
        layer = _last_layer(problem, N, jumps, bits, budget)[first : first + leaves]
    budget.spend(2 * leaves + K * tree * problem.m, bits)
    for depth in range(tree - 1, -1, -1):
        costs = [problem.costs(start, depth, action) for action in range(K)]
        layer = least(costs, [layer[action::K] for action in range(K)])
    return layer[0]


def _last_layer(problem: Problem, N: int, jumps: Sequence[Jump], bits: int, budget: Budget) -> list[int]:
    n = problem.histories(budget)
    budget.fit(n, bits)
    budget.spend(n * problem.K, bits)
    fit_edges(problem, n, budget)
    fit_packed(problem.K, n, bits, budget)
    recursion = _Recursion(Sweeps(problem, n), n * problem.K, problem.K, bits, budget)
    layer, at = [0] * n, 0
    for t, p, k in jumps:
        layer = recursion.sweeps(layer, t - at)
        layer = recursion.jump(layer, p, k)
        at = t + (k + 1) * p
    return recursion.sweeps(layer, N - at)


@dataclass(frozen=True)
class _Recursion:
    sweep: Sweeps
    edges: int
    K: int
    bits: int
    budget: Budget

    def sweeps(self, layer: list[int], count: int) -> list[int]:
        self.budget.spend(count * (self.edges + self.K * EDGES_PER_TURN), self.bits)
        return self.sweep(layer, count)

    def jump(self, layer: list[int], p: int, k: int) -> list[int]:
        """The layer (k+1)p sweeps later, once it is proved to lie on the line layer + i*G (section 4).

        No entry of G is above pD: whoever has p steps more can take them at the end. So no number met here is
        above ND, true jump or not.
        """
        gain = list(map(sub, self.sweeps(layer, p), layer))
        if min(gain) < max(gain):
            for i in sorted({1, k}):
                if self.sweeps(_along(layer, gain, i), p) != _along(layer, gain, i + 1):
                    raise Refused("A jump of the dual side leaves the line that it claims to follow.")
        return _along(layer, gain, k + 1)


def _along(layer: list[int], gain: list[int], i: int) -> list[int]:
    return list(map(add, layer, [i * g for g in gain]))
