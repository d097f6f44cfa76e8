"""What has a name, and what a user brings: learners, families of instances, questions, and code for them.

Each kind has one `Registry`, which a decorator fills. There are two ways to bring your own: `module:name`
wherever a name is asked for, and an entry point that names a module with decorated functions or classes. The
parameters of a family or a question are those of its function; their annotations say how they are read.

Code is named by whoever starts the program, on the command line or in Python, and never by data: while a
specification or a store is read, `only_code` allows the modules that the caller named and no others. The
folder in which a command was started is searched first, so that a file next to the data is enough.
"""

from __future__ import annotations

import hashlib
import inspect
import pkgutil
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from tallyplan.errors import InvalidInput, TallyplanError, did_you_mean
from tallyplan.model.rationals import integer, integer_from_text, rational, shown

OURS = ("tallyplan.", "proofs_check.")


@dataclass(frozen=True)
class Kind:
    """What the values of a parameter are: in words, and `read(value, name)`, which converts one."""

    words: str
    read: Callable[[Any, str], Any]


@dataclass(frozen=True)
class Parameter:
    """One keyword parameter of a family or a question.

    `type` says in words what is accepted, `default` is what omission means (None: see `meaning`), and
    `read(value, name)` converts a Python value or a text, or raises InvalidInput.

    >>> from tallyplan.model.families import find
    >>> one = find("uniform").parameters[0]
    >>> one.name, one.required, one.read("3", "actions")
    ('actions', True, 3)
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
        return "optional" if self.default is None else typed(self.default)


@dataclass(frozen=True)
class Named:
    """A function or class with a name: a learner, a family or a question."""

    name: str
    function: Callable[..., Any]

    @property
    def summary(self) -> str:
        """The first line of its documentation, without the full stop."""
        return (inspect.getdoc(self.function) or "").split("\n")[0].removesuffix(".")

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters but `bandit`, with what its documentation says of each."""
        hints = get_type_hints(self.function, include_extras=True)
        about = inspect.getdoc(self.function) or ""
        meanings = dict(re.findall(r"^(\w+) : (.+)$", about, re.MULTILINE))
        found = []
        for name, parameter in inspect.signature(self.function).parameters.items():
            if name == "bandit":
                continue
            kind = _kind(hints.get(name))
            required = parameter.default is parameter.empty
            default = None if required else parameter.default
            found.append(Parameter(name, kind.words, default, required, meanings.get(name, ""), kind.read))
        return tuple(found)

    def read(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a call, read and complete."""
        names = [parameter.name for parameter in self.parameters]
        for name in given:
            if name not in names:
                takes = f"Its parameters are {', '.join(names)}." if names else "It has no parameters."
                guess = did_you_mean(name, names)
                raise InvalidInput(f"{self.name} has no parameter {shown(name)}{guess} {takes}")
        return {one.name: self._value(one, given) for one in self.parameters}

    def _value(self, parameter: Parameter, given: Mapping[str, Any]) -> Any:
        if parameter.required and parameter.name not in given:
            meaning = f": {parameter.meaning}" if parameter.meaning else "."
            raise InvalidInput(f"{self.name} needs {parameter.name} ({parameter.type}){meaning}")
        value = given.get(parameter.name)
        if value is None and not parameter.required:
            value = parameter.default
        omitted = value is None and not parameter.required
        return None if omitted else parameter.read(value, parameter.name)

    def running(self) -> AbstractContextManager[None]:
        """For the block that runs it: errors of the user's code are bad input; errors of ours are bugs."""
        ours = not is_plugin(self.name) and self.function.__module__.startswith(OURS)
        return nullcontext() if ours else users_code(f"{self.name} failed")


Entry = TypeVar("Entry", bound=Named)


class Registry(Generic[Entry]):
    """All learners, all families or all questions, by name.

    Parameters
    ----------
    kind : what one of them is called, such as "family"; `kinds` of several.
    own : makes the entry of an object that `module:name` stands for, from the object and its name.
    package : whose modules hold ours; None if they are imported already.
    """

    def __init__(
        self,
        kind: str,
        kinds: str,
        own: Callable[[Any, str], Entry] | None = None,
        package: str | None = None,
    ) -> None:
        self.kind, self.kinds, self.own, self.package = kind, kinds, own, package
        self.entries: dict[str, Entry] = {}

    def add(self, entry: Entry) -> None:
        """Register an entry; another function or class of the same name is refused."""
        known = self.entries.get(entry.name, entry)
        if known.function.__qualname__ != entry.function.__qualname__:
            raise InvalidInput(f"there are two {self.kinds} of the name {entry.name}.")
        self.entries[entry.name] = entry

    def all(self) -> dict[str, Entry]:
        """All entries, those of other packages included."""
        load_modules(self.package)
        load_entry_points(f"tallyplan.{self.kinds}")
        return self.entries

    def find(self, wanted: Any) -> Entry:
        """The entry of this name, in letters of either case; or of a function, a class or an object.

        Raises
        ------
        InvalidInput : the name is unknown; the message names the closest and lists all.
        """
        if self.own is not None and (not isinstance(wanted, str) or is_plugin(wanted)):
            thing, name = (
                (load_plugin(wanted), wanted) if isinstance(wanted, str) else (wanted, name_of(wanted))
            )
            registered = (one for one in self.entries.values() if one.function is inspect.unwrap(thing))
            return next(registered, None) or self.own(thing, name)
        for name in (str(wanted), str(wanted).lower()):
            if found := self.entries.get(name) or self.all().get(name):
                return found
        more = "; your own is module:name" if self.own else ""
        raise InvalidInput(
            f"there is no {self.kind} {shown(wanted)}{did_you_mean(wanted, self.entries)} "
            f"The {self.kinds} are {', '.join(self.entries)}{more}."
        )


def typed(value: Any) -> str:
    """A value as one would type it."""
    return ",".join(str(item) for item in value) if isinstance(value, tuple) else str(value)


def read_integer(value: Any, what: str) -> int:
    """An integer, or one as people write it: 1000, 1_000, 10^15, 1e15."""
    return integer_from_text(value, what) if isinstance(value, str) else integer(value, what)


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is {shown(value)}; a text is needed.")
    return value


KINDS: dict[Any, Kind] = {
    int: Kind("integer", read_integer),
    Fraction: Kind("rational", rational),
    str: Kind("text", _text),
}


def _kind(hint: Any) -> Kind:
    if get_origin(hint) in (Union, types.UnionType):  # X | None
        hint = get_args(hint)[0]
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Kind):
            return extra
    return KINDS.get(hint, Kind("text", lambda value, what: value))


# -- code of the user --------------------

_allowed: ContextVar[frozenset[str] | None] = ContextVar("allowed", default=None)


class CodeNotNamed(InvalidInput):
    """Data names code that the caller did not name."""


@contextmanager
def only_code(modules: Iterable[str]) -> Iterator[None]:
    """Within the block, `load_plugin` refuses whatever is not in these modules, which are imported now."""
    named = frozenset(modules)
    for module in named:
        import_plugin(module)
    token = _allowed.set(named)
    try:
        yield
    finally:
        _allowed.reset(token)


def is_plugin(name: str) -> bool:
    """Whether a name is of the form module:name."""
    return ":" in name


def load_plugin(name: str) -> Any:
    """What `module:name` stands for.

    Raises
    ------
    CodeNotNamed : the name comes from data, and the caller did not name the module.
    InvalidInput : there is no such module, it fails when imported, or it has no such name.

    >>> load_plugin("fractions:Fraction")
    <class 'fractions.Fraction'>
    >>> load_plugin("fractions:Fractoin")
    Traceback (most recent call last):
    tallyplan.errors.InvalidInput: the module fractions has no 'Fractoin'; did you mean 'Fraction'?
    """
    module, _, attributes = name.partition(":")
    if not all(part.isidentifier() for part in [*module.split("."), *attributes.split(".")]):
        raise InvalidInput(f"{shown(name)} is not of the form module:name, such as my_module:MyLearner.")
    allowed = _allowed.get()
    if allowed is not None and module not in allowed:
        raise CodeNotNamed(f"{name} is code; if you trust it, name its module: --code {module}.")
    found: Any = import_plugin(module)
    for attribute in attributes.split("."):
        if not hasattr(found, attribute):
            guess = did_you_mean(attribute, vars(found))
            raise InvalidInput(f"the module {module} has no {attributes!r}{guess}")
        found = getattr(found, attribute)
    return found


def import_plugin(module: str) -> types.ModuleType:
    """Import a module of the user; learners, families and questions in it are then registered."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    with users_code(f"the module {module} cannot be imported"):
        try:
            return import_module(module)
        except ModuleNotFoundError as error:
            if not f"{module}.".startswith(f"{error.name}."):
                raise
            raise InvalidInput(
                f"there is no module {module}; {module.replace('.', '/')}.py is looked for in {here} "
                "and where Python packages are installed."
            ) from None


@cache
def load_modules(package: str | None) -> None:
    """Import every module of a package of ours, once; that registers what they hold."""
    if package is not None:
        for module in pkgutil.iter_modules(import_module(package).__path__):
            import_module(f"{package}.{module.name}")


@cache
def load_entry_points(group: str) -> None:
    """Import what other packages name in a group of entry points, once; that registers it."""
    from importlib.metadata import entry_points  # which reads half of the library of emails

    for point in entry_points(group=group):
        with users_code(f"the entry point {point.name} of {group} cannot be loaded"):
            point.load()


def name_of(thing: Any) -> str:
    """module:name of a class, a function or an object, for tables and files.

    >>> name_of(hashlib.sha256().__class__), name_of(Path("x"))[:8]
    ('_hashlib:HASH', 'pathlib:')
    """
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"


def source_sha256(thing: Any) -> str:
    """SHA-256 of the file in which a class, a function or the class of an object is written.

    Two versions of the same learner are two learners: what one of them did is not taken for the other's.
    """
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    try:
        source = Path(inspect.getfile(named)).read_bytes()
    except (OSError, TypeError):
        raise InvalidInput(f"the source of {name_of(thing)} cannot be read; it must be in a file.") from None
    return hashlib.sha256(source).hexdigest()


@contextmanager
def users_code(failure: str) -> Iterator[None]:
    """For a block that runs the user's code: if it fails, or ends the program, that is bad input.

    Ctrl-C passes through, and so do errors of ours; others begin with the words `failure`.
    """
    try:
        yield
    except (TallyplanError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise InvalidInput(f"{failure}: {describe_error(error)}.") from error


def describe_error(error: BaseException) -> str:
    """An error of the user's code in a sentence: what, and where it arose.

    >>> describe_error(ValueError("too long"))
    'ValueError: too long'
    """
    lines = str(error).splitlines()
    what = f"{type(error).__name__}{': ' if lines else ''}{lines[0] if lines else ''}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith(("<", __file__))]
    if isinstance(error, TallyplanError) or not own:
        return what
    return f"{what} ({Path(own[-1].filename).name}, line {own[-1].lineno})"
