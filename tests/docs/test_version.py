"""The version has one place; what repeats it agrees, and what the changelog sends readers to is there."""

import re
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import tallyplan

ROOT = Path(__file__).parents[2]
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_installed_version_is_that_of_the_package():
    assert version("tallyplan") == tallyplan.__version__


def test_the_citation_names_the_version():
    (cited,) = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert cited == tallyplan.__version__


def test_the_newest_release_of_the_changelog_is_the_version():
    headings = re.findall(r"^## \[(.+?)\]", CHANGELOG, re.M)
    assert headings[0] == "Unreleased"
    assert headings[1] == tallyplan.__version__


def test_every_module_that_the_changelog_names_as_new_exists():
    rows = re.findall(r"^\| `.+ \| (.+) \|$", CHANGELOG, re.M)
    modules = [module for row in rows for module in re.findall(r"`([\w.]+)`", row)]
    assert modules
    assert [module for module in modules if find_spec(module) is None] == []
