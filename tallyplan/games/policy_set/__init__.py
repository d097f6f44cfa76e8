"""The sets A_s of SE-TB, kept as inequalities: {closed walks of length L : a_j.N <= b_j, j = 1 .. s-1}.

A_1 holds K^L words; none is ever listed. Two questions are enough for the algorithm: the greatest count of a
cell, and the least weighted count. Each is answered by a word of the set, replayed, and by a bound that
holds for the whole set and is proved in integers: weak duality at the leaves of a branch and bound over the
flow relaxation (`relaxation`). Word and bound meet, or the answer is the interval between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tallyplan.errors import InternalError, InvalidInput
from tallyplan.games.policy_set.proposals import propose
from tallyplan.games.policy_set.relaxation import Relaxation, Row, SearchResult, search
from tallyplan.games.policy_set.walks import CellCounts, Windows, counts_of_runs, tour, weighted_sum
from tallyplan.limits import require_memory
from tallyplan.model.words import Runs, length


@dataclass(frozen=True)
class PolicyAnswer:
    """The optimum of a question about a policy set, or a certified interval for it.

    Attributes
    ----------
    value : the objective of the word; `bound` : no member of the set is better.
    runs : the word, as (word, repeats), of total length L.
    counts : its cells' counts N_xy L, by cell x m + y - 1.
    proved_by : how the bound was proved: "weak duality" or "branching".

    >>> answer = PolicySet.of_all(2, 2, 6).greatest_count(0, 1)
    >>> answer.value, answer.bound
    (3, 3)
    """

    value: int
    bound: int
    runs: Runs = field(repr=False)
    counts: CellCounts
    proved_by: str

    @property
    def exact(self) -> bool:
        """Whether word and bound meet."""
        return self.value == self.bound


@dataclass(frozen=True)
class PolicySet:
    """The closed walks of length `period` whose counts satisfy all rows a.N <= b.

    Parameters
    ----------
    actions, memory, period : K, m and L >= m - 1.
    rows : pairs (a, b), a by cell.
    member : a word of the set, as runs; it shows that the set is not empty.
    effort : how many relaxations a question may solve before it is answered by an interval.

    Examples
    --------
    >>> everything = PolicySet.of_all(actions=2, memory=2, period=12)
    >>> everything.greatest_count(0, 1).counts  # alternate: every play of action 0 has tally 1
    (6, 0, 6, 0)
    >>> fewer = everything.where((0, 0, 1, 1), 2, everything.greatest_count(0, 2))  # action 1 at most twice
    >>> fewer.greatest_count(0, 1).value, fewer.greatest_count(0, 1).proved_by
    (2, 'weak duality')
    """

    actions: int
    memory: int
    period: int
    rows: tuple[Row, ...] = ()
    member: Runs = ()
    effort: int = 2000

    @classmethod
    def of_all(cls, actions: int, memory: int, period: int, effort: int = 2000) -> PolicySet:
        """A_1: all words of length `period`.

        Raises
        ------
        InvalidInput : a period below the memory, where counts depend on the past (Lemma 2).
        InstanceTooLarge : K^m edges do not fit in memory.
        """
        if period < memory:
            raise InvalidInput(f"the period {period} is shorter than the memory {memory}.")
        require_memory(2000 * actions**memory, "windows", actions, memory)
        return cls(actions, memory, period, (), (((0,), period),), effort)

    def where(self, weights: Sequence[int], limit: int, member: PolicyAnswer) -> PolicySet:
        """The members with weights.N <= limit; `member` is one of them."""
        rows = (*self.rows, (tuple(weights), limit))
        smaller = PolicySet(self.actions, self.memory, self.period, rows, member.runs, self.effort)
        if not smaller.contains(member.counts):
            raise InternalError("a policy set lost the word that should be in it; please report this.")
        return smaller

    def contains(self, counts: CellCounts) -> bool:
        """Whether the words with these counts satisfy all rows."""
        return all(weighted_sum(counts, weights) <= limit for weights, limit in self.rows)

    @property
    def windows(self) -> Windows:
        """The state graph; a word of length L is a closed walk on it."""
        return Windows(self.actions, self.memory)

    @cached_property
    def _relaxation(self) -> Relaxation:
        return Relaxation(self.windows, self.period, self.rows)

    def greatest_count(self, action: int, tally: int) -> PolicyAnswer:
        """max N_xy L over the set, for x = `action`, y = `tally`: line 7 of Algorithm 1."""
        cell = action * self.memory + tally - 1
        return self.greatest([int(cell == other) for other in range(self.actions * self.memory)])

    def least(self, weights: Sequence[int]) -> PolicyAnswer:
        """min weights.N over the set: line 18 of Algorithm 1. `bound` is the lower end of the interval."""
        found = self.greatest([-weight for weight in weights])
        return replace(found, value=-found.value, bound=-found.bound)

    def greatest(self, objective: Sequence[int]) -> PolicyAnswer:
        """max objective.N over the set, with a word that attains it or an interval."""
        known = weighted_sum(counts_of_runs(self.actions, self.memory, self.member), objective)
        return self._answer(objective, search(self._relaxation, objective, known, self.effort, propose))

    def _answer(self, objective: Sequence[int], result: SearchResult) -> PolicyAnswer:
        """The answer that a search found; its word is replayed."""
        runs = self.member if result.flow is None else tour(self.windows, result.flow)
        counts = counts_of_runs(self.actions, self.memory, runs)
        attained = weighted_sum(counts, objective) == result.value <= result.bound
        if length(runs) != self.period or not self.contains(counts) or not attained:
            raise InternalError("a word of a policy set failed its replay; please report this.")
        return PolicyAnswer(result.value, result.bound, runs, counts, result.proved_by)
