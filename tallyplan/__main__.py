"""`python -m tallyplan` is the `tallyplan` command."""

import os


def main() -> None:
    """The entry point: Ctrl-C while the commands are still being loaded is no traceback either."""
    try:
        from tallyplan.cli import main as run

        run()
    except KeyboardInterrupt:
        os.write(2, b"error: interrupted.\n")
        os._exit(130)


if __name__ == "__main__":
    main()
