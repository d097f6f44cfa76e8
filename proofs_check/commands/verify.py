"""The claims of the paper."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from tallyplan.cli.common import AsJson, StoreOption, app, completed_from, reports_errors, shown_progress


def _claims() -> Iterable[str]:
    from proofs_check import claims

    return (one.id for one in claims())


@app.command(
    epilog="Examples: `tallyplan verify 'lemma-*'`; `tallyplan verify --list --verdict refuted`; "
    "`tallyplan verify lemma-3 --explain`; `tallyplan verify theorem-1 --plot regions.svg`; "
    "`tallyplan verify lemma-3 --latex lemma-3.tex`; "
    "`tallyplan verify --thorough --store verdicts.db` (rerun to resume)"
)
@reports_errors
def verify(
    claims: Annotated[
        list[str] | None,
        typer.Argument(
            help="Claim ids, patterns such as 'lemma-*', my_file.py or module:function; all by default.",
            metavar="[CLAIM ...]",
            autocompletion=completed_from(_claims),
        ),
    ] = None,
    only_list: Annotated[bool, typer.Option("--list", help="Only the ids; nothing is examined.")] = False,
    verdict: Annotated[
        str | None,
        typer.Option(metavar="VERDICT", help="Only claims of this verdict; with --list, the recorded one."),
    ] = None,
    as_json: AsJson = False,
    thorough: Annotated[bool, typer.Option("--thorough", help="Larger search ranges; takes longer.")] = False,
    formal: Annotated[
        bool, typer.Option("--formal", help="Also compile the proofs in Rocq; takes a minute.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Explain each claim in full.")] = False,
    plot: Annotated[
        str | None,
        typer.Option(metavar="PICTURE", help="Also draw the claim; .svg, .png or .pdf."),
    ] = None,
    latex: Annotated[
        str | None,
        typer.Option(metavar="OUT", help="Also write the explanation to this file, as a LaTeX appendix."),
    ] = None,
    store: StoreOption = None,
) -> None:
    """Check the claims of the paper: proved, argued, checked, refuted with a witness, or undecided.

    Each line gives the best constant or the repair of a claim; --explain gives everything. A refuted claim of
    the paper is a finding, not a failure: the exit status is 1 only if a verdict differs from the one
    recorded in the package, or if an examination ended with an error. Only the kernel makes a claim
    "proved (kernel)". With --formal the theorems in Rocq are compiled again, and compared with the claims
    beside which they are named.
    """
    from proofs_check.report import run

    with shown_progress() as progress:
        status = run(
            claims or [],
            as_json=as_json,
            thorough=thorough,
            explain=explain,
            only_list=only_list,
            verdict=verdict,
            formal=formal,
            plot=plot,
            latex=latex,
            store=store,
            progress=progress,
        )
    for path in filter(None, (plot, latex)):
        print(f"wrote {path}", file=sys.stderr)
    raise typer.Exit(status)
