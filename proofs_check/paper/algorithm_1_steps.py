"""Algorithm 1, the steps: which cells an epoch can estimate, and how many steps its burn-in needs."""

from proofs_check.paper.algorithm_1 import WHERE
from proofs_check.paper.definition_1 import NEEDED, TWO_SEQUENCES, needed
from proofs_check.paper.definition_1 import SETTING as SEQUENCES
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim, weakest


@claim(
    "algorithm-1/estimate",
    statement="muhat_s(pi), which divides by n_s N_xy(pi_sxy) sqrt(T) for every cell, is defined for every "
    "pi in A_s. With one action, whose only policy is always x_1, the cell (1, y) is met: {stated}.",
    where=f"{WHERE}, line 16",
    formulas={
        "met": "total(always(1), spot(y), m, 2 * L) - total(always(1), spot(y), m, L)",
        "stated": "met > 0",
        "exactly": "implies(y == m, met == L) and implies(y < m, met == 0)",
        "several": "loss(run(y, L), spot(y), m, L + y) == 1",
    },
    domain={"memory": "m >= 1", "tally": "1 <= y <= m", "period": "L >= m"},
    setting=Setting(
        define={
            "always(x, t)": "x",
            "spot(q, x, y)": "1 if x == 1 and y == q else 0",
            "run(y, L, t)": "1 if t - L * quotient(t - 1, L) <= y else 2",
        },
        K="1",
    ),
    model={"m": 2, "y": 2, "L": 3},
)
def estimate(request: Request) -> Outcome:
    """In its second period always x_1 has tally m at every step."""
    one, more = request.proof("exactly"), request.proof("several")
    one.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
    one.induct("t", "implies(y == m, total(always(1), spot(y), m, t) == max(t - (m - 1), 0))")
    one.induct("t", "implies(y < m, total(always(1), spot(y), m, t) == (1 if t >= y else 0))")
    more.induct("i", "count(run(y, L), 1, i) == min(i, y)", upto="L")
    more.induct("i", "count(run(y, L), 1, L + i) == y + min(i, y)", upto="L")
    shown = weakest(one.shown().verdict, more.shown().verdict)
    return request.conclude(
        None,
        box={"m": [1, 2, 3], "y": [1, 2, 3], "L": [3, 4]},
        tight=Better(
            "in epoch 1 undefined exactly for `K == 1`, `m >= 2`: one action meets (1, m) alone; with "
            "another action, y plays of x and `L - y` of the other in every period meet (x, y)",
            shown,
        ),
        repair=Better(
            "Leave out the cells with N_xy(pi_sxy) = 0: pi_sxy has the largest N_xy, so N_xy(pi) = 0 for all "
            "pi in A_s.",
            weakest(shown, Verdict.ARGUED),  # in words, given the cells that are met
        ),
    )


@claim(
    "algorithm-1/burn-in",
    statement="n_s periods are not stored; the next n_s hold n_s N_xy sqrt(T) observations of h_x(y). One "
    "period is enough, and m - 1 steps are: if b plays after q steps what a plays after p steps, then from "
    "the m-th of these steps on both meet the same cells, {stated}.",
    where=f"{WHERE}, lines 11 and 12",
    formulas={"stated": "loss(b, q + i) == loss(a, p + i)", "needed": NEEDED},
    domain={
        "memory": "m >= 1",
        "pasts": "p >= 0 and q >= 0",
        "recorded": "i >= m",
        "same": "all(b(q + j) == a(p + j) for j in between(1, i))",
    },
    setting=SEQUENCES,
    symbols={**TWO_SEQUENCES, "i": "a step of the execution"},
    model={"m": 2, "p": 1, "q": 0, "i": 3, "a": [2, 1], "b": [1, 2], "h": [[0, 1], [1, "1/2"]]},
    uses=("definition-1/memory",),
)
def burn_in(request: Request) -> Outcome:
    """The windows agree from the m-th step on."""
    p = request.proof()
    p.use("definition-1/memory", a="b", b="a", p="q + i - m", q="p + i - m")
    return request.conclude(
        p.shown(),
        tight=Better(
            "`m - 1` steps are enough, and needed: for `m >= 2` the (m - 1)-th step after x_1 and after x_2 "
            "may meet different cells",
            needed(request.proof("needed", without=("pasts", "recorded", "same"))).shown().verdict,
        ),
    )
