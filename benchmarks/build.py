"""Installs and compiles the peers into benchmarks/.build; one that fails is skipped, and the reason is kept.

    python -m benchmarks.build

LEMON and Boost are the Debian packages liblemon-dev and libboost-dev. The Python peers go to an environment
of their own. What was found is written to benchmarks/.build/peers.json.
"""

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from benchmarks import ROOT

BUILD = ROOT / "benchmarks" / ".build"
STATUS = BUILD / "peers.json"
LIMIT = 900  # seconds per command
FLAGS = ("-O3", "-march=native", "-DNDEBUG", "-std=c++17")

# program -> (Debian package, header, macro with the version)
COMPILED = {
    "lemon": ("liblemon-dev", "lemon/config.h", "LEMON_VERSION"),
    "lemon_graphs": ("liblemon-dev", "lemon/config.h", "LEMON_VERSION"),
    "boost_graphs": ("libboost-dev", "boost/version.hpp", "BOOST_LIB_VERSION"),
}
PYTHON = ("scipy", "rustworkx", "networkx", "quantecon", "stormpy")


Process = subprocess.CompletedProcess[str]
Found = dict[str, str]


def run(*command: str, given: str | None = None) -> Process:
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=LIMIT, check=False)


def last_line(process: Process) -> str:
    lines = (process.stdout + process.stderr).strip().splitlines()
    return lines[-1] if lines else f"exit status {process.returncode}"


def has_header(header: str) -> bool:
    return run("g++", "-E", "-x", "c++", "-", given=f"#include <{header}>\n").returncode == 0


def version_of(header: str, macro: str) -> str:
    found = run("g++", "-E", "-P", "-x", "c++", "-", given=f"#include <{header}>\n{macro}\n").stdout
    return found.strip().splitlines()[-1].strip('"').replace("_", ".")


def compile_peer(program: str, package: str, header: str, macro: str) -> Found:
    if shutil.which("g++") is None:
        return {"skipped": "there is no C++ compiler (g++)"}
    if not has_header(header):
        return {"skipped": f"the package {package} is not installed"}
    BUILD.mkdir(exist_ok=True)
    source, target = ROOT / "benchmarks" / "peers" / f"{program}.cpp", BUILD / program
    process = run("g++", *FLAGS, str(source), "-o", str(target))
    if process.returncode != 0:
        return {"skipped": f"it does not compile: {last_line(process)}"}
    return {"version": version_of(header, macro), "flags": " ".join(FLAGS)}


def install_python(python: Path, name: str) -> Found:
    process = run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", name)
    show = "import importlib.metadata as m, sys; __import__(sys.argv[1]); print(m.version(sys.argv[1]))"
    loaded = run(str(python), "-c", show, name)
    if loaded.returncode == 0:
        return {"version": loaded.stdout.split()[-1]}
    return {"skipped": f"it could not be installed: {last_line(process if process.returncode else loaded)}"}


def main() -> None:
    peers = {program: compile_peer(program, *needs) for program, needs in COMPILED.items()}
    venv.create(BUILD / "venv", with_pip=True)
    python = BUILD / "venv" / "bin" / "python"
    peers |= {name: install_python(python, name) for name in PYTHON}
    STATUS.write_text(json.dumps({"python": str(python), "peers": peers}, indent=2) + "\n", "utf-8")
    for name, found in peers.items():
        print(f"{name:>16}  {found.get('version') or 'skipped: ' + found['skipped']}", file=sys.stderr)


if __name__ == "__main__":
    main()
