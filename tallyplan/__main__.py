"""`python -m tallyplan` is the `tallyplan` command."""

from tallyplan.interrupts import end_at_once


def main() -> None:
    """The entry point: Ctrl-C while the commands are still being loaded is no traceback either."""
    end_at_once()
    from tallyplan.cli import main as run

    run()


if __name__ == "__main__":
    main()
