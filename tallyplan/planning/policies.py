"""Optimal policies: what to play after any history, and the exact cost of each alternative.

**A finite horizon.** The recursion of `reference_layers` has V_t for every t at the price of its transient,
as stretches of sweeps and jumps; playing a after the history s and then optimally costs

    Q_t(s, a) = loss(s, a) + V_{t-1}(s a).

**The long run.** Let lambda be the minimum mean and r a history on an optimal cycle. Let h(s) be the least
total of (loss - lambda) on a way from s to r. No cycle has a negative total, so h exists, and

    h(s) = min over a of loss(s, a) - lambda + h(s a)      for every s,

at r too, where going once round the cycle costs 0. Conversely an h that satisfies this for every history
proves lambda, since it cancels along any cycle, and whoever always plays a minimising action loses lambda per
step. With potentials phi of the minimum mean cycle, the costs beyond lambda become nonnegative: h is the
least sum of these on a way to r, plus phi(s) - phi(r). Where arms cannot reach r, there is no h.

A history of fewer than m - 1 actions is the root of a tree whose leaves are full histories; it is folded
back level by level.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tallyplan.answers import POLICY_FORMAT, POLICY_VERSION, Policy
from tallyplan.core import questions as core
from tallyplan.core.library import TooWideError
from tallyplan.errors import InvalidInput
from tallyplan.limits import silent
from tallyplan.model.arms import ArmBandit
from tallyplan.model.display import SmallTable, card, displayable
from tallyplan.model.files import AnyPath, read_json
from tallyplan.model.graph import Array, StateGraph, integer_type, node_of, np
from tallyplan.model.instance import Bandit, State, from_json
from tallyplan.model.rationals import integer, shown
from tallyplan.model.words import Word, written
from tallyplan.planning import reference, reference_layers
from tallyplan.planning.effort import tick
from tallyplan.planning.state_graph import explicit, graph_of, minimum_mean, place_of


@dataclass(unsafe_hash=True)
class HorizonPolicy(Policy):
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
    _layers: core.Layers | reference_layers.Layers | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_layers": None}  # a copy prepares itself

    def _written(self) -> dict[str, Any]:
        return {"policy": "horizon", "horizon": self.horizon}

    def _following(self, state: State, to_go: int | None) -> Fraction | None:
        return self._value(state, steps_to_go(to_go, 1) - 1)

    def _value(self, state: State, to_go: int | None) -> Fraction | None:
        steps = steps_to_go(to_go, 0)
        layers = self._prepared(steps)
        in_python = isinstance(layers, reference_layers.Layers)
        place = (node_of(self.bandit, state),) if in_python else place_of(self.bandit, state)
        cost = layers.cost(place, steps)
        return None if cost is None else Fraction(cost, self.bandit.denominator)

    def _prepared(self, steps: int) -> core.Layers | reference_layers.Layers:
        if self._layers is None or self._layers.steps < steps:
            within = max(steps, self.horizon)
            try:
                graph = graph_of(self.bandit, short=True)
                self._layers = core.Layers(graph, within, tick)
            except TooWideError:
                self._layers = reference_layers.Layers(explicit(self.bandit, short=True), within)
        return self._layers


def steps_to_go(to_go: Any, least: int) -> int:
    """The steps to go as an integer of at least `least`."""
    if to_go is None:
        raise InvalidInput("how many steps are to go? A policy of a finite horizon needs to know: to_go=T.")
    steps = integer(to_go, "to_go")
    if steps < least:
        raise InvalidInput(f"to_go is {shown(steps)}; it must be at least {least}.")
    return steps


@displayable
@dataclass(frozen=True)
class LongRunPolicy(Policy):
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

    def _written(self) -> dict[str, Any]:
        return {"policy": "long-run"}

    def _following(self, state: State, to_go: int | None) -> Fraction | None:
        found = self._value(state, to_go)
        return None if found is None else found - self.mean

    def _value(self, state: State, to_go: int | None) -> Fraction | None:
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


def long_run_policy(bandit: Bandit, least: core.Cycle) -> LongRunPolicy:
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


def load_policy(path: AnyPath) -> Policy:
    """Read a policy that `policy.save` wrote; it is found again.

    Raises
    ------
    InvalidInput : the file cannot be read, or holds something else.

    >>> import tempfile, pathlib
    >>> from tallyplan import TallyingBandit, minimum_mean_cycle
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "policy.json"
    ...     minimum_mean_cycle(TallyingBandit([["0", "1"], ["0", "1"]])).policy.save(path)
    ...     load_policy(path).action([1])
    0

    See Also
    --------
    tallyplan.answers.Policy : what is read.
    tallyplan.optimal_plan : where policies come from.
    """
    document = read_json(path)
    if not isinstance(document, dict) or document.get("format") != POLICY_FORMAT:
        raise InvalidInput(f"{path} is not a policy; policy.save(path) writes one.")
    if document.get("version") != POLICY_VERSION:
        raise InvalidInput(
            f"{path} is a policy of version {shown(document.get('version'))}, not {POLICY_VERSION}."
        )
    bandit = from_json(document.get("instance"))
    if document.get("policy") == "horizon":
        return HorizonPolicy(bandit, steps_to_go(document.get("horizon"), 0))
    return long_run_policy(bandit, minimum_mean(bandit, silent))
