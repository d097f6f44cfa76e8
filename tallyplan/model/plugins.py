"""Code that a user brings: `module:name`, and the entry points of other packages.

Code is named by whoever starts the program, on the command line or in Python, and never by data: while a
specification or a store is read, `only_code` allows the modules that the caller named and no others. The
folder in which a command was started is searched first, so that a file next to the data is enough.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from tallyplan.errors import InvalidInput, TallyplanError, did_you_mean
from tallyplan.model.rationals import shown

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


def import_plugin(module: str) -> ModuleType:
    """A module of the user; what it registers by decorators is then known.

    Raises
    ------
    InvalidInput : there is no such module, or it fails when imported.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(module)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise InvalidInput(
                f"there is no module {module}; {module.replace('.', '/')}.py is looked for in {here} "
                "and where Python packages are installed."
            ) from None
        raise InvalidInput(f"the module {module} cannot be imported: {describe_error(error)}.") from error


@cache
def load_entry_points(group: str) -> None:
    """Import what other packages name in a group of entry points, once; that registers it."""
    from importlib.metadata import entry_points  # which reads half of the library of emails

    for point in entry_points(group=group):
        try:
            point.load()
        except Exception as error:
            raise InvalidInput(
                f"the entry point {point.name} of {group} cannot be loaded: {describe_error(error)}."
            ) from error


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
def translated_errors(name: str) -> Iterator[None]:
    """Turn an error of the user's own code into bad input; errors of ours pass through as they are."""
    try:
        yield
    except TallyplanError:
        raise
    except (Exception, SystemExit) as error:
        if is_plugin(name):
            raise InvalidInput(f"{name} failed: {describe_error(error)}.") from error
        raise


def describe_error(error: BaseException) -> str:
    """An error of the user's code in a sentence: what, and where it arose.

    >>> describe_error(ValueError("too long"))
    'ValueError: too long'
    """
    lines = str(error).splitlines()
    what = f"{type(error).__name__}{': ' if lines else ''}{lines[0] if lines else ''}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith("<")]
    if isinstance(error, TallyplanError) or not own:
        return what
    return f"{what} ({Path(own[-1].filename).name}, line {own[-1].lineno})"
