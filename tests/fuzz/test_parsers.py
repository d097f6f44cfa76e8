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
    kept = sorted((HERE / "corpus" / name).iterdir())
    assert kept
    for path in kept:
        data = path.read_bytes()
        for part in (data, data[: len(data) // 2], data[1:], data.replace(b"1", b"0")):
            parsers.hold(parsers.BY_NAME[name], part)


def test_every_parser_accepts_some_of_its_corpus():
    """Otherwise nothing would be read back."""
    for name, parser in parsers.BY_NAME.items():
        parser((HERE / "corpus" / name / "seed-1").read_bytes())
