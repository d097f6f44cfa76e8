"""One file a result of the paper; importing the package registers every claim in it."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules

from proofs_check.claim import Claim

# As the paper has them; lemma_4_widths follows lemma_4, and a file that is not named here comes last.
ORDER = (
    "definition_1",
    "counterexample_1",
    "counterexample_2",
    "counterexample_3",
    "algorithm_1",
    "algorithm_2",
    "proposition_1_upper",
    "proposition_1_last_step",
    "proposition_1_lower",
    "proposition_1_steps",
    "introduction",
    "theorem_1",
    "theorem_2",
    "related_work",
    "discussion",
    *(f"lemma_{number}" for number in range(1, 9)),
)


def _place(name: str) -> tuple[int, str]:
    places = [place for place, result in enumerate(ORDER) if f"{name}_".startswith(f"{result}_")]
    return (places[0] if places else len(ORDER), name)


def in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """As the paper has them, whichever file was imported first."""
    return tuple(sorted(claims, key=lambda one: _place(one.derive.__module__.rpartition(".")[2])))


for _name in sorted((module.name for module in iter_modules(__path__)), key=_place):
    import_module(f"{__name__}.{_name}")
