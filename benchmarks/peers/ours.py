"""tallyplan itself as a solver: `solve QUESTION [ARGUMENT]`, and `check` for the last answer.

The memory counted is what a solve needs beyond the interpreter with all imports.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import tallyplan as tp
from benchmarks.peers.serve import Instance, as_text, forget_peak, read_instance, say, status_bytes, timed
from benchmarks.peers.verdicts import LeastLoss, verdict

WARM_UP = {"actions": 2, "memory": 18, "seed": 1}


def least_loss(bandit: tp.TallyingBandit, horizon: str) -> LeastLoss:
    opening = bandit.memory - 1
    values = tp.optimal_values(bandit, int(horizon) - opening)
    return LeastLoss(bandit, int(horizon), values.policy.value((), int(horizon)))


QUESTIONS: dict[str, Callable[..., Any]] = {
    "values": least_loss,
    "mmc": partial(tp.minimum_mean_cycle, method="graph"),  # on the graph, as the peers do it
    "horizon": lambda bandit, horizon: tp.optimal_plan(bandit, int(horizon), method="graph"),
    "cyclic": lambda bandit, period: tp.optimal_cyclic_policy(bandit, int(period)),
}


def bandit_of(instance: Instance) -> tp.TallyingBandit:
    rows = [[Fraction(entry, instance.denominator) for entry in row] for row in instance.table]
    return tp.TallyingBandit(rows)


def warm_up(question: str) -> None:
    """Load the core, and ask it once."""
    bandit = tp.make("uniform", **WARM_UP)
    tp.minimum_mean_cycle(bandit)
    if question in ("horizon", "values"):
        tp.optimal_plan(bandit, 50)
    if question == "cyclic":
        tp.optimal_cyclic_policy(tp.make("congested", actions=2, memory=14, seed=1), 29)


def main() -> None:
    warm_up(sys.argv[1])
    instance = read_instance(sys.stdin.readline())
    baseline = forget_peak()
    say(ready=True)
    answer: Any = None
    for line in sys.stdin:
        command, *words = line.split()
        if command == "solve":
            answer = None  # the last answer is not part of this solve's memory
            bandit = bandit_of(instance)
            seconds, answer = timed(QUESTIONS[words[0]], bandit, *words[1:])
            say(
                value=as_text(answer.value),
                seconds=seconds,
                baseline=baseline,
                peak=status_bytes("VmHWM"),
            )
        elif command == "check":
            say(verdict=verdict(answer))


if __name__ == "__main__":
    main()
