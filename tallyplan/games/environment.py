"""A Gymnasium environment: `tallyplan/TallyingBandit-v0`, so that any RL library can play a tallying bandit.

    import gymnasium
    env = gymnasium.make("tallyplan.games.environment:tallyplan/TallyingBandit-v0", bandit=bandit, horizon=9)

The state is the history, the last m - 1 actions (fewer in the first steps), or the states of the arms of an
`ArmBandit`, of which `info["action_mask"]` shows the actions that are allowed; the reward is minus the
observed loss. An episode is *truncated* after `horizon` steps: the state does not hold the time, so that for
the average loss per step this is a stationary Markov decision process. Rewards are floats, as everywhere in
Gymnasium; the exact mean loss of each step is in `info`, and the sum of these minus OPT_T is the regret.

**Model.** `env.unwrapped.bandit` is the exact instance, and `env.unwrapped.P` the transition table in the
form of Gymnasium's toy-text environments, P[state][action] = [(1.0, next state, -mean loss, False)].
"""

from __future__ import annotations

import os
from fractions import Fraction
from functools import cached_property
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces

from tallyplan.answers import Interval
from tallyplan.errors import InvalidInput
from tallyplan.games.feedback import Feedback, feedback_named
from tallyplan.games.game import Game
from tallyplan.games.regret import optimum_of, regret_of
from tallyplan.model.arms import ArmBandit
from tallyplan.model.graph import node_of, number_of_states, states_of
from tallyplan.model.instance import Bandit, State, TallyingBandit, load
from tallyplan.model.rationals import positive_integer, shown

ID = "tallyplan/TallyingBandit-v0"
MOST_STATES = 10**6  # of the explicit model P
MOST_NUMBERED = 2**63 - 1  # states that Gymnasium's Discrete can number

Model = dict[int, dict[int, list[tuple[float, int, Fraction, bool]]]]
Observation = np.int64 | np.ndarray[Any, np.dtype[np.int64]]


class TallyingBanditEnv(gymnasium.Env[Any, np.int64]):
    """A tallying bandit (or any other `Bandit`) as a Gymnasium environment.

    Parameters
    ----------
    bandit : the instance, the path of an instance file, or a table of losses; Counterexample 3 by default.
    horizon : the number of steps per episode.
    feedback : "deterministic", "bernoulli", "beta" or a `Feedback`: what the observed losses are drawn from.
    observation : "state", one integer per history, for tabular methods; "history", the last m - 1 actions as
        a vector (K where there is none yet), for networks; or "tallies", how often each action was played in
        the last m - 1 steps, K numbers, which for some instances is less than the state. Of an arm bandit,
        "state" numbers the states that can be reached, and "history" is the vector of the arms' states.

    Attributes
    ----------
    bandit : the exact instance.
    P : the explicit model, see the module.

    Notes
    -----
    `info` has `mean_loss` (the exact mean of this step, a Fraction), `observed_loss` (a Fraction), `tally`,
    `total_loss` (the exact sum so far), `time`, `to_go` (the steps left) and `history`: what a policy is
    asked with, `policy.at(info["history"], info["to_go"]).action`; of arms, `state` and `action_mask`. At the
    end of an episode it also has `optimum` (OPT_T) and `regret` (the complete policy regret), exact
    Fractions; where OPT_T is only known up to an interval, both are pairs (lower, upper).

    Examples
    --------
    >>> import gymnasium
    >>> env = gymnasium.make(ID, bandit=[["0", "1"], ["0", "1"]], horizon=10)
    >>> state, info = env.reset(seed=0)
    >>> state, reward, terminated, truncated, info = env.step(0)
    >>> info["mean_loss"], info["history"], truncated
    (Fraction(0, 1), (0,), False)
    """

    def __init__(
        self,
        bandit: Any = (("0", "1"), ("0", "1")),
        horizon: int = 100,
        feedback: str | Feedback = "bernoulli",
        observation: str = "state",
    ) -> None:
        if isinstance(bandit, str | os.PathLike):
            bandit = load(bandit)
        self.bandit: Bandit = bandit if isinstance(bandit, Bandit) else TallyingBandit(bandit)
        self.horizon = positive_integer(horizon, "horizon")
        self._feedback = feedback_named(feedback) if isinstance(feedback, str) else feedback
        self._observation = observation
        self.action_space = spaces.Discrete(self.bandit.actions)
        self.observation_space = self._space()
        self._game = Game(self.bandit, self.horizon, feedback=self._feedback)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode from the empty history; a seed makes this and later episodes reproducible."""
        super().reset(seed=seed)
        noise = int(self.np_random.integers(2**63))
        self._game = Game(self.bandit, self.horizon, seed=noise, feedback=self._feedback)
        return self._observed(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Play one action."""
        before, tally = self._game.loss, self._game.tally_of(int(action))
        seen = self._game.step(int(action))
        info = self._info() | {"mean_loss": self._game.loss - before, "observed_loss": seen, "tally": tally}
        if not self._game.remaining:
            info |= self._account()
        return self._observed(), -float(seen), False, self._game.remaining == 0, info

    def _account(self) -> dict[str, Any]:
        """The optimum of an episode, and the regret of this one."""
        regret = regret_of(self._game.loss, self._optimum)
        if regret.exact:
            return {"optimum": self._optimum.value, "regret": regret.value}
        ends = {"optimum": self._optimum, "regret": regret}
        return {name: (interval.lower, interval.upper) for name, interval in ends.items()}

    @cached_property
    def _optimum(self) -> Interval:
        return optimum_of(self.bandit, self.horizon)

    @cached_property
    def P(self) -> Model:  # noqa: N802 (the name in Gymnasium's toy-text environments)
        """P[state][action] = [(probability, next state, mean reward, terminated)]; the reward is exact."""
        states = self.states
        if states > MOST_STATES:
            raise InvalidInput(f"the model has {states} states; P is for at most {MOST_STATES}.")
        return {self.state_of(state): self._moves(state) for state in states_of(self.bandit)}

    def _moves(self, state: State) -> dict[int, list[tuple[float, int, Fraction, bool]]]:
        found = {}
        for action in self.bandit.allowed(state):
            loss, after = self.bandit.step(state, action)
            found[action] = [(1.0, self.state_of(after), -loss, False)]
        return found

    @property
    def states(self) -> int:
        """1 + K + ... + K^(m-1), all histories; or those that the arms can reach."""
        return number_of_states(self.bandit)

    def state_of(self, history: State) -> int:
        """The number of a history, of which the last m - 1 actions count; or of the states of the arms.

        Histories are numbered by length, and those of equal length by their digits to the base K.

        >>> env = TallyingBanditEnv([["0", "1", "1"]] * 2)
        >>> [env.state_of(history) for history in ((), (0,), (1,), (0, 0), (1, 1), (0, 1, 1))]
        [0, 1, 2, 3, 6, 6]
        """
        return node_of(self.bandit, self.bandit.remembered(history))

    def _space(self) -> spaces.Space[Any]:
        K, m = self.bandit.actions, self.bandit.memory
        if self._observation == "state":
            if self.states > MOST_NUMBERED:
                raise InvalidInput(
                    f"there are {K}^{m - 1} histories, too many to be numbered; choose "
                    "observation='history' or observation='tallies'."
                )
            return spaces.Discrete(self.states)
        if isinstance(self.bandit, ArmBandit):
            if self._observation == "tallies":
                raise InvalidInput("observation is 'tallies'; an arm bandit has none: 'state' or 'history'.")
            return spaces.MultiDiscrete([len(arm.losses) for arm in self.bandit.arms])
        sizes = {"history": [K + 1] * max(1, m - 1), "tallies": [m] * K}
        if self._observation not in sizes:
            raise InvalidInput(
                f"observation is {shown(self._observation)}; it is 'state', 'history' or 'tallies'."
            )
        return spaces.MultiDiscrete(sizes[self._observation])

    def _observed(self) -> Observation:
        state, K = self._game.state, self.bandit.actions
        if self._observation == "state":
            return np.int64(self.state_of(state))
        if self._observation == "tallies":
            return np.array([state.count(x) for x in range(K)], dtype=np.int64)
        width = len(self.observation_space.nvec)  # type: ignore[attr-defined]
        return np.array([K] * (width - len(state)) + list(state), dtype=np.int64)

    def _info(self) -> dict[str, Any]:
        game = self._game
        arms = isinstance(self.bandit, ArmBandit)
        now = {"time": game.time, "to_go": game.remaining, "state" if arms else "history": game.state}
        if arms:
            mask = np.zeros(self.bandit.actions, dtype=np.int8)
            mask[self.bandit.allowed(game.state)] = 1
            now["action_mask"] = mask
        return now | {"total_loss": game.loss}


if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point="tallyplan.games.environment:TallyingBanditEnv")
