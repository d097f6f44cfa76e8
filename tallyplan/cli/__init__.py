"""The command line. stdout is data; words and progress go to stderr.

Exit status: 0 fine or accepted, 1 refuted or refused, 2 bad input or usage, 3 undecided within the limits.

Other packages add commands: a module that is named in the entry point group `tallyplan.commands` is imported,
and registers what it has on `app`.
"""

import sys
from importlib.metadata import entry_points

# In the order of --help.
from tallyplan.cli import planning, checking, measuring, instances, play, study  # isort: skip
from tallyplan.cli.common import BAD_INPUT, app, complaint
from tallyplan.cli.ending import deliver_output, discard_output, lose_words_on_a_full_disk, refusal

__all__ = ["app", "checking", "instances", "main", "measuring", "planning", "play", "study"]

for _point in entry_points(group="tallyplan.commands"):
    _point.load()


def main() -> None:
    """The entry point of the `tallyplan` command."""
    lose_words_on_a_full_disk()
    try:
        try:
            app()
        finally:
            deliver_output()
    except BrokenPipeError:
        discard_output()
    except OSError as error:  # the words of --help, on a full disk
        discard_output()
        sys.exit(complaint(refusal(error), BAD_INPUT).exit_code)
