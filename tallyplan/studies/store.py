"""The store of a study: one SQLite file, written by the process that runs the study alone.

Four tables: `instances`, what was asked (`items`), what determines an answer (`works`, by key), and the
`results`, one per work. Items that ask the same share a work, so nothing is computed twice; `results.work` is
a primary key, so no result is doubled. Results come in transactions of some half a second of work each; a
transaction is on the disk before it is reported (WAL, synchronous = FULL), so that a kill, a power cut or a
full disk costs what was not reported yet and nothing else.

Rationals are text, p/q; `COLLATE rational` orders them exactly. `results.value` is the upper end as a float,
for pictures only. The columns that rows can have are kept by question, in the order in which they are shown.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from tallyplan.errors import InvalidInput
from tallyplan.model.files import AnyPath, json_text
from tallyplan.model.rationals import shown
from tallyplan.studies.spec import Instance, Item, Study

APPLICATION = 0x74616C79  # "taly", by which the file is known to be ours
VERSION = 1  # of the tables below
Counts = list[tuple[Any, ...]]  # question, status, items, seconds
EXACT, INTERVAL, TOLD, FAILED = "exact", "interval", "told", "failed"

SCHEMA = """
CREATE TABLE instances (
    id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, name TEXT NOT NULL, actions INTEGER NOT NULL,
    memory INTEGER NOT NULL, document TEXT NOT NULL, UNIQUE (sha256, name));
CREATE TABLE works (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE);
CREATE TABLE items (
    id INTEGER PRIMARY KEY, work INTEGER NOT NULL REFERENCES works, instance INTEGER REFERENCES instances,
    question TEXT NOT NULL, parameters TEXT NOT NULL);
CREATE UNIQUE INDEX items_once ON items (work, ifnull(instance, 0));
CREATE TABLE columns (
    id INTEGER PRIMARY KEY, question TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (question, kind, name));
CREATE TABLE results (
    work INTEGER PRIMARY KEY REFERENCES works, status TEXT NOT NULL, lower TEXT, upper TEXT, value REAL,
    facts TEXT, certificate TEXT, message TEXT, seconds REAL NOT NULL);
"""


@dataclass(frozen=True)
class Task:
    """What a worker needs in order to answer a work."""

    work: int
    document: str | None
    question: str
    parameters: str


@dataclass(frozen=True)
class Result:
    """What a worker found.

    Attributes
    ----------
    status : exact, interval, told (an answer that is not a number) or failed.
    certificate : SHA-256 of the certificate.
    message : why it failed.
    seconds : how long it took; of this machine, and so not part of any table.
    """

    work: int
    status: str
    lower: str | None = None
    upper: str | None = None
    value: float | None = None
    facts: str | None = None
    certificate: str | None = None
    message: str | None = None
    seconds: float = 0.0

    @property
    def content(self) -> tuple[Any, ...]:
        """All that does not depend on the machine."""
        return (self.status, self.lower, self.upper, self.value, self.facts, self.certificate, self.message)


class Store:
    """An open store. Close it, or use it as a context manager.

    Parameters
    ----------
    path : the file.
    write : open it for writing, and make it if there is none; otherwise nothing in it can change.

    Raises
    ------
    InvalidInput : there is no such file, it is not a store, or one of another version; and from every
        method, what the system or SQLite refuses.

    >>> import os, tempfile
    >>> from tallyplan.studies.spec import study_of
    >>> study = study_of({"instances": [{"family": "counterexample-3"}], "questions": [{"ask": "cycle"}]})
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "s"), write=True) as store:
    ...     _ = store.add(study)
    ...     len(store.works(done=False))
    1
    """

    def __init__(self, path: AnyPath, *, write: bool = False) -> None:
        self.path = str(path)
        with self._translated_errors():
            self.database = sqlite3.connect(self._address(write), uri=True, timeout=60, isolation_level=None)
            self.database.create_collation("rational", compare_rationals)
            try:
                self._begin(write)
            except BaseException:
                self.database.close()
                raise

    def _address(self, write: bool) -> str:
        """The address of the file for SQLite, which must not create a file that is only read."""
        path = Path(self.path)
        if not write and not path.exists():
            raise InvalidInput(f"there is no file {self.path}; `tallyplan study run` makes a store.")
        if path.exists() and not path.is_file():
            raise InvalidInput(f"{self.path} cannot be opened: it is a folder, a device or a pipe.")
        return f"{path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"

    def _begin(self, write: bool) -> None:
        """Make the tables in a new file; refuse a file that is not ours."""
        queries = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        ours, version, tables = (self.database.execute(query).fetchone()[0] for query in queries)
        if ours == tables == 0:  # new, or its maker was killed at once
            if not write:
                raise InvalidInput(f"{self.path} is empty; `tallyplan study run` fills it.")
            self.database.execute("PRAGMA journal_mode = WAL")
            marks = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            self.database.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {marks} COMMIT;")
        elif ours != APPLICATION:
            raise InvalidInput(f"{self.path} is a database of something else, not a study.")
        elif version != VERSION:
            raise InvalidInput(
                f"{self.path} is a store of version {version}; this tallyplan reads version {VERSION}."
            )
        if write:
            self.database.execute("PRAGMA synchronous = FULL")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        """Say what SQLite refuses in a sentence."""
        try:
            yield
        except sqlite3.Error as error:
            reason = str(error)
            if "disk is full" in reason or "disk I/O" in reason:
                told = f"there is no room to write {self.path} ({reason}); what was reported done is in it."
            elif "unable to open" in reason or "readonly" in reason:
                told = f"{self.path} cannot be opened: {reason}."
            elif "locked" in reason:
                told = f"{self.path} is in use by another run ({reason})."
            else:
                told = f"{self.path} is not a sound store: {reason}."
            raise InvalidInput(told) from None
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            if isinstance(error, InvalidInput):
                raise
            raise InvalidInput(f"{shown(self.path)} cannot be opened: {error}.") from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing."""
        with self._translated_errors():
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield self.database
                self.database.execute("COMMIT")
            except BaseException:
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")
                raise

    # -- what is asked --------------------

    def add(self, study: Study) -> list[int]:
        """Add what a study asks and the store does not have yet, or nothing; its works, in order."""
        with self._transaction() as database:
            for asked in study.asked:
                rows = [("parameter", name) for name in asked.parameters]
                rows += [("fact", name) for name in asked.question.facts]
                database.executemany(
                    "INSERT OR IGNORE INTO columns (question, kind, name) VALUES (?, ?, ?)",
                    [(asked.question.name, kind, name) for kind, name in rows],
                )
            numbers: dict[int, int] = {}
            return [self._add_item(item, numbers) for item in study.items()]

    def _add_item(self, item: Item, numbers: dict[int, int]) -> int:
        instance = None
        if item.instance is not None:
            if id(item.instance) not in numbers:
                numbers[id(item.instance)] = self._add_instance(item.instance)
            instance = numbers[id(item.instance)]
        work = self._number("works", key=item.key)
        self.database.execute(
            "INSERT OR IGNORE INTO items (work, instance, question, parameters) VALUES (?, ?, ?, ?)",
            (work, instance, item.asked.question.name, item.asked.text),
        )
        return work

    def _add_instance(self, instance: Instance) -> int:
        bandit = instance.bandit
        return self._number(
            "instances",
            sha256=instance.sha256,
            name=instance.name,
            actions=bandit.actions,
            memory=bandit.memory,
            document=json_text(bandit.to_json()),
        )

    def _number(self, table: str, **content: Any) -> int:
        """The number of a row, which is added unless it is there."""
        columns, marks = ", ".join(content), ", ".join("?" * len(content))
        adding = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
        found = self.database.execute(
            f"{adding} ON CONFLICT DO UPDATE SET id = id RETURNING id", [*content.values()]
        )
        return int(found.fetchone()[0])

    def require_only(self, questions: Iterable[str]) -> None:
        """Refuse a store that is about something else.

        Raises
        ------
        InvalidInput : a question of another name is in it.
        """
        known = set(questions)
        others = [name for (name,) in self.select("SELECT DISTINCT question FROM items") if name not in known]
        if others:
            raise InvalidInput(
                f"{self.path} is the store of something else: it keeps answers to "
                f"{', '.join(sorted(others))}, and here {' and '.join(sorted(known))} is asked."
            )

    def forget_failures(self) -> None:
        """Let what failed be asked again."""
        with self._transaction() as database:
            database.execute("DELETE FROM results WHERE status = ?", (FAILED,))

    def works(self, *, done: bool) -> list[int]:
        """The works that have a result which is not a failure, or none yet, in the order of the spec."""
        condition = f"results.status != '{FAILED}'" if done else "results.work IS NULL"
        found = self.select(
            "SELECT items.work FROM items LEFT JOIN results USING (work) "
            f"WHERE {condition} GROUP BY items.work ORDER BY min(items.id)"
        )
        return [work for (work,) in found]

    def task(self, work: int) -> Task:
        """What a worker needs in order to answer a work."""
        row = next(
            self.select(
                "SELECT items.work, document, question, parameters FROM items "
                "LEFT JOIN instances ON instances.id = items.instance WHERE items.work = ? LIMIT 1",
                (work,),
            )
        )
        return Task(*row)

    # -- what was found --------------------

    def record(self, results: Iterable[Result]) -> None:
        """Keep results; when this returns they are on the disk. A result that is there already stays."""
        rows = [tuple(getattr(result, part.name) for part in fields(Result)) for result in results]
        with self._transaction() as database:
            database.executemany(f"INSERT OR IGNORE INTO results VALUES ({', '.join('?' * 9)})", rows)

    def known(self, works: Iterable[int]) -> dict[int, Result]:
        """The results of those works that have one."""
        found = (self.select("SELECT * FROM results WHERE work = ?", (work,)) for work in works)
        return {row[0]: Result(*row) for rows in found for row in rows}

    def counts(self) -> Counts:
        """(question, status, items, seconds) in the order of the questions; status None: to do."""
        return list(
            self.select(
                "SELECT items.question, results.status, count(*), total(results.seconds) FROM items "
                "LEFT JOIN results USING (work) GROUP BY 1, 2 ORDER BY min(items.id)"
            )
        )

    def columns(self, kind: str) -> list[str]:
        """The names of the parameters or of the facts, of all questions, without repetition."""
        found = self.select("SELECT name FROM columns WHERE kind = ? ORDER BY id", (kind,))
        return list(dict.fromkeys(name for (name,) in found))

    def select(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, one after the other."""
        with self._translated_errors():
            yield from self.database.execute(query, values)


def compare_rationals(one: str, other: str) -> int:
    """-1, 0 or 1 as the first rational is smaller than, equal to or larger than the second.

    >>> compare_rationals("1/3", "3/10"), compare_rationals("2/6", "1/3"), compare_rationals("-1/1", "0/1")
    (1, 0, -1)
    """
    a, b = Fraction(one), Fraction(other)
    return (a > b) - (a < b)
