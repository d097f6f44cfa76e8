"""The pages docs/adding-a-*.md, followed to the letter in a copy: what they add passes its checks."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["adding-a-learner.md", "adding-a-question.md", "adding-a-kernel.md"]


def steps_of(page):
    """(file, kind of block, its text): a block belongs to the last file named before it."""
    found = []
    parts = re.split(r"```(\w+)\n(.*?)```", page, flags=re.DOTALL)
    named = None
    for prose, kind, block in zip(parts[0::3], parts[1::3], parts[2::3], strict=False):
        files = re.findall(r"`([\w/]+/[\w/]+\.py)`", prose)
        named = files[-1] if files else named
        if kind in ("python", "diff"):
            found.append((named, kind, block))
    return found


def follow(page, folder):
    """Do what the page says; the files that it adds."""
    written = []
    for name, kind, block in steps_of(page):
        path = folder / name
        if kind == "python":
            assert not path.exists(), f"{name} is there already"
            path.write_text(block, encoding="utf-8")
            written.append(name)
        else:
            path.write_text(edited(path.read_text(encoding="utf-8"), block), encoding="utf-8")
    return written


def edited(text, block):
    """Put the lines marked + after the lines before them, which must be there exactly once."""
    lines = block.splitlines(keepends=True)
    kept = "".join(line[1:] for line in lines if not line.startswith("+"))
    assert text.count(kept) == 1, f"not found exactly once:\n{kept}"
    return text.replace(kept, "".join(line[1:] for line in lines))


@pytest.fixture(params=PAGES)
def followed(request, tmp_path):
    """A copy of the project in which a page was followed, and the files that it adds."""
    for name in ("tallyplan", "proofs_check", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "vectors"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path, follow((ROOT / "docs" / request.param).read_text(encoding="utf-8"), tmp_path)


def run(folder, *command):
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{folder / 'tests'}"}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_page_adds_passes_the_linter_and_its_own_tests(followed):
    folder, added = followed
    run(folder, "ruff", "check", *added)
    run(folder, "ruff", "format", "--check", *added)
    tests = [name for name in added if name.startswith("tests/")]
    assert tests
    for name in tests:
        if "__main__" in (folder / name).read_text(encoding="utf-8"):  # it writes the documents that it keeps
            run(folder, name.removesuffix(".py").replace("/", "."))
    run(folder, "pytest", "-p", "no:cacheprovider", *tests)


@pytest.mark.thorough
def test_what_a_page_adds_passes_the_type_checker(followed):
    folder, _ = followed
    run(folder, "mypy", "tallyplan", "proofs_check")
