"""A report to share: claims, constants and regrets on one page."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tallyplan.cli.common import StoreOption, argument, command, flag, option, shown_progress
from tallyplan.errors import InvalidInput
from tallyplan.model.files import require_writable, write

NEEDED = "jinja2, which fills its template: pip install 'tallyplan[report]'"


@command(
    "Examples: `tallyplan report --out report.html`; "
    "`tallyplan report --store report.db --out report.html` (rerun to resume); "
    "`tallyplan report 'lemma-*' --study results.db --out mine.html`"
)
def report(
    out: Annotated[str, option("FILE", "Where to write the page; .html.")],
    claims: Annotated[
        list[str] | None, argument("[CLAIM ...]", "Claim ids or patterns such as 'lemma-*'; all by default.")
    ] = None,
    study: Annotated[
        str | None, option("STORE", "Also show this study, a store of `tallyplan study run`.")
    ] = None,
    thorough: Annotated[bool, flag("--thorough", "Larger search ranges.")] = False,
    store: StoreOption = None,
) -> None:
    """Write a report: one self-contained HTML file.

    The claims with their verdicts and evidence, tables of best constants with a table of losses that attains
    each, the regret of learners next to the bounds of theorems, and versions, hashes and commands. All of it
    is computed when the command runs, or read from its store; this takes some minutes. The exit status is 1
    if a verdict differs from the recorded one.
    """
    path = Path(out)
    if path.suffix.lower() not in (".html", ".htm"):
        raise InvalidInput(f"{out} does not end in .html; a report is an HTML file.")
    require_writable(out)
    if find_spec("jinja2") is None:
        raise InvalidInput(f"a report needs {NEEDED}.")
    from proofs_check.page.contents import Contents, collect, usual_constants, usual_races
    from proofs_check.page.study import shown_study
    from proofs_check.page.writing import page
    from proofs_check.report import chosen_claims, differences

    shown = None if study is None else shown_study(study)
    asked = Contents(tuple(chosen_claims(claims or [])), usual_constants(), usual_races(), thorough)
    options = {"--study": study, "--out": path.name}
    again = [*(claims or []), *(["--thorough"] if thorough else [])]
    again += [word for name, value in options.items() if value is not None for word in (name, value)]
    with shown_progress() as progress:
        contents = collect(asked, store, progress=progress)
        progress("writing the page")
        command = shlex.join(["tallyplan", "report", *again])
        made = page(contents, command=command, study=shown).encode(errors="backslashreplace")
        write(out, made)
    changed = differences(contents.results)
    for sentence in changed:
        print(sentence, file=sys.stderr)
    print(f"wrote {out} ({len(made) / 1e6:.1f} MB)", file=sys.stderr)
    raise typer.Exit(1 if changed else 0)
