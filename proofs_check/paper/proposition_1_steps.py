"""Proposition 1, the steps: the last line of the upper bound, and how many queries the lower one needs."""

from proofs_check.bayes.deterministic import bayes_regret_by_beliefs
from proofs_check.boxes import Case
from proofs_check.paper.proposition_1_lower import TESTED
from proofs_check.paper.proposition_1_lower import WHERE as LOWER
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim, weakest


@claim(
    "proposition-1-upper/last-step",
    statement="mK + m minus what an optimal policy loses in the steps mK+1 .. m(K+1) is at most (m + 1)K "
    "(the last line of the proof): {stated}.",
    where="Proposition 1, upper bound (prop1), proof",
    formulas={
        "tail": "total(best(m * K + m), m * K + m) - total(best(m * K + m), m * K)",
        "stated": "m * K + m - (tail) <= (m + 1) * K",
        "few": "implies(m <= K, stated)",
        "free": "total(best(zero, K, m, m * K + m), zero, m, m * K + m) - "
        "total(best(zero, K, m, m * K + m), zero, m, m * K)",
        "many": "implies(m > K, m * K + m - (free) > (m + 1) * K)",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "losses": "table(h)"},
    setting=Setting(define={"zero(x, y)": "0"}),
    model={"K": 2, "m": 2, "h": [[0, 1], [1, "1/2"]]},
    uses=("definition-1", "proposition-1-upper"),
)
def last_step(request: Request) -> Outcome:
    """The tail is at least 0, which is enough for `m <= K`; it is 0 if all losses are."""
    few, many = request.proof("few"), request.proof("many", without=("losses",))
    few.use("definition-1", "bounded", a="best(m * K + m)")
    few.induct("i", "total(best(m * K + m), m * K) <= total(best(m * K + m), i)", start="m * K")
    many.induct("t", "total(best(zero, K, m, m * K + m), zero, m, t) == 0")
    return request.conclude(
        None,
        box={"K": [1, 2], "m": [1, 2, 3], "h": [[[0, 0, 0], [0, 0, 0]]]},
        tight=Better(
            "`m <= K`, exactly: for `m > K` the table `h == 0` breaks it",
            weakest(few.shown().verdict, many.shown().verdict),
        ),
        repair=Better(
            "The proposition stands, with `m * K - 1` (claim proposition-1-upper). Bound the exploration by "
            "what OPT itself pays: it loses at most `m * K - m` more than OPT in its first m steps.",
            request.result("proposition-1-upper").outcome.shown.get("sharp", Verdict.UNDECIDED),
        ),
    )


@claim(
    "proposition-1-lower/queries",
    statement="In expectation the player makes at least mK/64 queries before observing h_{x*}(m): {stated}.",
    where=LOWER,
    formulas={"stated": "queries >= m * K / 64", "exact": "queries == m * (K + 1) / 2"},
    domain={"actions": "K >= 1", "memory": "m >= 1", "long": "T >= m * K"},
    symbols={"queries": "the least expected number of queries up to the one that observes h_{x*}(m)"},
)
def queries(request: Request) -> Outcome:
    """The j-th test ends at step `j * m` at the earliest; average over the place of x* among the tests."""
    sizes = [{"K": K, "m": m, "T": m * K} for K in range(1, 5) for m in range(1, 4 if K < 4 else 3)]
    box: list[Case] = [{**one, "queries": bayes_regret_by_beliefs(*one.values()) + one["m"]} for one in sizes]
    exact = request.argue(TESTED, name="exact")
    return request.conclude(
        request.argue(TESTED),
        box=box,
        checked_on="K <= 4, m <= 3 (2 if K = 4), T = mK",
        tight=Better("`m * (K + 1) / 2`, exactly, attained by testing the actions in turn", exact.verdict)
        if all(request.formulas.exact.holds(**one) for one in box)
        else None,
    )
