"""Algorithm 1, lines 11 and 12: how long a policy must be executed before its observations can be used.

Stated. Of 2 n_s periods, the first n_s are thrown away; the others hold n_s N_xy sqrt(T) observations of
h_x(y).

Checked. For every word and every past of a box, the cells met in one period of steps after b steps of the
word are counted and held against N_xy. That b = sqrt(T) is enough is Lemma 2; the least b that is enough for
all words and pasts is m - 1, and a case where one step less is not enough is replayed with losses 1 at one
cell.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product

from proofs_check import definitions
from proofs_check.boxes import first_failing, indicator
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Verdict
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.replay import replay
from tallyplan.model.words import Word

WORDS = ((2, 1, 3), (2, 2, 3), (2, 3, 4), (3, 2, 3), (3, 3, 3))  # (K, m, sqrt(T))
MORE_WORDS = ((2, 3, 6), (2, 4, 5), (3, 3, 4), (4, 2, 4))  # of a thorough run


@dataclass(frozen=True)
class Start:
    """A size, the steps that its words and pasts need, and a case where one step less is not enough."""

    actions: int
    memory: int
    root: int
    needed: int
    too_early: Witness | None

    def satisfies(self, formula: Formula) -> bool:
        """Whether the formula holds here."""
        return formula.holds(T=self.root**2, needed=self.needed)

    def witness(self) -> Witness:
        """For the reader."""
        return self.too_early or Witness({"K": self.actions, "m": self.memory, "needed": self.needed})

    def confirmed(self) -> bool:
        """The case replayed: the indicator losses of one period after the burn-in, and of one far later."""
        return self.too_early is not None and _confirmed(self.too_early)


@claim(
    "algorithm-1/burn-in",
    statement="n_s periods are not stored; the next n_s hold n_s N_xy sqrt(T) observations of h_x(y). One "
    "period is enough: {stated}.",
    where="Algorithm 1 (alg:main), lines 11 and 12",
    formulas={"stated": "needed <= sqrt(T)", "least": "m - 1"},
    symbols={
        "needed": "the least number of steps of a word after which the cells of a period are counted as N_xy "
        "says, whatever the word and what was played before it",
    },
)
def burn_in(request: Request) -> Outcome:
    """Count each cell in the L steps that follow b steps of burn-in, for every word and every past."""
    f, box = request.formulas, []
    for K, m, L in WORDS + (MORE_WORDS if request.thorough else ()):
        request.progress(f"algorithm-1/burn-in: K, m, sqrt(T) = {K}, {m}, {L}")
        box.append(Start(K, m, L, *_burn_in_needed(K, m, L)))
    exact = all(one.needed == f.least(m=one.memory) for one in box)
    sharp = next(one for one in box if one.memory > 1)
    return request.conclude(
        None,
        method="every word and every past counted",
        cases=sum(one.actions**one.root for one in box),
        checked_on="every word and past for (K, m, sqrt(T)) = "
        + ", ".join(f"({one.actions}, {one.memory}, {one.root})" for one in box),
        violation=first_failing(box, f.stated),
        tight=Tight(f"{f.least} steps are enough, and needed", Verdict.CHECKED, sharp.witness())
        if exact and sharp.confirmed()
        else None,
    )


def _burn_in_needed(K: int, m: int, L: int) -> tuple[int, Witness | None]:
    """The least b after which the counts are right for all words and pasts, and a case where b - 1 fails."""
    pasts = [past for length in range(m) for past in product(range(K), repeat=length)]
    needed, witness = 0, None
    for word in product(range(K), repeat=L):
        right = definitions.period_counts(word, m, n=1)
        for past in pasts:
            while needed <= L and (counts := _counts_after(word, m, past, needed)) != right:
                witness = _burn_in_witness(K, m, word, past, needed, counts, right)
                needed += 1
    return needed, witness


def _counts_after(word: Word, m: int, past: Word, burn_in: int) -> Counter[tuple[int, int]]:
    """The cells met in one period of steps, after the past and `burn_in` steps of the word."""
    actions = past + word * 3
    start = len(past) + burn_in
    return Counter((actions[t], definitions.tally(actions, t, m)) for t in range(start, start + len(word)))


def _burn_in_witness(
    K: int,
    m: int,
    word: Word,
    past: Word,
    burn_in: int,
    counts: Counter[tuple[int, int]],
    right: Counter[tuple[int, int]],
) -> Witness:
    """Losses 1 at the first cell whose counts differ, 0 elsewhere."""
    cell = next(one for one in sorted(counts | right) if counts[one] != right[one])
    facts = {
        "word": word,
        "past": past,
        "burn-in": burn_in,
        "count": counts[cell],
        "N_xy sqrt(T)": right[cell],
    }
    return Witness(facts, indicator(K, m, {cell}))


def _confirmed(witness: Witness) -> bool:
    """Replayed: the indicator losses of one period after the burn-in, and of one far later."""
    bandit, facts = witness.bandit, witness.facts
    assert bandit is not None
    word, burn_in = facts["word"], facts["burn-in"]
    start, turned = facts["past"] + word[:burn_in], word[burn_in:] + word[:burn_in]
    early, late = replay(bandit, turned, start=start), replay(bandit, turned, start=turned * 2)
    return early == facts["count"] and late == facts["N_xy sqrt(T)"] and early != late
