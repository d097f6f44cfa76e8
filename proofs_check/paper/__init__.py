"""One file per result of the paper, or a folder of files; importing the package registers every claim."""

from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages

from proofs_check.claim import Claim

# As the paper has them; a file that is not named here comes after those of its folder, or last.
ORDER = (
    "definition_1.statement",
    "definition_1",
    "counterexample_1",
    "counterexample_2",
    "counterexample_3",
    "algorithm_1.statement",
    "algorithm_1",
    "algorithm_2",
    "proposition_1.upper",
    "proposition_1.last_step",
    "proposition_1.lower",
    "proposition_1",
    "introduction",
    "theorem_1.statement",
    "theorem_1",
    "theorem_2.statement",
    "theorem_2",
    "related_work",
    "open_question",
    "discussion.statement",
    "discussion",
    "lemma_1",
    "lemma_2",
    "lemma_3.statement",
    "lemma_3",
    "lemma_4.statement",
    *(f"lemma_{number}" for number in range(4, 9)),
)


def _place(module: str) -> tuple[int, str]:
    name = module.removeprefix(f"{__name__}.")
    places = [place for place, result in enumerate(ORDER) if f"{name}.".startswith(f"{result}.")]
    return (places[0] if places else len(ORDER), name)


def in_order(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """As the paper has them, whichever file was imported first."""
    return tuple(sorted(claims, key=lambda one: _place(one.derive.__module__)))


for _name in sorted((module.name for module in walk_packages(__path__, f"{__name__}.")), key=_place):
    import_module(_name)
