"""Hold the project to the sizes in ceilings.toml; `make lint` runs this.

A ceiling only goes down. Raising one takes a line in CHANGELOG.md that says what the reader gets for it.
"""

import ast
import contextlib
import io
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from types import FrameType

from tallyplan.__main__ import main as command_line

ROOT = Path(__file__).parents[1]
PACKAGES = ("tallyplan", "proofs_check")
SOURCES = (".py", ".cpp", ".hpp", ".h")
INSTANCE = {"memory": 3, "losses": [["1/4", "1/2", "1"], ["1/3", "1/2", "1/2"]]}
WALKS = {
    "cycle": ["cycle", "instance.json"],
    "plan": ["plan", "instance.json", "--horizon", "10"],
    "check": ["check", "certificate.json"],
    "play": ["play", "se-tb", "instance.json", "--horizon", "10000", "--seed", "1"],
    "study run": ["study", "run", "study.toml", "--store", "results.db", "--jobs", "1"],
}
STUDY = '[[instances]]\nfiles = ["instance.json"]\n\n[[questions]]\nask = "cycle"\n'


def tracked() -> list[Path]:
    """Every file of the project that git knows."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


def lines(files: list[Path], package: str) -> int:
    """The lines of a package's sources; `folder*.suffix` counts only the files with that suffix."""
    folder, _, kind = package.partition("*")
    inside = [file for file in files if file.is_relative_to(ROOT / folder)]
    kinds = (kind,) if kind else SOURCES
    return sum(len(file.read_bytes().splitlines()) for file in inside if file.suffix in kinds)


def functions(files: list[Path]) -> list[int]:
    """The lengths of all functions of the two packages, in lines without the docstring."""
    lengths = []
    for file in files:
        if file.suffix != ".py" or file.relative_to(ROOT).parts[0] not in PACKAGES:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                if body:
                    lengths.append((body[-1].end_lineno or 0) - body[0].lineno + 1)
    return sorted(lengths)


def walk(arguments: list[str]) -> int:
    """In how many of our modules some function runs while a command answers, once everything is imported.

    Annotations that the command line reads, whose code is called "<module>", do not count.
    """
    seen: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        name = str(frame.f_globals.get("__name__", ""))
        if event == "call" and name.split(".")[0] in PACKAGES and frame.f_code.co_name != "<module>":
            seen.add(name)

    run(arguments)
    Path("results.db").unlink(missing_ok=True)
    sys.setprofile(note)
    run(arguments)
    sys.setprofile(None)
    return len(seen)


def run(arguments: list[str]) -> None:
    """Run a command in this process, without its output."""
    sys.argv = ["tallyplan", *arguments]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        command_line()


def measured(limits: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Today's figure for each ceiling."""
    files = tracked()
    pages = [file for file in files if file.suffix == ".md" and file.is_relative_to(ROOT / "docs")]
    modules = [file for file in files if file.suffix == ".py" and file.relative_to(ROOT).parts[0] in PACKAGES]
    lengths = functions(files)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("instance.json").write_text(json.dumps(INSTANCE), encoding="utf-8")
        Path("study.toml").write_text(STUDY, encoding="utf-8")
        run(["cycle", "instance.json", "--certificate", "certificate.json"])
        walks = {name: walk(WALKS[name]) for name in limits["walks"]}
    return {
        "lines": {package: lines(files, package) for package in limits["lines"]},
        "docs": {"pages": len(pages), "words": sum(len(page.read_text("utf-8").split()) for page in pages)},
        "modules": {
            "number": len(modules),
            "longest": max(len(file.read_bytes().splitlines()) for file in modules),
        },
        "functions": {"median": lengths[len(lengths) // 2], "longest": lengths[-1]},
        "walks": walks,
    }


def main() -> int:
    """Print every figure next to its ceiling; fail if one is above it."""
    everything = "--all" in sys.argv
    limits = tomllib.loads((ROOT / "ceilings.toml").read_text(encoding="utf-8"))
    above = []
    for section, figures in measured(limits).items():
        for name, figure in figures.items():
            limit = limits[section][name]
            if everything or figure > limit:
                print(f"{section} {name}: {figure} (ceiling {limit})")
            if figure > limit:
                above.append(name)
    if above:
        print("Above a ceiling of ceilings.toml: make it smaller.", file=sys.stderr)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
