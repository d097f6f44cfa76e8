"""Lemma 6: the policies that survive are nearly optimal.

Stated (label lem:opt_gap). If m <= sqrt(T), the event that mu(pi) - mu(pi*) <= 4 C_{s-1} for all s = 1..S and
all pi in A_s has probability at least 1 - delta.

For s >= 2 proved, on the event of Lemma 7; 4 is the best factor. For s = 1 refuted, a slip: there is no epoch
0. If C_0 is read as the formula says (n_0 = 1), then A_1 holds all policies, and with h_1 = 0, h_2 = 1 one of
them has gap 1: the event is impossible once 4 C_0 < 1, that is 128 log(2KmS/delta) < 2^S - 1 on the horizons
of Algorithm 1. This is weakest at Km = 2 (K = 1 has no gap) and delta -> 1, so the first S that admits a
delta < 1 is the smallest for all K, m and delta. Nothing is lost: only s >= 2 is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from proofs_check import definitions
from proofs_check.balls import decide, decimal, less
from proofs_check.paper.lemma_8 import ELIMINATION, MODEL, SETTING, SYMBOLS
from proofs_check.stating import Better, Outcome, Request, Verdict, Witness, claim
from tallyplan.formula import Formula
from tallyplan.games.bounds import WIDTH
from tallyplan.games.schedule import horizon_root
from tallyplan.model.instance import TallyingBandit

WHERE = "Lemma 6 (lem:opt_gap)"
MOST_EPOCHS = 20
BANDIT = TallyingBandit([[0], [1]])

Values = dict[str, int | Fraction]


@dataclass(frozen=True)
class AtStart:
    """s = 1, K = 2, m = 1, h_1 = 0, h_2 = 1: the constant policies, which are in A_1; S and delta."""

    gap: Formula
    epochs: int
    delta: Fraction

    @property
    def values(self) -> Values:
        """For the formulas."""
        return {**_weakest(self.epochs), "delta": self.delta}

    def witness(self) -> Witness:
        """For the reader."""
        value = decimal(self.gap, digits=6, **self.values)
        sizes = {"horizon": self.values["T"], "S": self.epochs, "delta": self.delta}
        return Witness({**sizes, "4 C_0": value, "largest gap in A_1": 1}, BANDIT)

    def confirmed(self) -> bool:
        """By the definitions, the two constant policies differ by more than the bound allows."""
        constant = [definitions.mu(BANDIT, (action, action)) for action in (0, 1)]
        values = {**self.values, "high": max(constant), "low": min(constant)}
        return less(self.gap, Formula("high - low"), **values) is True


@claim(
    "lemma-6",
    statement="With probability at least 1 - delta, for all s = 1..S and all pi in A_s, C_(s-1) being "
    "{width}: {stated}.",
    where=WHERE,
    formulas={"width": WIDTH.where(s="s - 1"), "gap": "4 * width", "stated": "mean - mu <= gap"},
    domain={"memory": "m <= sqrt(T)", "first": "s >= 1", "last": "s <= S"},
    assuming=("with probability at least 1 - delta",),
    uses=("lemma-6/chain",),
)
def lemma_6(request: Request) -> Outcome:
    """At s = 1, search the horizons of Algorithm 1 for the first with 4 C_0 < 1 for some delta < 1."""
    found = _first_failure(request)
    return request.conclude(
        None,
        cases=found.epochs if found else MOST_EPOCHS - 1,
        checked_on="s = 1, K = 2, m = 1, the horizons of Algorithm 1",
        violation=found,
        remarks=("No smaller S refutes it: at delta = 1 the gap allowed is 1 or more.",),
        repair=Better(
            "On the events of Lemma 7 it holds for s = 2..S, all that is used (claim lemma-6/chain).",
            request.result("lemma-6/chain").outcome.verdict,
        ),
    )


def _first_failure(request: Request) -> AtStart | None:
    """The first S that admits a delta < 1, and the first tenth that works."""
    f = request.formulas
    tenths = [*(Fraction(tenth, 10) for tenth in range(1, 10)), Fraction(999, 1000)]
    for S in range(1, MOST_EPOCHS):
        inside = all(one.holds(**_weakest(S)) for one in request.domain)
        values = {**_weakest(S), "mean": 1, "mu": 0}
        fails = [delta for delta in tenths if decide(f.stated, **values | {"delta": delta}) is False]
        if inside and fails:
            return AtStart(f.gap, S, fails[0])
    return None


def _weakest(S: int) -> Values:
    """s = 1, K = 2, m = 1 and delta = 1, where 4 C_0 is least for this S."""
    return {"K": 2, "m": 1, "S": S, "s": 1, "T": horizon_root(2, 1, S) ** 2, "delta": 1}


@claim(
    "lemma-6/chain",
    statement="On the events of Lemma 7, for every policy x of A_s: {stated}.",
    where="Lemma 6, steps (i) to (iv) of the proof",
    formulas={
        "stated": "loss_of(x) - loss_of(star) <= 4 * C(s - 1)",
        "attained": "loss_of(x) - loss_of(star) == 4 * C(s - 1)",
    },
    domain={**ELIMINATION, "later": "2 <= s <= S", "survives": "1 <= x <= n and member(x, s) == 1"},
    setting=SETTING,
    symbols={**SYMBOLS, "x": "a policy"},
    model={**MODEL, "s": 2, "x": 2},
    uses=("lemma-8",),
)
def chain(request: Request) -> Outcome:
    """The policy was kept after epoch s - 1, in which pi* was present (Lemma 8)."""
    p = request.proof()
    p.use("lemma-8", j="s - 1")
    errors = {"hat": [[1, 1, 1], [3, 3, 3]], "loss_of": [0, 4], "chosen": [1]}  # of C, in opposite directions
    attained = request.sequent("attained").holds({**MODEL, "s": 2, "x": 2, **errors})
    return request.conclude(
        p.shown(),
        tight=Better("4 is the best factor, given errors up to C", Verdict.CHECKED) if attained else None,
    )
