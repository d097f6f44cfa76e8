"""The learners by name: every class or function in `learners/` that is decorated with `@learner(name)`.

A learner of another package is found through its entry points in the group `tallyplan.learners`, which name
modules with learners that are decorated in the same way.
"""

from __future__ import annotations

import difflib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TypeVar

from tallyplan.errors import InvalidInput
from tallyplan.games.game import Learner
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import shown

DEFAULT_DELTA = Fraction(1, 20)
ENTRY_POINTS = "tallyplan.learners"

Maker = TypeVar("Maker", bound=Callable[..., Learner])


@dataclass(frozen=True)
class Entry:
    """A learner with a name.

    Attributes
    ----------
    name : on the command line.
    make : builds it; of its parameters, `delta` and `bandit` (for an oracle) are given, if it has them.
    feedback : what it is made for.
    """

    name: str
    make: Callable[..., Learner]
    feedback: str

    @property
    def summary(self) -> str:
        """The first line of its documentation, without the full stop."""
        return (inspect.getdoc(self.make) or "").split("\n")[0].removesuffix(".")

    def build(self, bandit: Bandit, delta: Fraction = DEFAULT_DELTA) -> Learner:
        """The learner, ready to play."""
        known = {"bandit": bandit, "delta": delta}
        wanted = inspect.signature(self.make).parameters
        return self.make(**{name: value for name, value in known.items() if name in wanted})


_ENTRIES: dict[str, Entry] = {}


def learner(name: str, *, feedback: str = "bernoulli") -> Callable[[Maker], Maker]:
    """Give a name to a learner's class, or to a function that builds one.

    Parameters
    ----------
    feedback : what it is made for, and what `tallyplan play` uses unless told otherwise.
    """

    def register(make: Maker) -> Maker:
        if name in _ENTRIES and _ENTRIES[name].make.__qualname__ != make.__qualname__:
            raise InvalidInput(f"there are two learners of the name {name}.")
        _ENTRIES[name] = Entry(name, make, feedback)
        return make

    return register


@cache
def learners() -> Mapping[str, Entry]:
    """All learners by name, in alphabetical order."""
    from tallyplan.games import learners as package

    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")
    for point in entry_points(group=ENTRY_POINTS):
        point.load()
    return dict(sorted(_ENTRIES.items()))


def find(name: str) -> Entry:
    """The learner of this name.

    Raises
    ------
    InvalidInput : there is none; the message names the closest and lists all.

    >>> find("ucb1").summary
    'UCB1, a classic of m = 1'
    """
    known = learners()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        guess = f"did you mean {close[0]!r}? " if close else ""
        raise InvalidInput(f"there is no learner {shown(name)}; {guess}The learners are {', '.join(known)}.")
    return known[name]
