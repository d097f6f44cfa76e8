"""From the records of a race to a table and a picture.

    python -m benchmarks.race.report [DIR] [--record]

The report of DIR/race.jsonl is written beside it, as DIR/RESULTS.md and DIR/race.svg. With --record it
replaces what is committed, benchmarks/RESULTS.md and docs/images/race.svg; that is refused unless the records
are those of a full race, every question asked, of one version of the code.

Ratios are taken within one contest (same instance, same minutes, same core). A run that was stopped at its
time limit counts with that limit, so its ratio is a lower bound.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from benchmarks import RESULTS, ROOT
from benchmarks.race.growth import draw, exponent, megabytes, seconds, series
from benchmarks.race.participants import SOLVERS
from benchmarks.race.questions import QUESTIONS
from benchmarks.race.records import Record, peak_beyond, read, select
from benchmarks.race.targets import ratios, targets
from benchmarks.race.turns import REPEATS, SHORT, SOLVES_IN_A_ROW, say
from benchmarks.single import COLUMNS as SINGLE_COLUMNS

NOT_MEASURED = "Not measured yet.\n"


def table(header: str, rows: Iterable[Sequence[object]]) -> str:
    """A table of which the header is given with its bars."""
    lines = [header, " | ".join("---" for _ in header.split(" | "))]
    lines += [" | ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def seconds_text(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} us"
    if seconds < 1:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 1e4 else f"{seconds / 86400:.3g} days"


def size_text(count: float) -> str:
    return f"{count / 1e6:.3g} MB" if count < 1e9 else f"{count / 1e9:.3g} GB"


def by_size(records: Iterable[Record]) -> list[tuple[str, int, list[Record]]]:
    """The label (K,m), the number of states and the records of each size, the smallest first."""
    groups: dict[tuple[int, int, int], list[Record]] = defaultdict(list)
    for record in records:
        groups[record["states"], record["actions"], record["memory"]].append(record)
    return [(f"({K},{m})", n, group) for (n, K, m), group in sorted(groups.items())]


def target_section(records: Sequence[Record]) -> str:
    rows = (
        (t.question, t.peer, t.target, t.measured, t.instances, "yes" if t.met else "**no**")
        for t in targets(records)
    )
    return table("question | next to | target | measured | instances | met", rows)


def mean_cycle_section(records: Sequence[Record]) -> str:
    """Ratios by size: how many times faster than each fast peer."""
    rows = []
    for label, states, group in by_size(r for r in records if r["question"] == "mmc"):
        for name in ("lemon-howard", "boost-howard", "rustworkx"):
            chosen = select(group, "mmc", name)
            found = ratios(chosen)
            if found:
                ours = median(r["reference_seconds"] for r in chosen if r["reference_seconds"])
                spread = f"{found[0]:.3g}x", f"{median(found):.3g}x", f"{found[-1]:.3g}x"
                rows.append((label, states, SOLVERS[name].label, seconds_text(ours), *spread, len(found)))
    return table("(K,m) | states | peer | our median time | worst | median | best | instances", rows)


def single_section(records: Sequence[Record]) -> str:
    """Milliseconds of each question, the first of them LEMON's."""
    rows = []
    for label, states, (record, *_) in by_size(r for r in records if r["question"] == "single"):
        times = [f"{1000 * record[name]:.3g}" if name in record else "-" for name in SINGLE_COLUMNS]
        rows.append((label, states, *times))
    header = (
        "LEMON's cycle | cycle | plan, T = 10^6 | values, T = 10^6 | best word, L = 1000 | check of the plan"
    )
    return table(f"(K,m) | states | {header}", rows)


def many_section(records: Sequence[Record]) -> str:
    """Throughput on one core; LEMON solves some of the tables, one after the other."""
    rows = []
    for label, states, group in by_size(select(records, "many", "lemon-howard")):
        for record in group:
            ours, lemon = record["reference_seconds"], record["seconds"]
            rows.append(
                (label, states, f"{1 / ours:.3g}", *map(seconds_text, (ours, lemon)), f"{lemon / ours:.3g}x")
            )
    return table("(K,m) | states | our tables per second | ours, per table | LEMON, per table | ratio", rows)


def agreement_section(records: Sequence[Record]) -> str:
    """Every value of a peer next to ours."""
    found = defaultdict(list)
    for record in records:
        if record["solver"] != "tallyplan" and record.get("difference") is not None:
            found[record["solver"]].append(record["difference"])
    rows = []
    for name, differences in found.items():
        off = [float(d) for d in differences if d != "0"]
        worst = f"{max(off):.2g}" if off else "0"
        rows.append((SOLVERS[name].label, len(differences), len(differences) - len(off), worst))
    return table("solver | values compared | equal as rationals | largest difference", rows)


def verdict_section(records: Sequence[Record]) -> str:
    counts = Counter((r["question"], r["verdict"].split(":")[0]) for r in records if r.get("verdict"))
    return table("question | verdict on our answers | answers", [(*k, n) for k, n in sorted(counts.items())])


def memory_section(records: Sequence[Record]) -> str:
    rows = []
    for label, states, group in by_size(r for r in records if r["question"] == "memory"):
        ours = [peak_beyond(r) for r in select(group, "memory", "tallyplan", status="ok")]
        lemon = [peak_beyond(r) for r in select(group, "memory", "lemon-howard", status="ok")]
        if ours and lemon:
            sizes = size_text(max(ours)), size_text(min(lemon)), f"{max(ours) / min(lemon):.2f}"
            rows.append((label, states, *sizes))
    return table("(K,m) | states | tallyplan, largest | LEMON Howard, smallest | ratio", rows)


def growth_section(records: Sequence[Record]) -> str:
    rows = []
    times, sizes = series(records, seconds), series(records, megabytes)
    for name, points in times.items():
        states, time = points[-1]
        space = peak_beyond(select(records, "growth", name, states=states)[0])
        stopped = [r["status"] for r in records if _is_growth(r, name) and r["status"] != "ok"]
        slopes = exponent(points), exponent(sizes.get(name, []))
        ended = stopped[0] if stopped else "the end of the range"
        rows.append((SOLVERS[name].label, states, seconds_text(time), size_text(space), *slopes, ended))
    header = (
        "solver | largest n solved | time there | memory there | time ~ n^ | memory ~ n^ | then stopped by"
    )
    return table(header, rows)


def _is_growth(record: Record, solver: str) -> bool:
    return bool(record["question"] == "growth" and record["solver"] == solver)


def cyclic_section(records: Sequence[Record]) -> str:
    rows = []
    for label, _, group in by_size(r for r in records if r["question"] == "cyclic"):
        for period in sorted({r["argument"] for r in group}, key=int):
            ours = select(group, "cyclic", "tallyplan", argument=period)
            textbook = [r["seconds"] for r in select(group, "cyclic", "textbook", argument=period)]
            known = [seconds for seconds in textbook if seconds]
            worst = max(ours, key=lambda r: float(r["seconds"] or 0))
            solved = f"{sum(r['status'] == 'ok' for r in ours)} of {len(ours)}"
            middle = seconds_text(median(r["seconds"] for r in ours))
            slowest = f"{seconds_text(worst['seconds'])} ({worst['family']}, {worst['status']})"
            rows.append(
                (label, period, solved, middle, slowest, seconds_text(median(known) if known else None))
            )
    return table("(K,m) | L | solved | median time | slowest | textbook program would take", rows)


def startup_section(records: Sequence[Record]) -> str:
    found = {r["argument"]: r["seconds"] for r in select(records, "startup", "tallyplan")}
    rows = [(name, s if isinstance(s, bool) else seconds_text(s)) for name, s in found.items()]
    return table("what | measured", rows)


def participants_section(records: Sequence[Record]) -> str:
    rows = []
    for name, solver in SOLVERS.items():
        versions = [r["version"] for r in records if r["solver"] == name and r.get("version")]
        reason = None if versions else solver.skipped()
        rows.append((solver.label, versions[0] if versions else "-", solver.arithmetic, reason or ""))
    return table("solver | version | arithmetic | skipped because", rows)


SECTIONS = (
    ("Targets", target_section),
    ("Minimum mean cycle, by size", mean_cycle_section),
    ("Single answers at every size: uniform tables, milliseconds of processor time", single_section),
    ("Many tables at once: lambda* of uniform tables, processor time of one core", many_section),
    ("Growth: K = 2, uniform losses, m from 11 up", growth_section),
    ("Peak memory of the minimum mean cycle beyond the idle process", memory_section),
    ("Closed walks of length exactly L", cyclic_section),
    ("Starting", startup_section),
    ("Every value of every peer, next to ours", agreement_section),
    ("Every timed answer of ours, verified", verdict_section),
    ("Who took part", participants_section),
)


def document(records: Sequence[Record]) -> str:
    parts = ["# The race\n", _how(records), _where(records)]
    sources = sorted({r["source"] for r in records})
    if len(sources) > 1:
        parts.append(f"The results mix {len(sources)} versions of the code ({', '.join(sources)}).\n")
    for title, section in SECTIONS:
        text = section(records)
        measured = len(text.splitlines()) > 2  # more than the header of a table
        parts.append(f"## {title}\n\n{text if measured else NOT_MEASURED}")
    return "\n".join(parts)


def _how(records: Sequence[Record]) -> str:
    commands = ", ".join(f"`{command}`" for command in dict.fromkeys(r["command"] for r in records))
    timed = [r for r in records if r["question"] == "mmc" and r["status"] == "ok"]
    fewer = sum(len(r["runs"]) < REPEATS for r in timed)
    return (
        f"Made by `python -m benchmarks.race.build`, {commands} and `python -m benchmarks.race.report`. One "
        f"core, warm JIT cache, best of {REPEATS} runs in turns, of each turn the best of {SOLVES_IN_A_ROW} "
        f"where they take less than {1000 * SHORT:.0f} ms; a solver that has used up its seconds gets "
        f"fewer ({fewer} of {len(timed)} times for the minimum mean cycle). Growth is best of 3, one solver "
        "after the other; memory and closed walks are single runs. Ratios compare runs on the same instance "
        "within one contest. Peers are timed without building their graph; ours includes everything, its own "
        "verification too. A run stopped at its time limit counts with the limit, so such a ratio is a lower "
        "bound.\n"
    )


def _where(records: Sequence[Record]) -> str:
    machines = "; ".join(sorted({r["machine"] for r in records}))
    days = sorted({r["when"][:10] for r in records})
    loads = sorted(r["load"] for r in records)
    period = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    busy = f"{median(loads):.1f} in the median, at most {loads[-1]:.1f}"
    return f"Machine: {machines}. Measured {period}, load average {busy} (the race itself is 1).\n"


def reasons_not_to_record(records: Sequence[Record]) -> list[str]:
    """Why these records must not replace the committed ones; none for a full race of one version."""
    sources = {r["source"] for r in records}
    missing = QUESTIONS.keys() - {r["question"] for r in records}
    shorter = sorted({r["command"] for r in records if not _is_full(r["command"].split())})
    return [
        *([f"they mix {len(sources)} versions of the code"] if len(sources) > 1 else []),
        *([f"not asked: {', '.join(sorted(missing))}"] if missing else []),
        *(f"made by a shorter race: {command}" for command in shorter),
    ]


def _is_full(words: Sequence[str]) -> bool:
    return "--full" in words and "--peers" not in words


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the table and the picture of the race.")
    parser.add_argument("folder", type=Path, nargs="?", default=RESULTS, metavar="DIR")
    parser.add_argument("--record", action="store_true", help="replace the committed table and picture")
    options = parser.parse_args()
    records = read(options.folder)
    if not records:
        parser.error(f"there are no results in {options.folder}; run python -m benchmarks.race first.")
    page, picture = options.folder / "RESULTS.md", options.folder / "race.svg"
    if options.record:
        reasons = reasons_not_to_record(records)
        if reasons:
            parser.error(f"these results are not recorded: {'; '.join(reasons)}.")
        page, picture = ROOT / "benchmarks" / "RESULTS.md", ROOT / "docs" / "images" / "race.svg"
    page.write_text(document(records), "utf-8")
    draw(records, picture)
    say(f"wrote {page} and {picture}")


if __name__ == "__main__":
    main()
