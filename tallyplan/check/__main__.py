"""`python -m tallyplan.check FILE`: one line with the verdict, and an exit status that says the same."""

import os
import sys
from argparse import ArgumentParser

from . import LIMIT, check


def main(arguments: list[str] | None = None) -> int:
    """Check one file; 0 accepted, 1 refused, 2 unreadable file, wrong usage or full disk, 3 undecided."""
    parser = ArgumentParser(prog="check", description="Check a certificate of tallyplan.")
    parser.add_argument("certificate", metavar="FILE", help="the certificate, a JSON file")
    parser.add_argument("--instance", metavar="FILE", help="your instance: the certificate must be about it")
    parser.add_argument("--limit", type=int, default=LIMIT, metavar="N", help="most steps to take")
    options = parser.parse_args(arguments)
    try:
        verdict = check(options.certificate, instance=options.instance, limit=options.limit)
    except OSError as error:
        parser.exit(2, f"The file cannot be read: {error}\n")
    try:
        print(f"{verdict.status}: {verdict.reason}", flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python, ending, writes once more
        parser.exit(2, f"The verdict cannot be written: {error}\n")
    if verdict:
        print(f"checked by {verdict.by}", file=sys.stderr)
    return {"accepted": 0, "refused": 1, "undecided": 3}[verdict.status]


if __name__ == "__main__":
    sys.exit(main())
