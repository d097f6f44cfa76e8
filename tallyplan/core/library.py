"""Loads the compiled library; interface.h says what its functions do and what these structures hold."""

from __future__ import annotations

import ctypes
import hashlib
import os
from ctypes import c_char_p, c_int32, c_int64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

PLAIN = ("best_word", "ways")  # compiled for no other variant
FOLDER = Path(__file__).parent
DONE, STOPPED, TOO_LARGE, TOO_WIDE, NO_ANSWER, WRONG = range(6)  # the status that a function returns
VARIANT = "TALLYPLAN_CORE"  # an environment variable: the variant that is used, whatever the processor


def _structure(name: str, **fields: Any) -> Any:
    """A structure of interface.h."""
    return type(name, (ctypes.Structure,), {"_fields_": [*fields.items()]})


Limits = _structure(
    "tp_limits",
    memory=c_int64,
    nanoseconds=c_int64,
    stop=ctypes.POINTER(c_int32),
    threads=c_int32,
    needed=c_int64,
    progress=c_int64,
)
Number = _structure("tp_number", low=c_int64, high=c_int64)
Given = _structure(
    "tp_graph",
    actions=c_int32,
    memory=c_int32,
    bytes=c_int32,
    costs=c_void_p,
    nodes=c_int64,
    first=c_void_p,
    heads=c_void_p,
    times=c_void_p,
)
Mean = _structure("tp_mean", scale=Number, mean=Number, bytes=c_int32, potentials=c_void_p)
Found = _structure(
    "tp_found",
    count=c_int64,
    numbers=ctypes.POINTER(c_int64),
    states=c_int64,
    values=c_void_p,
    bytes=c_int32,
)


class TooWideError(Exception):
    """128 bits do not suffice: `planning.reference` must serve."""


class NoAnswerError(Exception):
    """There is no answer: a graph without a cycle, no walk so long."""


@cache
def library() -> ctypes.CDLL:
    """The library, if it was built from the sources beside it."""
    path = FOLDER / ("compiled.dll" if os.name == "nt" else "compiled.so")
    rebuild = "build it with `make`, or install tallyplan again with pip."
    try:
        loaded = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(f"the compiled core cannot be loaded ({error}); {rebuild}") from None
    for name in ("tp_sources", "tp_variants", "tp_variant"):
        getattr(loaded, name).restype = c_char_p
    loaded.tp_free.argtypes, loaded.tp_free.restype = (c_void_p,), None
    sources = sorted(path for path in FOLDER.iterdir() if path.suffix in (".h", ".hpp", ".cpp"))
    here = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    if sources and here != loaded.tp_sources().decode():
        raise ImportError(f"the compiled core was built from other sources than {FOLDER} has; {rebuild}")
    return loaded


def variants() -> list[str]:
    """The variants that were built, the plain one first."""
    return str(library().tp_variants().decode()).split()


@cache
def function(name: str, variant: str | None = None) -> Any:
    """A function of the core for this processor, or for the one that $TALLYPLAN_CORE names."""
    chosen = variant or os.environ.get(VARIANT) or library().tp_variant().decode()
    return getattr(library(), f"tp_{name}_{'plain' if name in PLAIN else chosen}")
