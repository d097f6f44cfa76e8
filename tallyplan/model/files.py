"""Files in and out: strict JSON, nothing rounded; and files that appear whole or not at all.

A regular file is written beside its place and then moved there: if the program is stopped, the old file or
the new one is there, and only a kill leaves the unfinished one, `.tallyplan-*.tmp`. A link is followed,
permissions stay. Anything else (a terminal, a pipe, `/dev/stdout`) is written directly.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from tallyplan.errors import InvalidInput
from tallyplan.model.rationals import MAX_DIGITS, shown

MOST_BYTES = 2**30
"""Of a file that is read: `/dev/zero` would take all the memory there is."""

STANDARD_OUTPUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")  # opened again, its file would begin anew

AnyPath = str | os.PathLike[str]


def checked_path(path: object) -> str:
    """A path as text; anything that is neither text nor a path is refused."""
    written = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(written, str):
        raise InvalidInput(f"a path is needed, not {shown(path)}.")
    return written


def is_csv(path: AnyPath) -> bool:
    """Whether the name of a file says that it is CSV."""
    return checked_path(path).lower().endswith(".csv")


def read_text(path: AnyPath, most: int = MOST_BYTES) -> str:
    """The UTF-8 text of a file of at most `most` bytes; `-` is standard input."""
    path = checked_path(path)
    try:
        if path == "-":
            content = _content(sys.stdin.buffer, most)
        else:
            with Path(path).open("rb") as file:
                content = _content(file, most)
        if len(content) <= most:
            return content.decode("utf-8")
        reason = f"it has more than {most} bytes"
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a path that no file can have
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
    raise InvalidInput(f"{path} cannot be read: {reason}.")


def _content(file: BinaryIO, most: int) -> bytearray:
    """All bytes of a file, or a little more than is allowed; memory is taken as they come."""
    content = bytearray()
    while len(content) <= most and (part := file.read(2**20)):
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


def sha256_of(document: Any) -> str:
    """SHA-256 of the canonical JSON of a document: sorted keys, no white space."""
    canonical = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def write_json(path: AnyPath, document: Any) -> None:
    """Write a document as one line of JSON."""
    write(path, f"{json_text(document, compact=True)}\n".encode())


def write(path: AnyPath, content: bytes) -> None:
    """Write a file: in one step if it is a regular file or a new one, else straight through.

    Raises
    ------
    InvalidInput : the file cannot be written; what was there before is still there.
    """
    with _place(path) as target:
        if target is None:
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
        elif target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)


def require_writable(path: AnyPath) -> None:
    """Refuse before minutes of work what `write` would refuse after them.

    Raises
    ------
    InvalidInput : the path is a folder, or in no folder, or write-protected.
    """
    with _place(path):
        pass


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"the folder {path} cannot be made: {_reason(error)}.") from None


@contextmanager
def _place(path: AnyPath) -> Iterator[Path | None]:
    """Where a path leads, links followed; None for standard output. What the system refuses is a sentence."""
    path = checked_path(path)
    try:
        if path in STANDARD_OUTPUT:
            yield None
            return
        target = Path(os.path.realpath(path) if os.path.isfile(path) or not os.path.exists(path) else path)
        if target.is_symlink() or target.is_dir():  # links that lead to each other
            raise OSError(0, os.strerror(errno.ELOOP if target.is_symlink() else errno.EISDIR))
        if not target.parent.is_dir():
            raise OSError(0, f"there is no folder {target.parent}")
        if target.is_file() or not target.exists():
            for place in (target.parent, target):
                if place.exists() and not os.access(place, os.W_OK):
                    raise OSError(0, f"{place} is write-protected")
        yield target
    except BrokenPipeError:  # of standard output: the reader of a pipe has seen enough
        raise
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InvalidInput(f"{path} cannot be written: {_reason(error)}.") from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _replace(target: Path, content: bytes) -> None:
    """Write a regular file beside its place and move it there; its permissions stay."""
    beside = target.parent / f".tallyplan-{os.urandom(8).hex()}.tmp"
    try:
        with beside.open("xb") as file:
            if target.exists():
                beside.chmod(stat.S_IMODE(target.stat().st_mode))
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:  # Ctrl-C, or no room
        beside.unlink(missing_ok=True)
        raise


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
