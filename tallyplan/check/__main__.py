"""`python -m tallyplan.check FILE`: one line with the verdict, and an exit status that says the same."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from . import check

_STATUS = {"accepted": 0, "refused": 1, "undecided": 3}
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one file; 0 accepted, 1 refused, 2 unreadable file, wrong usage or full disk, 3 undecided.

    Nothing else may end with 1, which says that the certificate is refused: not a full disk, nor Ctrl-C.
    """
    try:
        return _checked(arguments)
    except OSError as error:
        return _complain(f"The file cannot be read: {error}", 2)
    except KeyboardInterrupt:
        return _complain("Interrupted.", _INTERRUPTED)


def _checked(arguments: Sequence[str] | None) -> int:
    import argparse  # here, where Ctrl-C is no traceback

    parser = argparse.ArgumentParser(prog="check", description="Check a certificate of tallyplan.")
    parser.add_argument("certificate", metavar="FILE", help="the certificate, a JSON file")
    parser.add_argument("--instance", metavar="FILE", help="your instance: the certificate must be about it")
    parser.add_argument("--limit", type=int, default=10**9, metavar="N", help="most steps to take")
    options = parser.parse_args(arguments)
    verdict = check(options.certificate, instance=options.instance, limit=options.limit)
    try:
        print(f"{verdict.status}: {verdict.reason}", flush=True)
        if verdict:
            return _complain(f"checked by {verdict.by}", 0)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # a reader who has left can still see the status
            return _complain(f"The verdict cannot be written: {error}", 2)
    return _STATUS[verdict.status]


def _complain(sentence: str, status: int) -> int:
    """The sentence on standard error, unless that is closed or full; the status in any case."""
    with suppress(OSError):
        if sys.stderr is not None:  # `print` would take None for standard output
            print(sentence, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
