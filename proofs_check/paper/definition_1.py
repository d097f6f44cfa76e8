"""Definition 1 and the definitions that it builds on; what it leaves out is in `observations`."""

from proofs_check.stating import Better, Outcome, Proof, Request, Setting, claim

WHERE = "Definition 1 (def:tallying_bandit)"
SETTING = Setting(
    define={
        "tally(a, m, t)": "count(a, a(t), t) - count(a, a(t), t - m)",
        "following(a, x, m, t)": "1 + count(a, x, t) - count(a, x, t + 1 - m)",
        "always(x, t)": "x",
        "other_first(t)": "2 if t == 1 else 1",
        "needle(m, x, y)": "0 if x == 1 and y == m else 1",
    }
)
TWO_SEQUENCES = {
    "p": "the steps before the window in the first sequence",
    "q": "the steps before the window in the second sequence",
    "a": "a(t), the first sequence",
    "b": "b(t), the second sequence",
}
NEEDED = "implies(m >= 2, loss(always(1), needle(m), m, m) != loss(other_first, needle(m), m, m))"


@claim(
    "definition-1",
    statement="The loss of step t is defined: {stated}; so it is a number of [0, 1]: {bounded}; and m = 1 is "
    "the stochastic bandit: {stochastic}.",
    formulas={
        "stated": "1 <= tally(a, t) <= m",
        "bounded": "0 <= loss(a, t) <= 1",
        "stochastic": "implies(m == 1, tally(a, t) == 1)",
        "met": "implies(t <= m, tally(always(1), t) == t)",
    },
    domain={"memory": "m >= 1", "time": "t >= 1", "losses": "table(h)", "play": "1 <= a(t) <= K"},
    setting=SETTING,
    model={"K": 2, "m": 2, "t": 3, "a": [1, 2], "h": [[0, 1], ["1/2", 0]]},
)
def definition_1(request: Request) -> Outcome:
    """Among i steps an action occurs between 0 and i times."""
    for name in ("bounded", "stochastic", "stated"):
        p = request.proof(name, without=() if name == "bounded" else ("losses", "play"))
        p.induct("i", "0 <= count(a, x, j) - count(a, x, j - i) <= i", all="x j")
        p.have("1 <= tally(a, t) <= m")
        shown = p.shown()
    met = request.proof("met", without=("losses", "play"))
    met.induct("j", "count(always(x), z, j) == (j if z == x else 0)", all="x z")
    return request.conclude(
        shown,
        tight=Better("every tally 1..m occurs", met.shown().verdict),
    )


@claim(
    "definition-1/memory",
    statement="A tallying adversary is m-memory bounded and restricted: if two sequences have the same "
    "window of m actions after p and after q steps, {stated}.",
    where="Definitions of m-memory bounded, g-restricted and h-tallying adversaries",
    formulas={"stated": "loss(a, p + m) == loss(b, q + m)", "needed": NEEDED},
    domain={
        "memory": "m >= 1",
        "pasts": "p >= 0 and q >= 0",
        "window": "all(a(p + i) == b(q + i) for i in between(1, m))",
    },
    setting=SETTING,
    symbols=TWO_SEQUENCES,
    model={"m": 2, "p": 0, "q": 2, "a": [1, 2], "b": [1, 2], "h": [[0, 1], ["1/2", 0]]},
)
def memory(request: Request) -> Outcome:
    """The counts of the two windows agree."""
    p = request.proof()
    counted = "count(a, x, p + i) - count(a, x, p) == count(b, x, q + i) - count(b, x, q)"
    p.induct("i", counted, upto="m", all="x")
    p.have("a(p + m) == b(q + m)")
    return request.conclude(
        p.shown(),
        tight=Better(
            "m exactly: `m - 1` actions do not determine the loss if K, m >= 2; with `h_1(m) == 0`, every "
            "other loss 1, the m-th step of x_1, x_1, .. loses 0, and 1 if x_2 came first",
            needed(request.proof("needed", without=("pasts", "window"))).shown().verdict,
        ),
    )


def needed(p: Proof) -> Proof:
    """Two sequences that differ in the first of m actions, and in the loss of the last."""
    p.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
    p.induct("t", "count(other_first, 1, t) == t - 1", start=1)
    return p


@claim(
    "definition-1/rested",
    statement="The tallying bandit is a special case of the rested bandit, where an arm's reward changes "
    "when it is pulled: if step t + 1 does not play x, the tally that x would have stays, {stated}.",
    where="Section 3, after Definition 1, and Section 5, restless and rested bandits",
    formulas={
        "stated": "implies(a(t + 1) != x, following(a, x, t + 1) == following(a, x, t))",
        "long": "implies(m >= T and t + 2 <= T, stated)",
    },
    domain={"memory": "m >= 1", "time": "t >= 0"},
    setting=SETTING,
    symbols={"t": "a number of steps"},
    model={"m": 3, "t": 1, "T": 3, "x": 1, "a": [1, 2]},
)
def rested(request: Request) -> Outcome:
    """Look for the smallest sequence after which a rest changes the tally; for m >= T there is none."""
    return request.conclude(
        None,
        box={"m": range(1, 5), "t": range(4), "x": [1, 2], "a": [[1], [2], [1, 2], [2, 1]]},
        remarks=("A reward that depends on the pulls of its own arm alone cannot do this.",),
        repair=Better(
            "It is for `m >= T`, where the tally is the number of plays so far.",
            request.proof("long").shown().verdict,
        ),
    )
