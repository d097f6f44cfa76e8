"""The store: refuses what is not one, stays as it was when something is refused."""

import hashlib
import resource
import sqlite3
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from small_study import CODE, ENVIRONMENT, ITEMS, RUN, csv_of, run_here

from tallyplan import InvalidInput
from tallyplan.studies.spec import Study, read_spec
from tallyplan.studies.store import APPLICATION, Result, Store


def make_database(path, *statements):
    with sqlite3.connect(path) as database:
        for statement in statements:
            database.execute(statement)


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("text.db", "is not a sound store"),
        ("other.db", "a database of something else"),
        ("newer.db", "a store of version 9"),
        ("hollow.db", "is not a sound store"),
        (".", "cannot be opened"),
        ("\ud800.db", "no file|cannot be opened"),
        ("no/such/folder/x.db", "no file|cannot be opened"),
    ],
)
def test_what_is_no_store_is_refused_and_stays_as_it_is(tmp_path, monkeypatch, name, words, write):
    monkeypatch.chdir(tmp_path)
    Path("text.db").write_text("not a database at all, but long enough to look like one" * 100)
    make_database("other.db", "CREATE TABLE cats (name)")
    make_database("newer.db", f"PRAGMA application_id = {APPLICATION}", "PRAGMA user_version = 9")
    make_database("hollow.db", f"PRAGMA application_id = {APPLICATION}", "PRAGMA user_version = 2")
    before = hashlib.sha256(Path(name).read_bytes()).digest() if Path(name).is_file() else None
    with pytest.raises(InvalidInput, match=words) as refusal, Store(name, write=write) as store:
        store.counts()
    assert "\n" not in str(refusal.value)
    if before is not None:
        assert hashlib.sha256(Path(name).read_bytes()).digest() == before


def test_reading_changes_nothing(spec):
    run_here(spec)
    before = Path("results.db").read_bytes()
    csv_of("results.db")
    with Store("results.db") as store:
        store.counts()
        with pytest.raises(InvalidInput, match="readonly"):
            store.record([Result(b"key", "exact")])
    assert Path("results.db").read_bytes() == before


def test_an_interrupted_addition_leaves_nothing(spec, monkeypatch):
    study = read_spec(spec, CODE)

    def breaking(self, items=Study.items):
        yield from islice(items(self), 20)
        raise KeyboardInterrupt

    with Store("r.db", write=True) as store:
        monkeypatch.setattr(Study, "items", breaking)
        with pytest.raises(KeyboardInterrupt):
            store.add(study)
        monkeypatch.undo()
        assert store.select("SELECT count(*) FROM items") == [(0,)]
        store.add(study)
        store.add(study)
        assert store.select("SELECT count(*) FROM items") == [(ITEMS,)]


def test_a_full_disk_is_told_and_costs_nothing_that_was_done(spec):
    """A limit on the size of files stands for the disk."""
    run_here(spec, "whole.db")
    expected = csv_of("whole.db")
    command = [*RUN, "r.db", "--jobs", "1"]

    def little_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

    options: dict[str, Any] = {"env": ENVIRONMENT, "capture_output": True, "text": True}
    refused = subprocess.run(command, preexec_fn=little_room, **options)
    assert refused.returncode == 2, refused.stderr
    sentence = refused.stderr.strip().splitlines()[-1]
    assert "no room" in sentence or "cannot be" in sentence, refused.stderr
    kept = 0
    if Path("r.db").exists():
        with Store("r.db", write=True) as store:
            ((kept,),) = store.select("SELECT count(*) FROM results")
    done = subprocess.run(command, **options)
    assert f"{ITEMS - kept} answered now" in done.stdout, (done.stdout, done.stderr)
    assert csv_of("r.db") == expected
