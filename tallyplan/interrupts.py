"""Ctrl-C ends a command with one sentence and status 130, whenever it comes.

Within the command it raises KeyboardInterrupt, so that what is half done can be tidied and told. Before that,
while modules are loaded, and afterwards nothing is half done, and an exception could land in code that prints
or swallows it: there the process ends at once.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

INTERRUPTED = 130


def end_at_once() -> None:
    """From now on Ctrl-C ends this process, unless it was started with Ctrl-C ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


@contextmanager
def raised() -> Iterator[None]:
    """Within the block Ctrl-C raises KeyboardInterrupt, if it would end the process otherwise."""
    if signal.getsignal(signal.SIGINT) is not _end:
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:
    with suppress(OSError):  # standard error may be closed
        os.write(2, b"error: interrupted.\n")
    os._exit(INTERRUPTED)
