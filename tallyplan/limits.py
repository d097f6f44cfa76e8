"""Memory is estimated before it is allocated; progress is reported while long work runs."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path

from tallyplan.errors import InstanceTooLarge

Progress = Callable[[str], None]

ALWAYS_THERE = 2**20  # bytes; a request for less is never refused
FOR_LIBRARIES = 2**29  # bytes of address space, for the compiler and its threads when they are first used


def silent(message: str) -> None:
    """Report nothing: the default of every solver."""


def available_memory() -> int | None:
    """Bytes that can be allocated now, or None where the system does not say.

    The least of what the machine has, what this process may have (`ulimit -v`) and what its container may.
    """
    known = [_in_the_machine(), _in_the_address_space(), _in_the_container()]
    return min((count for count in known if count is not None), default=None)


def _in_the_machine() -> int | None:
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _in_the_address_space() -> int | None:
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit == resource.RLIM_INFINITY:
            return None
        with open("/proc/self/statm", encoding="ascii") as sizes:
            used = int(sizes.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        return None
    return max(0, limit - used - FOR_LIBRARIES)


def _in_the_container(folder: str = "/sys/fs/cgroup") -> int | None:
    """By the files of the control group that the container sees as its own (version 2)."""
    try:
        limit, used, cached = (
            Path(folder, name).read_text("ascii") for name in ("memory.max", "memory.current", "memory.stat")
        )
        reusable = dict(line.split() for line in cached.splitlines()).get("inactive_file", "0")
        return max(0, int(limit) - int(used) + int(reusable))
    except (OSError, ValueError):  # no such files; no limit, which is written "max"
        return None


def available_cores() -> int:
    """The cores that this process may use; all of them where the system does not say."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def require_memory(needed: int, what: str, base: int, exponent: int = 1) -> None:
    """Refuse a question that would need more than the available memory, before allocating anything.

    `what` names the objects, base^exponent of them, in the message.
    """
    if needed <= ALWAYS_THERE:
        return
    available = available_memory()
    if available is not None and needed > available:
        count = str(base) if base < 10**18 else f"(about 10^{math.floor(math.log10(base))})"
        raise InstanceTooLarge(
            f"this instance has {count}{'' if exponent == 1 else f'^{exponent}'} {what}; the question would "
            f"need about {in_bytes(needed)} of memory, and {in_bytes(available)} are available."
        )


def in_bytes(count: int) -> str:
    """A size for people.

    >>> in_bytes(999), in_bytes(5 * 10**9), in_bytes(10**40)
    ('999 B', '5.0 GB', '10^40 B')
    """
    if count < 1000:
        return f"{count} B"
    digits = math.log10(count)
    if digits >= 18:
        return f"10^{math.floor(digits)} B"
    power = math.floor(digits) // 3
    return f"{count / 1000**power:.1f} {' KMGTPE'[power]}B"
