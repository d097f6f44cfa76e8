"""Regret, all kinds, exact: what a sequence lost, minus what a competitor class C loses at best.

    policy regret        sum_t f_t(a_1..a_t) - min over y in C of sum_t f_t(y_1..y_t)
    traditional regret   sum_t f_t(a_1..a_t) - min over y in C of sum_t f_t(a_1..a_{t-1}, y_t)

The policy regret lets the competitor live with its own past, the traditional regret makes it follow the
player's. C is all of X^T (*complete*) or the K constant sequences (*constant action*). The losses f_t are the
means h, not the observations, so that all four are rationals.

Complete policy regret needs OPT_T, which the planner computes; where the planner knows OPT_T only up to an
interval, so is the regret. The others follow from counting windows: a step whose history is s costs the
player loss(s, a_t), and a deviating competitor loss(s, y_t); the best one in X^T takes the least of these in
every step.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tallyplan.answers import Interval
from tallyplan.errors import ForbiddenPlay, InternalError, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.instance import Bandit, State
from tallyplan.model.replay import checked_action, checked_runs, history_of, replay_runs, visits_from
from tallyplan.model.words import Word, length
from tallyplan.planning.horizon import optimal_plan


def optimum_of(
    bandit: Bandit, horizon: int, start: Sequence[int] = (), *, progress: Progress = silent
) -> Interval:
    """OPT_T after `start`, or an interval that contains it."""
    plan = optimal_plan(bandit, horizon, start, progress=progress)
    return Interval(plan.lower, plan.upper)


def regret_of(loss: Fraction, optimum: Interval) -> Interval:
    """The complete policy regret of a sequence with this loss; never negative.

    >>> regret_of(Fraction(3), Interval(Fraction(1), Fraction(4)))
    Interval(lower=Fraction(0, 1), upper=Fraction(2, 1))
    """
    if loss < optimum.lower:
        raise InternalError("a sequence lost less than the proved optimum; please report this.")
    return Interval(max(Fraction(0), loss - optimum.upper), loss - optimum.lower)


@displayable
@dataclass(frozen=True)
class Regrets:
    """All regrets of one action log.

    Attributes
    ----------
    horizon : the number T of steps.
    loss : the total mean loss of the log.
    start : the actions played before, which stay in the window of the log and of its competitors.
    optimum_interval : an interval for OPT_T, the least total loss over X^T.
    optimum : OPT_T, if the ends meet (`exact`); asking for it otherwise raises OnlyAnInterval.
    best_constant : the least total loss of a constant sequence, and `constant_action` one that attains it;
        None where arms forbid them all, and then `constant` is None.
    complete : the complete policy regret, loss - optimum; never negative. Where the optimum is only known
        up to an interval, ask for `complete_interval`.
    constant : the constant-action policy regret, loss - best_constant.
    traditional : the constant-action traditional regret; None where arms forbid every constant action.
    traditional_complete : the traditional regret against X^T; never negative.

    >>> import tallyplan as tp
    >>> found = regrets(tp.make("counterexample-3"), [0, 0, 0])
    >>> found.complete, found.constant, found.traditional
    (Fraction(2, 1), Fraction(0, 1), Fraction(2, 1))
    """

    bandit: Bandit = field(repr=False)
    horizon: int
    start: Word
    loss: Fraction
    optimum_interval: Interval
    best_constant: Fraction | None
    constant_action: int | None
    traditional: Fraction | None
    traditional_complete: Fraction

    @property
    def exact(self) -> bool:
        """Whether OPT_T is known, and not only an interval for it."""
        return self.optimum_interval.exact

    @property
    def optimum(self) -> Fraction:
        """OPT_T."""
        return self.optimum_interval.value

    @property
    def complete_interval(self) -> Interval:
        """The interval in which the complete policy regret lies."""
        return regret_of(self.loss, self.optimum_interval)

    @property
    def complete(self) -> Fraction:
        """The complete policy regret."""
        return self.complete_interval.value

    @property
    def constant(self) -> Fraction | None:
        """The constant-action policy regret."""
        return None if self.best_constant is None else self.loss - self.best_constant

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        entries = {
            "loss": self.loss,
            "optimum": self.optimum_interval,
            "complete policy regret": self.complete_interval,
            "constant-action policy regret": self.constant,
            "traditional regret, constant actions": self.traditional,
            "traditional regret, all sequences": self.traditional_complete,
        }
        known = {name: entry for name, entry in entries.items() if entry is not None}
        return card(f"regrets of {self.horizon} steps", known)


def regrets(
    bandit: Bandit, log: Sequence[Any], *, start: Sequence[int] = (), progress: Progress = silent
) -> Regrets:
    """Every regret of an action log.

    Parameters
    ----------
    log : the actions in the order of play, or runs [(word, repeats), ...].
    start : actions played before the log, by the player and by every competitor.

    Raises
    ------
    InvalidInput : the log has another form, or an action of the log or the start is unknown.
    InstanceTooLarge : the planner cannot compute OPT_T.

    Examples
    --------
    Counterexample 3: a constant policy has no regret against constants, unless they may follow its own past.

    >>> from tallyplan import TallyingBandit
    >>> answer = regrets(TallyingBandit([["0", "1"], ["0", "1"]]), [((0,), 10**9)])
    >>> [int(value) for value in (answer.complete, answer.constant, answer.traditional)]
    [999999999, 0, 999999999]
    """
    runs = as_runs(bandit, log)
    horizon = length(runs)
    plays, _ = visits_from(bandit, runs, bandit.state_after(history_of(bandit, start)))
    loss = sum((times * bandit.step(*play)[0] for play, times in plays.items()), Fraction(0))
    to_constants, to_anything = _deviations(bandit, plays)
    least, action = constants(bandit, horizon, start) or (None, None)
    optimum = optimum_of(bandit, horizon, start, progress=progress)
    return Regrets(
        bandit,
        horizon,
        tuple(start),
        loss,
        optimum,
        least,
        action,
        None if to_constants is None else loss - to_constants,
        loss - to_anything,
    )


def complete_policy_regret(
    bandit: Bandit, log: Sequence[Any], *, start: Sequence[int] = (), progress: Progress = silent
) -> Fraction:
    """loss - OPT_T: the regret against every sequence of T actions, all of them after `start`.

    >>> from tallyplan import TallyingBandit
    >>> complete_policy_regret(TallyingBandit([["0", "1"], ["0", "1"]]), [0, 0, 1])
    Fraction(1, 1)
    >>> complete_policy_regret(TallyingBandit([["0", "1"], ["0", "1"]]), [0, 0, 1], start=[0])
    Fraction(2, 1)
    """
    runs = as_runs(bandit, log)
    optimum = optimum_of(bandit, length(runs), start, progress=progress)
    return regret_of(replay_runs(bandit, runs, start), optimum).value


def as_runs(bandit: Bandit, log: Any) -> list[tuple[Word, int]]:
    """An action log, plain or in runs, as runs; a plain one becomes one run.

    >>> from tallyplan import TallyingBandit
    >>> as_runs(TallyingBandit([["0"], ["1"]]), [0, 1, 1])
    [((0, 1, 1), 1)]
    """
    if isinstance(log, str | bytes) or not isinstance(log, Sequence):
        raise InvalidInput("an action log is a list of actions, or a list of runs [word, repeats].")
    if not any(isinstance(entry, Sequence) for entry in log):
        actions = tuple(checked_action(bandit, action, f"log[{t}]") for t, action in enumerate(log))
        return [(actions, 1)] if actions else []
    return checked_runs(bandit, log)


def constants(bandit: Bandit, horizon: int, start: Sequence[int] = ()) -> tuple[Fraction, int] | None:
    """The least loss of a constant sequence, and the smallest action that has it; None: arms forbid all."""
    losses = []
    for action in range(bandit.actions):
        with suppress(ForbiddenPlay):
            losses.append((replay_runs(bandit, [((action,), horizon)], start), action))
    return min(losses, default=None)


def _deviations(bandit: Bandit, plays: Counter[tuple[State, int]]) -> tuple[Fraction | None, Fraction]:
    """The least loss of competitors that follow the player's past: the best constant one, the best of all."""
    states: Counter[State] = Counter()
    for (state, _), times in plays.items():
        states[state] += times
    rows = [
        (times, {y: bandit.step(state, y)[0] for y in bandit.allowed(state)})
        for state, times in states.items()
    ]
    always = [y for y in range(bandit.actions) if all(y in row for _, row in rows)]
    constant = (sum((times * row[y] for times, row in rows), Fraction(0)) for y in always)
    return min(constant, default=None), sum((times * min(row.values()) for times, row in rows), Fraction(0))
