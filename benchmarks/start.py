"""What a new process gets: its first call next to its tenth (`python -m benchmarks.start`).

Each question is asked ten times in a process of its own, each time about another table of the same size; of
five such processes the median counts. The target is a first call at most 5 ms longer than the tenth.
"""

import subprocess
import sys
from statistics import median

SIZES = [(2, 6), (2, 13), (2, 16), (2, 20)]
QUESTIONS = {
    "cycle": "tp.minimum_mean_cycle(bandit)",
    "plan": "tp.optimal_plan(bandit, 10**6)",
    "values": "tp.optimal_values(bandit, 10**6)",
    "cyclic": "tp.optimal_cyclic_policy(bandit, 1000)",
}
PROCESSES = 5
PROGRAM = """
import time
import tallyplan as tp
from tallyplan.planning import cyclic, horizon, mean_cycle
bandits = [tp.make("uniform", actions={actions}, memory={memory}, seed=seed) for seed in range(10)]
for bandit in bandits:
    started = time.perf_counter()
    {question}
    print(time.perf_counter() - started)
"""


def calls(actions: int, memory: int, question: str) -> list[float]:
    """The seconds of each of ten calls in a new process."""
    program = PROGRAM.format(actions=actions, memory=memory, question=question)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    return [float(line) for line in said.splitlines()]


def main() -> None:
    """Print a line per size and question."""
    print("| (K,m) | question | first call, ms | tenth call, ms |")
    print("|---|---|---|---|")
    for actions, memory in SIZES:
        for name, question in QUESTIONS.items():
            found = [calls(actions, memory, question) for _ in range(PROCESSES)]
            first, tenth = (1000 * median(times[i] for times in found) for i in (0, 9))
            print(f"| ({actions},{memory}) | {name} | {first:.3g} | {tenth:.3g} |", flush=True)


if __name__ == "__main__":
    main()
