"""The formal files, compiled once for all tests, in a folder of their own."""

import fcntl
import os
import shutil
import subprocess

import pytest

from proofs_check.ways import formal


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The folder with the compiled files of the paper's results; one worker compiles, the others wait."""
    if shutil.which("coqc") is None:
        pytest.skip("Rocq is not installed (Debian: apt install coq), so nothing formal can be compiled")
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "formal"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            _compile(folder)
            (folder / "done").touch()
    return folder


def _compile(folder):
    sources = sorted(formal.FOLDER.glob("*.v"))
    for source in sources:
        shutil.copy(source, folder)
    names = [source.name for source in sources]
    wanted = [name.replace(".v", ".vo") for name in formal.files()]
    for command in (
        ["coq_makefile", "-R", ".", "TallyPlan", *names, "-o", "CoqMakefile"],
        ["make", "-f", "CoqMakefile", *wanted],
    ):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
