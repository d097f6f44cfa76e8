"""`python -m tallyplan` is the `tallyplan` command."""

import sys


def main() -> None:
    """The entry point: Ctrl-C while the commands are still being loaded is no traceback either."""
    try:
        from tallyplan.cli import main as run
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("error: interrupted; nothing was written.", file=sys.stderr)
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
