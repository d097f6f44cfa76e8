"""Bayes regret against a finite prior when losses are seen exactly: the belief recursion.

Feedback is deterministic, so a belief is the prior restricted to the tables that agree with everything seen:
a set, written as a bit mask. Together with the last m-1 actions and the steps to go it is all that matters.
All beliefs that some learner can reach are listed forwards, once; two recursions run backwards on them:

- the least expected loss, hence the Bayes regret and an optimal learner;
- the least worst-case regret of deterministic learners (max over outcomes instead of the mean).

Any finite prior will do; Proposition 1's is `constructions.needle_prior`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from proofs_check.bayes.constructions import Prior
from proofs_check.certified import optimum
from tallyplan.errors import InstanceTooLarge, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import natural, shown
from tallyplan.model.words import Word, last

MOST_BELIEFS = 500_000  # over all steps

Belief = tuple[int, Word]
"""The tables that agree with what was seen, as bits, and the last actions."""


class Outcome(NamedTuple):
    """What an action may show: a loss, the probability of the tables that have it, the belief after it."""

    loss: Fraction
    probability: Fraction
    after: Belief


Values = Mapping[Belief, Fraction]
Value = Callable[[list[Outcome], Values], Fraction]
Policy = list[dict[Belief, tuple[int, list[Outcome]]]]
"""By step: the action in every belief, and its outcomes."""


@dataclass(frozen=True)
class BayesRegret:
    """The Bayes regret of a prior, and a learner that attains it.

    Attributes
    ----------
    value : least expected loss minus expected optimum.
    loss, optimum : these two.
    """

    value: Fraction
    loss: Fraction
    optimum: Fraction
    policy: Policy = field(repr=False, compare=False)

    def play(self, table: TallyingBandit) -> tuple[Word, Fraction]:
        """The optimal learner on one of the tables: its actions, and its loss."""
        actions: list[int] = []
        total = Fraction(0)
        agreeing = [next(iter(step)) for step in self.policy[:1]]
        for step in self.policy:
            if not agreeing:
                raise InvalidInput("the table is none of those that the prior is about.")
            action, outcomes = step[agreeing[0]]
            loss = table.losses[action][agreeing[0][1].count(action)]
            agreeing = [outcome.after for outcome in outcomes if outcome.loss == loss]
            actions.append(action)
            total += loss
        return tuple(actions), total


def bayes_regret(prior: Prior, horizon: int, *, progress: Progress = silent) -> BayesRegret:
    """The least expected regret of T steps against a prior, exactly, and a learner that attains it.

    Parameters
    ----------
    prior : tables of one size with their probabilities.
    horizon : T >= 0.

    Raises
    ------
    InvalidInput : the probabilities are not a distribution, or the tables differ in size.
    InstanceTooLarge : more than MOST_BELIEFS beliefs.

    Examples
    --------
    >>> from proofs_check.bayes.constructions import needle_prior
    >>> bayes_regret(needle_prior(3, 2), 6).value  # m (K - 1) / 2
    Fraction(2, 1)
    >>> bayes_regret(needle_prior(3, 2), 6).play(needle_prior(3, 2)[1][0])[0]
    (0, 0, 1, 1, 1, 1)
    """
    loss, policy = _best(prior, horizon, _expected_loss, progress=progress)
    best = sum((p * optimum(table, horizon) for table, p in prior), Fraction(0))
    return BayesRegret(loss - best, loss, best, policy)


def least_expected_loss(prior: Prior, horizon: int) -> Fraction:
    """The least expected loss of T steps of a player who knows the prior and not the table.

    A randomised player is a mixture of deterministic ones, so he does no better.

    >>> from proofs_check.bayes.constructions import uniform
    >>> least_expected_loss(uniform([TallyingBandit([[0], [1]]), TallyingBandit([[1], [0]])]), 5)
    Fraction(1, 2)
    """
    return _best(prior, horizon, _expected_loss)[0]


def _expected_loss(outcomes: list[Outcome], values: Values) -> Fraction:
    return sum((one.loss * one.probability + values[one.after] for one in outcomes), Fraction(0))


def pure_regret(prior: Prior, horizon: int) -> Fraction:
    """The least worst-case regret of deterministic learners over the tables of a prior.

    >>> from proofs_check.bayes.constructions import needle_prior
    >>> pure_regret(needle_prior(3, 2), 6)  # m (K - 1)
    Fraction(4, 1)
    """

    def worst(outcomes: list[Outcome], values: Values) -> Fraction:
        return max(one.loss + values[one.after] for one in outcomes)

    best = [optimum(table, horizon) for table, _ in prior]
    return _best(prior, horizon, worst, lambda belief: max(-best[i] for i in _members(belief[0])))[0]


def _best(
    prior: Prior,
    horizon: int,
    value: Value,
    end: Callable[[Belief], Fraction] = lambda _: Fraction(0),
    progress: Progress = silent,
) -> tuple[Fraction, Policy]:
    """The least value at the start, and the least action that attains it in every belief, by step."""
    *layers, ends = _beliefs(prior, horizon, progress)
    values = {belief: end(belief) for belief in ends}
    policy: Policy = []
    for layer in reversed(layers):
        best = {
            here: min((value(outcomes, values), action) for action, outcomes in enumerate(plays))
            for here, plays in layer.items()
        }
        policy.append({here: (action, layer[here][action]) for here, (_, action) in best.items()})
        values = {here: total for here, (total, _) in best.items()}
    return next(iter(values.values())), policy[::-1]


def _beliefs(prior: Prior, horizon: int, progress: Progress) -> list[dict[Belief, list[list[Outcome]]]]:
    """After 0, ..., T steps what can be known, and what every action leads to; after T, nothing is played."""
    _require_prior(prior)
    natural(horizon, "the horizon")
    layers: list[dict[Belief, list[list[Outcome]]]] = []
    frontier: set[Belief] = {((1 << len(prior)) - 1, ())}
    total = horizon  # there is at least one belief at each step
    for step in range(horizon):
        total += len(frontier) - 1
        if total > MOST_BELIEFS:
            raise InstanceTooLarge(
                f"a learner has more than {MOST_BELIEFS} beliefs within {shown(horizon)} steps, and no more "
                "can be listed."
            )
        progress(f"beliefs after {step} of {horizon} steps: {len(frontier)}")
        actions = range(prior[0][0].actions)
        layers.append({here: [_outcomes(prior, here, action) for action in actions] for here in frontier})
        frontier = {one.after for plays in layers[-1].values() for outcomes in plays for one in outcomes}
    return [*layers, {here: [] for here in frontier}]


def _outcomes(prior: Prior, here: Belief, action: int) -> list[Outcome]:
    mask, recent = here
    later = last((*recent, action), prior[0][0].memory - 1)
    parts: dict[Fraction, list[int]] = {}
    for index in _members(mask):
        parts.setdefault(prior[index][0].losses[action][recent.count(action)], []).append(index)
    return [
        Outcome(loss, sum((prior[i][1] for i in part), Fraction(0)), (sum(1 << i for i in part), later))
        for loss, part in parts.items()
    ]


def _require_prior(prior: Prior) -> None:
    if len({(table.actions, table.memory) for table, _ in prior}) != 1:
        raise InvalidInput("a prior needs at least one table, and tables of one size.")
    if any(p < 0 for _, p in prior) or sum(p for _, p in prior) != 1:
        raise InvalidInput("the probabilities of a prior must be at least 0 and add up to 1.")


def _members(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]
