"""The command `constants`: one constant, tables of them, fewer tables, classes and bounds of one's own."""

import json
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from proofs_check.worst_case.claims import class_names
from tallyplan.check import check
from tallyplan.cli import app
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import replay_runs
from tallyplan.model.words import read

LEMMA = ["lemma-3", "--table", "--actions", "2", "--memory", "2,3", "--period", "2-4"]


def run(*arguments):
    return CliRunner().invoke(app, ["constants", *arguments], catch_exceptions=False)


def one(*arguments):
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_one_constant_prints_the_contract(tmp_path):
    path = tmp_path / "c.json"
    answer = one(
        "proposition-1-upper", "--actions", "2", "--memory", "2", "--horizon", "5", "--certificate", str(path)
    )
    assert {"value", "losses", "bound"} <= answer.keys()
    assert answer["value"] == answer["bound"] == "3/1"
    assert answer["losses"] == json.loads(path.read_text())["instance"]["losses"]
    assert check(str(path))
    assert [known["met"] for known in answer["expected"]] == [True, True]


def test_a_time_limit_ends_with_an_interval_and_status_3():
    result = run("lemma-3", "--actions", "2", "--memory", "3", "--period", "3", "--time-limit", "0")
    assert result.exit_code == 3
    assert "found" in result.stdout
    assert "at most" in result.stdout


def test_without_the_polyhedra_library_the_answer_is_the_same(monkeypatch):
    command = ("lemma-3", "--actions", "2", "--memory", "3", "--period", "8")
    with_library = run(*command)
    monkeypatch.setitem(sys.modules, "ppl", None)
    without = run(*command)
    assert (with_library.exit_code, with_library.stdout) == (without.exit_code, without.stdout)
    assert "pip install pplpy" not in with_library.stderr
    assert "pip install pplpy" in without.stderr


def test_a_table_as_text_json_and_picture(tmp_path):
    result = run(*LEMMA, "--plot", str(tmp_path / "t.svg"))
    assert result.exit_code == 0
    printed = [line.split()[4] for line in result.stdout.splitlines()[2:]]
    assert printed == ["1/2", "3", "1/2", "3", "7/3", "4"]
    values = ["1/2", "3/1", "1/2", "3/1", "7/3", "4/1"]
    rows = json.loads(run(*LEMMA, "--json").stdout)
    assert [row["value"] for row in rows] == values
    assert rows[1]["expected"][0]["kind"] == "closed form"
    assert {row["expected"][0]["met"] for row in rows} == {True}
    root = ElementTree.parse(tmp_path / "t.svg").getroot()
    texts = {"".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"K=2, m=3", "7/3", "1/2", "4"} <= texts


def test_a_table_has_a_dash_where_there_is_no_period_and_nothing_known():
    size = ["--table", "--actions", "2", "--memory", "2"]
    assert run("gap:constant:optimal", *size, "--horizon", "0").stdout.splitlines()[-1].split() == [
        *("2", "2", "0", "-", "0")
    ]
    mixed = run("lemma-3", *size, "--period", "3", "--horizon", "9,10").stdout.splitlines()
    assert mixed[-2].endswith("= 3: holds")
    assert mixed[-1].split()[-1] == "-"


# -- fewer tables, and classes of one's own --------------------

OWN = """
def lazy(K, m, T):
    return [(x,) * T for x in range(K)]

def turns(K, m, T):
    return [tuple(range(K))]
turns.repeated = True

def broken(K, m, T):
    return [(0,) * T, (1 / 0,)]

def short(K, m, T):
    return [(0,)]

def foreign(K, m, T):
    return [(K,) * T]
"""
SIZE = ["--actions", "2", "--memory", "3", "--horizon", "7"]


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "my_constants.py").write_text(OWN)
    yield
    sys.modules.pop("my_constants", None)


@pytest.mark.usefixtures("own")
def test_a_class_of_ones_own_is_the_class_that_it_lists(tmp_path):
    found = one("gap:my_constants:lazy:optimal", *SIZE, "--certificate", "c.json")
    assert found["value"] == one("gap:constant:optimal", *SIZE)["value"]
    assert check(str(tmp_path / "c.json"))
    shown = run("gap:optimal:my_constants:turns", *SIZE)
    assert "own class  1 word, repeated; the certificate covers exactly these" in shown.stdout


def test_fewer_tables_from_the_command_line(tmp_path):
    both = ["--where", "rising", "--where", "h(0,1) >= 1/3"]
    found = one("gap:constant:optimal", *SIZE, *both, "--certificate", str(tmp_path / "c.json"))
    assert (found["where"], found["value"]) == ("rising; h(0,1) >= 1/3", "13/3")
    assert Fraction(found["losses"][0][0]) >= Fraction(1, 3)
    assert check(str(tmp_path / "c.json"))


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gap:my_constants:broken:optimal"], "my_constants:broken failed: ZeroDivisionError"),
        (["gap:my_constants:short:optimal"], "a word of the class has 1 actions; it needs 7"),
        (["gap:my_constants:foreign:optimal"], "plays other actions than 0 to 1"),
        (["gap:my_constants:absent:optimal"], "the module my_constants has no 'absent'"),
        (["gap:no_such_module:lazy:optimal"], "there is no module no_such_module"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(arguments, words):
    result = run(*arguments, *SIZE)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert words in result.stderr


CONJECTURES = [  # at K = m = 2 the supremum is 6 for T = 7
    ("T - 1", "6/1", "holds"),
    ("0.8571428571428571 * T", "5999999999999999700/1000000000000000000", "refuted"),
    ("T * 6 / 7", "6/1", "holds"),
    ("sqrt(36)", "6/1", "holds"),
    ("sqrt(36 + 1/10**30)", None, "holds"),
    ("sqrt(36 - 1/10**30)", None, "refuted"),
    ("3 * log(T)", None, "refuted"),
    ("6 * sqrt(2) / sqrt(2)", None, "undecided"),
]


def told(status):
    return f": {status if status == 'holds' else status.upper()}"


@pytest.mark.parametrize(("formula", "value", "status"), CONJECTURES)
def test_a_conjecture_holds_or_is_refuted_with_its_plays(formula, value, status, tmp_path):
    claim = "gap:constant:optimal"
    size = ["--actions", "2", "--memory", "2", "--horizon", "7"]
    path = tmp_path / "c.json"
    result = run(claim, *size, "--bound", formula, "--json", "--certificate", str(path))
    found = json.loads(result.stdout)
    judged = found["conjecture"]
    exits = {"holds": 0, "refuted": 1, "undecided": 3}
    assert (result.exit_code, judged["status"]) == (exits[status], status)
    assert value is None or Fraction(judged["value"]) == Fraction(value)
    assert check(str(path))
    assert ("plays" in judged) == (status == "refuted")
    if status == "refuted":
        assert set(judged["plays"]) == set(class_names(claim))
    assert told(status) in run(claim, *size, "--bound", formula).stdout


def test_a_refuted_bound_is_refuted_by_the_printed_plays():
    size = ["--actions", "2", "--memory", "2", "--horizon", "7"]
    found = json.loads(run("gap:constant:optimal", *size, "--bound", "5", "--json").stdout)
    bandit = TallyingBandit(found["losses"])
    constant, optimal = (found["conjecture"]["plays"][name] for name in ("constant", "optimal"))
    lost = [replay_runs(bandit, read(play, 2, "play")) for play in (constant, optimal)]
    assert lost[0] - lost[1] == Fraction(found["value"]) > 5


def test_a_table_shows_the_bound_beside_every_value():
    bounded = [*LEMMA, "--bound", "m * sqrt(T) / 3"]
    result, documents = run(*bounded), json.loads(run(*bounded, "--json").stdout)
    statuses = [row["conjecture"]["status"] for row in documents]
    assert (result.exit_code, set(statuses)) == (1, {"holds", "refuted"})
    for status, line in zip(statuses, result.stdout.splitlines()[2:], strict=True):
        assert told(status) in line.partition("<=")[2]
