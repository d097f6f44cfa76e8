"""The notebooks, brought into the tree of the site, where they are executed."""

from __future__ import annotations

from pathlib import Path

from building.pages import DOCS, GENERATED, write

NOTEBOOKS = DOCS.parent / "notebooks"


def bring(folder: Path = GENERATED) -> list[Path]:
    """Copy every notebook; links that lead out of its folder become links of the site."""
    listed = "```{toctree}\n:glob:\n\n*-*\n```"
    told = "Executed while this site was built; the sources are in `notebooks/` of the repository."
    write("notebooks/index.md", f"# Notebooks\n\n{told}\n\n{listed}\n", folder)
    return [
        write(f"notebooks/{path.name}", path.read_text(encoding="utf-8").replace("](../docs/", "](/"), folder)
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    ]
