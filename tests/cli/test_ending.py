"""How a command ends: interrupts say what was written, full disks and closed pipes are no tracebacks."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.cli.common import speaks_in_sentences
from tallyplan.model.files import write_json

COMMAND = [sys.executable, "-m", "tallyplan"]


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


OUTPUTS = ["certificate", "csv", "log", "out", "plot", "store"]


@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize("existed", [False, True])
def test_an_interrupt_names_the_files_that_were_written(tmp_path, monkeypatch, capsys, option, existed):
    monkeypatch.chdir(tmp_path)
    if existed:
        (tmp_path / "done").write_text("before")
    (tmp_path / "input").write_text("x")

    @speaks_in_sentences
    def command(*, file, **outputs):
        write_json(outputs[option], [1])
        raise KeyboardInterrupt

    with pytest.raises(typer.Exit) as ending:
        command(file="input", **dict.fromkeys(OUTPUTS) | {option: "done", "other": "not-yet"})
    assert ending.value.exit_code == 130
    assert capsys.readouterr().err == "error: interrupted; done was written, nothing else.\n"


def test_an_interrupt_before_anything_was_written_says_so(capsys):
    @speaks_in_sentences
    def command(*, out):
        raise KeyboardInterrupt

    with pytest.raises(typer.Exit):
        command(out="no-such-file")
    assert capsys.readouterr().err == "error: interrupted; nothing was written.\n"


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


@pytest.mark.usefixtures("instance")
def test_an_interrupt_after_the_command_is_no_traceback(tmp_path):
    prelude = "import atexit; atexit.register(signal.raise_signal, signal.SIGINT)"
    result = run_after(prelude, "cycle", "u.json", "--json", folder=tmp_path)
    assert (result.returncode, result.stderr) == (130, "error: interrupted.\n")
    assert json.loads(result.stdout)["word"] == [1]


def test_ctrl_c_stays_ignored_where_it_was():
    prelude = "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.raise_signal(signal.SIGINT)"
    result = run_after(prelude, "--version")
    assert (result.returncode, result.stderr) == (0, "")


SIGNAL_IN_MID_WRITE = """
def fsync(descriptor):
    assert [name for name in os.listdir() if name.startswith(".tallyplan-")]
    signal.raise_signal({})
os.fsync = fsync
"""
NOTHING = "nothing was written"
WRITERS = {
    "certificate": ["cycle", "u.json", "--certificate", "out"],
    "log": ["play", "round-robin", "u.json", "--horizon", "50", "--log", "out"],
    "export": ["export", "u.json", "--out", "out.dot"],
}


@pytest.mark.parametrize(
    ("writer", "how", "status", "error", "left"),
    [
        *((writer, signal.SIGINT, 130, [f"error: interrupted; {NOTHING}."], 0) for writer in WRITERS),
        ("certificate", signal.SIGTERM, -signal.SIGTERM, [], 0),
        ("certificate", signal.SIGKILL, -signal.SIGKILL, [], 1),
    ],
)
@pytest.mark.usefixtures("instance")
def test_a_signal_in_mid_write_leaves_no_half_file(tmp_path, writer, how, status, error, left):
    out = tmp_path / WRITERS[writer][-1]
    out.write_text("old")
    result = run_after(SIGNAL_IN_MID_WRITE.format(int(how)), *WRITERS[writer], folder=tmp_path)
    assert (result.returncode, result.stderr.splitlines()[-1:]) == (status, error)
    if how == signal.SIGTERM:  # held back until the file was there
        assert tp.check(out)
    else:
        assert out.read_text() == "old"
    beside = sorted(set(os.listdir(tmp_path)) - {"u.json", out.name})
    assert [name.startswith(".tallyplan-") and name.endswith(".tmp") for name in beside] == [True] * left


@pytest.mark.thorough
@pytest.mark.usefixtures("instance")
def test_an_interrupt_at_any_moment_is_one_sentence(tmp_path):
    """Python's own beginning, before our first line, is not ours: what it prints there is let pass."""
    for moment in range(60):
        process = subprocess.Popen(
            [*COMMAND, "cycle", "u.json"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        time.sleep(moment / 60)
        process.send_signal(signal.SIGINT)
        error = process.communicate()[1]
        if "Failed to import the site module" not in error:
            assert process.returncode in (0, 130, -signal.SIGINT), error
            assert error in ("", "error: interrupted.\n", f"error: interrupted; {NOTHING}.\n")


# -- full disks, closed pipes, devices ---------------------

CANNOT_SPEAK = "The verdict cannot be written: [Errno 28] No space left on device\n"


@pytest.mark.parametrize(
    "command",
    ["cycle u.json", "cycle u.json --json", "families", "new uniform actions=9 memory=900", "--help"],
)
@pytest.mark.usefixtures("instance")
def test_a_full_disk_is_one_sentence_and_status_2(tmp_path, command):
    result = shell(f"tallyplan {command} > /dev/full", tmp_path)
    assert result.returncode == 2
    assert result.stderr == "error: standard output cannot be written: No space left on device.\n"


@pytest.mark.usefixtures("instance")
def test_a_certificate_that_finds_no_room_is_one_sentence_and_status_2(tmp_path):
    result = shell("tallyplan cycle u.json --certificate /dev/full", tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "error: /dev/full cannot be written: No space left on device.\n"


BAD_PLACES = {
    "constants lemma-3 --table --actions 2 --memory 2 --horizon 4 --csv": "",
    "cycle u.json --certificate": "",
    "draw u.json --kind table --out": ".png",
    "export u.json --out": ".prism",
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
def test_words_that_find_no_room_do_not_count(tmp_path):
    result = shell("tallyplan export u.json --out u.prism 2> /dev/full", tmp_path)
    assert (result.returncode, (tmp_path / "u.prism").read_text()[:3]) == (0, "// ")


@pytest.mark.parametrize("command", ["cycle u.json", "new uniform actions=9 memory=900", "families"])
@pytest.mark.usefixtures("instance")
def test_a_reader_that_has_left_is_no_error(tmp_path, command):
    result = shell(f"tallyplan {command} | sleep 0", tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(("output", "status"), [("> /dev/full", 2), ("| sleep 0", 0)])
@pytest.mark.usefixtures("instance")
def test_the_checker_alone_never_says_refused_where_it_cannot_speak(tmp_path, output, status):
    assert shell("tallyplan cycle u.json --certificate c.json", tmp_path).returncode == 0
    result = shell(f"tallyplan.check c.json {output}", tmp_path)
    assert result.returncode == status
    assert result.stderr == ("" if not status else CANNOT_SPEAK)


def test_a_reader_that_has_left_keeps_the_status(tmp_path):
    tp.make("uniform", actions=2, memory=30, seed=9).save(tmp_path / "large.json")
    result = shell("tallyplan cycle large.json --method two-arms | sleep 0", tmp_path, PYTHONUNBUFFERED="")
    assert (result.returncode, result.stderr) == (3, "")


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


def test_the_self_test_on_a_full_disk_is_one_sentence():
    result = shell("tallyplan.selftest > /dev/full")
    assert result.returncode == 2
    assert result.stderr == "error: standard output cannot be written: No space left on device.\n"


@pytest.mark.parametrize("error", ["2>&-", "2> /dev/full"])
@pytest.mark.parametrize("command", ["tallyplan cycle", "tallyplan cycle --nonsense", "tallyplan.check"])
def test_a_sentence_that_nobody_can_hear_is_not_data(tmp_path, command, error):
    result = shell(f"{command} absent.json {error}", tmp_path)
    assert (result.returncode, result.stdout) == (2, "")


@pytest.mark.usefixtures("instance")
def test_a_file_does_not_take_the_place_of_a_closed_stream(tmp_path):
    result = shell("tallyplan cycle u.json --json --certificate c.json 2>&-", tmp_path)
    assert (result.returncode, json.loads(result.stdout)["word"]) == (0, [1])
    assert tp.check(tmp_path / "c.json")
    result = shell("tallyplan cycle - <&-", tmp_path)
    assert (result.returncode, result.stderr[:32]) == (2, "error: - is not a valid JSON fil")


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


def test_a_file_whose_name_is_no_text_is_named(tmp_path):
    tp.TallyingBandit([["0"]]).save(tmp_path / "one.json")
    result = subprocess.run(
        [*COMMAND, "cycle", "one.json", "--certificate", b"\xff.cert"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    assert rb"\udcff.cert" in result.stdout


def test_results_of_thousands_of_digits_are_printed(tmp_path):
    path, digits = str(tmp_path / "long.json"), "7" * 3990
    (tmp_path / "long.json").write_text(json.dumps({"memory": 1, "losses": [[f"1/{digits}"], ["1"]]}))
    runner = CliRunner()
    horizon = "9" * 3990
    for command in (["plan", path, "--horizon", horizon], ["replay", path, f"0^{horizon}"]):
        for as_json in ([], ["--json"]):
            result = runner.invoke(app, [*command, *as_json], catch_exceptions=False)
            assert result.exit_code == 0, result.stderr
            assert "9" * 3000 in "".join(result.stdout.split())
    result = runner.invoke(app, ["cycle", path, "--certificate", str(tmp_path / "c")], catch_exceptions=False)
    assert result.exit_code == 0
