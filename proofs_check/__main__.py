"""`python -m proofs_check` is `tallyplan verify`; with --record it writes the results into expected.json."""

from __future__ import annotations

import sys

import typer

import proofs_check
from proofs_check.proving import KEEPING
from proofs_check.report import chosen_claims, record
from tallyplan.cli import app
from tallyplan.cli.common import reports_errors, shown_progress


def main(given: list[str]) -> None:
    """Verify these claims, or record what is found about them, and the proofs."""
    if "--record" not in given:
        app(["verify", *given])
    try:
        verify_and_record([one for one in given if one != "--record"])
    except typer.Exit as ending:
        sys.exit(ending.exit_code)


@reports_errors
def verify_and_record(patterns: list[str]) -> None:
    """Write what is found about these claims, and the proofs, over what was recorded."""
    ids = [one.id for one in chosen_claims(patterns)]
    KEEPING.append(True)
    with shown_progress() as progress:
        record(proofs_check.verify(ids, progress=progress))


if __name__ == "__main__":
    main(sys.argv[1:])
