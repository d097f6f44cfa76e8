"""Proposition 1 from below: the needle, h_{x*}(m) = 0 and every other loss 1, for an unknown x*."""

from proofs_check.bayes.deterministic import bayes_regret, bayes_regret_by_beliefs
from proofs_check.stating import Better, Outcome, Request, Setting, Verdict, claim

WHERE = "Proposition 1, lower bound (prop1)"
NEEDLE = {"always(x, t)": "x", "needle(m, x, y)": "0 if x == 1 and y == m else 1"}


@claim(
    "proposition-1-lower/optimum",
    statement="If h_{x*}(y) = 1 for y < m, h_{x*}(m) = 0 and h_x = 1 for x != x*, then the optimal policy "
    "always plays x*, and its loss is precisely m - 1, if there are at least m - 1 steps: {stated}.",
    where=f"{WHERE}, proof",
    formulas={"stated": "implies(T >= m - 1, OPT(T) == m - 1)", "exact": "OPT(T) == min(T, m - 1)"},
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 0"},
    setting=Setting(define=NEEDLE, h="needle(m)"),
    model={"K": 2, "m": 2, "T": 3},
)
def lower_optimum(request: Request) -> Outcome:
    """No tally of the first m - 1 steps is m; and always x* has tally m from step m on."""
    for name in ("exact", "stated"):
        p = request.proof(name)
        p.induct("t", "count(always(1), z, t) == (t if z == 1 else 0)", all="z")
        p.induct("t", "total(always(1), t) == min(t, m - 1)")
        p.induct("t", "count(best(T), x, t) <= t", all="x")
        p.induct("t", "total(best(T), t) >= min(t, m - 1)")
        shown = p.shown()
    return request.conclude(
        shown,
        tight=Better("`OPT(T) == min(T, m - 1)`, for every T", request.shown["exact"].verdict),
    )


TESTED = (
    "Tests of different actions share no step, so the j-th ends at step `j * m` or later. All losses are 1 "
    "until x* is tested, so the order of the tests is fixed in advance, and x* is each of the K tests with "
    "probability `1 / K`; testing in turn attains this."
)
LARGEST = {1: 4, 2: 4, 3: 3, 4: 2}  # the largest memory of the box, by the number of actions


@claim(
    "proposition-1-lower",
    statement="With x* uniform, h_{x*}(m) = 0 and every other loss 1, the expected complete policy regret "
    "of every player is at least {bound}, where K is larger than some numerical constant: {stated}.",
    formulas={
        "bound": "m * K / 128",
        "stated": "regret >= bound",
        "repaired": "implies(K >= 2 and T >= m * K, regret == m * (K - 1) / 2 and regret >= m * K / 4)",
    },
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 1", "constant": "K >= c"},
    symbols={
        "regret": "the least expected complete policy regret of a player",
        "c": "the constant that the paper does not name",
    },
    uses=("proposition-1-lower/optimum",),
)
def lower(request: Request) -> Outcome:
    """The exact Bayes regret, confirmed by beliefs on a box; where it is below `m * K / 128`."""
    sizes = [
        (K, m, T)
        for K, most in LARGEST.items()
        for m in range(1, most + 1 + request.thorough)
        for T in range(1, m * K + 3)
    ]
    differing = [size for size in sizes if bayes_regret(*size) != bayes_regret_by_beliefs(*size)]
    repaired = request.argue(TESTED, name="repaired", on=("proposition-1-lower/optimum",))
    return request.conclude(
        None,
        box={"K": [128], "m": [1000], "T": [1000], "c": [128], "regret": [bayes_regret(128, 1000, 1000)]},
        remarks=(
            f"Formula and beliefs agree at {len(sizes) - len(differing)} of {len(sizes)} sizes K, m, T.",
            "It fails for every c, with large m: at `T == m` the regret is `1 - 1 / K`, for `T < m` it is 0.",
            "Against a deterministic player the worst x* is the one tested last: regret `m * (K - 1)`.",
        ),
        tight=Better(
            "`m * (K - 1) / 2` for `T >= m * K`: the exact Bayes regret, attained by testing the actions in "
            "turn",
            repaired.verdict,
        ),
        repair=Better(
            "For every `K >= 2` and `T >= m * K` it is exactly `m * (K - 1) / 2 >= m * K / 4`, with no large "
            "K.",
            Verdict.UNDECIDED if differing else repaired.verdict,
        ),
    )


@claim(
    "proposition-1-lower/quantifiers",
    statement="There exists a problem such that the expected complete policy regret of any (possibly "
    "randomized) algorithm on this problem is at least mK/128. On every problem, also for the algorithm "
    "that plays an optimal sequence, whatever it sees: {stated}.",
    formulas={"stated": "total(best(T), T) - OPT(T) >= m * K / 128"},
    domain={"actions": "K >= 1", "memory": "m >= 1", "horizon": "T >= 1", "losses": "table(h)"},
    setting=Setting(),
    model={"K": 2, "m": 2, "T": 3, "h": [[1, 0], [1, 1]]},
    uses=("proposition-1-lower",),
)
def quantifiers(request: Request) -> Outcome:
    """Playing an optimal sequence without looking has regret 0."""
    repaired = request.result("proposition-1-lower").outcome.repair
    return request.conclude(
        None,
        box={"K": [2], "m": [2], "T": [3], "h": [[[1, 0], [1, 1]]]},
        repair=Better(
            "For every algorithm there exists a problem: what is proved is a bound on the average over x*, "
            "which is `m * (K - 1) / 2` for `T >= m * K` (claim proposition-1-lower).",
            repaired.verdict if repaired else Verdict.UNDECIDED,
        ),
    )
