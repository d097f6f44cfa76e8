"""Commands, called in this process."""

import json
from functools import cache

from typer import testing

from tallyplan.cli import app

# Building all commands takes longer than most of them.
testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]
CliRunner = testing.CliRunner


def run(*arguments, stdin=None):
    """What a command printed, and its exit status."""
    return CliRunner().invoke(app, [str(one) for one in arguments], input=stdin, catch_exceptions=False)


def data(*arguments, stdin=None):
    """What a command says as JSON."""
    result = run(*arguments, *(() if "--json" in arguments else ("--json",)), stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)
