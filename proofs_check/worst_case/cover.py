"""The same supremum by a second, independent way, for short horizons: cover every profile by a mixture.

For one play of the second class with profile b,

    max over h of A(h) - b.h  =  min over mixtures p of profiles of A of  sum of the positive entries of p - b

(linear programming duality: h is the dual solution). So the supremum is the largest of these values over all
profiles b, and a mixture p for each b proves it. Every play of both classes is listed. A float solver (GLOP)
proposes an optimal basis of each linear program; the basis is solved again in rationals, and both its mixture
and its table are verified, so the floats decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from proofs_check.many_tables import table_of
from proofs_check.worst_case.engine import as_json, worst_case_claim
from proofs_check.worst_case.policies import PolicyClass, Profile
from tallyplan.certificates import document
from tallyplan.errors import InstanceTooLarge, InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.linear_program import LinearProgram, solved_exactly
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import text
from tallyplan.model.words import Runs

MOST_PLAYS = 1 << 17
Mixture = dict[int, Fraction]
"""Weights by the index of the play."""


@dataclass(frozen=True)
class Cover:
    """The answer to `worst_case_by_mixtures`: value, table, and mixtures of `plays` that cover everything.

    >>> from proofs_check.worst_case import Constant, Optimal
    >>> found = worst_case_by_mixtures(Constant(2, 2, 4), Optimal(2, 2, 4))
    >>> found.value == found.upper
    True

    See Also
    --------
    proofs_check.worst_case.worst_case_by_mixtures : computes it.
    """

    first: PolicyClass
    second: PolicyClass
    value: Fraction
    bandit: TallyingBandit
    play: Runs = field(repr=False)
    plays: tuple[Runs, ...] = field(repr=False)
    mixtures: tuple[Mixture, ...] = field(repr=False)

    @property
    def upper(self) -> Fraction:
        """The value: this way has no intervals."""
        return self.value

    @property
    def effort(self) -> dict[str, int]:
        """What the proof consists of."""
        return {"plays": len(self.plays), "mixtures": len(self.mixtures)}

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """Built on first use."""
        mixtures = [[[i, text(weight)] for i, weight in mixture.items()] for mixture in self.mixtures]
        return document(
            self.bandit,
            claim=worst_case_claim(self.first.to_json(), self.second.to_json()),
            value=self.value,
            primal={"play": as_json(self.play)},
            dual={"plays": [as_json(play) for play in self.plays], "mixtures": mixtures},
        )


def worst_case_by_mixtures(first: PolicyClass, second: PolicyClass, *, progress: Progress = silent) -> Cover:
    """The supremum of A(h) - B(h) over all tables, by listing all plays of both classes.

    Raises
    ------
    InstanceTooLarge : a class has more than 2^17 plays.

    Examples
    --------
    >>> from proofs_check.worst_case import Cyclic, Optimal
    >>> answer = worst_case_by_mixtures(Cyclic(2, 2, 4, 2), Optimal(2, 2, 4))
    >>> answer.value, answer.effort
    (Fraction(1, 2), {'plays': 3, 'mixtures': 8})

    See Also
    --------
    proofs_check.worst_case.worst_case : by cutting planes.
    proofs_check.worst_case.Cover : the answer.
    """
    if (first.actions, first.memory) != (second.actions, second.memory):
        raise InvalidInput("the two classes of policies have different numbers of actions or memories.")
    ours, theirs = profiles_of(first), profiles_of(second)
    program = _Program(list(ours))
    value, table, worst = Fraction(-1), [Fraction(0)], next(iter(theirs))
    mixtures: list[Mixture] = []
    points: list[Profile] = []
    for number, profile in enumerate(theirs):
        progress(f"profile {number} of {len(theirs)}, {len(mixtures)} mixtures")
        if any(excess(point, profile) <= value for point in points):
            continue
        mixture, h, needed = program.solve(profile)
        mixtures.append(mixture)
        points.append(program.point(mixture))
        if needed > value:
            value, table, worst = needed, h, profile
    bandit = table_of(table, first.memory)
    mixtures = [mixtures[i] for i in sorted(_enough(points, theirs, value))]
    used = sorted({index for mixture in mixtures for index in mixture})
    renumbered = tuple({used.index(i): weight for i, weight in mixture.items()} for mixture in mixtures)
    plays = list(ours.values())
    return Cover(first, second, value, bandit, theirs[worst], tuple(plays[i] for i in used), renumbered)


def profiles_of(of: PolicyClass) -> dict[Profile, Runs]:
    """Every profile of a class, with a play that has it."""
    if sum(1 for _ in islice(of.plays(), MOST_PLAYS + 1)) > MOST_PLAYS:
        raise InstanceTooLarge(
            f"the class {of.name!r} has more than {MOST_PLAYS} plays at this size, and mixtures list all of "
            "them; the vertex method does not."
        )
    found: dict[Profile, Runs] = {}
    for play in of.plays():
        found.setdefault(of.profile(play), play)
    return found


def excess(mixture: Profile, profile: Profile) -> Fraction:
    """The sum of the positive entries of mixture - profile: the largest difference over all tables."""
    return sum((p - b for p, b in zip(mixture, profile, strict=True) if p > b), Fraction(0))


def _enough(points: Sequence[Profile], profiles: Iterable[Profile], value: Fraction) -> set[int]:
    """Mixtures that cover all profiles: early ones, made when the value was lower, may cover nothing new."""
    chosen: set[int] = set()
    for profile in profiles:
        if not any(excess(points[i], profile) <= value for i in chosen):
            chosen.add(next(i for i, point in enumerate(points) if excess(point, profile) <= value))
    return chosen


class _Program:
    """min sum(s) with A w - s <= b, w and s >= 0, sum(w) = 1, for one b after the other."""

    def __init__(self, profiles: Sequence[Profile]) -> None:
        self.profiles = profiles
        self.program = LinearProgram()
        n = len(profiles[0])
        self.weights = [self.program.variable(low=0) for _ in profiles]
        self.surplus = [self.program.variable(low=0) for _ in range(n)]
        self.total = self.program.row(dict.fromkeys(self.weights, 1.0), low=1, high=1)
        self.rows = [self.program.row({self.surplus[i]: -1.0, **self._counts(i)}, high=0) for i in range(n)]
        self.program.minimise(dict.fromkeys(self.surplus, 1.0))

    def _counts(self, i: int) -> dict[Any, float]:
        return {weight: float(p[i]) for weight, p in zip(self.weights, self.profiles, strict=True)}

    def point(self, mixture: Mixture) -> Profile:
        """The profile of a mixture."""
        parts = [[weight * x for x in self.profiles[i]] for i, weight in mixture.items()]
        return tuple(sum(column, Fraction(0)) for column in zip(*parts, strict=True))

    def solve(self, profile: Profile) -> tuple[Mixture, list[Fraction], Fraction]:
        """The best mixture, the worst table and the value, each verified exactly."""
        for row, count in zip(self.rows, profile, strict=True):
            row.SetUb(float(count))
        self.program.solve()
        mixture, table, value = self._exactly(profile)
        height = min(sum(map(Fraction.__mul__, a, table), Fraction(0)) for a in self.profiles)
        proved = (
            all(weight >= 0 for weight in mixture.values())
            and sum(mixture.values()) == 1
            and excess(self.point(mixture), profile) == value
            and all(0 <= loss <= 1 for loss in table)
            and height - sum(map(Fraction.__mul__, profile, table), Fraction(0)) == value
        )
        if not proved:
            raise InternalError("the basis of a linear program is not optimal in exact arithmetic.")
        return mixture, table, value

    def _exactly(self, profile: Profile) -> tuple[Mixture, list[Fraction], Fraction]:
        """The solution and the dual solution of the proposed basis, in rationals."""
        n = len(profile)
        names: list[tuple[str, int]] = [
            *(("weight", i) for i, w in enumerate(self.weights) if self.program.is_basic(w)),
            *(("surplus", i) for i, s in enumerate(self.surplus) if self.program.is_basic(s)),
            *(("slack", i) for i, row in enumerate((*self.rows, self.total)) if self.program.is_basic(row)),
        ]
        columns = [self._column(kind, i, n) for kind, i in names]
        costs = [Fraction(kind == "surplus") for kind, _ in names]
        if len(columns) != n + 1:
            raise InternalError("the linear solver proposes no basis.")
        solution = solved_exactly(list(zip(*columns, strict=True)), [*profile, Fraction(1)])
        duals = solved_exactly(columns, costs)
        if solution is None or duals is None:
            raise InternalError("the linear solver proposes a singular basis.")
        mixture = {i: x for (kind, i), x in zip(names, solution, strict=True) if kind == "weight" and x}
        value = sum(map(Fraction.__mul__, costs, solution), Fraction(0))
        return mixture, [-price for price in duals[:n]], value

    def _column(self, kind: str, i: int, n: int) -> list[Fraction]:
        if kind == "weight":
            return [*self.profiles[i], Fraction(1)]
        sign = Fraction(-1 if kind == "surplus" else 1)
        return [sign if row == i else Fraction(0) for row in range(n + 1)]
