"""The claims of the paper."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from tallyplan.cli.common import AsJson, StoreOption, argument, command, flag, option, shown_progress
from tallyplan.errors import InvalidInput
from tallyplan.model.files import require_writable, write


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
    or if an examination ended with an error.
    """
    from proofs_check import report
    from proofs_check.kept import examined_and_kept
    from proofs_check.latex import appendix
    from proofs_check.outcome import Verdict

    asked, explain = claims or [], explain or steps
    if only_list and (plot or latex):
        raise InvalidInput("--list examines nothing: there is nothing for --plot or --latex to write.")
    if latex is not None:
        require_writable(latex)
    if explain and as_json:
        raise InvalidInput("--explain is for people and --json is for programs; choose one of them.")
    if verdict is not None and verdict not in set(Verdict):
        raise InvalidInput(f"there is no verdict {verdict!r}; there are: {', '.join(Verdict)}.")
    chosen = report.chosen_claims(asked, whole=explain or latex is not None)
    if only_list:
        known = report.expected()
        ids = [one.id for one in chosen if verdict in (None, known.get(one.id))]
        print(json.dumps(ids, indent=2) if as_json else "\n".join(ids))
        return
    if plot is not None and len(asked) != 1:
        raise InvalidInput("--plot draws one claim; name it.")
    with shown_progress() as progress:
        if plot is not None:
            progress(f"{asked[0]}: drawing {plot}")
            report.draw(asked[0], plot)
        results = examined_and_kept(chosen, store, thorough=thorough, progress=progress)
    changed = report.differences(results, thorough=thorough)
    kept = [result for result in results if verdict in (None, result.outcome.verdict)]
    if latex is not None:
        write(latex, appendix(kept, report.expected()).encode())
    if as_json:
        print(json.dumps([report.as_document(result) for result in kept], indent=2))
    else:
        told = [report.explanation(result, steps) for result in kept] if explain else None
        report.print_for_people(kept, changed, told)
    for path in filter(None, (plot, latex)):
        print(f"wrote {path}", file=sys.stderr)
    raise typer.Exit(1 if changed else 0)
