"""Strict reading: JSON without its loose ends, and values of exactly the type that is expected.

Everything a certificate holds passes through here before it is used, so the rules may trust types, lengths
and ranges. Whatever is wrong ends in `Refused` with a sentence that names the place.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any

from .verdict import Meter, Refused, Undecided

DIGITS = 4300  # of an integer
_LEVELS = 100  # of lists and objects within each other
_PIECE = 600  # digits that Python converts whatever the process's own limit is, which is never below 640
_LONG = re.compile(rb"(?<![0-9])[0-9]{601}")
_RATIONAL = re.compile(r"(0|-?[1-9][0-9]*)/([1-9][0-9]*)")
_NUMBER = re.compile(r"\s*[+-]?([0-9]+/[0-9]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?)\s*")
_BYTES = 10  # of a file, for each entry that a table may have

Reader = Callable[[object, str], Fraction]


def load(source: Any, what: str, meter: Meter, *, decimals: bool = False) -> object:
    """The document itself if it is already parsed, else the parsed JSON file; `OSError` if there is none."""
    if isinstance(source, str | os.PathLike):
        source = parsed(_content(source, what, meter), what, decimals)
    elif hasattr(source, "to_json"):
        source = source.to_json()
    elif isinstance(source, Mapping):
        source = dict(source)
    level = [source] if isinstance(source, list | dict) else []
    for _ in range(_LEVELS):
        inside = chain.from_iterable(v.values() if isinstance(v, dict) else v for v in level)
        level = list({id(part): part for part in inside if isinstance(part, list | dict)}.values())
        if not level:
            return source
    raise Refused(f"The {what} is nested too deeply.")


def _content(path: str | os.PathLike[str], what: str, meter: Meter) -> bytes:
    """The bytes of a file, if they are within the limit; beyond ASCII every character takes four."""
    text, most = b"", _BYTES * meter.room
    with open(path, "rb") as file:
        while len(text) <= most and (part := file.read(max(len(text), 2**20))):
            text += part
    if len(text) * (1 if text.isascii() else 4) > most:
        raise Undecided(f"The {what} is longer than the {most} bytes that the limit allows.")
    meter.fit(sum(map(text.count, (b",", b":", b"[", b"{"))))
    return text


def parsed(text: bytes, what: str, decimals: bool = False) -> object:
    """JSON without duplicate keys, `NaN` or floats; with `decimals`, floats stay as their exact text."""
    try:
        return json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_without_duplicates,
            parse_constant=_no_number,
            parse_float=str if decimals else _no_number,
            parse_int=whole if _LONG.search(text) else None,
        )
    except RecursionError:
        raise Refused(f"The {what} is nested too deeply.") from None
    except ValueError as error:  # malformed JSON and bad UTF-8
        raise Refused(f"The {what} is not readable as JSON: {error}.") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise Refused(f"A key occurs twice in the object that begins with {shown(pairs[0][0])}.")
    return result


def _no_number(text: str) -> object:
    raise Refused(f"The number {shown(text)} is not an integer; write a rational as a string p/q.")


def whole(text: str) -> int:
    """The integer with these decimal digits, converted in pieces: Python's limit is the whole process's."""
    digits, value = text.lstrip("-"), 0
    if len(digits) > DIGITS:
        raise Refused(f"An integer has more than {DIGITS} digits.")
    for first in range(0, len(digits), _PIECE):
        piece = digits[first : first + _PIECE]
        value = value * 10 ** len(piece) + int(piece)
    return -value if text.startswith("-") else value


def shown(value: object) -> str:
    """A short, one-line, plain-ASCII picture of anything, for messages."""
    if type(value) is int and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, str):
        return ascii(value[:60])
    return ascii(value) if isinstance(value, int | float | None) else f"a {type(value).__name__}"


def fields(value: object, where: str, required: set[str], optional: set[str] | None = None) -> dict[str, Any]:
    """An object with all of the required keys, and no others than the optional ones."""
    found: dict[str, Any] = typed(value, dict, where)
    for key in sorted(required - found.keys()):
        raise Refused(f"The {where} lacks the key {shown(key)}.")
    for key in found.keys() - required - (optional or set()):
        raise Refused(f"The {where} has the unknown key {shown(key)}.")
    return found


def typed(value: object, kind: type, where: str) -> Any:
    """The value, which must be of this type exactly (so `true` is not an integer)."""
    if type(value) is not kind:
        name = {dict: "an object", list: "a list", str: "a string", int: "an integer"}[kind]
        raise Refused(f"The {where} is {shown(value)}, not {name}.")
    return value


def array(value: object, where: str, length: int | None = None) -> list[Any]:
    """A JSON array, of the given length if there is one."""
    found: list[Any] = typed(value, list, where)
    if length is not None and len(found) != length:
        raise Refused(f"The {where} has {len(found)} entries where {shown(length)} are needed.")
    return found


def integer(value: object, where: str, least: int) -> int:
    """An integer that is at least `least`."""
    found: int = typed(value, int, where)
    if found < least:
        raise Refused(f"The {where} is {shown(found)}, below {least}.")
    return found


def integers(value: object, where: str, length: int | None = None) -> list[int]:
    """A list of integers, of the given length if there is one."""
    found = array(value, where, length)
    if not set(map(type, found)) <= {int}:
        for entry in found:
            typed(entry, int, f"entry of the {where}")
    return found


def choices(value: object, where: str, count: int, least: int = 0) -> list[int]:
    """A list of at least so many actions (nodes, edges), each in 0 .. count-1."""
    found = integers(value, where)
    if len(found) < least:
        raise Refused(f"The {where} is empty.")
    if found and not (min(found) >= 0 and max(found) < count):
        raise Refused(f"The {where} has an entry that is not in 0..{shown(count - 1)}.")
    return found


def rational(value: object, where: str) -> Fraction:
    """A string "p/q" in lowest terms, the only way a certificate may write a rational."""
    found = _lowest_terms(value) if type(value) is str else None
    if found is None:
        raise Refused(f'The {where} is {shown(value)}, not a rational "p/q" in lowest terms.')
    return found


@lru_cache(maxsize=1 << 12)
def _lowest_terms(text: str) -> Fraction | None:
    match = _RATIONAL.fullmatch(text)
    if match is None:
        return None
    found = Fraction(*map(whole, match.groups()))
    return found if found.denominator == whole(match[2]) else None


def number(value: object, where: str) -> Fraction:
    """A rational as instance files may write it: 1, 0.5, "0.5", " +1/2 ". A float is its shortest decimal."""
    if type(value) is int:
        return Fraction(value)
    text = repr(value) if type(value) is float else value
    if type(text) is not str or not _NUMBER.fullmatch(text):
        raise Refused(f"The {where} is {shown(value)}, not a number.")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):  # too many digits, or p/0
        raise Refused(f"The {where} is {shown(value)}, not a number.") from None
