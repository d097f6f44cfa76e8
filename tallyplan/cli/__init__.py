"""The command line. stdout is data; words and progress go to stderr.

Exit status: 0 fine or accepted, 1 refuted or refused, 2 bad input or usage, 3 undecided within the limits.

Other packages add commands: a module that is named in the entry point group `tallyplan.commands` is imported,
and registers what it has on `app`.
"""

from importlib.metadata import entry_points

# In the order of --help.
from tallyplan.cli import planning, checking, graphs, measuring, instances, play, study  # isort: skip
from tallyplan.cli.common import app

__all__ = ["app", "checking", "graphs", "instances", "measuring", "planning", "play", "study"]

for _point in entry_points(group="tallyplan.commands"):
    _point.load()
