"""The model inside z3: sequences of actions, windows, tallies and losses, for all K, m, T and all tables.

A sequence `a` is five functions without a formula, and their definitions are facts about them (steps are
numbered from 1, the window of step t holds the steps t - m + 1 .. t that exist):

    a(t)            the action of step t, one of 1 .. K
    a_count(x, t)   how often x is among the first t actions
    a_loss(t)       h(a(t), a_count(a(t), t) - a_count(a(t), max(t - m, 0))): the loss at the tally of step t
    a_total(t)      the loss of the first t steps

z3 is told a definition only at the arguments that a step names; an induction is an `induction` of two steps.
The losses h(x, y) are any numbers in [0, 1]. `tests/proofs_check/test_sequences.py` evaluates every fact on
tables and sequences, from `definitions.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from proofs_check.steps import Fact, Given, Step
from proofs_check.ways.for_all import for_all, induction
from tallyplan.formula import Formula

SIZES = "K m L T integer; h(integer, integer) real"


def definition(words: str, text: str, defines: str = "") -> Fact:
    """An instance of a definition, for all values of its variables; `defines` is the name it is given for."""
    return Fact(Formula(Formula(text).canonical), f"definition of {words}", defines=defines)


@dataclass(frozen=True)
class Play:
    """A sequence of actions 1 .. K forever, played from the empty history."""

    name: str

    @property
    def variables(self) -> str:
        """The declaration of its functions."""
        a = self.name
        whole, real = (
            f"{a}(integer) {a}_count(integer, integer) {a}_any",
            f"{a}_loss(integer) {a}_total(integer)",
        )
        return f"{whole} integer; {real} real"

    def acts(self, t: str) -> Fact:
        """The action of step t is one of 1 .. K."""
        return definition("a sequence of actions", f"implies({t} >= 1, 1 <= {self.name}({t}) <= K)")

    def counts(self, x: str, t: str) -> Fact:
        """Step t adds one to the count of its action, and nothing to the others."""
        a = self.name
        new = f"{a}_count({x}, {_before(t)}) + (1 if {a}({t}) == {x} else 0)"
        return definition(f"the counts of {a}", f"implies({t} >= 1, {a}_count({x}, {t}) == {new})")

    def loses(self, t: str) -> Fact:
        """The loss of step t, at the tally of its action in the window."""
        a = self.name
        tally = f"{a}_count({a}({t}), {t}) - {a}_count({a}({t}), max({t} - m, 0))"
        return definition(f"the losses of {a}", f"implies({t} >= 1, {a}_loss({t}) == h({a}({t}), {tally}))")

    def bounded(self, t: str) -> Fact:
        """A loss is in [0, 1]."""
        return definition("a table of losses", f"implies({t} >= 1, 0 <= {self.name}_loss({t}) <= 1)")

    def adds(self, t: str) -> Fact:
        """The total up to step t is the one before and the loss of step t."""
        a = self.name
        return definition(
            f"the total of {a}",
            f"implies({t} >= 1, {a}_total({t}) == {a}_total({_before(t)}) + {a}_loss({t}))",
        )

    def begins(self) -> Fact:
        """Nothing is lost in no steps."""
        return definition(f"the total of {self.name}", f"{self.name}_total(0) == 0")

    def begins_to_count(self, x: str) -> Fact:
        """Nothing is played in no steps."""
        return definition(f"the counts of {self.name}", f"{self.name}_count({x}, 0) == 0")

    def is_optimal(self) -> Fact:
        """OPT is the total of this sequence after T steps: an optimal one."""
        return definition("an optimal sequence", f"OPT == {self.name}_total(T)", self.name)

    def is_at_least_optimal(self) -> Fact:
        """OPT is at most the total of this sequence, if all its actions are actions.

        `a_any` stands for a step whose action is not one of 1 .. K, if there is such a step, and otherwise
        for any step. So if the action of this one step is one of 1 .. K, all actions are.
        """
        a = self.name
        return definition("OPT", f"{a}_any >= 1 and implies(1 <= {a}({a}_any) <= K, OPT <= {a}_total(T))")


@dataclass(frozen=True)
class Cyclic(Play):
    """A sequence that repeats its first L actions; mu is its loss per step in the second period."""

    @property
    def period(self) -> Formula:
        """What it loses in its second period, L times its mean."""
        return Formula(f"{self.name}_total(2 * L) - {self.name}_total(L)")

    def repeats(self, t: str) -> Fact:
        """L steps later it plays the same."""
        return definition(
            f"the cyclic sequence {self.name}", f"implies({t} >= 1, {self.name}({t} + L) == {self.name}({t}))"
        )

    def is_best(self) -> Fact:
        """Mu is the mean of this one: the best cyclic policy."""
        return definition("the best cyclic policy", f"L * mu == {self.period}", self.name)

    def is_at_least_best(self) -> Fact:
        """Mu is at most the mean of this one, if all its actions are actions."""
        b = self.name
        return definition("mu", f"{b}_any >= 1 and implies(1 <= {b}({b}_any) <= K, L * mu <= {self.period})")


@dataclass(frozen=True)
class Block(Cyclic):
    """The cyclic sequence that repeats the L actions of another one that follow its first `after` steps.

    Step t plays the action at place (t - 1) mod L + 1 of the block.
    """

    of: Play
    after: str

    @property
    def variables(self) -> str:
        """The declaration of its functions."""
        return f"{super().variables}; {self.name}_place(integer) integer"

    def copies(self, t: str) -> Fact:
        """Step t plays the action at its place of the block."""
        b, place = self.name, f"{self.name}_place({t})"
        return definition(
            "the repeated block",
            f"implies({t} >= 1, 1 <= {place} <= L and {b}({t}) == {self.of.name}({self.after} + {place}))",
            b,
        )

    def first_period(self, t: str) -> Fact:
        """The places of the first period are 1 .. L."""
        b = self.name
        return definition(f"the repeated block {b}", f"implies(1 <= {t} <= L, {b}_place({t}) == {t})")

    def later_periods(self, t: str) -> Fact:
        """L steps later the place is the same."""
        b = self.name
        return definition(
            f"the repeated block {b}", f"implies({t} >= 1, {b}_place({t} + L) == {b}_place({t}))"
        )


def least_block(of: Play, number: str) -> tuple[Fact, Fact]:
    """Block `best` of 0 .. L - 1 loses no more than block `number`; `least` is what it loses."""
    a = of.name
    here, there = (
        f"{a}_total(best * L + L) - {a}_total(best * L)",
        f"{a}_total({number} * L + L) - {a}_total({number} * L)",
    )
    return (
        definition("the best block", f"0 <= best <= L - 1 and least == {here}"),
        definition("the best block", f"implies(0 <= {number} <= L - 1, least <= {there})"),
    )


class Named(Protocol):
    """Whatever has an action at every step: the function of this name."""

    @property
    def name(self) -> str:
        """The name of the function."""


def always(play: Named, x: str, t: str) -> Fact:
    """Step t plays x."""
    return definition(f"always playing {x}", f"implies({t} >= 1, {play.name}({t}) == {x})", play.name)


def needle(x: str, y: str) -> Fact:
    """The table with h_1(m) = 0, every other loss 1."""
    return definition("the table", f"h({x}, {y}) == (0 if {x} == 1 and {y} == m else 1)")


@dataclass(frozen=True)
class Alike:
    """Two stretches of play with the same actions: `here` after p steps, `there` after q, place by place.

    The three steps say so of the counts; of the losses, from the m-th place on; and of the totals, which
    therefore differ by m - 1 at most.
    """

    counts: Step
    losses: Step
    totals: Step

    @property
    def steps(self) -> list[Step]:
        """All three."""
        return [self.counts, self.losses, self.totals]


def alike(
    variables: str,
    here: Play,
    p: str,
    there: Play,
    q: str,
    *,
    agree: Callable[[str], Fact],
    given: Sequence[Given | str],
    upto: str | None = None,
) -> Alike:
    """Two stretches that play alike, `agree(i)` saying so at place i; i and x are integers.

    What is given must imply p >= 0, q >= 0 and m >= 1.
    """
    a, b, here_at, there_at = here.name, there.name, _after(p), _after(q)
    new = (here, here_at("i + 1")), (there, there_at("i + 1"))
    counts = induction(
        variables,
        on="i",
        start=0,
        upto=upto,
        given=[*given, *(play.counts("x", t) for play, t in new), agree("i + 1")],
        then=(
            f"{a}_count(x, {here_at('i')}) - {a}_count(x, {p}) == "
            f"{b}_count(x, {there_at('i')}) - {b}_count(x, {q})"
        ),
        words=f"the same counts in {a} after {p} steps as in {b} after {q}",
    )
    action = f"{a}({here_at('i')})"
    losses = for_all(
        variables,
        given=[
            *given,
            "m <= i",
            *([f"i <= {upto}"] if upto else []),
            here.loses(here_at("i")),
            there.loses(there_at("i")),
            agree("i"),
            counts.at(x=action),
            counts.at(x=action, i="i - m"),
        ],
        then=f"{a}_loss({here_at('i')}) == {b}_loss({there_at('i')})",
        words="from the m-th place on the window lies inside the stretch: the same tallies, the same losses",
    )
    totals = induction(
        variables,
        on="i",
        start=0,
        upto=upto,
        given=[
            *given,
            *(play.adds(t) for play, t in new),
            *(play.bounded(t) for play, t in new),
            losses.at(i="i + 1"),
        ],
        then=(
            f"{a}_total({here_at('i')}) - {a}_total({p}) <= "
            f"{b}_total({there_at('i')}) - {b}_total({q}) + min(i, m - 1)"
        ),
        words="the first m - 1 places may cost up to 1 more each, the others cost the same",
    )
    return Alike(counts, losses, totals)


def _before(t: str) -> str:
    return t.removesuffix(" + 1") if t.endswith(" + 1") else f"{t} - 1"


def _after(steps: str) -> Callable[[str], str]:
    return lambda i: i if steps == "0" else f"{steps} + {i}"
