"""Lemma 5: what an epoch costs.

Stated (label lem:loss_each_s). If m <= sqrt(T), then with probability at least 1 - delta, for each epoch s of
2..S at once: l^s - T_s mu(pi*) <= Km (sqrt(T) + 8 n_s sqrt(T) C_{s-1}).

Proved. Epoch s executes Km policies of A_s for 2 n_s periods each. From its m-th step on, an execution sees
only itself, so every period but the first loses exactly mu sqrt(T), and the first one at most 1 per step. The
policies lie within 4 C_{s-1} of mu(pi*) (`lemma-6`). What is left is arithmetic, for z3.

Sharper. The first period differs from a later one only in its first m - 1 steps: sqrt(T) may be m - 1. The
exact largest difference is computed over all words and all pasts of a box, and over all losses in [0,1]:
it is linear in the losses, so its maximum is the sum of the positive differences of the counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from proofs_check import definitions
from proofs_check.boxes import indicator
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Step, Verdict, argued, conclusions
from proofs_check.ways.for_all import for_all
from proofs_check.ways.laws import power_grows
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.replay import replay
from tallyplan.model.words import Word

WHERE = "Lemma 5 (lem:loss_each_s)"
STATED = Formula("K * m * (sqrt(T) + 8 * n * sqrt(T) * C)")  # n = n_s, C = C_(s-1)
START = Formula("m - 1")
SIZES = ((2, 1, 2), (2, 2, 2), (2, 2, 3), (2, 3, 3), (2, 4, 4), (3, 2, 3), (3, 3, 3))  # (K, m, sqrt(T))
MORE_SIZES = ((2, 3, 7), (2, 5, 6), (3, 3, 5), (4, 3, 4))  # of a thorough run


VARIABLES = "K m S s p member(integer, integer) integer; C(integer) cost(integer) real"


@claim(
    "lemma-5",
    statement="With probability at least 1 - delta, for each s = 2..S: {stated}.",
    where=WHERE,
    formulas={
        "bound": STATED.where(n="2**s", C="C(s - 1)"),
        "stated": "cost(s) <= bound",
        "start": START,
        "sharp_bound": "K * m * (start + 8 * 2**s * sqrt(T) * C(s - 1))",
        "sharp": "cost(s) <= sharp_bound",
    },
    domain={
        "actions": "K >= 1",
        "memory": "m >= 1",
        "horizon": "T >= 1",
        "later": "s >= 2",
    },
    integers="K m S s",
    assuming=(
        "m <= sqrt(T), so that mu is well defined (Lemma 2)",
        "on the event of Lemma 7, of probability at least 1 - delta",
    ),
    uses=("lemma-6/chain",),
)
def lemma_5(request: Request) -> Outcome:
    """Bound one execution, add up Km of them; then the exact cost of the first period on a box."""
    f = request.formulas
    start = argued(
        "the first period differs from a later one in its first m - 1 steps only (lemma-3/steady-state)",
        then=f"first <= mean * sqrt(T) + {f.start}",
    )
    sharp = request.show("sharp", _steps(request, start, f.start, f.sharp))
    whole = argued("no step loses more than 1", then="first <= sqrt(T)")
    return request.conclude(
        request.show("stated", _steps(request, whole, Formula("sqrt(T)"), f.stated)),
        method="one execution by z3, and Km of them",
        remarks=("In the proof, 'executing the policy for 2 n_s epochs' should read periods.",),
        tight=_tight(request, sharp.verdict),
    )


def _steps(request: Request, start: Step, extra: Formula, conclusion: Formula) -> list[Step]:
    """The worst of the Km executions loses `first` in its first period and mean sqrt(T) in each later one."""
    f = request.formulas
    worst = "first + (2 * 2**s - 1) * mean * sqrt(T) - 2 * 2**s * mu * sqrt(T)"
    links = [
        start,
        argued(
            "Km executions of 2 n_s periods, none dearer than the worst", then=f"cost(s) <= K * m * ({worst})"
        ),
        argued("losses lie in [0, 1], and mu is the least mean", then="0 <= mu and mu <= mean"),
        argued("on the event, epoch s executes policies of A_s", then="good == 1 and member(p, s) == 1"),
    ]
    gap = for_all(
        VARIABLES,
        given=[f.later, *conclusions(links[3]), request.quote("lemma-6/chain")],
        then="mean - mu <= 4 * C(s - 1)",
    )
    one = for_all(
        VARIABLES,
        given=[f.horizon, f.later, *conclusions(start, links[2], gap), power_grows("2", "0", "s")],
        then=f"{worst} <= {extra} + 8 * 2**s * sqrt(T) * C(s - 1)",
        words="one execution",
    )
    return [
        *(*links, gap, one),
        for_all(
            VARIABLES,
            given=[f.actions, f.memory, *conclusions(links[1], one)],
            then=conclusion,
            words="Km executions",
        ),
    ]


def _tight(request: Request, shown: Verdict) -> Tight | None:
    """m - 1, if it is the exact largest cost of a start on every size of the box."""
    worst = {}
    for size in SIZES + (MORE_SIZES if request.thorough else ()):
        request.progress(f"lemma-5: K, m, sqrt(T) = {size}")
        worst[size] = max(_starts(*size), key=lambda start: start[0])
    start = request.formulas.start
    if any(cost != start(m=m) for (_, m, _), (cost, _, _) in worst.items()):
        return None
    (K, m, _), (cost, word, past) = next(item for item in worst.items() if item[0][1] > 1)
    witness = _start_witness(K, m, word, past)
    return Tight(
        f"{start} instead of sqrt(T), attained on every size of the box",
        shown if replayed_cost(witness) == cost else Verdict.UNDECIDED,
        witness,
    )


def _starts(K: int, m: int, L: int) -> Iterator[tuple[int, Word, Word]]:
    """For every word and every past: how much more than a steady period the first one can lose."""
    pasts = [past for length in range(m) for past in product(range(K), repeat=length)]
    for word in product(range(K), repeat=L):
        steady = definitions.period_counts(word, m, n=1)
        for past in pasts:
            first = definitions.period_counts(word, m, n=0, past=past)
            yield (first - steady).total(), word, past


def _start_witness(K: int, m: int, word: Word, past: Word) -> Witness:
    """Losses 1 at the cells that the first period meets more often, 0 elsewhere."""
    more = definitions.period_counts(word, m, 0, past) - definitions.period_counts(word, m, 1)
    facts = {"horizon": len(word) ** 2, "word": word, "past": past, "cost of the start": more.total()}
    return Witness(facts, indicator(K, m, more))


def replayed_cost(witness: Witness) -> int:
    """The loss of the first period after the past, minus that of the second."""
    bandit, word, past = witness.bandit, witness.facts["word"], witness.facts["past"]
    assert bandit is not None
    return int(replay(bandit, word, start=past) - replay(bandit, word, start=past + word))
