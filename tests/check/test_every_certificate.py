"""Whatever a command writes with `--certificate`, the checker accepts, by either of its commands."""

import json
import re

import networkx as nx
import pytest
import typer
from typer.testing import CliRunner

from tallyplan.check.__main__ import main
from tallyplan.cli import app
from tallyplan.model.families import make
from tallyplan.model.instance import TallyingBandit

ROADS = "u,v,weight,hours,gain\na,b,1,2,1\nb,a,1/2,1,-1\nb,c,-3,1/2,-1/2\nc,a,4,3,-1\n"
CALLS = """
plan FILE --horizon 10^15
plan FILE --horizon 7 --start 0,1
plan LONG --horizon 10^6
plan LONG --horizon 12
plan LONG --horizon 46
plan WINDOW --horizon 9
plan WEIGHTED --horizon 9
plan ARMS --horizon 10^12 --start 01
cycle FILE
cycle LONG
cycle MANY
cycle WINDOW
cycle WEIGHTED
cycle ARMS
cyclic FILE --period 7
cyclic WEIGHTED --period 4
cyclic WINDOW --period 5
cyclic ARMS --period 7
graph cycle roads.csv
graph cycle roads.graphml --weight toll
graph ratio roads.csv --time hours
graph critical roads.csv
graph critical roads.csv --time hours
graph negative roads.csv
graph negative roads.csv --weight gain
constants lemma-3 --actions 2 --memory 2 --period 3
constants gap:optimal:cyclic --actions 2 --memory 2 --period 3
constants proposition-1-upper --actions 2 --memory 2 --horizon 5
constants gap:constant:single-run --actions 2 --memory 2 --horizon 4
constants lemma-3 --actions 2 --memory 3 --period 4 --time-limit 0
minimax --actions 2 --memory 2 --horizon 5
minimax --actions 2 --memory 2 --horizon 3 --grid 2
minimax --actions 2 --memory 3 --horizon 6 --time-limit 0
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The instances that the calls name."""
    folder = tmp_path_factory.mktemp("instances")
    bandits = {
        "FILE": TallyingBandit(
            [["0.077", "0.023", "0.029"], ["0.003", "0.034", "0.045"], ["0.010", "0.082", "0.083"]]
        ),
        "LONG": TallyingBandit([[f"{(7 * y * y + x) % 101}/101" for y in range(40)] for x in range(2)]),
        "MANY": TallyingBandit([[f"{(x + y) % 30}/30" for y in range(20)] for x in range(3)]),
        "WINDOW": make("counterexample-2", memory=3),
        "WEIGHTED": make("weighted-recency", actions=2, memory=3),
        "ARMS": make("blocking", delays=[2, 3, 4], rewards=[3, 2, 1]),
    }
    for name, bandit in bandits.items():
        bandit.save(folder / name)
    (folder / "roads.csv").write_text(ROADS)
    graph = nx.DiGraph([("a", "b", {"toll": 0.25}), ("b", "a", {"toll": -1.5}), ("b", "b", {"toll": 2.0})])
    nx.write_graphml(graph, folder / "roads.graphml")
    return {name: str(folder / name) for name in (*bandits, "roads.csv", "roads.graphml")}


def test_every_command_that_certifies_is_tried():
    commands = vars(typer.main.get_command(app))["commands"]
    certify = {
        name
        for name, command in commands.items()
        if any("--certificate" in option.opts for option in command.params)
    }
    assert {line.split()[0] for line in CALLS.strip().splitlines()} == certify


@pytest.mark.parametrize("line", CALLS.strip().splitlines())
def test_what_is_written_is_accepted(line, files, tmp_path, capsys):
    out = str(tmp_path / "out.cert")
    given = [files.get(argument, argument) for argument in line.split()]
    written = CliRunner().invoke(app, [*given, "--certificate", out], catch_exceptions=False)
    assert written.exit_code in (0, 3), written.stderr
    checked = CliRunner().invoke(app, ["check", out])
    assert (checked.exit_code, checked.stdout.split(":")[0]) == (0, "accepted")
    assert main([out]) == 0
    assert re.sub(r"/1\b", "", capsys.readouterr().out) == checked.stdout  # for people, 3 instead of 3/1
    claim = json.loads((tmp_path / "out.cert").read_text())["claim"]
    assert (written.exit_code == 3) == bool(claim.keys() & {"lower", "upper"})


def test_a_certificate_that_checkers_must_refuse_is_not_written(tmp_path):
    long = [f"1/{'9' * 3990}", f"1/{'7' * 3990}"]
    TallyingBandit([long, ["1/3", f"1/{'1' * 3989}3"]]).save(tmp_path / "long.json")
    out = tmp_path / "out.cert"
    result = CliRunner().invoke(app, ["cycle", str(tmp_path / "long.json"), "--certificate", str(out)])
    assert result.exit_code == 2
    assert "numbers of more than 4300 digits" in result.stderr
    assert not out.exists()
