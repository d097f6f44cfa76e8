"""The optimal policy of a finite horizon: what to play after any history with t steps to go, exactly.

The recursion of `reference_layers` has V_t for every t at the price of its transient, as stretches of sweeps
and jumps; playing a after the history s and then optimally costs

    Q_t(s, a) = loss(s, a) + V_{t-1}(s a).

A history of fewer than m - 1 actions is the root of a tree whose leaves are full histories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tallyplan.answers import Choice
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.errors import InvalidInput
from tallyplan.limits import Progress, silent
from tallyplan.model.files import AnyPath, write_json
from tallyplan.model.instance import Bandit, State
from tallyplan.model.rationals import shown
from tallyplan.model.replay import history_of
from tallyplan.planning import reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.on_graph.policy_io import choice_in, header, rows_of, steps_to_go
from tallyplan.planning.on_graph.states import explicit, graph_of, node_of, place_of

if TYPE_CHECKING:
    import pandas


@dataclass(unsafe_hash=True)
class HorizonPolicy:
    """What to play with any number of steps to go: the policy of `optimal_plan(bandit, T).policy`.

    Parameters
    ----------
    horizon : the steps for which it is prepared, on first use; asking about more prepares for those.

    Examples
    --------
    >>> from tallyplan import TallyingBandit, optimal_plan
    >>> policy = optimal_plan(TallyingBandit([["0", "1"], ["1/2", "1"]]), 10**15).policy
    >>> policy.after([0], to_go=10**15)
    Choice(losses=(Fraction(250000000000001, 1), Fraction(250000000000000, 1)))
    >>> policy.action([], to_go=1), policy.after([1], to_go=1).regrets
    (0, (Fraction(0, 1), Fraction(1, 1)))
    """

    bandit: Bandit
    horizon: int
    progress: Progress = field(default=silent, repr=False, compare=False)
    _layers: core.Layers | reference_layers.Layers | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_layers": None}  # a copy prepares itself

    def after(self, history: Sequence[int] = (), to_go: int | None = None) -> Choice:
        """What each action costs after `history` with `to_go` steps left, the next one included.

        Raises
        ------
        InvalidInput : an unknown action in the history; fewer steps than one.
        """
        return self.at(self.bandit.state_after(history_of(self.bandit, history)), to_go)

    def at(self, state: State, to_go: int | None = None) -> Choice:
        """The same in a state: a history of at most m - 1 actions, or the states of the arms."""
        steps = steps_to_go(to_go, 1)
        return choice_in(self.bandit, state, lambda following: self._value(following, steps - 1))

    def action(self, history: Sequence[int] = (), to_go: int | None = None) -> int:
        """An optimal action; the smallest, where several are."""
        return self.after(history, to_go).action

    def value(self, history: Sequence[int] = (), to_go: int | None = None) -> Fraction:
        """The least total loss of `to_go` steps after `history`, 0 for no steps."""
        state = self.bandit.state_after(history_of(self.bandit, history))
        found = self._value(state, steps_to_go(to_go, 0))
        if found is None:
            raise InvalidInput(
                f"there is no play of {shown(to_go)} steps from the state {state} of the arms."
            )
        return found

    def table(self, to_go: int | None = None) -> list[dict[str, Any]]:
        """A row per history: history, action, value and the cost of each action; small instances only."""
        return rows_of(self, self.bandit, steps_to_go(to_go, 1))

    def to_dataframe(self, to_go: int | None = None) -> pandas.DataFrame:
        """The table as a pandas DataFrame; the numbers in it are Fractions."""
        import pandas

        return pandas.DataFrame(self.table(to_go))

    def save(self, path: AnyPath) -> None:
        """Write the policy: the instance and the horizon, from which loading prepares it again."""
        write_json(path, header("horizon", self.bandit) | {"horizon": self.horizon})

    def _value(self, state: State, steps: int) -> Fraction | None:
        layers = self._prepared(steps)
        place = place_of(self.bandit, state)
        if isinstance(layers, reference_layers.Layers):
            place = (node_of(self.bandit, state),)
        cost = layers.cost(place, steps)
        return None if cost is None else Fraction(cost, self.bandit.denominator)

    def _prepared(self, steps: int) -> core.Layers | reference_layers.Layers:
        if self._layers is None or self._layers.steps < steps:
            within = max(steps, self.horizon)
            try:
                graph = graph_of(self.bandit, short=True)
                self._layers = core.Layers(graph, within, tick, self.progress)
            except TooWideError:
                self._layers = reference_layers.Layers(explicit(self.bandit, short=True), within)
        return self._layers
