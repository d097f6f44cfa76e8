"""Seeded games are the same as recorded, bit for bit: every learner, answers about policy sets, trials.

`python tests/games/test_pinned.py --write` records them anew, in `pinned.json` beside this file.
"""

import hashlib
import json
import sys
from fractions import Fraction
from itertools import count, product
from pathlib import Path

import pytest

from tallyplan import TallyingBandit, make
from tallyplan.games.policy_set import PolicySet
from tallyplan.games.registry import learners
from tallyplan.games.regret import optimum_of, regret_of
from tallyplan.games.trials import Setup, median_confidence, play_repeatedly, quantile
from tallyplan.model.words import expand, length

RECORD = Path(__file__).with_name("pinned.json")

BANDITS = {
    "alternate": make("counterexample-3"),
    "needle": make("proposition-1-lower", actions=2, memory=3, best=0),
    "mixed": TallyingBandit([["1/2", "1/3", "1"], ["2/3", "0", "1/4"]]),
    "three": TallyingBandit([["1/2", "1"], ["2/5", "3/5"], ["1/10", "9/10"]]),
    "one action": TallyingBandit([["0", "1/2", "1"]]),
    "no memory": TallyingBandit([["1/2"], ["1/3"], ["2/3"]]),
    "equal arms": TallyingBandit([["1/4", "3/4"]] * 2),
    "windows": make("counterexample-2", memory=3),
}
HORIZONS = (0, 1, 5, 400, 48**2)
SETUPS = ((0, None, Fraction(1, 20)), (7, "deterministic", Fraction(1, 3)), (1, "beta", Fraction(1, 20)))
BULK = ("alg-det", "alg-stoch", "best-constant", "carmab", "greedy-oracle", "optimistic-planner")
OPTIONS = ("optimistic-planner-anytime", "optimistic-planner-few-epochs", "round-robin")
LONG = dict.fromkeys((*BULK, *OPTIONS), 10**9) | dict.fromkeys(("se-tb", "se-tb-sharp"), (24 * 31) ** 2)
SIZES = ((1, 2, 5), (2, 1, 4), (2, 2, 7), (2, 3, 12), (3, 2, 20), (3, 3, 31), (4, 2, 96))
STEPWISE = ("optimistic-unknown-memory", "se-tb-unknown-memory")  # take time proportional to T


def _hash(runs):
    """Of the actions one by one, so that the same game in other runs has the same hash."""
    actions = expand(runs) if length(runs) < 10**5 else runs
    return hashlib.sha256(repr(tuple(actions)).encode()).hexdigest()[:16]


def _game(bandit, algorithm, horizon, setup):
    seed, feedback, delta = setup
    played = Setup(algorithm, horizon, seed, feedback, delta).play(bandit)
    regret = regret_of(played.loss, optimum_of(bandit, horizon))
    found = [str(played.loss), str(regret.lower), str(regret.upper), _hash(played.runs), str(played.gap)]
    return [*found, *played.departures]


def games(algorithm):
    """Every small game of a learner, and one long one if it plays in bulk."""
    found = {}
    for (name, bandit), horizon, setup in product(BANDITS.items(), HORIZONS, SETUPS):
        if setup is SETUPS[0] or name in ("mixed", "three"):
            shorter = min(horizon, 600) if algorithm in STEPWISE else horizon
            found[f"{name}, T = {shorter}, seed {setup[0]}"] = _game(bandit, algorithm, shorter, setup)
    if algorithm in LONG:
        for name in ("mixed", "three"):
            found[f"{name}, long"] = _game(BANDITS[name], algorithm, LONG[algorithm], (3, None, SETUPS[0][2]))
    return found


def policy_sets():
    """Answers about all words, and about those that are left when a row is added."""
    found = {}
    for actions, memory, period in SIZES:
        policies = PolicySet.of_all(actions, memory, period)
        cells = list(product(range(actions), range(1, memory + 1)))
        for rows in count():
            key = f"K = {actions}, m = {memory}, L = {period}, {rows} rows, "
            for cell in cells:
                answer = policies.greatest_count(*cell)
                found[f"{key}greatest {cell}"] = [answer.value, answer.bound, _hash(answer.runs)]
            weights = [(17 * i * i + 5 * rows * i + 3) % 23 for i in range(len(cells))]
            least = policies.least(weights)
            found[f"{key}least {weights}"] = [least.value, least.bound, _hash(least.runs)]
            if rows == 2:
                break
            policies = policies.where(weights, least.value + period // 2, least)
    return found


def trials():
    """Summaries of several seeds, with the losses on the way."""
    found = {}
    for algorithm in ("ucb1", "alg-stoch", "exp3", "se-tb"):
        games = play_repeatedly(BANDITS["mixed"], Setup(algorithm, 300, 4), 9, times=(1, 10, 100, 300))
        shares = [str(quantile(games.losses, Fraction(q, 100))) for q in (0, 5, 50, 95, 100)]
        middle = [str(end) for end in median_confidence(games.losses) or ()]
        curves = [[str(loss) for loss in curve] for curve in games.curves]
        found[algorithm] = [str(games.mean_regret.value), shares, middle, curves]
    return found


PINNED = {name: lambda name=name: games(name) for name in learners()} | {
    "policy sets": policy_sets,
    "trials": trials,
}


@pytest.mark.parametrize("name", PINNED)
def test_seeded_games_are_those_of_the_record(name):
    assert PINNED[name]() == json.loads(RECORD.read_text())[name]


def test_every_record_is_replayed():
    assert set(json.loads(RECORD.read_text())) == set(PINNED)


if __name__ == "__main__" and "--write" in sys.argv:
    parts = []
    for name, make_record in PINNED.items():
        rows = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in make_record().items()]
        parts.append(json.dumps(name) + ": {\n" + ",\n".join(rows) + "\n}")
    RECORD.write_text("{\n" + ",\n".join(parts) + "\n}\n")
