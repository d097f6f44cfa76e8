"""The least expected loss against a finite prior when losses are seen exactly: the belief recursion.

Feedback is deterministic, so a belief is the prior restricted to the worlds that agree with everything seen:
a set, written as a bit mask. Together with the last m-1 actions and the steps to go it is all that matters.
All beliefs that some learner can reach are listed forwards, once; a recursion runs backwards on them:

- the least expected loss: a randomised learner is a mixture of deterministic ones, so it does no better;
- the least worst-case regret of deterministic learners (max over outcomes instead of the mean).

A world is a loss table, or anything else that says what an action costs and shows after the last actions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from proofs_check.boxes import needle
from proofs_check.certified import optimum
from tallyplan.errors import InstanceTooLarge, InvalidInput
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.rationals import natural, shown
from tallyplan.model.words import Word, last

MOST_BELIEFS = 500_000  # over all steps
BAYES_REGRET = Formula("(q * (q + 1) / 2 * m - q + (K - q) * T) / K - min(T, m - 1)")  # after q tests

Prior = Sequence[tuple[TallyingBandit, Fraction]]
Number = Fraction | int
World = Callable[[Word, int], tuple[Number, Hashable]]
"""What an action costs after the last m-1 actions, and what is seen then; that tells the cost."""
Belief = tuple[int, Word]
"""The worlds that agree with what was seen, as bits, and the last actions."""


def needle_prior(actions: int, memory: int, threshold: int | None = None) -> Prior:
    """The construction of Proposition 1: one arm pays off after m plays in a row, and nothing tells before.

    >>> [probability for _, probability in needle_prior(3, 2)]
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    """
    return uniform([needle(actions, memory, best, threshold) for best in range(actions)])


def uniform(tables: Sequence[TallyingBandit]) -> Prior:
    """Every table with the same probability."""
    return [(table, Fraction(1, len(tables))) for table in tables]


def least_expected_loss(prior: Prior, horizon: int) -> Fraction:
    """The least expected loss of T steps of a player who knows the prior and not the table.

    >>> least_expected_loss(uniform([TallyingBandit([[0], [1]]), TallyingBandit([[1], [0]])]), 5)
    Fraction(1, 2)
    """
    return beliefs(prior).least_expected_loss(horizon)


def bayes_regret(actions: int, memory: int, horizon: int) -> Fraction:
    """The least expected regret on the construction of Proposition 1, by the formula."""
    return BAYES_REGRET(q=min(actions, horizon // memory), K=actions, m=memory, T=horizon)


def bayes_regret_by_beliefs(actions: int, memory: int, horizon: int, theta: int | None = None) -> Fraction:
    """The same by the recursion over what a player can know; or if x* loses nothing from tally theta on."""
    prior = needle_prior(actions, memory, theta)
    return least_expected_loss(prior, horizon) - optimum(prior[0][0], horizon)


def pure_regret(prior: Prior, horizon: int) -> Fraction:
    """The least worst-case regret of deterministic learners over the tables of a prior.

    >>> pure_regret(needle_prior(3, 2), 6)  # m (K - 1)
    Fraction(4, 1)
    """

    def worst(outcomes: list[Outcome], values: Values) -> Number:
        return max(one.loss + values[one.after] for one in outcomes)

    best = [optimum(table, horizon) for table, _ in prior]
    return beliefs(prior).least(horizon, worst, lambda mask: max(-best[i] for i in _members(mask)))


def beliefs(prior: Prior) -> Beliefs:
    """About the tables of a prior.

    Raises
    ------
    InvalidInput : the probabilities are not a distribution, or the tables differ in size.
    """
    sizes = {(table.actions, table.memory) for table, _ in prior}
    if len(sizes) != 1:
        raise InvalidInput("a prior needs at least one table, and tables of one size.")
    if any(p < 0 for _, p in prior) or sum(p for _, p in prior) != 1:
        raise InvalidInput("the probabilities of a prior must be at least 0 and add up to 1.")
    return Beliefs(*sizes.pop(), [(partial(_shown_by, table), p) for table, p in prior])


def _shown_by(table: TallyingBandit, recent: Word, action: int) -> tuple[Fraction, Fraction]:
    loss = table.losses[action][recent.count(action)]
    return loss, loss


class Outcome(NamedTuple):
    """What an action may show: the loss, the weight of the worlds that have it, the belief after it."""

    loss: Number
    weight: Number
    after: Belief


Values = Mapping[Belief, Number]


@dataclass(frozen=True)
class Beliefs:
    """Worlds with their weights, not normalised, for K actions and memory m; `most` beliefs are listed."""

    actions: int
    memory: int
    worlds: Sequence[tuple[World, Number]]
    most: int = MOST_BELIEFS

    def least_expected_loss(self, horizon: int) -> Fraction:
        """Of T steps, over all players, times the sum of the weights."""

        def expected(outcomes: list[Outcome], values: Values) -> Number:
            return sum(one.loss * one.weight + values[one.after] for one in outcomes)

        return self.least(horizon, expected, lambda _: 0)

    def least(
        self,
        horizon: int,
        value: Callable[[list[Outcome], Values], Number],
        end: Callable[[int], Number],
    ) -> Fraction:
        """The least value at the start, of what an action may show and of the worlds left at the end.

        Raises
        ------
        InstanceTooLarge : more than `most` beliefs.
        """
        layers, plays = self._reached(horizon)
        values: Values = {here: end(here[0]) for here in layers.pop()}
        for layer in reversed(layers):
            values = {here: min(value(one, values) for one in plays[here]) for here in layer}
        return Fraction(next(iter(values.values())))

    def _reached(self, horizon: int) -> tuple[list[set[Belief]], dict[Belief, list[list[Outcome]]]]:
        """What can be known after 0, ..., T steps, and what every action shows in each of these beliefs."""
        layers: list[set[Belief]] = [{((1 << len(self.worlds)) - 1, ())}]
        plays: dict[Belief, list[list[Outcome]]] = {}
        total = natural(horizon, "the horizon")  # there is at least one belief at each step
        for _ in range(horizon):
            total += len(layers[-1]) - 1
            if total > self.most:
                raise InstanceTooLarge(
                    f"a learner has more than {self.most} beliefs within {shown(horizon)} steps, and no "
                    "more can be listed."
                )
            for here in layers[-1] - plays.keys():
                plays[here] = [self._outcomes(here, action) for action in range(self.actions)]
            layers.append({one.after for here in layers[-1] for some in plays[here] for one in some})
        return layers, plays

    def _outcomes(self, here: Belief, action: int) -> list[Outcome]:
        mask, recent = here
        later = last((*recent, action), self.memory - 1)
        losses: dict[Hashable, Number] = {}
        parts: dict[Hashable, list[int]] = {}
        for index in _members(mask):
            loss, seen = self.worlds[index][0](recent, action)
            losses[seen] = loss
            parts.setdefault(seen, []).append(index)
        return [
            Outcome(losses[seen], sum(self.worlds[i][1] for i in part), (sum(1 << i for i in part), later))
            for seen, part in parts.items()
        ]


def _members(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]
