"""The optimal policy of the long run: what to play after any history, and the exact cost of each alternative.

Let lambda be the minimum mean and r a history on an optimal cycle. Let h(s) be the least total of
(loss - lambda) on a way from s to r. No cycle has a negative total, so h exists, and

    h(s) = min over a of loss(s, a) - lambda + h(s a)      for every s,

at r too, where going once round the cycle costs 0. Conversely an h that satisfies this for every history
proves lambda, since it cancels along any cycle, and whoever always plays a minimising action loses lambda per
step. So h is found by Bellman-Ford from above, and a loaded one is verified in one sweep.

A history of fewer than m - 1 actions is the root of a tree whose leaves are full histories; it is folded
back level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.answers import Choice
from tallyplan.core import horizon as core
from tallyplan.core.library import TooWideError
from tallyplan.errors import InvalidInput
from tallyplan.model.arms import ArmBandit, graph_of_arms
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.files import AnyPath, write_json
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import Bandit, State
from tallyplan.model.rationals import integer
from tallyplan.model.replay import checked_action, history_of, mean_of_word
from tallyplan.model.words import Word, written
from tallyplan.planning import reference
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.policy_io import choice_in, header, rows_of

if TYPE_CHECKING:
    import pandas


@displayable
@dataclass(frozen=True)
class LongRunPolicy:
    """What to play forever: the policy of `minimum_mean_cycle(bandit).policy`.

    From every history it loses `mean` per step, and on the way to the cycle as little more as possible.

    Attributes
    ----------
    mean : the least long-run loss per step.
    word : the word of the cycle that it ends in, or one as good.
    potentials : h of the module's text, by the code of the history, in units of 1/scale; by the number of the
        state of arms, whole Fractions, and None where the cycle is out of reach.

    Examples
    --------
    >>> from tallyplan import TallyingBandit, minimum_mean_cycle
    >>> policy = minimum_mean_cycle(TallyingBandit([["0", "1"], ["0", "1"]])).policy
    >>> policy.action([0]), policy.action([1]), policy.after([0]).regrets
    (1, 0, (Fraction(1, 1), Fraction(0, 1)))
    """

    bandit: Bandit = field(repr=False)
    mean: Fraction
    word: Word
    potentials: Array = field(repr=False, compare=False)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        word = written([(self.word, 1)], self.bandit.actions)
        return card("what to play forever", {"loss per step": self.mean, "word": word})

    @property
    def scale(self) -> int:
        """The unit of the potentials is 1/scale."""
        return len(self.word) * self._graph.denominator

    def after(self, history: Sequence[int] = (), to_go: int | None = None) -> Choice:
        """What each action costs after `history`: loss - mean, and then the least excess to the cycle.

        The time to go does not matter: it is taken, so that both kinds of policy are asked alike.
        """
        return self.at(self.bandit.state_after(history_of(self.bandit, history)))

    def at(self, state: State, to_go: int | None = None) -> Choice:
        """The same in a state: a history of at most m - 1 actions, or the states of the arms."""

        def beyond(following: State) -> Fraction | None:
            found = self._value(following)
            return None if found is None else found - self.mean

        return choice_in(self.bandit, state, beyond)

    def action(self, history: Sequence[int] = (), to_go: int | None = None) -> int:
        """An optimal action; the smallest, where several are."""
        return self.after(history).action

    def value(self, history: Sequence[int] = (), to_go: int | None = None) -> Fraction:
        """The least total of (loss - mean) from `history` to the cycle."""
        found = self._value(self.bandit.state_after(history_of(self.bandit, history)))
        if found is None:
            raise InvalidInput("after these actions the optimal cycle cannot be reached any more.")
        return found

    def table(self, to_go: int | None = None) -> list[dict[str, Any]]:
        """A row per history: history, action, value and the cost of each action; small instances only."""
        return rows_of(self, self.bandit, None)

    def to_dataframe(self, to_go: int | None = None) -> pandas.DataFrame:
        """The table as a pandas DataFrame; the numbers in it are Fractions."""
        import pandas

        return pandas.DataFrame(self.table())

    def save(self, path: AnyPath) -> None:
        """Write the policy: the instance, the word and the potentials, which loading verifies."""
        content = {"word": list(self.word), "potentials": self.potentials.tolist()}
        found_again = isinstance(self.bandit, ArmBandit)
        write_json(path, header("long-run", self.bandit) | ({} if found_again else content))

    @cached_property
    def _graph(self) -> StateGraph:
        return StateGraph(self.bandit)

    def _value(self, history: State) -> Fraction | None:
        if isinstance(self.bandit, ArmBandit):
            found: Fraction | None = self.potentials[graph_of_arms(self.bandit).number[history]]
            return found
        graph, depth = self._graph, self.bandit.memory - 1 - len(history)
        first = graph.code(history) * graph.actions**depth
        totals = self.potentials[first : first + graph.actions**depth]
        for level in reversed(range(depth)):
            costs = _excess(graph, self.word, graph.window_costs(history, level, totals.dtype.type))
            totals = (costs + totals.reshape(-1, graph.actions)).min(axis=1)
        return Fraction(int(totals[0]), self.scale)


def long_run_policy(bandit: Bandit, mean: Fraction, word: Word) -> LongRunPolicy:
    """The policy that ends in an optimal cycle, from the mean and the word of one.

    Raises
    ------
    InstanceTooLarge : before anything is allocated.
    """
    graph = StateGraph(bandit)
    return LongRunPolicy(bandit, mean, word, _ways_to_the_cycle(graph, word))


def verified(bandit: Bandit, word: Any, potentials: Any, what: str) -> LongRunPolicy:
    """The policy of the long run from a file, if h satisfies its equation at every history."""
    graph = StateGraph(bandit)
    if not isinstance(word, list) or not word or not isinstance(potentials, list):
        raise InvalidInput(f"{what} has no word and potentials; a policy of the long run has both.")
    actions = tuple(checked_action(bandit, action, f"the word of {what}") for action in word)
    numbers = [integer(number, f"a potential of {what}") for number in potentials]
    if len(numbers) != graph.states:
        raise InvalidInput(
            f"{what} has {len(numbers)} potentials; the instance has {graph.states} histories."
        )
    kind = integer_type(_bound(graph, actions) + max(map(abs, numbers)))
    h: Array = np.array(numbers, dtype=kind)
    costs = _excess(graph, actions, graph.edge_costs(kind))
    if not np.array_equal((costs + graph.arrivals(h)).min(axis=2).reshape(-1), h):
        raise InvalidInput(f"the potentials of {what} do not prove that its word is optimal.")
    return LongRunPolicy(bandit, mean_of_word(bandit, actions), actions, h)


def _ways_to_the_cycle(graph: StateGraph, word: Word) -> Array:
    """h: Bellman-Ford from above, r held at 0, until a sweep changes nothing."""
    root = graph.state_of_word(word)
    cost = graph.scaled(mean_of_word(graph.bandit, word) * len(word))
    try:
        return core.ways_to(core.costs_of(graph.bandit), len(word), cost, root, tick)
    except TooWideError:
        h = reference.ways_to(reference.histories(graph.bandit), len(word), cost, root)
        return np.array(h, dtype=object)


def _excess(graph: StateGraph, word: Word, costs: Array) -> Array:
    """loss - mean, in units of 1/scale."""
    return len(word) * costs - graph.scaled(mean_of_word(graph.bandit, word) * len(word))


def _bound(graph: StateGraph, word: Word) -> int:
    """No number of the computation is larger: |h| <= (m - 1) l H, and a step adds at most l H."""
    return 2 * graph.memory * len(word) * max(1, graph.highest_cost)
