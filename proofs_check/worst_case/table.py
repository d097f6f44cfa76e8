"""Tables of constants: the sizes of a box, and as the items of a study."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product

from proofs_check.worst_case.claims import BestConstant, Question, class_names, question
from proofs_check.worst_case.policies import AlgDet, Cyclic
from tallyplan.errors import InvalidInput
from tallyplan.model.instance import TallyingBandit
from tallyplan.studies.questions import find
from tallyplan.studies.spec import Asked, Study
from tallyplan.studies.store import Result


def box(
    claim: str,
    actions: Sequence[int],
    memories: Sequence[int],
    horizons: Sequence[int] | None = None,
    periods: Sequence[int] | None = None,
    where: str = "",
) -> list[Question]:
    """The sizes of a table, smallest first. By default T = mK..mK+m with ALG_det, and L = 2..6 without.

    Sizes that make no sense (a horizon too short for the exploration, no period) are left out.

    >>> [(q.memory, q.horizon) for q in box("proposition-1-upper", [2], [1, 2])]
    [(1, 2), (1, 3), (2, 4), (2, 5), (2, 6)]
    """
    names = class_names(claim)
    asked = []
    for K, m in product(actions, memories):
        for T, L in product(*_lengths(names, K * m, m, horizons, periods)):
            one = question(claim, K, m, horizon=T, period=L, where=where)
            if Cyclic.name not in names or one.period is not None:
                asked.append(one)
    if not asked:
        raise InvalidInput("the box has no size at which the claim makes sense.")
    return asked


def _lengths(
    names: tuple[str, str], cells: int, m: int, horizons: Sequence[int] | None, periods: Sequence[int] | None
) -> Iterator[Sequence[int | None]]:
    """The horizons, and the periods; None where they are not given."""
    if AlgDet.name in names:
        horizons = [T for T in horizons or range(cells, cells + m + 1) if cells <= T]
    elif horizons is None and periods is None:
        squares = Cyclic.name not in names
        horizons, periods = ([4, 9, 16, 25, 36], None) if squares else (None, range(2, 7))
    return ([None] if some is None else some for some in (horizons, periods))


def as_study(questions: Sequence[Question]) -> Study:
    """The same questions as the items of a study."""
    asked = find("constants")
    given = ({name: value for name, value in asdict(one).items() if value is not None} for one in questions)
    return Study((), tuple(Asked(asked, parameters) for parameters in given))


def from_answers(questions: Sequence[Question], answers: Sequence[Result]) -> Iterator[BestConstant]:
    """The constants that a store keeps, without their certificates."""
    for asked, answer in zip(questions, answers, strict=True):
        ends, bandit = answer.ends, TallyingBandit(json.loads(answer.facts["losses"]))
        yield BestConstant(ends.lower, ends.upper, bandit, dict(answer.facts["proof"]), None, asked)
