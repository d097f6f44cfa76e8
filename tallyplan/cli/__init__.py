"""The command line. stdout is data; words and progress go to stderr.

Exit status: 0 fine or accepted, 1 refuted or refused, 2 bad input or usage, 3 undecided within the limits.
"""

# In the order of --help.
from tallyplan.cli import planning, instances, play, claims, constants, minimax  # isort: skip
from tallyplan.cli.common import app

__all__ = ["app", "claims", "constants", "instances", "main", "minimax", "planning", "play"]


def main() -> None:
    """The entry point of the `tallyplan` command."""
    app()
