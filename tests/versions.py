"""Wheels and source archive, installed away from the repository: `python tests/versions.py [PYTHON ...]`.

They are built: tallyplan, and the folder of the checker as a package of its own, `tallyplan-check`, which
needs nothing but Python and has to judge two certificates. Then for each Python that is found, with the
lowest versions of the dependencies that pyproject.toml allows and with the newest, the wheel is tried in an
environment that uv makes for it; the source archive on the Python that runs this. In each, outside the
repository, `python -m tallyplan.selftest` has to pass, and a few tests. A Python that is not there, or for
which a dependency has no build, is named. The exit status is 1 if anything that could be installed fails.
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
UV = (sys.executable, "-m", "uv", "run", "--quiet", "--isolated", "--no-project")
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SUBSET = (
    "planning/test_paper.py",
    "model/test_rationals.py",
    "check/test_reading.py",
    "games/test_regret.py",
)
TOOLS = ("--with", "pytest>=9", "--with", "hypothesis>=6.100")
OURS = tomllib.loads((ROOT / "pyproject.toml").read_text())
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
    return done.stdout.strip(), done.returncode == 0


def find_python(version):
    """The newest interpreter of a version: with pyenv, or on the path."""
    roots = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = sorted(roots.glob(f"{version}.*/bin/python"))
    return str(kept[-1]) if kept else shutil.which(f"python{version}")


def built(tree, into, *options):
    """Wheel or source archive of a tree, put into a folder."""
    said, well = run(sys.executable, "-m", "build", *options, "--outdir", into, tree, folder=tree)
    if not well:
        sys.exit(f"{tree} cannot be built:\n{said}")


def build_checker(folder, into):
    """The wheel of the checker: its folder under a name of its own."""
    tree = folder / "checker"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tallyplan" / "check", tree / "tallyplan_check", ignore=ignored)
    shutil.copy(ROOT / "LICENSE", tree)
    (tree / "pyproject.toml").write_text(CHECKER.format(version=tallyplan.__version__, **OURS))
    built(tree, into, "--wheel")
    return next(Path(into).glob("tallyplan_check-*.whl"))


def try_checker(wheel, folder):
    """Install the checker alone, and let it judge: a sentence, and whether all is well."""
    inside = *UV, "--offline", "--python", sys.executable, "--with", wheel
    for name, status in (("accepted/cyclic-stages", "accepted"), ("refused/horizon-value-below", "refused")):
        document = shutil.copy(ROOT / "tests" / "vectors" / f"{name}.json", folder)
        said, _ = run(*inside, "tallyplan-check", document, folder=folder)
        again, _ = run(*inside, "python", "-m", "tallyplan_check", document, folder=folder)
        if not said.startswith(f"{status}: ") or again != said:
            return f"wrong: {said}{again}", False
    return "accepts a proof and refuses a near miss", True


def try_out(python, archive, resolution, folder):
    """Install and try: a sentence, and whether all is well; None if it cannot be installed."""
    if python is None:
        return "not found", None
    binary = ["--no-build"] if archive.suffix == ".whl" else []
    needed = [word for one in OURS["project"]["dependencies"] for word in ("--with", one)]  # named, so direct
    inside = [*UV, "--python", python, "--resolution", resolution, *binary, *TOOLS, *needed]
    inside += ["--with", archive, "python"]
    said, well = run(*inside, "--version", folder=folder)
    if not well:
        return f"not installable here: {said}", None
    said, well = run(*inside, "-m", "tallyplan.selftest", folder=folder)
    if not well:
        return f"the self-test fails: {said}", False
    shutil.copytree(ROOT / "tests", folder / "tests", dirs_exist_ok=True)
    options = ["-q", "-pno:cacheprovider", "-c", os.devnull, "--rootdir", folder, "--import-mode=importlib"]
    paths = [folder / "tests" / name for name in SUBSET]
    tests = str(folder / "tests")
    said, well = run(*inside, "-m", "pytest", *options, *paths, folder=folder, PYTHONPATH=tests)
    return said.rsplit("\n", 1)[-1], well


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
        hidden = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info")
        built(shutil.copytree(ROOT, folder / "tree", ignore=hidden), folder / "dist")
        [wheel], [source] = (list((folder / "dist").glob(kind)) for kind in ("*.whl", "*.tar.gz"))
        checker = build_checker(folder, folder / "checked")
        pythons = {"this Python": sys.executable}
        if not given.wheel_only:
            pythons = {f"Python {version}": find_python(version) for version in given.versions}
        cases: list[tuple] = [("checker alone", try_checker, checker)]
        cases += [("source archive, newest", try_out, sys.executable, source, "highest")]
        for name, python in pythons.items():
            cases.append((f"{name}, newest", try_out, python, wheel, "highest"))
            if not given.wheel_only:
                cases.append((f"{name}, lowest", try_out, python, wheel, "lowest-direct"))
        failed = False
        for what, tried, *case in cases:
            said, well = tried(*case, folder)
            print(f"{what}: {'' if well else 'absent: ' if well is None else 'FAILED: '}{said}", flush=True)
            failed |= well is False
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
