"""From the results of the race to a table and a picture.

    python benchmarks/report.py [--out DIR] [--table FILE] [--plot FILE]

Ratios are taken within one contest (same instance, same minutes, same core). A run that was stopped at its
time limit counts with that limit, so its ratio is a lower bound.
"""

import argparse
from collections import Counter, defaultdict
from pathlib import Path

import targets
from contest import REPEATS
from ledger import ROOT, read
from numbers_of import exponent, peak_beyond, seconds_text, size_text
from plot import draw
from solvers import SOLVERS

HERE = Path(__file__).resolve().parent


def table(header, rows):
    lines = [" | ".join(header), " | ".join("---" for _ in header)]
    lines += [" | ".join(str(cell) for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def target_section(records):
    rows = [(t.question, t.peer, t.target, t.measured, t.instances, t.met) for t in targets.all_of(records)]
    return table(("question", "next to", "target", "measured", "instances", "met"), rows)


def mean_cycle_section(records):
    """Ratios by size: how many times faster than each fast peer."""
    rows = []
    for size in sorted({(r["states"], r["actions"], r["memory"]) for r in records if r["question"] == "mmc"}):
        for name in ("lemon-howard", "boost-howard", "rustworkx"):
            chosen = [r for r in records if _is(r, "mmc", name) and (r["actions"], r["memory"]) == size[1:]]
            found = targets.ratios(chosen)
            if found:
                ours = targets.median(r["reference_seconds"] for r in chosen if r["reference_seconds"])
                label = f"({size[1]},{size[2]})"
                spread = f"{found[0]:.3g}x", f"{targets.median(found):.3g}x", f"{found[-1]:.3g}x"
                rows.append((label, size[0], SOLVERS[name].label, seconds_text(ours), *spread, len(found)))
    header = ("(K,m)", "states", "peer", "our median time", "worst", "median", "best", "instances")
    return table(header, rows)


def agreement_section(records):
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
    return table(("solver", "values compared", "equal as rationals", "largest difference"), rows)


def verdict_section(records):
    counts = Counter((r["question"], r["verdict"].split(":")[0]) for r in records if r.get("verdict"))
    return table(
        ("question", "verdict on our answers", "answers"), [(*k, n) for k, n in sorted(counts.items())]
    )


def memory_section(records):
    rows = []
    chosen = [r for r in records if r["question"] == "memory" and r["status"] == "ok"]
    for size in sorted({(r["states"], r["actions"], r["memory"]) for r in chosen}):
        here = [r for r in chosen if r["states"] == size[0] and r["actions"] == size[1]]
        ours = [peak_beyond(r) for r in here if r["solver"] == "tallyplan"]
        lemon = [peak_beyond(r) for r in here if r["solver"] == "lemon-howard"]
        if ours and lemon:
            sizes = size_text(max(ours)), size_text(min(lemon)), f"{max(ours) / min(lemon):.2f}"
            rows.append((f"({size[1]},{size[2]})", size[0], *sizes))
    return table(("(K,m)", "states", "tallyplan, largest", "LEMON Howard, smallest", "ratio"), rows)


def growth_section(records):
    rows = []
    for name, solver in SOLVERS.items():
        chosen = [r for r in records if _is(r, "growth", name) and r["status"] == "ok"]
        if not chosen:
            continue
        largest = max(chosen, key=lambda r: r["states"])
        time = exponent([(r["states"], r["seconds"]) for r in chosen])
        space = exponent([(r["states"], peak_beyond(r)) for r in chosen if peak_beyond(r) > 2**20])
        ended = _ending(records, name)
        used = seconds_text(largest["seconds"]), size_text(peak_beyond(largest))
        rows.append((solver.label, largest["states"], *used, time, space, ended))
    header = (
        "solver",
        "largest n solved",
        "time there",
        "memory there",
        "time ~ n^",
        "memory ~ n^",
        "then stopped by",
    )
    return table(header, rows)


def _ending(records, name):
    stopped = [r for r in records if _is(r, "growth", name) and r["status"] != "ok"]
    return stopped[0]["status"] if stopped else "the end of the range"


def cyclic_section(records):
    rows = []
    chosen = [r for r in records if _is(r, "cyclic", "tallyplan")]
    groups = sorted({(r["states"], r["actions"], r["memory"], int(r["argument"])) for r in chosen})
    for states, actions, memory, period in groups:
        here = [
            r for r in chosen if (r["states"], r["actions"], r["argument"]) == (states, actions, str(period))
        ]
        worst = max(here, key=lambda r: r["seconds"] or 0)
        solved = [r for r in here if r["status"] == "ok"]
        textbook = [r["seconds"] for r in _textbook(records, states, actions, period)]
        rows.append(
            (
                f"({actions},{memory})",
                period,
                f"{len(solved)} of {len(here)}",
                seconds_text(targets.median(r["seconds"] for r in here)),
                f"{seconds_text(worst['seconds'])} ({worst['family']}, {worst['status']})",
                seconds_text(targets.median(textbook)) if textbook else "-",
            )
        )
    return table(("(K,m)", "L", "solved", "median time", "slowest", "textbook program would take"), rows)


def _textbook(records, states, actions, period):
    for record in records:
        same = record["solver"] == "textbook" and record["argument"] == str(period)
        if same and (record["states"], record["actions"]) == (states, actions) and record["seconds"]:
            yield record


def startup_section(records):
    chosen = [r for r in records if r["question"] == "startup"]
    rows = [
        (r["argument"], r["seconds"] if isinstance(r["seconds"], bool) else seconds_text(r["seconds"]))
        for r in chosen
    ]
    return table(("what", "measured"), rows)


def participants_section(records):
    rows = []
    for name, solver in SOLVERS.items():
        mine = [r for r in records if r["solver"] == name]
        version = next((r["version"] for r in mine if r.get("version")), None)
        reason = solver.skipped() if version is None else None
        rows.append((solver.label, version or "-", solver.arithmetic, reason or ""))
    return table(("solver", "version", "arithmetic", "skipped because"), rows)


def _is(record, question, solver):
    return record["question"] == question and record["solver"] == solver


SECTIONS = (
    ("Targets", target_section),
    ("Minimum mean cycle, by size", mean_cycle_section),
    ("Growth: K = 2, uniform losses, m from 11 up", growth_section),
    ("Peak memory of the minimum mean cycle beyond the idle process", memory_section),
    ("Closed walks of length exactly L", cyclic_section),
    ("Starting", startup_section),
    ("Every value of every peer, next to ours", agreement_section),
    ("Every timed answer of ours, verified", verdict_section),
    ("Who took part", participants_section),
)


def document(records):
    parts = ["# The race\n", _how(records), _where(records)]
    sources = sorted({r["source"] for r in records})
    if len(sources) > 1:
        parts.append(f"The results mix {len(sources)} versions of the code ({', '.join(sources)}).\n")
    for title, section in SECTIONS:
        text = section(records)
        measured = len(text.splitlines()) > 2  # more than the header of a table
        parts.append(f"## {title}\n\n{text if measured else 'Not measured yet.'}")
    return "\n".join(parts)


def _how(records):
    commands = ", ".join(f"`{command}`" for command in dict.fromkeys(r["command"] for r in records))
    timed = [r for r in records if r["question"] == "mmc" and r["status"] == "ok"]
    fewer = sum(len(r["runs"]) < REPEATS for r in timed)
    return (
        f"Made by `python benchmarks/build.py`, {commands} and `python benchmarks/report.py`. One core, warm "
        f"JIT cache, best of {REPEATS} runs in turns; a solver that has used up its seconds gets fewer "
        f"({fewer} of {len(timed)} times for the minimum mean cycle). Growth is best of 3, one solver after "
        "the other; "
        "memory and closed walks are single runs. Ratios compare runs on the same instance within one "
        "contest. Peers are timed without building their graph; ours includes everything, its own "
        "verification too. A run stopped at its time limit counts with the limit, so such a ratio is a lower "
        "bound.\n"
    )


def _where(records):
    machines = "; ".join(sorted({r["machine"] for r in records}))
    days = sorted({r["when"][:10] for r in records})
    loads = sorted(r["load"] for r in records)
    period = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    busy = f"{targets.median(loads):.1f} in the median, at most {loads[-1]:.1f}"
    return f"Machine: {machines}. Measured {period}, load average {busy} (the race itself is 1).\n"


def main():
    parser = argparse.ArgumentParser(description="Write the table and the picture of the race.")
    parser.add_argument(
        "--out", type=Path, default=HERE / "results", metavar="DIR", help="where race.jsonl is"
    )
    parser.add_argument("--table", type=Path, default=HERE / "RESULTS.md", metavar="FILE")
    parser.add_argument("--plot", type=Path, default=ROOT / "docs" / "images" / "race.svg", metavar="FILE")
    options = parser.parse_args()
    records = read(options.out / "race.jsonl")
    if not records:
        parser.error(f"there are no results in {options.out}; run benchmarks/race.py first.")
    options.table.write_text(document(records), "utf-8")
    draw(records, options.plot)


if __name__ == "__main__":
    main()
