"""Who takes part in the race, and whether and how each can be run."""

import json
import sys
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

from benchmarks.race.build import BUILD, STATUS


@dataclass(frozen=True)
class Solver:
    """`needs` is its entry in .build/peers.json; None: part of this project's own environment."""

    name: str
    label: str
    needs: str | None
    command: tuple[str, ...]  # the first word ends in .py if it is a module of benchmarks/peers
    arithmetic: str = "exact"

    def skipped(self) -> str | None:
        """Why it cannot run, or None."""
        if self.needs is None:
            return None
        found = built()["peers"].get(self.needs)
        return "not built: run python -m benchmarks.race.build" if found is None else found.get("skipped")

    def version(self) -> str:
        return version(self.name) if self.needs is None else str(built()["peers"][self.needs]["version"])

    def argv(self) -> list[str]:
        program, *rest = self.command
        if not program.endswith(".py"):
            return [str(BUILD / program), *rest]
        python = sys.executable if self.needs is None else built()["python"]
        return [python, "-m", f"benchmarks.peers.{program.removesuffix('.py')}", *rest]


@cache
def built() -> dict[str, Any]:
    found: dict[str, Any] = {"python": None, "peers": {}}
    return found | (json.loads(STATUS.read_text("utf-8")) if STATUS.exists() else {})


FLOATS = "floating point"
CYCLE = "floating point; its cycle added up exactly"
_ALL = (
    Solver("tallyplan", "tallyplan", None, ("ours.py",)),
    Solver("lemon-howard", "LEMON Howard (C++)", "lemon", ("lemon", "howard")),
    Solver("lemon-hartmann-orlin", "LEMON Hartmann-Orlin (C++)", "lemon", ("lemon", "hartmann-orlin")),
    Solver("lemon-karp", "LEMON Karp (C++)", "lemon", ("lemon", "karp")),
    Solver("boost-howard", "Boost Howard (C++)", "boost_howard", ("boost_howard",), CYCLE),
    Solver("highs", "LP, HiGHS by SciPy", "scipy", ("scipy_highs.py",), FLOATS),
    Solver("rustworkx", "rustworkx negative cycles", "rustworkx", ("rustworkx_cycle.py",)),
    Solver("networkx", "networkx negative cycles", "networkx", ("networkx_cycle.py",)),
    Solver("storm", "Storm, exact", "stormpy", ("storm_exact.py",)),
    Solver("numpy", "numpy, int32 cost planes", None, ("numpy_horizon.py",)),
    Solver("quantecon", "QuantEcon DiscreteDP", "quantecon", ("quantecon_horizon.py",), FLOATS),
    Solver("textbook", "textbook n*L*K^m program (C++)", "textbook_cyclic", ("textbook_cyclic",)),
)
SOLVERS = {solver.name: solver for solver in _ALL}
_COMPILED_CYCLES = ("lemon-howard", "boost-howard", "lemon-hartmann-orlin", "lemon-karp")
MEAN_CYCLE_PEERS = (*_COMPILED_CYCLES, "highs", "rustworkx", "networkx", "storm")
