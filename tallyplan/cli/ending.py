"""How a command ends: it makes sure that its output arrived, and says which files it has written."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

State = tuple[int, ...] | None

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def open_what_is_closed() -> None:
    """A standard stream that was closed (`2>&-`) is nowhere: its words must not go to another stream.

    Opened in their order, the streams get back their own descriptors, so that no file takes their place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


class _Words(io.FileIO):
    """Standard error: words for which there is no room are lost, and nothing else is."""

    def write(self, content: Any) -> int:
        try:
            return super().write(content)
        except OSError:
            return len(content)


def lose_words_on_a_full_disk() -> None:
    """From now on a full disk under standard error (`2> /dev/full`) changes neither files nor the status."""
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr is sys.__stderr__:
        raw = io.BufferedWriter(_Words(sys.stderr.fileno(), "w", closefd=False))
        sys.stderr = io.TextIOWrapper(raw, sys.stderr.encoding, line_buffering=True)


def print_any_text() -> None:
    """Escape what the terminal cannot show, such as the name of an instance, instead of failing there."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def deliver_output() -> None:
    """Flush what was printed while an error can still be reported."""
    if sys.stdout is not None:
        sys.stdout.flush()


def discard_output() -> None:
    """The reader of the output has left: drop what was not yet written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refusal(error: OSError) -> str:
    """What the system refused, in a sentence."""
    reason = error.strerror or str(error)
    where = "standard output cannot be written" if error.errno in NO_ROOM else "the system refused"
    return f"{where}: {reason}."


class Written:
    """Which of the files that the arguments of a command name have changed since the command began."""

    def __init__(self, arguments: Iterable[Any]) -> None:
        self._before = {path: _state(path) for path in arguments if isinstance(path, str)}

    def in_words(self) -> str:
        """For a command that was interrupted."""
        changed = [path for path, before in self._before.items() if _state(path) != before]
        if not changed:
            return "nothing was written"
        return f"{' and '.join(changed)} {'was' if len(changed) == 1 else 'were'} written, nothing else"


def _state(path: str) -> State:
    try:
        found = os.stat(path)
    except (OSError, ValueError):  # ValueError: a text that cannot be a path
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
