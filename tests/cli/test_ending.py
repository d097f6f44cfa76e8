"""How a command ends: interrupts, full disks and closed pipes are no tracebacks."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.cli.common import reports_errors


@pytest.fixture
def instance(tmp_path):
    tp.make("uniform", actions=2, memory=3, seed=1).save(tmp_path / "u.json")
    return str(tmp_path / "u.json")


def shell(command, folder=None, **environment):
    text = command.replace("tallyplan", f"{sys.executable} -m tallyplan", 1)
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {text}"],
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | environment,
        check=False,
    )


# -- interrupts ---------------------


@pytest.mark.parametrize(
    ("raised", "status", "sentence"),
    [
        (KeyboardInterrupt(), 130, "interrupted."),
        (KeyboardInterrupt("3 are kept"), 130, "interrupted; 3 are kept."),
        (MemoryError(), 2, "there is not enough memory for this instance."),
        (OSError(5, "no such luck"), 2, "the system refused: no such luck."),
    ],
)
def test_an_interrupt_and_what_the_system_refuses_are_one_sentence(capsys, raised, status, sentence):
    @reports_errors
    def command():
        raise raised

    with pytest.raises(typer.Exit) as ending:
        command()
    assert (ending.value.exit_code, capsys.readouterr().err) == (status, f"error: {sentence}\n")


def run_after(prelude, *arguments, folder=None):
    """The command in a process of its own, after some lines of Python."""
    program = f"import os, signal, sys\n{prelude}\nfrom tallyplan.__main__ import main\nmain()"
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def test_an_interrupt_while_the_commands_are_loaded_is_no_traceback():
    result = run_after(
        "class Finder:\n"
        "    def find_spec(name, *_):\n"
        "        if name == 'tallyplan.cli.common': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder)"
    )
    assert (result.returncode, result.stderr) == (130, "error: interrupted.\n")


SIGNAL_IN_MID_WRITE = """
def fsync(descriptor):
    assert [name for name in os.listdir() if name.startswith(".tallyplan-")]
    signal.raise_signal({})
os.fsync = fsync
"""


@pytest.mark.parametrize(
    ("how", "status", "error", "left"),
    [(signal.SIGINT, 130, ["error: interrupted."], 0), (signal.SIGKILL, -signal.SIGKILL, [], 1)],
)
@pytest.mark.usefixtures("instance")
def test_a_signal_in_mid_write_leaves_no_half_file(tmp_path, how, status, error, left):
    out = tmp_path / "out"
    out.write_text("old")
    command = ["cycle", "u.json", "--certificate", "out"]
    result = run_after(SIGNAL_IN_MID_WRITE.format(int(how)), *command, folder=tmp_path)
    assert (result.returncode, result.stderr.splitlines()[-1:]) == (status, error)
    assert out.read_text() == "old"
    beside = sorted(set(os.listdir(tmp_path)) - {"u.json", out.name})
    assert [name.startswith(".tallyplan-") and name.endswith(".tmp") for name in beside] == [True] * left


# -- full disks, closed pipes, devices ---------------------

FULL = "error: the system refused: No space left on device.\n"
ENDINGS = {
    "tallyplan cycle u.json > /dev/full": (2, FULL),
    "tallyplan new uniform actions=9 memory=900 > /dev/full": (2, FULL),
    "tallyplan --help > /dev/full": (2, FULL),
    "tallyplan.check c.cert > /dev/full": (
        2,
        "The verdict cannot be written: [Errno 28] No space left on device\n",
    ),
    "tallyplan cycle u.json --certificate /dev/full": (
        2,
        "error: /dev/full cannot be written: No space left on device.\n",
    ),
    "tallyplan cycle u.json | sleep 0": (0, ""),
    "tallyplan new uniform actions=9 memory=900 | sleep 0": (0, ""),
    "tallyplan.check c.cert | sleep 0": (2, "The verdict cannot be written: [Errno 32] Broken pipe\n"),
    "tallyplan cycle large.json --method two-arms | sleep 0": (
        3,
        "stopped because the search found no better bound\n",
    ),
    "tallyplan cycle absent.json": (2, "error: absent.json cannot be read: No such file or directory.\n"),
}


@pytest.mark.parametrize("command", ENDINGS)
@pytest.mark.usefixtures("instance")
def test_a_full_disk_is_one_sentence_and_a_reader_that_has_left_is_no_error(tmp_path, command):
    certificate = tp.minimum_mean_cycle(tp.load(tmp_path / "u.json")).certificate
    (tmp_path / "c.cert").write_text(json.dumps(certificate))
    tp.make("uniform", actions=2, memory=30, seed=9).save(tmp_path / "large.json")
    result = shell(command, tmp_path, PYTHONUNBUFFERED="")
    assert (result.returncode, result.stderr) == ENDINGS[command]


BAD_PLACES = {
    "constants lemma-3 --table --actions 2 --memory 2 --horizon 4 --plot": ".svg",
    "cycle u.json --certificate": "",
    "draw u.json --kind table --out": ".png",
    "export u.json --out": ".dot",
    "play round-robin u.json --horizon 9 --log": ".csv",
    "play round-robin u.json --horizon 9 --plot": ".svg",
    "play round-robin u.json --horizon 9 --store": "",
    "report --out": ".html",
    "study run s.toml --jobs 1 --store": "",
    "study run s.toml --jobs 1 --store s.db --certificates": "",
    "study table old.db --csv": "",
    "study table old.db --latex": "",
    "verify lemma-3 --latex": "",
}


@pytest.mark.parametrize("command", BAD_PLACES)
def test_a_bad_place_for_a_file_is_one_sentence_and_stays_what_it_was(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    tp.make("uniform", actions=2, memory=3, seed=1).save("u.json")
    Path("s.toml").write_text('[[instances]]\nfiles = ["u.json"]\n[[questions]]\nask = "cycle"\n')
    runner, suffix = CliRunner(), BAD_PLACES[command]
    if "old.db" in command:
        runner.invoke(app, ["study", "run", "s.toml", "--jobs", "1", "--store", "old.db"])
    Path(f"round{suffix}").symlink_to(f"round{suffix}")
    for place in (f"round{suffix}", f"u.json/out{suffix}"):
        result = runner.invoke(app, [*command.split(), place], catch_exceptions=False)
        assert result.exit_code == 2, result.stderr
        assert result.stdout == ""
        sentence = result.stderr.splitlines()[-1]  # a slow machine shows its progress before
        assert re.fullmatch(rf"error: .*{place} cannot be (written|opened|made): .*\.", sentence)
    assert Path(f"round{suffix}").is_symlink()
    assert not list(tmp_path.glob(".tallyplan-*"))


@pytest.mark.usefixtures("instance")
def test_a_certificate_may_go_to_standard_output_and_to_a_pipe(tmp_path):
    result = shell("tallyplan cycle u.json --json --certificate /dev/stdout", tmp_path)
    certificate, answer = map(json.loads, result.stdout.splitlines())
    assert tp.check(certificate)
    assert certificate["claim"]["value"] == answer["value"]
    os.mkfifo(tmp_path / "pipe")
    result = shell("tallyplan cycle u.json --json --certificate pipe > answer & cat pipe; wait", tmp_path)
    assert tp.check(json.loads(result.stdout))
    assert json.loads((tmp_path / "answer").read_text()) == answer


# -- what a terminal cannot show, and numbers that Python would not write ---------------------


def test_any_name_is_printed_on_any_terminal(tmp_path):
    name = "Zwölf Arme, lone \ud800, 雪"
    tp.TallyingBandit([["0", "1"], ["0", "1"]], name=name).save(tmp_path / "c3.json")
    for command, encoding in (("cycle c3.json --json", "ascii"), ("plan c3.json --horizon 3", "utf-8")):
        result = shell(f"tallyplan {command}", tmp_path, PYTHONIOENCODING=encoding)
        assert (result.returncode, result.stderr) == (0, ""), command
    ascii_name = name.encode("ascii", "backslashreplace").decode()
    result = shell("tallyplan cycle c3.json", tmp_path, PYTHONIOENCODING="ascii")
    assert f"{ascii_name}: 2 actions" in result.stdout
