"""What a user sees is as recorded: answers as JSON, exit statuses, refusals, public names.

`python -m tests.test_what_users_see` records it anew; the file's difference is what users will notice. Left
out is what may change freely: certificates, the words of sentences, times.
"""

import dataclasses
import hashlib
import inspect
import json
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app

HERE = Path(__file__).parent
RECORD = HERE / "what_users_see.json"
LONGEST = 300  # letters of an answer that is recorded as it is; of others a digest
FREE = {"certificate", "seconds", "argument", "proof", "summary", "source", "description", "meaning"}

INSTANCES = {
    "c3.json": lambda: tp.make("counterexample-3"),
    "one.json": lambda: tp.TallyingBandit([["1/3", "0", "1"]]),
    "flat.json": lambda: tp.TallyingBandit([["1/7"], ["1/3"]]),
    "two.json": lambda: tp.make("uniform", actions=2, memory=7, seed=1),
    "three.json": lambda: tp.make("uniform", actions=3, memory=4, seed=2),
    "near.json": lambda: tp.make("near-tie", actions=3, memory=3, seed=5),
    "twelve.json": lambda: tp.make("congested", actions=12, memory=2),
    "windows.json": lambda: tp.make("counterexample-2", memory=4, secret="0,1,1"),
    "weights.json": lambda: tp.make("weighted-recency", actions=2, memory=4, ratio="1/2"),
    "long.json": lambda: tp.make("uniform", actions=2, memory=40, seed=5),
    "large.json": lambda: tp.make("uniform", actions=3, memory=60, seed=5),
}
FILES = {
    "roads.csv": "u,v,weight,cost\na,b,1,3\nb,a,-1/3,1\nb,c,2,1/2\nc,b,0.1,1/2\n",
    "path.csv": "u,v,weight\na,b,1\n",
    "rewards.csv": "1,2.5,10\n-3,1e1,0\n",
    "broken.json": "{",
    "ragged.json": '{"memory": 2, "losses": [["0", "1"], ["0"]]}',
    "log.csv": "t,action\n1,0\n2,1\n3,1\n",
    "study.toml": """[[instances]]
family = "uniform"
actions = [2, 3]
memory = 3
seed = [0, 1]

[[questions]]
ask = "cycle"

[[questions]]
ask = "plan"
horizon = [7, "10^30"]

[[questions]]
ask = "play"
learner = ["alg-det", "ucb1"]
horizon = 50
seed = [0, 1]
""",
    "wrong.toml": '[[instances]]\nfamily = "unifrom"\n',
}
SMALL = ("c3", "one", "flat", "two", "three", "near", "twelve", "windows", "weights")
ASKED = [  # by each small instance
    "cycle {} --json",
    "plan {} --horizon 0 --json",
    "plan {} --horizon 3 --json",
    "plan {} --horizon 50 --start 0 --json",
    "plan {} --horizon 10^15 --json",
    "cyclic {} --period 1 --json",
    "cyclic {} --period 9 --json",
    "replay {} '(0)^5 0' --start 0 --json",
]
COMMANDS = [
    *(line.format(f"{name}.json") for name in SMALL for line in ASKED),
    "cycle long.json --json",
    "cycle long.json --method bounds --json",
    "cycle long.json --method two-arms --gap 1% --json",
    "plan long.json --horizon 30 --method bounds --json",
    "cycle-of roads.csv --json",
    "cycle-of roads.csv --weight cost --json",
    "cycle-of path.csv --json",
    "replay three.json '(01)^5 2' --json",
    "replay two.json 0^100 --start 11 --json",
    "regret log.csv two.json --json",
    "regret log.csv three.json --start 2 --json",
    "rescale rewards.csv --rewards",
    "rescale rewards.csv --least -5 --most 20 --name units",
    "new uniform actions=3 memory=2 seed=5",
    "new theorem-2-lower actions=3 memory=24 epsilon=1/10 seed=7",
    "new stochastic means=1/2,0.3,1",
    "new weighted-recency actions=2 memory=5 ratio=2/3",
    "families --json",
    "families uniform --json",
    "learners --json",
    "play round-robin two.json --horizon 100 --seed 1 --json",
    "play alg-det,ucb1 c3.json near.json --horizon 60 --repeats 3 --jobs 1 --json",
    "play best-constant three.json --horizons 10,100 --repeats 2 --jobs 1 --json",
    "constants lemma-3 --actions 2 --memory 2 --period 3 --json",
    "constants proposition-1-upper --actions 2 --memory 2 --horizon 5 --json",
    "constants gap:constant:optimal --actions 2 --memory 2 --horizon 4 --where concave --json",
    "constants lemma-3 --table --actions 2 --memory 2-3 --period 2-3 --json",
    "bayes proposition-1 --actions 2 --memory 2 --horizon 4 --json",
    "bayes theorem-2 --actions 2 --memory 2 --horizon 6 --epsilon 7/50 --json",
    "minimax --actions 2 --memory 2 --horizon 4 --json",
    "verify --list",
    "study run study.toml --store results.db --jobs 1 --limit 5 --json",
    "study run study.toml --store results.db --jobs 1 --json",
    "study status results.db --json",
    "study table results.db --json",
    "study table results.db --sort value --json",
    "study table results.db --over seed --json",
    "study check results.db --json",
    "study questions --json",
    "check two.cert --json",
    "check two.cert --instance two.json --json",
    "check two.cert --instance near.json --json",
    "check two.cert --limit 5 --json",
    "check false.cert --json",
    "export three.json --out three.dot",
    "export three.json --out three.graphml",
    "export two.json --out two.drn",
    "export two.json --out two.prism",
    # bad input
    "cycle absent.json",
    "cycle broken.json",
    "cycle ragged.json",
    "cycle two.json --method magic",
    "cycle two.json --certificate no/such/folder/c.cert",
    "plan two.json",
    "plan two.json --horizon -1",
    "plan two.json --horizon 1.5",
    "plan two.json --horizon 3 --start 2",
    "plan two.json --horizon 3 --start a",
    "plan two.json --horizon 10^9999",
    "plan two.json --horizon many",
    "cyclic two.json --period 0",
    "replay two.json 012",
    "regret broken.json two.json",
    "rescale broken.json",
    "cycle-of broken.json",
    "check broken.json --json",
    "check absent.cert --json",
    "new unifrom",
    "new uniform actions=2 memory=2 colour=red",
    "new uniform actions",
    "new uniform actions=2 actions=3",
    "draw two.json --out picture.docx",
    "export two.json --out two.docx",
    "play nobody two.json --horizon 10",
    "play ucb1 two.json --horizon 10 --feedback gauss",
    "constants nothing --actions 2 --memory 2 --horizon 2",
    "minimax --actions 0 --memory 2 --horizon 2",
    "verify lemma-99",
    "study run wrong.toml --store wrong.db",
    "study status absent.db",
    "study table broken.json",
    "nothing",
    # more than there is memory for
    "cycle large.json --method graph",
    "plan large.json --horizon 1000 --method graph",
    "cyclic large.json --period 7",
    "export large.json --out large.dot",
    "draw large.json --out large.svg",
]


def prepare():
    """The files that the commands name, in the current folder."""
    for name, bandit in INSTANCES.items():
        bandit().save(name)
    for name, content in FILES.items():
        Path(name).write_text(content)
    certificate = tp.minimum_mean_cycle(tp.load("two.json")).certificate
    Path("two.cert").write_text(json.dumps(certificate))
    claim = certificate["claim"]
    Path("false.cert").write_text(json.dumps(certificate | {"claim": claim | {"value": "0/1"}}))


def lasting(document):
    """A document without what may change freely."""
    if isinstance(document, dict):
        return {key: lasting(entry) for key, entry in document.items() if key not in FREE}
    return [lasting(entry) for entry in document] if isinstance(document, list) else document


def short(text):
    digest = hashlib.sha256(text.encode()).hexdigest()[:20]
    return text if len(text) <= LONGEST else f"{text[:60]}... {len(text)} letters, {digest}"


def outcome(line):
    """The exit status of a command, and what it printed; of a complaint only that it is one."""
    result = CliRunner().invoke(app, shlex.split(line), catch_exceptions=False)
    assert "Traceback" not in result.stderr, line
    if result.exit_code == 2:
        said = [one for one in result.stderr.splitlines() if not one.startswith("[")]  # progress
        assert said[0].startswith(("error: ", "Usage: ")), line
        assert len(said) == 1 or said[0].startswith("Usage: "), line
        return f"2 {'nothing' if not result.stdout else 'something'} printed"
    printed = result.stdout
    if line.startswith("check"):
        printed = json.loads(printed)["status"]
    elif "--json" in line:
        printed = json.dumps(lasting(json.loads(printed)), sort_keys=True)
    elif "export" in line:
        printed = Path(line.split()[-1]).read_text()
    return f"{result.exit_code} {short(printed)}"


def public_names():
    """Every public name with its parameters, or a class with its public members."""
    sys.path.insert(0, str(HERE.parent / "docs"))
    from building.reference import every_public_name, found

    for name in every_public_name():
        thing: Any = found(name)
        if inspect.isclass(thing):
            yield name, " ".join(sorted(members(thing)))
        elif callable(thing):
            bare = [p.replace(annotation=p.empty) for p in inspect.signature(thing).parameters.values()]
            kept = [p.replace(default="...") if p.default is not p.empty else p for p in bare]
            yield name, str(inspect.Signature(kept)).replace("'", "")
        else:
            yield name, " ".join(sorted(str(entry) for entry in thing))
    yield "tallyplan", " ".join(tp.__all__)


def members(thing):
    ours = [kind for kind in thing.__mro__ if kind.__module__.startswith(("tallyplan", "proofs_check"))]
    fields = thing.__dataclass_fields__ if dataclasses.is_dataclass(thing) else ()
    return {name for kind in ours for name in (*vars(kind), *fields) if not name.startswith("_")}


def recomputed():
    prepare()
    return {line: outcome(line) for line in COMMANDS} | dict(public_names())


def test_nothing_that_a_user_sees_has_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recorded, found = json.loads(RECORD.read_text(encoding="utf-8")), recomputed()
    differing = {
        entry: (recorded.get(entry), found.get(entry))
        for entry in {**recorded, **found}
        if recorded.get(entry) != found.get(entry)
    }
    assert differing == {}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pins = recomputed()
    RECORD.write_text(json.dumps(pins, indent=0) + "\n", encoding="utf-8")
