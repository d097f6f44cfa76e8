"""The same questions have the same answers, byte for byte, in processes of other settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
USUAL = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}  # lines break by the width


def printed(sizes="few", folder=TESTS, **settings):
    paths = os.pathsep.join([str(TESTS.parent), str(TESTS)])
    environment = os.environ | USUAL | {"PYTHONPATH": paths} | settings
    command = [sys.executable, str(TESTS / "same_questions.py"), sizes]
    done = subprocess.run(command, capture_output=True, cwd=folder, env=environment, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert len(done.stdout) > 40_000
    return done.stdout


def test_everything_else_being_different_answers_are_the_same(tmp_path):
    threads = {"TALLYPLAN_CORE": "plain", "OMP_NUM_THREADS": "1"}
    other = printed(folder=tmp_path, PYTHONHASHSEED="7", LC_ALL="C", **threads)
    assert other == printed()


@pytest.fixture(scope="module")
def usual_answers():
    return printed("many")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "settings",
    [
        {"PYTHONHASHSEED": "random"},
        {"PYTHONHASHSEED": "1"},
        {"OMP_NUM_THREADS": "1"},
        {"OMP_NUM_THREADS": "7"},
        {"LC_ALL": "C"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0"},
        {"TALLYPLAN_CORE": "plain"},
        {"folder": "/"},
        {"TZ": "Asia/Kathmandu"},
    ],
    ids=str,
)
def test_one_setting_changes_no_answer(settings, usual_answers):
    assert printed(sizes="many", **settings) == usual_answers
