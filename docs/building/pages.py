"""Writing generated pages into docs/generated, only where something changed, so that Sphinx reads no more."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[1]
GENERATED = DOCS / "generated"


def write(name: str, text: str, folder: Path = GENERATED) -> Path:
    """Write a page, unless it says the same already."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    return path


def plain(text: str) -> str:
    """Words in Markdown, no character of which means anything.

    >>> plain("h_x(y) <= a*b")
    'h\\\\_x(y) \\\\<= a\\\\*b'
    """
    return re.sub(r"([\\`*_{}\[\]<>#|$~^])", r"\\\1", text)


def fenced(text: str, language: str = "") -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```\n"
