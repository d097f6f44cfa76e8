"""Whatever is passed to a public function, the answer is a result or a TallyplanError with a sentence."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial

import networkx as nx
import numpy as np
import pytest

import tallyplan as tp

BANDIT = tp.TallyingBandit([["0", "1"], ["1/2", "1"]])
WINDOWS = tp.make("counterexample-2", memory=2, secret="1")
CYCLE, PLAN = tp.minimum_mean_cycle(BANDIT), tp.optimal_plan(BANDIT, 3)


class Unspeakable:
    """What cannot even be quoted in an error message."""

    def __repr__(self):
        raise RuntimeError


JUNK = [None, True, "3", "", b"x", "\ud800", "\0", [], [0], [[0]], {}, {"a": 1}, 0, -1, 10**5000, -(10**5000)]
JUNK += [1.5, float("nan"), float("inf"), Decimal("nan"), Decimal("1e999999"), Fraction(1, 3), 1j, object]
JUNK += [np.array([1, 2]), np.array([]), np.array(1.5), np.array(3), np.float32(0.5), np.array(["a"]), np.nan]
JUNK += [nx.DiGraph, np.datetime64("2020-01-01"), iter([0]), set(), BANDIT, WINDOWS, [None], "/"]
JUNK += [Unspeakable()]

CALLS: dict[str, Callable[..., object]] = {
    "cycle": tp.minimum_mean_cycle,
    "cycle: method": lambda junk: tp.minimum_mean_cycle(BANDIT, method=junk),
    "cycle: gap": lambda junk: tp.minimum_mean_cycle(BANDIT, gap=junk),
    "cycle: time limit": lambda junk: tp.minimum_mean_cycle(WINDOWS, time_limit=junk),
    "plan": partial(tp.optimal_plan, horizon=3),
    "plan: horizon": lambda junk: tp.optimal_plan(BANDIT, junk),
    "plan: start": lambda junk: tp.optimal_plan(BANDIT, 3, junk),
    "policy: history": lambda junk: PLAN.policy.action(junk),
    "policy: steps to go": lambda junk: PLAN.policy.action([0], junk),
    "policy: file": tp.load_policy,
    "cyclic": partial(tp.optimal_cyclic_policy, period=3),
    "cyclic: period": lambda junk: tp.optimal_cyclic_policy(BANDIT, junk),
    "single run": tp.best_single_run_word,
    "graph": tp.minimum_mean_cycle_of,
    "graph: weight": lambda junk: tp.minimum_mean_cycle_of([(0, 0, junk)]),
    "graph: attribute": lambda junk: tp.minimum_mean_cycle_of(nx.DiGraph([(0, 0, {"w": 1})]), junk),
    "networkx": tp.to_networkx,
    "family": tp.make,
    "family: actions": lambda junk: tp.make("uniform", actions=junk, memory=2),
    "family: ratio": lambda junk: tp.make("weighted-recency", actions=2, memory=2, ratio=junk),
    "family: secret": lambda junk: tp.make("counterexample-2", memory=2, secret=junk),
    "losses": tp.TallyingBandit,
    "losses of an arm": lambda junk: tp.TallyingBandit([junk]),
    "loss": lambda junk: tp.TallyingBandit([[junk]]),
    "name": lambda junk: tp.TallyingBandit([[0]], name=junk),
    "rewards": tp.TallyingBandit.from_rewards,
    "least reward": lambda junk: tp.TallyingBandit.from_rewards([[1, 2]], least=junk),
    "windows: actions": lambda junk: tp.WindowBandit(junk, [[0, 1]]),
    "windows": lambda junk: tp.WindowBandit(2, junk),
    "weights": lambda junk: tp.WeightedTallyBandit(junk, [{1: 0}]),
    "weighted losses": lambda junk: tp.WeightedTallyBandit([1], junk),
    "load": tp.load,
    "save": BANDIT.save,
    "word": lambda junk: tp.mean_of_word(BANDIT, junk),
    "word: instance": lambda junk: tp.mean_of_word(junk, [0]),
    "replay": lambda junk: tp.replay(BANDIT, junk),
    "runs": lambda junk: tp.replay_runs(BANDIT, junk),
    "run": lambda junk: tp.replay_runs(BANDIT, [junk]),
    "word of a run": lambda junk: tp.replay_runs(BANDIT, [(junk, 2)]),
    "repeats of a run": lambda junk: tp.replay_runs(BANDIT, [((0,), junk)]),
    "tables": lambda junk: list(tp.solve_many(junk, "cycle")),
    "question": lambda junk: list(tp.solve_many([BANDIT.losses], junk)),
    "tables: start": lambda junk: list(tp.solve_many([BANDIT.losses], "plan", horizon=1, start=junk)),
    "tables: period": lambda junk: list(tp.solve_many([BANDIT.losses], "cyclic", period=junk)),
    "tables: workers": lambda junk: list(tp.solve_many([BANDIT.losses], workers=junk)),
}


@pytest.mark.parametrize("call", CALLS)
def test_anything_is_an_answer_or_a_sentence(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for junk in JUNK:
        found = outcome(partial(CALLS[call], junk), tp.TallyplanError)
        assert found not in (tp.InternalError, "an error without words")


def outcome(ask, *expected):
    """What happened: None, or the kind of the error, which has a message; any other error is a failure."""
    try:
        ask()
    except expected as error:
        return type(error) if str(error) else "an error without words"
    return None


def test_the_checker_names_what_it_cannot_read():
    """It knows no TallyplanError, since it runs alone; what no file can be called is a ValueError."""
    for junk in JUNK:
        for ask in (partial(tp.check, junk), partial(tp.check, CYCLE.certificate, instance=junk)):
            assert outcome(ask, OSError, ValueError) != "an error without words"
