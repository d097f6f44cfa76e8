"""The Python that a page shows gives what its comments say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["policies.md", "studies.md", "explicit-graphs.md", "data.md"])
def test_the_python_of_the_page_gives_what_its_comments_say(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    names, compared = {}, 0
    for block in blocks:
        plain = ""
        for line in block.splitlines():
            code, _, comment = line.partition("  # ")
            if not comment:
                plain += line + "\n"
                continue
            exec(plain, names)
            plain = ""
            assert comment.endswith(repr(eval(code, names)))
            compared += 1
        exec(plain, names)
    assert compared >= 1
