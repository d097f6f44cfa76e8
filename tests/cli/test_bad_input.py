"""Bad input is one sentence on standard error that says what is wrong, status 2, and nothing else."""

import re
import shlex

import pytest
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app

CASES = {
    "plan two.json --horizon -1": "horizon is -1",
    "plan two.json --horizon 1.5": "an integer is needed",
    "plan two.json --horizon 10^9999": "--horizon",
    "plan two.json --horizon many": "an integer is needed",
    "plan two.json --horizon 1__0": "--horizon is '1__0'; an integer is needed",
    "plan two.json --horizon 5_": "--horizon is '5_'; an integer is needed",
    "plan two.json --horizon 3 --start 0,3": "the action '3'",
    "plan two.json --horizon 3 --start a": "the action 'a'",
    "plan two.json --horizon 3 --start 0_": "--start has the action '_'",
    "plan two.json --horizon 3 --start 01^2": "two readings",
    "plan two.json --horizon 3 --start 0^9999999": "only the last 3 count",
    "cyclic two.json --period 0": "period is 0",
    "cyclic two.json --period _5": "--period is '_5'; an integer is needed",
    "cycle absent.json": "cannot be read",
    "cycle two.json --certificate no/such/folder/c.json": "no/such/folder",
    "check absent.cert": "cannot be read",
    "new unifrom": "there is no family 'unifrom'",
    "new uniform actions=2 memory=2 colour=red": "colour",
    "new uniform actions": "not of the form key=value",
    "new uniform actions=2 actions=3": "given twice",
    "verify lemma-99": "lemma-99",
    "replay two.json 01^3": "write (01)^3 for the whole word 3 times, or put a space before 1^3",
    "replay two.json 012": "ACTIONS has the action '2'; the actions are 0 to 1",
    """replay two.json '{"value": "1/1"}'""": "ACTIONS has no 'runs'",
    """replay two.json '{"runs": [[[0], 2]], "horizon": 3}'""": "the horizon 3, but its runs have 2 steps",
    """replay two.json '{"runs": [[[0], 2]], "start": [7]}'""": "start[0] of ACTIONS is 7",
    """replay two.json '{"runs": [[[0], 2]], "start": 7}'""": "the start of ACTIONS is 7",
    "replay two.json '[0,'": "ACTIONS is not a valid JSON file",
    "replay - -": "ACTIONS and FILE cannot both be standard input",
    "regret - -": "cannot both be standard input",
    "regret absent.json two.json": "cannot be read",
    "play nobody two.json --horizon 5": "there is no learner 'nobody'",
    "play ucb1 two.json": "give --horizon T or --horizons",
    "play ucb1 two.json --horizon 5 --horizons 5": "one of the two",
    "play ucb1 two.json --horizon -5": "--horizon is -5",
    "play ucb1 two.json --horizon x": "an integer is needed",
    "play ucb1 two.json --horizon 5 --seed -1": "--seed is -1",
    "play ucb1 two.json --horizon 5 --delta 1": "delta is '1'",
    "play ucb1 two.json --horizon 5 --feedback gauss": "there is no feedback 'gauss'",
    "play ucb1 two.json --horizon 5 --repeats 0": "--repeats is 0",
    "play ucb1 two.json --horizon 5 --plot x.gif": "does not end in .svg, .png or .pdf",
    "play ucb1 two.json --horizon 5 --repeats 2 --log l": "--log is for one game",
    "play ucb1 two.json --horizon 5 --time-limit 1 --store s": "--time-limit is for games without --store",
    "play ucb1 absent.json --horizon 5": "cannot be read",
    "draw two.json --out x.svg --kind pie": "--kind is 'pie'; there are: graph, ring, timeline, table.",
    "draw two.json --out x.svg --kind timeline": "a timeline needs --horizon T",
    "draw two.json --out x.svg --horizon 3": "a timeline needs --horizon T, and nothing else does",
    "draw two.json --out x.svg --kind table --word 0": "--word is for the graph and the ring",
    "draw two.json --out x.svg --start 0": "--start is for a timeline",
    "draw two.json --out x.svg --word 3": "3",
    "draw two.json --out x.svg --word '(0)^100000'": "too many for a picture",
    "draw two.json --out x.svg --kind timeline --horizon 0": "nothing to draw",
    "draw two.json --out x.gif --kind ring": "formats of a picture",
    "cycle huge.json --method graph": "available",
    "plan huge.json --horizon 1000 --method graph": "available",
    "cyclic huge.json --period 7": "available",
}
NO_INSTANCES = (
    "",
    "not json",
    "[1, 2]",
    '{"memory": 2, "losses": [["0", "1"], ["0"]]}',
    '{"memory": 2, "losses": [["0", "2"]]}',
    '{"memory": 2, "losses": [["0", NaN]]}',
    '{"memory": 2, "losses": [["0", true]]}',
    '{"memory": 3, "losses": [["0", "1"]]}',
    '{"memory": 2, "losses": []}',
    '{"memory": 2, "losses": [["0", "1"]], "memory": 2}',
    '{"memory": 2, "losses": [["0", "1"]], "losess": 1}',
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tp.make("uniform", actions=2, memory=4, seed=3).save("two.json")
    rising = [f"{tally}/60" for tally in range(1, 61)]  # so that no arm can be left out
    tp.TallyingBandit([rising] * 3).save("huge.json")
    return tmp_path


def complaint(line):
    """What a command says that must be refused, without the progress that a slow machine shows before."""
    result = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (2, "")
    told = re.sub(r"^(\[\d+ s\] .*\n)+", "", result.stderr)
    assert told.startswith("error: ")
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize("line", CASES)
def test_bad_input_is_one_sentence_and_leaves_nothing(folder, line):
    assert CASES[line] in complaint(line)
    assert sorted(path.name for path in folder.iterdir()) == ["huge.json", "two.json"]


@pytest.mark.parametrize("content", NO_INSTANCES)
def test_a_file_that_is_not_an_instance_is_named(folder, content):
    (folder / "wrong.json").write_text(content)
    assert "wrong.json" in complaint("cycle wrong.json")
