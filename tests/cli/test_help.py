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


@pytest.mark.parametrize(
    ("words", "expected"), [("cycl", ["cycle", "cyclic"]), ("study run --sto", ["--store"])]
)
def test_the_shell_completes_words(words, expected):
    typed = f"tallyplan {words}"
    asked = {
        "_TALLYPLAN_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(words.count(" ") + 1),
    }
    answer = CliRunner().invoke(app, [], env=asked, prog_name="tallyplan")
    found = answer.stdout.split()
    assert set(expected) <= set(found)
    assert all(name.startswith(words.split()[-1]) for name in found)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["cycl", "u.json"], "'cycle'"),
        (["plan", "u.json", "--horizn", "5"], "--horizon"),
        (["study", "rn"], "'run'"),
    ],
)
def test_a_word_that_is_nearly_right_is_answered_with_the_right_one(arguments, meant):
    refused = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert refused.exit_code == 2
    assert meant in refused.stderr
