"""Lemma 1: a tallying bandit is a Markov decision process.

Stated (label lem:bandit_mdp). The states are ({0} + X)^m, the initial state is (0, .., 0), playing i leads
from s to (s_2, s_2 .. s_{m-1}, s_m, i) (sic), and the reward of a state is R(s) = 1 - h_{s_m}(how often s_m
occurs in s).

Shown. With the transition (s_2, s_3, .., s_m, i) the state after t steps is the window of step t, filled up
with zeros in front; a zero is no action, so the count is the tally, and the total reward of T steps is T
minus the total loss. The printed transition has m + 1 entries; a slip. R is not defined at the initial state,
which is harmless as the rewards collected are those of the states after a step. One action less suffices: the
last m - 1 actions and the next one determine the loss, and the last m - 2 do not (K >= 2, m >= 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.boxes import binary_tables
from proofs_check.claim import (
    Evidence,
    Outcome,
    Repair,
    Request,
    Tight,
    Witness,
    after_search,
    by_proof,
    claim,
)
from proofs_check.steps import Verdict
from proofs_check.ways.arguments import settled
from proofs_check.ways.for_all import for_all
from tallyplan.model.instance import TallyingBandit

WHERE = "Lemma 1 (lem:bandit_mdp)"
State = tuple[int, ...]  # entries 1 .. K are actions, 0 is none


def transition(state: State, action: int) -> State:
    """(s_2, s_3, .., s_m, i)."""
    return (*state[1:], action)


def printed_transition(state: State, action: int) -> State:
    """As printed: s_2, then s_2 .. s_{m-1}, then s_m, then i."""
    return (state[1], *state[1:-1], state[-1], action)


def reward(bandit: TallyingBandit, state: State) -> Fraction:
    """R(s) = 1 - h_{s_m}(how often s_m occurs in s); s_m must be an action."""
    if state[-1] == 0:
        raise LookupError("h_0 does not exist: the last entry of the state is 0.")
    return 1 - bandit.losses[state[-1] - 1][state.count(state[-1]) - 1]


@claim(
    "lemma-1",
    statement="Any tallying bandit problem can be equivalently expressed as a finite horizon MDP.",
    where=WHERE,
)
def lemma_1(request: Request) -> Outcome:
    """Follow the state for all m and T; compare rewards and losses of all sequences on a box."""
    cases = [
        (bandit, actions)
        for bandit in _bandits()
        for actions in definitions.everything(bandit, bandit.memory + 2)
    ]
    failing = next((case for case in cases if not _equivalent(*case)), None)
    steps = [
        for_all(
            "t m i integer",
            given=["1 <= i", "i <= m - 1"],
            then="(t + 1) - m + i == t - m + (i + 1)",
            words="entry i after step t is the action of step t - m + i (0 if that is no step); moving all "
            "entries by one and appending a_{t+1} gives the entries after step t + 1 (from t to t + 1)",
        ),
        for_all(
            "t m i integer",
            given=["m >= 1", "t >= 1", "1 <= i", "i <= m", "t - m + i >= 1"],
            then="t - m + i >= max(1, t - m + 1) and t - m + i <= t",
            words="the entries that are actions are those of the window max(1, t - m + 1) .. t, so the "
            "count of s_m is the tally",
        ),
        for_all(
            "T loss total reward real",
            given=["total == T - reward", "loss >= 0"],
            then="total + loss == (T + 1) - (reward + 1 - loss)",
            words="total loss = T - total reward (from T to T + 1)",
        ),
    ]
    return Outcome(
        settled(failing, lambda case: not _equivalent(*case), steps),
        "all K, m and T, with the transition (s_2, s_3, .., s_m, i)",
        Evidence(
            "states are windows, step by step; all sequences of m + 2 steps on a box",
            len(cases),
            (*steps, "Box: every {0,1} table with K <= 2, m <= 3."),
        ),
        witness=Witness({"actions": failing[1]}, failing[0]) if failing else None,
        tight=_window(),
    )


@claim(
    "lemma-1/transition",
    statement="T_M(s, i) = (s_2, s_2 .. s_{m-1}, s_m, i) maps ({0} + X)^m x X to ({0} + X)^m.",
    where=WHERE,
)
def printed(request: Request) -> Outcome:
    """Evaluate the printed tuple on the smallest states, and the intended one."""
    states = [(m, state, i) for m in range(2, 5) for state in product((0, 1), repeat=m) for i in (1,)]
    failing = next((case for case in states if len(printed_transition(*case[1:])) != case[0]), None)
    wrong_tally = next((case for case in _states_of_three() if not _same_after(*case)), None)
    lengths = all(len(transition(state, i)) == m for m, state, i in states)
    return Outcome(
        after_search(failing, lambda case: len(printed_transition(*case[1:])) == case[0] + 1),
        "no m >= 2 (for m = 1 there is no s_2)",
        Evidence(
            "the printed tuple written out",
            len(states),
            (
                "The tuple has m + 1 entries.",
                "Read as a single wrong entry, (s_2, s_2, s_4, .., s_m, i), it forgets s_3 too early: the "
                f"first wrong entry is at m = 3, state and action {wrong_tally}.",
            ),
        ),
        witness=Witness(
            {"m": failing[0], "s": failing[1], "i": failing[2], "T_M(s, i)": printed_transition(*failing[1:])}
        )
        if failing
        else None,
        repair=Repair(
            "T_M(s, i) = (s_2, s_3, .., s_m, i), with which the lemma holds (claim lemma-1).",
            lemma_1(request).verdict if lengths else Verdict.UNDECIDED,
        ),
    )


@claim(
    "lemma-1/initial-reward",
    statement="R_M(s) = 1 - h_{s_m}(how often s_m occurs in s) is defined for each state s.",
    where=WHERE,
)
def initial_reward(request: Request) -> Outcome:
    """Evaluate the reward at every state of the smallest problems, the initial one first."""
    states = [(K, m, s) for K in (1, 2) for m in (1, 2, 3) for s in product(range(K + 1), repeat=m)]
    undefined = [(K, m, s) for K, m, s in states if not _has_reward(K, m, s)]
    exactly = all((s[-1] == 0) == ((K, m, s) in undefined) for K, m, s in states)
    reached = all(_has_reward(b.actions, b.memory, s) for b in _bandits() for s in _reached(b))
    return Outcome(
        after_search(undefined[0] if undefined else None, lambda case: case[2][-1] == 0),
        "states with s_m != 0: all that are reached by playing" if exactly else "none",
        Evidence("every state of the smallest problems", len(states), ("h_0 does not exist.",)),
        witness=Witness({"K": undefined[0][0], "m": undefined[0][1], "s": undefined[0][2]})
        if undefined
        else None,
        repair=Repair(
            "Collect R of the state that a step leads to: there s_m is the action just played. The initial "
            "state needs no reward.",
            Verdict.CHECKED if reached else Verdict.UNDECIDED,
        ),
    )


def _window() -> Tight | None:
    """The last m - 1 actions are enough for every later loss; the last m - 2 are not, for K, m >= 2."""
    enough = for_all(
        "t m s integer",
        given=["s >= (t + 1) - m + 1", "s <= t"],
        then="s >= t - (m - 1) + 1",
        words="the window of the next step holds the last m - 1 actions and the next one",
    )
    needed = for_all(
        "m y integer",
        given=["m >= 2", "1 <= y", "y <= m - 1"],
        then="y + 1 <= m and y + 1 != y",
        words="if the histories differ m - 1 steps back only, the next play of that action has tallies y + "
        "1, y",
    )
    example = TallyingBandit([[0, 1], [0, 0]])
    seen = [definitions.step_loss(example, (past, 0), 1) for past in (0, 1)]
    if by_proof([enough, needed]) is not Verdict.ARGUED or seen[0] == seen[1]:
        return None
    facts = {"after action 0, action 0 loses": seen[0], "after action 1, it loses": seen[1]}
    return Tight(
        "the last m - 1 actions suffice as state, K^(m-1) full states; fewer do not, for K, m >= 2",
        by_proof([enough, needed]),
        Witness(facts, example),
    )


def _bandits() -> Iterator[TallyingBandit]:
    return (h for K in (1, 2) for m in (1, 2, 3) for h in binary_tables(K, m))


def _states(bandit: TallyingBandit, actions: definitions.Actions) -> Iterator[State]:
    state: State = (0,) * bandit.memory
    for action in actions:
        state = transition(state, action + 1)
        yield state


def _reached(bandit: TallyingBandit) -> Iterator[State]:
    for actions in definitions.everything(bandit, bandit.memory + 1):
        yield from _states(bandit, actions)


def _equivalent(bandit: TallyingBandit, actions: definitions.Actions) -> bool:
    rewards = sum((reward(bandit, state) for state in _states(bandit, actions)), Fraction(0))
    return len(actions) - rewards == definitions.total_loss(bandit, actions)


def _states_of_three() -> list[tuple[State, int]]:
    return [(state, i) for state in product((1, 2), repeat=3) for i in (1, 2)]


def _same_after(state: State, action: int) -> bool:
    """Is (s_2, s_2, i) the window after the step, m = 3?"""
    return (state[1], state[1], action) == transition(state, action)


def _has_reward(actions: int, memory: int, state: State) -> bool:
    try:
        reward(TallyingBandit([[0] * memory] * actions), state)
    except LookupError:
        return False
    return True
