"""Whole games of SE-TB with the paper's constants: how long they take, and what they lose next to the bounds.

    python -m benchmarks.se_tb runs                 every size that is a figure to reach, three instances each
    python -m benchmarks.se_tb wall                 larger sizes, one instance each, at most 500 branches
    python -m benchmarks.se_tb seeds --repeats 100  regrets of many seeds where Theorem 1 says something

Instances are those of the family `uniform` (losses uniform in {0, 1/1000, .., 1}), delta = 1/20, Bernoulli
feedback. Seconds are processor time: one thread does all the work, so that it is the wall time of a quiet
machine, and can be measured on a busy one. --write puts the table into benchmarks/RECORDS.md.
"""

import argparse
import math
import time
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import tallyplan as tp
from benchmarks import ROOT
from tallyplan.games.bounds import SHARPENED, THEOREM_1, Setting
from tallyplan.games.game import Game
from tallyplan.games.learners.se_tb import SETB, Elimination

Size = tuple[int, int, int]  # (K, m, S): S epochs, so that sqrt(T) = 4Km(2^S - 1)

PAGE = ROOT / "benchmarks" / "RECORDS.md"
DELTA = Fraction(1, 20)
FIGURES = {(2, 2, 13): 10, (2, 3, 13): 10, (3, 2, 13): 10, (3, 3, 13): 10, (4, 3, 13): 20}  # seconds to reach
FIGURES |= {(3, 5, 6): 30, (4, 4, 6): 30, (10, 2, 6): 30, (2, 8, 5): 60}
WALL = [(5, 3, 13), (6, 3, 13), (3, 4, 13), (2, 5, 13), (2, 6, 13)]
WALL += [(4, 4, 8), (3, 5, 8), (2, 8, 7), (20, 2, 8), (5, 4, 6)]
SEEDED = [(2, 2, 13), (2, 3, 13), (3, 2, 13), (3, 3, 13), (4, 3, 13)]


def horizon(actions: int, memory: int, epochs: int) -> int:
    return (4 * actions * memory * ((1 << epochs) - 1)) ** 2


def play(size: Size, instance: int, seed: int, **options: Any) -> tuple[Game, Elimination, float]:
    """A game, its record, and the processor seconds that it took."""
    bandit = tp.make("uniform", actions=size[0], memory=size[1], seed=instance)
    game = Game(bandit, horizon(*size), seed=seed)
    started = time.process_time()
    played = SETB(delta=DELTA, **options).eliminate(game)
    return game, played, time.process_time() - started


def answers(played: Elimination) -> list[Any]:
    return [answer for epoch in played.epochs for answer in (*epoch.chosen, epoch.best)]


def proofs(played: Elimination) -> str:
    """How many answers each kind of proof carries, and how many are intervals."""
    kinds = [answer.proved_by if answer.exact else "interval" for answer in answers(played)]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in sorted(set(kinds)))


def whole_runs(instances: int, sizes: Iterable[Size]) -> Iterator[str]:
    yield "| (K, m, S) | T | figure | seconds, by instance | most branches | proofs (last game) |"
    yield "|---|---|---|---|---|---|"
    for size in sizes:
        games = [play(size, instance, seed=instance) for instance in range(instances)]
        seconds = " ".join(f"{spent:.1f}" for _, _, spent in games)
        most = max(answer.branches for _, played, _ in games for answer in answers(played))
        yield (
            f"| {size} | {horizon(*size):.1e} | {FIGURES[size]} s | {seconds} | {most} | "
            f"{proofs(games[-1][1])} |"
        )


def wall() -> Iterator[str]:
    yield "| (K, m, S) | edges K^m | L | seconds | most branches | proofs |"
    yield "|---|---|---|---|---|---|"
    for size in WALL:
        _, played, spent = play(size, instance=0, seed=0, effort=500)
        most = max(answer.branches for answer in answers(played))
        yield (
            f"| {size} | {size[0] ** size[1]} | {math.isqrt(horizon(*size))} | {spent:.1f} | {most} | "
            f"{proofs(played)} |"
        )


def seeds(repeats: int, sizes: Iterable[Size]) -> Iterator[str]:
    yield (
        "| (K, m, S) | T | Theorem 1 | sharpened | guarantee of the games | greatest regret | mean regret | "
        "games | above the sharpened bound | intervals |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for size in sizes:
        steps = horizon(*size)
        setting = Setting(size[0], size[1], steps, DELTA)
        bandit = tp.make("uniform", actions=size[0], memory=size[1], seed=0)
        optimum = tp.optimal_plan(bandit, steps).value
        regrets, guarantees, intervals = [], [], 0
        for seed in range(repeats):
            game, played, _ = play(size, instance=0, seed=seed)
            regrets.append(game.loss - optimum)
            guarantees.append(played.guarantee)
            intervals += not played.exact
        sharpened = float(SHARPENED(setting))
        above = sum(SHARPENED.exceeded_by(regret, setting) for regret in regrets)
        mean = float(sum(regrets) / len(regrets))
        yield (
            f"| {size} | {steps:.3g} | {float(THEOREM_1(setting)):.3g} | {sharpened:.3g} | "
            f"{float(max(guarantees)):.3g} | {float(max(regrets)):.3g} | {mean:.3g} | "
            f"{repeats} | {above} | {intervals} |"
        )


def write(name: str, lines: list[str], path: Path = PAGE) -> None:
    """Replace what stands between the marks of a table in the page."""
    page = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    path.write_text(before + begin + "\n".join(lines) + "\n" + end + after, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("table", choices=["runs", "wall", "seeds"])
    parser.add_argument("--instances", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--size", type=int, nargs=3, action="append", metavar=("K", "M", "S"))
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    options = parser.parse_args()
    chosen = [tuple(size) for size in options.size or ()]
    tables = {
        "runs": whole_runs(options.instances, chosen or FIGURES),
        "wall": wall(),
        "seeds": seeds(options.repeats, chosen or SEEDED),
    }
    lines = []
    for line in tables[options.table]:  # nothing is measured until it is asked for
        print(line, flush=True)
        lines.append(line)
    if options.write:
        write(options.table, lines)


if __name__ == "__main__":
    main()
