"""What a person sees on standard error while something takes longer than a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tallyplan.limits import Progress

PATIENCE = 1.0  # seconds of silence at the start
TERMINAL_PAUSE = 0.2  # seconds between two refreshes of the line on a terminal
LOG_PAUSE = 5.0  # seconds between two lines in a log


@contextmanager
def shown_progress() -> Iterator[Progress]:
    """A progress callback; its latest message appears on stderr after a second, and then every now and then.

    A thread of its own shows it, so that a compiler or a long sweep does not keep the reader waiting in
    silence.
    """
    latest = ["starting"]
    finished = threading.Event()
    show = threading.Thread(target=_show, args=(latest, finished), daemon=True)
    show.start()
    try:
        yield lambda message: latest.__setitem__(0, message)
    finally:
        finished.set()
        show.join()


def _show(latest: list[str], finished: threading.Event) -> None:
    started = time.monotonic()
    if finished.wait(PATIENCE):
        return
    terminal = sys.stderr.isatty()
    start, end = ("\r\x1b[K", "") if terminal else ("", "\n")
    while True:
        seconds = time.monotonic() - started
        print(f"{start}[{seconds:.0f} s] {latest[0]}", end=end, file=sys.stderr, flush=True)
        if finished.wait(TERMINAL_PAUSE if terminal else LOG_PAUSE):
            break
    if terminal:
        print(start, end="", file=sys.stderr, flush=True)
