"""Lemma 1: a tallying bandit is a Markov decision process; the printed transition is among the slips."""

from proofs_check.paper.definition_1 import NEEDED, needed
from proofs_check.paper.definition_1 import SETTING as SEQUENCES
from proofs_check.stating import Better, Outcome, Request, Setting, claim, weakest

WHERE = "Lemma 1 (lem:bandit_mdp)"
SETTING = Setting(
    variables="state(integer, integer) integer",
    define={
        "occurs(state, x, t, n)": "0 then before + (1 if state(n, t) == x else 0)",
        "reward(state, h, m, t)": "sum(1 - h(state(m, s), occurs(state, state(m, s), s, m)) "
        "for s in between(1, t))",
        **SEQUENCES.define,
    },
)


@claim(
    "lemma-1",
    statement="Any tallying bandit problem can be equivalently expressed as a finite horizon MDP, whose "
    "state after a step is (s_2, s_3, .., s_m, i): {stated}.",
    formulas={
        "stated": "reward(state, T) == T - total(a, T)",
        "needed": NEEDED,
    },
    domain={
        "memory": "m >= 1",
        "horizon": "T >= 0",
        "play": "plays(a, T)",
        "initial": "all(state(i, 0) == 0 for i in between(1, m))",
        "appends": "all(state(m, t) == a(t) for t in between(1, T))",
        "moves": "all(state(i, t) == state(i + 1, t - 1) for t in between(1, T) for i in between(1, m - 1))",
    },
    setting=SETTING,
    symbols={"state": "state(i, t), entry i of the state after t steps"},
    model={"K": 2, "m": 2, "T": 3, "a": [1, 2], "state": [[0, 1, 2], [1, 2, 1]], "h": [[0, 1], [1, "1/2"]]},
    uses=("definition-1/memory",),
)
def lemma_1(request: Request) -> Outcome:
    """Follow the entries of the state, step by step: it is the window, and the count is the tally."""
    p = request.proof()
    p.induct("j", "implies(j + 1 <= t and t <= T, state(m - j, t) == a(t - j))", upto="m - 1", all="t")
    p.induct("j", "implies(j <= T and i >= 1 and i + j <= m, state(i, j) == 0)", all="i")
    p.have(
        "state(i, t) == (a(t - m + i) if t - m + i >= 1 else 0)",
        all="i t",
        given=["1 <= i <= m", "1 <= t <= T"],
    )
    counted = "occurs(state, x, t, i) == count(a, x, t - m + i) - count(a, x, t - m)"
    p.induct("i", f"implies(1 <= t and t <= T and x >= 1, {counted})", upto="m", all="x t")
    p.have(
        "occurs(state, a(t), t, m) == count(a, a(t), t) - count(a, a(t), t - m)",
        all="t",
        given=["1 <= t <= T"],
    )
    p.induct("t", "reward(state, t) == t - total(a, t)", upto="T")
    fewer = needed(request.proof("needed", without=("horizon", "play", "initial", "appends", "moves")))
    return request.conclude(
        p.shown(),
        tight=Better(
            "the last `m - 1` actions suffice as state (claim definition-1/memory), and fewer do not for "
            "K, m >= 2: with `h_1(m) == 0`, all else 1, the m-th play of x_1 loses 0 unless x_2 came first",
            weakest(request.result("definition-1/memory").outcome.verdict, fewer.shown().verdict),
        ),
    )
