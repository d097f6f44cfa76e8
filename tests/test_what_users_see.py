"""What a user sees is as recorded: answers as JSON, exit statuses, refusals, public names.

The commands are those of the record, `what_users_see.json`: add one there, with any text, and
`python -m tests.test_what_users_see` records what it prints. The file's difference is what users will notice.
Left out is what may change freely: certificates, the words of sentences, times.
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


def recomputed(recorded):
    prepare()
    commands = [entry for entry in recorded if not entry.startswith(("tallyplan", "proofs_check"))]
    return {line: outcome(line) for line in commands} | dict(public_names())


def test_nothing_that_a_user_sees_has_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    found = recomputed(recorded)
    differing = {
        entry: (recorded.get(entry), found.get(entry))
        for entry in {**recorded, **found}
        if recorded.get(entry) != found.get(entry)
    }
    assert differing == {}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pins = recomputed(json.loads(RECORD.read_text(encoding="utf-8")))
    RECORD.write_text(json.dumps(pins, indent=0) + "\n", encoding="utf-8")
