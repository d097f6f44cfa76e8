"""The race: tallyplan next to every peer, one core, best of 5 in turns, every value compared as a rational.

    python benchmarks/build.py                      # once: installs and compiles the peers
    python benchmarks/race.py --quick               # about five minutes
    python benchmarks/race.py --full                # everything: some hours
    python benchmarks/report.py                     # benchmarks/RESULTS.md and docs/images/race.svg

Results are appended to DIR/race.jsonl as they come. What is there already is not measured again, so a run may
be interrupted and continued; take another DIR (or delete the file) after the code has changed.
"""

import argparse
import signal
import sys
import time
from pathlib import Path

import contests
import processes
from contest import say
from ledger import Ledger
from solvers import SOLVERS

QUESTIONS = {
    "startup": processes.startup,
    "sweep": processes.sweep,
    "threads": processes.threads,
    "mmc": contests.mean_cycle,
    "memory": contests.memory,
    "horizon": contests.horizon,
    "long-horizon": contests.long_horizon,
    "cyclic": contests.cyclic,
    "growth": contests.growth,
}
RESULTS = Path(__file__).resolve().parent / "results"


def chosen(text):
    names = text.split(",")
    unknown = [name for name in names if name not in QUESTIONS]
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; known: {', '.join(QUESTIONS)}")
    return names


def command():
    """How this run was started, without where its results go."""
    words, kept = sys.argv[1:], []
    while words:
        word = words.pop(0)
        if word == "--out":
            words.pop(0)
        elif not word.startswith("--out="):
            kept.append(word)
    return " ".join(["python benchmarks/race.py", *(kept or ["--quick"])])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a subset, about five minutes (the default)")
    size.add_argument("--full", action="store_true", help="all sizes, families and seeds")
    parser.add_argument("--questions", type=chosen, default=list(QUESTIONS), help=",".join(QUESTIONS))
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="DIR", help="where race.jsonl is")
    parser.add_argument("--peers", default="", help="only these, by comma: " + ",".join(SOLVERS))
    parser.add_argument(
        "--budget", type=float, default=contests.BUDGET, help="seconds for all runs of a peer on an instance"
    )
    options = parser.parse_args()
    contests.PEERS, contests.BUDGET = {name for name in options.peers.split(",") if name}, options.budget
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the solvers at work are ended too
    for solver in SOLVERS.values():
        if solver.skipped():
            say(f"{solver.label} does not take part: {solver.skipped()}")
    ledger = Ledger(options.out, command())
    for name in options.questions:
        started = time.perf_counter()
        QUESTIONS[name](ledger, options.full)
        say(f"-- {name}: {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
