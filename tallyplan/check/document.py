"""Strict reading: JSON without its loose ends, and values of exactly the type that is expected.

Everything a certificate holds passes through here before it is used, so the other modules may trust types,
lengths and ranges. Whatever is wrong ends in `Refused` with a sentence that names the place.
"""

import errno
import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import Any, BinaryIO

from .verdict import Budget, Refused, Undecided

_RATIONAL = re.compile(r"[+-]?[0-9]+/[0-9]+")
_PLAIN_RATIONAL = re.compile(r"(0|-?[1-9][0-9]*)/([1-9][0-9]*)")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,5}))?")
_MOST_DIGITS = 4000  # of an exponent's value; beyond it "1e-9999" would be a very long number
LONGEST_INTEGER = 4300  # digits
_LONG = re.compile(rb"(?<![0-9])[0-9]{4301}")
_MOST_LEVELS = 100  # lists and objects within each other
_BYTES_AT_ONCE = 2**20
_BYTES_PER_ENTRY = 10  # of a file, for each entry that a table may have
_BYTES_OF_A_CHARACTER = 4  # in memory, in a text with a character beyond ASCII
_SHORT = 100  # characters of a rational that is worth remembering


@contextmanager
def our_limit_on_digits() -> Iterator[None]:
    """Python's own limit on the digits of integers set to ours, whatever it was."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(LONGEST_INTEGER)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def load(source: object, what: str, budget: Budget, *, decimals: bool = False) -> object:
    """The document itself if it is already parsed, else the parsed JSON file; `OSError` if there is none."""
    if isinstance(source, str | os.PathLike):
        most = _BYTES_PER_ENTRY * budget.room
        with _opened(source) as file:
            text = bytearray()
            while len(text) <= most and (part := file.read(_BYTES_AT_ONCE)):
                text += part
        if len(text) * (1 if text.isascii() else _BYTES_OF_A_CHARACTER) > most:
            raise Undecided(f"The {what} is longer than the {most} bytes that the limit allows.")
        budget.fit(sum(map(text.count, (b",", b":", b"[", b"{"))))
        source = parse(text, what, decimals=decimals)
    elif isinstance(source, Mapping):
        source = dict(source)
    elif hasattr(source, "to_json"):
        source = source.to_json()
    _refuse_deep(source, what)
    return source


def _opened(path: str | os.PathLike[str]) -> BinaryIO:
    """The file, open for reading; `OSError` also for a path that no file can have."""
    try:
        return open(path, "rb")
    except ValueError as error:
        raise OSError(errno.EINVAL, f"no file can have this name ({error})", ascii(path)) from None


def _refuse_deep(value: object, what: str) -> None:
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(_MOST_LEVELS):
        inside = chain.from_iterable(v.values() if isinstance(v, dict) else v for v in level)
        level = list({id(part): part for part in inside if isinstance(part, list | dict)}.values())
        if not level:
            return
    raise Refused(f"The {what} is nested too deeply.")


def parse(text: bytes | bytearray, what: str, *, decimals: bool = False) -> object:
    """JSON without duplicate keys, `NaN` or floats; with `decimals`, floats stay as their exact text."""
    try:
        return json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_without_duplicates,
            parse_constant=_no_constant,
            parse_float=str if decimals else _no_float,
            parse_int=_integer if _LONG.search(text) else None,
        )
    except RecursionError:
        raise Refused(f"The {what} is nested too deeply.") from None
    except ValueError as error:  # malformed JSON, bad UTF-8, and integers of too many digits
        raise Refused(f"The {what} is not readable as JSON: {error}.") from None


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise Refused(f"The key {shown(twice)} occurs twice in one JSON object.")
    return result


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > LONGEST_INTEGER:
        raise ValueError(f"an integer has more than {LONGEST_INTEGER} digits")
    return int(text)


def _no_constant(text: str) -> object:
    raise Refused(f"{text} is not a number that a certificate may hold.")


def _no_float(text: str) -> object:
    raise Refused(
        f"The number {shown(text)} has a fraction or an exponent; write a rational as a string p/q."
    )


def shown(value: object) -> str:
    """A short, one-line, plain-ASCII picture of anything, for messages."""
    if type(value) is int and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, str):
        value = value[:60]
    elif not isinstance(value, int | float | None):
        return f"a {type(value).__name__}"
    return ascii(value)


def fields(
    value: object, where: str, required: set[str], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """An object with all of the required keys, and no others than the optional ones."""
    found = mapping(value, where)
    for key in sorted(required - found.keys()):
        raise Refused(f"The {where} lacks the key {shown(key)}.")
    for key in found.keys() - required - optional:
        raise Refused(f"The {where} has the unknown key {shown(key)}.")
    return found


def mapping(value: object, where: str) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise Refused(f"The {where} is {shown(value)}, not an object.")
    for key in value:
        if type(key) is not str:
            raise Refused(f"The {where} has the key {shown(key)}, which is not a string.")
    return value


def array(value: object, where: str, length: int | None = None) -> list[Any]:
    """A JSON array, of the given length if there is one."""
    if not isinstance(value, list):
        raise Refused(f"The {where} is {shown(value)}, not a list.")
    if length is not None and len(value) != length:
        raise Refused(f"The {where} has {len(value)} entries where {shown(length)} are needed.")
    return value


def string(value: object, where: str) -> str:
    """A JSON string."""
    if type(value) is not str:
        raise Refused(f"The {where} is {shown(value)}, not a string.")
    return value


def integer(value: object, where: str, least: int) -> int:
    """An integer (`true` is none) that is at least `least`."""
    if type(value) is not int:
        raise Refused(f"The {where} is {shown(value)}, not an integer.")
    if value < least:
        raise Refused(f"The {where} is {shown(value)}, below {least}.")
    return value


def actions(value: object, where: str, K: int) -> list[int]:
    """A list, possibly empty, of actions 0..K-1."""
    found = array(value, where)
    for action in found:
        if type(action) is not int or not 0 <= action < K:
            raise Refused(f"The {where} holds {shown(action)}, which is not an action in 0..{K - 1}.")
    return found


def word(value: object, where: str, K: int, length: int | None = None) -> list[int]:
    """A non-empty list of actions."""
    found = actions(array(value, where, length), where, K)
    if not found:
        raise Refused(f"The {where} is empty.")
    return found


def potentials(value: object, where: str, n: int, of: str = "history") -> list[int]:
    """One integer for each of the n histories, or whatever else they are of."""
    found = array(value, where, n)
    if not set(map(type, found)) <= {int}:
        code = next(i for i, phi in enumerate(found) if type(phi) is not int)
        raise Refused(f"The {where} holds {shown(found[code])} for {of} {code}, not an integer.")
    return found


Reader = Callable[[object, str], Fraction]


def rational(value: object, where: str) -> Fraction:
    """A string "p/q" in lowest terms, the only way a certificate may write a rational."""
    found = (_known if len(value) <= _SHORT else _lowest_terms)(value) if type(value) is str else None
    if found is None:
        long = type(value) is str and len(value) > LONGEST_INTEGER
        most = f", of at most {LONGEST_INTEGER} digits each" if long else ""
        raise Refused(f'The {where} is {shown(value)}, not a rational "p/q" in lowest terms{most}.')
    return found


def _lowest_terms(text: str) -> Fraction | None:
    match = _PLAIN_RATIONAL.fullmatch(text)
    if match is None or any(len(part.lstrip("-")) > LONGEST_INTEGER for part in match.groups()):
        return None
    p, q = map(int, match.groups())
    return Fraction(p, q) if math.gcd(p, q) == 1 else None


_known = lru_cache(maxsize=1 << 16)(_lowest_terms)


def number(value: object, where: str) -> Fraction:
    """A rational as instance files may write it: 1, 0.5, "0.5", " +1/2 ". A float is its shortest decimal."""
    if type(value) is int:
        return Fraction(value)
    text = repr(value) if type(value) is float else value.strip() if type(value) is str else value
    try:
        if type(text) is str and _is_number(text):
            return Fraction(text)
    except (ValueError, ZeroDivisionError):
        pass
    raise Refused(f"The {where} is {shown(value)}, not a number.")


def _is_number(text: str) -> bool:
    match = _DECIMAL.fullmatch(text)
    if match and match[1]:
        return abs(int(match[1])) <= _MOST_DIGITS
    return bool(match or _RATIONAL.fullmatch(text))


def refuse_floats(value: object, where: str) -> None:
    """Hold free-form parts to the rule for numbers, also when the document was parsed by someone else."""
    if isinstance(value, float):
        raise Refused(f"The {where} holds the number {shown(value)}, which is not an integer.")
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        refuse_floats(part, where)
