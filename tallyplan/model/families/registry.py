"""What a family is, how its parameters are read, and the list of all families."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from tallyplan.errors import InvalidInput, did_you_mean
from tallyplan.model.instance import Bandit
from tallyplan.model.own_code import is_own, load_entry_points, load_own, own_errors_in_a_sentence
from tallyplan.model.rationals import MAX_DIGITS, integer, plain, rational, shown

ENTRY_POINTS = "tallyplan.families"
MAX_ENTRIES = 2**24
"""No family builds a table with more entries: it would take gigabytes as a file and in memory."""


@dataclass(frozen=True)
class Parameter:
    """One keyword parameter of a family.

    `type` says in words what is accepted, `default` is what omission means (None: see `meaning`), and
    `read(value, name)` converts a Python value or a text, or raises InvalidInput.

    >>> from tallyplan.model.families import find
    >>> one = find("uniform").parameters[0]
    >>> one.name, one.required, one.read("3", "actions")
    ('actions', True, 3)

    See Also
    --------
    tallyplan.model.families.Family : what it is a parameter of.
    """

    name: str
    type: str
    default: Any
    required: bool
    meaning: str
    read: Callable[[Any, str], Any]

    @property
    def default_text(self) -> str:
        """The default as one would type it: `required`, `optional` or the value."""
        if self.required:
            return "required"
        return "optional" if self.default is None else _typed(self.default)


@dataclass(frozen=True)
class Family:
    """A named family: `build(**parameters)` returns the instance.

    >>> from tallyplan.model.families import find
    >>> family = find("uniform")
    >>> [one.name for one in family.parameters]
    ['actions', 'memory', 'denominator', 'seed']

    See Also
    --------
    tallyplan.model.families.find : a family by its name.
    tallyplan.model.families.Parameter : what it takes.
    """

    name: str
    summary: str
    source: str
    build: Callable[..., Bandit]
    parameters: tuple[Parameter, ...]


FAMILIES: dict[str, Family] = {}
"""All families by name, the paper's constructions first."""


def make(family: str, /, **parameters: Any) -> Bandit:
    """Build an instance of a family by name; values may be Python objects or text.

    Parameters
    ----------
    family : a key of `FAMILIES`.
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


def find(name: str) -> Family:
    """The family of this name.

    Raises
    ------
    InvalidInput : there is none; the message names the closest and lists all.

    >>> find("counterexample-3").build().memory
    2

    See Also
    --------
    tallyplan.make : the instance at once.
    """
    if not isinstance(name, str):
        raise InvalidInput(f"the name of a family is a text, not {shown(name)}.")
    if is_own(name):
        return _own(name)
    if name not in FAMILIES:
        load_entry_points(ENTRY_POINTS)
    if name not in FAMILIES:
        raise InvalidInput(
            f"there is no family {shown(name)}{did_you_mean(name, FAMILIES)} "
            f"The families are {', '.join(FAMILIES)}; your own is module:name."
        )
    return FAMILIES[name]


def all_families() -> dict[str, Family]:
    """All families by name, those of other packages included.

    >>> "rotting" in all_families()
    True

    See Also
    --------
    tallyplan.FAMILIES : those of tallyplan itself.
    tallyplan.model.families.find : one of them.
    """
    load_entry_points(ENTRY_POINTS)
    return FAMILIES


def _own(name: str) -> Family:
    """The family of a function that is not registered: keyword parameters, which returns an instance."""
    plain = load_own(name)
    for entry in FAMILIES.values():
        if entry.build is plain:
            return entry
    if not callable(plain):
        raise InvalidInput(
            f"{name} is no family: a function with keyword parameters that returns an instance."
        )
    description = inspect.getdoc(plain) or ""
    parameters = _parameters(plain, description)

    def build(**given: Any) -> Bandit:
        values = _read(name, parameters, given)
        with own_errors_in_a_sentence(name):
            bandit = plain(**values)
        if not isinstance(bandit, Bandit):
            raise InvalidInput(f"{name} returned {shown(bandit)}; a family returns an instance.")
        if bandit.name is None:
            bandit._set(name=_label(name, values))
        return bandit

    build.__doc__ = description
    return Family(name, description.partition("\n")[0], _source(description), build, parameters)


@dataclass(frozen=True)
class _Kind:
    """What the values of a parameter are: in words, and how to read one."""

    words: str
    read: Callable[[Any, str], Any]


def _integers(low: int, high: int, words: str) -> _Kind:
    def read(value: Any, what: str) -> int:
        number = _integer(value, what)
        if not low <= number <= high:
            raise InvalidInput(f"{what} is {shown(number)}; it must be an {words}.")
        return number

    return _Kind(words, read)


def _rationals(inside: Callable[[Fraction], bool], words: str) -> _Kind:
    def read(value: Any, what: str) -> Fraction:
        number = rational(value, what)
        if not inside(number):
            given = value if isinstance(value, str) else plain(number)
            raise InvalidInput(f"{what} is {shown(given)}; it must be a {words}.")
        return number

    return _Kind(words, read)


def _lists(item: _Kind, words: str) -> _Kind:
    def read(value: Any, what: str) -> tuple[Any, ...]:
        items = ([] if not value.strip() else value.split(",")) if isinstance(value, str) else value
        if not isinstance(items, Sequence) or isinstance(items, bytes):
            raise InvalidInput(f"{what} is {shown(value)}; it must be a {words}.")
        return tuple(item.read(entry, f"{what}[{i}]") for i, entry in enumerate(items))

    return _Kind(words, read)


def _integer(value: Any, what: str) -> int:
    if not isinstance(value, str):
        return integer(value, what)
    digits = value.strip()
    if re.fullmatch(r"[+-]?\d+", digits, re.ASCII) is None or len(digits) > MAX_DIGITS:
        raise InvalidInput(f"{what} is {shown(value)}; an integer is needed.")
    return int(digits)


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
Means = Annotated[Sequence[Fraction], _lists(_unit, "list such as 1/2,0.3,1")]

_PLAIN_KINDS = {  # of a user's own family, which need not annotate more than int or Fraction
    int: _Kind("integer", _integer),
    Fraction: _Kind("rational", rational),
}

BuildFunction = TypeVar("BuildFunction", bound=Callable[..., Bandit])


def family(name: str) -> Callable[[BuildFunction], BuildFunction]:
    """Register a function under `name`; calls then check their arguments, and name the instance."""

    def register(plain: BuildFunction) -> BuildFunction:
        description = inspect.getdoc(plain) or ""
        parameters = _parameters(plain, description)

        @wraps(plain)
        def build(**given: Any) -> Bandit:
            values = _read(name, parameters, given)
            bandit = plain(**values)
            bandit._set(name=_label(name, values))
            return bandit

        summary = description.partition("\n")[0]
        FAMILIES[name] = Family(name, summary, _source(description), build, parameters)
        return cast(BuildFunction, build)

    return register


def _parameters(plain: Callable[..., Bandit], description: str) -> tuple[Parameter, ...]:
    hints = get_type_hints(plain, include_extras=True)
    meanings = dict(re.findall(r"^(\w+) : (.+)$", description, re.MULTILINE))
    result = []
    for name, parameter in inspect.signature(plain).parameters.items():
        kind = _kind(hints.get(name, str))
        required = parameter.default is parameter.empty
        default = None if required else parameter.default
        result.append(Parameter(name, kind.words, default, required, meanings.get(name, ""), kind.read))
    return tuple(result)


def _kind(hint: Any) -> _Kind:
    if get_origin(hint) in (Union, types.UnionType):  # X | None
        hint = get_args(hint)[0]
    if hasattr(hint, "__metadata__"):
        return cast(_Kind, hint.__metadata__[0])
    return _PLAIN_KINDS.get(hint, _Kind("text", lambda value, what: value))


def _source(description: str) -> str:
    found = re.search(r"^Source: (.+?)(?:\n\n|\Z)", description, re.MULTILINE | re.DOTALL)
    return " ".join(found.group(1).split()) if found else ""


def _read(family: str, parameters: Sequence[Parameter], given: dict[str, Any]) -> dict[str, Any]:
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            takes = f"Its parameters are {', '.join(known)}." if known else "It has no parameters."
            raise InvalidInput(f"{family} has no parameter {shown(name)}{did_you_mean(name, known)} {takes}")
    values = {}
    for name, parameter in known.items():
        if name not in given and parameter.required:
            raise InvalidInput(f"{family} needs {name} ({parameter.type}): {parameter.meaning}")
        value = given.get(name)
        if value is None and not parameter.required:
            value = parameter.default
        omitted = value is None and not parameter.required
        values[name] = None if omitted else parameter.read(value, name)
    return values


def _label(family: str, values: dict[str, Any]) -> str:
    given = ", ".join(f"{name}={_typed(value)}" for name, value in values.items() if value is not None)
    return f"{family}({given})" if values else family


def _typed(value: Any) -> str:
    return ",".join(str(item) for item in value) if isinstance(value, tuple) else str(value)
