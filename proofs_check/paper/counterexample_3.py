"""Counterexample 3: minimising the constant action regrets does not minimise the complete policy regret.

Two actions, m = 2, h(1) = 0 and h(2) = 1 for both; the clause on the traditional regret needs another table.
"""

from typing import Any

from proofs_check.stating import Better, Outcome, Request, Setting, claim

WHERE = "Counterexample 3 (counterexample:not_constant_action)"
# What action d(t) would lose at step t after the first t - 1 actions of a is its charge.
DEFINED = {
    "flat(x, y)": "0 if y == 1 else 1",
    "other(x, y)": "1 / 2 if x == 1 else (1 if y == 1 else 0)",
    "always(x, t)": "x",
    "turns(t)": "2 then 3 - before",
    "switches(a, t)": "0 then before + (1 if t >= 2 and a(t) != a(t - 1) else 0)",
    "charge(a, d, h, m, t)": "h(d(t), 1 + count(a, d(t), t - 1) - count(a, d(t), t - m))",
    "charged(a, d, h, m, t)": "sum(charge(a, d, s) for s in between(1, t))",
}
FLAT = Setting(define=DEFINED, h="flat", K="2", m="2")
OTHER = Setting(define=DEFINED, h="other", K="2", m="2")
COMPETITOR = {"e": "e(t), what a competitor plays"}
POLICIES: dict[str, Any] = {
    "domain": {"action": "1 <= x <= 2", "another": "1 <= z <= 2", "horizon": "T >= 1"},
    "setting": FLAT,
    "symbols": {"x": "the action of the policy", "z": "any other policy that plays one action"},
    "model": {"T": 3, "x": 1, "z": 2},
}


@claim(
    "counterexample-3",
    statement="A policy that plays one fixed action x at every timestep incurs cumulative loss T - 1 but "
    "has zero constant action policy regret. Meanwhile, its complete policy regret is T - 1, since "
    "alternating loses nothing: {stated}.",
    formulas={
        "stated": "total(always(x), T) == T - 1 and total(always(x), T) == total(always(z), T) "
        "and total(always(x), T) - OPT(T) == T - 1",
    },
    **POLICIES,
)
def counterexample_3(request: Request) -> Outcome:
    """Follow the tallies of the constant policies and of taking turns, for every T."""
    p = request.proof()
    p.induct("t", "count(always(x), x, t) == t", all="x")
    p.induct("t", "total(always(x), t) == t - 1", start=1, all="x")
    p.induct("t", "1 <= turns(t) <= 2")
    p.induct("t", "total(turns, t) == 0")
    p.induct("t", "total(best(T), t) >= 0")
    return request.conclude(p.shown())


@claim(
    "counterexample-3/traditional-regret",
    statement="A policy that plays one fixed action x at every timestep has zero constant action traditional "
    "regret: the competitor z is charged after the player's own actions, and {stated}.",
    formulas={
        "stated": "total(always(x), T) - charged(always(x), always(z), T) <= 0",
        "true": "total(always(x), T) - charged(always(x), always(3 - x), T) == T - 1 "
        "and charged(always(x), always(z), T) >= 0",
    },
    **POLICIES,
)
def traditional_regret(request: Request) -> Outcome:
    """Small T; then for every T, as the other action, charged after the player's own, has tally 1."""
    p = request.proof("true")
    p.induct("t", "count(always(x), z, t) == (t if z == x else 0)", all="x z")
    p.induct("t", "total(always(x), t) == t - 1", start=1)
    p.have("charge(always(x), always(3 - x), t) == 0", all="t", given=["t >= 1"])
    p.induct("t", "charged(always(x), always(3 - x), t) == 0")
    p.induct("t", "charged(always(x), always(z), t) >= 0")
    true = Better("The regret is `T - 1`; see claim counterexample-3/or-traditional.", p.shown().verdict)
    return request.conclude(None, box={"T": range(1, 9), "x": [1, 2], "z": [1, 2]}, repair=true)


@claim(
    "counterexample-3/or-traditional",
    statement="Minimizing the constant action policy (or traditional) regret can lead to solutions whose "
    "cumulative loss is Omega(T) larger than the minimum achievable total loss. The traditional half, "
    "for always x_1 on h_1 = (1/2, 1/2), h_2 = (1, 0) (this table is not in the paper), against every "
    "sequence e: {stated}.",
    where="Section 3, before Counterexample 3",
    formulas={
        "stated": "total(always(1), T) - charged(always(1), e, T) <= 0 "
        "and total(always(1), T) - OPT(T) == T / 2 - 1",
    },
    domain={"competitor": "plays(e, T)", "horizon": "T >= 2"},
    setting=OTHER,
    symbols=COMPETITOR,
    model={"T": 3, "e": [1, 2]},
)
def or_traditional(request: Request) -> Outcome:
    """Both regrets of always x_1, for every T; the other half is Counterexample 3 itself."""
    p = request.proof()
    p.induct("t", "count(always(x), z, t) == (t if z == x else 0)", all="x z")
    p.induct("t", "total(always(1), t) == t / 2")
    p.induct("t", "total(always(2), t) == 1", start=1)
    p.induct("t", "charged(always(1), e, t) >= t / 2", upto="T")
    p.induct("t", "total(best(T), t) >= 1", start=2)
    shown = p.shown()
    return request.conclude(shown, tight=Better("complete policy regret `T / 2 - 1`", shown.verdict))


@claim(
    "counterexample-3/switches",
    statement="The optimal policy in Counterexample 3 has Theta(T) switches. Every sequence that loses "
    "nothing has {stated}.",
    where="Section 5, policy regret",
    formulas={"stated": "switches(a, T) == T - 1"},
    domain={"play": "plays(a, T)", "horizon": "T >= 1", "optimal": "total(a, T) == 0"},
    setting=FLAT,
    model={"T": 3, "a": [1, 2]},
)
def switches(request: Request) -> Outcome:
    """A step loses 1 exactly if it repeats an action: t - 1 steps lose or switch; turns lose nothing."""
    p = request.proof()
    p.induct("t", "total(a, t) == t - 1 - switches(a, t)", start=1)
    return request.conclude(p.shown())
