"""One file a result of the paper; importing the package registers every claim in it."""

from importlib import import_module
from pkgutil import iter_modules

# As the paper has them; a file that is not named here comes last.
ORDER = (
    "definition_1",
    "counterexample_1",
    "counterexample_2",
    "counterexample_3",
    "algorithm_1",
    "algorithm_2",
    "proposition_1",
    "introduction",
    "theorem_1",
    "theorem_2",
    "discussion",
    *(f"lemma_{number}" for number in range(1, 9)),
)


def _place(name: str) -> tuple[int, str]:
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


for _name in sorted((module.name for module in iter_modules(__path__)), key=_place):
    import_module(f"{__name__}.{_name}")
