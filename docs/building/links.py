"""Pages are read in the repository and on the site; links that leave docs/ lead elsewhere on the site."""

from __future__ import annotations

import re
from typing import Any

ON_THE_SITE = {
    "../README.md": "index.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../CHANGELOG.md": "changelog.md",
    "../benchmarks/RESULTS.md": "results.md",
    "../notebooks/": "generated/notebooks/",
}


def within_the_site(app: Any, docname: str, source: list[str]) -> None:
    """What Sphinx calls with the text of every page."""
    source[0] = rewritten(source[0], docname)


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
