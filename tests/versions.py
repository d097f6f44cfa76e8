"""Wheel and source archive, installed away from the repository: `python tests/versions.py [PYTHON ...]`.

Both are built. Then for each Python that is found, with the lowest versions of the dependencies that
pyproject.toml allows and with the newest, a fresh environment gets the wheel; and one on the Python that runs
this gets the source archive. In each, outside the repository, `python -m tallyplan.selftest` has to pass, and
a few tests. A Python that is not there, or for which a dependency has no build, is named. The exit status is
1 if anything that could be installed fails.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SUBSET = (
    "planning/test_paper.py",
    "model/test_rationals.py",
    "check/test_instances.py",
    "games/test_regret.py",
)
TEST_TOOLS = ("pytest", "hypothesis")


def run(*command, folder, **environment):
    """Run a command; what it printed, and whether it went well."""
    cleared = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=cleared | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout, done.returncode == 0


def find_python(version):
    """The newest interpreter of a version: with pyenv, or on the path."""
    roots = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = sorted(roots.glob(f"{version}.*/bin/python"))
    return str(kept[-1]) if kept else shutil.which(f"python{version}")


def build(folder):
    """The wheel and the source archive, from a copy of the tree, so that nothing is left in it."""
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info"))
    said, well = run(sys.executable, "-m", "build", "--outdir", folder / "dist", tree, folder=folder)
    if not well:
        sys.exit(f"the package cannot be built:\n{said}")
    return next((folder / "dist").glob("*.whl")), next((folder / "dist").glob("*.tar.gz"))


def try_out(python, archive, resolution, folder):
    """Install and try: a sentence, and whether all is well."""
    environment = folder / "environment"
    shutil.rmtree(environment, ignore_errors=True)
    uv = [sys.executable, "-m", "uv"]
    said, well = run(*uv, "venv", "--quiet", "--python", python, environment, folder=folder)
    if not well:
        return f"no environment: {last_line(said)}", False
    inside = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [*uv, "pip", "install", "--quiet", "--python", inside]
    binary = ["--only-binary", ":all:"] if archive.suffix == ".whl" else []
    said, well = run(*install, "--resolution", resolution, *binary, archive, folder=folder)
    if not well:
        return f"not installable here: {last_line(said)}", None
    run(*install, *TEST_TOOLS, folder=folder)
    said, well = run(inside, "-m", "tallyplan.selftest", folder=folder)
    if not well:
        return f"the self-test fails: {said.strip()}", False
    tests = folder / "elsewhere"
    shutil.rmtree(tests, ignore_errors=True)
    shutil.copytree(ROOT / "tests", tests / "tests")
    options = ["-q", "-pno:cacheprovider", "-c", os.devnull, "--rootdir", tests, "--import-mode=importlib"]
    paths = [tests / "tests" / name for name in SUBSET]
    said, well = run(inside, "-m", "pytest", *options, *paths, folder=tests, PYTHONPATH=str(tests / "tests"))
    return last_line(said), well


def last_line(text):
    return text.strip().rsplit("\n", 1)[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", nargs="*", default=PYTHONS, metavar="PYTHON", help="such as 3.13")
    parser.add_argument("--wheel-only", action="store_true", help="build and try once, with the newest")
    given = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel, source = build(folder)
        here = sys.executable
        cases = [
            ("wheel, newest", here, wheel, "highest"),
            ("source archive, newest", here, source, "highest"),
        ]
        if not given.wheel_only:
            cases = cases[1:]
            for version in given.versions:
                python = find_python(version)
                cases += [(f"Python {version}, newest", python, wheel, "highest")]
                cases += [(f"Python {version}, lowest", python, wheel, "lowest-direct")]
        for what, python, archive, resolution in cases:
            said, well = try_out(python, archive, resolution, folder) if python else ("not found", None)
            print(f"{what}: {'' if well else 'absent: ' if well is None else 'FAILED: '}{said}", flush=True)
            failed |= well is False
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
