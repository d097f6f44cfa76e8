"""Counterexample 2: a lock with 2^(m-1) combinations, for adversaries that are g-restricted but not tallying.

Stated (label counterexample2). Two actions, b uniform in X^(m-1). Playing x_1 right after b_1, ..., b_{m-1}
loses 0, everything else loses 1. Playing b_1, ..., b_{m-1}, x_1 over and over loses 0 at least once every m
steps, while a player needs about 2^m steps to find b, so that E[CPR] = Omega(min{2^m, T}/m).

Shown. For m = 1 the lock is open (b is empty), and for T < m nobody can lose 0: there the regret is 0 and the
bound fails. For m >= 2 and T >= m it holds with constant 1/16. Until the first 0 the player sees only ones,
so his first M full windows, in the steps m .. N = M + m - 1, are fixed in advance; they contain b with
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

from proofs_check.boxes import span
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.computations.lock import Actions, least_expected_regret, loss, total_loss
from proofs_check.steps import Step, Verdict
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import for_all
from tallyplan.formula import Formula

WHERE = "Counterexample 2 (counterexample2)"
STATED = Formula("min(2**m, T) / m")  # up to a constant
CONSTANT = Fraction(1, 16)
FIRST_INDEX = Formula("t - m + 1")


@claim(
    "counterexample-2",
    statement=f"E[CPR] = Omega({STATED}) for every player.",
    where=WHERE,
)
def counterexample_2(request: Request) -> Outcome:
    """Compute the least expected regret for small m and T; prove a bound for all m >= 2 and T >= m."""
    sizes = list(_box(request))
    regrets = {}
    for m, T in sizes:
        request.progress(f"counterexample-2: m = {m}, T = {T}")
        regrets[m, T] = least_expected_regret(m, T)
    failing = next((size for size in sizes if regrets[size] <= 0), None)
    proper = [(m, T) for m, T in sizes if m >= 2 and m <= T]
    ratios = {m: min(regrets[size] / _stated(*size) for size in proper if size[0] == m) for m, _ in proper}
    steps = lower_bound_steps()
    holds = all(regrets[size] >= CONSTANT * _stated(*size) for size in proper)
    repaired = by_proof(steps) if holds else Verdict.UNDECIDED
    shown = ", ".join(f"{ratio} for m = {m}" for m, ratio in ratios.items())
    return Outcome(
        after_search(failing, _nothing_to_regret),
        "m >= 2 and T >= m",
        Evidence(
            "the least expected regret by a recursion over beliefs; an argument for all m >= 2, T >= m",
            len(sizes),
            (
                *steps,
                f"The regret is 0 for m = 1 and for T < m, at all {len(sizes) - len(proper)} such sizes.",
                f"Else, the least regret divided by {STATED} is at least {shown} (T to 2^m + m for m <= 4).",
                f"For example m = 4, T = 16: {least_expected_regret(4, 16)}; for a player who sees only his "
                f"own loss, {least_expected_regret(4, 16, both_losses=False)}.",
                "Full information means that after each step the player sees what either action would have "
                "lost there. One who saw the function f_t on all of X^t would read off b at step m.",
            ),
        ),
        witness=Witness(
            {
                "memory": failing[0],
                "horizon": failing[1],
                "least regret": regrets[failing],
                "bound": _stated(*failing),
            }
        )
        if failing
        else None,
        repair=Repair(f"E[CPR] >= {CONSTANT} * {STATED} for every player, m >= 2 and T >= m.", repaired),
        tight=Tight(
            f"the least regret divided by {STATED} is {min(ratios.values())} at the least, m = "
            f"2..{max(ratios)}",
            Verdict.CHECKED,
        ),
    )


@claim(
    "counterexample-2/cyclic-policy",
    statement="The policy that cyclically plays b_1, ..., b_{m-1}, x_1 loses 0 at least once every m "
    "timesteps.",
    where=WHERE,
)
def cyclic_policy(request: Request) -> Outcome:
    """At every multiple of m the window is the whole word; replay all combinations for small m."""
    memories = range(1, 9)
    failing = next((b for m in memories for b in product((0, 1), repeat=m - 1) if not _opens(b)), None)
    steps = [
        for_all(
            "q m i integer",
            given=["m >= 1", "q >= 1", "1 <= i", "i <= m"],
            then="(q * m - m + i) - (q - 1) * m == i and q * m - m + i >= 1",
            words="at step qm, q >= 1, place i of the window was played at step (q - 1) m + i, so it holds "
            "the i-th action of the word",
        ),
        for_all(
            "t r m integer",
            given=["m >= 1", "0 <= r", "r < m", "t >= 0"],
            then="t + 1 <= t + m - r and t + m - r <= t + m",
            words="any m steps in a row, t + 1 .. t + m with t = qm + r, hold the multiple t + m - r of m",
        ),
    ]
    return Outcome(
        settled(failing, lambda b: not _opens(b), steps),
        "all m, T >= m",
        Evidence(
            f"index arithmetic; all combinations replayed for m = {span(memories)}",
            sum(2 ** (m - 1) for m in memories),
            tuple(steps),
        ),
        witness=Witness({"b": failing}) if failing is not None else None,
    )


@claim(
    "counterexample-2/index",
    statement=f"f_t(a_{{1:t}}) is a function of a_{{{FIRST_INDEX}:t}}, for every t.",
    where=WHERE,
)
def first_index(request: Request) -> Outcome:
    """Look for the smallest t and m at which the first index is not a timestep."""
    box = [(m, t) for m in range(1, 6) for t in range(1, 6)]
    failing = next(((m, t) for m, t in box if FIRST_INDEX(t=t, m=m) < 1), None)
    exactly = [
        for_all("t m integer", given=["t >= m"], then=f"{FIRST_INDEX} >= 1"),
        for_all("t m integer", given=["t < m"], then=f"{FIRST_INDEX} < 1"),
    ]
    repaired = for_all("t m integer", given=["t >= 1"], then=f"max(1, {FIRST_INDEX}) >= 1")
    return Outcome(
        after_search(failing, lambda size: size[1] - size[0] + 1 < 1),
        "t >= m",
        Evidence("search over m and t, and z3 for all of them", len(box), tuple(exactly)),
        witness=Witness(
            {"m": failing[0], "t": failing[1], "first index": FIRST_INDEX(m=failing[0], t=failing[1])}
        )
        if failing
        else None,
        tight=Tight("t >= m, exactly", by_proof(exactly)),
        repair=Repair(
            f"A slip: the index is max(1, {FIRST_INDEX}), as in the definition above it.",
            by_proof([repaired]),
        ),
    )


def lower_bound_steps() -> list[Step]:
    """E[CPR] >= CONSTANT * STATED for m >= 4, m = 3 and m = 2; P stands for 2^m, q for floor(M/m)."""
    return [
        for_all(
            "m P integer",
            given=["m >= 4", "P >= 4 * m"],
            then="2 * P >= 4 * (m + 1)",
            words="2^m >= 4m for m >= 4 (from m to m + 1; 16 = 16): M >= m, or M = T - m + 1 and N = T",
        ),
        for_all(
            "M P real",
            given=["M <= P / 4", "P >= 4"],
            then="1 - M / (P / 2) >= 1 / 2",
            words="M <= 2^(m-2) windows, fixed in advance, hold b with probability at most 1/2",
        ),
        for_all(
            "M q m N integer",
            given=["m >= 2", "M >= m", "q * m <= M", "N == M + m - 1"],
            then="q * m + (m - 1) <= N",
            words="M >= m: opening the lock floor(M/m) times and copying m - 1 actions takes N steps at most",
        ),
        for_all(
            "T m M P q real",
            given=[
                "m >= 4",
                "T >= 2 * m",
                "P >= 16",
                "M == min(T - m + 1, P / 4)",
                "q * m > M - m",
                "q >= 0",
            ],
            then=f"max(1, q) / 2 >= {CONSTANT} * min(P, T) / m",
            words=f"m >= 4, T >= 2m: max(1, floor(M/m))/2 >= {CONSTANT} min(2^m, T)/m",
        ),
        for_all(
            "T m P real",
            given=["m >= 3", "T >= m", "T < 2 * m", "P >= 8"],
            then=f"1 / 2 >= {CONSTANT} * min(P, T) / m",
            words=f"T < 2m (T < 5 for m = 3), M = T - m + 1, N = T: 1/2 >= {CONSTANT} min(2^m, T)/m",
        ),
        for_all(
            "T real",
            given=["T >= 5"],
            then=f"1 - 3 / 4 >= {CONSTANT} * min(8, T) / 3",
            words=f"m = 3, T >= 5, M = 3: (1 - 3/4) * 1 >= {CONSTANT} min(2^m, T)/m",
        ),
        _memory_two(),
    ]


def _memory_two() -> Step:
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
    holds = all(least_expected_regret(2, T) >= CONSTANT * _stated(2, T) for T in horizons)
    name = (
        f"m = 2: from T = {steady + 2} on the regret has period 2 in T, so that T = {span(horizons)} suffice"
    )
    return Step(name, "the recursion", holds)


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


def _nothing_to_regret(size: tuple[int, int]) -> bool:
    """Is there one sequence that is optimal for every b? Then a player who plays it has regret 0."""
    m, T = size
    sequences = list(product((0, 1), repeat=T))
    combinations = list(product((0, 1), repeat=m - 1))
    least = {b: min(total_loss(b, actions) for actions in sequences) for b in combinations}
    return any(all(total_loss(b, actions) == least[b] for b in combinations) for actions in sequences)


def _opens(combination: Actions) -> bool:
    """Does the cyclic policy lose 0 once in every m steps in a row of the first 3 m?"""
    m = len(combination) + 1
    played = (*combination, 0) * 3
    zeros = [t for t in range(3 * m) if not loss(combination, played[max(0, t - m + 1) : t + 1])]
    return all(any(start <= t < start + m for t in zeros) for start in range(2 * m + 1))
