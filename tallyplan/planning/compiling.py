"""The compiler, and when it pays.

It takes a while to load, and longer to compile. So small questions are answered by numpy until the work that
was done so in this process would have paid for compiled code: then that is used, and from then on always.
Whoever asks little never waits for a compiler, and whoever asks much loses a second or two at most.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

LOADING = 3 * 10**7  # edges that numpy treats in the time in which compiled code is loaded
COMPILING = 2 * 10**8  # and in which the loops over stored edges are compiled
COMPILING_MORE = 10**9  # and the kernels that store no edge, or those for many tables
CALL = 2000  # edges that numpy treats in the time that a call takes, whatever the size
KERNELS = Path(__file__).parent / "on_graph" / "kernels"

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
        Account.in_use = Account.done + edges > (LOADING if at_hand("edges") else COMPILING)
    return Account.in_use


def more_pays() -> bool:
    """Whether the kernels that store no edge, which take long to compile, are at hand or would have paid."""
    return Account.done > COMPILING_MORE or at_hand("relaxation", "rotation")


def many_pay(edges: int) -> bool:
    """Whether the kernels for many tables pay for a question about so many edges, over all tables."""
    return Account.done + edges > (LOADING if at_hand("lanes") else COMPILING_MORE)


@cache
def at_hand(*names: str) -> bool:
    """Whether the compiler has left its results for these files of kernels where it caches them."""
    folder = os.environ.get("NUMBA_CACHE_DIR")
    found = Path(folder).rglob if folder else (KERNELS / "__pycache__").glob
    return all(any(found(f"{name}.*.nbi")) for name in names)


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
