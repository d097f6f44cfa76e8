"""One file per result of the paper, beside it one with its longer steps; importing registers every claim."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages

from proofs_check.claim import Claim

# As the paper has them, slips and trivia last; the steps of a result come after it.
ORDER = (
    "definition_1",
    "observations",
    *(f"counterexample_{number}" for number in range(1, 4)),
    "algorithm_1",
    "algorithm_2",
    "proposition_1",
    "introduction",
    "theorem_1",
    "theorem_2",
    "discussion",
    *(f"lemma_{number}" for number in range(1, 9)),
    "slips",
)


def _place(module: str) -> tuple[int, str]:
    name = module.removeprefix(f"{__name__}.")
    places = [place for place, result in enumerate(ORDER) if f"{name}_".startswith(f"{result}_")]
    return (places[0] if places else len(ORDER), name)


def in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """As the paper has them, whichever file was imported first."""
    return tuple(sorted(claims, key=lambda one: _place(one.derive.__module__)))


for _name in sorted((module.name for module in walk_packages(__path__, f"{__name__}.")), key=_place):
    import_module(_name)
