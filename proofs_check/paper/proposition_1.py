"""Proposition 1 from above: what ALG_det regrets under deterministic feedback."""

from proofs_check.bounds import PROPOSITION_1_SHARP
from proofs_check.paper.algorithm_2 import EXPLORATION
from proofs_check.paper.proposition_1_lower import NEEDLE
from proofs_check.stating import Better, Outcome, Proof, Request, Setting, claim, weakest

WHERE = "Proposition 1, upper bound (prop1)"
SETTING = Setting(
    define={
        **EXPLORATION,
        **NEEDLE,
        "follows(o, K, m, t)": "explore(m, t) if t <= m * K else o(t)",
    }
)


def picture(path: str) -> None:
    """The largest regret of ALG_det over all tables, by size and horizon."""
    from proofs_check.pictures.constants import draw_box

    draw_box("proposition-1-upper", path)


@claim(
    "proposition-1-upper",
    statement="For any problem with deterministic feedback, the complete policy regret of ALG_det, which "
    "explores in mK steps and then plans (at least as well as OPT's own tail), is at most (m + 1)K: "
    "{stated}.",
    picture=picture,
    formulas={
        "regret": "total(d, T) - OPT(T)",
        "stated": "regret <= (m + 1) * K",
        "sharp": "regret <= min(T - m, m * K - 1)",
        "attained": "implies(K >= 2, total(d, needle(m), m, T) - OPT(needle(m), K, m, T) "
        ">= min(T - m, m * K - 1))",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= m * K",
        "losses": "table(h)",
        "explores": "all(d(t) == explore(m, t) for t in between(1, m * K))",
        "plans": "total(d, T) <= total(follows(best(T)), T)",
    },
    setting=SETTING,
    symbols={"d": "d(t), what ALG_det plays at step t"},
    model={"K": 2, "m": 2, "T": 5, "d": [1, 1, 2, 2, 1], "h": [[0, 1], [1, "1/2"]]},
    uses=(
        *("algorithm-2", "definition-1", "lemma-3/first-execution"),
        *("proposition-1-lower/optimum", "proposition-1-upper/cells"),
    ),
)
def upper(request: Request) -> Outcome:
    """What OPT itself pays for the cells that it meets, and OPT's own tail after the exploration."""
    p = _follow(request.proof())
    sharp = request.argue(
        "All cells together lose at most `m * K - m` more than OPT in its first `m` steps "
        "(proposition-1-upper/cells), and OPT's own actions of the steps from `m * K + 1` on at most "
        "`min(m - 1, T - m * K)` more than they do after OPT's own past (lemma-3/first-execution).",
        name="sharp",
    )
    attained = _all_but_one(request.proof("attained", without=("losses", "plans"))).shown()
    return request.conclude(
        p.shown(),
        remarks=("For `K == 1` the regret is 0.",),
        tight=Better(
            f"`{PROPOSITION_1_SHARP}`, attained for every `K >= 2` by `h_1(m) == 0`, every other loss 1",
            weakest(sharp.verdict, attained.verdict),
        ),
    )


def _follow(p: Proof) -> Proof:
    """The exploration, then OPT's own actions, which lose at most m - 1 more than they do in OPT."""
    o, f = "best(T)", "follows(best(T))"
    p.use("proposition-1-upper/cells", a=o)
    p.use("algorithm-2", "loses", x="K")
    p.have(f"total(explore(m), m * K) <= total({o}, m) + m * K - m")
    p.induct("t", f"count({f}, z, t) == count(explore(m), z, t)", all="z", upto="m * K")
    p.induct("t", f"total({f}, t) == total(explore(m), t)", upto="m * K")
    p.use("definition-1", "bounded", a=o)
    p.induct("i", f"total({o}, m) <= total({o}, i)", start="m")
    p.have("m <= m * K")
    p.have(f"total({o}, m) <= total({o}, m * K)")
    p.use("lemma-3/first-execution", "sharp", a=o, b=f, p="m * K", q="m * K", n="T - m * K")
    p.have(f"total({f}, T) <= total({o}, T) + m * K - m + min(T - m * K, m - 1)")
    return p


def _all_but_one(p: Proof) -> Proof:
    """ALG_det loses 1 at every step up to mK + m - 1 but at one; OPT is m - 1."""
    p.have("explore(m, t) == 1", all="t", given=["1 <= t <= m"])
    p.have("explore(m, t) >= 2", all="t", given=["m < t"])
    p.have("explore(m, m * K) == K")
    p.induct("i", "count(d, 1, j + i) - count(d, 1, j) <= i", all="j")
    p.have("count(d, 1, t) - count(d, 1, j) <= t - j", all="j t", given=["j <= t"], hints=["t - j"])
    p.have("m <= m * K")
    p.have("d(m * K) == K")
    p.have("implies(K >= 2, count(d, 1, m * K) == count(d, 1, m * K - 1))")
    p.have(
        "count(d, 1, t) - count(d, 1, t - m) <= m - 1",
        all="t",
        given=["K >= 2", "m * K <= t", "t <= m * K + m - 1"],
        hints=["count(d, 1, m * K)", "count(d, 1, m * K - 1)", "m * K", "m * K - 1"],
    )
    p.have("loss(d, needle(m), m, t) == 1", all="t", given=["K >= 2", "m < t", "t <= m * K + m - 1"])
    p.have("loss(d, needle(m), m, t) == 1", all="t", given=["K >= 2", "1 <= t", "t < m"])
    p.have("loss(d, needle(m), m, t) >= 0", all="t")
    p.induct("t", "implies(K >= 2, total(d, needle(m), m, t) >= t)", upto="m - 1")
    p.have("implies(K >= 2, total(d, needle(m), m, m) >= m - 1)")
    p.induct("t", "implies(K >= 2, total(d, needle(m), m, t) >= t - 1)", start="m", upto="m * K + m - 1")
    p.induct("t", "total(d, needle(m), m, t) >= total(d, needle(m), m, m * K + m - 1)", start="m * K + m - 1")
    p.have("implies(K >= 2, total(d, needle(m), m, T) >= min(T, m * K + m - 1) - 1)")
    p.use("proposition-1-lower/optimum")
    p.have("OPT(needle(m), K, m, T) == m - 1")
    return p
