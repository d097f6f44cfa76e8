"""The version has one place; what repeats it agrees, and what the changelog sends readers to is there."""

import re
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import tallyplan

ROOT = Path(__file__).parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_repeats_the_version_agrees():
    cited = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert [version("tallyplan"), *cited] == [tallyplan.__version__] * 2
    assert re.findall(r"^## \[(.+?)\]", CHANGELOG, re.M)[:2] == ["Unreleased", tallyplan.__version__]


def test_every_module_that_the_changelog_names_as_new_exists():
    rows = re.findall(r"^\| `.+ \| (.+) \|$", CHANGELOG, re.M)
    modules = [module for row in rows for module in re.findall(r"`([\w.]+)`", row)]
    assert modules
    assert [module for module in modules if find_spec(module) is None] == []
