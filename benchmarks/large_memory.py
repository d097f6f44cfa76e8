"""Planning without the state graph: how many instances are solved exactly, the gaps of the others, and times.

    python -m benchmarks.large_memory              writes benchmarks/large-memory.md and its picture
    python -m benchmarks.large_memory --truth      how far each end is from the optimum, where the graph fits
    python -m benchmarks.large_memory --truth --seeds 12 --families uniform

Every answer is sent through the independent checker before it counts. A time limit ends a search between two
of its steps, so that some answers take longer.
"""

import argparse
import itertools
import os
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

import tallyplan as tp
from benchmarks import ROOT
from tallyplan.pictures import write_picture
from tallyplan.pictures.style import HUES, MARKERS, styled

FAMILIES = ("uniform", "congested", "rotting", "single-peaked", "sparse", "decreasing")
MEMORIES = (20, 50, 200, 1000)
ACTIONS = (2, 3, 5, 10)
SMALL = ((3, (8, 10, 11, 12, 13)), (4, (6, 7, 8, 9)), (5, (5, 6, 7, 8)), (10, (5,)))
PAGE = ROOT / "benchmarks/large-memory.md"
PICTURE = ROOT / "docs/images/large-memory.svg"

Question = tuple[str, int, int, int, float]  # family, K, m, seed, seconds
Key = tuple[str, int, int]  # family, K, m


@dataclass(frozen=True)
class Record:
    gap: float
    method: str
    seconds: float
    checking: float


Groups = dict[Key, list[Record]]


def answer(question: Question) -> Record:
    family, actions, memory, seed, limit = question
    bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
    began = time.perf_counter()
    found = tp.minimum_mean_cycle(bandit, method="bounds", time_limit=limit)
    seconds = time.perf_counter() - began
    verdict = tp.check(found.certificate, instance=bandit.to_json())
    if not verdict:
        raise SystemExit(f"{question}: {verdict.reason}")
    checking = time.perf_counter() - began - seconds
    gap = 0.0 if found.exact else float((found.upper - found.lower) / found.upper)
    return Record(gap, method_of(found.proof.to_json()), seconds, checking)


def method_of(proof: dict[str, Any]) -> str:
    return method_of(proof["proof"]) if "proof" in proof else "slopes" if "slopes" in proof else "least loss"


def measured(options: argparse.Namespace) -> Groups:
    keys = list(itertools.product(options.families, options.actions, options.memory))
    questions = [(*key, seed, options.time_limit) for key in keys for seed in range(options.seeds)]
    groups: Groups = {}
    with ProcessPoolExecutor(2) as pool:
        for (*key, seed, _), record in zip(questions, pool.map(answer, questions), strict=True):
            print(key, seed, record, file=sys.stderr, flush=True)
            groups.setdefault((key[0], key[1], key[2]), []).append(record)
    return groups


def table(groups: Groups) -> Iterator[str]:
    yield "| family | K | m | exact | median gap | worst gap | median s | longest s | check s | proved by |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for (family, actions, memory), group in sorted(groups.items()):
        gaps = [record.gap for record in group]
        seconds = [record.seconds for record in group]
        methods = ", ".join(sorted({record.method for record in group}))
        yield (
            f"| {family} | {actions} | {memory} | {gaps.count(0)}/{len(group)} "
            f"| {percent(statistics.median(gaps))} | {percent(max(gaps))} "
            f"| {statistics.median(seconds):.2f} | {max(seconds):.2f} "
            f"| {max(record.checking for record in group):.2f} | {methods} |"
        )


def percent(gap: float) -> str:
    return "0" if gap == 0 else f"{100 * gap:.0f}%" if gap >= 0.1 else f"{100 * gap:.2g}%"


def page(groups: Groups, options: argparse.Namespace) -> str:
    head = f"""# Planning without the state graph: figures

Share of instances solved exactly, relative gap (upper - lower)/upper of the certified interval, and time, by
family, number of arms K and memory m; {options.seeds} seeds each, {options.time_limit:g} s for an instance
(the search looks at the clock between two steps, so it may take longer; load average
{os.getloadavg()[0]:.1f}). Every certificate was accepted by the independent checker, whose longest time is in
the column before the last. Written by

    python -m benchmarks.large_memory {" ".join(sys.argv[1:])}

![gap against memory](../docs/images/large-memory.svg)
"""
    return "\n".join([head, *table(groups), ""])


def truth(options: argparse.Namespace) -> Iterator[str]:
    """A table: how often each end of the interval is the optimum, and how far off it is at worst."""
    yield "| family | K | m | lower end right | off by at most | upper end right | off by at most |"
    yield "|---|---|---|---|---|---|---|"
    sizes = [(actions, memory) for actions, memories in SMALL for memory in memories]
    for family, (K, m) in itertools.product(options.families, sizes):
        ends = [ends_off(family, K, m, seed) for seed in range(options.seeds)]
        cells = [f"{offs.count(0)}/{len(offs)} | {percent(max(offs))}" for offs in zip(*ends, strict=True)]
        yield f"| {family} | {K} | {m} | {' | '.join(cells)} |"


def ends_off(family: str, actions: int, memory: int, seed: int) -> tuple[float, float]:
    """How far the lower and the upper end are from the optimum, as shares of it."""
    bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
    optimum = tp.minimum_mean_cycle(bandit, method="graph").value
    found = tp.minimum_mean_cycle(bandit, method="bounds")
    unit = optimum or 1
    return float((optimum - found.lower) / unit), float((found.upper - optimum) / unit)


@styled
def draw(gaps: dict[Key, float]) -> Figure:
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


def draw_panel(panel: Axes, gaps: dict[Key, float], actions: int) -> None:
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
    parser.add_argument("--memory", type=int, nargs="+", default=MEMORIES)
    parser.add_argument("--actions", type=int, nargs="+", default=ACTIONS)
    parser.add_argument("--families", nargs="+", default=FAMILIES)
    parser.add_argument("--seeds", type=int, default=10, help="instances of each kind")
    parser.add_argument("--time-limit", type=float, default=20.0, help="seconds for an instance")
    parser.add_argument("--truth", action="store_true", help="only compare with the optimum at small sizes")
    options = parser.parse_args()
    if options.truth:
        for line in truth(options):
            print(line, flush=True)
        return
    groups = measured(options)
    PAGE.write_text(page(groups, options), "utf-8")
    gaps = {key: statistics.median(record.gap for record in group) for key, group in groups.items()}
    write_picture(PICTURE, draw(gaps))


if __name__ == "__main__":
    main()
