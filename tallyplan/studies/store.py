"""The store of a study: one SQLite file, written by the process that runs the study alone.

Three tables: `instances`, what was asked (`items`), and the `results`. An item and its result have the same
key, which says what determines the answer. Items that ask the same share a result, so nothing is computed
twice; the key is primary, so no result is doubled. Results come in transactions of some half a second of work
each; a transaction is on the disk before it is reported (WAL, synchronous = FULL), so that a kill, a power
cut or a full disk costs what was not reported yet and nothing else.

Rationals are text, p/q; facts and parameters are JSON.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from tallyplan import __version__
from tallyplan.answers import Interval
from tallyplan.errors import InvalidInput, TallyplanError
from tallyplan.model.files import AnyPath, json_text
from tallyplan.model.rationals import shown, text
from tallyplan.studies.spec import Instance, Study

APPLICATION = 0x74616C79  # "taly", by which the file is known to be ours
VERSION = 2  # of the tables below
Counts = list[tuple[Any, ...]]  # question, status, items, seconds
REFUSALS = {  # what SQLite says, and what it means for the file
    "disk": "has no room to be written, and what was reported done is in it",
    "unable to open": "cannot be opened",
    "readonly": "cannot be opened",
    "locked": "is in use by another run",
}
EXACT, INTERVAL, TOLD, FAILED = "exact", "interval", "told", "failed"

SCHEMA = """
CREATE TABLE instances (
    id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL, name TEXT NOT NULL, actions INTEGER NOT NULL,
    memory INTEGER NOT NULL, document TEXT NOT NULL, UNIQUE (sha256, name));
CREATE TABLE items (
    id INTEGER PRIMARY KEY, key BLOB NOT NULL, instance INTEGER REFERENCES instances,
    question TEXT NOT NULL, parameters TEXT NOT NULL);
CREATE UNIQUE INDEX items_once ON items (key, ifnull(instance, 0));
CREATE TABLE results (
    key BLOB PRIMARY KEY, status TEXT NOT NULL, lower TEXT, upper TEXT, facts TEXT NOT NULL,
    certificate TEXT, message TEXT, seconds REAL NOT NULL);
"""


@dataclass(frozen=True)
class Task:
    """What a worker needs in order to answer an item, and the version of tallyplan that it must have."""

    key: bytes
    document: str | None
    question: str
    parameters: str
    version: str = __version__


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

    key: bytes
    status: str
    lower: Fraction | None = None
    upper: Fraction | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    certificate: str | None = None
    message: str | None = None
    seconds: float = 0.0

    @property
    def ends(self) -> Interval:
        """The interval of an answer that is a number."""
        assert self.lower is not None
        assert self.upper is not None
        return Interval(self.lower, self.upper)


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
    >>> with tempfile.TemporaryDirectory() as folder, Store(os.path.join(folder, "s"), write=True) as store:
    ...     store.counts()
    []
    """

    def __init__(self, path: AnyPath, *, write: bool = False) -> None:
        self.path = str(path)
        with self._translated_errors():
            self.database = sqlite3.connect(self._address(write), uri=True, timeout=60, isolation_level=None)
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
            words = (words for part, words in REFUSALS.items() if part in str(error))
            raise InvalidInput(f"{self.path} {next(words, 'is not a sound store')}: {error}.") from None
        except InvalidInput:
            raise
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            raise InvalidInput(f"{shown(self.path)} cannot be opened: {error}.") from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._translated_errors():
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield self.database
                self.database.execute("COMMIT")
            except BaseException:
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")
                raise

    def add(self, study: Study) -> list[bytes]:
        """Add what a study asks and the store does not have yet, or nothing; the keys of its items."""
        keys = []
        with self._transaction() as database:
            numbers = {id(instance): self._number(instance) for instance in study.instances}
            for key, instance, asked in study.items():
                database.execute(
                    "INSERT OR IGNORE INTO items (key, instance, question, parameters) VALUES (?, ?, ?, ?)",
                    (key, numbers.get(id(instance)), asked.question.name, asked.text),
                )
                keys.append(key)
        return keys

    def _number(self, instance: Instance) -> int:
        """The number of an instance, which is added unless it is there."""
        bandit = instance.bandit
        found = self.database.execute(
            "INSERT INTO instances (sha256, name, actions, memory, document) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET id = id RETURNING id",
            (bandit.sha256(), instance.name, bandit.actions, bandit.memory, json_text(bandit.to_json())),
        )
        return int(found.fetchone()[0])

    def task(self, key: bytes) -> Task:
        """What a worker needs in order to answer an item."""
        (row,) = self.select(
            "SELECT key, document, question, parameters FROM items "
            "LEFT JOIN instances ON instances.id = items.instance WHERE key = ? LIMIT 1",
            (key,),
        )
        return Task(*row)

    def record(self, results: Iterable[Result]) -> None:
        """Keep results; when this returns they are on the disk. A result that is there already stays."""
        with self._transaction() as database:
            marks = ", ".join("?" * 8)
            database.executemany(f"INSERT OR IGNORE INTO results VALUES ({marks})", map(as_row, results))

    def known(self) -> dict[bytes, Result]:
        """The results by key, in the order of the spec."""
        query = "SELECT results.* FROM items JOIN results USING (key) ORDER BY items.id"
        with read_from(self.path):
            return {row[0]: _result(*row) for row in self.select(query)}

    def forget_failures(self) -> None:
        """Let what failed be asked again."""
        with self._transaction() as database:
            database.execute("DELETE FROM results WHERE status = ?", (FAILED,))

    def counts(self) -> Counts:
        """(question, status, items, seconds) in the order of the questions; status None: to do."""
        return self.select(
            "SELECT items.question, results.status, count(*), total(results.seconds) FROM items "
            "LEFT JOIN results USING (key) GROUP BY 1, 2 ORDER BY min(items.id)"
        )

    def select(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self._translated_errors():
            return self.database.execute(query, values).fetchall()


def as_row(result: Result) -> tuple[Any, ...]:
    """What is stored of a result."""
    ends = (None if end is None else text(end) for end in (result.lower, result.upper))
    facts = json_text(dict(result.facts))
    return (result.key, result.status, *ends, facts, result.certificate, result.message, result.seconds)


def _result(key: bytes, status: str, lower: str | None, upper: str | None, facts: str, *rest: Any) -> Result:
    low, high = (None if end is None else Fraction(end) for end in (lower, upper))
    return Result(key, status, low, high, json.loads(facts), *rest)


@contextmanager
def read_from(path: AnyPath) -> Iterator[None]:
    """Report answers of a store that cannot be read as bad input: the file was changed."""
    try:
        yield
    except (TallyplanError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        raise InvalidInput(
            f"{path} is not a sound store: an answer in it makes no sense ({type(error).__name__})."
        ) from None
