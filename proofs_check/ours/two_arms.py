"""Two arms: a constant or a two-run word is optimal, and potentials that prove it without the state graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random

from proofs_check.boxes import random_table
from proofs_check.cones import has_library
from proofs_check.ours.hull import Counts, Hull, hull_of, table_of, two_run_words, violated
from proofs_check.stating import Outcome, Request, Setting, Witness, claim
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.mean_cycle import cycle_on_graph
from tallyplan.planning.single_run import best_single_run_word
from tallyplan.planning.without_graph.bounds.two_arms import Levels, Slopes, any_slopes, rising_slopes

WHERE = "Two arms (ours, docs/large-memory.md)"
USUAL, THOROUGH = 12, 17  # memories up to which the hull is computed
PLAIN_THOROUGH = 16  # the same without pplpy, whose facets at m = 17 take a quarter of an hour in Python
BEYOND, BEYOND_THOROUGH = (13, 14), (18, 19, 20, 21)  # memories at which tables are planned on the graph
DENOMINATOR = 1000
DENOMINATORS = (1, 4, DENOMINATOR)  # ties are where a proof is missing: few values, many of them
EDGES = range(2, 9)  # memories at which every edge is evaluated
TWO_ARMS = Setting(  # action 2 plays the ones; runs(i, j) repeats 0^i 1^j
    define={"runs(i, j, t)": "1 if t - 1 - (i + j) * quotient(t - 1, i + j) < i else 2"},
    K="2",
    variables="l integer; lam real; slope(integer) real",
)
WALK = {  # a closed walk of L steps, after m rounds of it
    "memory": "m >= 1",
    "period": "L >= 1",
    "walk": "plays(a, (m + 1) * L)",
    "closed": "all(a(s + L) == a(s) for s in between(1, m * L))",
}
LOSES = "total(a, (m + 1) * L) - total(a, m * L) >= lam * L"
CONSTANT = "h(2, m) >= lam and h(1, m) >= lam"
CONDITION = Formula("k * Al + (m - l) * Bk >= 0")
EXCESSES = {
    "k": "a level, that is a number of ones in the window",
    "l": "a higher level",
    **{f"A{x}": f"what h_1({x}) is above lam, the least mean of the words" for x in "kl"},
    **{f"B{x}": f"what h_0(m - {x}) is above lam" for x in "kl"},
}
BEST = "the least loss per step of a constant word or of a word 0^i 1^j with i, j < m"


@dataclass(frozen=True)
class Beaten:
    """A table, a word, and what it loses per step; the best word of one or two runs loses `best`."""

    bandit: TallyingBandit
    word: tuple[int, ...]
    mean: Fraction
    best: Fraction

    def witness(self) -> Witness:
        """For the reader."""
        facts = {"word": self.word, "mean": self.mean, "best two-run word": self.best}
        return Witness(facts, self.bandit)

    def confirmed(self) -> bool:
        """By replay of the word and of every word of one or two runs."""
        words = two_run_words(self.bandit.memory)
        return (
            mean_of_word(self.bandit, self.word) == self.mean
            and min(mean_of_word(self.bandit, word) for word in words) == self.best
        )


@claim(
    "two-arm-theorem",
    statement="For two actions and every table of real numbers, no closed walk loses less per step than the "
    "best constant word or word 0^i 1^j with i, j < m: {stated}.",
    where=WHERE,
    formulas={"stated": "mean >= best"},
    domain={"memory": f"1 <= m and m <= {USUAL}"},
    symbols={"best": BEST},
)
def theorem(request: Request) -> Outcome:
    """Compute the facets of the cone of these words, and certify for each that no closed walk violates it."""
    hulls = [hull_of(memory) for memory in range(1, USUAL + 1)]
    broken = {hull.memory: violated(hull, request) for hull in hulls}
    more = _more_memories(request)
    return request.conclude(
        request.argue(
            *map(_told, hulls),
            "The counts of a walk lie in the cone, so it is a sum of words in what it loses.",
        )
        if _covered(request)
        else None,
        cases=sum(len(hull.facets) + 2 * len(hull.equations) for hull in (*hulls, *more)),
        violation=next((_beaten(row, memory) for memory, row in broken.items() if row is not None), None),
        remarks=[_told(hull) for hull in more if violated(hull, request) is None],
    )


def _covered(request: Request) -> bool:
    """Whether the claim is about no other memories than those whose hulls are computed."""
    memory = request.formulas.memory
    return not (memory.holds(m=0) or memory.holds(m=USUAL + 1))


def _more_memories(request: Request) -> list[Hull]:
    """The hulls of the larger memories of a thorough run."""
    longest = THOROUGH if has_library() else PLAIN_THOROUGH
    return [hull_of(memory) for memory in range(USUAL + 1, longest + 1)] if request.thorough else []


def _told(hull: Hull) -> str:
    return (
        f"m = {hull.memory}: none of the {len(hull.facets)} facets and {len(hull.equations)} equations of "
        f"the cone of {hull.extreme} extreme words is violated by a closed walk, by certificates that the "
        "independent checker accepted."
    )


def _beaten(row: Counts, memory: int) -> Beaten:
    """The costs of a violated facet are a table on which every two-run word is beaten."""
    return _planned(table_of(row, memory))


def _planned(bandit: TallyingBandit) -> Beaten:
    """The best closed walk of a table, and its best word of one or two runs."""
    answer = cycle_on_graph(bandit)
    return Beaten(bandit, answer.word, answer.value, best_single_run_word(bandit)[0])


@claim(
    "two-arm-theorem/all-memories",
    statement="The two-arm theorem holds for every memory m: {stated}.",
    where=WHERE,
    formulas={"stated": "mean >= best"},
    domain={"memory": "m >= 1"},
    symbols={"best": BEST},
    uses=("two-arm-theorem",),
)
def all_memories(request: Request) -> Outcome:
    """Open beyond the memories of two-arm-theorem; a few random tables there are planned on the graph."""
    f = request.formulas
    known = request.result("two-arm-theorem").outcome
    count, memories = (20, BEYOND_THOROUGH) if request.thorough else (1, BEYOND)
    tables = [
        random_table(Random(f"two-arms/{memory}/{denominator}/{seed}"), 2, memory, denominator)
        for memory in memories
        for denominator in DENOMINATORS
        for seed in range(count)
    ]
    walks = [walk for bandit in tables for walk in _walks(bandit, request)]
    found = next((one for one in walks if not f.stated.holds(mean=one.mean, best=one.best)), None)
    return request.conclude(
        None,
        cases=len(tables),
        violation=found,
        remarks=(
            f"For {f.memory} it is open; for m up to {USUAL} it is {known.verdict} (claim two-arm-theorem).",
            f"Looked at besides: {len(tables)} random tables of memories {memories[0]} to {memories[-1]}, of "
            f"multiples of 1, 1/4 and 1/{DENOMINATOR}, on which the best closed walk and both constant words "
            "lose no less than the best word. This shows nothing about other tables.",
            "For falling or rising losses, with a constant arm, and wherever slopes exist, it holds for "
            "every m (claims two-arm-theorem/monotone, two-arm-theorem/slopes).",
        ),
    )


def _walks(bandit: TallyingBandit, request: Request) -> list[Beaten]:
    """The best closed walk of a table and the two constant words."""
    request.progress(f"two-arm-theorem/all-memories: a table with m = {bandit.memory}")
    planned = _planned(bandit)
    constant = [Beaten(bandit, (x,), mean_of_word(bandit, (x,)), planned.best) for x in (0, 1)]
    return [planned, *constant]


@claim(
    "two-arm-theorem/crossings",
    statement="Theorem 1. For every closed walk {stated}.",
    where=WHERE,
    formulas={"stated": "abs(D) <= (k - 1) * (m - k) * u"},
    domain={"memory": "m >= 1"},
    assuming=("k = 1 .. m",),
    symbols={
        "k": "a level, that is a number of ones in the window",
        "D": "the mean of s - m x over the steps to levels s >= k, x being the action",
        "u": "the frequency of steps from level k-1 up to k",
    },
)
def crossings(request: Request) -> Outcome:
    """Prove the steps for all m; evaluate psi on every edge for small m."""
    return _shown(
        request,
        [
            "A step x to s ones in the window changes psi, the sum of (m - 1 - i) x_(t - i), by m x - s: one "
            "step later every action in the window counts one less.",
            "Before a level is crossed, k - 1 ones are at different places of the weights 1 .. m-1, so psi "
            "lies between k (k - 1) / 2 and (k - 1)(2 m - k) / 2, which differ by (k - 1)(m - k).",
            "A closed walk enters the levels >= k by a step up to k, as often as it leaves them; over a stay "
            "the changes m x - s of psi add up.",
        ],
        [_crossings_on_edges(memory) for memory in EDGES],
    )


@claim(
    "two-arm-theorem/slopes",
    statement="Theorem 3. If slopes t(1), .., t(m-1) satisfy the inequalities of the domain at every level, "
    "no closed walk loses less than lam per step: {stated}.",
    where=WHERE,
    formulas={"stated": LOSES},
    domain={
        **WALK,
        "within": "all((m - k) * slope(k) <= h(2, k) - lam and h(1, m - k) - lam + k * slope(k) >= 0 "
        "for k in between(1, m - 1))",
        "coupled": "all(h(2, k) - lam - (m - k) * slope(k) + h(1, m - k + 1) - lam + (k - 1) * slope(k - 1) "
        ">= abs(slope(k) - slope(k - 1)) * ((k - 1) * (m - k)) for k in between(2, m - 1))",
        "constant": CONSTANT,
    },
    setting=TWO_ARMS,
    symbols={
        "a": "a(t), the actions of the walk",
        "slope": "slope(k), the slope t(k) of level k",
        "lam": "the bound",
    },
    model={"m": 3, "L": 2, "a": [1, 2], "h": [[0, "1/2", 1], [0, "1/2", 1]], "lam": 0, "slope": [0]},
)
def slopes(request: Request) -> Outcome:
    """Prove that the potential works on every kind of edge, for all m; evaluate every edge for small m."""
    return _shown(
        request,
        [
            "Phi = t_s psi + g(s), with g(k) - g(k-1) = A(k) - lam - (m - k) t(k) - max((t(k) - t(k-1)) psi) "
            "over the psi before a level is crossed (two-arm-theorem/crossings); slope and g at the levels 0 "
            "and m are those of 1 and m - 1.",
            "On no edge does Phi rise by more than the loss minus lam: where the level stays, by the first "
            "inequality; on a step up, by the choice of g; on a step down, by the second inequality, as the "
            "two ends of psi differ by (k - 1)(m - k).",
            "Along a closed walk Phi comes back.",
        ],
        [_slopes_on_edges(memory, rising=False) for memory in EDGES],
    )


@claim(
    "two-arm-theorem/rising-slopes",
    statement="Theorem 2. If p_l >= q_k for all k < l, slopes as in Theorem 3 exist, so that no closed walk "
    "loses less than lam per step: {stated}.",
    where=WHERE,
    formulas={"stated": LOSES},
    domain={
        **WALK,
        "constant": CONSTANT,
        "words": "all(implies(i + j >= m, total(runs(i, j), (m + 1) * (i + j)) - total(runs(i, j), m * (i + "
        "j)) >= lam * (i + j)) for i in between(1, m - 1) for j in between(1, m - 1))",
        "condition": "all(implies(k < l, k * (h(2, l) - lam) + (m - l) * (h(1, m - k) - lam) >= 0) "
        "for k in between(1, m - 1) for l in between(1, m - 1))",
    },
    setting=TWO_ARMS,
    symbols={"a": "a(t), the actions of the walk", "lam": "a bound that no such word beats"},
    model={"m": 3, "L": 2, "a": [1, 2], "h": [[0, "1/2", 1], [0, "1/2", 1]], "lam": "1/4"},
)
def rising(request: Request) -> Outcome:
    """Prove the construction of the slopes step by step, for all m; evaluate every edge for small m."""
    edges = [_slopes_on_edges(memory, rising=True) for memory in EDGES]
    return _shown(
        request,
        [
            "Write p_l = Al / (m - l), q_k = -Bk / k and z_k = k (m - k) t(k): for rising slopes the second "
            "inequality of Theorem 3 reads z_k - z_(k-1) <= c_k = A_k + B_(k-1) - 2 lam.",
            "The greedy slope falls only to p_l, as p_l >= q_(l-1). Where the greedy z has no slack since it "
            "last was at its upper end, it is above its lower end: the excess over lam of 0^(m-lo) 1^k is "
            "the sum of the slacks, plus (t_k - q_k) k (m - k), plus (p_lo - t_lo) lo (m - lo), and no such "
            "word is better than lam.",
            "Lowering slopes to make them rise keeps the inequalities; then Theorem 3.",
        ],
        edges,
    )


@claim(
    "two-arm-theorem/monotone",
    statement="If the losses of both actions rise with the tally, or those of one are constant, the "
    "condition of Theorem 2 holds: {stated}.",
    where=WHERE,
    formulas={"stated": CONDITION},
    domain={
        "levels": "1 <= k and k < l and l < m",
        "words_lose": "k * Ak + (m - k) * Bk >= 0 and l * Al + (m - l) * Bl >= 0",
        "table": "(Al >= Ak and Bl <= Bk) or (Bl == Bk and Bk >= 0) or (Al == Ak and Ak >= 0)",
    },
    setting=Setting(variables="l integer; Ak Al Bk Bl real"),
    symbols=EXCESSES,
    model={"k": 1, "l": 2, "m": 3, "Ak": 0, "Al": 1, "Bk": 1, "Bl": 0},
)
def monotone(request: Request) -> Outcome:
    """Prove the condition of Theorem 2 for all m; evaluate it on random tables."""
    tables = [bandit for memory in (3, 7, 20) for bandit in _monotone_tables(memory)]
    held = all(_no_short_word_pays(Levels(bandit, best_single_run_word(bandit)[0])) for bandit in tables)
    p = request.proof()
    p.have("implies(Al >= Ak, k * (l * Al) >= k * (l * Ak))")
    p.have("implies(Bl <= Bk, (m - l) * Bl <= (m - l) * Bk)")
    return request.conclude(
        p.shown() if held else None,
        remarks=(
            f"Evaluated: {len(tables)} random tables, m = 3, 7 and 20.",
            "Theorem 2 (two-arm-theorem/rising-slopes): a constant word or a 0^i 1^j, i + j >= m, is "
            "optimal.",
        ),
    )


def _monotone_tables(memory: int) -> Iterator[TallyingBandit]:
    for seed in range(20):
        zero, one = random_table(Random(f"rising/{memory}/{seed}"), 2, memory, DENOMINATOR).losses
        yield TallyingBandit([sorted(zero), sorted(one)])
        yield TallyingBandit([zero[:1] * memory, one])


def _shown(request: Request, sentences: list[str], evaluated: list[tuple[str, bool]]) -> Outcome:
    """What the sentences argue, unless an evaluation contradicts them; one that does not shows nothing."""
    return request.conclude(
        request.argue(*sentences) if all(holds for _, holds in evaluated) else None,
        remarks=[f"Evaluated: {words}." for words, holds in evaluated if holds],
    )


def _windows(memory: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every edge: a window of m actions and the next one."""
    return ((steps[:-1], steps[1:]) for steps in product((0, 1), repeat=memory + 1))


def _psi(window: tuple[int, ...]) -> int:
    """The weight of a one is its position, the oldest action being at 0."""
    return sum(position * action for position, action in enumerate(window))


def _crossings_on_edges(memory: int) -> tuple[str, bool]:
    """psi rises by m x - s, and lies within its bounds when a level is crossed."""
    holds = True
    for before, after in _windows(memory):
        s, x = sum(after), after[-1]
        holds &= _psi(after) - _psi(before) == memory * x - s
        if s != sum(before):
            k = max(s, sum(before))
            holds &= k * (k - 1) <= 2 * _psi(before) <= (k - 1) * (2 * memory - k)
    words = f"m = {memory}: psi, and where it lies at a crossing, on each of the {2 ** (memory + 1)} edges"
    return words, holds


def _slopes_on_edges(memory: int, *, rising: bool) -> tuple[str, bool]:
    """The potential of random tables, with slopes for the best bound they prove, on every edge."""
    tried, holds = 0, True
    for seed in range(12):
        bandit = random_table(Random(f"slopes/{memory}/{seed}"), 2, memory, 12)
        levels = Levels(bandit, best_single_run_word(bandit)[0])
        found = rising_slopes(levels) if rising else any_slopes(levels)
        if rising and _no_short_word_pays(levels):
            holds &= found is not None
        if found is not None:
            tried += 1
            holds &= _holds_on_edges(bandit, levels, found)
    edges = 2 ** (memory + 1)
    words = f"m = {memory}: the potential on each of the {edges} edges of {tried} random tables"
    return words, holds and tried > 0


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
