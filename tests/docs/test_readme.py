"""What the README says in Python is true, and what it links to exists (its sessions: test_console.py)."""

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_python_of_the_readme_gives_what_its_comments_say():
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL).group(1)
    names = {}
    compared = 0
    for line in block.splitlines():
        code, _, comment = line.partition("  # ")
        if not code.startswith("tp."):
            exec(code, names)
            continue
        expected = comment.split(": ")[0].strip()
        assert repr(eval(code, names)).startswith(expected.removesuffix("...)"))
        compared += 1
    assert compared >= 5


def test_every_linked_file_exists():
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target
