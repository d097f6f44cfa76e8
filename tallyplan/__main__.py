"""`python -m tallyplan` is the `tallyplan` command."""

import io
import os
import sys


def main() -> None:
    """The entry point; Ctrl-C gives no traceback, even while the commands are being loaded."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show
    try:
        from tallyplan.cli.common import application

        application(*sys.argv[1:2])()
    except KeyboardInterrupt:
        os.write(2, b"error: interrupted.\n")
        os._exit(130)
    except OSError as error:  # --help on a full disk
        from tallyplan.cli.common import BAD_INPUT, complaint, drop_output

        drop_output()
        sys.exit(complaint(f"the system refused: {error.strerror}.", BAD_INPUT).exit_code)


if __name__ == "__main__":
    main()
