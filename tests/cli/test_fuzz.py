"""Random calls of every command, right and wrong: an answer or one sentence, and one of the four statuses."""

import json
import random
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.games.registry import learners

INSTANCES = {
    "two.json": tp.make("uniform", actions=2, memory=3, seed=1),
    "three.json": tp.make("near-tie", actions=3, memory=2, seed=2),
    "one.json": tp.TallyingBandit([["1/3", "0", "1"]], name="lone \ud800"),
    "flat.json": tp.TallyingBandit([["1e-400"], ["1"]], name="Zwölf"),
    "twelve.json": tp.make("congested", actions=12, memory=2),
    "windows.json": tp.make("counterexample-2", memory=3, secret="0,1"),
    "weights.json": tp.make("weighted-recency", actions=2, memory=3, ratio="1/2"),
    "long.json": tp.make("uniform", actions=2, memory=60, seed=1),
}
GRAPHS = {
    "g.csv": "u,v,weight,cost\na,b,1,x\nb,a,-1/3,0\n\ud7ff,b,1e-400,9\n",
    "h.csv": "u,v,weight\na,b,1\n",
    "g.graphml": "<graphml/>",
}
OTHERS = {"broken.json": "{", "list.json": "[0,1]", "word.txt": "(01)^5 0", "plan.json": None, "c.cert": None}
TABLES = {"table.csv": "1,2.5\n-3,1e1\n", "table.json": '[[1, "1/3"], [0.5, -2]]'}

NUMBERS = ["0", "1", "2", "7", "40", "10^3", "1e3", "1_0", "1__0", "5_", "-1", "+3", "x", "", "1.5"]
WORDS = ["", "0", "01", "0,1", "(01)^7 0", "01^3", "0^999999", "11,2", "٣", "2", "0_", "[0,1]", "[[[0],3]]"]
WORDS += ['{"runs": [[[0], 2]], "start": [1]}', '{"runs": 5}', "{}", "[", "-", "(", "0^", "1 0", "\ud800"]
SHARES = ["0", "1%", "1/10", "0.5", "-1", "many", "1/0"]
PATHS = ["out", "no/such/folder/out", ".", "/dev/null", "/dev/full", "x.svg", "x.png"]
FILES = [*INSTANCES, *INSTANCES, *OTHERS, "absent.json", "-"]
NAMES = ["weight", "cost", "u", "seed", "cycle", "nothing", ""]
GAPS = [f"gap:{one}:{other}" for one in ("optimal", "cyclic") for other in ("constant", "alg-det")]
BY_METAVAR = {  # what the help of a command calls an argument or an option, and values for it
    "FILE|FILE...": FILES,
    "LOG|STORE": [*OTHERS, "-", "two.json", "absent.db"],
    "OUT|PICTURE": [*PATHS, "x.dot", "x.drn", "x.pdf", "x.txt"],
    "ACTIONS|WORD": WORDS,
    "SHARE|D|P/Q": SHARES,
    "NAME|COLUMN|NAME,...|BAND|VERDICT": NAMES,
    "L|STEPS": NUMBERS,
    "K|M|N|G": [*"0112222", "x"],
    "X|Y": ["0", "-3", "1/2", "10", "1e3", "x", ""],
    "FAMILY|[FAMILY]": [*tp.FAMILIES, "nothing"],
    "T": ["0", "1", "3", "9", "30", "200", "5_", "-1"],
    "S": ["0", "3", "-1", "x"],
    "SECONDS": ["0", "0.1", "0.5", "-1"],
    "METHOD": ["auto", "graph", "two-arms", "bounds", "magic"],
    "KIND": ["deterministic", "bernoulli", "beta", "graph", "timeline", "table", "gauss"],
    "QUESTION": ["cycle", "ratio", "critical", "negative", "cycel"],
    "TABLE": ["table.csv", "table.json", "g.csv", *OTHERS, "two.json", "-"],
    "key=value ...": ["actions=2", "memory=2", "actions=x", "seed", "secret=0,1"],
    "ALGORITHM": [*learners(), "nobody", "alg-det,ucb1"],
    "CLAIM": ["lemma-3", "proposition-1", "nothing", "gap:", *GAPS],
    "TABLES": ["rising", "convex", "h(0,1) <= h(1,1) + 1/4", "differences <= 1/2", "h(", "h(9,9) <= 1", ""],
    "CONSTRUCTION": ["theorem-2", "proposition-1", "nothing"],
}
VALUES = {name: values for names, values in BY_METAVAR.items() for name in names.split("|")}
NEEDED = ("--horizon", "--time-limit", "--actions", "--memory")  # without which there is an error, or no end
SLOW = ("draw", "constants", "bayes", "minimax", "study")


def commands(group, *words):
    """Every command with its words: (words, parameters)."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *words, name)
        else:
            yield (*words, name), command.params


LEFT_OUT = (("report",), ("verify",), ("study", "run"))  # which take minutes, or a specification
COMMANDS = [one for one in commands(typer.main.get_command(app)) if one[0] not in LEFT_OUT]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, bandit in INSTANCES.items():
        bandit.save(name)
    plan = tp.optimal_plan(INSTANCES["two.json"], 30, [0])
    document = {"runs": plan.runs, "horizon": 30, "start": [0]}
    certificate = plan.certificate
    for name, content in (
        OTHERS | GRAPHS | TABLES | {"plan.json": json.dumps(document), "c.cert": json.dumps(certificate)}
    ).items():
        Path(name).write_text(content)
    return tmp_path


def call(rng, commands):
    """A command with arguments that are well-formed more often than not."""
    words, parameters = rng.choice(commands)
    line = [*words]
    for parameter in parameters:
        name = parameter.opts[0]
        option = name.startswith("-")
        values = GRAPHS if (words, name) == (("graph",), "file") else VALUES.get(parameter.metavar)
        if option and rng.random() > (0.95 if parameter.required or name in NEEDED else 0.25):
            continue
        if values is not None:
            line += [*([name] if option else []), rng.choice([*values])]
        elif option and parameter.is_flag and name not in ("--verified", "--table"):
            line.append(name)
    return line, rng.choice([None, "", "01", "[0,1]", json.dumps(INSTANCES["two.json"].to_json()), "\x00"])


def hold_to_the_rules(calls, seed, slow):
    rng = random.Random(seed)
    chosen = [one for one in COMMANDS if (one[0][0] in SLOW) == slow]
    for _ in range(calls):
        line, stdin = call(rng, chosen)
        result = CliRunner().invoke(app, line, input=stdin, catch_exceptions=False)
        assert result.exit_code in (0, 1, 2, 3), line
        if result.exit_code == 2:
            assert result.stderr, line
        elif "--json" in line:
            json.loads(result.stdout)
        assert "Traceback" not in result.stderr, line


@pytest.mark.usefixtures("folder")
def test_random_calls_end_well():
    hold_to_the_rules(60, 1, slow=False)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.usefixtures("folder")
def test_ten_thousand_random_calls_end_well(seed):
    hold_to_the_rules(850, seed, slow=False)
    hold_to_the_rules(150, seed, slow=True)
