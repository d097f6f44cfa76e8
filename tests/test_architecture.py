"""Dependencies point one way, imports inside functions included. The rules are the three tables below."""

import subprocess
import sys

import grimp
import networkx as nx
import pytest

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

# `tallyplan` itself collects names for users, loaded on first use: only the version is taken from it.
PACKAGES = ("tallyplan", "proofs_check", "benchmarks")
GRAPH = grimp.build_graph(*PACKAGES, cache_dir=None, include_external_packages=True)
OURS = [name for name in GRAPH.modules if name.split(".")[0] in PACKAGES]
EDGES = [(one, other) for one in OURS for other in GRAPH.find_modules_directly_imported_by(one)]


def is_in(module, room):
    return module == room or module.startswith(f"{room}.")


def test_every_module_lives_in_a_room():
    homeless = [name for name in OURS if not any(is_in(name, room) for room in ROOMS)]
    assert homeless == ["tallyplan"]


def test_a_room_imports_only_the_rooms_before_it():
    known = [(ours, others) for i, ours in enumerate(ROOMS) for others in ROOMS[i + 1 :]]
    assert [edge for edge in EDGES for ours, others in known if forbidden(edge, ours, others)] == []


def forbidden(edge, importer, imported):
    return is_in(edge[0], importer) and is_in(edge[1], imported)


@pytest.mark.parametrize("room", NEVER)
def test_what_a_room_must_never_import(room):
    assert [edge for edge in EDGES for other in NEVER[room] if forbidden(edge, room, other)] == []


def test_the_checker_imports_the_standard_library_alone():
    used = {other.split(".")[0] for one, other in EDGES if is_in(one, "tallyplan.check")}
    assert used <= {"tallyplan", *sys.stdlib_module_names}


def test_inside_the_package_only_the_version_is_taken_from_its_top():
    inside = [one for one, other in EDGES if other == "tallyplan" and is_in(one, "tallyplan")]
    told = [one for name in inside for one in GRAPH.get_import_details(importer=name, imported="tallyplan")]
    assert {one["line_contents"] for one in told} == {"from tallyplan import __version__"}


def test_no_modules_import_each_other_in_a_circle():
    ours = nx.DiGraph(edge for edge in EDGES if "tallyplan" not in edge)
    assert [sorted(group) for group in nx.strongly_connected_components(ours) if len(group) > 1] == []


def test_importing_the_package_loads_no_dependency():
    code = "import sys; before = {*sys.modules}; import tallyplan; print(*{*sys.modules} - before)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert {module.split(".")[0] for module in loaded} <= {"tallyplan", *sys.stdlib_module_names}
