"""What the README and the pages show on the console is what the commands print; `building.sessions` says how.

`python docs/building/sessions.py PAGE ...` writes what they print now into the pages.
"""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from building import sessions

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LONG = {"constants.md", "large-memory.md"}
WITH_SESSIONS = {
    page: text for page in PAGES for text in [page.read_text(encoding="utf-8")] if sessions.sessions(text)
}


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.thorough] if page.name in LONG else []) for page in WITH_SESSIONS],
    ids=lambda page: page.name,
)
def test_the_console_sessions_of_the_page_are_real(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert sessions.differing(WITH_SESSIONS[page]) == []


def test_prompts_are_found_and_a_wrong_answer_is_noticed_and_mended(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert {"README.md", "tutorial.md"} <= {page.name for page in WITH_SESSIONS}
    page = "```console\n$ tallyplan new stochastic > s.json\n$ cat w\n01\n$ tallyplan learners\nnobody\n```\n"
    page = page.replace("stochastic", "counterexample-3")
    assert len(sessions.differing(page)) == 1
    mended = sessions.rewritten(page)
    assert "nobody" not in mended
    assert sessions.differing(mended) == []
    with pytest.raises(ValueError, match="only tallyplan and cat"):
        sessions.printed("rm -r .", [])
