"""Lemma 1: a tallying bandit is a Markov decision process.

Stated (label lem:bandit_mdp). The states are ({0} + X)^m, the initial state is (0, .., 0), playing i leads
from s to (s_2, s_2 .. s_{m-1}, s_m, i) (sic), and the reward of a state is R(s) = 1 - h_{s_m}(how often s_m
occurs in s).

Shown. With the transition (s_2, s_3, .., s_m, i) an action that was played j < m steps ago is entry m - j of
the state, and an entry that no action has reached is 0; so the state after t steps is the window of step t,
filled up with zeros in front. A zero is no action, so the count is the tally, and the total reward of T steps
is T minus the total loss. The printed transition has m + 1 entries; a slip. R is not defined at the initial
state, which is harmless as the rewards collected are those of the states after a step. One action less
suffices: the last m - 1 actions and the next one determine the loss, and fewer do not (K >= 2, m >= 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from proofs_check import definitions
from proofs_check.boxes import Found, binary_tables, span
from proofs_check.claim import Outcome, Repair, Request, Tight, claim
from proofs_check.steps import Fact, Given, Step, Verdict, weakest
from proofs_check.ways.for_all import for_all, induction
from proofs_check.ways.sequences import SIZES, Play, definition
from proofs_check.witness import Witness
from tallyplan.model.instance import TallyingBandit

WHERE = "Lemma 1 (lem:bandit_mdp)"
MEMORIES = range(2, 7)
State = tuple[int, ...]  # entries 1 .. K are actions, 0 is none

A = Play("a")
VARIABLES = (
    f"{SIZES}; {A.variables}; state(integer, integer) occurs(integer, integer, integer) x i j t u integer; "
    "reward(integer) real"
)


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


def moves(i: str, t: str) -> Fact:
    """Step t + 1 moves all entries by one, and appends its action."""
    return definition(
        "the transition",
        f"implies(m >= 1 and {t} >= 0, state(m, {t} + 1) == a({t} + 1) and "
        f"implies(1 <= {i} and {i} <= m - 1, state({i}, {t} + 1) == state({i} + 1, {t})))",
        "state",
    )


def arrives(given: Sequence[Given]) -> Step:
    """The action of step u is entry m - j of the state j steps later."""
    return induction(
        VARIABLES,
        on="j",
        start=0,
        upto="m - 1",
        given=[*given, "u >= 1", moves("m - (j + 1)", "u + j"), moves("m", "u - 1")],
        then="state(m - j, u + j) == a(u)",
        words="the action of step u is entry m - j of the state after step u + j",
    )


def remains(given: Sequence[Given], value: str) -> Step:
    """Entries that no action has reached are those of the initial state, all the same."""
    return induction(
        VARIABLES,
        on="j",
        start=0,
        upto="i - 1",
        given=[
            *(*given, "1 <= i", "i <= m", moves("i - (j + 1)", "j")),
            definition("the initial state", f"state(i, 0) == {value}", "state(i, 0)"),
        ],
        then=f"state(i - j, j) == {value}",
        words=f"an entry that no action has reached is {value}",
    )


@claim(
    "lemma-1",
    statement=(
        "Any tallying bandit problem can be equivalently expressed as a finite horizon MDP, whose state "
        "after a step is (s_2, s_3, .., s_m, i): {stated}."
    ),
    where=WHERE,
    formulas={"stated": "reward(T) == T - a_total(T)"},
    domain={"memory": "m >= 1", "horizon": "T >= 0"},
    integers="m T",
    symbols={
        "reward": "reward(t), the reward that the first t actions collect in the MDP",
        "a_total": "a_total(t), what the same actions lose in the bandit",
    },
    uses=("definition-1/memory",),
)
def lemma_1(request: Request) -> Outcome:
    """Follow the entries of the state, step by step; compare rewards and losses of all sequences on a box."""
    cases = [
        (bandit, actions)
        for bandit in _bandits()
        for actions in definitions.everything(bandit, bandit.memory + 2)
    ]
    failing = next((case for case in cases if not _equivalent(request, *case)), None)
    return request.conclude(
        request.show("stated", _steps(request)),
        method="states are windows, step by step; all sequences of m + 2 steps on a box",
        cases=len(cases),
        checked_on="every {0,1} table with K <= 2, m <= 3, and every sequence of m + 2 steps",
        violation=None if failing is None else _not_equivalent(*failing),
        tight=_window(request),
    )


def _steps(request: Request) -> list[Step]:
    """The state is the window, the count is the tally, the reward is 1 - loss."""
    f = request.formulas
    played = arrives([f.memory])
    empty = remains([f.memory], "0")
    entry = "a(t - m + i) if t - m + i >= 1 else 0"
    entries = for_all(
        VARIABLES,
        given=[
            *(f.memory, "t >= 0", "1 <= i", "i <= m"),
            *(played.at(u="t - m + i", j="m - i"), empty.at(i="i + t", j="t")),
        ],
        then=f"state(i, t) == ({entry})",
        words="entry i of the state after step t is the action of step t - m + i, or 0 if that is no step",
    )
    counted = induction(
        VARIABLES,
        on="i",
        start=0,
        upto="m",
        given=[
            *(f.memory, "t >= 0", "x >= 1", _occurs("i"), entries.at(i="i + 1")),
            *(A.begins_to_count("x"), A.counts("x", "t - m + i + 1")),
        ],
        then="occurs(x, t, i) == a_count(x, max(t - m + i, 0)) - a_count(x, max(t - m, 0))",
        words="an action occurs among the first i entries as often as among their steps",
    )
    losses = for_all(
        VARIABLES,
        given=[
            *(f.memory, "t >= 0", moves("m", "t"), A.acts("t + 1"), A.loses("t + 1"), _collects("t")),
            counted.at(x="a(t + 1)", t="t + 1", i="m"),
        ],
        then="reward(t + 1) == reward(t) + 1 - a_loss(t + 1)",
        words="the count of the last entry is the tally",
    )
    totals = induction(
        VARIABLES,
        on="t",
        start=0,
        given=[
            *(f.memory, A.begins(), A.adds("t + 1"), losses.at()),
            definition("the reward", "reward(0) == 0", "reward(0)"),
        ],
        then="reward(t) == t - a_total(t)",
    )
    last = for_all(VARIABLES, given=[*request.domain, totals.at(t="T")], then=f.stated)
    return [played, empty, entries, counted, losses, totals, last]


def _occurs(i: str) -> Fact:
    """occurs(x, t, i): how often x is among the first i entries after step t."""
    return definition(
        "the occurrences in a state",
        f"occurs(x, t, 0) == 0 and implies({i} >= 0, "
        f"occurs(x, t, {i} + 1) == occurs(x, t, {i}) + (1 if state({i} + 1, t) == x else 0))",
        "occurs",
    )


def _collects(t: str) -> Fact:
    """R of the state that the step leads to."""
    after = f"state(m, {t} + 1)"
    return definition(
        "the reward",
        f"reward({t} + 1) == reward({t}) + 1 - h({after}, occurs({after}, {t} + 1, m))",
        "reward",
    )


@claim(
    "lemma-1/transition",
    statement=(
        "T_M(s, i) = (s_2, s_2 .. s_{m-1}, s_m, i) is a state: it has as many entries as s, {stated}."
    ),
    where=WHERE,
    formulas={"entries": "1 + (m - 2) + 1 + 1", "stated": "entries == m"},
    domain={"memory": "m >= 2"},
    integers="m",
    uses=("lemma-1",),
)
def printed(request: Request) -> Outcome:
    """Count the entries as printed; write the tuple out on the smallest states."""
    f = request.formulas
    states = [(m, state, i) for m in range(2, 5) for state in product((0, 1), repeat=m) for i in (1,)]
    counted = all(len(printed_transition(state, i)) == f.entries(m=m) for m, state, i in states)
    failing = next((case for case in states if not f.stated.holds(m=case[0])), None)
    kept = all(len(transition(state, i)) == m and f.memory.holds(m=m) for m, state, i in states)
    wrong = next((case for case in _states_of_three() if not _same_after(*case)), None)
    return request.conclude(
        None,
        method="the printed tuple, counted and written out",
        cases=len(states),
        checked_on="m = 2..4, entries 0 and 1",
        violation=_too_long(*failing, counted) if failing else None,
        remarks=(
            f"Written out, the tuple has as many entries as counted: {'yes' if counted else 'no'}.",
            "Read as a single wrong entry, (s_2, s_2, s_4, .., s_m, i), it forgets s_3 too early: the first "
            f"wrong entry is at m = 3, state and action {wrong}.",
        ),
        repair=Repair(
            "T_M(s, i) = (s_2, s_3, .., s_m, i), with which the lemma holds (claim lemma-1).",
            request.result("lemma-1").outcome.verdict if kept else Verdict.UNDECIDED,
        ),
    )


def _too_long(m: int, state: State, action: int, counted: bool) -> Found:
    found = printed_transition(state, action)
    return Found({"m": m, "s": state, "i": action, "T_M(s, i)": found}, counted and len(found) != m)


@claim(
    "lemma-1/initial-reward",
    statement=(
        "R_M(s), 1 minus the loss of s_m at the number of its occurrences in s, is defined for each state: "
        "its last entry is an action, {stated}."
    ),
    where=WHERE,
    formulas={
        "stated": "1 <= last and last <= K",
        "reached": "1 <= state(m, t + 1) and state(m, t + 1) <= K",
    },
    domain={"entry": "0 <= last and last <= K", "memory": "m >= 1", "time": "t >= 0"},
    integers="K m t last",
    symbols={
        "last": "s_m, the last entry of a state",
        "state": "state(i, t), entry i after t steps",
        "t": "a time",
    },
)
def initial_reward(request: Request) -> Outcome:
    """Evaluate the reward at every state of the smallest problems, the initial one first."""
    f = request.formulas
    states = [(K, m, s) for K in (1, 2) for m in (1, 2, 3) for s in product(range(K + 1), repeat=m)]
    inside = [(K, m, s) for K, m, s in states if f.entry.holds(K=K, last=s[-1])]
    undefined = [(K, m, s) for K, m, s in inside if not f.stated.holds(K=K, last=s[-1])]
    step = for_all(
        VARIABLES,
        given=[f.memory, f.time, moves("m", "t"), A.acts("t + 1")],
        then=f.reached,
        words="after a step the last entry is the action just played",
    )
    reached = request.show("reached", [step])
    return request.conclude(
        None,
        method="every state of the smallest problems",
        cases=len(states),
        checked_on="K = 1, 2, m = 1..3",
        violation=_undefined(*undefined[0]) if undefined else None,
        repair=Repair(
            "Collect R of the state that a step leads to: there s_m is the action just played. The initial "
            "state needs no reward.",
            reached.verdict,
        ),
    )


def _undefined(K: int, m: int, state: State) -> Found:
    return Found({"K": K, "m": m, "s": state}, not _has_reward(K, m, state))


def _window(request: Request) -> Tight | None:
    """The last m - 1 actions are enough for every later loss; with h_1(m) = 1 and 0 else, fewer are not."""
    tables = [TallyingBandit([[0] * (m - 1) + [1], [0] * m]) for m in MEMORIES]
    pasts = [((0,) * (h.memory - 1), (1, *(0,) * (h.memory - 2))) for h in tables]
    seen = [
        [definitions.step_loss(h, (*past, 0), h.memory - 1) for past in two]
        for h, two in zip(tables, pasts, strict=True)
    ]
    if any(losses != [Fraction(1), Fraction(0)] for losses in seen):
        return None
    facts = {"after action 0, action 0 loses": seen[0][0], "after action 1, it loses": seen[0][1]}
    return Tight(
        "the last m - 1 actions suffice as state (claim definition-1/memory), K^(m-1) full states; fewer do "
        f"not, K >= 2, m = {span(MEMORIES)}",
        weakest(request.result("definition-1/memory").outcome.verdict, Verdict.CHECKED),
        Witness(facts, tables[0]),
    )


def _bandits() -> Iterator[TallyingBandit]:
    return (h for K in (1, 2) for m in (1, 2, 3) for h in binary_tables(K, m))


def _states(bandit: TallyingBandit, actions: definitions.Actions) -> Iterator[State]:
    state: State = (0,) * bandit.memory
    for action in actions:
        state = transition(state, action + 1)
        yield state


def _rewards(bandit: TallyingBandit, actions: definitions.Actions) -> Fraction:
    return sum((reward(bandit, state) for state in _states(bandit, actions)), Fraction(0))


def _equivalent(request: Request, bandit: TallyingBandit, actions: definitions.Actions) -> bool:
    return request.formulas.stated.holds(
        T=len(actions),
        reward=lambda t: _rewards(bandit, actions[: int(t)]),
        a_total=lambda t: definitions.total_loss(bandit, actions[: int(t)]),
    )


def _not_equivalent(bandit: TallyingBandit, actions: definitions.Actions) -> Found:
    """Confirmed by the losses of the instance itself."""
    m = bandit.memory
    losses = [bandit.loss(actions[max(0, t - m + 1) : t + 1]) for t in range(len(actions))]
    return Found({"actions": actions}, len(actions) - _rewards(bandit, actions) != sum(losses), bandit)


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
