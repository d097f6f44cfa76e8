"""`tallyplan draw`: every kind of picture from the command line, and sentences for what cannot be drawn."""

import json

import pytest
from typer.testing import CliRunner

from tallyplan.cli import app

THREE = {
    "memory": 3,
    "losses": [["0.077", "0.023", "0.029"], ["0.003", "0.034", "0.045"], ["0.01", "0.082", "0.083"]],
}


@pytest.fixture
def draw(tmp_path):
    (tmp_path / "three.json").write_text(json.dumps(THREE))

    def invoked(*options, out="picture.svg"):
        done = CliRunner().invoke(
            app, ["draw", str(tmp_path / "three.json"), "--out", str(tmp_path / out), *options]
        )
        path = tmp_path / out
        return done, path.read_text(encoding="utf-8") if path.exists() else None

    return invoked


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "attained by 0102"),
        (["--word", "001"], "marked: mean = 49/3000, by 001"),
        (["--kind", "ring"], "λ* = 59/4000"),
        (["--kind", "ring", "--word", "001"], "mean = 49/3000"),
        (["--kind", "timeline", "--horizon", "10^15"], "total loss = 7375000000000017/500"),
        (["--kind", "timeline", "--horizon", "4", "--start", "11"], "4 steps"),
        (["--kind", "table"], "tally y"),
    ],
)
def test_every_kind_says_its_exact_numbers(draw, options, said):
    done, picture = draw(*options)
    assert done.exit_code == 0
    assert said in picture
