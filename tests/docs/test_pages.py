"""The Python that a page shows gives what its comments say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


PAGES = [
    "questions.md",
    "studies.md",
    "data.md",
    "tutorial.md",
    "learners.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_the_page_gives_what_its_comments_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text(encoding="utf-8")
    for name, content in re.findall(r"^\$ cat (\S+\.json)\n(.*?)^(?:```|\$)", text, re.DOTALL | re.MULTILINE):
        Path(name).write_text(content, encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names, compared = {}, 0
    for block in blocks:
        plain = ""
        for line in block.splitlines():
            code, _, comment = line.partition("  # ")
            if not comment or line.startswith(" "):
                plain += line + "\n"
                continue
            exec(plain, names)
            plain = ""
            assert comment.endswith(repr(eval(code, names)))
            compared += 1
        exec(plain, names)
    assert compared >= 1
