"""Lemma 2: the count N_xy of a cyclic policy is well defined.

Stated (label lem:N_welldef). Play any past, then a sqrt(T)-cyclic policy for n + 1 periods, and count in the
last period how often x is played at tally y. If m <= sqrt(T), the count depends neither on n (1 <= n <=
sqrt(T) - 1) nor on the past.

Shown. The count is what the last period loses on the table that is 1 at (x, y) and 0 elsewhere; the argument
holds for every table. Write L = sqrt(T). In the last period, n >= 1, a window reaches back m - 1 <= L steps,
so that it stays in the last two periods, whose actions depend neither on n nor on the past: m <= L + 1 is
enough. It is also needed: for m >= L + 2 a constant word has the tally L + 1 once in its second period, and
never if one play of the same action precedes.

Every word, every past and every n on a box of (K, m, sqrt(T)) are gone through as well, also beyond the
stated m. Pasts of length up to m - 1 are all pasts, since no window sees more. The first word beyond the
domain whose counts differ is evaluated again by replay, with losses that are 1 at the cell (x, y) and 0
elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from proofs_check import definitions
from proofs_check.boxes import indicator, span
from proofs_check.claim import Outcome, Request, Tight, claim
from proofs_check.steps import Fact, Given, Step, conclusions, weakest
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.inductions import plays_only
from proofs_check.ways.sequences import SIZES, Cyclic, Play, alike, always, definition
from proofs_check.witness import Witness
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay
from tallyplan.model.words import Word

STATED = Formula("sqrt(T)")
EXACT = Formula("sqrt(T) + 1")
EXTRA_MEMORY = 3  # m is taken up to sqrt(T) + 3

Size = tuple[int, int, int]  # (K, sqrt(T), m)
Box = dict[int, range]  # the periods sqrt(T) for each number of actions

A, B, ONES = Play("a"), Cyclic("b"), Play("o")
VARIABLES = f"{SIZES}; {A.variables}; {B.variables}; {ONES.variables}; x i j t p n integer"
LAST = "a_total(p + (n + 1) * L) - a_total(p + n * L)"


@claim(
    "lemma-2",
    statement=(
        "If {memory}, then N_xy of a sqrt(T)-cyclic policy is well defined for any n, and independent of any "
        "action sequence played before: on the table that is 1 at (x, y) and 0 elsewhere, and on any other, "
        "{stated}."
    ),
    where="Lemma 2 (lem:N_welldef)",
    formulas={
        "same": f"{LAST} == {B.period}",
        "stated": "same",
        "exact": f"implies(m <= {EXACT}, same)",
        "needed": (
            f"implies(m > {EXACT}, o_total(2 * L) - o_total(L) == 1 and "
            "o_total(1 + 2 * L) - o_total(1 + L) == 0)"
        ),
    },
    domain={
        "least": "m >= 1",
        "period": "L >= 1",
        "square": "T == L * L",
        "memory": f"m <= {STATED}",
        "past": "p >= 0",
        "periods": "1 <= n",
    },
    integers="m L T p n",
    symbols={
        "p": "the length of the past",
        "n": "the number of periods before the last one",
        "a_total": "a_total(t), the loss of t steps of the past and then the policy",
        "b_total": "b_total(t), the loss of t steps of the policy alone",
        "o_total": "o_total(t), the number of tallies L + 1 in t steps that all play the same",
    },
)
def lemma_2(request: Request) -> Outcome:
    """Show that windows stay in two periods; compare the counts of all words, pasts and n on a box."""
    f = request.formulas
    box = _box(request)
    sizes = _sizes(box)
    differences = {size: _first_difference(*size, request) for size in sizes}
    failures = {size: case for size, case in differences.items() if case is not None}
    inside = [case for (_, L, m), case in failures.items() if f.memory.holds(m=m, T=L**2)]
    described = ", ".join(f"K = {actions}: sqrt(T) = {span(periods)}" for actions, periods in box.items())
    reach = for_all(VARIABLES, given=[f.period, f.square, f.memory], then="m <= L + 1", words="sqrt(T) = L")
    return request.conclude(
        request.show("stated", [reach, *_enough(request, f.stated, conclusions(reach))]),
        method="windows stay in the last two periods; exhaustive enumeration on a box",
        cases=sum(K**L * len(list(_ways(K, L, m))) for K, L, m in sizes if (K, L, m) not in failures),
        checked_on=f"every word, n and past for {described}",
        violation=inside[0] if inside else None,
        remarks=(
            f"With m up to sqrt(T) + {EXTRA_MEMORY} the counts differ at {len(failures)} of {len(sizes)} "
            "sizes (K, sqrt(T), m).",
        ),
        tight=_tight(request, sizes, failures),
    )


def _plays(i: str) -> Fact:
    """After the past, the sequence plays what the policy plays."""
    return definition("the past and then the policy", f"implies({i} >= 1, a(p + {i}) == b({i}))", "a")


def _enough(request: Request, conclusion: Formula, reach: list[Formula]) -> list[Step]:
    """If m <= L + 1, the windows of the last period stay in the last two, where n does not matter."""
    f = request.formulas
    size = (f.least, f.period, f.past, f.periods)
    moved = induction(
        VARIABLES,
        on="j",
        start=0,
        given=[f.period, "i >= 1", B.repeats("j * L + i")],
        then="b(j * L + i) == b(i)",
        words="j periods later the policy plays the same",
    )
    before = "p + (n - 1) * L"
    agree = for_all(
        VARIABLES,
        given=[*size, "i >= 1", _plays("(n - 1) * L + i"), moved.at(j="n - 1")],
        then=f"a({before} + i) == b(i)",
        words="the last two periods play what the first two of the policy alone play",
    )
    same = alike(VARIABLES, A, before, B, "0", agree=lambda i: agree.at(i=i), given=size, upto="2 * L")
    sums = induction(
        VARIABLES,
        on="i",
        start="L",
        upto="2 * L",
        given=[
            *size,
            *reach,
            *(A.adds(f"{before} + i + 1"), B.adds("i + 1")),
            same.losses.at(i="i + 1"),
        ],
        then=f"a_total({before} + i) - a_total({before} + L) == b_total(i) - b_total(L)",
        words="from place L + 1 on the window lies inside the two periods: the same tallies",
    )
    last = for_all(
        VARIABLES,
        given=[*size, *reach, sums.at(i="2 * L")],
        then=conclusion,
        words="the last period",
    )
    return [moved, agree, same.counts, same.losses, sums, last]


def _exact(request: Request) -> list[Step]:
    """The same from the larger domain: the premise of the implication in place of the stated one."""
    f = request.formulas
    premise, inner = Formula(f"m <= {EXACT}"), f.same
    reach = for_all(VARIABLES, given=[f.period, f.square, premise], then="m <= L + 1", words="sqrt(T) = L")
    steps = _enough(request, inner, conclusions(reach))
    last = for_all(
        VARIABLES,
        given=[f.least, f.period, f.square, f.past, f.periods, reach.at(), steps[-1].at()],
        then=f.exact,
    )
    return [*steps, last]


def _needed(request: Request) -> list[Step]:
    """A constant word meets the tally L + 1 once in period 2, but not after one more play."""
    f = request.formulas
    counting = definition("the table that counts", "h(1, t) == (1 if t == L + 1 else 0)", "h")
    plays = plays_only(VARIABLES, ONES)
    size: tuple[Given, ...] = (f.least, f.period)
    tally = Fact(counting.formula.where(t="min(t, m)"), counting.because)
    losses = for_all(
        VARIABLES,
        given=[
            *(*size, "t >= 1", ONES.loses("t"), always(ONES, "1", "t"), tally),
            *(plays.at(), plays.at(t="max(t - m, 0)")),
        ],
        then="o_loss(t) == (1 if min(t, m) == L + 1 else 0)",
        words="its tally at step t is min(t, m)",
    )
    later = induction(
        VARIABLES,
        on="i",
        start=0,
        given=[*size, ONES.adds("1 + L + i + 1"), losses.at(t="1 + L + i + 1")],
        then="implies(m > L + 1, o_total(1 + L + i) == o_total(1 + L))",
        words="after step L + 1 it never has the tally L + 1 again",
    )
    reach = for_all(VARIABLES, given=[f.period, f.square], then="sqrt(T) == L", words="the root of a square")
    last = for_all(
        VARIABLES,
        given=[
            *(*size, f.square, *conclusions(reach), ONES.adds("L + 1"), losses.at(t="L + 1")),
            *(later.at(i="L"), later.at(i="L - 1")),
        ],
        then=f.needed,
    )
    return [plays, losses, later, reach, last]


def _tight(request: Request, sizes: list[Size], failures: Mapping[Size, Case]) -> Tight | None:
    """The exact domain: enough and needed, by proof, and the counts of the box differ only beyond it."""
    shown = [request.show("exact", _exact(request)), request.show("needed", _needed(request))]
    exact = all((size in failures) == (size[2] > EXACT(T=size[1] ** 2)) for size in sizes)
    smallest = next(iter(failures.values()), None)
    if not exact or smallest is None or not smallest.confirmed():
        return None
    return Tight(
        f"m <= {EXACT}, exactly; a constant word shows it, whatever K",
        weakest(*(one.verdict for one in shown)),
        smallest.witness(),
    )


@dataclass(frozen=True)
class Case:
    """A word, a past and an n whose counts differ, and losses that are 1 at a cell that shows it."""

    facts: Mapping[str, Any]
    bandit: TallyingBandit

    def witness(self) -> Witness:
        """For the reader."""
        return Witness(self.facts, self.bandit)

    def confirmed(self) -> bool:
        """Replay both ways on the indicator losses: the loss of the last period is the count."""
        facts = self.facts
        word, past, n = facts["word"], facts["past"], facts["n"]
        plain = replay(self.bandit, word, start=word)
        other = replay(self.bandit, word, start=past + word * n)
        return plain == facts["count with n = 1 and no past"] and other == facts["count"] and plain != other


def _box(request: Request) -> Box:
    more = 1 if request.thorough else 0
    return {1: range(2, 7), 2: range(2, 6 + more), 3: range(2, 4 + more)}


def _sizes(box: Box) -> list[Size]:
    """All (K, sqrt(T), m), small ones first."""
    return [(K, L, m) for K, periods in box.items() for L in periods for m in range(1, L + EXTRA_MEMORY + 1)]


def _first_difference(actions: int, period: int, memory: int, request: Request) -> Case | None:
    """The first word with two ways to play it that end in different counts, or None."""
    request.progress(f"lemma-2: K = {actions}, sqrt(T) = {period}, m = {memory}")
    for word in product(range(actions), repeat=period):
        reference = definitions.period_counts(word, memory, n=1)
        for n, past in _ways(actions, period, memory):
            counts = definitions.period_counts(word, memory, n, past)
            if counts != reference:
                return _case(actions, memory, word, n, past, reference, counts)
    return None


def _ways(actions: int, period: int, memory: int) -> Iterator[tuple[int, Word]]:
    """All n and all pasts that a window can tell apart, short pasts first."""
    for length in range(memory):
        for past in product(range(actions), repeat=length):
            for n in range(1, period):
                yield n, past


def _case(
    actions: int,
    memory: int,
    word: Word,
    n: int,
    past: Word,
    reference: Counter[tuple[int, int]],
    counts: Counter[tuple[int, int]],
) -> Case:
    """The case as an instance: losses 1 at the first cell whose counts differ, 0 elsewhere."""
    x, y = next(cell for cell in sorted(reference | counts) if reference[cell] != counts[cell])
    facts = {
        "horizon": len(word) ** 2,
        "word": word,
        "x": x,
        "y": y,
        "n": n,
        "past": past,
        "count": counts[x, y],
        "count with n = 1 and no past": reference[x, y],
    }
    return Case(facts, indicator(actions, memory, {(x, y)}))
