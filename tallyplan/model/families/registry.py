"""What a family of instances is, the kinds of its parameters, the list of all families, and random tables."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from itertools import accumulate, pairwise
from random import Random
from typing import Annotated, Any, TypeVar, cast

from tallyplan.errors import InvalidInput
from tallyplan.model.instance import Bandit, TallyingBandit
from tallyplan.model.plugins import Kind, Named, Registry, is_plugin, read_integer, typed
from tallyplan.model.rationals import plain, rational, shown

MAX_ENTRIES = 2**24
"""No family builds a table with more entries: it would take gigabytes as a file and in memory."""


@dataclass(frozen=True)
class Family(Named):
    """A named family: `build(**parameters)` returns the instance.

    >>> from tallyplan.model.families import find
    >>> family = find("uniform")
    >>> [one.name for one in family.parameters]
    ['actions', 'memory', 'denominator', 'seed']
    """

    @property
    def source(self) -> str:
        """The paper that it comes from."""
        about = inspect.getdoc(self.function) or ""
        found = re.search(r"^Source: (.+?)(?:\n\n|\Z)", about, re.MULTILINE | re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    def build(self, **given: Any) -> Bandit:
        """The instance of these parameters, which name it."""
        values = self.read(given)
        with self.running():
            bandit = self.function(**values)
        if not isinstance(bandit, Bandit):
            raise InvalidInput(f"{self.name} returned {shown(bandit)}; a family returns an instance.")
        if bandit.name is None or not is_plugin(self.name):
            said = ", ".join(f"{key}={typed(value)}" for key, value in values.items() if value is not None)
            bandit._set(name=f"{self.name}({said})" if values else self.name)
        return bandit


def _own(function: Any, name: str) -> Family:
    if not callable(function):
        raise InvalidInput(
            f"{name} is not a family: a function with keyword parameters that returns an instance."
        )
    return Family(name, function)


_REGISTRY = Registry("family", "families", _own)

find = _REGISTRY.find
all_families = _REGISTRY.all
FAMILIES = _REGISTRY.entries
"""All families by name, the paper's constructions first; `all_families` has those of other packages too."""

BuildFunction = TypeVar("BuildFunction", bound=Callable[..., Bandit])


USUAL = {
    "actions": "number K of arms.",
    "memory": "length m of the window.",
    "states": "number of states of each arm (last-switch has twice as many).",
    "denominator": "losses are integers over this number d.",
    "seed": "seed of the draws.",
}
"""What these parameters mean, where a family does not say otherwise."""


def family(name: str, **meanings: str) -> Callable[[BuildFunction], BuildFunction]:
    """Register a function under `name`; calls then check their arguments, and name the instance.

    Parameters that its docstring does not explain have these meanings, or the usual ones.
    """

    def register(function: BuildFunction) -> BuildFunction:
        text, prompt, example = (inspect.getdoc(function) or "").partition(">>>")
        about, _, explained = text.partition("Parameters\n----------\n")
        said = USUAL | meanings | dict(re.findall(r"^(\w+) : (.+)$", explained, re.MULTILINE))
        rows = [f"{one} : {said.get(one, '')}\n" for one in inspect.signature(function).parameters]
        section = "".join(["Parameters\n----------\n", *rows, "\n"]) if rows else ""
        function.__doc__ = about + section + prompt + example
        entry = Family(name, function)
        _REGISTRY.add(entry)
        return cast(BuildFunction, wraps(function)(lambda **given: entry.build(**given)))

    return register


def make(family: str, /, **parameters: Any) -> Bandit:
    """Build an instance of a family by name; values may be Python objects or text.

    Parameters
    ----------
    family : a key of `FAMILIES`, or your own function as module:name.
    parameters : the keyword parameters of that family.

    Raises
    ------
    InvalidInput : the family or a parameter is unknown, a required parameter is missing, or a value is not a
        number of the right kind and range.

    >>> make("uniform", actions="2", memory="3").name
    'uniform(actions=2, memory=3, denominator=1000, seed=0)'
    >>> make("unifrom", actions=2, memory=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: there is no family 'unifrom'; did you mean 'uniform'? The families are ...

    See Also
    --------
    tallyplan.FAMILIES : all families.
    tallyplan.load : an instance from a file.
    tallyplan.TallyingBandit : an instance from its losses.
    """
    return find(family).build(**parameters)


def _integers(low: int, high: int, words: str) -> Kind:
    def read(value: Any, what: str) -> int:
        number = read_integer(value, what)
        if not low <= number <= high:
            raise InvalidInput(f"{what} is {shown(number)}; it must be an {words}.")
        return number

    return Kind(words, read)


def _rationals(inside: Callable[[Fraction], bool], words: str) -> Kind:
    def read(value: Any, what: str) -> Fraction:
        number = rational(value, what)
        if not inside(number):
            given = value if isinstance(value, str) else plain(number)
            raise InvalidInput(f"{what} is {shown(given)}; it must be a {words}.")
        return number

    return Kind(words, read)


def _lists(item: Kind, words: str) -> Kind:
    def read(value: Any, what: str) -> tuple[Any, ...]:
        items = ([] if not value.strip() else value.split(",")) if isinstance(value, str) else value
        if not isinstance(items, Sequence) or isinstance(items, bytes):
            raise InvalidInput(f"{what} is {shown(value)}; it must be a {words}.")
        return tuple(item.read(entry, f"{what}[{i}]") for i, entry in enumerate(items))

    return Kind(words, read)


_unit = _rationals(lambda number: 0 <= number <= 1, "rational in [0, 1]")

Count = Annotated[int, _integers(1, MAX_ENTRIES, "integer from 1 to 2^24")]
Action = Annotated[int, _integers(0, MAX_ENTRIES - 1, "integer from 0 to K - 1")]
Tally = Annotated[int, _integers(1, MAX_ENTRIES, "integer from ceil(23m/24) to m")]
Spread = Annotated[int, _integers(0, 10**100, "integer from 0 to d/2")]
Seed = Annotated[int, _integers(0, 2**64 - 1, "integer from 0 to 2^64 - 1")]
Denominator = Annotated[int, _integers(1, 10**100, "integer from 1 to 10^100")]
Gap = Annotated[Fraction, _rationals(lambda gap: 0 < 2 * gap <= 1, "rational in (0, 1/2]")]
Share = Annotated[Fraction, _unit]
Ratio = Annotated[Fraction, _rationals(lambda ratio: 0 < ratio <= 1, "rational in (0, 1]")]
Bits = Annotated[Sequence[int], _lists(_integers(0, 1, "integer 0 or 1"), "list such as 0,1,0")]
Counts = Annotated[
    Sequence[int], _lists(_integers(1, MAX_ENTRIES, "integer from 1 to 2^24"), "list such as 2,3,4")
]
Rewards = Annotated[
    Sequence[Fraction],
    _lists(_rationals(lambda reward: reward >= 0, "rational >= 0"), "list such as 3,2,1/2"),
]
Means = Annotated[Sequence[Fraction], _lists(_unit, "list such as 1/2,0.3,1")]


# --- tables of losses, from rows and from a seed ------------------------------------------------------------

Draw = Callable[[Random, int, int], Sequence[int]]


def tallying(actions: int, memory: int, row: Callable[[int], Sequence[Fraction]]) -> TallyingBandit:
    """A tallying bandit from a function that gives the row of an action."""
    check_entries(actions * memory)
    return TallyingBandit([row(action) for action in range(actions)])


def drawn(
    name: str, *, alike: bool = False, **meanings: str
) -> Callable[[Draw], Callable[..., TallyingBandit]]:
    """A family of tables: the function draws the numerators of each row, or of one row for all arms."""

    def register(draw: Draw) -> Callable[..., TallyingBandit]:
        def build(
            *, actions: Count, memory: Count, denominator: Denominator = 1000, seed: Seed = 0
        ) -> TallyingBandit:
            check_entries(actions * memory)
            rng = Random(seed)
            numerators = [draw(rng, memory, denominator) for _ in range(1 if alike else actions)]
            rows = [[Fraction(n, denominator) for n in row] for row in numerators]
            return TallyingBandit(rows * actions if alike else rows)

        build.__doc__, build.__module__, build.__qualname__ = draw.__doc__, draw.__module__, draw.__qualname__
        return family(name, **meanings)(build)

    return register


def check_entries(entries: int, bits: int = 24) -> None:
    """Refuse a table that is too large to be written down."""
    if entries > 2**bits:
        raise InvalidInput(
            f"the table would have more than 2^{bits} entries; choose fewer actions or a shorter memory."
        )


def uniform_integers(rng: Random, count: int, low: int, high: int) -> list[int]:
    """Independent integers, uniform in low .. high; `randrange` is the only source of randomness here."""
    return [low + rng.randrange(high - low + 1) for _ in range(count)]


def climb(rng: Random, length: int, low: int, high: int) -> list[int]:
    """An increasing row of `length` integers from low to high; a row of one is low."""
    return [low] if length == 1 else [low, *sorted(uniform_integers(rng, length - 2, low, high)), high]


def convex_descent(rng: Random, length: int, high: int, low: int) -> list[int]:
    """A decreasing and convex row of `length` integers from high to low; a row of one is low."""
    steps = sorted(after - before for before, after in pairwise(climb(rng, length, low, high)))
    return list(accumulate(steps, initial=low))[::-1]


def ends(rng: Random, denominator: int) -> tuple[int, int]:
    """Two random numbers in 0 .. denominator, the lower one first."""
    low, high = sorted(uniform_integers(rng, 2, 0, denominator))
    return low, high


def chosen_arm(best: int | None, drawn: int, actions: int) -> int:
    """The arm that was asked for, if it exists, or the drawn one."""
    if best is not None and best >= actions:
        raise InvalidInput(f"best is {best}; the actions are 0 to {actions - 1}.")
    return drawn if best is None else best
