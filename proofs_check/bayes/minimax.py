"""The minimax regret over all tables of a grid, exactly: the learner's best mixture, the hardest prior.

A learner that sees exact losses plays T steps against a table with losses in {0, 1/g, ..., 1}, chosen in
advance and unknown to it, and is charged its expected loss minus OPT_T. The value of this game is the least
regret that a randomised learner can guarantee, and the largest Bayes regret of a prior. `search` finds
both strategies, and the value is only claimed when the exact bounds that they give are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from proofs_check.bayes.search import LearnerSearch
from proofs_check.bayes.states import Graph, Policy, Table, pure_regret, state_graph
from tallyplan.certificates import document
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.rationals import natural, text

Rows = tuple[tuple[Fraction, ...], ...]


@displayable
@dataclass(frozen=True)
class MinimaxRegret:
    """The answer to `minimax_regret`.

    Attributes
    ----------
    actions, memory, horizon, grid : K, m, T and g: losses are multiples of 1/g.
    lower : what the prior guarantees: no learner has a smaller expected regret against it.
    value : what the learner guarantees on every table; the minimax regret if it equals `lower` (`exact`).
    prior : tables with their probabilities; the order of the rows is uniformly random.
    pure : the least worst-case regret of deterministic learners.
    learners, mixture : deterministic learners and their probabilities, after a random relabelling.

    >>> found = minimax_regret(2, 2, 2)
    >>> found.exact, found.value
    (True, Fraction(4, 5))

    See Also
    --------
    proofs_check.bayes.minimax_regret : computes it.
    """

    actions: int
    memory: int
    horizon: int
    grid: int
    lower: Fraction
    value: Fraction
    prior: tuple[tuple[Rows, Fraction], ...]
    pure: Fraction
    graph: Graph = field(repr=False, compare=False)
    learners: tuple[Policy, ...] = field(repr=False, compare=False)
    mixture: tuple[Fraction, ...] = field(repr=False, compare=False)

    @property
    def exact(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.value

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        ends = {"value": self.value} if self.exact else {"at least": self.lower, "at most": self.value}
        entries = ends | {"deterministic learners": self.pure}
        return card(f"minimax regret: {', '.join(f'{k} {v}' for k, v in self.game.items())}", entries)

    @property
    def game(self) -> dict[str, int]:
        """K, m, T and g by name."""
        return {name: getattr(self, name) for name in ("actions", "memory", "horizon", "grid")}

    @cached_property
    def strategy(self) -> list[dict[str, Any]]:
        """The mixture as one behaviour, as a certificate writes it: what is played in every situation."""
        return list(_behaviour(self))

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The document for the checker; docs/certificates.md says what it means. Built on first use."""
        claim = {"question": "minimax", "value": text(self.value)}
        if not self.exact:
            claim["lower"] = text(self.lower)
        return document(
            "game",
            self.game,
            claim=claim,
            primal={"learner": self.strategy},
            dual={"prior": [{"losses": _written(rows), "probability": text(p)} for rows, p in self.prior]},
        )


def minimax_regret(
    actions: int,
    memory: int,
    horizon: int,
    *,
    grid: int = 1,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> MinimaxRegret:
    """The minimax complete policy regret of T steps over all tables with losses in {0, 1/g, ..., 1}.

    Parameters
    ----------
    actions, memory, horizon : K >= 1, m >= 1, T >= 0.
    grid : g >= 1; 1 means losses 0 and 1.
    time_limit : seconds, after which the bounds found so far are certified and returned.
    progress : called with a status string, periodically.

    Returns
    -------
    MinimaxRegret, `exact` unless the time ran out.

    Raises
    ------
    InvalidInput : a number below its range.
    InstanceTooLarge : too many states or tables.

    Examples
    --------
    >>> answer = minimax_regret(2, 2, 2)
    >>> answer.value, answer.exact
    (Fraction(4, 5), True)
    >>> minimax_regret(1, 3, 10).value  # one action: nothing to regret
    Fraction(0, 1)

    See Also
    --------
    proofs_check.bayes.MinimaxRegret : the answer.
    proofs_check.worst_case.worst_case : the worst table of a policy class.
    """
    return next(
        minimax_by_horizon(actions, memory, [horizon], grid=grid, time_limit=time_limit, progress=progress)
    )


def minimax_by_horizon(
    actions: int,
    memory: int,
    horizons: Iterable[int],
    *,
    grid: int = 1,
    time_limit: float | None = None,
    progress: Progress = silent,
) -> Iterator[MinimaxRegret]:
    """`minimax_regret` for several horizons on one state graph; the time limit is for each."""
    wanted = [natural(horizon, "the horizon") for horizon in horizons]
    graph = state_graph(actions, memory, grid, max(wanted, default=0), progress)
    for horizon in wanted:
        yield _solve(graph, horizon, time_limit, progress)


def _solve(graph: Graph, horizon: int, time_limit: float | None, progress: Progress) -> MinimaxRegret:
    search = LearnerSearch(graph, horizon)
    lower, upper, prior, mixture = search.run(time_limit, progress)
    tables = [_table(rows, graph.grid) for rows in graph.orbits]
    return MinimaxRegret(
        graph.actions,
        graph.memory,
        horizon,
        graph.grid,
        lower,
        upper,
        tuple((rows, p) for rows, p in zip(tables, prior, strict=True) if p),
        pure_regret(graph, search.least, horizon),
        graph,
        tuple(policy for policy, p in zip(search.learners, mixture, strict=False) if p),
        tuple(p for p in mixture if p),
    )


def _behaviour(answer: MinimaxRegret) -> Iterator[dict[str, Any]]:
    """Flows of the deterministic learners, added up: each meets a state at most once at a time."""
    graph, end = answer.graph, len(answer.graph.states)
    flow = {0: dict(enumerate(answer.mixture))}  # state -> learner -> probability
    for steps in range(answer.horizon):
        following: dict[int, dict[int, Fraction]] = {}
        for state, arriving in flow.items():
            play: dict[int, Fraction] = {}
            for learner, probability in arriving.items():
                action = int(answer.learners[learner][answer.horizon - 1 - steps][state])
                play[action] = play.get(action, Fraction(0)) + probability
                for later in graph.successors[state, action].tolist():
                    if later < end:
                        following.setdefault(later, {})[learner] = probability
            known, recent = graph.states[state]
            yield {
                "steps": steps,
                "known": _written(_table(known, graph.grid)),
                "recent": list(recent),
                "play": {str(action): text(p / sum(play.values())) for action, p in sorted(play.items())},
            }
        flow = following


def _table(rows: Table, grid: int) -> Rows:
    return tuple(tuple(Fraction(loss, grid) for loss in row) for row in rows)


def _written(rows: Rows) -> list[list[str]]:
    return [[text(loss) for loss in row] for row in rows]
