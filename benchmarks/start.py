"""The first minute: what an answer takes in a new process (`python -m benchmarks.start [--compiled]`).

For each question, the first process finds no compiled code, and the second what the first has left. Processor
seconds of the whole process: the interpreter, the imports (of which Python may keep the bytecode), compiling
or loading where that pays, the answer; and for comparison an interpreter that imports numba and nothing else.
With --compiled, compiled code is used from the start, as in a process that has asked much before: what
compiling and loading cost.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

SIZES = [(2, 10), (2, 16), (2, 20)]
QUESTIONS = {
    "cycle": "tp.minimum_mean_cycle(bandit)",
    "plan": "tp.optimal_plan(bandit, 10**6)",
    "values": "tp.optimal_values(bandit, 10**6)",
    "cyclic": "tp.optimal_cyclic_policy(bandit, 1000)",
}
PROGRAM = """
import sys, tallyplan as tp
from tallyplan.planning import compiling
compiling.charge({charge})
bandit = tp.make("uniform", actions={actions}, memory={memory}, seed=1)
{question}
sys.exit(10 if "numba" in sys.modules else 11)
"""


def seconds(program: str, folder: str) -> tuple[float, int]:
    """Processor seconds of a process, and its exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"NUMBA_CACHE_DIR": folder, "PYTHONDONTWRITEBYTECODE": ""}
    status = subprocess.run([sys.executable, "-c", program], env=environment, check=False).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, status


def main() -> None:
    """Print a line per size and question."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiled", action="store_true")
    charge = 10**12 if parser.parse_args().compiled else 0
    with tempfile.TemporaryDirectory() as folder:
        print(f"an interpreter that imports numba: {seconds('import numba', folder)[0]:.2f} s\n")
    print("| (K,m) | question | first process | second process | compiler loaded |")
    print("|---|---|---|---|---|")
    for actions, memory in SIZES:
        for name, question in QUESTIONS.items():
            program = PROGRAM.format(actions=actions, memory=memory, question=question, charge=charge)
            with tempfile.TemporaryDirectory() as folder:
                first, second = seconds(program, folder), seconds(program, folder)
            loaded = {10: "yes", 11: "no"}[second[1]]
            cells = f"({actions},{memory}) | {name} | {first[0]:.2f} | {second[0]:.2f} | {loaded}"
            print(f"| {cells} |", flush=True)


if __name__ == "__main__":
    main()
