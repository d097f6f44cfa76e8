"""`python -m proofs_check` is `tallyplan verify`; with --record it writes the results into expected.json."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import proofs_check
from proofs_check.proving import KEEPING
from proofs_check.report import chosen_claims, record
from tallyplan.cli import app
from tallyplan.cli.common import shown_progress
from tallyplan.errors import InvalidInput


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of `tallyplan verify` with these arguments; 0 once the verdicts are recorded."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--record" in given:
        return _record([one for one in given if one != "--record"])
    try:
        app(["verify", *given])
    except SystemExit as ending:
        return int(ending.code or 0)
    return 0


def _record(patterns: Sequence[str]) -> int:
    try:
        ids = [one.id for one in chosen_claims(patterns)]
    except InvalidInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    KEEPING.append(True)
    with shown_progress() as progress:
        record(proofs_check.verify(ids, progress=progress))
    return 0


if __name__ == "__main__":
    sys.exit(main())
