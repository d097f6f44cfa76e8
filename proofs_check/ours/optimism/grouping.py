"""Optimism, the grouping: what all steps exceed their lower bounds by, collected by cells and epochs.

A visit to cell c in epoch k + 1 costs at most w(c, k) more than its lower bound. The sum over all steps is
then at most the sum over the cells and the epochs of (visits of c in the epoch) w(c, k): the two orders of a
double sum. Within an epoch a step adds w(c, k) to exactly one cell; so do the epochs, one after the other.
"""

from __future__ import annotations

from dataclasses import replace

from proofs_check.claim import Outcome, Request, claim
from proofs_check.ours.optimism.epochs import WHERE
from proofs_check.steps import Fact
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import definition

VARIABLES = (
    "K m c i j k t integer; cell(integer) start(integer) n(integer, integer) N(integer, integer) integer; "
    "w(integer, integer) cost(integer, integer) inside(integer, integer, integer) over(integer) "
    "sums(integer, integer) costs(integer) excess real"
)


def _at(fact: Fact, **instance: str) -> Fact:
    """A definition at other arguments."""
    return replace(fact, formula=fact.formula.where(**instance))


@claim(
    "optimism/grouping",
    statement="What the losses exceed the lower bounds by, in all steps of k epochs, is {stated}.",
    where=WHERE,
    formulas={"stated": "excess <= costs(K * m)"},
    domain={"actions": "K >= 1", "memory": "m >= 1", "epochs": "k >= 0"},
    integers="K m k",
    symbols={
        "excess": "that sum",
        "costs": "costs(i), the sum over the first i cells and the k epochs of the visits of the cell in the "
        "epoch times w, the most that such a visit exceeds its lower bound by",
        "k": "the number of epochs",
    },
)
def grouping(request: Request) -> Outcome:
    """A step changes the sum of one cell; induction on the cells, the steps of an epoch, and the epochs."""
    f = request.formulas
    counted = definition(
        "the counts", "implies(t >= 0, n(c, t + 1) == n(c, t) + (1 if cell(t + 1) == c else 0))"
    )
    weighed = [
        definition("an epoch by cells", "inside(0, t, k) == 0"),
        definition(
            "an epoch by cells",
            "implies(i >= 0, inside(i + 1, t, k) == inside(i, t, k) + n(i + 1, t) * w(i + 1, k))",
        ),
    ]
    one = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            "t >= 0",
            *weighed,
            *(_at(fact, t="t + 1") for fact in weighed),
            _at(counted, c="i + 1"),
            definition("the cells", "implies(t >= 0, cell(t + 1) >= 1)"),
        ],
        then="inside(i, t + 1, k) == inside(i, t, k) + (w(cell(t + 1), k) if cell(t + 1) <= i else 0)",
        words="a step adds its cost to the sum of its cell",
    )
    at = "start(k) + j"
    epoch = induction(
        VARIABLES,
        on="j",
        start=0,
        upto="start(k + 1) - start(k)",
        given=[
            f.actions,
            f.memory,
            "k >= 0",
            definition("the epochs", "start(k) >= 0"),
            definition("the cells", f"implies({at} >= 0, cell({at} + 1) >= 1 and cell({at} + 1) <= K * m)"),
            definition(
                "a visit",
                f"implies(j >= 0 and {at} < start(k + 1), "
                f"over({at} + 1) <= over({at}) + w(cell({at} + 1), k))",
            ),
            one.at(i="K * m", t=at),
        ],
        then=f"over({at}) - over(start(k)) <= inside(K * m, {at}, k) - inside(K * m, start(k), k)",
        words="the steps of an epoch",
    )
    counts = [definition("the counts", f"N(i + 1, {k}) == n(i + 1, start({k}))", "N") for k in ("k", "k + 1")]
    added = [
        definition("the cost of a cell", "cost(c, 0) == 0", "cost"),
        definition(
            "the cost of a cell",
            "implies(k >= 0, cost(c, k + 1) == cost(c, k) + (N(c, k + 1) - N(c, k)) * w(c, k))",
            "cost",
        ),
    ]
    totals = [
        definition("the sums", "sums(0, k) == 0"),
        definition("the sums", "implies(i >= 0, sums(i + 1, k) == sums(i, k) + cost(i + 1, k))"),
    ]
    cells = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            "k >= 0",
            *(_at(fact, t=t) for fact in weighed for t in ("start(k)", "start(k + 1)")),
            *(*totals, *(_at(fact, k="k + 1") for fact in totals)),
            *counts,
            _at(added[1], c="i + 1"),
        ],
        then="sums(i, k + 1) - sums(i, k) == inside(i, start(k + 1), k) - inside(i, start(k), k)",
        words="an epoch adds to the sums what it has by cells",
    )
    nothing = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[_at(totals[0], k="0"), _at(totals[1], k="0"), _at(added[0], c="i + 1")],
        then="sums(i, 0) == 0",
        words="no epochs cost nothing",
    )
    every = induction(
        VARIABLES,
        on="k",
        start=0,
        given=[
            f.actions,
            f.memory,
            definition("the epochs", "start(0) == 0 and implies(k >= 0, start(k + 1) >= start(k))"),
            definition("the excess", "over(0) == 0"),
            epoch.at(j="start(k + 1) - start(k)"),
            cells.at(i="K * m"),
            nothing.at(i="K * m"),
        ],
        then="over(start(k)) <= sums(K * m, k)",
        words="all epochs",
    )
    last = for_all(
        VARIABLES,
        given=[
            *request.domain,
            every.at(),
            definition("the excess", "excess == over(start(k))", "excess"),
            definition("the costs", "costs(K * m) == sums(K * m, k)", "costs"),
        ],
        then=f.stated,
    )
    return request.conclude(
        request.show("stated", [one, epoch, cells, nothing, every, last]),
        method="induction on the cells, on the steps of an epoch and on the epochs, z3",
    )
