"""The changelog and the recorded figures, brought into the tree of the site."""

from __future__ import annotations

from pathlib import Path

from building.pages import DOCS, GENERATED, write

PAGES = ("CHANGELOG.md", "benchmarks/RESULTS.md", "benchmarks/RECORDS.md", "benchmarks/large-memory.md")


def bring(folder: Path = GENERATED) -> list[Path]:
    """Copy the pages; links into docs/ become links of the site."""
    listed = "\n".join(name.removesuffix(".md") for name in PAGES)
    write("records.md", f"# Changelog and recorded figures\n\n```{{toctree}}\n{listed}\n```\n", folder)
    return [
        write(name, (DOCS.parent / name).read_text(encoding="utf-8").replace("](../docs/", "](/"), folder)
        for name in PAGES
    ]
