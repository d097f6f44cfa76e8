"""Two arms: a constant or a two-run word is optimal, and potentials that prove it without the state graph."""

from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

from proofs_check.boxes import random_table
from proofs_check.cones import has_library
from proofs_check.ours import hull as cone
from proofs_check.ours.hull import Counts, Hull, hull_of, table_of
from proofs_check.stating import Outcome, Request, Setting, Violation, Witness, claim
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.mean_cycle import cycle_on_graph
from tallyplan.planning.single_run import best_single_run_word

WHERE = "Two arms (ours, docs/large-memory.md)"
USUAL, THOROUGH = 12, 17  # memories up to which the hull is computed
PLAIN_THOROUGH = 16  # the same without pplpy, whose facets at m = 17 take a quarter of an hour in Python
BEYOND = 14  # a memory at which tables are planned on the graph
DENOMINATORS = (1, 4, 1000)  # ties are where a proof is missing: few values, many of them
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


@claim(
    "two-arm-theorem",
    statement="For two actions and every table of real numbers, no closed walk loses less per step than the "
    "best constant word or word 0^i 1^j with i, j < m: {stated}.",
    formulas={"stated": "mean >= best"},
    domain={"memory": f"1 <= m and m <= {USUAL}"},
    symbols={"best": BEST},
)
def theorem(request: Request) -> Outcome:
    """Compute the facets of the cone of these words, and certify for each that no closed walk violates it."""
    hulls = [hull_of(memory) for memory in range(1, USUAL + 1)]
    broken = {hull.memory: cone.violated(hull, request) for hull in hulls}
    more = _more_memories(request)
    return request.conclude(
        request.argue(
            _told(hulls),
            "The counts of a walk lie in the cone, so it is a sum of words in what it loses.",
        )
        if _covered(request)
        else None,
        cases=sum(len(hull.facets) + 2 * len(hull.equations) for hull in (*hulls, *more)),
        violation=next((_beaten(row, memory) for memory, row in broken.items() if row is not None), None),
        remarks=[_told([hull]) for hull in more if cone.violated(hull, request) is None],
    )


def _covered(request: Request) -> bool:
    """Whether the claim is about no other memories than those whose hulls are computed."""
    memory = request.formulas.memory
    return not (memory.holds(m=0) or memory.holds(m=USUAL + 1))


def _more_memories(request: Request) -> list[Hull]:
    """The hulls of the larger memories of a thorough run."""
    longest = THOROUGH if has_library() else PLAIN_THOROUGH
    return [hull_of(memory) for memory in range(USUAL + 1, longest + 1)] if request.thorough else []


def _told(hulls: list[Hull]) -> str:
    found = ", ".join(str(len(hull.facets) + 2 * len(hull.equations)) for hull in hulls)
    return (
        f"m = {', '.join(str(hull.memory) for hull in hulls)}: the cone of these words is given by {found} "
        "inequalities, an equation being two. No closed walk violates one, by certificates that the "
        "independent checker accepted."
    )


def _beaten(row: Counts, memory: int) -> Violation:
    """The costs of a violated facet are a table on which every two-run word is beaten."""
    case = _planned(table_of(row, memory))
    return Violation(Witness(case), case["mean"] < case["best"])


def _planned(bandit: TallyingBandit) -> dict[str, Any]:
    """The best closed walk of a table, and its best word of one or two runs."""
    answer = cycle_on_graph(bandit)
    best = best_single_run_word(bandit)[0]
    return {"m": bandit.memory, "word": answer.word, "mean": answer.value, "best": best}


@claim(
    "two-arm-theorem/all-memories",
    statement="The two-arm theorem holds for every memory m: {stated}.",
    formulas={"stated": "mean >= best"},
    domain={"memory": "m >= 1"},
    symbols={"best": BEST},
    uses=("two-arm-theorem",),
)
def all_memories(request: Request) -> Outcome:
    """Open beyond the memories of two-arm-theorem; a few random tables there are planned on the graph."""
    known = request.result("two-arm-theorem").outcome
    tables = [random_table(Random(f"two-arms/{i}"), 2, BEYOND, i) for i in DENOMINATORS]
    return request.conclude(
        None,
        box=[walk for bandit in tables for walk in _walks(bandit)],
        remarks=(
            f"For m up to {USUAL} it is {known.verdict} (claim two-arm-theorem); beyond it is open.",
            f"Looked at besides: {len(tables)} random tables of memory {BEYOND}, on which the best closed "
            "walk and a constant word lose no less than the best word; this shows nothing about others.",
            "For falling or rising losses, with a constant arm, and wherever slopes exist, it holds for "
            "every m (claims two-arm-theorem/monotone, two-arm-theorem/slopes).",
        ),
    )


def _walks(bandit: TallyingBandit) -> list[dict[str, Any]]:
    """The best closed walk of a table and a constant word."""
    best = _planned(bandit)
    return [best, {**best, "word": (0,), "mean": mean_of_word(bandit, (0,))}]


@claim(
    "two-arm-theorem/crossings",
    statement="Theorem 1. For every closed walk {stated}.",
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
    """A potential that counts later ones more; evaluate short closed walks."""
    return request.conclude(
        request.argue(
            "A step x to s ones in the window changes psi, the sum of (m - 1 - i) x_(t - i), by m x - s: one "
            "step later every action in the window counts one less.",
            "Before a level is crossed, k - 1 ones are at different places of the weights 1 .. m-1, so psi "
            "lies between k (k - 1) / 2 and (k - 1)(2 m - k) / 2, which differ by (k - 1)(m - k).",
            "A closed walk enters the levels >= k by a step up to k, as often as it leaves them; over a stay "
            "the changes m x - s of psi add up.",
        ),
        box=[
            {"m": m, "k": k, "word": word, **_crossed(word, m, k)}
            for m in range(1, 7)
            for length in range(1, 8)
            for word in product((0, 1), repeat=length)
            for k in range(1, m + 1)
        ],
        checked_on="m = 1..6, all words of at most 7 letters",
    )


def _crossed(word: tuple[int, ...], m: int, k: int) -> dict[str, Fraction]:
    """D and u of a word that is repeated forever."""
    turns = word * (m + 2)
    ones = [sum(turns[end - m : end]) for end in range(len(turns) - len(word), len(turns) + 1)]
    steps = list(zip(pairwise(ones), word, strict=True))  # the level before and after, the action
    D = sum(after - m * x for (_, after), x in steps if after >= k)
    u = sum(levels == (k - 1, k) for levels, _ in steps)
    return {"D": Fraction(D, len(word)), "u": Fraction(u, len(word))}


@claim(
    "two-arm-theorem/slopes",
    statement="Theorem 3. If slopes t(1), .., t(m-1) satisfy the inequalities of the domain at every level, "
    "no closed walk loses less than lam per step: {stated}.",
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
        "slope": "slope(k), the slope t(k) of level k",
        "lam": "the bound",
    },
    model={"m": 3, "L": 2, "a": [1, 2], "h": [[0, "1/2", 1], [0, "1/2", 1]], "lam": 0, "slope": [0]},
)
def slopes(request: Request) -> Outcome:
    """A potential works on every kind of edge, for all m; evaluate some walks and slopes."""
    return request.conclude(
        request.argue(
            "Phi = t_s psi + g(s), with g(k) - g(k-1) = A(k) - lam - (m - k) t(k) - max((t(k) - t(k-1)) psi) "
            "over the psi before a level is crossed (two-arm-theorem/crossings); slope and g at the levels 0 "
            "and m are those of 1 and m - 1.",
            "On no edge does Phi rise by more than the loss minus lam: where the level stays, by the first "
            "inequality; on a step up, by the choice of g; on a step down, by the second inequality, as the "
            "two ends of psi differ by (k - 1)(m - k).",
            "Along a closed walk Phi comes back.",
        ),
    )


@claim(
    "two-arm-theorem/rising-slopes",
    statement="Theorem 2. If p_l >= q_k for all k < l, slopes as in Theorem 3 exist, so that no closed walk "
    "loses less than lam per step: {stated}.",
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
    symbols={"lam": "a bound that no such word beats"},
    model={"m": 3, "L": 2, "a": [1, 2], "h": [[0, "1/2", 1], [0, "1/2", 1]], "lam": "1/4"},
)
def rising(request: Request) -> Outcome:
    """Construct the slopes step by step, for all m; evaluate some walks."""
    return request.conclude(
        request.argue(
            "Write p_l = Al / (m - l), q_k = -Bk / k and z_k = k (m - k) t(k): for rising slopes the second "
            "inequality of Theorem 3 reads z_k - z_(k-1) <= c_k = A_k + B_(k-1) - 2 lam.",
            "The greedy slope falls only to p_l, as p_l >= q_(l-1). Where the greedy z has no slack since it "
            "last was at its upper end, it is above its lower end: the excess over lam of 0^(m-lo) 1^k is "
            "the sum of the slacks, plus (t_k - q_k) k (m - k), plus (p_lo - t_lo) lo (m - lo), and no such "
            "word is better than lam.",
            "Lowering slopes to make them rise keeps the inequalities; then Theorem 3.",
        ),
    )


@claim(
    "two-arm-theorem/monotone",
    statement="If the losses of both actions rise with the tally, or those of one are constant, the "
    "condition of Theorem 2 holds: {stated}.",
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
    """Two products; the condition of Theorem 2 is linear in them."""
    return request.conclude(
        request.proof().shown(),
        remarks=(
            "Theorem 2 (two-arm-theorem/rising-slopes): a constant word or a 0^i 1^j, i + j >= m, is "
            "optimal.",
        ),
    )
