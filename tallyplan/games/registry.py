"""The learners by name: every class or function in `learners/` that is decorated with `@learner(name)`.

A learner of another package is found through its entry points in the group `tallyplan.learners`, which name
modules with learners that are decorated in the same way. And nothing has to be registered at all: wherever a
learner is asked for by name, `my_module:MyLearner` is imported, and from Python the learner itself may be
given. It may be a class, an object with a method `play`, or a plain function `act(observations) -> action`
(see `tallyplan.games.learners.stepwise`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from tallyplan.errors import InvalidInput
from tallyplan.games.game import Learner
from tallyplan.games.learners.stepwise import Stepwise
from tallyplan.model.instance import Bandit
from tallyplan.model.plugins import Named, Registry

DEFAULT_DELTA = Fraction(1, 20)

Maker = TypeVar("Maker", bound=Callable[..., Learner])


@dataclass(frozen=True)
class Entry(Named):
    """A learner with a name.

    Attributes
    ----------
    function : builds it; of its parameters, `delta` and `bandit` (for an oracle) are given, if it has them.
    feedback : the kind of feedback that it plays with by default.
    """

    feedback: str

    def build(self, bandit: Bandit, delta: Fraction = DEFAULT_DELTA) -> Learner:
        """The learner, ready to play."""
        known = {"bandit": bandit, "delta": delta}
        wanted = inspect.signature(self.function).parameters
        learner: Learner = self.function(**{name: known[name] for name in known if name in wanted})
        return learner


def _own(thing: Any, name: str) -> Entry:
    """The entry of a learner that is not registered; its attribute `feedback` may name its default."""
    feedback = getattr(thing, "feedback", "bernoulli")
    if isinstance(thing, type):
        if not callable(getattr(thing, "play", None)):
            raise InvalidInput(f"the class {name} has no method play(self, game); a learner has.")
        return Entry(name, thing, feedback)
    if callable(getattr(thing, "play", None)):
        return Entry(name, lambda: thing, feedback)
    if callable(thing):
        return Entry(name, lambda: Stepwise(thing), feedback)
    raise InvalidInput(
        f"{name} is not a learner: a class or object with a method play(game), or a function of observations."
    )


_REGISTRY = Registry("learner", "learners", _own, "tallyplan.games.learners")
find = _REGISTRY.find


def learner(name: str, *, feedback: str = "bernoulli") -> Callable[[Maker], Maker]:
    """Give a name to a learner's class, or to a function that builds one.

    Parameters
    ----------
    feedback : the learner's default, which `tallyplan play` uses unless told otherwise.

    >>> from tallyplan.games.registry import find
    >>> find("alg-det").feedback
    'deterministic'
    """

    def register(make: Maker) -> Maker:
        _REGISTRY.add(Entry(name, make, feedback))
        return make

    return register


def learners() -> Mapping[str, Entry]:
    """All learners by name, in alphabetical order."""
    return dict(sorted(_REGISTRY.all().items()))
