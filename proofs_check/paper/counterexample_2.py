"""Counterexample 2: a lock with 2^(m-1) combinations, for adversaries that are g-restricted but not tallying.

Two actions, b uniform in X^(m-1). Playing x_1 right after b_1, ..., b_{m-1} loses 0, everything else 1.
"""

from fractions import Fraction

from proofs_check.computations.lock import fewest_steps, least_expected_regret
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim

WHERE = "Counterexample 2 (counterexample2)"
SIZES = [(m, T) for m in range(1, 5) for T in range(1, 2**m + m + 1)]
REGRET = "the least expected complete policy regret of a player, b being uniform"
UNTIL = (
    "Until the first 0 the player sees only ones, so the full windows are fixed in advance, and each opens "
    "the lock for one of the 2^(m-1) combinations."
)


@claim(
    "counterexample-2",
    statement="E[CPR] = Omega({bound}) for every player: there is a constant c > 0 such that, for all m and "
    "T from some size on, with c = 1/16 {stated}.",
    formulas={
        "bound": "min(2**m, T) / m",
        "stated": "regret >= 1 / 16 * bound",
        "repaired": "implies(m >= 2 and T >= m, regret >= 1 / 16 * bound)",
    },
    domain={"memory": "m >= 1", "horizon": "T >= 1"},
    symbols={"regret": REGRET},
)
def counterexample_2(request: Request) -> Outcome:
    """The least expected regret for small m and T, by a recursion over beliefs."""
    f = request.formulas
    regrets = {(m, T): least_expected_regret(m, T) for m, T in SIZES}
    met = all(f.repaired.holds(m=m, T=T, regret=regret) for (m, T), regret in regrets.items())
    ratios = {m: min(regrets[m, T] / f.bound(m=m, T=T) for T in range(m, 2**m + m + 1)) for m in (2, 3, 4)}
    shown = request.argue(
        UNTIL,
        "M of them hold b with probability at most M/2^(m-1); else each step so far lost 1, and a competitor "
        "opens the lock max(1, floor(M/m)) times in these steps and ends like the player. Take "
        "M = min(T - m + 1, 2^(m-2)) for m >= 4, min(T - 2, 3) for m = 3; for m = 2 the regret is periodic.",
        name="repaired",
    )
    return request.conclude(
        None,
        box=[{"m": m, "T": m - 1, "regret": regrets[m, m - 1]} for m in (2, 3, 4)],
        checked_on="m = 2..4, T = m - 1",
        remarks=(
            f"For example m = 4, T = 16: {least_expected_regret(4, 16)}; for a player who sees only the loss "
            f"of the action played, {least_expected_regret(4, 16, both_losses=False)}.",
            "Full information means that after each step the player sees what either action would have lost "
            "there. One who saw the function f_t on all of X^t would read off b at step m.",
        ),
        repair=Better(f"`{f.repaired}`, for every player.", shown.verdict if met else Verdict.UNDECIDED),
        tight=Better(
            f"the regret divided by `{f.bound}` is at least "
            + ", ".join(f"`{ratio}` for `m == {m}`" for m, ratio in ratios.items()),
            Verdict.CHECKED,
        ),
    )


@claim(
    "counterexample-2/steps",
    statement="Suffering zero loss is at least as hard as identifying b, and this requires Omega(2^m) "
    "timesteps: until b has shown itself with probability 1/2, {stated}.",
    formulas={"stated": "steps >= 2**m / 4", "exact": "implies(m >= 2, steps >= 2**m / 4 + m - 1)"},
    domain={"memory": "m >= 1", "likely": "probability >= 1 / 2"},
    symbols={
        "steps": "a number of steps",
        "probability": "the probability that x_1 loses 0, or would lose 0, at one of them, b being uniform",
    },
)
def steps_to_find(request: Request) -> Outcome:
    """Each step tests one combination, none before step m; find the fewest steps on a box by enumeration."""
    f = request.formulas
    fewest = {m: fewest_steps(m) for m in range(1, 6)}
    attained = all(
        f.exact.holds(m=m, steps=n) and (m == 1 or not f.exact.holds(m=m, steps=n - 1))
        for m, n in fewest.items()
    )
    exact = request.argue(UNTIL, name="exact")
    return request.conclude(
        request.argue(UNTIL),
        box=[{"m": m, "steps": steps, "probability": Fraction(1, 2)} for m, steps in fewest.items()],
        checked_on="m = 1..5",
        tight=Better(f"`{f.exact}`, attained for m = 2..5", exact.verdict) if attained else None,
    )


@claim(
    "counterexample-2/cyclic-policy",
    statement="The policy that cyclically plays b_1, ..., b_(m-1), x_1 loses 0 at least once every m "
    "timesteps: after any t steps, within the next m, the window is b and x_1 was played, {stated}.",
    formulas={
        "open": "m * (quotient(t, m) + 1)",
        "stated": "t + 1 <= open <= t + m and around(w, m, open) == 1 and "
        "implies(1 <= i and i <= m - 1, around(w, m, open - m + i) == w(i))",
    },
    domain={"memory": "m >= 1", "time": "t >= 0", "last": "w(m) == 1"},
    setting=Setting(define={"around(w, m, t)": "w(t - m * quotient(t - 1, m))"}),
    symbols={
        "t": "a number of steps",
        "i": "a place in b",
        "w": "w(i), the word b_1, ..., b_(m-1), x_1, x_1 being action 1",
    },
    model={"m": 2, "t": 1, "i": 1, "w": [2, 1]},
)
def cyclic_policy(request: Request) -> Outcome:
    """At every multiple of m the window is the whole word."""
    p = request.proof()
    p.have("quotient(j + m, m) == quotient(j, m) + 1", all="j")
    p.have("around(w, m, j + m) == around(w, m, j)", all="j", hints=["quotient(j - 1, m)"])
    p.induct("q", "around(w, m, j + q * m) == around(w, m, j)", all="j")
    p.have("around(w, m, j) == w(j)", all="j", given=["1 <= j <= m"])
    p.have("quotient(t, m) >= 0")
    same = "around(w, m, j + quotient(t, m) * m) == around(w, m, j)"
    p.have(same, all="j", hints=["quotient(t, m)"])
    return request.conclude(p.shown())
