"""Random calls of every command, right and wrong: an answer or one sentence, and one of the four statuses."""

import json
import random
from pathlib import Path

import pytest
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

NUMBERS = ["0", "1", "2", "7", "40", "10^3", "1e3", "1_0", "1__0", "5_", "-1", "+3", "x", "", "10^30", "1.5"]
WORDS = ["", "0", "01", "0,1", "(01)^7 0", "01^3", "0^999999", "11,2", "٣", "2", "0_", "[0,1]", "[[[0],3]]"]
WORDS += ['{"runs": [[[0], 2]], "start": [1]}', '{"runs": 5}', "{}", "[", "-", "(", "0^", "1 0", "\ud800"]
SHARES = ["0", "1%", "1/10", "0.5", "-1", "many", "1/0"]
WORST = ["optimal", "constant", "single-run", "alg-det"]
PATHS = ["out", "no/such/folder/out", ".", "/dev/null", "/dev/full", "x.svg", "x.png"]


def of(values):
    return lambda rng: rng.choice(values)


FILES = of([*INSTANCES, *INSTANCES, *OTHERS, "absent.json", "-"])
PLANNING = {"--method": of(["auto", "graph", "two-arms", "bounds", "magic"]), "--gap": of(SHARES)}
LIMIT = {"--time-limit": of(["0", "0.1", "0.5", "-1"]), "--certificate": of(PATHS)}

# command: (arguments, options with a value); --json is added at random
COMMANDS = {
    "plan": ([FILES], {"--horizon": of(NUMBERS), "--start": of(WORDS)} | PLANNING | LIMIT),
    "cycle": ([FILES], PLANNING | LIMIT),
    "cyclic": ([FILES], {"--period": of([number for number in NUMBERS if number != "10^30"])} | LIMIT),
    "graph": (
        [
            of(["cycle", "ratio", "critical", "negative", "cycel"]),
            of([*GRAPHS, "absent.csv", "two.json", "-"]),
        ],
        {
            "--weight": of(["weight", "cost", "", "u"]),
            "--time": of(["weight", "cost", "u"]),
            "--certificate": of(PATHS),
        },
    ),
    "replay": ([FILES, of(WORDS)], {"--start": of(WORDS)}),
    "regret": ([of([*OTHERS, "-", "two.json"]), FILES], {"--start": of(WORDS)}),
    "check": ([of([*OTHERS, "two.json", "-"])], {"--instance": FILES, "--limit": of(NUMBERS)}),
    "export": ([FILES], {"--out": of([*PATHS, "x.dot", "x.graphml", "x.gexf", "x.drn", "x.prism"])}),
    "rescale": (
        [of(["table.csv", "table.json", "g.csv", *OTHERS, "two.json", "-"])],
        {"--least": of(["0", "-3", "1/2", "x"]), "--most": of(["10", "1e3", "0", ""]), "--name": of(WORDS)},
    ),
    "families": ([of([*tp.FAMILIES, "nothing"])], {}),
    "new": (
        [of([*tp.FAMILIES, "nothing"]), of(["actions=2", "memory=2", "actions=x", "seed", "secret=0,1"])],
        {},
    ),
    "play": (
        [lambda rng: rng.choice([*learners(), "nobody", "alg-det,ucb1"]), FILES],
        {
            "--horizon": of(["0", "1", "30", "200", "5_", "-1"]),
            "--seed": of(["0", "3", "-1", "x"]),
            "--delta": of(["1/20", "0", "2", "x"]),
            "--feedback": of(["deterministic", "bernoulli", "beta", "gauss"]),
            "--repeats": of(["1", "2", "0"]),
            "--log": of(PATHS),
        },
    ),
    "learners": ([], {}),
}

FEW = of(["0", "1", "2", "3", "4", "4", "9", "-1", "5_"])
SIZES = {"--actions": of([*"1222222", "x"]), "--memory": of([*"112222", "0"]), "--horizon": FEW}
GAPS = [f"gap:{first}:{second}" for first in ("greedy", "optimal", "cyclic", "nobody") for second in WORST]
WHERE = of(["rising", "convex", "h(0,1) <= h(1,1) + 1/4", "differences <= 1/2", "h(", "h(9,9) <= 1", ""])
SLOW_COMMANDS = {
    "draw": ([FILES], {"--out": of([*PATHS, "x.pdf", "x.txt"])}),
    "constants": (
        [of(["lemma-3", "proposition-1", "nothing", "gap:", *GAPS])],
        SIZES | {"--period": of(["1", "2", "0"]), "--where": WHERE} | LIMIT,
    ),
    "bayes": (
        [of(["theorem-2", "generative", "nothing"])],
        SIZES | {"--epsilon": of(SHARES), "--lowest": of(["1", "2", "9"])},
    ),
    "minimax": ([], SIZES | {"--grid": of(["1", "2", "0"])} | LIMIT),
    "verify": ([of(["--list", "nothing"])], {"--verdict": of(["proved", "refuted", "x"])}),
    "study": (
        [of(["status", "table", "check", "questions", "plot"]), of([*OTHERS, "two.json", "absent.db"])],
        {"--question": of(["plan", "cycle", "nothing"])},
    ),
}
REQUIRED = ("--horizon", "--time-limit", "--actions", "--memory", "--out")


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
    name = rng.choice(list(commands))
    arguments, options = commands[name]
    line = [name, *(draw(rng) for draw in arguments)]
    for option, draw in options.items():
        required = option in REQUIRED or (name, option) == ("cyclic", "--period")
        if rng.random() < (0.95 if required else 0.25):
            line += [option, draw(rng)]
    if name not in ("new", "export", "rescale") and rng.random() < 0.4:
        line.append("--json")
    return line, rng.choice([None, "", "01", "[0,1]", json.dumps(INSTANCES["two.json"].to_json()), "\x00"])


def hold_to_the_rules(calls, seed, commands):
    rng = random.Random(seed)
    for _ in range(calls):
        line, stdin = call(rng, commands)
        result = CliRunner().invoke(app, line, input=stdin, catch_exceptions=False)
        assert result.exit_code in (0, 1, 2, 3), line
        if result.exit_code == 2:
            assert result.stderr, line
        elif "--json" in line:
            json.loads(result.stdout)
        assert "Traceback" not in result.stderr, line


@pytest.mark.usefixtures("folder")
def test_random_calls_end_well():
    hold_to_the_rules(60, 1, COMMANDS)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.usefixtures("folder")
def test_ten_thousand_random_calls_end_well(seed):
    hold_to_the_rules(850, seed, COMMANDS)
    hold_to_the_rules(150, seed, SLOW_COMMANDS)
