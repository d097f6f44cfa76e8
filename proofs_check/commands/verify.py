"""The claims of the paper."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from tallyplan.cli.common import (
    AsJson,
    StoreOption,
    argument,
    command,
    flag,
    option,
    shown_progress,
)


@command(
    "Examples: `tallyplan verify 'lemma-*'`; `tallyplan verify --list --verdict refuted`; "
    "`tallyplan verify lemma-3 --explain`; `tallyplan verify theorem-1 --plot regions.svg`; "
    "`tallyplan verify lemma-3 --latex lemma-3.tex`; "
    "`tallyplan verify --thorough --store verdicts.db` (rerun to resume)"
)
def verify(
    claims: Annotated[
        list[str] | None,
        argument(
            "[CLAIM ...]",
            "Claim ids, patterns such as 'lemma-*', my_file.py or module:function; all by default.",
        ),
    ] = None,
    only_list: Annotated[bool, flag("--list", "Only the ids; nothing is examined.")] = False,
    verdict: Annotated[
        str | None, option("VERDICT", "Only claims of this verdict; with --list, the recorded one.")
    ] = None,
    as_json: AsJson = False,
    thorough: Annotated[bool, flag("--thorough", "Larger search ranges; takes longer.")] = False,
    formal: Annotated[bool, flag("--formal", "Also compile the proofs in Rocq; takes a minute.")] = False,
    explain: Annotated[bool, flag("--explain", "Explain each claim in full.")] = False,
    steps: Annotated[bool, flag("--steps", "Explain, with the premises of every step.")] = False,
    plot: Annotated[str | None, option("PICTURE", "Also draw the claim; .svg, .png or .pdf.")] = None,
    latex: Annotated[
        str | None, option("OUT", "Also write the explanation to this file, as a LaTeX appendix.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Examine the claims of the paper, or your own: proved, argued, checked, refuted or undecided.

    Proved: a small kernel rebuilds the proof, or Rocq proves the formula. Argued: in words, beside
    what was evaluated. Each line gives the best constant or the repair of a
    claim; --explain explains it in full, and --steps adds the premises of every step. A refuted claim of the
    paper is a finding, not a failure: the exit status is 1 only if a verdict differs from the recorded one,
    or if an examination ended with an error. --formal compiles the theorems in Rocq again.
    """
    from proofs_check.report import run

    with shown_progress() as progress:
        status = run(
            claims or [],
            as_json=as_json,
            thorough=thorough,
            explain=explain,
            steps=steps,
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
