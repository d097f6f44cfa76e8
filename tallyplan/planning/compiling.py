"""The compiler, and when it pays.

It takes a while to load, and longer to compile. So small questions are answered by numpy until the work that
was done so in this process would have paid for compiled code: then that is used, and from then on always.
Whoever asks little never waits for a compiler, and whoever asks much loses a few seconds at most: at the
moment of the change, numpy has taken about as long as compiling or loading will.

The unit of the account is an edge of a numpy operation, some 12 nanoseconds. Loading takes half a second
(numba itself, then what it has cached), compiling a second or two per file of kernels.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tallyplan.planning.effort import time_for

LOADING = 4 * 10**7  # edges that numpy treats in the time in which compiled code is loaded
COMPILING = 2 * 10**8  # and in which the loops over stored edges are compiled
COMPILING_MORE = 10**9  # and those for many tables
CALL = 2000  # edges that numpy treats in the time that a call takes, whatever the size
QUESTION = 15_000  # and in the time that compiled code saves per question, besides the sweeps
SECONDS_FOR_LOADING, SECONDS_FOR_COMPILING = 2, 10  # that a limit must leave, a few times what is needed
PLANNING = Path(__file__).parent
LOOPS = ("edges",)  # the loops over stored edges

Function = Callable[..., Any]


class Account:
    """The work of this process in the time that numpy takes per edge; and whether compiled code is in use."""

    done = 0
    in_use = False


def charge(edges: int) -> None:
    """Note a call of numpy that treats so many edges."""
    Account.done += CALL + edges


def pays(edges: int = 0) -> bool:
    """Whether compiled code pays for a question that treats about so many edges."""
    if not Account.in_use:
        Account.in_use = affordable(*LOOPS) and Account.done + edges > price(COMPILING, *LOOPS)
    return Account.in_use


def walks_pay(edges: int = 0) -> bool:
    """Whether compiled code pays at all, and its loops for closed walks are at hand or would have paid."""
    return pays(edges) and _further_pay(COMPILING, edges, "closed_walks")


def _further_pay(compiling: int, edges: int, *names: str) -> bool:
    """Whether files of compiled code pay, for so many more edges, in a process that uses others already."""
    return at_hand(*names) or (Account.done + edges > compiling and affordable(*names))


def affordable(*names: str) -> bool:
    """Whether the time limits leave time to load these files of compiled code, or else to compile them."""
    return time_for(SECONDS_FOR_LOADING if at_hand(*names) else SECONDS_FOR_COMPILING)


def price(compiling: int, *names: str) -> int:
    """What these files of compiled code cost: loading them, or compiling them."""
    return LOADING if at_hand(*names) else compiling


@cache
def at_hand(*names: str) -> bool:
    """Whether the compiler has left its results for these files of kernels where it caches them."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    return all(any(Path(folder or PLANNING).rglob(f"{name}.*.nbi")) for name in names)


def compiled(function: Function) -> Any:
    """The function, compiled when it is first called, once per machine; or, without a cache, per process."""
    from numba import njit

    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder for the cache can be written
        return part(function)


def part(function: Function) -> Any:
    """A function that only compiled ones call: it is kept as a part of them."""
    from numba import njit

    return njit(nogil=True)(function)
