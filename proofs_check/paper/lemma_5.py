"""Lemma 5: what an epoch costs.

Stated (label lem:loss_each_s). If m <= sqrt(T), then with probability at least 1 - delta, for each epoch s of
2..S at once: l^s - T_s mu(pi*) <= Km (sqrt(T) + 8 n_s sqrt(T) C_{s-1}).

Proved. Epoch s executes Km policies of A_s for 2 n_s periods each. From its m-th step on, an execution sees
only itself, so every period but the first loses exactly mu sqrt(T), and the first one at most 1 a step. The
policies lie within 4 C_{s-1} of mu(pi*) (`lemma-6`). What is left is arithmetic, for z3.

Sharper. The first period differs from a later one only in its first m - 1 steps: sqrt(T) may be m - 1. The
exact largest difference is computed over all words and all pasts of a box, and over all losses in [0,1]:
it is linear in the losses, so its maximum is the sum of the positive differences of the counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from proofs_check import definitions
from proofs_check.claim import Outcome, Request, Tight, Witness, by_proof, claim
from proofs_check.computations.schedule import EPOCH_STEPS
from proofs_check.paper import lemma_6, lemma_7
from proofs_check.steps import Step, Verdict
from proofs_check.ways.analysis import again, proof
from proofs_check.ways.for_all import for_all, identity
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.words import replay

WHERE = "Lemma 5 (lem:loss_each_s)"
STATED = Formula("K * m * (sqrt(T) + 8 * n * sqrt(T) * C)")
ONE_EXECUTION = Formula("L + 8 * n * L * C")
START = Formula("m - 1")
SIZES = ((2, 1, 2), (2, 2, 2), (2, 2, 3), (2, 3, 3), (2, 4, 4), (3, 2, 3), (3, 3, 3))  # (K, m, sqrt(T))
MORE_SIZES = ((2, 3, 7), (2, 5, 6), (3, 3, 5), (4, 3, 4))  # of a thorough run
ONE_POLICY = ("n >= 1", "L >= 1", "0 <= best", "best <= mu", "mu <= 1", "mu - best <= 4 * C")

Actions = tuple[int, ...]


@claim(
    "lemma-5",
    statement=(
        "If m <= sqrt(T), then with probability at least 1 - delta, for each s = 2..S, l^s - T_s mu(pi*) <= "
        f"{STATED}, n = n_s, C = C_(s-1)."
    ),
    where=WHERE,
)
def lemma_5(request: Request) -> Outcome:
    """Bound one execution by z3, add up Km of them; then the exact cost of the first period on a box."""
    return proof(
        proof_steps(),
        "m <= sqrt(T), S >= 2, observations independent given the past",
        method="the arithmetic of one execution by z3",
        said=("In the proof, 'executing the policy for 2 n_s epochs' should read periods.",),
        tight=_tight(request),
    )


def proof_steps() -> list[Step]:
    """The printed proof, given Lemma 6 on the event of Lemma 7."""
    return [
        _window(),
        lemma_7.all_epochs(),
        again("lemma-6/chain", f"mu - best <= {lemma_6.GAP}, C = C_(s-1), for s >= 2", lemma_6.chain_steps()),
        for_all(
            "n L mu best C first loss real",
            given=[*ONE_POLICY, "first <= L", "loss == first + (2 * n - 1) * mu * L"],
            then=f"loss - 2 * n * best * L <= {ONE_EXECUTION}",
        ),
        identity(
            "K * m * 2 * 2**s * sqrt(T)",
            str(EPOCH_STEPS),
            words="Km executions of 2 n_s periods are T_s steps",
        ),
        identity(
            f"K * m * ({ONE_EXECUTION})".replace("L", "sqrt(T)"),
            str(STATED),
            words=f"Km times {ONE_EXECUTION} is {STATED}, L = sqrt(T)",
        ),
    ]


def sharp_steps() -> list[Step]:
    """m - 1 instead of sqrt(T): the first period loses at most 1 more in each of its first m - 1 steps."""
    return [
        _window(),
        for_all(
            "n m L mu best C first loss real",
            given=[
                *ONE_POLICY,
                "m >= 1",
                "first <= mu * L + (m - 1) * 1",
                "loss == first + (2 * n - 1) * mu * L",
            ],
            then=f"loss - 2 * n * best * L <= {START} + 8 * n * L * C",
        ),
    ]


def _window() -> Step:
    return for_all(
        "t m integer",
        given=["m >= 1", "t >= m"],
        then="t - m + 1 >= 1",
        words="from its m-th step on, the window of an execution lies inside the execution",
    )


def _tight(request: Request) -> Tight | None:
    """m - 1, if it is the exact largest cost of a start on every size of the box."""
    worst = {}
    for size in SIZES + (MORE_SIZES if request.thorough else ()):
        request.progress(f"lemma-5: K, m, sqrt(T) = {size}")
        worst[size] = max(_starts(*size), key=lambda start: start[0])
    if any(cost != START(m=m) for (_, m, _), (cost, _, _) in worst.items()):
        return None
    (K, m, _), (cost, word, past) = next(item for item in worst.items() if item[0][1] > 1)
    witness = _start_witness(K, m, word, past)
    return Tight(
        f"{START} instead of sqrt(T), attained on every size of the box",
        by_proof(sharp_steps()) if replayed_cost(witness) == cost else Verdict.UNDECIDED,
        witness,
    )


def _starts(K: int, m: int, L: int) -> Iterator[tuple[int, Actions, Actions]]:
    """For every word and every past: how much more than a steady period the first one can lose."""
    pasts = [past for length in range(m) for past in product(range(K), repeat=length)]
    for word in product(range(K), repeat=L):
        steady = definitions.period_counts(word, m, n=1)
        for past in pasts:
            first = definitions.period_counts(word, m, n=0, past=past)
            yield (first - steady).total(), word, past


def _start_witness(K: int, m: int, word: Actions, past: Actions) -> Witness:
    """Losses 1 at the cells that the first period meets more often, 0 elsewhere."""
    more = definitions.period_counts(word, m, 0, past) - definitions.period_counts(word, m, 1)
    losses = [[int((x, y) in more) for y in range(1, m + 1)] for x in range(K)]
    facts = {"horizon": len(word) ** 2, "word": word, "past": past, "cost of the start": more.total()}
    return Witness(facts, TallyingBandit(losses))


def replayed_cost(witness: Witness) -> int:
    """The loss of the first period after the past, minus that of the second."""
    bandit, word, past = witness.bandit, witness.facts["word"], witness.facts["past"]
    assert bandit is not None
    return int(replay(bandit, word, start=past) - replay(bandit, word, start=past + word))
