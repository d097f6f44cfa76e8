"""Definition 1 and the definitions that it builds on: what they ask for, and what is missing.

Stated (label def:tallying_bandit). An m-memory bounded, g-restricted, h-tallying adversary; after playing a_t
the player observes a random variable in [0,1] with mean h_{a_t}(y_t), y_t being the tally. A sqrt(T)-cyclic
policy has pi_{k sqrt(T) + t} = pi_t. The tallying bandit is said to be a special case of the rested bandit.

Found. The definitions fit together: the tally is between 1 and m, and the loss depends on the last m actions
and not on the time; the model is in the formulas. Two things are missing: T must be a square, and something
must be said about the dependence of the observations (`definition-1/independence`). The bandit is rested only
for m >= T: in a shorter memory a rest lowers the tally.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import isqrt

from proofs_check import definitions
from proofs_check.boxes import Found
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.steps import SHOWN, Fact, Given, Verdict
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.inductions import plays_only
from proofs_check.ways.sequences import SIZES, Play, alike, always, definition
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

WHERE = "Definition 1 (def:tallying_bandit)"
LENGTHS = {1: 6, 2: 7, 3: 5}  # sequences of up to this many steps, for each K
MEMORIES = range(1, 5)

Window = tuple[int, ...]

A, B, ONES = Play("a"), Play("b"), Play("o")
VARIABLES = "; ".join(
    [
        SIZES,
        *(play.variables for play in (A, B, ONES)),
        "tally(integer) o_tally(integer) next(integer) x p q w t i k integer",
    ]
)
TALLY = "tally(t), how often the action of step t occurs in the window of step t"
BOX = "K = 1..3, m = 1..4, all sequences of up to " + "/".join(map(str, LENGTHS.values())) + " steps"


def tally_of(play: Play, t: str, name: str = "tally") -> Fact:
    """The tally of step t."""
    a = play.name
    count = f"{a}_count({a}({t}), {t}) - {a}_count({a}({t}), max({t} - m, 0))"
    return definition("the tally", f"implies({t} >= 1, {name}({t}) == {count})", name)


@claim(
    "definition-1",
    statement="The loss of step t is defined: {stated}; m = 1 is the stochastic bandit: {stochastic}.",
    where=WHERE,
    formulas={
        "stated": "1 <= tally(t) and tally(t) <= m",
        "stochastic": "implies(m == 1, tally(t) == 1)",
        "met": "implies(t <= m, o_tally(t) == t)",
    },
    domain={"memory": "m >= 1", "time": "t >= 1"},
    integers="m t",
    symbols={"t": "a timestep", "tally": TALLY, "o_tally": "the same for the sequence that always plays 1"},
)
def definition_1(request: Request) -> Outcome:
    """Count the plays of an action in a window; count all sequences of a box as well."""
    f = request.formulas
    few = induction(
        VARIABLES,
        on="i",
        start=0,
        given=["p >= 0", A.counts("x", "p + i + 1")],
        then="0 <= a_count(x, p + i) - a_count(x, p) and a_count(x, p + i) - a_count(x, p) <= i",
        words="among i steps an action occurs between 0 and i times",
    )
    window: list[Given] = [
        *(f.memory, f.time, tally_of(A, "t"), A.counts("a(t)", "t")),
        few.at(x="a(t)", p="max(t - m, 0)", i="t - max(t - m, 0)"),
        few.at(x="a(t)", p="max(t - m, 0)", i="t - 1 - max(t - m, 0)"),
    ]
    plays = plays_only(VARIABLES, ONES)
    attained = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.time, tally_of(ONES, "t", "o_tally"), always(ONES, "1", "t")),
            *(plays.at(), plays.at(t="max(t - m, 0)")),
        ],
        then=f.met,
        words="constant play has tally t at step t <= m",
    )
    stated = request.show("stated", [few, for_all(VARIABLES, given=window, then=f.stated)])
    request.show("stochastic", [few, for_all(VARIABLES, given=window, then=f.stochastic)])
    met = request.show("met", [plays, attained])
    cases = [(m, actions) for m in MEMORIES for K in LENGTHS for actions, _ in _windows(K, m)]
    failing = next((case for case in cases if not _defined(f.stated, *case)), None)
    return request.conclude(
        stated,
        method="the plays in a window, counted by induction; all sequences of a box",
        cases=len(cases),
        checked_on=BOX,
        violation=None if failing is None else _undefined(*failing),
        tight=Tight("every tally 1..m occurs", met.verdict),
    )


def _defined(stated: Formula, m: int, actions: Window) -> bool:
    tally = definitions.tally(actions, len(actions) - 1, m)
    return stated.holds(m=m, t=len(actions), tally=lambda t: tally)


def _undefined(m: int, actions: Window) -> Found:
    """There is no loss for this tally."""
    defined = True
    try:
        _all_different(max(actions) + 1, m).loss(actions[-m:])
    except (IndexError, ValueError):
        defined = False
    return Found({"m": m, "actions": actions}, not defined)


@claim(
    "definition-1/memory",
    statement=(
        "A tallying adversary is m-memory bounded: of two sequences of p + m steps with the same last m "
        "actions {stated}."
    ),
    where="Definition of m-memory bounded adversaries",
    formulas={"stated": "a_loss(p + m) == b_loss(p + m)"},
    domain={"memory": "m >= 1", "past": "p >= 0"},
    integers="m p",
    symbols={
        "p": "the number of steps before the window",
        "a_loss": "a_loss(t), what one sequence loses at step t",
        "b_loss": "the same for one that agrees with it from step p + 1 on",
    },
)
def memory(request: Request) -> Outcome:
    """The counts of the window agree; compare all sequences with equal last actions on a box."""
    f = request.formulas
    same = alike(
        VARIABLES,
        A,
        "p",
        B,
        "p",
        agree=lambda i: definition(
            "the same last actions", f"implies(1 <= {i} <= m, a(p + {i}) == b(p + {i}))"
        ),
        given=[f.memory, f.past],
        upto="m",
    )
    last = for_all(VARIABLES, given=[f.memory, f.past, same.losses.at(i="m")], then=f.stated)
    sizes = [(K, m) for K in LENGTHS for m in MEMORIES]
    shorter = {(K, m): _clash(K, m, m - 1) for K, m in sizes if K > 1 and m > 1}
    exact = all(clash is not None and clash.confirmed() for clash in shorter.values())
    witness = shorter[2, 2]
    return request.conclude(
        request.show("stated", [same.counts, same.losses, last]),
        method="counts of the window, by induction; all pairs of sequences with the same end on a box",
        cases=sum(K ** LENGTHS[K] for K, _ in sizes),
        checked_on=BOX,
        violation=next(filter(None, (_clash(K, m, m) for K, m in sizes)), None),
        tight=Tight(
            "m exactly: m - 1 actions do not determine the loss if K, m >= 2 (K = 2, 3 and m = 2..4)",
            Verdict.CHECKED,
            witness.witness(),
        )
        if exact and witness
        else None,
    )


def _clash(K: int, m: int, window: int) -> Found | None:
    """Two sequences of m steps or more with the same last `window` actions and different losses."""
    bandit = _all_different(K, m)
    seen: dict[Window, tuple[Fraction, Window]] = {}
    for length in range(m, LENGTHS[K] + 1):
        for actions in product(range(K), repeat=length):
            end = actions[length - window :]
            loss, other = seen.setdefault(end, (_last_loss(bandit, actions), actions))
            if loss != _last_loss(bandit, actions):
                return _different(bandit, other, actions)
    return None


def _different(bandit: TallyingBandit, one: Window, other: Window) -> Found:
    """Confirmed by the loss of the instance itself, on the last m actions."""
    m = bandit.memory
    return Found({"one": one, "other": other}, bandit.loss(one[-m:]) != bandit.loss(other[-m:]), bandit)


def _all_different(K: int, m: int) -> TallyingBandit:
    """Losses that tell all cells apart."""
    return TallyingBandit([[Fraction(x * m + y, K * m) for y in range(m)] for x in range(K)])


def _last_loss(bandit: TallyingBandit, actions: Window) -> Fraction:
    return definitions.step_loss(bandit, actions, len(actions) - 1)


@claim(
    "definition-1/restricted",
    statement=(
        "A tallying adversary is g-restricted: the loss of a window does not depend on the time. If two "
        "sequences have the same window of w actions after p and after q steps, {stated}."
    ),
    where="Definitions of g-restricted and of h-tallying adversaries",
    formulas={"stated": "a_loss(p + w) == b_loss(q + w)"},
    domain={
        "memory": "m >= 1",
        "pasts": "p >= 0 and q >= 0",
        "width": "1 <= w <= m",
        "short": "w == m or (p == 0 and q == 0)",
    },
    integers="m p q w",
    symbols={
        "p": "the steps before the window in the first sequence",
        "q": "the steps before the window in the second sequence",
        "w": "the length of the window, m unless the game has just begun",
        "a_loss": "a_loss(t), what the first sequence loses at step t",
        "b_loss": "the same for the second",
    },
)
def restricted(request: Request) -> Outcome:
    """The counts of the two windows agree; put every window of a box at every time it can have."""
    f = request.formulas

    def agree(i: str) -> Fact:
        return definition("the same window", f"implies(1 <= {i} <= w, a(p + {i}) == b(q + {i}))")

    counts = alike(VARIABLES, A, "p", B, "q", agree=agree, given=[f.memory, f.pasts], upto="w").counts
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            A.loses("p + w"),
            B.loses("q + w"),
            agree("w"),
            counts.at(x="a(p + w)", i="w"),
        ],
        then=f.stated,
        words="the same action at the same tally",
    )
    cases = [(K, m, *both) for K in LENGTHS for m in MEMORIES for both in _windows(K, m)]
    failing = next((case for case in cases if not _independent_of_time(*case)), None)
    return request.conclude(
        request.show("stated", [counts, last]),
        method="counts of two windows, by induction; every window of a box at every time",
        cases=len(cases),
        checked_on=BOX,
        violation=None
        if failing is None
        else _different(_all_different(*failing[:2]), failing[2], failing[3]),
    )


def _windows(K: int, m: int) -> Iterator[tuple[Window, Window]]:
    """Every sequence and the window of its last step."""
    for length in range(1, LENGTHS[K] + 1):
        for actions in product(range(K), repeat=length):
            yield actions, actions[max(0, length - m) :]


def _independent_of_time(K: int, m: int, actions: Window, window: Window) -> bool:
    """Is the last loss that of its window?"""
    bandit = _all_different(K, m)
    return _last_loss(bandit, actions) == bandit.losses[window[-1]][window.count(window[-1]) - 1]


@claim(
    "definition-1/cyclic",
    statement=(
        "pi is sqrt(T)-cyclic if pi_(k sqrt(T) + t) = pi_t for all k and t; nothing is said about T, but the "
        "index must be an integer: {stated}."
    ),
    where="Section 4.1, before Algorithm 1",
    formulas={
        "stated": "integer(k * sqrt(T) + t)",
        "square": "implies(L >= 1 and T == L * L, k * sqrt(T) + t == k * L + t)",
        "rest": "implies(L >= 1 and L * L <= T and T <= (L + 1)**2 - 1, T - L * L <= 2 * L)",
    },
    domain={
        "horizon": "T >= 1",
        "place": "1 <= t and t <= sqrt(T)",
        "period": "0 <= k and k <= sqrt(T) - 1",
    },
    integers="T t k L",
    symbols={"t": "a place in a period", "k": "a number of periods"},
)
def cyclic(request: Request) -> Outcome:
    """An index must be an integer: search the smallest T at which it is not; for squares it is, by z3."""
    f = request.formulas  # an integer is at most sqrt(T) if and only if it is at most L = floor(sqrt(T))
    box = [(T, k, t) for T in range(1, 101) for k in range(isqrt(T)) for t in range(1, isqrt(T) + 1)]
    hypotheses = [one.put("sqrt(T)", "L") if "sqrt(T)" in str(one) else one for one in request.domain]
    inside = [(T, k, t) for T, k, t in box if all(one.holds(T=T, L=isqrt(T), k=k, t=t) for one in hypotheses)]
    failing = next((case for case in inside if not _is_index(f.stated, *case)), None)
    variables = "T t k L integer"
    root = for_all(
        variables,
        given=["L >= 1", "T == L * L"],
        then="sqrt(T) == L",
        words="the root of a square is an integer",
    )
    squares = request.show("square", [root, for_all(variables, given=[root.at()], then=f.square)])
    rest = request.show("rest", [for_all(variables, then=f.rest)])
    return request.conclude(
        None,
        method="T = 1..100, every k and t; z3 for squares",
        cases=len(inside),
        checked_on="T = 1..100",
        violation=None if failing is None else _no_index(*failing),
        repair=Repair(
            "T a square; otherwise play L * L steps, L = floor(sqrt(T)), and at most 2 L are left.",
            squares.verdict if rest.verdict in SHOWN else Verdict.UNDECIDED,
        ),
    )


def _is_index(stated: Formula, T: int, k: int, t: int) -> bool:
    """Whether the statement holds, by sympy, which knows that the root of no square is irrational."""
    import sympy

    return bool(stated.sympy(T=sympy.Integer(T), k=sympy.Integer(k), t=sympy.Integer(t)))


def _no_index(T: int, k: int, t: int) -> Found:
    """The square of k sqrt(T) is the integer k^2 T, which is no square."""
    facts = {"T": T, "k": k, "t": t, "index": f"{t} + {k} sqrt({T})"}
    return Found(facts, isqrt(k * k * T) ** 2 != k * k * T)


@claim(
    "definition-1/rested",
    statement=(
        "The tallying bandit is a special case of the rested bandit, where an arm's reward changes when it "
        "is pulled: while x rests, its next tally stays, {stated}."
    ),
    where="Section 3, after Definition 1, and Section 5, restless and rested bandits",
    formulas={
        "stated": "implies(rests == 1, next(t + 1) == next(t))",
        "long": "implies(m >= T and t + 2 <= T and rests == 1, next(t + 1) == next(t))",
    },
    domain={"memory": "m >= 1", "time": "t >= 0"},
    integers="m t T rests",
    symbols={
        "t": "a number of steps",
        "next": "next(t), the tally that x would have at step t + 1",
        "rests": "1 if step t + 1 does not play x, else 0",
    },
)
def rested(request: Request) -> Outcome:
    """Search the smallest sequence after which a rest changes the tally; for m >= T there is none, by z3."""
    f = request.formulas
    cases = [(m, word) for m in range(1, 5) for word in _short_words(2, 5)]
    failing = next((case for case in cases if not _stays(f.stated, *case)), None)
    step = for_all(
        VARIABLES,
        given=[
            *(f.memory, f.time, A.counts("x", "t + 1"), _next("t"), _next("t + 1")),
            definition("a rest", "(rests == 1) == (a(t + 1) != x)", "rests"),
        ],
        then=f.long,
        words="for m >= T the window holds all that was played, and a rest adds nothing",
    )
    return request.conclude(
        None,
        method="all short sequences of two actions; z3 for m >= T",
        cases=len(cases),
        checked_on="K = 2, m = 1..4, t <= 4",
        violation=None if failing is None else _changed_by_rest(*failing),
        remarks=("A reward that depends on the pulls of its own arm alone cannot do this.",),
        repair=Repair(
            "It is for m >= T, where the tally is the number of plays so far.",
            request.show("long", [step]).verdict,
        ),
    )


def _next(t: str) -> Fact:
    count = f"1 + a_count(x, {t}) - a_count(x, max({t} + 1 - m, 0))"
    return definition("the next tally of x", f"implies({t} >= 0, next({t}) == {count})", "next")


def _short_words(K: int, most: int) -> Iterator[Window]:
    return (word for length in range(1, most + 1) for word in product(range(K), repeat=length))


def _next_tally(m: int, past: Window) -> int:
    """Of action 0, after `past`."""
    return definitions.tally((*past, 0), len(past), m)


def _stays(stated: Formula, m: int, word: Window) -> bool:
    t = len(word) - 1
    return stated.holds(t=t, rests=int(word[-1] != 0), next=lambda s: _next_tally(m, word[: int(s)]))


def _changed_by_rest(m: int, word: Window) -> Found:
    """Confirmed on losses that tell all tallies apart, by the instance itself."""
    bandit = _all_different(2, m)
    before, after = ((*word[:-1], 0)[-m:], (*word, 0)[-m:])
    facts = {
        "m": m,
        "x": 0,
        "played": word[:-1],
        "next tally": _next_tally(m, word[:-1]),
        "then": word[-1],
        "tally after the rest": _next_tally(m, word),
    }
    return Found(facts, word[-1] != 0 and bandit.loss(before) != bandit.loss(after), bandit)
