"""No page, help text, printed text or public docstring has a word that CONTRIBUTING.md refuses."""

import ast
import inspect
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

from building.reference import every_public_name, found, told

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TABLE = CONTRIBUTING.split("| do not write | write |")[1].split("\n\n")[0]
WORDS = [word for row in TABLE.splitlines()[2:] for word in row.split("|")[1].strip().split(", ")]
TOLD = {"cli", "commands", "paper", "ours"}  # folders whose docstrings are
REFUSED = re.compile(rf"\b({'|'.join(map(re.escape, WORDS))})\b")


def pages():
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        yield page.name, page.read_text(encoding="utf-8")
    yield "CONTRIBUTING.md", CONTRIBUTING.replace(TABLE, "")
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        yield notebook.name, "\n".join("".join(cell["source"]) for cell in cells)


def printed_texts():
    """Every string of the packages but docstrings; those of commands and claims count: they are printed."""
    rooms = ROOT / "tallyplan", ROOT / "proofs_check"
    for path in (path for room in rooms for path in sorted(room.rglob("*.py"))):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
        alone = {id(one.value) for one in nodes if isinstance(one, ast.Expr) and not TOLD & set(path.parts)}
        texts = [
            node.value
            for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone
        ]
        yield str(path.relative_to(ROOT)), "\n".join(texts)
    yield "refuted.toml", (ROOT / "proofs_check" / "refuted.toml").read_text(encoding="utf-8")


def public_docstrings():
    for name in every_public_name():
        thing = found(name)
        members = vars(thing).values() if inspect.isclass(thing) else ()
        yield name, "\n".join([told(name), *(inspect.getdoc(member) or "" for member in members)])


@pytest.mark.parametrize("texts", [pages, printed_texts, public_docstrings])
def test_no_refused_word_is_used(texts):
    found = [(name, *REFUSED.findall(text)) for name, text in texts()]
    assert len(found) > 5
    assert [entry for entry in found if len(entry) > 1] == []


def test_the_list_is_read_and_finds_whole_words_only():
    assert {"for ever", "judges", "dear"} <= set(WORDS)
    assert REFUSED.findall("for every step, endearing; repeated for ever") == ["for ever"]
