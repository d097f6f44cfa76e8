"""tallyplan: exact planning and verification for tallying bandits.

The loss of an action depends on how often it was played in the last m steps. Every number here is an exact
rational, and every answer carries a certificate that an independent checker verifies.

>>> import tallyplan as tp
>>> bandit = tp.TallyingBandit([["0", "1"], ["0", "1"]])
>>> tp.optimal_plan(bandit, horizon=10**15).value
Fraction(0, 1)
"""

from __future__ import annotations

from importlib import import_module

from tallyplan.check import check as check  # the function, not the package: tp.check(certificate)

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from typing import Any

    from tallyplan.errors import InstanceTooLarge as InstanceTooLarge
    from tallyplan.errors import InternalError as InternalError
    from tallyplan.errors import InvalidInput as InvalidInput
    from tallyplan.errors import NoPlay as NoPlay
    from tallyplan.errors import OnlyAnInterval as OnlyAnInterval
    from tallyplan.errors import TallyplanError as TallyplanError
    from tallyplan.model.arms import Arm as Arm
    from tallyplan.model.arms import ArmBandit as ArmBandit
    from tallyplan.model.families import FAMILIES as FAMILIES
    from tallyplan.model.families import make as make
    from tallyplan.model.graph import to_networkx as to_networkx
    from tallyplan.model.instance import Bandit as Bandit
    from tallyplan.model.instance import TallyingBandit as TallyingBandit
    from tallyplan.model.instance import load as load
    from tallyplan.model.kinds import WeightedTallyBandit as WeightedTallyBandit
    from tallyplan.model.kinds import WindowBandit as WindowBandit
    from tallyplan.model.replay import mean_of_word as mean_of_word
    from tallyplan.model.replay import replay as replay
    from tallyplan.model.replay import replay_runs as replay_runs
    from tallyplan.planning.cycle_of_graph import critical_graph as critical_graph
    from tallyplan.planning.cycle_of_graph import minimum_mean_cycle_of as minimum_mean_cycle_of
    from tallyplan.planning.cycle_of_graph import minimum_ratio_cycle_of as minimum_ratio_cycle_of
    from tallyplan.planning.cycle_of_graph import negative_cycle_of as negative_cycle_of
    from tallyplan.planning.cyclic import optimal_cyclic_policy as optimal_cyclic_policy
    from tallyplan.planning.horizon import optimal_plan as optimal_plan
    from tallyplan.planning.horizon import optimal_values as optimal_values
    from tallyplan.planning.many import solve_many as solve_many
    from tallyplan.planning.mean_cycle import minimum_mean_cycle as minimum_mean_cycle
    from tallyplan.planning.policies import load_policy as load_policy
    from tallyplan.planning.single_run import best_single_run_word as best_single_run_word

__version__ = "0.1.0"  # the only place; CITATION.cff and CHANGELOG.md are held to it by a test

# Names are loaded on first use (PEP 562): `import tallyplan` stays fast, and the checker, which is standard
# library only, can be imported where nothing else is installed.
_HOME = {
    "tallyplan.errors": (
        "InstanceTooLarge",
        "InternalError",
        "InvalidInput",
        "NoPlay",
        "OnlyAnInterval",
        "TallyplanError",
    ),
    "tallyplan.model.families": ("FAMILIES", "make"),
    "tallyplan.model.graph": ("to_networkx",),
    "tallyplan.model.arms": ("Arm", "ArmBandit"),
    "tallyplan.model.instance": ("Bandit", "TallyingBandit", "load"),
    "tallyplan.model.kinds": ("WeightedTallyBandit", "WindowBandit"),
    "tallyplan.planning.cycle_of_graph": (
        "critical_graph",
        "minimum_mean_cycle_of",
        "minimum_ratio_cycle_of",
        "negative_cycle_of",
    ),
    "tallyplan.planning.cyclic": ("optimal_cyclic_policy",),
    "tallyplan.planning.horizon": ("optimal_plan", "optimal_values"),
    "tallyplan.planning.many": ("solve_many",),
    "tallyplan.planning.mean_cycle": ("minimum_mean_cycle",),
    "tallyplan.planning.policies": ("load_policy",),
    "tallyplan.planning.single_run": ("best_single_run_word",),
    "tallyplan.model.replay": ("mean_of_word", "replay", "replay_runs"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted([*_MODULE_OF, "check"], key=lambda name: (not name.isupper(), name))


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'tallyplan' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
