"""Single answers at every size, next to LEMON's Howard on the same tables (`python -m benchmarks.single`).

    python -m benchmarks.single [--family NAME] [--from N] [--to N] [--seeds S] [--json]

Milliseconds of processor time per answer: the median over the seeds of the least of several calls, each on an
instance that was never asked before, so that whatever is prepared once per instance is on the clock. LEMON's
time is that of its solve alone, the best of three, in turns with ours on the same table. The kernels are
loaded before.
"""

import argparse
import json
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import tallyplan as tp
from benchmarks.many import lemon
from benchmarks.race.build import BUILD, COMPILED, compile_peer

SIZES = [
    *[(2, 3), (2, 5), (2, 7), (2, 9), (2, 10), (3, 7), (2, 12), (2, 13), (3, 9), (2, 14), (2, 15), (2, 16)],
    *[(3, 11), (2, 17), (5, 8), (2, 18), (2, 20), (3, 14), (2, 22), (2, 24), (2, 27)],
]
HORIZON, PERIOD = 10**6, 1000
LARGEST = {"LEMON": 2**20, "cyclic": 2**18, "check": 2**18, "plan": 2**24, "values": 2**24}  # states
SECONDS = 0.3  # calls are repeated for about so long
CALLS = 7  # at most

QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "cycle": tp.minimum_mean_cycle,
    "plan": lambda bandit: tp.optimal_plan(bandit, HORIZON),
    "values": lambda bandit: tp.optimal_values(bandit, HORIZON),
    "cyclic": lambda bandit: tp.optimal_cyclic_policy(bandit, PERIOD),
}
COLUMNS = ["LEMON", *QUESTIONS, "check"]


def seconds(call: Callable[[Any], Any], fresh: Callable[[], Any]) -> float:
    """The least processor time of a few calls, each given something fresh."""
    taken: list[float] = []
    while sum(taken) < SECONDS and len(taken) < CALLS:
        given = fresh()
        started = time.process_time()
        call(given)
        taken.append(time.process_time() - started)
    return min(taken)


def times(family: str, actions: int, memory: int, seed: int) -> dict[str, float]:
    """The seconds of each column at one instance."""
    states = actions ** (memory - 1)
    table = tp.make(family, actions=actions, memory=memory, seed=seed)
    assert isinstance(table, tp.TallyingBandit)

    def fresh() -> tp.TallyingBandit:
        return tp.TallyingBandit(table.losses)

    wanted = [name for name in COLUMNS if states <= LARGEST.get(name, states)]
    found = {name: seconds(ask, fresh) for name, ask in QUESTIONS.items() if name in wanted}
    if "check" in wanted:
        found["check"] = seconds(tp.check, lambda: tp.optimal_plan(fresh(), HORIZON).certificate)
    if "LEMON" in wanted:
        found["LEMON"] = lemon(np.array(table.integers), table.denominator)[0]
    return found


def medians(family: str, actions: int, memory: int, seeds: int) -> dict[str, float]:
    """The seconds of each column, the median over the seeds."""
    each = [times(family, actions, memory, seed) for seed in range(seeds)]
    return {name: median(one[name] for one in each) for name in COLUMNS if name in each[0]}


def row(actions: int, memory: int, found: dict[str, float]) -> str:
    """A line of the table, in milliseconds."""
    cells = [f"{1000 * found[name]:.3g}" if name in found else "" for name in COLUMNS]
    return f"| ({actions},{memory}) | {actions ** (memory - 1):,} | " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table, a line as soon as it is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--family", default="uniform")
    parser.add_argument("--from", type=int, default=1, dest="least", help="states at least")
    parser.add_argument("--to", type=int, default=2**27, help="states at most")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="a line of JSON for each size, in seconds")
    options = parser.parse_args()
    if not (BUILD / "lemon").exists():
        compile_peer("lemon", *COMPILED["lemon"])
    for ask in QUESTIONS.values():
        for size in ((2, 4), (2, 13), (2, 18)):
            ask(tp.make(options.family, actions=size[0], memory=size[1], seed=9))
    if not options.json:
        print("| (K,m) | states | " + " | ".join(COLUMNS) + " |")
        print("|---" * (len(COLUMNS) + 2) + "|")
    for actions, memory in SIZES:
        states = actions ** (memory - 1)
        if options.least <= states <= options.to:
            found = medians(options.family, actions, memory, options.seeds)
            line = {"actions": actions, "memory": memory, "states": states} | found
            print(json.dumps(line) if options.json else row(actions, memory, found), flush=True)


if __name__ == "__main__":
    main()
