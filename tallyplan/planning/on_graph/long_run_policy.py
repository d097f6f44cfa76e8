"""The optimal policy of the long run: what to play after any history, and the exact cost of each alternative.

Let lambda be the minimum mean and r a history on an optimal cycle. Let h(s) be the least total of
(loss - lambda) on a way from s to r. No cycle has a negative total, so h exists, and

    h(s) = min over a of loss(s, a) - lambda + h(s a)      for every s,

at r too, where going once round the cycle costs 0. Conversely an h that satisfies this for every history
proves lambda, since it cancels along any cycle, and whoever always plays a minimising action loses lambda per
step. With potentials phi of the minimum mean cycle, the costs beyond lambda become nonnegative: h is the
least sum of these on a way to r, plus phi(s) - phi(r). Where arms cannot reach r, there is no h.

A history of fewer than m - 1 actions is the root of a tree whose leaves are full histories; it is folded
back level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from tallyplan.answers import Choice
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.core.questions import Cycle
from tallyplan.errors import InvalidInput
from tallyplan.model.arms import ArmBandit
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.files import AnyPath, write_json
from tallyplan.model.graph import Array, StateGraph, integer_type
from tallyplan.model.instance import Bandit, State
from tallyplan.model.replay import history_of
from tallyplan.model.words import Word, written
from tallyplan.planning import reference
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.policy_io import choice_in, header, rows_of
from tallyplan.planning.on_graph.states import explicit, graph_of, node_of

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
    potentials : h of the module's text, by state, in units of 1/scale.

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
    scale: int = field(repr=False)

    def shown(self) -> SmallTable:
        """What notebooks and terminals show."""
        word = written([(self.word, 1)], self.bandit.actions)
        return card("what to play forever", {"loss per step": self.mean, "word": word})

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
        """Write the policy: the instance, from which loading finds it again."""
        write_json(path, header("long-run", self.bandit))

    def _value(self, state: State) -> Fraction | None:
        if isinstance(self.bandit, ArmBandit):
            total = self.potentials[node_of(self.bandit, state)]
            return None if total is None else Fraction(int(total), self.scale)
        graph, depth = StateGraph(self.bandit), self.bandit.memory - 1 - len(state)
        first = graph.code(state) * graph.actions**depth
        totals = self.potentials[first : first + graph.actions**depth]
        mean, unit = int(self.mean * self.scale), self.scale // self.bandit.denominator
        for level in reversed(range(depth)):
            costs = unit * graph.window_costs(state, level, totals.dtype.type) - mean
            totals = (costs + totals.reshape(-1, graph.actions)).min(axis=1)
        return Fraction(int(totals[0]), self.scale)


def long_run_policy(bandit: Bandit, least: Cycle) -> LongRunPolicy:
    """The policy that ends in an optimal cycle."""
    phi, arms = least.potentials, isinstance(bandit, ArmBandit)
    root = least.start if arms else StateGraph(bandit).state_of_word(least.word)
    try:
        home = core.ways_to(graph_of(bandit), least, root, tick)
    except TooWideError:
        reduced = explicit(bandit).reduced(Fraction(least.mean, least.scale), phi.tolist())
        found = reference.ways_home(reduced, root)
        home = np.array([found.get(s, -1) for s in range(len(phi))], dtype=object)
    h: Array
    if arms:
        h = np.array([None if way < 0 else way + p - phi[root] for way, p in zip(home, phi, strict=True)])
    else:  # |h| and |phi| are at most (m - 1) q H, and a step adds at most q H
        kind = integer_type(4 * bandit.memory * least.scale * max(1, StateGraph(bandit).highest_cost))
        h = home.astype(kind) + phi.astype(kind) - phi[root]
    scale = least.scale * bandit.denominator
    return LongRunPolicy(bandit, Fraction(least.mean, scale), least.word, h, scale)
