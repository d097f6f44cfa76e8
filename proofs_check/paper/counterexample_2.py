"""Counterexample 2: a lock with 2^(m-1) combinations, for adversaries that are g-restricted but not tallying.

Stated (label counterexample2). Two actions, b uniform in X^(m-1). Playing x_1 right after b_1, ..., b_{m-1}
loses 0, everything else loses 1. Playing b_1, ..., b_{m-1}, x_1 over and over loses 0 at least once every m
steps, while finding b takes a player Omega(2^m) steps, so that E[CPR] = Omega(min{2^m, T}/m).

Shown. Omega asks for one constant c > 0 from some m and T on. There is none: for T = m - 1, however large m
is, no window is full, everybody loses 1 at every step, and the regret is 0, while min{2^m, T}/m is at least
1/2. For m >= 2 and T >= m the bound holds with constant 1/16. Until the first 0 the player sees only ones, so
his first M full windows, in the steps m .. N = M + m - 1, are fixed in advance; they contain b with
probability at most M/2^(m-1). Otherwise he has lost 1 at each of the first N steps. If N = T, a competitor
that opens the lock at step m does better by 1. If M >= m, a competitor opens it floor(M/m) times in M steps,
then copies the player's last m - 1 actions and goes on like him. For m >= 4 take M = min(T - m + 1, 2^(m-2)),
for m = 3 take M = min(T - 2, 3); for m = 2 the player knows b after step 2, and the regret is periodic in T.
The exact least expected regret is computed by a recursion over (last m - 1 actions, combinations left) for
small m.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_check.boxes import Found, span
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.computations.lock import least_expected_regret, loss, total_loss
from proofs_check.steps import SHOWN, Fact, Step, Verdict, argued, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.laws import power_at, power_of_sum
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula
from tallyplan.model.words import Word

WHERE = "Counterexample 2 (counterexample2)"
STATED = Formula("min(2**m, T) / m")  # up to a constant
CONSTANT = Fraction(1, 16)
FIRST_INDEX = Formula("t - m + 1")
MANY = Formula("2**m / 4")
TINY_CONSTANT = Fraction(1, 10**9)  # a constant that Omega might hide
FAMILY = range(2, 7)  # memories at which T = m - 1 is computed
VARIABLES = (
    "m T t i q integer; c(integer) b(integer) bad(integer) lose(integer) integer; "
    "player(integer) rival(integer) player_lose(integer) rival_lose(integer) regret bound real"
)
REGRET = "the least expected complete policy regret of a player, b being uniform"


@claim(
    "counterexample-2",
    statement=(
        "E[CPR] = Omega({bound}) for every player: there is a constant c > 0 such that, for all m and T from "
        "some size on, {stated}."
    ),
    where=WHERE,
    formulas={
        "bound": STATED,
        "stated": "regret >= c * bound",
        "nothing": "implies(T == m - 1, regret == 0)",
        "asked": "implies(m >= 2 and T == m - 1, bound >= 1 / 2)",
        "repaired": f"implies(m >= 2 and T >= m, regret >= {CONSTANT} * bound)",
    },
    domain={"memory": "m >= 1", "horizon": "T >= 1"},
    integers="m T",
    symbols={"regret": REGRET, "c": "a constant, the same for all m and T"},
)
def counterexample_2(request: Request) -> Outcome:
    """At T = m - 1 there is nothing to regret, for every m; compute small cases; bound m >= 2 and T >= m."""
    f = request.formulas
    sizes = list(_box(request))
    regrets = {}
    for m, T in sizes:
        request.progress(f"counterexample-2: m = {m}, T = {T}")
        regrets[m, T] = least_expected_regret(m, T)
    proper = [(m, T) for m, T in sizes if m >= 2 and m <= T]
    ratios = {m: min(regrets[size] / _stated(*size) for size in proper if size[0] == m) for m, _ in proper}
    least = ", ".join(f"{ratio} for m = {m}" for m, ratio in ratios.items())
    nothing, asked = request.show("nothing", _nothing(request)), request.show("asked", _asked(request))
    repaired = request.show("repaired", _lower_bound(request))
    met = all(f.repaired.holds(m=m, T=T, regret=regret) for (m, T), regret in regrets.items())
    return request.conclude(
        None,
        method="T = m - 1 for every m; the least expected regret by a recursion over beliefs",
        cases=len(sizes),
        checked_on=f"T = m - 1 for m = {span(FAMILY)} (by enumeration) and for all m (argued)",
        violation=_family(request) if {nothing.verdict, asked.verdict} <= set(SHOWN) else None,
        remarks=(
            f"For m >= 2 and T >= m the least regret divided by {f.bound} is at least {least} (T to 2^m + m "
            "for m <= 4).",
            f"For example m = 4, T = 16: {least_expected_regret(4, 16)}; for a player who sees only his own "
            f"loss, {least_expected_regret(4, 16, both_losses=False)}.",
            "Full information means that after each step the player sees what either action would have lost "
            "there. One who saw the function f_t on all of X^t would read off b at step m.",
        ),
        repair=Repair(f"{f.repaired}, for every player.", repaired.verdict if met else Verdict.UNDECIDED),
        tight=Tight(
            f"the regret divided by {f.bound} is {min(ratios.values())} at the least, m = 2..{max(ratios)}",
            Verdict.CHECKED,
        ),
    )


def _family(request: Request) -> Found | None:
    """T = m - 1 violates the statement for every m of the family, however small the constant is."""
    f = request.formulas
    regrets = {m: least_expected_regret(m, m - 1) for m in FAMILY}
    if any(f.stated.holds(m=m, T=m - 1, c=TINY_CONSTANT, regret=regret) for m, regret in regrets.items()):
        return None
    facts = {
        "horizon": "m - 1, for every memory m >= 2",
        "least regret": 0,
        "bound at m = 2, 3, ...": tuple(_stated(m, m - 1) for m in FAMILY),
    }
    return Found(facts, all(_nothing_to_regret(m, m - 1) for m in FAMILY))


def _unopened(t: str, lose: str) -> Fact:
    """A window of fewer than m actions loses 1."""
    return definition("the lock", f"implies(1 <= {t} and {t} < m, {lose}({t}) == 1)")


def _sums(total: str, lose: str) -> Fact:
    return definition("a total", f"{total}(0) == 0 and {total}(t + 1) == {total}(t) + {lose}(t + 1)")


def _nothing(request: Request) -> list[Step]:
    """In m - 1 steps every sequence loses 1 at each."""
    f = request.formulas
    totals = [
        induction(
            VARIABLES,
            on="t",
            start=0,
            upto="m - 1",
            given=[_sums(who, f"{who}_lose"), _unopened("t + 1", f"{who}_lose")],
            then=f"{who}(t) == t",
            words="no window of the first m - 1 steps is full, so all of them lose 1",
        )
        for who in ("player", "rival")
    ]
    mean = argued(
        "what every sequence loses on every b is also the mean",
        then="implies(player(T) == T and rival(T) == T, regret == 0)",
    )
    last = for_all(
        VARIABLES,
        given=[f.memory, *(one.at(t="T") for one in totals), f.horizon, *conclusions(mean)],
        then=f.nothing,
    )
    return [*totals, mean, last]


def _asked(request: Request) -> list[Step]:
    """2^m is more than m - 1, so the bound is (m - 1)/m."""
    f = request.formulas
    powers = induction(
        VARIABLES, on="m", start=1, given=[power_of_sum("2", "m", "1")], then="2**m >= m + 1", words="2^m > m"
    )
    return [powers, for_all(VARIABLES, given=[f.memory, powers.at()], then=f.asked)]


def _lower_bound(request: Request) -> list[Step]:
    """E[CPR] >= CONSTANT * STATED for m >= 4, m = 3 and m = 2."""
    f = request.formulas
    powers = induction(
        VARIABLES,
        on="m",
        start=4,
        given=[power_of_sum("2", "m", "1")],
        then="2**m >= 4 * m",
        words="2^m >= 4 m",
    )
    found = argued(
        "until the first 0 the player sees only ones, so his first M = min(T - m + 1, 2^(m-2)) full windows "
        "are fixed in advance and hold b with probability at most 1/2; else he has lost 1 at each step so "
        "far, and a competitor opens the lock max(1, floor(M/m)) times in these steps and ends like him",
        then="implies(m >= 4 and T >= m, 2 * regret >= max(1, floor(min(T - m + 1, 2**m / 4) / m)))",
    )
    three = argued(
        "the same with M = min(T - 2, 3) windows, which hold b with probability at most M/4",
        then="implies(m == 3 and T >= 3, regret >= (1 / 2 if T <= 4 else 1 / 4))",
    )
    two = argued(_memory_two(), then="implies(m == 2 and T >= 2, regret >= 1 / 8)")
    parts = [
        for_all(
            VARIABLES,
            given=[f.memory, f.horizon, "m >= 4", "T >= m", powers.at(), found.at()],
            then=f"regret >= {CONSTANT} * ({f.bound})",
            words="m >= 4",
        ),
        for_all(
            VARIABLES,
            given=[f.memory, f.horizon, "m == 3", "T >= m", three.at()],
            then=f"regret >= {CONSTANT} * ({f.bound.where(m=3)})",
            words="m = 3",
        ),
        for_all(
            VARIABLES,
            given=[f.memory, f.horizon, "m == 2", "T >= m", two.at()],
            then=f"regret >= {CONSTANT} * ({f.bound.where(m=2)})",
            words="m = 2",
        ),
    ]
    same = [power_at("m", m) for m in (2, 3)]
    last = for_all(
        VARIABLES,
        given=[f.memory, f.horizon, *same, *(part.at() for part in parts)],
        then=f.repaired,
    )
    return [powers, found, three, two, *parts, last]


def _memory_two() -> str:
    """m = 2: after step 2 the player knows b, and what is left to lose is periodic in the number of steps.

    The recursion commutes with adding a constant; so once the values of n + 2 steps are those of n steps
    plus a constant, for either b, they stay so, and the regret of T + 2 steps is that of T.
    """
    layers = {b: _layers_of_two(b, 12) for b in (0, 1)}
    steady = next(
        n
        for n in range(10)
        if all(len({x - y for x, y in zip(v[n + 2], v[n], strict=True)}) == 1 for v in layers.values())
    )
    horizons = range(2, steady + 2 + 2 + 1)
    least = min(least_expected_regret(2, T) for T in horizons)
    return (
        f"m = 2: from T = {steady + 2} on the regret has period 2 in T; at T = {span(horizons)} it is "
        f"{least} at the least, by the recursion"
    )


@claim(
    "counterexample-2/steps",
    statement=(
        "Suffering zero loss is at least as hard as identifying b, and this requires Omega(2^m) timesteps: "
        "until b has shown itself with probability 1/2, {stated}."
    ),
    where=WHERE,
    formulas={"stated": f"steps >= {MANY}", "exact": "implies(m >= 2, steps >= 2**m / 4 + m - 1)"},
    domain={"memory": "m >= 1", "likely": "probability >= 1 / 2"},
    integers="m steps",
    symbols={
        "steps": "a number of steps",
        "probability": "the probability that x_1 loses 0, or would lose 0, at one of them, b being uniform",
    },
)
def steps_to_find(request: Request) -> Outcome:
    """Each step tests one combination, none before step m; find the fewest steps on a box by enumeration."""
    f = request.formulas
    memories = range(1, 6)
    fewest = {m: _fewest_steps(m) for m in memories}
    tests = argued(
        "until the first 0 the player sees only ones, so his windows are fixed in advance; each full one "
        "opens the lock for one of the 2^(m-1) combinations",
        then="probability * 2**m <= 2 * max(steps - m + 1, 0)",
    )
    positive = for_all("m steps integer", given=[f.memory], then="2**m > 0")
    given = [*request.domain, *conclusions(tests, positive)]
    stated = request.show("stated", [tests, positive, for_all("m steps integer", given=given, then=f.stated)])
    exact = request.show("exact", [tests, positive, for_all("m steps integer", given=given, then=f.exact)])
    failing = next((m for m in memories if not f.stated.holds(m=m, steps=fewest[m])), None)
    attained = all(f.exact.holds(m=m, steps=fewest[m]) for m in memories) and not any(
        f.exact.holds(m=m, steps=fewest[m] - 1) for m in memories if m >= 2
    )
    return request.conclude(
        stated,
        method="one combination for each step; the fewest steps for small m",
        cases=len(memories),
        checked_on=f"m = {span(memories)}",
        violation=None if failing is None else Found({"m": failing, "steps": fewest[failing]}, True),
        tight=Tight(f"{f.exact}, attained for m = 2..{memories[-1]}", exact.verdict) if attained else None,
    )


def _fewest_steps(m: int) -> int:
    """The fewest steps in which some sequence plays half of the combinations, each before another action."""
    steps = 1
    while True:
        tested = (
            len({actions[t - m + 1 : t] for t in range(m - 1, steps)})
            for actions in product((0, 1), repeat=steps)
        )
        if 2 * max(tested) >= 2 ** (m - 1):
            return steps
        steps += 1


def _word(i: str) -> Fact:
    """The cyclic policy plays b_1, ..., b_{m-1}, x_1 over and over; x_1 is 1."""
    return definition(
        "the cyclic policy",
        f"implies({i} >= 1, c({i} + m) == c({i})) and "
        f"implies(1 <= {i} <= m - 1, c({i}) == b({i})) and c(m) == 1",
        "c",
    )


def _opens_unless(t: str) -> Fact:
    """A full window loses 0 unless the last action is not x_1 or some action is not that of b."""
    return definition(
        "the lock",
        f"implies({t} >= m, lose({t}) == 0 or c({t}) != 1 or "
        f"(1 <= bad({t}) <= m - 1 and c({t} - m + bad({t})) != b(bad({t}))))",
        "lose",
    )


@claim(
    "counterexample-2/cyclic-policy",
    statement=(
        "The policy that cyclically plays b_1, ..., b_(m-1), x_1 loses 0 at least once every m timesteps: "
        "after any t steps, at step {open}, {stated}."
    ),
    where=WHERE,
    formulas={
        "open": "m * (floor(t / m) + 1)",
        "stated": "t + 1 <= open and open <= t + m and lose(open) == 0",
    },
    domain={"memory": "m >= 1", "time": "t >= 0"},
    integers="m t",
    symbols={"t": "a number of steps", "lose": "lose(t), what the policy loses at step t"},
)
def cyclic_policy(request: Request) -> Outcome:
    """At every multiple of m the window is the whole word; replay all combinations for small m."""
    f = request.formulas
    memories = range(1, 8)
    failing = next(
        (b for m in memories for b in product((0, 1), repeat=m - 1) if not _opens(request, b)), None
    )
    same = induction(
        VARIABLES,
        on="q",
        start=0,
        given=[f.memory, "i >= 1", _word("q * m + i")],
        then="c(q * m + i) == c(i)",
        words="q turns later the policy plays the same",
    )
    opens = for_all(
        VARIABLES,
        given=[
            *(f.memory, "q >= 0", _opens_unless("m * (q + 1)"), _word("bad(m * (q + 1))")),
            *(same.at(i="bad(m * (q + 1))"), same.at(i="m")),
        ],
        then="lose(m * (q + 1)) == 0",
        words="at every multiple of m the window is the word",
    )
    near = for_all(
        VARIABLES,
        given=[f.memory, f.time],
        then="floor(t / m) >= 0 and m * floor(t / m) <= t and t < m * floor(t / m) + m",
        words="any m steps in a row hold a multiple of m",
    )
    last = for_all(
        VARIABLES,
        given=[f.memory, f.time, *conclusions(near), opens.at(q="floor(t / m)")],
        then=f.stated,
    )
    return request.conclude(
        request.show("stated", [same, opens, near, last]),
        method=f"the window at multiples of m; all combinations replayed for m = {span(memories)}",
        cases=sum(2 ** (m - 1) for m in memories),
        checked_on=f"m = {span(memories)}, every b, t <= 2 m",
        violation=None if failing is None else Found({"b": failing}, not _opens_again(failing)),
    )


def _opens(request: Request, b: Word) -> bool:
    """Does the statement hold for t = 0 .. 2 m?"""
    m = len(b) + 1
    played = (*b, 0) * 4
    lose = {t: loss(b, played[max(0, t - m) : t]) for t in range(1, 4 * m + 1)}
    stated = request.formulas.stated
    return all(stated.holds(m=m, t=t, lose=lambda at: lose.get(int(at), 1)) for t in range(2 * m + 1))


def _opens_again(b: Word) -> bool:
    """Is the total loss of 3 m steps at most 3 m - 3?"""
    return total_loss(b, (*b, 0) * 3) <= 3 * len(b)


@claim(
    "counterexample-2/index",
    statement="f_t(a_(1:t)) is a function of the actions from step {first} on, for every t: {stated}.",
    where=WHERE,
    formulas={
        "first": FIRST_INDEX,
        "stated": "first >= 1",
        "exactly": "(first >= 1) == (t >= m)",
        "repaired": "max(1, first) >= 1",
    },
    domain={"memory": "m >= 1", "time": "t >= 1"},
    integers="m t",
    symbols={"t": "a timestep"},
)
def first_index(request: Request) -> Outcome:
    """Look for the smallest t and m at which the first index is not a timestep."""
    f = request.formulas
    box = [(m, t) for m in range(1, 6) for t in range(1, 6)]
    inside = [(m, t) for m, t in box if f.memory.holds(m=m) and f.time.holds(t=t)]
    failing = next(((m, t) for m, t in inside if not f.stated.holds(m=m, t=t)), None)
    exactly = request.show("exactly", [for_all("t m integer", given=request.domain, then=f.exactly)])
    repaired = request.show("repaired", [for_all("t m integer", given=request.domain, then=f.repaired)])
    return request.conclude(
        None,
        method="search over m and t, and z3 for all of them",
        cases=len(box),
        checked_on="m, t = 1..5",
        violation=_no_step(*failing, int(f.first(m=failing[0], t=failing[1]))) if failing else None,
        tight=Tight("t >= m, exactly", exactly.verdict),
        repair=Repair(
            f"A slip: the index is max(1, {f.first}), as in the definition above it.", repaired.verdict
        ),
    )


def _no_step(m: int, t: int, first: int) -> Found:
    """There is no step of this number among 1 .. t."""
    return Found({"m": m, "t": t, "first index": first}, first not in range(1, t + 1))


def _layers_of_two(b: int, count: int) -> list[tuple[int, ...]]:
    """m = 2, b known: the least losses of n steps after x_1 and after x_2, n = 0, 1, ..."""
    layers: list[tuple[int, ...]] = [(0, 0)]
    for _ in range(count):
        before = layers[-1]
        layers.append(tuple(min(loss((b,), (h, a)) + before[a] for a in (0, 1)) for h in (0, 1)))
    return layers


def _box(request: Request) -> Iterator[tuple[int, int]]:
    """All T up to 2^m + m for m <= 4; the number of beliefs for m = 5 allows T <= 16."""
    horizons = {m: 2**m + m for m in range(1, 5)} | ({5: 16} if request.thorough else {})
    return ((m, T) for m, most in horizons.items() for T in range(1, most + 1))


def _stated(memory: int, horizon: int) -> Fraction:
    return STATED(m=memory, T=horizon)


def _nothing_to_regret(m: int, T: int) -> bool:
    """Is there one sequence that is optimal for every b? Then a player who plays it has regret 0."""
    sequences = list(product((0, 1), repeat=T))
    combinations = list(product((0, 1), repeat=m - 1))
    least = {b: min(total_loss(b, actions) for actions in sequences) for b in combinations}
    return any(all(total_loss(b, actions) == least[b] for b in combinations) for actions in sequences)
