"""What a user sees is as recorded: answers as JSON, exit statuses, refusals, public names.

The commands are those of the record, `what_users_see.json`: add one there, with any text, and
`python -m tests.test_what_users_see` records what it prints. The file's difference is what users will notice.
Left out is what may change freely: certificates, the words of sentences, times. In a process of other
settings all of it is the same, byte for byte, but for the times. A certificate of what is printed as JSON is
accepted by both commands that check.
"""

import dataclasses
import hashlib
import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

import tallyplan as tp
from tallyplan.check.__main__ import main as check_alone
from tallyplan.cli import app
from tests.commands import CliRunner
from tests.small_study import SPEC

HERE = Path(__file__).parent
RECORD = HERE / "what_users_see.json"
LONGEST = 300  # letters of an answer that is recorded as it is; of others a digest
TIMES = {"seconds"}
FREE = {"certificate", "argument", "proof", "summary", "source", "description", "meaning"} | TIMES

OURS = "my_study_players:alternate", "ucb1"
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
    "many.json": lambda: tp.TallyingBandit([[f"{(x + y) % 30}/30" for y in range(20)] for x in range(3)]),
    "arms.json": lambda: tp.make("blocking", delays=[2, 3, 4], rewards=[3, 2, 1]),
    "late.json": lambda: tp.make("pinwheel", periods=[2, 2, 2]),
}
FILES = {
    "roads.csv": "u,v,weight,cost\na,b,1,3\nb,a,-1/3,1\nb,c,2,1/2\nc,b,0.1,1/2\n",
    "trips.csv": "u,v,weight,hours,gain\na,b,1,2,1\nb,a,1/2,1,-1\nb,c,-3,1/2,-1/2\nc,a,4,3,-1\n",
    "path.csv": "u,v,weight\na,b,1\n",
    "rewards.csv": "1,2.5,10\n-3,1e1,0\n",
    "broken.json": "{",
    "ragged.json": '{"memory": 2, "losses": [["0", "1"], ["0"]]}',
    "log.csv": "t,action\n1,0\n2,1\n3,1\n",
    "study.toml": SPEC.replace('[[instances]]\nfiles = ["mine/*.json"]\n', "").replace(*OURS),
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


def without(document, keys):
    """A document without these keys, anywhere in it."""
    if isinstance(document, dict):
        return {key: without(entry, keys) for key, entry in document.items() if key not in keys}
    return [without(entry, keys) for entry in document] if isinstance(document, list) else document


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def short(text):
    return text if len(text) <= LONGEST else f"{text[:60]}... {len(text)} letters, {digest(text)}"


def outcome(line):
    """The exit status of a command, and what it printed that lasts; the digest of all that it printed.

    Of a complaint only that it is one.
    """
    certifies = "--json" in line and "--table" not in line and line.split()[0] in certifying()
    more = ["--certificate", "out.cert"] if certifies else []
    result = CliRunner().invoke(app, [*shlex.split(line), *more], catch_exceptions=False)
    assert "Traceback" not in result.stderr, line
    if result.exit_code == 2:
        said = [one for one in result.stderr.splitlines() if not one.startswith("[")]  # progress
        assert said[0].startswith(("error: ", "Usage: ")), line
        assert len(said) == 1 or said[0].startswith("Usage: "), line
        return f"2 {'nothing' if not result.stdout else 'something'} printed", None
    if certifies:
        check_both_ways(result.exit_code)
    if "--time-limit" in line:
        return f"{result.exit_code} what was found in time", None
    lasts = everything = result.stdout
    if line.startswith("check"):
        lasts = json.loads(result.stdout)["status"]
    elif "--json" in line:
        document = json.loads(result.stdout)
        everything = json.dumps(without(document, TIMES))
        everything += Path("out.cert").read_text() if certifies else ""
        lasts = json.dumps(without(document, FREE), sort_keys=True)
    elif "export" in line:
        lasts = everything = Path(line.split()[-1]).read_text()
    return f"{result.exit_code} {short(lasts)}", digest(everything)


@cache
def certifying():
    """The commands that write a certificate."""
    commands = vars(typer.main.get_command(app))["commands"]
    return {name for name in commands if any("--certificate" in one.opts for one in commands[name].params)}


def check_both_ways(status):
    """The certificate of an answer, or of an interval with status 3, is accepted."""
    checked, alone = CliRunner().invoke(app, ["check", "out.cert"]), io.StringIO()
    assert (checked.exit_code, checked.stdout.split(":")[0]) == (0, "accepted")
    with redirect_stdout(alone), redirect_stderr(io.StringIO()):
        assert check_alone(["out.cert"]) == 0
    assert re.sub(r"/1\b", "", alone.getvalue()) == checked.stdout  # for people, 3 instead of 3/1
    claim = json.loads(Path("out.cert").read_text())["claim"]
    assert (status == 3) == bool(claim.keys() & {"lower", "upper"})


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
    """By command of the record, in a folder of its own: what lasts of it, and the digest of it all."""
    recorded, here = json.loads(RECORD.read_text(encoding="utf-8")), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        found = {
            line: outcome(line) for line in recorded if not line.startswith(("tallyplan", "proofs_check"))
        }
        os.chdir(here)
    return found


@pytest.fixture(scope="module")
def seen():
    return recomputed()


def as_recorded(found):
    return {line: lasts for line, (lasts, _) in found.items()} | dict(public_names())


def test_nothing_that_a_user_sees_has_changed(seen):
    recorded, found = json.loads(RECORD.read_text(encoding="utf-8")), as_recorded(seen)
    differing = {
        entry: (recorded.get(entry), found.get(entry))
        for entry in {**recorded, **found}
        if recorded.get(entry) != found.get(entry)
    }
    assert differing == {}


def test_every_command_that_certifies_is_recorded(seen):
    assert certifying() <= {line.split()[0] for line in seen if "--json" in line}


SETTINGS = [
    {"OMP_NUM_THREADS": "7"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
    {"PYTHONHASHSEED": "random", "TZ": "Asia/Kathmandu"},
]
OTHER = {"PYTHONHASHSEED": "7", "LC_ALL": "C", "TALLYPLAN_CORE": "plain", "OMP_NUM_THREADS": "1"}


@pytest.mark.parametrize(
    "settings", [OTHER, *(pytest.param(one, marks=pytest.mark.thorough) for one in SETTINGS)], ids=str
)
def test_in_other_settings_everything_is_the_same(seen, settings, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(HERE.parent)} | settings
    command = [sys.executable, "-m", "tests.test_what_users_see", "print"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert {line: tuple(found) for line, found in json.loads(done.stdout).items()} == seen


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(recomputed()))
    else:
        RECORD.write_text(json.dumps(as_recorded(recomputed()), indent=0) + "\n", encoding="utf-8")
