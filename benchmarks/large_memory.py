"""Planning without the state graph: how many instances are solved exactly, the gaps of the others, and times.

    python -m benchmarks.large_memory              writes benchmarks/large-memory.md and its picture
    python -m benchmarks.large_memory --memory 20 --actions 3 --seeds 20 --families uniform --print
    python -m benchmarks.large_memory --draw       the picture again, from the table of the page
    python -m benchmarks.large_memory --truth      how far each end is from the optimum, where the graph fits
    python -m benchmarks.large_memory --limits --actions 3 --memory 50 --seeds 5 --families uniform
                                                   how much slopes and charges can prove at most, exactly
                                                   proved, next to what they do prove and to the word

Every answer is sent through the independent checker before it counts. Times are those of the search, with the
compiled code warm; a time limit ends a search between two of its steps, so that some answers take longer.
"""

import argparse
import itertools
import os
import statistics
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import tallyplan as tp
from benchmarks import ROOT
from benchmarks.separable_limit import limit_of
from tallyplan.pictures.style import HUES, MARKERS, styled
from tallyplan.planning.effort import Effort
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.bounds.separable import best_separable
from tallyplan.planning.without_graph.bounds.separable_program import Program

FAMILIES = ("uniform", "congested", "rotting", "single-peaked", "sparse", "decreasing")
MEMORIES = (20, 50, 200, 1000)
ACTIONS = (2, 3, 5, 10)
PAGE = ROOT / "benchmarks/large-memory.md"
PICTURE = ROOT / "docs/images/large-memory.svg"


@dataclass(frozen=True)
class Question:
    family: str
    actions: int
    memory: int
    seed: int
    limit: float


@dataclass(frozen=True)
class Record:
    question: Question
    gap: float
    exact: bool
    method: str
    seconds: float
    checking: float


Key = tuple[str, int, int]
Groups = dict[Key, list[Record]]  # (family, K, m) -> records, in order


def answer(question: Question) -> Record:
    bandit = tp.make(question.family, actions=question.actions, memory=question.memory, seed=question.seed)
    began = time.perf_counter()
    found = tp.minimum_mean_cycle(bandit, method="bounds", time_limit=question.limit)
    seconds = time.perf_counter() - began
    began = time.perf_counter()
    verdict = tp.check(found.certificate, instance=bandit.to_json())
    if not verdict:
        raise SystemExit(f"{question}: {verdict.reason}")
    checking = time.perf_counter() - began
    gap = 0.0 if found.exact else float((found.upper - found.lower) / found.upper)
    return Record(question, gap, found.exact, method_of(found.proof.to_json()), seconds, checking)


def method_of(proof: dict[str, Any]) -> str:
    return method_of(proof["proof"]) if proof["method"] == "fewer-arms" else str(proof["method"])


def warm_up() -> None:
    for actions in (2, 3):
        answer(Question("congested", actions, 12, 0, 60.0))


def records(options: argparse.Namespace) -> Iterator[Record]:
    questions = [
        Question(family, actions, memory, seed, options.time_limit)
        for memory, actions, family in itertools.product(options.memory, options.actions, options.families)
        for seed in range(options.seeds)
    ]
    warm_up()
    with ProcessPoolExecutor(options.processes, initializer=warm_up) as pool:
        for count, record in enumerate(pool.map(answer, questions), 1):
            print(f"{count}/{len(questions)} {record}", file=sys.stderr, flush=True)
            yield record


def grouped(found: Iterable[Record]) -> Groups:
    groups: Groups = {}
    for record in found:
        question = record.question
        groups.setdefault((question.family, question.actions, question.memory), []).append(record)
    return groups


def table(groups: Groups) -> Iterator[str]:
    yield "| family | K | m | exact | median gap | worst gap | median s | longest s | check s | proved by |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for (family, actions, memory), group in sorted(groups.items()):
        gaps = [record.gap for record in group]
        seconds = [record.seconds for record in group]
        methods = ", ".join(sorted({record.method for record in group}))
        yield (
            f"| {family} | {actions} | {memory} | {sum(r.exact for r in group)}/{len(group)} "
            f"| {percent(statistics.median(gaps))} | {percent(max(gaps))} "
            f"| {statistics.median(seconds):.2f} | {max(seconds):.2f} "
            f"| {max(record.checking for record in group):.2f} | {methods} |"
        )


def percent(gap: float) -> str:
    return "0" if gap == 0 else f"{100 * gap:.0f}%" if gap >= 0.1 else f"{100 * gap:.2g}%"


def page(groups: Groups, options: argparse.Namespace) -> str:
    command = "python -m benchmarks.large_memory " + " ".join(sys.argv[1:])
    lines = [
        "# Planning without the state graph: figures",
        "",
        "Share of instances solved exactly, relative gap (upper - lower)/upper of the certified interval,",
        f"and time, by family, number of arms K and memory m; {options.seeds} seeds each, with a limit of",
        f"{options.time_limit:g} s per instance (the search looks at the clock between two steps, so it may",
        f"take longer; load average {os.getloadavg()[0]:.1f}). Every certificate was accepted by the",
        "independent checker, whose longest time is in the column before the last. Written by",
        "",
        f"    {command.strip()}",
        "",
        "![gap against memory](images/large-memory.svg)",
        "",
        *table(groups),
        "",
    ]
    return "\n".join(lines)


SMALL = ((3, (8, 10, 11, 12, 13)), (4, (6, 7, 8, 9)), (5, (5, 6, 7, 8)), (10, (5,)))


def truth(family: str, seeds: int) -> Iterator[str]:
    """A table: how often each end of the interval is the optimum, and how far off it is at worst."""
    yield "| K | m | exact | lower end right | off by at most | upper end right | off by at most |"
    yield "|---|---|---|---|---|---|---|"
    for actions, memory in ((actions, memory) for actions, sizes in SMALL for memory in sizes):
        ends = [ends_off(family, actions, memory, seed) for seed in range(seeds)]
        cells = [
            f"{sum(off == 0 for off in offs)}/{seeds} | {percent(max(offs))}"
            for offs in zip(*ends, strict=True)
        ]
        exact = sum(below == above == 0 for below, above in ends)
        yield f"| {actions} | {memory} | {exact}/{seeds} | {' | '.join(cells)} |"


def ends_off(family: str, actions: int, memory: int, seed: int) -> tuple[float, float]:
    """How far the lower and the upper end are from the optimum, as shares of it."""
    bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
    optimum = tp.minimum_mean_cycle(bandit, method="graph").value
    found = tp.minimum_mean_cycle(bandit, method="bounds")
    unit = optimum or 1
    return float((optimum - found.lower) / unit), float((found.upper - optimum) / unit)


def limits(options: argparse.Namespace) -> Iterator[str]:
    """A table: the interval, and what no slopes and charges exceed, of each instance that is left open."""
    yield "| family | K | m | seed | proved | provable at most | word |"
    yield "|---|---|---|---|---|---|---|"
    for family, K, m, seed in itertools.product(
        options.families, options.actions, options.memory, range(options.seeds)
    ):
        bandit = tp.make(family, actions=K, memory=m, seed=seed)
        found = tp.minimum_mean_cycle(bandit, method="bounds")
        if isinstance(bandit, tp.TallyingBandit) and not found.exact:
            program = Program(bandit, found.word)
            best_separable(program, best_prices(bandit), Effort())
            limit = limit_of(bandit, list(program.rows))
            proved, word = f"{float(found.lower):.6g}", f"{float(found.upper):.6g}"
            most = "not found" if limit is None else f"{float(limit.most):.6g}"
            yield f"| {family} | {K} | {m} | {seed} | {proved} | {most} | {word} |"


Medians = dict[Key, float]  # of the gaps, by family, K and m


def medians(groups: Groups) -> Medians:
    return {key: statistics.median(record.gap for record in group) for key, group in groups.items()}


def medians_of(text: str) -> Medians:
    """The median gaps of a page that was written before."""
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10 and cells[1].isdigit():
            family, actions, memory, _, gap, *_ = cells
            found[family, int(actions), int(memory)] = float(gap.rstrip("%")) / (100 if "%" in gap else 1)
    return found


@styled
def draw(gaps: Medians, path: Path) -> Figure:
    """Median gap against m: a panel for each K that has one, a line for each family, exact at the foot."""
    arms = sorted({actions for _, actions, _ in gaps})
    exact = [K for K in arms if not any(gap for (_, actions, _), gap in gaps.items() if actions == K)]
    drawn = [K for K in arms if K not in exact] or arms
    figure = Figure(figsize=(3.4 * len(drawn) + 1.0, 4.6), layout="constrained")
    panels = figure.subplots(1, len(drawn), sharey=True, squeeze=False)[0]
    for panel, actions in zip(panels, drawn, strict=True):
        draw_panel(panel, gaps, actions)
    panels[0].set_ylabel("median gap of the certified interval")
    title = "Planning without the state graph: how far the bounds are apart"
    if exact and drawn != arms:
        title += f"\n{' and '.join(map(str, exact))} arms: the median gap is 0 in every family and at every m"
    figure.suptitle(title, fontsize=12)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6, fontsize=11)
    return figure


def draw_panel(panel: Axes, gaps: Medians, actions: int) -> None:
    families = [family for family in FAMILIES if any(key[0] == family for key in gaps)]
    memories = sorted({memory for *_, memory in gaps})
    for number, family in enumerate(families):
        keys = [(family, actions, memory) for memory in memories if (family, actions, memory) in gaps]
        offset = 1.04 ** (number - len(families) / 2)  # lines that coincide stay visible
        panel.plot(
            [key[2] * offset for key in keys],
            [100 * gaps[key] for key in keys],
            marker=MARKERS[number],
            markersize=5,
            color=HUES[number],
            label=family,
        )
    panel.set_xscale("log")
    panel.set_xticks(memories, [str(memory) for memory in memories], minor=False)
    panel.minorticks_off()
    panel.set_yscale("symlog", linthresh=0.1)
    panel.set_ylim(-0.02, 130)
    panel.set_yticks([0, 0.1, 1, 10, 100], ["exact", "0.1%", "1%", "10%", "100%"])
    panel.tick_params(labelsize=11)
    panel.set_title(f"{actions} arms", fontsize=12)
    panel.set_xlabel("memory m", fontsize=11)
    panel.grid(True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memory", type=int, nargs="+", default=list(MEMORIES))
    parser.add_argument("--actions", type=int, nargs="+", default=list(ACTIONS))
    parser.add_argument("--families", nargs="+", default=list(FAMILIES))
    parser.add_argument("--seeds", type=int, default=10, help="instances of each kind")
    parser.add_argument("--time-limit", type=float, default=20.0, help="seconds for an instance")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--print", action="store_true", help="only print the table")
    parser.add_argument("--draw", action="store_true", help="only draw again what the page says")
    parser.add_argument("--truth", action="store_true", help="only compare with the optimum at small sizes")
    parser.add_argument(
        "--limits", action="store_true", help="only print what slopes and charges can prove at most"
    )
    options = parser.parse_args()
    if options.limits:
        for line in limits(options):
            print(line, flush=True)
        return
    if options.truth:
        for family in options.families:
            print(family, *truth(family, options.seeds), sep="\n", flush=True)
        return
    if options.draw:
        draw(medians_of(PAGE.read_text("utf-8")), PICTURE)
        return
    groups = grouped(records(options))
    if options.print:
        print("\n".join(table(groups)))
        return
    PAGE.write_text(page(groups, options), "utf-8")
    draw(medians(groups), PICTURE)


if __name__ == "__main__":
    main()
