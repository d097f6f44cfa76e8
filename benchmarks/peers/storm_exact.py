"""Storm with rational arithmetic: the least long-run average reward of the state graph as an MDP."""

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import stormpy

from benchmarks.peers.serve import Instance

Prepared = tuple[Instance, Any, Any]


def prepare(instance: Instance) -> Prepared:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "states.drn"
        write_drn(instance, path)
        model = stormpy.build_model_from_drn[stormpy.Rational](str(path))
    return instance, model, stormpy.parse_properties('R{"cost"}min=? [ LRA ]')[0]


def write_drn(instance: Instance, path: Path) -> None:
    """Costs are integers here; the answer is divided by the denominator."""
    costs, successors = instance.costs(), instance.successors()
    with path.open("w", encoding="ascii") as out:
        out.write("@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\ncost\n")
        out.write(
            f"@nr_states\n{instance.states}\n@nr_choices\n{instance.states * instance.actions}\n@model\n"
        )
        for state in range(instance.states):
            out.write(f"state {state}{' init' if state == 0 else ''}\n")
            for a in range(instance.actions):
                out.write(f"\taction {a} [{costs[state, a]}]\n\t\t{successors[state, a]} : 1\n")


def solve(prepared: Prepared) -> Fraction:
    instance, model, question = prepared
    result = stormpy.model_checking(
        model, question, only_initial_states=True, environment=stormpy.environments.exact()
    )
    return Fraction(str(result.get_value(0))) / instance.denominator
