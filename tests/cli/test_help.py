"""Help: -h everywhere, and completion for the shell."""

import pytest
from typer.testing import CliRunner

from tallyplan.cli import app


@pytest.mark.parametrize("command", [[], ["plan"], ["play"], ["study"], ["study", "run"], ["study", "table"]])
def test_h_is_help(command):
    short, long = (CliRunner().invoke(app, [*command, option]) for option in ("-h", "--help"))
    assert short.exit_code == long.exit_code == 0
    assert short.stdout == long.stdout
    assert "Usage" in short.stdout


def test_the_shell_is_told_how_to_complete():
    assert "--install-completion" in CliRunner().invoke(app, ["--help"], env={"COLUMNS": "120"}).stdout
