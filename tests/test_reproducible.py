"""The same questions have the same answers, byte for byte, in processes of other settings."""

import os
import shutil
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


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("localedef"), reason="localedef is not installed")
def test_a_locale_with_decimal_commas_changes_no_answer(tmp_path, usual_answers):
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(tmp_path / "de_DE.UTF-8")],
        capture_output=True,
        check=False,
    )
    if not (tmp_path / "de_DE.UTF-8").exists():
        pytest.skip(f"the locale de_DE cannot be made: {made.stderr.decode()}")
    settings = {"LOCPATH": str(tmp_path), "LC_ALL": "de_DE.UTF-8"}
    seen = subprocess.run(
        [sys.executable, "-c", "import locale; locale.setlocale(locale.LC_ALL, ''); print(f'{1.5:n}')"],
        capture_output=True,
        env=os.environ | settings,
        check=True,
    )
    assert seen.stdout.strip() == b"1,5"
    assert printed("many", **settings) == usual_answers
