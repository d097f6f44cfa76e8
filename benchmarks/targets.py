"""The targets of the race, each with what was measured."""

from dataclasses import dataclass
from statistics import median as _median

from instances import LARGE, MIDDLE
from numbers_of import peak_beyond

LARGE_STATES = 390_000
BANDWIDTH = {2: 0.5, 3: 0.35, 5: 0.25, 10: 0.2}


@dataclass(frozen=True)
class Target:
    question: str
    peer: str
    target: str
    measured: str
    instances: int
    met: str


def median(values):
    return _median(list(values))


def ratios(records):
    """Peer time over ours, ascending; a peer that was stopped counts with its time limit."""
    usable = [r for r in records if r["seconds"] and r["reference_seconds"]]
    return sorted(r["seconds"] / r["reference_seconds"] for r in usable)


def all_of(records):
    """Every target that has results."""
    makers = (
        _mean_cycle(records, LARGE, "n >= 390k", 60, 10),
        _mean_cycle(records, MIDDLE, "mid sizes", 15, 3),
        _memory(records),
        _horizon(records),
        *(_sweep(records, actions) for actions in BANDWIDTH),
        _long_horizon(records),
        _cyclic(records),
        _threads(records),
        *_startup(records),
    )
    return [target for target in makers if target is not None]


def _answer(reached):
    return "yes" if reached else "**no**"


def _select(records, question, solver, **fields):
    chosen = [r for r in records if r["question"] == question and r["solver"] == solver]
    return [r for r in chosen if all(r.get(name) == value for name, value in fields.items())]


def _mean_cycle(records, sizes, words, middle, worst):
    chosen = _select(records, "mmc", "lemon-howard")
    found = ratios(r for r in chosen if (r["actions"], r["memory"]) in sizes)
    if not found:
        return None
    measured = f"median {median(found):.3g}x, worst {found[0]:.3g}x"
    met = median(found) >= middle and found[0] >= worst
    goal = f"median >= {middle}x, worst >= {worst}x"
    name = f"minimum mean cycle, {words}"
    return Target(name, "LEMON Howard, solve only", goal, measured, len(found), _answer(met))


def _memory(records):
    """At all sizes where LEMON needs more than 10 MB: below, pages of the process decide."""
    shares = []
    lemon = {_instance(r): peak_beyond(r) for r in _select(records, "memory", "lemon-howard", status="ok")}
    for record in _select(records, "memory", "tallyplan", status="ok"):
        theirs = lemon.get(_instance(record), 0)
        if theirs > 10**7:
            shares.append(peak_beyond(record) / theirs)
    if not shares:
        return None
    measured = f"median {median(shares):.2f}, worst {max(shares):.2f}"
    name = "peak memory, minimum mean cycle"
    return Target(name, "LEMON Howard", "<= 0.25 of it", measured, len(shares), _answer(max(shares) <= 0.25))


def _instance(record):
    return record["actions"], record["memory"], record["family"], record["seed"]


def _horizon(records):
    found = ratios(r for r in _select(records, "horizon", "numpy") if r["states"] >= LARGE_STATES)
    if not found:
        return None
    measured = f"median {median(found):.3g}x, worst {found[0]:.3g}x"
    name = "T-step values, T = 1000, n >= 390k"
    return Target(name, "numpy int32, cost planes", ">= 4x", measured, len(found), _answer(found[0] >= 4))


def _sweep(records, actions):
    chosen = _select(records, "sweep", "tallyplan", actions=actions)
    if not chosen:
        return None
    largest = max(chosen, key=lambda r: r["states"])
    goal, found = BANDWIDTH[actions], largest["fraction"]
    name = f"a sweep in a series of 4(m-1), K = {actions}, n = {largest['states']}, int32"
    return Target(name, "memcpy", f">= {goal} of its bandwidth", f"{found:.2f}", 1, _answer(found >= goal))


def _long_horizon(records):
    found = ratios(_select(records, "long-horizon", "tallyplan", argument=str(10**15), status="ok"))
    if not found:
        return None
    measured = f"median {median(found):.3g}x, worst {found[-1]:.3g}x"
    return Target(
        "OPT_T at T = 10^15", "ours at T = 10^4", "<= 3x", measured, len(found), _answer(found[-1] <= 3)
    )


def _cyclic(records):
    chosen = _select(records, "cyclic", "tallyplan", actions=2, memory=17, argument="4001")
    if not chosen:
        return None
    slowest = max(chosen, key=lambda r: r["seconds"] or float("inf"))
    mark = "" if slowest["status"] == "ok" else f" ({slowest['status']})"
    measured = f"slowest {slowest['seconds'] or float('nan'):.3g} s{mark}, {slowest['family']}"
    met = all(r["status"] == "ok" and r["seconds"] <= 30 for r in chosen)
    name = "best closed walk of length 4001 at (2,17)"
    return Target(name, "-", "no family over 30 s", measured, len(chosen), _answer(met))


def _threads(records):
    chosen = _select(records, "threads", "tallyplan")
    found = [r["speedup"] for r in chosen if r["states"] >= 10**6]
    if not found:
        return None
    measured = f"median {median(found):.2f}x, worst {min(found):.2f}x"
    met = _answer(min(found) >= 1.6)
    return Target("sweeps with two threads, n >= 10^6", "one thread", ">= 1.6x", measured, len(found), met)


def _startup(records):
    found = {r["argument"]: r["seconds"] for r in _select(records, "startup", "tallyplan")}
    for name, limit in (("import tallyplan", 0.3), ("tallyplan plan, small file", 0.6)):
        if name in found:
            seconds = found[name]
            yield Target(name, "-", f"< {limit} s", f"{seconds:.2f} s", 1, _answer(seconds < limit))
    if "numba loaded on small instances" in found:
        loaded = found["numba loaded on small instances"]
        words = "loaded" if loaded else "not loaded"
        yield Target("compiler on small instances", "-", "not loaded", words, 1, _answer(not loaded))
