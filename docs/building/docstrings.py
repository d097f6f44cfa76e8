"""Our docstrings for Sphinx: Markdown with the sections of numpydoc, `name : what it is` in each line.

`for_sphinx` is called by autodoc with the lines of a docstring, and makes reStructuredText of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

LISTS = ("Parameters", "Attributes", "Raises", "See Also")
SECTIONS = (*LISTS, "Returns", "References", "Notes", "Examples")


def for_sphinx(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Replace the lines by reStructuredText; the arguments are those of autodoc."""
    lines[:] = converted(lines)


def converted(lines: Sequence[str]) -> list[str]:
    """The docstring in reStructuredText.

    >>> lines = ["The `word` of a*b.", "", "Parameters", "----------", "word : actions,", "    oldest first."]
    >>> print(*converted(lines), sep="\\n")
    The ``word`` of a\\*b.
    <BLANKLINE>
    <BLANKLINE>
    .. rubric:: Parameters
    <BLANKLINE>
    - ``word``: actions, oldest first.
    <BLANKLINE>
    """
    return [line for title, body in sections(lines) for line in (*_titled(title), *_body(title, body))]


def sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The docstring in parts: ("", the text before all sections), and the sections by their title."""
    title, body = "", list[str]()
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line in SECTIONS and re.fullmatch("-{3,}", following):
            yield title, body
            title, body = line, []
        elif title in LISTS and line.startswith(">>> "):
            yield title, body
            title, body = "", [line]
        elif not (title and not body and re.fullmatch("-{3,}", line)):
            body.append(line)
    yield title, body


def _titled(title: str) -> list[str]:
    return [f".. rubric:: {title.replace('Also', 'also')}", ""] if title else []


def _body(title: str, body: list[str]) -> Iterator[str]:
    if title not in LISTS:
        yield from _text(body)
        return
    for names, told in entries(body):
        marked = [f":py:obj:`{name}`" if title == "See Also" else f"``{name}``" for name in names]
        yield f"- {', '.join(marked)}: {inline(told)}" if told else f"- {', '.join(marked)}"
    yield ""


def entries(body: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """The entries `a, b : what they are` of a section; indented lines belong to the one above."""
    found: list[list[str]] = []
    for line in body:
        if line.strip() and not line.startswith(" "):
            found.append([line])
        elif line.strip() and found:
            found[-1].append(line.strip())
    for lines in found:
        names, _, told = " ".join(lines).partition(" : ")
        yield [name.strip() for name in names.split(",")], told


def _text(lines: Sequence[str]) -> Iterator[str]:
    """Paragraphs and lists with code marked, indented blocks as they are, examples set off."""
    inside = ""  # of an example or of an indented block
    for number, line in enumerate(lines):
        if not line.strip():
            inside = "" if inside == "example" or _ends(lines, number) else inside
            yield ""
        elif inside or line.startswith((">>> ", "    ")):
            if not inside:
                inside = "example" if line.startswith(">>> ") else "block"
                yield from ("",) if inside == "example" else ("", "::", "")
            yield line
        else:
            yield inline(line)
    yield ""


def _ends(lines: Sequence[str], number: int) -> bool:
    """Whether an indented block ends at this empty line."""
    following = next((line for line in lines[number:] if line.strip()), "")
    return not following.startswith("    ")


def inline(text: str) -> str:
    r"""Code is marked, and no other character means anything.

    >>> inline("`a`s of |b|, c_ and 2*d")
    '``a``\\ s of \\|b\\|, c\\_ and 2\\*d'
    """
    parts = text.split("`")
    plain = [re.sub(r"([\\*|]|_\b)", r"\\\1", part) for part in parts[::2]]
    told = plain[0]
    for code, after in zip(parts[1::2], plain[1:], strict=False):
        told += f"``{code}``" + (r"\ " if after[:1].isalnum() else "") + after
    return told
