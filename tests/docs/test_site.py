"""What `make docs` does not refuse by itself: what generated pages say, and the rules for public names."""

import doctest
import importlib
import re
import sys
from pathlib import Path

import pytest
import typer

import proofs_check
import tallyplan
from proofs_check import bayes, worst_case
from tallyplan.cli import app
from tallyplan.model.families import FAMILIES

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))

from building import built, claims, commands, docstrings, families, links, pages, reference

IDS = ["lemma-4/five-s", "counterexample-3/traditional-regret"]


@pytest.fixture(scope="module")
def results():
    return proofs_check.verify(IDS)


@pytest.mark.parametrize("module", [docstrings, links, pages], ids=lambda module: module.__name__)
def test_the_examples_of_the_builders_are_real(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


def test_the_page_of_a_claim_tells_its_whole_story(results):
    known = {result.claim.id: result for result in results}
    proved, refuted = (claims.page(result, known) for result in results)
    assert "# lemma-4/five-s" in proved
    assert "then $4 + (r - 1) \\le 5\\,r$." in proved
    assert "## Best constant" in proved
    assert '<span class="verdict refuted">refuted (false)</span>' in refuted
    assert "## Witness" in refuted
    assert "## Repair" in refuted
    assert "`tallyplan verify counterexample-3/traditional-regret --json`" in refuted
    for result, page in zip(results, (proved, refuted), strict=True):
        steps = result.outcome.evidence.steps
        assert [int(one) for one in re.findall(r"^(\d+)\. ", page, re.M)] == list(range(1, len(steps) + 1))


def test_every_command_has_a_section_with_its_options():
    text = commands.page(app)
    names = [name for name, _ in commands.commands(typer.main.get_command(app), "tallyplan")]
    assert {"tallyplan plan", "tallyplan verify", "tallyplan study run"} <= set(names)
    parts = re.split(r"^#+ (tallyplan .*)$", text, flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert list(sections) == names
    for name, section in sections.items():
        assert len(section.split()) >= 10, name
    assert "| `--latex OUT` |" in sections["tallyplan verify"]


def public(module):
    return {f"{module.__name__}.{name}" for name in module.__all__}


def test_the_reference_has_every_public_name():
    listed = reference.every_public_name()
    assert len(listed) == len(set(listed))
    checker = importlib.import_module("tallyplan.check")
    homes = {"tallyplan.check.check": "tallyplan.check"}  # the function has the name of its package
    expected = {
        homes.get(name, name)
        for module in (tallyplan, proofs_check, worst_case, bayes, checker)
        for name in public(module)
    }
    assert expected - set(listed) == set()


@pytest.mark.parametrize("name", reference.every_public_name())
def test_a_public_name_has_an_example_and_refers_to_public_names(name):
    told = reference.told(name).splitlines()
    assert any(line.strip().startswith(">>> ") for line in told)
    sections = dict(docstrings.sections(told))
    seen = [other for others, _ in docstrings.entries(sections.get("See Also", [])) for other in others]
    assert set(seen) <= set(reference.every_public_name())


def test_data_without_a_docstring_are_told_truly():
    runner, finder = doctest.DocTestRunner(), doctest.DocTestParser()
    for name, told in reference.DATA.items():
        runner.run(finder.get_doctest(told, {}, name, None, None))
    assert runner.summarize(verbose=False).attempted >= 4
    assert runner.summarize(verbose=False).failed == 0


def test_what_was_built_is_looked_at(tmp_path):
    (tmp_path / "b.html").write_text('<p id="here"></p>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">x</a><a href="b.html#there">x</a><a href="c.html">x</a>'
        '<a href="https://example.org">x</a><script src="https://example.org/x.js"></script>'
        '<img src="no.png">'
    )
    assert sorted(built.faults(tmp_path)) == [
        "a.html: links to b.html#there, and there is no such place on that page",
        "a.html: links to c.html, which is not there",
        "a.html: loads https://example.org/x.js from elsewhere",
        "a.html: loads no.png, which is not there",
    ]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_the_page_of_the_families_describes_each_with_its_parameters(family):
    sections = re.split(r"^## ", families.page(), flags=re.MULTILINE)
    [section] = [text for text in sections if text.startswith(f"{family.name}\n")]
    assert pages.plain(family.summary) in section
    assert "Source: " in section
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == [one.name for one in family.parameters]
