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

    from tallyplan.api import *  # noqa: F403

__version__ = "0.1.0"  # the only place; CITATION.cff and CHANGELOG.md are held to it by a test


def __getattr__(name: str) -> Any:
    """A public name (PEP 562): `import tallyplan` is quick, and needs nothing but the standard library."""
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module 'tallyplan' has no attribute {name!r}")
    api = vars(import_module("tallyplan.api"))
    public = {one: api[one] for one in api if not one.startswith("_")}
    order = sorted([*public, "check"], key=lambda one: (not one.isupper(), one))
    globals().update(public, __all__=order)
    if name not in globals():
        raise AttributeError(f"module 'tallyplan' has no attribute {name!r}")
    return globals()[name]


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]
