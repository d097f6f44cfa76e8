"""Bayes regret against a finite prior when losses are seen exactly: the belief recursion.

Feedback is deterministic, so a belief is the prior restricted to the tables that agree with everything seen:
a set, written as a bit mask. Together with the last m-1 actions and the steps to go it is all that matters.
All beliefs that some learner can reach are listed forwards, once; three recursions run backwards on them:

- the least expected loss, hence the Bayes regret and an optimal learner;
- the least worst-case regret of deterministic learners (max over outcomes instead of the mean);
- the least expected number of plays up to the first loss of zero (Proposition 1 counts these *queries*).

Any finite prior will do; Proposition 1's is `constructions.needle_prior`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from proofs_check.bayes.constructions import Prior
from proofs_check.certified import optimum
from tallyplan.errors import InstanceTooLarge, InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import natural, shown
from tallyplan.model.words import last

Belief = tuple[int, tuple[int, ...]]  # the tables that agree, as bits; the last actions
Outcome = tuple[Fraction, Belief]
Layer = dict[Belief, list[list[Outcome]]]  # for every action the possible losses and what follows
Value = Callable[[list[Outcome], dict[Belief, Fraction]], Fraction]

MOST_BELIEFS = 500_000  # over all steps


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
    prior: Prior = field(repr=False, compare=False)
    choices: tuple[dict[Belief, int], ...] = field(repr=False, compare=False)

    def play(self, table: TallyingBandit) -> tuple[tuple[int, ...], Fraction]:
        """The optimal learner on one of the tables: its actions, and its loss."""
        belief: Belief = ((1 << len(self.prior)) - 1, ())
        actions: list[int] = []
        total = Fraction(0)
        for choice in self.choices:
            if belief not in choice:
                raise InvalidInput("the table is none of those that the prior is about.")
            action = choice[belief]
            loss = table.losses[action][belief[1].count(action)]
            agreeing = [i for i in _members(belief[0]) if _entry(self.prior[i][0], belief[1], action) == loss]
            belief = (sum(1 << i for i in agreeing), last((*belief[1], action), table.memory - 1))
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
    value, choices = _least_loss(prior, horizon, progress)
    best = sum((p * optimum(table, horizon) for table, p in prior), Fraction(0))
    return BayesRegret(value - best, value, best, prior, choices)


def least_expected_loss(prior: Prior, horizon: int) -> Fraction:
    """The least expected loss of T steps of a player who knows the prior and not the table.

    A randomised player is a mixture of deterministic ones, so he does no better.

    >>> from proofs_check.bayes.constructions import uniform
    >>> least_expected_loss(uniform([TallyingBandit([[0], [1]]), TallyingBandit([[1], [0]])]), 5)
    Fraction(1, 2)
    """
    return _least_loss(prior, horizon, silent)[0]


def pure_regret(prior: Prior, horizon: int) -> Fraction:
    """The least worst-case regret of deterministic learners over the tables of a prior.

    >>> from proofs_check.bayes.constructions import needle_prior
    >>> pure_regret(needle_prior(3, 2), 6)  # m (K - 1)
    Fraction(4, 1)
    """
    layers = _beliefs(prior, horizon, silent)
    best = [optimum(table, horizon) for table, _ in prior]
    ends = {belief: max(-best[i] for i in _members(belief[0])) for belief in _ends(layers, prior)}
    return _backwards(layers, ends, lambda outs, values: max(loss + values[there] for loss, there in outs))[0]


def expected_queries(prior: Prior, horizon: int) -> Fraction:
    """The least expected number of plays up to the first loss of zero, that one included, T at most.

    >>> from proofs_check.bayes.constructions import needle_prior
    >>> expected_queries(needle_prior(3, 2), 6)  # m (K + 1) / 2
    Fraction(4, 1)
    """
    layers = _beliefs(prior, horizon, silent)
    weight = _weight(prior)

    def value(outs: list[Outcome], values: dict[Belief, Fraction]) -> Fraction:
        return sum((weight(there) + (values[there] if loss else 0) for loss, there in outs), Fraction(0))

    return _backwards(layers, dict.fromkeys(_ends(layers, prior), Fraction(0)), value)[0]


def _beliefs(prior: Prior, horizon: int, progress: Progress) -> list[Layer]:
    """Layer by layer what can be known, and what every action leads to."""
    _require_prior(prior)
    natural(horizon, "the horizon")
    layers: list[Layer] = []
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
        layer = {
            here: [_outcomes(prior, here, action) for action in range(prior[0][0].actions)]
            for here in frontier
        }
        layers.append(layer)
        frontier = {there for plays in layer.values() for outs in plays for _, there in outs}
    return layers


def _outcomes(prior: Prior, here: Belief, action: int) -> list[Outcome]:
    mask, recent = here
    parts: dict[Fraction, int] = {}
    for index in _members(mask):
        loss = _entry(prior[index][0], recent, action)
        parts[loss] = parts.get(loss, 0) | 1 << index
    later = last((*recent, action), prior[0][0].memory - 1)
    return [(loss, (part, later)) for loss, part in parts.items()]


def _backwards(
    layers: list[Layer], ends: dict[Belief, Fraction], value: Value
) -> tuple[Fraction, tuple[dict[Belief, int], ...]]:
    """The value at the start, and the least action that attains it in every belief, by step."""
    values, choices = ends, []
    for layer in reversed(layers):
        best = {
            here: min((value(outs, values), action) for action, outs in enumerate(plays))
            for here, plays in layer.items()
        }
        values = {here: total for here, (total, _) in best.items()}
        choices.append({here: action for here, (_, action) in best.items()})
    return next(iter(values.values())), tuple(reversed(choices))


def _ends(layers: list[Layer], prior: Prior) -> set[Belief]:
    if not layers:
        return {((1 << len(prior)) - 1, ())}
    return {there for plays in layers[-1].values() for outs in plays for _, there in outs}


def _least_loss(
    prior: Prior, horizon: int, progress: Progress
) -> tuple[Fraction, tuple[dict[Belief, int], ...]]:
    layers, weight = _beliefs(prior, horizon, progress), _weight(prior)

    def value(outs: list[Outcome], values: dict[Belief, Fraction]) -> Fraction:
        return sum((loss * weight(there) + values[there] for loss, there in outs), Fraction(0))

    return _backwards(layers, dict.fromkeys(_ends(layers, prior), Fraction(0)), value)


def _weight(prior: Prior) -> Callable[[Belief], Fraction]:
    """The probability of a belief, remembered."""
    known: dict[int, Fraction] = {}

    def weight(belief: Belief) -> Fraction:
        if belief[0] not in known:
            known[belief[0]] = sum((prior[i][1] for i in _members(belief[0])), Fraction(0))
        return known[belief[0]]

    return weight


def _require_prior(prior: Prior) -> None:
    if len({(table.actions, table.memory) for table, _ in prior}) != 1:
        raise InvalidInput("a prior needs at least one table, and tables of one size.")
    if any(p < 0 for _, p in prior) or sum(p for _, p in prior) != 1:
        raise InvalidInput("the probabilities of a prior must be at least 0 and add up to 1.")


def _members(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


def _entry(table: TallyingBandit, recent: tuple[int, ...], action: int) -> Fraction:
    return table.losses[action][recent.count(action)]
