"""Inductions on the number of steps that several proofs take, for all K, m, T and all tables.

Each takes the declaration of the variables of the proof that it is a part of, and returns its steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from proofs_check.steps import Fact, Given, Step
from proofs_check.ways.for_all import induction
from proofs_check.ways.sequences import Cyclic, Play, always, needle


def plays_only(variables: str, play: Play, x: str = "1") -> Step:
    """A sequence that always plays x has played it t times in t steps."""
    return induction(
        variables,
        on="t",
        start=0,
        given=[play.begins_to_count(x), play.counts(x, "t + 1"), always(play, x, "t + 1")],
        then=f"{play.name}_count({x}, t) == t",
        words=f"always playing {x} has played it t times",
    )


def plays_at_most(variables: str, play: Play, x: str = "x") -> Step:
    """No action is played more than t times in t steps."""
    count = f"{play.name}_count({x}, t)"
    return induction(
        variables,
        on="t",
        start=0,
        given=[play.begins_to_count(x), play.counts(x, "t + 1")],
        then=f"0 <= {count} and {count} <= t",
        words="in t steps nothing is played more than t times",
    )


def never_decreases(variables: str, play: Play, since: str = "0", given: Sequence[Given] = ()) -> Step:
    """No loss is negative: t >= `since` steps lose at least what `since` steps lose."""
    return induction(
        variables,
        on="t",
        start=since,
        given=[*given, play.adds("t + 1"), play.bounded("t + 1")],
        then=f"{play.name}_total(t) >= {play.name}_total({since})",
        words="losses are not negative",
    )


def loses_on_the_needle(variables: str, play: Play, memory: Given) -> list[Step]:
    """Where h_1(m) = 0 and every other loss is 1, every sequence loses min(t, m - 1) or more in t steps.

    The last two steps say so: a total of t for t <= m - 1, and of at least m - 1 for t >= m - 1.
    """
    a = play.name
    action = f"{a}(t + 1)"
    few = plays_at_most(variables, play)
    opening = induction(
        variables,
        on="t",
        start=0,
        upto="m - 1",
        given=[
            *(play.begins(), play.adds("t + 1"), play.loses("t + 1"), play.begins_to_count(action)),
            needle(action, f"{a}_count({action}, t + 1) - {a}_count({action}, max(t + 1 - m, 0))"),
            few.at(x=action, t="t + 1"),
        ],
        then=f"{a}_total(t) == t",
        words="no tally of the first m - 1 steps is m, so all of them lose 1",
    )
    later = induction(
        variables,
        on="t",
        start="m - 1",
        given=[memory, opening.at(t="m - 1"), play.adds("t + 1"), play.bounded("t + 1")],
        then=f"{a}_total(t) >= m - 1",
        words="every longer sequence loses m - 1 or more",
    )
    return [few, opening, later]


def later_periods(
    variables: str, play: Cyclic, losses: Step, mean: str, is_mean: Fact, given: Sequence[Given]
) -> list[Step]:
    """From its second period on, a cyclic sequence loses L times its mean in each period.

    `losses` says that step i loses what step L + i loses, for i >= m; `is_mean` says what the mean is.
    """
    total = f"{play.name}_total"
    shifted = induction(
        variables,
        on="t",
        start="L",
        given=[*given, play.adds("t + 1"), play.adds("t + L + 1"), losses.at(i="t + 1")],
        then=f"{total}(t + L) - {total}(t) == {play.period}",
        words="every L steps after the first period lose what the second period loses",
    )
    periods = induction(
        variables,
        on="j",
        start=0,
        given=[*given, is_mean, shifted.at(t="j * L + L")],
        then=f"{total}(j * L + L) - {total}(L) == j * L * {mean}",
        words=f"j periods after the first lose j L {mean}",
    )
    return [shifted, periods]
