"""The race as it was recorded: the tables of a RESULTS.md, which `make bench` writes.

A report does not race: its machine may be busy. It quotes what was measured, and says by what.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath

RECORDED = Path(__file__).parents[2] / "benchmarks" / "RESULTS.md"  # in a copy of the repository
LARGEST = 10**6  # bytes of a file of results
BY_SIZE = ("states", "peer", "worst", "median", "best")


@dataclass(frozen=True)
class Section:
    """A titled table; the first entry of each row is its head."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Race:
    """What a race measured: the paragraphs that say how and where, and the tables."""

    source: str
    paragraphs: tuple[str, ...]
    sections: tuple[Section, ...]

    def ratios(self) -> list[dict[str, Any]]:
        """By size: how many times slower the peers were; floats, for drawing."""
        return [
            row
            for section in self.sections
            if set(BY_SIZE) <= set(section.header)
            for row in _ratios(section)
        ]


def recorded(path: AnyPath | None) -> Race | None:
    """The race of this file; without one, that of the repository if this is a copy of it, else none.

    Raises
    ------
    InvalidInput : the file cannot be read, or has no table.
    """
    if path is None and not RECORDED.exists():
        return None
    file = RECORDED if path is None else Path(path)
    try:
        if file.stat().st_size > LARGEST:
            raise InvalidInput(f"{file} is larger than any record of a race.")
        content = file.read_text("utf-8")
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise InvalidInput(f"{file} is not a text in UTF-8.") from None
    return read_race(content, file.name)


def read_race(content: str, source: str) -> Race:
    """The paragraphs before the first section, and every table with its title.

    >>> race = read_race("# R\\n\\nhow\\n\\n## Times\\n\\n| a | b |\\n| --- | --- |\\n| x | 1 |\\n", "R.md")
    >>> race.paragraphs, race.sections[0].rows
    (('how',), (('x', '1'),))
    """
    head, *parts = re.split(r"^## ", content, flags=re.MULTILINE)
    paragraphs = tuple(one.strip() for one in head.split("\n\n") if one.strip() and not one.startswith("#"))
    sections = tuple(section for part in parts for section in _sections(part))
    if not sections:
        raise InvalidInput(f"{source} has no table of a race; `make bench` writes one.")
    return Race(source, paragraphs, sections)


def _sections(part: str) -> Iterator[Section]:
    title, _, body = part.partition("\n")
    lines = [_cells(line) for line in body.splitlines() if line.startswith("|")]
    if len(lines) > 2:
        header, _, *rows = lines
        yield Section(title.strip(), header, tuple(row for row in rows if len(row) == len(header)))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip().replace("**", "") for cell in line.strip().strip("|").split("|"))


def _ratios(section: Section) -> Iterator[dict[str, Any]]:
    for entries in section.rows:
        row: dict[str, Any] = dict(zip(section.header, entries, strict=True))
        try:
            numbers = {name: float(row[name].removesuffix("x")) for name in ("worst", "median", "best")}
            states = int(row["states"])
        except ValueError:
            continue
        said = f"worst {row['worst']}, median {row['median']}, best {row['best']}"
        yield row | numbers | {"states": states, "ratios": said}
