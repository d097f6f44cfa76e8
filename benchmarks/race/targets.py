"""The targets of the race, each with what was measured."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.race.instances import BELOW_1000, BELOW_10000, LARGE, MIDDLE, SMALL, Size
from benchmarks.race.records import Record, peak_beyond, select

LARGE_STATES = 390_000
LEAST_BYTES = 10**7  # where LEMON needs less, pages of the process decide a comparison of memory
BANDWIDTH = {2: 0.7, 3: 0.35, 5: 0.25, 10: 0.3}  # K -> least fraction of a memcpy's bandwidth


@dataclass(frozen=True)
class Target:
    question: str
    peer: str
    target: str
    measured: str
    instances: int
    met: bool


def ratios(records: Iterable[Record]) -> list[float]:
    """Peer time over ours, ascending; a peer that was stopped counts with its time limit."""
    usable = [r for r in records if r["seconds"] and r["reference_seconds"]]
    return sorted(r["seconds"] / r["reference_seconds"] for r in usable)


def targets(records: Sequence[Record]) -> Iterator[Target]:
    """Every target that has results."""
    yield from _mean_cycle(records, LARGE, "n >= 390k", 150, 50)
    yield from _mean_cycle(records, MIDDLE, "mid sizes", 40, 10)
    yield from _mean_cycle(records, BELOW_10000, "n from 1,000 to 10,000", 2, 2)
    yield from _small_mean_cycle(records)
    for name in ("cycle", "plan", "values", "cyclic"):
        yield from _single(records, name)
    yield from _many(records)
    yield from _memory(records)
    yield from _horizon(records)
    for actions in BANDWIDTH:
        yield from _sweep(records, actions)
    yield from _long_horizon(records)
    yield from _cyclic(records)
    yield from _threads(records)
    yield from _startup(records)


def _mean_cycle(
    records: Sequence[Record], sizes: Sequence[Size], words: str, middle: float, worst: float
) -> Iterator[Target]:
    chosen = select(records, "mmc", "lemon-howard")
    found = ratios(r for r in chosen if (r["actions"], r["memory"]) in sizes)
    if found:
        measured = f"median {median(found):.3g}x, worst {found[0]:.3g}x"
        met = median(found) >= middle and found[0] >= worst
        goal = f"median >= {middle}x, worst >= {worst}x"
        name = f"minimum mean cycle, {words}"
        yield Target(name, "LEMON Howard, solve only", goal, measured, len(found), met)


def _small_mean_cycle(records: Sequence[Record]) -> Iterator[Target]:
    chosen = [r for r in select(records, "mmc", "lemon-howard") if r["seconds"] and r["reference_seconds"]]
    sizes = (*BELOW_1000, *SMALL)
    times = [(r["reference_seconds"], r["seconds"]) for r in chosen if (r["actions"], r["memory"]) in sizes]
    if times:
        yield _below_1000("minimum mean cycle", "LEMON Howard, solve only", times)


def _below_1000(question: str, peer: str, times: Sequence[tuple[float, float]]) -> Target:
    """Pairs of our time and the peer's, where Python around the loops takes longer than its whole solve."""
    beyond = [ours for ours, theirs in times if ours > 3 * theirs]
    slowest = max(beyond, default=0.0) * 1000
    measured = f"slowest beyond 3x its time: {slowest:.3g} ms" if beyond else "all within 3x its time"
    goal = "within 3x its time, or 0.15 ms"
    return Target(f"{question}, n < 1,000", peer, goal, measured, len(times), slowest <= 0.15)


def _single(records: Sequence[Record], name: str) -> Iterator[Target]:
    """One question at every size next to LEMON's cycle: from 1,000 states on, and below."""
    found = [r for r in select(records, "single", "tallyplan") if "LEMON" in r and name in r]
    larger = sorted(r["LEMON"] / r[name] for r in found if r["states"] >= 1000)
    small = [(r[name], r["LEMON"]) for r in found if r["states"] < 1000]
    peer, answers = "LEMON Howard's cycle, solve only", f"single answers, {name}"
    if larger:
        measured = f"median {median(larger):.3g}x, worst {larger[0]:.3g}x"
        yield Target(f"{answers}, n >= 1,000", peer, ">= 1x", measured, len(larger), larger[0] >= 1)
    if small:
        yield _below_1000(answers, peer, small)


def _many(records: Sequence[Record]) -> Iterator[Target]:
    found = ratios(select(records, "many", "lemon-howard"))
    if found:
        measured = f"median {median(found):.3g}x, worst {found[0]:.3g}x"
        name = "many tables at once, n <= 10,000, tables per second"
        yield Target(name, "LEMON Howard, solve only", ">= 10x", measured, len(found), found[0] >= 10)


def _memory(records: Sequence[Record]) -> Iterator[Target]:
    lemon = {_instance(r): peak_beyond(r) for r in select(records, "memory", "lemon-howard", status="ok")}
    ours = {_instance(r): peak_beyond(r) for r in select(records, "memory", "tallyplan", status="ok")}
    shares = [ours[i] / theirs for i, theirs in lemon.items() if i in ours and theirs > LEAST_BYTES]
    if shares:
        measured = f"median {median(shares):.2f}, worst {max(shares):.2f}"
        name = "peak memory, minimum mean cycle"
        yield Target(name, "LEMON Howard", "<= 0.25 of it", measured, len(shares), max(shares) <= 0.25)


def _instance(record: Record) -> tuple[int, int, str, int]:
    return record["actions"], record["memory"], record["family"], record["seed"]


def _horizon(records: Sequence[Record]) -> Iterator[Target]:
    found = ratios(r for r in select(records, "horizon", "numpy") if r["states"] >= LARGE_STATES)
    if found:
        measured = f"median {median(found):.3g}x, worst {found[0]:.3g}x"
        name = "T-step values, T = 1000, n >= 390k"
        yield Target(name, "numpy int32, cost planes", ">= 4x", measured, len(found), found[0] >= 4)


def _sweep(records: Sequence[Record], actions: int) -> Iterator[Target]:
    chosen = select(records, "sweep", "tallyplan", actions=actions)
    if chosen:
        largest = max(chosen, key=lambda r: int(r["states"]))
        goal, found = BANDWIDTH[actions], largest["fraction"]
        name = f"a sweep in a series of 4(m-1), K = {actions}, n = {largest['states']}, int32"
        yield Target(name, "memcpy", f">= {goal} of its bandwidth", f"{found:.2f}", 1, found >= goal)


def _long_horizon(records: Sequence[Record]) -> Iterator[Target]:
    found = ratios(select(records, "long-horizon", "tallyplan", argument=str(10**15), status="ok"))
    if found:
        measured = f"median {median(found):.3g}x, worst {found[-1]:.3g}x"
        name = "OPT_T at T = 10^15"
        yield Target(name, "ours at T = 10^4", "<= 3x", measured, len(found), found[-1] <= 3)


def _cyclic(records: Sequence[Record]) -> Iterator[Target]:
    chosen = select(records, "cyclic", "tallyplan", actions=2, memory=17, argument="4001")
    if chosen:
        slowest = max(chosen, key=lambda r: float(r["seconds"] or "inf"))
        mark = "" if slowest["status"] == "ok" else f" ({slowest['status']})"
        measured = f"slowest {slowest['seconds'] or float('nan'):.3g} s{mark}, {slowest['family']}"
        met = all(r["status"] == "ok" and r["seconds"] <= 30 for r in chosen)
        name = "best closed walk of length 4001 at (2,17)"
        yield Target(name, "-", "no family over 30 s", measured, len(chosen), met)


def _threads(records: Sequence[Record]) -> Iterator[Target]:
    found = [r["speedup"] for r in select(records, "threads", "tallyplan") if r["states"] >= 10**6]
    if found:
        measured = f"median {median(found):.2f}x, worst {min(found):.2f}x"
        name = "sweeps with two threads, n >= 10^6"
        yield Target(name, "one thread", ">= 1.6x", measured, len(found), min(found) >= 1.6)


def _startup(records: Sequence[Record]) -> Iterator[Target]:
    found = {r["argument"]: r["seconds"] for r in select(records, "startup", "tallyplan")}
    for name, limit in (("import tallyplan", 0.3), ("tallyplan plan, small file", 0.35)):
        if name in found:
            yield Target(name, "-", f"< {limit} s", f"{found[name]:.2f} s", 1, found[name] < limit)
    if "first call" in found:
        longer = found["first call"] - found["tenth call"]
        name, limit_in_words = "first cycle of a process, (2,13)", "at most 5 ms longer"
        yield Target(name, "its tenth", limit_in_words, f"{1000 * longer:.2f} ms longer", 1, longer <= 0.005)
