"""Files appear whole or not at all, keep their permissions and links, and devices stay devices."""

import errno
import json
import os
import stat
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tallyplan import InvalidInput
from tallyplan.model.files import (
    json_text,
    parse_json,
    read_json,
    read_text,
    require_writable,
    write,
    write_json,
)


def test_a_new_file_has_the_permissions_of_a_new_file_and_an_old_one_keeps_its_own(tmp_path):
    path = tmp_path / "out.json"
    before = os.umask(0o027)
    try:
        write_json(path, [1])
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)
    path.chmod(0o604)
    write_json(path, [2])
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert read_json(path) == [2]
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target.json", tmp_path / "link.json"
    link.symlink_to("folder/target.json")
    for document in ([1], [2]):  # a link to nothing first, then to a file
        write_json(link, document)
        assert link.is_symlink()
        assert read_json(target) == document
    assert [entry.name for entry in target.parent.iterdir()] == ["target.json"]


REFUSED = {
    "a folder": (".", "Is a directory"),
    "nothing": ("", "Is a directory"),
    "in no folder": ("no/such/out", "there is no folder .*such"),
    "in a file": ("file/out", "there is no folder .*file"),
    "links in a circle": ("round", "symbolic links"),
    "a link into no folder": ("astray", "there is no folder .*nowhere"),
    "a name with a zero": ("a\0b", "null"),
    "a name that is too long": ("x" * 300, "too long"),
}


@pytest.mark.parametrize("refuse", [lambda path: write(path, b"new"), require_writable])
@pytest.mark.parametrize("path", REFUSED)
def test_a_place_where_no_file_can_be_is_refused_and_stays(tmp_path, monkeypatch, path, refuse):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("old")
    Path("round").symlink_to("round")
    Path("astray").symlink_to("nowhere/out")
    named, reason = REFUSED[path]
    with pytest.raises(InvalidInput, match=f"cannot be written: .*{reason}"):
        refuse(named)
    assert sorted(os.listdir()) == ["astray", "file", "round"]
    assert Path("file").read_text() == "old"
    assert Path("round").is_symlink()


@pytest.fixture
def somebody_else():
    """Nobody in particular: what root may write says nothing."""
    if os.getuid() == 0:
        os.setresuid(65534, 65534, 0)
        yield
        os.setresuid(0, 0, 0)
    else:
        yield


@pytest.mark.usefixtures("somebody_else")
@pytest.mark.parametrize("refuse", [lambda path: write(path, b"new"), require_writable])
def test_what_is_write_protected_stays(refuse):
    with TemporaryDirectory() as folder:
        path = Path(folder, "out")
        path.write_text("old")
        for protected, usual in ((path, 0o600), (path.parent, 0o700)):
            protected.chmod(0o500)
            with pytest.raises(InvalidInput, match=f"{path} cannot be written: {protected} is write-prot"):
                refuse(path)
            protected.chmod(usual)
        assert path.read_text() == "old"
        assert os.listdir(folder) == ["out"]


@pytest.mark.parametrize("path", ["/dev/full", "/dev/stdout", "/dev/fd/1", "new", "file"])
def test_what_may_be_written_is_not_refused_beforehand(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("old")
    require_writable(path)
    assert os.listdir() == ["file"]
    assert Path("file").read_text() == "old"


def test_a_file_without_end_is_refused():
    with pytest.raises(InvalidInput, match="more than 1000000 bytes"):
        read_text("/dev/zero", most=10**6)


def test_a_pipe_stays_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    content = os.urandom(300_000)  # more than a pipe holds
    write(pipe, content)
    reader.join(timeout=30)
    assert received == [content]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
def test_whatever_stops_the_writing_leaves_the_old_file_alone(tmp_path, monkeypatch, failure):
    path = tmp_path / "out.json"
    path.write_text("old")

    def fail(descriptor):
        raise failure

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((InvalidInput, KeyboardInterrupt)):
        write_json(path, list(range(1000)))
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


def test_integers_may_be_long_when_written_and_are_limited_when_read():
    before = sys.get_int_max_str_digits()
    assert json_text({"value": 10**5000}) == '{"value": 1' + 5000 * "0" + "}"
    assert sys.get_int_max_str_digits() == before
    assert json.loads(json_text([10**3999])) == parse_json(json_text([10**3999]), "x")
    with pytest.raises(InvalidInput, match="more than 4000 digits"):
        parse_json(json_text([10**5000]), "x")
