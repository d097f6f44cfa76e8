"""Tables per second of `solve_many` for lambda*, next to LEMON's Howard on the same tables (`make many`).

    python -m benchmarks.many [--size K M] [--family uniform|zero-one] [--every] [--json]

On one core, in turns on the same tables: the processor time of our whole call, arrays in and arrays out,
against the solve times that LEMON reports (its graph is built off the clock; the best of three solves
counts). Where LEMON solves a table, the values are compared as rationals. Processor time, because our calls
are long enough to be interrupted by others and LEMON's solves are not. --every solves all 2^20 tables of
zeros and ones with K = 2, m = 10, and says the time on the wall too.
"""

import argparse
import json
import subprocess
import time
from fractions import Fraction
from statistics import mean

import numpy as np

from benchmarks.race.build import BUILD, COMPILED, compile_peer
from tallyplan.planning.many import Solved, solve_many

SIZES = [(2, 4), (2, 6), (2, 8), (2, 10), (2, 14), (3, 5), (3, 8), (5, 4)]
UNITS = {"uniform": 1000, "zero-one": 1}
PEER_TABLES = 40
ROUNDS = 5
STATES_IN_ALL = 2**24  # of the tables that we solve in a round
Tables = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def tables_of(actions: int, memory: int, unit: int) -> Tables:
    count = max(512, min(2**15, STATES_IN_ALL // actions ** (memory - 1)))
    return np.random.default_rng(1).integers(0, unit + 1, (count, actions, memory))


def solved(tables: Tables, unit: int, workers: int) -> tuple[float, list[Solved]]:
    started = time.process_time()
    found = list(solve_many(tables, denominator=unit, workers=workers).chunks())
    return time.process_time() - started, found


def lemon(table: Tables, unit: int) -> tuple[float, Fraction]:
    if not (BUILD / "lemon").exists():
        raise SystemExit("LEMON is not built: python -m benchmarks.race.build (needs liblemon-dev and g++).")
    actions, memory = table.shape
    given = f"{actions} {memory} {unit}\n{' '.join(map(str, table.ravel()))}\n" + "solve\n" * 3
    process = subprocess.run(
        [str(BUILD / "lemon"), "howard"], input=given, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in process.stdout.splitlines()[1:]]
    return min(answer["seconds"] for answer in answers), Fraction(answers[0]["value"])


def race(actions: int, memory: int, unit: int) -> tuple[float, float]:
    """Seconds per table, of LEMON and of ours."""
    tables = tables_of(actions, memory, unit)
    solved(tables, unit, 1)  # does not count
    ours: list[float] = []
    theirs: list[float] = []
    sample = np.array_split(tables[:PEER_TABLES], ROUNDS)
    values: list[Fraction] = []
    for some in sample:  # in turns
        seconds, found = solved(tables, unit, 1)
        ours.append(seconds / len(tables))
        values = values or [value for chunk in found for value in chunk.fractions()]
        for table in some:
            seconds, value = lemon(table, unit)
            assert value == values[len(theirs)], (table.tolist(), value)
            theirs.append(seconds)
    return mean(theirs), min(ours)


def row(actions: int, memory: int, theirs: float, ours: float) -> str:
    cells = [f"({actions},{memory})", f"{actions ** (memory - 1)}", f"{1 / ours:.0f}", f"{ours * 1e6:.2f}"]
    return "".join(f"{x:>16}" for x in [*cells, f"{theirs * 1e6:.2f}", f"{theirs / ours:.1f}x"])


def every() -> None:
    numbers = np.arange(2**20, dtype=np.int64)
    tables = (numbers[:, None] >> np.arange(20)).reshape(-1, 2, 10) & 1
    for workers in (1, 2):
        started = time.perf_counter()
        seconds, found = solved(tables, 1, workers)
        wall = time.perf_counter() - started
        least = sum(int((some.numerators == 0).sum()) for some in found)
        print(
            f"all 2^20 tables of (2,10), {workers} threads: {seconds:.2f} s of processor time, {wall:.2f} s; "
            f"lambda* = 0 on {least} of them"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, nargs=2, action="append", metavar=("K", "M"))
    parser.add_argument("--family", choices=UNITS, default="uniform")
    parser.add_argument(
        "--every", action="store_true", help="only all 2^20 tables of zeros and ones of (2,10)"
    )
    parser.add_argument("--json", action="store_true", help="a line of JSON for each size, without a title")
    options = parser.parse_args()
    if options.every:
        every()
        return
    BUILD.mkdir(exist_ok=True)
    built = compile_peer("lemon", *COMPILED["lemon"])
    assert "skipped" not in built, built
    titles = ("(K,m)", "states", "tables/s", "us per table", "LEMON us", "LEMON / ours")
    if not options.json:
        print("".join(f"{title:>16}" for title in titles))
    for actions, memory in options.size or SIZES:
        theirs, ours = race(actions, memory, UNITS[options.family])
        found = {"states": actions ** (memory - 1), "seconds": theirs, "reference_seconds": ours}
        print(json.dumps(found) if options.json else row(actions, memory, theirs, ours), flush=True)


if __name__ == "__main__":
    main()
