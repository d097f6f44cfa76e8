"""The command line: the JSON contract, words for people, exit statuses, and bad input in one sentence."""

import json
import os
import re
import signal
import subprocess
import sys
from fractions import Fraction

import pytest
from commands import data, run
from typer.testing import CliRunner

import tallyplan as tp
from tallyplan.cli import app
from tallyplan.model.rationals import text

LOSSES = [["77/1000", "23/1000", "29/1000"], [0.003, "0.034", 0.045], ["0.01", "0.082", "83/1000"]]
THREE = {"name": "three arms", "memory": 3, "losses": LOSSES}


@pytest.fixture
def three(tmp_path):
    path = tmp_path / "three.json"
    path.write_text(json.dumps(THREE))
    return str(path)


PEAKED = tp.make("single-peaked", actions=2, memory=12, seed=1)
LARGE = tp.make("uniform", actions=2, memory=30, seed=9)  # the proof without the graph leaves a small gap


@pytest.mark.parametrize(
    ("bandit", "question", "more"),
    [
        (PEAKED, ["cyclic", "--period", "1009", "--time-limit", "0"], {"period"}),
        (LARGE, ["cycle", "--method", "two-arms"], set()),
    ],
)
def test_an_interval_is_certified_told_as_one_and_has_the_status_3(tmp_path, bandit, question, more):
    path, certificate = tmp_path / "i.json", tmp_path / "i.cert"
    bandit.save(path)
    (command, *options), out = question, ("--certificate", str(certificate))
    result = run(command, str(path), *options, "--json", *out)
    found = json.loads(result.stdout)
    assert (result.exit_code, found.keys()) == (3, {"lower", "upper", "word"} | more)
    lower, upper = Fraction(found["lower"]), Fraction(found["upper"])
    assert lower < upper == tp.mean_of_word(bandit, found["word"])
    assert run("check", str(certificate), "--instance", str(path)).exit_code == 0
    document = json.loads(certificate.read_text())
    document["claim"]["lower"] = text(lower + Fraction(1, 10**6))
    certificate.write_text(json.dumps(document))
    assert run("check", str(certificate)).exit_code == 1
    told = run(command, str(path), *options)
    assert (told.exit_code, all(word in told.stdout for word in ("at least", "at most", "gap"))) == (3, True)


def test_a_dash_reads_standard_input_and_horizons_are_as_people_write_them():
    assert data("cycle", "-", "--json", stdin=json.dumps(THREE))["value"] == "59/4000"
    for written in ("1000000", "10^6", "10**6", "1e6", "1_000_000"):
        assert data("plan", "-", "--horizon", written, "--json", stdin=json.dumps(THREE))["horizon"] == 10**6


@pytest.mark.parametrize(
    "question", [["cycle"], ["plan", "--horizon", "1000000007", "--start", "2"], ["cyclic", "--period", "11"]]
)
def test_certificates_are_written_and_accepted_and_bound_to_their_instance(three, tmp_path, question):
    certificate = tmp_path / "certificate.json"
    command, *options = question
    run(command, three, *options, "--certificate", str(certificate))
    accepted = run("check", str(certificate), "--instance", three)
    assert accepted.exit_code == 0
    assert accepted.stdout.startswith("accepted: ")
    other = tmp_path / "other.json"
    other.write_text(json.dumps(THREE | {"losses": [LOSSES[i] for i in (1, 0, 2)]}))
    refused = run("check", str(certificate), "--instance", str(other))
    assert refused.exit_code == 1
    assert refused.stdout.startswith("refused: ")


def test_a_name_cannot_steer_the_terminal(tmp_path):
    path = tmp_path / "red.json"
    path.write_text('{"memory": 1, "losses": [["0"]], "name": "\\u001b[31mred\\u009b\\n\\u202e"}')
    printed = CliRunner().invoke(app, ["cycle", str(path)]).stdout
    assert r"\x1b[31mred\x9b\n\u202e: 1 actions" in printed
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed)


def test_progress_goes_to_stderr_and_an_interrupt_leaves_nothing_behind(tmp_path):
    """A question that takes a while: thousands of disjoint cycles that are equally good."""
    tp.make("equal-arms", actions=2, memory=17, seed=2).save(tmp_path / "long.json")
    command = [sys.executable, "-m", "tallyplan", "cyclic", "long.json", "--period", "4001"]
    process = subprocess.Popen(
        [*command, "--certificate", "out.cert"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    first_line = process.stderr.readline()
    assert re.match(r"\[\d+ s\] ", first_line)
    os.kill(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, "Traceback" in stderr) == (130, "", False)
    assert stderr.endswith("error: interrupted.\n")
    assert sorted(os.listdir(tmp_path)) == ["long.json"]


@pytest.mark.parametrize("content", ["not JSON", "[1, 2]", '{"losses": [["0"]]}', "[" * 10**5])
def test_a_file_that_is_no_certificate_is_bad_input(tmp_path, content):
    path = tmp_path / "file.json"
    path.write_text(content)
    result = run("check", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not a certificate" in result.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "attained by 0102"),
        (["--word", "001"], "marked: mean = 49/3000, by 001"),
        (["--kind", "timeline", "--horizon", "10^15"], "total loss = 7375000000000017/500"),
        (["--kind", "timeline", "--horizon", "4", "--start", "11"], "4 steps"),
        (["--kind", "table"], "tally y"),
    ],
)
def test_every_kind_of_picture_says_its_exact_numbers(three, tmp_path, options, said):
    path = tmp_path / "picture.svg"
    assert run("draw", three, "--out", str(path), *options).stderr.endswith(f"wrote {path}\n")
    assert said in path.read_text(encoding="utf-8")
