"""The kept inputs of the fuzzer hold for every parser, and so do their first halves."""

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("parsers", HERE / "parsers.py")
parsers = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(parsers)


@pytest.mark.parametrize("name", parsers.BY_NAME)
def test_the_corpus_breaks_no_parser(name):
    kept = [path for folder in parsers.corpus(name) for path in sorted(folder.iterdir())]
    read = 0
    for path in kept:
        data = path.read_bytes()
        read += parsers.hold(parsers.BY_NAME[name], data)
        for part in (data[: len(data) // 2], data[1:], data.replace(b"1", b"0")):
            parsers.hold(parsers.BY_NAME[name], part)
    assert read  # otherwise nothing would be read back
