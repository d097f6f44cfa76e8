"""Optimism, the cells: the event on which all lower bounds are right, and what they cost.

A cell is a pair of an action and a tally. One that was seen n times before an epoch has the mean of these
observations as its estimate, off by at most `radius(n)` on the event, and a lower bound that is the estimate
minus the radius, rounded down to a multiple of 1 / G. A visit to it loses at most `width(n)` more than this
lower bound; one to a cell that was never seen, whose lower bound is 0, at most 1. Every step of the proof
takes these from here.
"""

from proofs_check.bounds import OPTIMISM_GRID
from proofs_check.stating import Outcome, Request, Setting, claim

WHERE = "Optimism (ours, docs/optimism.md)"
LOGARITHM = {"logarithm(K, m, T, delta)": "log(2 * K * m * T / delta)"}
RADIUS = {"radius(K, m, T, delta, n)": "sqrt(logarithm(T, delta) / (2 * n))"}
WIDTH = {"width(K, m, T, delta, G, n)": "1 if n == 0 else 2 * radius(T, delta, n) + 3 / G"}
LEARNER = {**LOGARITHM, **RADIUS, **WIDTH}
SIZES = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "probability": "0 < delta and delta < 1",
}
DOMAIN = {**SIZES, "grid": str(OPTIMISM_GRID)}
MEAN_GIVEN_THE_PAST = "the mean of an observation given the past and the action is the loss"
VISIT = Setting(define=LEARNER, variables="G integer; observed rounded low u real")
SPENT = {"spent(b, K, m, T, delta, G, k)": "0 then before + (b(k) - b(k - 1)) * width(T, delta, G, b(k - 1))"}
CELL = Setting(define={**LEARNER, **SPENT}, variables="G integer; r u real")
SEEN = ([1, 2, 4, 8, 16, 0], [0, 1, 2, 3, 3, 6, 0], [1, 2, 3, 4, 0])  # after 1, 2, .. epochs; before, 0


@claim(
    "optimism/event",
    statement="The probability that for some cell and some n <= T the mean of its first n observations is "
    "off by more than radius(n) satisfies {stated}.",
    formulas={"radius": "sqrt(log(2 * K * m * T / delta) / (2 * n))", "stated": "missing <= delta"},
    domain=SIZES,
    symbols={"missing": "that probability", "n": "a number of observations"},
    assuming=(MEAN_GIVEN_THE_PAST,),
)
def event(request: Request) -> Outcome:
    """Hoeffding's bound for martingale differences at each cell and n, and a union bound."""
    radius = request.formulas.radius
    return request.conclude(
        request.argue(
            "Azuma and Hoeffding: n martingale differences of range 1 (fewer than n observations: the rest "
            "0) have a mean beyond c with probability at most 2 exp(-2 n c^2).",
            f"At c = `{radius}` that is delta / (K m T).",
            "The probabilities of the K m T pairs of a cell and an n add up.",
        ),
    )


@claim(
    "optimism/visit",
    statement="On the event, the lower bound low of a cell of loss u, seen n times, satisfies {stated}.",
    formulas={"stated": "low <= u and u - low <= width(T, delta, G, n)"},
    domain={
        "grid": "G >= 1",
        "seen": "n >= 0",
        "a_loss": "0 <= u <= 1",
        "event": "implies(n >= 1, abs(observed - u) <= radius(T, delta, n))",
        "radius_up": "radius(T, delta, n) <= rounded <= radius(T, delta, n) + 2 / G",
        "lower": "low == (0 if n == 0 else max(0, floor(G * (observed - rounded)) / G))",
    },
    setting=VISIT,
    symbols={
        "n": "how often the cell was seen",
        "u": "its loss",
        "observed": "the mean of its observations",
        "rounded": "the radius, rounded up to a multiple of 1 / G",
        "low": "its lower bound",
    },
    model={"K": 2, "m": 2, "T": 100, "n": 40, "G": 300, "delta": "1/2", "observed": "1/2", "u": "3/4"}
    | {"rounded": "92/300", "low": "58/300"},
)
def visit(request: Request) -> Outcome:
    """The integer part, for all values."""
    return request.conclude(request.proof().shown())


@claim(
    "optimism/cell",
    statement="On the event, all visits to a cell in k epochs cost, beyond its lower bounds, {stated}.",
    formulas={
        "factor": "(2 + sqrt(2)) * sqrt(logarithm(T, delta))",
        "stated": "spent(b, T, delta, G, k) <= factor * sqrt(b(k)) - (1 if b(k) >= 1 else 0) + 3 / G * b(k)",
    },
    domain={
        **SIZES,
        "grid": "G >= 1",
        "epochs": "k >= 0",
        "unseen": "b(0) == 0",
        "stops": "all(b(s - 1) <= b(s) <= b(s - 1) + max(1, b(s - 1)) for s in between(1, k))",
    },
    setting=CELL,
    symbols={"k": "the number of epochs", "b": "b(k), how often the cell was seen in k epochs"},
    model={"K": 2, "m": 2, "T": 9, "G": 27, "delta": "1/2", "k": 3, "b": SEEN[0]},
)
def cell(request: Request) -> Outcome:
    """The first visit costs 1 and is charged 2; an epoch that at most doubles the count telescopes."""
    p = request.proof()
    root = "sqrt(logarithm(T, delta))"
    p.have("logarithm(T, delta) >= 69 / 100", hints=["log(2 * K * m * T / delta)", "log(2)"])
    p.have(f"{root} >= 4 / 5")
    radius = "sqrt(logarithm(T, delta) / (2 * r))"
    p.have(f"implies(r >= 1, 2 * {radius} * sqrt(r) == sqrt(2) * {root})", all="r")
    few = "r >= 1 and 0 <= u and u <= r"
    grown = "(sqrt(r + u) - sqrt(r))"
    p.have(f"implies({few}, u * sqrt(2) <= (2 + sqrt(2)) * {grown} * sqrt(r))", all="r u")
    p.have(f"implies({few}, u * sqrt(2) * {root} <= (2 + sqrt(2)) * {root} * {grown} * sqrt(r))", all="r u")
    p.have(f"implies({few}, u * (2 * {radius}) <= (2 + sqrt(2)) * {root} * {grown})", all="r u")
    p.induct("j", "b(j) >= 0", upto="k")
    F, inside_k = f"(2 + sqrt(2)) * {root}", ["1 <= j", "j <= k"]
    cost = "(b(j) - b(j - 1)) * width(T, delta, G, b(j - 1))"
    p.have(
        f"implies(b(j - 1) >= 1, {cost} <= {F} * (sqrt(b(j)) - sqrt(b(j - 1))) + 3 / G * (b(j) - b(j - 1)))",
        all="j",
        given=inside_k,
        hints=["sqrt(b(j - 1) + (b(j) - b(j - 1)))"],
    )
    p.have(
        f"implies(b(j - 1) == 0, {cost} <= {F} * (sqrt(b(j)) - sqrt(b(j - 1))) - (1 if b(j) >= 1 else 0))",
        all="j",
        given=inside_k,
    )
    p.induct(
        "j",
        f"spent(b, T, delta, G, j) <= {F} * sqrt(b(j)) - (1 if b(j) >= 1 else 0) + 3 / G * b(j)",
        upto="k",
    )
    return request.conclude(p.shown())
