"""Lemma 3 for K = m - 1: the gap T mu(pi*) - OPT_T can grow as (m - 2) sqrt(T).

Stated here. For K = m - 1 actions, h_x(1) = 0 for all but the last action, which loses nothing at the tally 2
only, every other loss 1: for L = -1 modulo m the gap is at least (m - 2) L - 1 (`lemma-3/one-action-less`).
Lemma 3's sharp bound is (m - 1) L, so for K = m - 1 the right slope lies between m - 2 and m - 1, for the
memories gone through. For K = 2, m = 3 the largest gaps that were computed have this slope
(docs/constants.md).

Shown. Playing every action once and the last one twice loses nothing forever, m steps a turn. A closed walk
of another length loses something. The least losses of walks from a history, by history and number of steps
modulo m, bound it for every length: no edge raises them by more than its loss, which is evaluated on every
edge and from every history, and adds up along a walk by induction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from proofs_check.boxes import first_failing, span
from proofs_check.claim import Outcome, Request, claim
from proofs_check.computations.cyclic_gap import gap_of
from proofs_check.steps import Given, Step, conclusions
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import definition
from tallyplan.formula import Formula
from tallyplan.model.graph import Array
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay

SHOWN = range(3, 6)  # memories
UNREACHED = 2**30
VARIABLES = "m L T q i integer; mu OPT real; loss(integer) total(integer) p(integer) real"
DETOUR = Formula("m - 2")


@dataclass(frozen=True)
class OneLess:
    """K = m - 1 actions; the last one twice and each other once in m steps lose nothing."""

    memory: int

    @property
    def bandit(self) -> TallyingBandit:
        """The table.

        >>> [[int(loss) for loss in row] for row in OneLess(4).bandit.losses]
        [[0, 1, 1, 1], [0, 1, 1, 1], [1, 0, 1, 1]]
        """
        m = self.memory
        return TallyingBandit([[0] + [1] * (m - 1)] * (m - 2) + [[1, 0] + [1] * (m - 2)])

    @property
    def word(self) -> tuple[int, ...]:
        """The turning word: the last action, then all in turn."""
        return (self.memory - 2, *range(self.memory - 1))

    @property
    def losses(self) -> Array:
        """What a step loses, at [action, history]; the last action is the lowest digit of a history."""
        K, m = self.memory - 1, self.memory
        histories = np.arange(K ** (m - 1))
        digits = np.stack([histories // K**place % K for place in range(m - 1)])
        rows = np.array([[int(loss) for loss in row] for row in self.bandit.losses])
        return np.stack([rows[x][(digits == x).sum(axis=0)] for x in range(K)])

    @cached_property
    def least(self) -> Array:
        """Least losses of walks, at [first history, steps modulo m, last history]."""
        states = self.losses.shape[1]
        found = np.full((states, self.memory, states), UNREACHED)
        found[np.arange(states), 0, np.arange(states)] = 0
        while True:
            lower = np.minimum(found, self.after(found))
            if np.array_equal(lower, found):
                return found
            found = lower

    def after(self, potentials: Array) -> Array:
        """The potentials after one step more."""
        K, states = self.memory - 1, potentials.shape[2]
        after = np.empty_like(potentials)
        for x in range(K):
            reached = potentials + self.losses[x]
            after[:, :, x::K] = reached.reshape(*reached.shape[:2], K, states // K).min(axis=2)
        return np.roll(after, 1, axis=1)

    @property
    def detour(self) -> int:
        """The least loss of a closed walk of -1 steps modulo m, from any history."""
        states = np.arange(self.least.shape[0])
        return int(self.least[states, self.memory - 1, states].min())


@claim(
    "lemma-3/one-action-less",
    statement="(not in the paper) For K = m - 1 actions, h_x(1) = 0 for all but the last, which has "
    "h(2) = 0, every other loss 1: {stated}.",
    where="Lemma 3 for fewer actions than memory (ours, docs/constants.md)",
    formulas={"stated": "T * mu - OPT >= (m - 2) * L - 1"},
    domain={
        "memory": f"{SHOWN[0]} <= m and m <= {SHOWN[-1]}",
        "length": "L == q * m - 1",
        "turns": "q >= 1",
        "square": "T == L * L",
    },
    integers="m L T q",
    symbols={"q": "a number of turns"},
)
def one_action_less(request: Request) -> Outcome:
    """Bound every closed walk by potentials on histories and residues; plan one length of each memory."""
    f = request.formulas
    planned = [gap_of(OneLess(m).bandit, 3 * m - 1) for m in SHOWN]
    return request.conclude(
        request.show("stated", _steps(request)),
        method="potentials on histories and residues, added up along a walk; the planners",
        cases=len(planned),
        violation=first_failing(planned, f.stated),
        remarks=[f"The planners agree at L = 3m - 1, m = {span(SHOWN)}."],
    )


def _steps(request: Request) -> list[Step]:
    """Every edge, every closed walk, and the turning word."""
    f = request.formulas
    tables = [OneLess(m) for m in SHOWN]
    edges, detours, openings = ([make(one) for one in tables] for make in (_edges, _detour, _opening))
    along = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[
            f.memory,
            definition("the total of the closed walk of a best word", "total(0) == 0"),
            definition(
                "the total of the closed walk of a best word", "total(i + 1) == total(i) + loss(i + 1)"
            ),
            *(step.at() for step in edges),
        ],
        then="p(i) - p(0) <= total(i)",
        words="so in i steps it rises by at most what they lose",
    )
    given: list[Given] = [
        *request.domain,
        definition("the mean of a best word, repeated forever", "L * mu == total(L)"),
        along.at(i="L"),
        *(step.at() for step in (*detours, *openings)),
    ]
    period = for_all(
        VARIABLES, given=given, then=f"L * mu >= {DETOUR}", words="what a period of L steps loses"
    )
    last = for_all(
        VARIABLES,
        given=[*request.domain, *(step.at() for step in openings), *conclusions(period)],
        then=f.stated,
        words="L periods, against the turning word",
    )
    return [*edges, *detours, *openings, along, period, last]


def _edges(one: OneLess) -> Step:
    m = one.memory
    return Step(
        f"m = {m}: p(i), the least loss of walks of i steps modulo m from the first history of the walk",
        f"evaluation of all {one.least.size * (m - 1)} edges",
        all(_rises_by_its_loss(one, *edge) for edge in product(range(one.least.shape[2]), range(m - 1))),
        Formula(f"implies(m == {m}, p(i + 1) <= p(i) + loss(i + 1))"),
        variables=VARIABLES,
    )


def _rises_by_its_loss(one: OneLess, code: int, action: int) -> bool:
    """Whether no potential rises along an edge by more than its loss, read off the history itself."""
    K, m = one.memory - 1, one.memory
    history = [code // K**place % K for place in range(m - 1)]
    loss = int(one.bandit.losses[action][history.count(action)])
    reached = np.roll(one.least[:, :, (code * K + action) % K ** (m - 1)], -1, axis=1)
    return bool((reached <= one.least[:, :, code] + loss).all())


def _detour(one: OneLess) -> Step:
    m = one.memory
    return Step(
        f"m = {m}: back at the first history after -1 steps modulo m",
        f"evaluation at all {one.least.shape[0]} of them",
        one.detour >= DETOUR(m=m),
        Formula(f"implies(m == {m} and L == q * m - 1, p(L) - p(0) >= {DETOUR})"),
        variables=VARIABLES,
    )


def _opening(one: OneLess) -> Step:
    m = one.memory
    lost = max(replay(one.bandit, (one.word * 3)[:t]) for t in range(3 * m + 1))
    return Step(
        f"m = {m}: the turning word, its windows recurring from step m on",
        "replay of three turns",
        lost <= 1,
        Formula(f"implies(m == {m}, OPT <= 1)"),
        variables=VARIABLES,
    )
