"""`python -m proofs_check [CLAIM ...] [--list] [--verdict V] [--json] [--explain] ...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import proofs_check
from proofs_check.report import chosen_claims, record, run
from tallyplan.cli.progress import shown_progress
from tallyplan.errors import InvalidInput


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse, run, and turn bad input into one sentence on stderr and the status 2."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs_check",
        description="Examine the claims of the tallying bandits paper, exactly.",
    )
    parser.add_argument(
        "claims", nargs="*", metavar="CLAIM", help="ids or patterns such as 'lemma-*'; all by default"
    )
    parser.add_argument("--list", action="store_true", help="only the ids, nothing is examined")
    parser.add_argument("--verdict", help="only claims of this verdict (with --list: the recorded one)")
    parser.add_argument("--json", action="store_true", help="print a JSON list, for programs")
    parser.add_argument("--thorough", action="store_true", help="larger boxes, minutes instead of seconds")
    parser.add_argument("--explain", action="store_true", help="tell the whole story of each claim")
    parser.add_argument("--plot", metavar="FILE", help="also draw the claim, as .svg or .png")
    parser.add_argument("--record", action="store_true", help="write the verdicts into expected.json")
    options = parser.parse_args(arguments)
    try:
        with shown_progress() as progress:
            if options.record:
                ids = [one.id for one in chosen_claims(options.claims)]
                record(proofs_check.verify(ids, progress=progress))
                return 0
            return run(
                options.claims,
                as_json=options.json,
                thorough=options.thorough,
                explain=options.explain,
                only_list=options.list,
                verdict=options.verdict,
                plot=options.plot,
                progress=progress,
            )
    except InvalidInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
