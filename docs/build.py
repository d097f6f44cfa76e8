"""Build the site, for `make docs`: generate what nobody types, run Sphinx, look at what came out."""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from building import built, claims, commands, families, notebooks, records, reference  # noqa: E402
from building.pages import GENERATED, write  # noqa: E402

import proofs_check  # noqa: E402
from proofs_check.kept import examined_and_kept  # noqa: E402
from tallyplan.cli import app  # noqa: E402

OUT = HERE / "_build" / "html"


def generate(store: str | None) -> None:
    """Everything below docs/generated."""
    print("examining the claims", flush=True)
    claims.write_pages(examined_and_kept(proofs_check.claims(), store))
    write("commands.md", commands.page(app))
    write("families.md", families.page())
    reference.write_pages()
    notebooks.bring()
    records.bring()
    _mathjax()


def _mathjax() -> None:
    """MathJax in one file, so that no page asks the network for it."""
    found = importlib.util.find_spec("sphinx-mathjax-offline")
    if found is None or found.origin is None:
        sys.exit("sphinx-mathjax-offline is not installed; `make docs` does that.")
    target = GENERATED / "static" / "mathjax" / "tex-svg.js"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(Path(found.origin).parent / "static" / "mathjax" / "tex-svg.js", target)


def main() -> int:
    """0 if the site was built without a warning and nothing in it is missing or fetched."""
    parser = argparse.ArgumentParser(description="Build the site into docs/_build/html.")
    words = "keep what is found about the claims in this file, and do not examine them again next time"
    parser.add_argument("--store", metavar="FILE", help=words)
    generate(parser.parse_args().store)
    # Everything anew (-E -a): an unchanged page hides its warnings and keeps an old table of contents.
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-E",
        "-a",
        "-W",
        "--keep-going",
        "-n",
        "-j",
        "auto",
        "-b",
        "html",
    ]
    status = subprocess.run([*command, str(HERE), str(OUT)], check=False).returncode
    faults = built.faults(OUT) if status == 0 else []
    for fault in faults:
        print(fault, file=sys.stderr)
    if status == 0 and not faults:
        print(f"the site is in {OUT.relative_to(HERE.parent)}/index.html")
    return 1 if faults else status


if __name__ == "__main__":
    sys.exit(main())
