"""The hull of two-run words, and that no closed walk leaves it.

For two actions, write a_s (s = 1 .. m) for how often 1 is played with s ones in the window, b_s (s = 0 ..
m-1) for 0. These *counts* of a closed walk decide its loss under every table. Those of the constant words and
of the words 0^i 1^j with i, j < m span a cone. Each facet or equation, c . N >= 0 or = 0, is a question for
the planner: is the minimum mean of the costs c (and -c for an equation) at least 0? If so for all of them,
under every table some constant or two-run word is optimal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs_check.cones import whole_space
from proofs_check.stating import Request
from tallyplan.check import check
from tallyplan.errors import InternalError
from tallyplan.model.instance import TallyingBandit
from tallyplan.planning.mean_cycle import cycle_on_graph

Counts = tuple[int, ...]  # a_1 .. a_m, b_0 .. b_{m-1}


@dataclass(frozen=True)
class Hull:
    """The cone of the two-run words of a memory."""

    memory: int
    facets: tuple[Counts, ...]
    equations: tuple[Counts, ...]


def counts(word: Sequence[int], memory: int) -> Counts:
    """The counts of a word in one period, straight from the windows.

    >>> counts((0, 1), 2)
    (1, 0, 0, 1)
    """
    tally = [0] * (2 * memory)
    turns = tuple(word) * (memory + 1)
    for end in range(len(turns) - len(word), len(turns)):
        ones = sum(turns[end - memory + 1 : end + 1])
        tally[ones - 1 if turns[end] else memory + ones] += 1
    return tuple(tally)


def two_run_words(memory: int) -> list[tuple[int, ...]]:
    """0, 1 and all 0^i 1^j with 1 <= i, j <= m-1."""
    runs = range(1, memory)
    return [(0,), (1,), *((0,) * i + (1,) * j for i in runs for j in runs)]


def hull_of(memory: int) -> Hull:
    """Facets and equations of the cone, in exact integers.

    A facet c . N >= 0 of the cone of the words is an extreme ray of the cone of all c with c . N >= 0 for the
    counts N of every word; an equation is a line of it.
    """
    valid = whole_space(2 * memory)
    for row in sorted({counts(word, memory) for word in two_run_words(memory)}):  # keeps the rays few
        valid.cut(row)
    return Hull(memory, tuple(sorted(valid.rays())), tuple(sorted(valid.lines())))


def violated(hull: Hull, request: Request) -> Counts | None:
    """A facet or an equation that some closed walk violates, or None: each is certified and checked."""
    rows = [*hull.facets, *hull.equations, *(tuple(-c for c in row) for row in hull.equations)]
    for done, row in enumerate(rows):
        request.progress(f"two-arm-theorem: m = {hull.memory}, {done} of {len(rows)} inequalities")
        if not is_valid(row, hull.memory):
            return row
    return None


def is_valid(row: Counts, memory: int) -> bool:
    """Whether c . N >= 0 for the counts N of every closed walk, by a checked certificate."""
    low, high = min(row), max(row)
    if low == high:
        return low >= 0
    bandit, zero = table_of(row, memory), Fraction(-low, high - low)
    answer = cycle_on_graph(bandit)
    verdict = check(answer.certificate, instance=bandit.to_json())
    if not verdict:
        raise InternalError(f"the checker did not accept the minimum mean of a facet: {verdict.reason}")
    return answer.value >= zero


def table_of(row: Counts, memory: int) -> TallyingBandit:
    """The costs c as losses in [0, 1]: h_1(s) = c(a_s), h_0(m-s) = c(b_s), shifted and scaled."""
    low, high = min(row), max(row)
    losses = [Fraction(c - low, high - low) for c in row]
    ones, zeros = losses[:memory], losses[memory:]
    return TallyingBandit([zeros[::-1], ones])
