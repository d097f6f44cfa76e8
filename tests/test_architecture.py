"""Dependencies point one way, imports inside functions included. The rules are the three tables below."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]

# A room may import the rooms before it, and itself; `check`, the first, imports nothing of ours.
ROOMS = (
    "tallyplan.check",
    "tallyplan.errors",
    "tallyplan.limits",
    "tallyplan.workers",
    "tallyplan.formula",
    "tallyplan.linear_program",
    "tallyplan.model",
    "tallyplan.core",
    "tallyplan.certificates",
    "tallyplan.answers",
    "tallyplan.planning",
    "tallyplan.api",
    "tallyplan.games",
    "tallyplan.studies",
    "tallyplan.pictures",
    "tallyplan.cli",
    "tallyplan.selftest",
    "tallyplan.__main__",
    "proofs_check",
    "benchmarks",
)

# The public questions plan on the graph, or ask the engine that does without it, which does not know them.
QUESTIONS = ("tallyplan.planning.horizon", "tallyplan.planning.mean_cycle", "tallyplan.planning.cyclic")
NEVER = {
    "tallyplan.planning.without_graph": QUESTIONS,
    "tallyplan.games": ("tallyplan.planning.state_graph", "tallyplan.planning.without_graph"),
}

# `tallyplan` itself collects names for users, loaded on first use: the project takes only this from it.
FROM_TALLYPLAN = {"__version__"}


@cache
def modules() -> dict[str, Path]:
    """Every module of ours by name."""
    found = {}
    for package in ("tallyplan", "proofs_check", "benchmarks"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if not any(part.startswith(".") for part in parts):
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports_of(module: str) -> Iterator[tuple[str, str]]:
    """(module imported, name taken from it or "") for each import anywhere in the module's source."""
    path = modules()[module]
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield (inner, "") if inner in modules() else (base, alias.name)


@cache
def edges() -> tuple[tuple[str, str], ...]:
    """(importer, imported) over our modules, without what `tallyplan` itself collects."""
    return tuple(
        (module, imported)
        for module in modules()
        for imported, _ in imports_of(module)
        if imported in modules() and module != "tallyplan" and imported not in ("tallyplan", module)
    )


def is_in(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


def room_of(module: str) -> int:
    (place,) = (place for place, room in enumerate(ROOMS) if is_in(module, room))
    return place


def test_every_module_lives_in_a_room():
    homeless = [name for name in modules() if not any(is_in(name, room) for room in ROOMS)]
    assert homeless == ["tallyplan"]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_the_rooms_before_it(room):
    upward = [(a, b) for a, b in edges() if is_in(a, room) and room_of(b) > room_of(a)]
    assert upward == []


@pytest.mark.parametrize("room", NEVER)
def test_what_a_room_must_never_import(room):
    wrong = [(a, b) for a, b in edges() if is_in(a, room) and any(is_in(b, other) for other in NEVER[room])]
    assert wrong == []


def test_inside_the_package_only_the_version_is_taken_from_its_top():
    wrong = [
        (module, name)
        for module in modules()
        if is_in(module, "tallyplan") and module != "tallyplan"
        for imported, name in imports_of(module)
        if imported == "tallyplan" and name not in FROM_TALLYPLAN
    ]
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle():
    components = nx.strongly_connected_components(nx.DiGraph(edges()))
    assert [sorted(component) for component in components if len(component) > 1] == []


def test_importing_the_package_loads_no_dependency():
    code = "import sys; before = {*sys.modules}; import tallyplan; print(*{*sys.modules} - before)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert {module.split(".")[0] for module in loaded} <= {"tallyplan", *sys.stdlib_module_names}
