"""The race: tallyplan next to every peer, one core, best of 5 in turns, every value compared as a rational.

    python -m benchmarks.race.build                 # once: installs and compiles the peers
    python -m benchmarks.race                       # a subset, about five minutes
    python -m benchmarks.race --full                # everything: about an hour
    python -m benchmarks.race.report                # a table and a picture, beside the results
    python -m benchmarks.race.report --record       # a full race of one version replaces the committed ones

Results are appended to DIR/race.jsonl as they come. What is there already is not measured again, so a run may
be interrupted and continued; take another DIR (or delete the file) after the code has changed.
"""

import argparse
import signal
import sys
import time
from collections.abc import Callable, Container
from pathlib import Path

from benchmarks import RESULTS
from benchmarks.race.against_peers import Race
from benchmarks.race.participants import SOLVERS
from benchmarks.race.questions import QUESTIONS
from benchmarks.race.records import Records
from benchmarks.race.turns import say


def names_in(known: Container[str]) -> Callable[[str], list[str]]:
    """A reader of names separated by commas."""

    def read(text: str) -> list[str]:
        names = text.split(",")
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}")
        return names

    return read


def command(options: argparse.Namespace) -> str:
    """How this run was started, without where its results go."""
    words = ["--full"] if options.full else []
    words += [f"--questions {','.join(options.questions)}"] if options.questions != list(QUESTIONS) else []
    words += [f"--peers {','.join(options.peers)}"] if options.peers else []
    words += [f"--budget {options.budget:g}"] if options.budget != Race.budget else []
    return " ".join(["python -m benchmarks.race", *words])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--full", action="store_true", help="all sizes, families and seeds")
    parser.add_argument(
        "--questions", type=names_in(QUESTIONS), default=list(QUESTIONS), help=",".join(QUESTIONS)
    )
    parser.add_argument(
        "--peers", type=names_in(SOLVERS), default=[], help="only these: " + ",".join(SOLVERS)
    )
    parser.add_argument(
        "--budget", type=float, default=Race.budget, help="seconds for all runs of a peer on an instance"
    )
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="DIR", help="where race.jsonl is")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the solvers at work are ended too
    for solver in SOLVERS.values():
        if solver.skipped():
            say(f"{solver.label} does not take part: {solver.skipped()}")
    records = Records(options.out, command(options))
    race = Race(records, options.full, frozenset(options.peers), options.budget)
    for name in options.questions:
        started = time.perf_counter()
        QUESTIONS[name](race)
        say(f"-- {name}: {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
