"""The version has one place; what repeats it agrees."""

import re
from importlib.metadata import version
from pathlib import Path

import tallyplan

ROOT = Path(__file__).parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_repeats_the_version_agrees():
    cited = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert [version("tallyplan"), *cited] == [tallyplan.__version__] * 2
    assert re.findall(r"^## \[(.+?)\]", CHANGELOG, re.M)[:2] == ["Unreleased", tallyplan.__version__]
