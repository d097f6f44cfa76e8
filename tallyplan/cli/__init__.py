"""The command line. stdout is data; words and progress go to stderr.

Exit status: 0 fine or accepted, 1 refuted or refused, 2 bad input or usage, 3 undecided within the limits.

Other packages add commands: a module that is named in the entry point group `tallyplan.commands` is imported,
and registers what it has on `app`.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    """`app`, the application with all commands."""
    from tallyplan.cli.common import application

    if name == "app":
        return application()
    raise AttributeError(name)
