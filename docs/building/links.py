"""Pages are read in the repository and on the site; links that leave docs/ lead elsewhere on the site."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from building.pages import DOCS

ON_THE_SITE = {
    "../README.md": "index.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../CHANGELOG.md": "generated/CHANGELOG.md",
    "../benchmarks/": "generated/benchmarks/",
    "../notebooks/": "generated/notebooks/",
}


def within_the_site(app: Any, docname: str, source: list[str]) -> None:
    """What Sphinx calls with the text of every page."""
    source[0] = rewritten(source[0], docname)
    if docname == "index":
        source[0] = with_other_pages(source[0], [path.stem for path in sorted(DOCS.glob("*.md"))])


def with_other_pages(text: str, pages: Iterable[str]) -> str:
    """The front page with the pages that it does not list, or without a place for them if there are none.

    >>> with_other_pages("```{toctree}\\n:caption: More\\n\\nOTHER PAGES\\n```\\n", ["play", "index"])
    '```{toctree}\\n:caption: More\\n\\nplay\\n```\\n'
    """
    listed = {"index", *text.splitlines()}
    others = [page for page in pages if page not in listed]
    if others:
        return text.replace("OTHER PAGES", "\n".join(others))
    return re.sub(r"```\{toctree\}\n(?::.*\n)*\nOTHER PAGES\n```\n", "", text)


def rewritten(text: str, docname: str) -> str:
    """The text with the links of a page in docs/ as the site needs them.

    >>> rewritten("[it](../notebooks/04-se-tb.ipynb)", "se-tb")
    '[it](generated/notebooks/04-se-tb.ipynb)'
    >>> rewritten("[it](../../CONTRIBUTING.md)", "howto/plan")
    '[it](../contributing.md)'
    """
    up = "../" * docname.count("/")
    for outside, inside in ON_THE_SITE.items():
        text = re.sub(rf"\]\({re.escape(up + outside)}", f"]({up}{inside}", text)
    return text
