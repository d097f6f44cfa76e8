"""Strict reading: JSON without its loose ends, values of exactly the type expected, and limits to the work.

Everything a certificate holds passes through here before it is used, so the rules may trust types, lengths
and ranges. Whatever is wrong ends in `Refused` with a sentence that names the place.
"""

import json
import os
import re
from collections.abc import Iterable, Set
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import gcd
from operator import methodcaller
from typing import Any

DIGITS = 4300  # in a row: what Python converts unless the process sets another limit
_LEVELS = 100  # of lists and objects within each other
BITS = 256  # of a number that counts as one: adding such numbers takes about as long as looking one up
_STEPS_PER_ENTRY = 100  # the default limit of 10^9 steps allows tables of 10^7 entries, about a gigabyte
_BYTES_PER_ENTRY = 10  # of a file
_LONG = re.compile(rb"[0-9]{4301}")
_RATIONAL = re.compile(r"(0|-?[1-9][0-9]{0,4299})/([1-9][0-9]{0,4299})")


class Refused(Exception):
    """The certificate does not prove its claim; the message says why."""


class Undecided(Exception):
    """Finding out would take more than the limit allows."""


def wide(number: int) -> int:
    """As how many short numbers a long one counts."""
    return 1 + number.bit_length() // BITS


class Meter:
    """Counts steps and sizes before they are used; a step takes about a tenth of a microsecond anywhere.

    Long numbers count as several. No rule computes one that is longer than the denominators, scales and
    horizons of the document together, and `widen` adds these up as they are read.
    """

    def __init__(self, limit: int) -> None:
        self.limit = self.steps = limit
        self.room, self.bits, self.width = limit // _STEPS_PER_ENTRY, 0, 1

    def widen(self, numbers: Iterable[int]) -> None:
        """From now on the longest of these may be a factor of every number."""
        self.bits += max(map(int.bit_length, numbers))
        self.width = 1 + self.bits // BITS

    def spend(self, steps: int, products: int = 0) -> None:
        """Charge for a number of additions or comparisons, and of products of long numbers."""
        self.steps -= self.width * (steps + self.width * products)
        if self.steps < 0:
            raise Undecided(f"Checking this certificate takes more than the limit of {self.limit} steps.")

    def fit(self, entries: int) -> None:
        """Make sure that a table with this number of entries is within the limit."""
        if self.width * entries > self.room:
            raise Undecided(f"Checking this certificate takes a table too large for {self.limit} steps.")

    def power(self, base: int, exponent: int) -> int:
        """base^exponent, if a table can have that many entries; never a giant number."""
        result = 1
        for _ in range(exponent if base > 1 else 0):
            result *= base
            self.fit(result)
        return result


def load(source: Any, what: str, meter: Meter) -> Any:
    """The JSON of a file, or of an object as it would be written; `OSError` if there is no such file."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(found := dict(pairs)) < len(pairs):
            raise Refused(f"A key occurs twice in the object that begins with {shown(pairs[0][0])}.")
        return found

    def refuse(text: str) -> object:
        raise Refused(f"The number {shown(text)} is not an integer; write a rational as a string p/q.")

    text = _content(source, what, meter) if isinstance(source, str | os.PathLike) else None
    try:
        text = json.dumps(source, default=methodcaller("to_json")).encode() if text is None else text
        if _LONG.search(text):
            raise Refused(f"The {what} has more than {DIGITS} digits in a row.")
        hooks: dict[str, Any] = {"object_pairs_hook": unique, "parse_constant": refuse, "parse_float": refuse}
        document = json.loads(text.decode("utf-8"), **hooks)
    except RecursionError:
        raise Refused(f"The {what} is nested too deeply.") from None
    except (AttributeError, TypeError, json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"The {what} is not readable as JSON: {error}.") from None
    level: list[Any] = [[document]]
    for _ in range(_LEVELS + 1):
        inside = chain.from_iterable(part.values() if isinstance(part, dict) else part for part in level)
        level = [part for part in inside if isinstance(part, list | dict)]
    if level:
        raise Refused(f"The {what} is nested too deeply.")
    return document


def _content(path: Any, what: str, meter: Meter) -> bytes:
    """The bytes of a file, if they are within the limit; beyond ASCII every character takes four."""
    most = _BYTES_PER_ENTRY * meter.room
    with open(path, "rb") as file:
        text = file.read(most + 1 if most < 1 << 30 else -1)
    if len(text) * (1 if text.isascii() else 4) > most:
        raise Undecided(f"The {what} is longer than the {most} bytes that the limit allows.")
    meter.fit(sum(map(text.count, (b",", b":", b"[", b"{"))))
    return text


def shown(value: object) -> str:
    """A short, one-line, plain-ASCII picture of anything, for messages."""
    if type(value) is int and value.bit_length() > 200:
        return f"an integer of {value.bit_length()} bits"
    if not isinstance(value, int | float | str | None):
        return f"a {type(value).__name__}"
    return ascii(value[:60] if isinstance(value, str) else value)


def typed(value: object, kind: type, where: str) -> Any:
    """The value, which must be of this type exactly (so `true` is not an integer)."""
    if type(value) is not kind:
        name = {dict: "an object", list: "a list", str: "a string", int: "an integer"}[kind]
        raise Refused(f"The {where} is {shown(value)}, not {name}.")
    return value


def fields(value: object, where: str, required: Set[str], optional: Set[str] = frozenset()) -> dict[str, Any]:
    """An object with all of the required keys, and no others than the optional ones."""
    found: dict[str, Any] = typed(value, dict, where)
    for key in sorted(required - found.keys()):
        raise Refused(f"The {where} lacks the key {shown(key)}.")
    for key in found.keys() - required - optional:
        raise Refused(f"The {where} has the unknown key {shown(key)}.")
    return found


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
        raise Refused(f"The {where} has an entry that is not an integer.")
    return found


def choices(value: object, where: str, count: int, least: int = 0) -> list[int]:
    """A list of a least number of actions (nodes, edges), each in 0 .. count-1."""
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
    p, q = map(int, match.groups()) if (match := _RATIONAL.fullmatch(text)) else (0, 0)
    return Fraction(p, q) if gcd(p, q) == 1 else None
