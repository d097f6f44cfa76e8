"""The report: what it says is what was derived, it asks nobody for anything, and names cannot run."""

import base64
import hashlib
import html
import json
import re
from html.parser import HTMLParser

import pytest
from small_report import CLAIMS, HOSTILE, hostile_study, small_report, wanted
from typer.testing import CliRunner

import proofs_check
import tallyplan as tp
from proofs_check.kept import examined_and_kept
from proofs_check.outcome import Verdict
from proofs_check.page.contents import collect
from proofs_check.parallel import examined
from proofs_check.report import chosen_claims, expected
from proofs_check.story import HEADINGS, pieces, story
from proofs_check.typesetting import mathml
from tallyplan.cli import app
from tallyplan.formula import Formula
from tallyplan.studies.runners import local_workers
from tallyplan.studies.store import Store

VOID = {"meta", "link", "input", "img", "br", "hr"}


class Page(HTMLParser):
    """Every element with its attributes, its parents and the text directly inside it."""

    def __init__(self, content):
        super().__init__()
        self.open, self.elements = [], []
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        found = {"tag": tag, "text": "", "parents": [one["tag"] for one in self.open], **dict(attributes)}
        self.elements.append(found)
        if tag not in VOID:
            self.open.append(found)

    def handle_endtag(self, tag):
        assert self.open.pop()["tag"] == tag, f"{tag} closes something else"

    def handle_data(self, data):
        if self.open:
            self.open[-1]["text"] += data

    def all(self, tag):
        return [one for one in self.elements if one["tag"] == tag]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    contents, made = small_report(tmp_path_factory.mktemp("report"))
    return contents, made, Page(made)


def test_verdicts_constants_and_losses_are_those_that_were_derived(report):
    contents, _, page = report
    (data,) = [json.loads(one["text"]) for one in page.all("script") if one.get("id") == "data"]
    found = proofs_check.verify([one.id for one in chosen_claims(CLAIMS)])
    assert data["claims"] == {one.claim.id: one.outcome.verdict.value for one in found}
    shown = {one["id"]: None for one in page.all("details") if one.get("id", "").startswith("claim-")}
    assert [f"claim-{id}" for id in data["claims"]] == list(shown)
    assert [row["value"] for row in data["constants"]] == ["1/2", "3/1", "1/2"]
    for game in data["regrets"]:
        bandit = tp.TallyingBandit(game["instance"]["losses"])
        best = tp.optimal_plan(bandit, game["horizon"]).value
        assert game["optimum"] == [f"{best.numerator}/{best.denominator}"] * 2
    hashes = [one["text"] for one in page.all("code")]
    (text,) = [one["text"] for one in page.all("script") if one.get("id") == "data"]
    written = text.replace("\\u003c", "<").encode()
    assert hashlib.sha256(written).hexdigest() in hashes
    assert contents.results[0].outcome.verdict in set(Verdict)


def shown(text):
    """Without its tags."""
    return html.unescape(re.sub("<[^>]*>", "", text))


def test_every_claim_is_told_as_everywhere(report):
    contents, made, page = report
    read = shown(made)
    told = [story(result, recorded=expected()) for result in contents.results]
    names = [HEADINGS[one.name] for sections in told for one in sections]
    assert [one["text"] for one in page.all("dt")] == names
    lines = [line for sections in told for one in sections for line in one.lines]
    for line in lines:
        parts = (
            mathml(Formula(text))
            if kind == "formula"
            else html.escape(text.replace("<=", "≤").replace(">=", "≥"))
            for kind, text in pieces(line.lstrip())
        )
        assert shown("".join(parts)) in read


def test_the_page_is_well_formed_and_refers_to_itself_alone(report):
    _, _, page = report
    assert page.open == []
    names = [one["id"] for one in page.elements if "id" in one]
    assert len(set(names)) == len(names)
    for one in page.elements:
        for name in ("src", "href", "action", "data", "srcset", "poster"):
            assert one.get(name, "#").startswith(("#", "data:image/svg+xml;base64,")), one
    assert not re.search(r"url\(|@import", page.all("style")[0]["text"])


def test_the_policy_allows_the_script_of_the_page_and_nothing_else(report):
    _, _, page = report
    (policy,) = [
        one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    run = [one["text"] for one in page.all("script") if one.get("type") != "application/json"]
    digests = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in run]
    assert re.findall(r"'sha256-([^']+)'", policy) == digests
    assert len(digests) == 1


def test_hostile_names_stay_text(report):
    _, made, page = report
    assert [one for one in page.all("img") if one.get("class") != "chart"] == []
    assert not [name for one in page.elements for name in one if name.startswith("on")]
    assert page.all("title")[0]["text"] == HOSTILE
    assert HOSTILE not in made
    assert "49" not in page.all("title")[0]["text"]


def test_every_picture_is_drawn_and_says_what_it_shows(report):
    _, _, page = report
    pictures = page.all("img")
    assert len(pictures) == 3  # constants, regret, study
    for one in pictures:
        drawn = base64.b64decode(one["src"].partition(",")[2]).decode()
        assert drawn.startswith("<?xml")
        assert "<script" not in drawn
        assert one["alt"]


def test_fields_have_labels_and_tables_have_scopes_and_captions(report):
    _, _, page = report
    labelled = {one.get("for") for one in page.all("label")}
    for field in page.all("input"):
        assert field.get("id") in labelled or "label" in field["parents"]
    assert len(page.all("caption")) == len(page.all("table")) > 4
    assert all(one.get("scope") in ("row", "col") for one in page.all("th"))


def test_what_a_store_has_is_not_asked_again(tmp_path, monkeypatch):
    examined_and_kept(wanted().claims, tmp_path / "r.db")  # as `verify --store` does
    known = []

    def watched(chosen, have, **options):
        known.append(set(have))
        return examined(chosen, have, **options)

    monkeypatch.setattr("proofs_check.kept.examined", watched)
    collect(wanted(), tmp_path / "r.db", jobs=1)
    assert known == [{one.id for one in wanted().claims}]
    with Store(tmp_path / "r.db", write=True) as store:  # a planted answer shows who was asked
        planted = store.database.execute(
            "UPDATE results SET lower = '7/1', upper = '7/1' WHERE upper = '3/1'"
        )
        assert planted.rowcount == 1
    again = collect(wanted(), tmp_path / "r.db", jobs=1)
    assert [str(row.value) for row in again.constants[0].rows] == ["1/2", "7", "1/2"]


def test_the_command_writes_the_page_and_names_itself(tmp_path, monkeypatch):
    monkeypatch.setattr("proofs_check.page.contents.usual_constants", lambda: wanted().constants)
    monkeypatch.setattr("proofs_check.page.contents.usual_races", lambda: wanted().races)
    monkeypatch.setattr("proofs_check.page.contents.local_workers", lambda jobs: local_workers(1))
    hostile_study(tmp_path / "my study.db")
    study, out = str(tmp_path / "my study.db"), str(tmp_path / "report.html")
    done = CliRunner().invoke(app, ["report", *CLAIMS, "--study", study, "--out", out])
    assert done.exit_code == 0
    assert f"wrote {out}" in done.stderr
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    command = f"tallyplan report lemma-2 'algorithm-2*' --study '{study}' --out report.html"
    assert command in [one["text"] for one in page.all("code")]


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("report.pdf", "does not end in .html"),
        ("none/report.html", "there is no folder"),
        ("report.html", "pip install 'tallyplan[report]'"),
    ],
)
def test_a_wrong_suffix_and_missing_libraries_are_sentences(tmp_path, monkeypatch, out, sentence):
    monkeypatch.setattr("proofs_check.commands.report.find_spec", lambda name: None)
    result = CliRunner().invoke(app, ["report", "--out", str(tmp_path / out)])
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert list(tmp_path.iterdir()) == []
