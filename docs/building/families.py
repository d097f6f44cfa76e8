"""The page of the families, read off their docstrings and signatures."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from building.docstrings import sections
from building.pages import fenced, plain
from tallyplan.model.families import FAMILIES
from tallyplan.model.families.registry import Family

ABOUT = """# Families of instances

`tallyplan new FAMILY key=value ... > FILE` writes an instance, `tp.make("FAMILY", key=value, ...)` returns
it, and `tallyplan families` lists the families. K = `actions`, m = `memory`, d = `denominator`; $h_x(y)$ is
the loss of arm x when it was played y times in the last m steps, the current one included. Random families
are seeded (`seed=0` unless given), and the same parameters give the same instance on every platform.
Integers are written `3`, rationals `1/3` or `0.25`, lists `0,1,0`."""


def page() -> str:
    """A table of all families, then a section for each."""
    rows = [f"| [{one.name}](#{one.name}) | {plain(one.summary)}. |" for one in FAMILIES.values()]
    table = "\n".join(["| family | what it is |", "|---|---|", *rows])
    return "\n\n".join([ABOUT, table, *(part for one in FAMILIES.values() for part in section(one))]) + "\n"


def section(family: Family) -> Iterator[str]:
    """What is to be said of one family: its docstring, its source and its parameters."""
    (_, text), *_ = sections((inspect.getdoc(family.function) or "").splitlines())
    yield f"## {family.name}"
    for part in "\n".join(text).strip().split("\n\n"):
        if not part.lstrip().startswith(">>>"):
            yield fenced(inspect.cleandoc(part), "text") if part.startswith("    ") else _words(part)
    if family.parameters:
        rows = [f"| `{p.name}` | {p.type} | {p.default_text} | {p.meaning} |" for p in family.parameters]
        yield "\n".join(["| parameter | type | default | meaning |", "|---|---|---|---|", *rows])


def _words(text: str) -> str:
    """Markdown, of which only the names in backticks mean something."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else plain(part) for part in parts)
