"""Files in and out: strict JSON, nothing rounded; and files that appear whole or not at all.

A regular file is written beside its place and then moved there: if the program is stopped, the old file or
the new one is there, and only a kill (SIGKILL, a power cut) leaves the unfinished one, `.tallyplan-*.tmp`. A
link is followed, permissions stay. What is no regular file (a terminal, a pipe, `/dev/stdout`) is written
through.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import signal
import stat
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import MAX_DIGITS, shown

MOST_BYTES = 2**30
"""Of a file that is read: `/dev/zero` would take all the memory there is."""

AnyPath = str | os.PathLike[str]


def checked_path(path: object) -> str:
    """A path as text; anything that is neither text nor a path is refused."""
    written = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(written, str):
        raise InvalidInput(f"a path is needed, not {shown(path)}.")
    return written


def read_text(path: AnyPath) -> str:
    """The UTF-8 text of a file of at most a gigabyte; `-` is standard input."""
    path = checked_path(path)
    try:
        if path == "-":
            content = _content(sys.stdin.buffer)
        else:
            with Path(path).open("rb") as file:
                content = _content(file)
        if len(content) <= MOST_BYTES:
            return content.decode("utf-8")
        reason = f"it has more than {MOST_BYTES} bytes"
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a path that no file can have
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
    raise InvalidInput(f"{path} cannot be read: {reason}.")


def _content(file: BinaryIO) -> bytearray:
    """All bytes of a file, or a little more than is allowed; memory is taken as they come."""
    content = bytearray()
    while len(content) <= MOST_BYTES and (part := file.read(2**20)):
        content += part
    return content


def read_json(path: AnyPath) -> Any:
    """The document in a JSON file; `-` is standard input."""
    return parse_json(read_text(path), str(path))


def parse_json(content: str, what: str) -> Any:
    """Parse JSON strictly: no duplicate keys, no NaN; decimals stay text, so that nothing is rounded.

    >>> parse_json('{"loss": 0.10}', "the file")
    {'loss': '0.10'}
    """
    try:
        return json.loads(
            content,
            parse_float=str,
            parse_int=_integer,
            parse_constant=_no_constant,
            object_pairs_hook=_no_duplicates,
        )
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{what} is not a valid JSON file: {error}") from None


def json_text(document: Any, *, compact: bool = False) -> str:
    """A document as one line of JSON; its integers may have any number of digits.

    >>> len(json_text([10**5000]))
    5003
    """
    with _any_number_of_digits():
        return json.dumps(document, separators=(",", ":") if compact else None)


def write_json(path: AnyPath, document: Any) -> None:
    """Write a document as one line of JSON."""
    write(path, f"{json_text(document, compact=True)}\n".encode())


def write(path: AnyPath, content: bytes) -> None:
    """Write a file: in one step if it is a regular file or a new one, else straight through.

    Raises
    ------
    InvalidInput : the file cannot be written; what was there before is still there.
    BrokenPipeError : the file is standard output, a pipe whose reader has left.
    """
    path, descriptor = checked_path(path), None
    try:
        descriptor = _descriptor_of(path)
        if descriptor is not None:
            _write_through(os.dup(descriptor), content)
        elif target := _regular_file(path):
            _replace(target, content)
        else:
            _write_through(os.open(path, os.O_WRONLY), content)
    except (OSError, ValueError) as error:
        if isinstance(error, BrokenPipeError) and descriptor == 1:
            raise
        raise _unwritable(path, error) from None


def require_writable(path: AnyPath) -> None:
    """Refuse before minutes of work what `write` would refuse after them.

    Raises
    ------
    InvalidInput : the path is a folder, or in no folder, or write-protected.
    """
    path = checked_path(path)
    try:
        if _descriptor_of(path) is None:
            _regular_file(path)
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, unless it is there.

    Raises
    ------
    InvalidInput : it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the folder {path} cannot be made: {_reason(error)}.") from None


def _unwritable(path: str, error: Exception) -> InvalidInput:
    return InvalidInput(f"{path} cannot be written: {_reason(error)}.")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _regular_file(path: str) -> Path | None:
    """The regular file that a path names, or will name; None for a device or a pipe."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():  # links that lead to each other are left as they are
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if target.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if os.path.exists(path) and not target.is_file():
        return None
    if not target.parent.is_dir():
        raise OSError(errno.ENOENT, f"there is no folder {target.parent}")
    for place in (target.parent, target):
        if place.exists() and not os.access(place, os.W_OK):
            raise OSError(errno.EACCES, f"{place} is write-protected")
    return target


def _descriptor_of(path: str) -> int | None:
    """The open descriptor that a path names, if any; opening the path again would start its file anew."""
    named = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d{1,9})", path, re.ASCII)
    if named:
        return int(named[1])
    for descriptor, stream in ((1, sys.stdout), (2, sys.stderr)):
        with suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(descriptor)):
                stream.flush()
                return descriptor
    return None


def _write_through(descriptor: int, content: bytes) -> None:
    with open(descriptor, "wb", buffering=0) as file:
        while content:
            content = content[file.write(content) :]


def _replace(target: Path, content: bytes) -> None:
    """Write a regular file beside its place and move it there; its permissions stay."""
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
    beside = target.parent / f".tallyplan-{secrets.token_hex(8)}.tmp"
    with _termination_waits():
        try:
            with beside.open("xb") as file:
                if mode is not None:
                    beside.chmod(mode)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        except BaseException:  # Ctrl-C, or no room
            beside.unlink(missing_ok=True)
            raise


@contextmanager
def _termination_waits() -> Iterator[None]:
    """SIGTERM ends the program after the block, not in it: nobody would remove the unfinished file."""
    waits = threading.current_thread() is threading.main_thread()  # no other may set what a signal does
    if not waits or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    received: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: received.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for number in received:
            signal.raise_signal(number)


@contextmanager
def _any_number_of_digits() -> Iterator[None]:
    """Python writes integers of up to 4300 digits unless told otherwise."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits.")
    return int(digits)


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number here.")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        repeated = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {repeated!r} occurs twice.")
    return result
