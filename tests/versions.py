"""Wheels and source archive, installed away from the repository: `python tests/versions.py [PYTHON ...]`.

They are built: tallyplan, and the folder of the checker as a package of its own, `tallyplan-check`, which
needs nothing but Python and has to judge two certificates. Then for each Python that is found, with the
lowest versions of the dependencies that pyproject.toml allows and with the newest, a fresh environment gets
the wheel; and one on the Python that runs this gets the source archive. In each, outside the repository,
`python -m tallyplan.selftest` has to pass, and a few tests. A Python that is not there, or for which a
dependency has no build, is named. The exit status is 1 if anything that could be installed fails.
`--checker FOLDER` only puts the wheel of the checker there.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import tallyplan

ROOT = Path(__file__).parent.parent
UV = (sys.executable, "-m", "uv")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SUBSET = (
    "planning/test_paper.py",
    "model/test_rationals.py",
    "check/test_reading.py",
    "games/test_regret.py",
)
TEST_TOOLS = ("pytest", "hypothesis")
CHECKER = """
[build-system]
requires = {build-system[requires]}
build-backend = "setuptools.build_meta"

[project]
name = "tallyplan-check"
version = "{version}"
description = "The independent checker of tallyplan's certificates: standard library only"
license = "{project[license]}"
license-files = ["LICENSE"]
requires-python = "{project[requires-python]}"
scripts.tallyplan-check = "tallyplan_check.__main__:main"

[tool.setuptools]
packages = ["tallyplan_check"]
"""


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
    return next((folder / "dist").glob("tallyplan-*.whl")), next((folder / "dist").glob("*.tar.gz"))


def build_checker(folder, into):
    """The wheel of the checker: its folder under a name of its own."""
    tree, ours = folder / "checker", tomllib.loads((ROOT / "pyproject.toml").read_text())
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tallyplan" / "check", tree / "tallyplan_check", ignore=ignored)
    shutil.copy(ROOT / "LICENSE", tree)
    (tree / "pyproject.toml").write_text(CHECKER.format(version=tallyplan.__version__, **ours))
    said, well = run(sys.executable, "-m", "build", "--wheel", "--outdir", into, tree, folder=folder)
    if not well:
        sys.exit(f"the checker cannot be built:\n{said}")
    return next(Path(into).glob("tallyplan_check-*.whl"))


def try_checker(python, wheel, folder):
    """Install the checker alone, and let it judge: a sentence, and whether all is well."""
    inside, said = fresh(python, folder)
    if inside is None:
        return said, False
    said, well = run(*UV, "pip", "install", "--quiet", "--offline", "--python", inside, wheel, folder=folder)
    if not well:
        return f"not installable: {last_line(said)}", False
    for name, status in (("accepted/cyclic-stages", "accepted"), ("refused/horizon-value-below", "refused")):
        document = shutil.copy(ROOT / "tests" / "vectors" / f"{name}.json", folder)
        said, _ = run(inside.parent / "tallyplan-check", document, folder=folder)
        again, _ = run(inside, "-m", "tallyplan_check", document, folder=folder)
        if not said.startswith(f"{status}: ") or again != said:
            return f"wrong: {said}{again}", False
    return "accepts a proof and refuses a near miss", True


def fresh(python, folder):
    """The Python of a new environment, or None; and what was said."""
    environment = folder / "environment"
    shutil.rmtree(environment, ignore_errors=True)
    said, well = run(*UV, "venv", "--quiet", "--python", python, environment, folder=folder)
    inside = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return inside if well else None, f"no environment: {last_line(said)}"


def try_out(python, archive, resolution, folder):
    """Install and try: a sentence, and whether all is well."""
    inside, said = fresh(python, folder)
    if inside is None:
        return said, False
    install = [*UV, "pip", "install", "--quiet", "--python", inside]
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
    parser.add_argument("--checker", metavar="FOLDER", help="only build the wheel of the checker, into it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.checker:
            print(build_checker(folder, Path(given.checker).absolute()))
            return 0
        said, well = try_checker(sys.executable, build_checker(folder, folder / "dist"), folder)
        print(f"checker alone: {'' if well else 'FAILED: '}{said}", flush=True)
        failed = not well
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
