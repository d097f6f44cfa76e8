"""`python -m tallyplan.check FILE`: one line with the verdict, and an exit status that says the same."""

import argparse
import os
import sys
from collections.abc import Sequence

from . import check

_STATUS = {"accepted": 0, "refused": 1, "undecided": 3}


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one file; 0 accepted, 1 refused, 2 unreadable file, wrong usage or full disk, 3 undecided."""
    parser = argparse.ArgumentParser(prog="check", description="Check a certificate of tallyplan.")
    parser.add_argument("certificate", metavar="FILE", help="the certificate, a JSON file")
    parser.add_argument("--instance", metavar="FILE", help="your instance: the certificate must be about it")
    parser.add_argument("--limit", type=int, default=10**9, metavar="N", help="most edges to evaluate")
    options = parser.parse_args(arguments)
    try:
        verdict = check(options.certificate, instance=options.instance, limit=options.limit)
    except (OSError, ValueError) as error:  # ValueError: a path that no file can have
        print(f"The file cannot be read: {error}", file=sys.stderr)
        return 2
    try:
        print(f"{verdict.status}: {verdict.reason}", flush=True)
    except OSError as error:  # no traceback: its exit status would be that of a refusal
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # a reader who has left can still see the status
            print(f"The verdict cannot be written: {error}", file=sys.stderr)
            return 2
    return _STATUS[verdict.status]


if __name__ == "__main__":
    sys.exit(main())
