"""Two arms: a constant or a two-run word is optimal, and potentials that prove it without the state graph.

Stated here. For two actions the least long-run loss per step is that of a constant word or of a word 0^i 1^j
with 1 <= i, j <= m-1 (`two-arm-theorem`), so that planning takes O(m^2) operations. Theorems 1 to 3 say what
is proved for every memory: how far a closed walk can be out of balance between levels (`/crossings`), a
potential given by m-1 slopes (`/slopes`), and slopes that exist whenever no word of period below m would pay
(`/rising-slopes`).

Shown. For each m the cone of the two-run words is computed exactly, and no closed walk leaves it (`hull`):
that covers every table of real numbers at once. The theorems are proved by their algebra for all m
(`slopes`), and evaluated on every edge for small m. For all m the statement is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from random import Random

from proofs_check.boxes import random_table
from proofs_check.claim import Evidence, Outcome, Request, Witness, by_proof, claim
from proofs_check.cones import has_library
from proofs_check.ours.hull import Counts, hull_of, table_of, violated
from proofs_check.ours.slopes import crossing_steps, monotone_steps, rising_steps, slope_steps
from proofs_check.steps import Step, Verdict
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.on_graph.bellman_ford import cycle_on_graph
from tallyplan.planning.single_run import best_two_run_word
from tallyplan.planning.without_graph.bounds.two_arms import Levels, Slopes, any_slopes, rising_slopes

WHERE = "Two arms (ours, docs/large-memory.md)"
USUAL, THOROUGH = 12, 17  # memories up to which the hull is computed
PLAIN_THOROUGH = 16  # the same without pplpy, whose facets at m = 17 take a quarter of an hour in Python
BEYOND = (18, 19)  # memories at which random tables are planned on the graph
DENOMINATOR = 1000
EDGES = range(2, 9)  # memories at which every edge is evaluated


@claim(
    "two-arm-theorem",
    statement=f"For two actions, every memory m <= {USUAL} (m <= {THOROUGH} in a thorough run) and every "
    "table, the minimum mean is that of a constant word or of a word 0^i 1^j with i, j < m.",
    where=WHERE,
)
def theorem(request: Request) -> Outcome:
    """Compute the facets of the cone of these words, and certify for each that no closed walk violates it."""
    longest = THOROUGH if has_library() else PLAIN_THOROUGH
    memories = range(1, (longest if request.thorough else USUAL) + 1)
    steps: list[Step] = []
    cases = 0
    for memory in memories:
        hull = hull_of(memory)
        broken = violated(hull, request)
        cases += len(hull.facets) + 2 * len(hull.equations)
        steps.append(_hull_step(memory, len(hull.facets), len(hull.equations), hull.extreme, broken))
        if broken is not None:
            return _refuted(broken, memory, steps, cases)
    return Outcome(
        by_proof(steps),
        f"two actions, every table of real numbers, m = {memories[0]}..{memories[-1]}",
        Evidence(
            "exact facets of the hull of the words, each with a checked minimum mean cycle certificate",
            cases,
            tuple(steps),
        ),
    )


def _hull_step(memory: int, facets: int, equations: int, extreme: int, broken: Counts | None) -> Step:
    return Step(
        f"m = {memory}: no closed walk violates one of the facets ({facets}) and equations ({equations}) of "
        f"the hull of {extreme} extreme words",
        "certificates that the independent checker accepted",
        broken is None,
    )


def _refuted(row: Counts, memory: int, steps: list[Step], cases: int) -> Outcome:
    """The costs of a violated facet are a table on which every two-run word is beaten."""
    bandit = table_of(row, memory)
    best, _ = best_two_run_word(bandit)
    answer = cycle_on_graph(bandit)
    verdict = Verdict.REFUTED if answer.value < best else Verdict.UNDECIDED
    facts = {"m": memory, "word": answer.word, "mean": answer.value, "best two-run word": best}
    evidence = Evidence("a facet that a closed walk violates", cases, tuple(steps))
    return Outcome(verdict, f"m = {memory}", evidence, witness=Witness(facts, bandit))


@claim(
    "two-arm-theorem/all-memories",
    statement="The same for every memory m.",
    where=WHERE,
)
def all_memories(request: Request) -> Outcome:
    """Plan random tables beyond the proved memories on the graph; without a witness it stays open."""
    count = 40 if request.thorough else 2
    tables = [
        random_table(Random(f"two-arms/{memory}/{seed}"), 2, memory, DENOMINATOR)
        for memory in BEYOND
        for seed in range(count)
    ]
    for done, bandit in enumerate(tables):
        request.progress(f"two-arm-theorem/all-memories: {done} of {len(tables)} tables")
        answer, (best, _) = cycle_on_graph(bandit), best_two_run_word(bandit)
        if answer.value < best:
            facts = {"word": answer.word, "mean": answer.value, "best two-run word": best}
            evidence = Evidence("random tables, planned on the graph", done + 1)
            return Outcome(Verdict.REFUTED, "random tables", evidence, witness=Witness(facts, bandit))
    return Outcome(
        Verdict.UNDECIDED,
        f"open; proved for m <= {USUAL} (m <= {THOROUGH} in a thorough run), for falling or rising losses, "
        "with a constant arm, and wherever slopes exist",
        Evidence(
            "random tables, planned on the graph",
            len(tables),
            (f"No counterexample among {len(tables)} random tables with m = {BEYOND[0]} and {BEYOND[-1]}.",),
        ),
    )


@claim(
    "two-arm-theorem/crossings",
    statement="Theorem 1. With u_k the frequency of steps from level k-1 up to k, and D_k the mean of "
    "s - m x over the steps at levels s >= k: |D_k| <= (k - 1)(m - k) u_k, for every m and "
    "every closed walk.",
    where=WHERE,
)
def crossings(request: Request) -> Outcome:
    """Prove the steps for all m; evaluate psi on every edge for small m."""
    steps, edges = crossing_steps(), [_crossings_on_edges(memory) for memory in EDGES]
    return _by_algebra([*steps, *edges], "every m and every closed walk")


@claim(
    "two-arm-theorem/slopes",
    statement="Theorem 3. If q_k <= t_k <= p_k and (p_k - t_k)(m - k) + (t_{k-1} - q_{k-1})(k - 1) >= "
    "|t_k - t_{k-1}|(k - 1)(m - k), and the constant words lose at least lam, no closed walk loses less than "
    "lam a step, for every m; p_k = (h_1(k) - lam)/(m - k), q_k = -(h_0(m-k) - lam)/k.",
    where=WHERE,
)
def slopes(request: Request) -> Outcome:
    """Prove that the potential works on every kind of edge, for all m; evaluate every edge for small m."""
    steps = [*crossing_steps()[:4], *slope_steps()]
    edges = [_slopes_on_edges(memory, rising=False) for memory in EDGES]
    return _by_algebra([*steps, *edges], "every m, every table and all slopes")


@claim(
    "two-arm-theorem/rising-slopes",
    statement="Theorem 2. If lam is the least mean of the constant words and of all 0^i 1^j with i + j >= m, "
    "i, j < m, and p_l >= q_k for all k < l, then slopes as in Theorem 3 exist, so that lam is the minimum "
    "mean, for every m.",
    where=WHERE,
)
def rising(request: Request) -> Outcome:
    """Prove the construction of the slopes step by step, for all m; evaluate every edge for small m."""
    edges = [_slopes_on_edges(memory, rising=True) for memory in EDGES]
    return _by_algebra([*rising_steps(), *edges], "every m and every table that satisfies the condition")


@claim(
    "two-arm-theorem/monotone",
    statement="If the losses of both actions rise with the tally, or those of one are constant, the "
    "condition of Theorem 2 holds, so that a constant word or some 0^i 1^j with i + j >= m is "
    "optimal, for every m.",
    where=WHERE,
)
def monotone(request: Request) -> Outcome:
    """Prove the condition of Theorem 2 for all m; evaluate it on random tables."""
    tables = [bandit for memory in (3, 7, 20) for bandit in _monotone_tables(memory)]
    held = all(_no_short_word_pays(Levels(bandit, best_two_run_word(bandit)[0])) for bandit in tables)
    evaluated = Step(f"the condition on {len(tables)} random tables, m = 3, 7 and 20", "evaluation", held)
    return _by_algebra([*monotone_steps(), evaluated], "every m and every such table")


def _monotone_tables(memory: int) -> Iterator[TallyingBandit]:
    for seed in range(20):
        zero, one = random_table(Random(f"rising/{memory}/{seed}"), 2, memory, DENOMINATOR).losses
        yield TallyingBandit([sorted(zero), sorted(one)])
        yield TallyingBandit([zero[:1] * memory, one])


def _by_algebra(steps: list[Step], domain: str) -> Outcome:
    method = "the algebra for all m (sympy, z3); evaluation for small m"
    return Outcome(by_proof(steps), domain, Evidence(method, len(steps), tuple(steps)))


def _windows(memory: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every edge: a window of m actions and the next one."""
    return ((steps[:-1], steps[1:]) for steps in product((0, 1), repeat=memory + 1))


def _psi(window: tuple[int, ...]) -> int:
    """The weight of a one is its position, the oldest action being at 0."""
    return sum(position * action for position, action in enumerate(window))


def _crossings_on_edges(memory: int) -> Step:
    """psi rises by m x - s, and lies within its bounds when a level is crossed."""
    holds = True
    for before, after in _windows(memory):
        s, x = sum(after), after[-1]
        holds &= _psi(after) - _psi(before) == memory * x - s
        if s != sum(before):
            k = max(s, sum(before))
            holds &= k * (k - 1) <= 2 * _psi(before) <= (k - 1) * (2 * memory - k)
    return Step(f"m = {memory}: all of this on each of the {2 ** (memory + 1)} edges", "evaluation", holds)


def _slopes_on_edges(memory: int, *, rising: bool) -> Step:
    """The potential of random tables, with slopes for the best bound they prove, on every edge."""
    tried, holds = 0, True
    for seed in range(12):
        bandit = random_table(Random(f"slopes/{memory}/{seed}"), 2, memory, 12)
        levels = Levels(bandit, best_two_run_word(bandit)[0])
        found = rising_slopes(levels) if rising else any_slopes(levels)
        if rising and _no_short_word_pays(levels):
            holds &= found is not None
        if found is not None:
            tried += 1
            holds &= _holds_on_edges(bandit, levels, found)
    edges = 2 ** (memory + 1)
    return Step(
        f"m = {memory}: the potential on each of the {edges} edges of {tried} random tables",
        "evaluation",
        holds and tried > 0,
    )


def _no_short_word_pays(levels: Levels) -> bool:
    """p_l >= q_k for all k < l."""
    m = levels.memory
    return all(
        levels.ones[high] * low + levels.zeros[low] * (m - high) >= 0
        for high in range(1, m)
        for low in range(1, high)
    )


def _holds_on_edges(bandit: TallyingBandit, levels: Levels, slopes: Slopes) -> bool:
    """Phi as the theorem defines it, evaluated on every window; the losses come from the bandit itself."""
    m, mean = levels.memory, bandit.losses[1][-1] - levels.ones[-1]
    theta = [slopes[0], *slopes, slopes[-1]]
    g = [Fraction(0), Fraction(0)]
    for k in range(2, m):
        step = theta[k] - theta[k - 1]
        high = max(step * k * (k - 1) / 2, step * (k - 1) * (2 * m - k) / 2)
        g.append(g[-1] + bandit.losses[1][k - 1] - mean - (m - k) * theta[k] - high)
    g.append(g[-1])

    def phi(window: tuple[int, ...]) -> Fraction:
        return theta[sum(window)] * _psi(window) + g[sum(window)]

    return all(phi(after) - phi(before) <= bandit.loss(after) - mean for before, after in _windows(m))
