"""The best word of a length under repetition, asked of the compiled core."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import POINTER, byref, c_int32, c_int64, c_void_p
from dataclasses import dataclass

from tallyplan.core.horizon import Costs, Look, Number, Vector, number
from tallyplan.core.library import Array, Owned, call, library, signed_numbers
from tallyplan.limits import Progress
from tallyplan.model.words import Word


class _Period(ctypes.Structure):
    """tp_period."""

    _fields_ = (
        ("period", c_int64),
        *((name, Number) for name in ("scale", "mean", "budget", "step")),
        ("bytes", c_int32),
        ("potentials", c_void_p),
    )


class _Stage(ctypes.Structure):
    """tp_stage."""

    _fields_ = tuple((name, c_int64) for name in ("root", "since", "period"))


class _Word(ctypes.Structure):
    """tp_word."""

    _fields_ = (
        ("finished", c_int32),
        ("budget", Number),
        *((name, c_int64) for name in ("stages", "parts", "letters", "multiplier")),
        ("stage", POINTER(_Stage)),
        ("lengths", POINTER(c_int64)),
        ("repeats", POINTER(c_int64)),
        ("letter", POINTER(c_int32)),
        ("last", Vector),
    )


@dataclass(frozen=True)
class Known:
    """What the search begins with: the minimum mean, mean / scale, its potentials, and a word of `period`.

    scale * cost - mean, reduced by the potentials, adds up to `budget` along the word; words below `step` are
    looked for first.
    """

    period: int
    scale: int
    mean: int
    potentials: Array
    budget: int
    step: int


class Search:
    """The search for a better word; `run` may be ended, and then there is what was found by then.

    Raises
    ------
    TooWideError : 128 bits do not suffice.
    """

    def __init__(self, costs: Costs, known: Known) -> None:
        self._costs, self._known, self._found, self._free = costs, known, _Word(), library().tp_free
        self._width, self._potentials = signed_numbers(known.potentials)

    def run(self, look: Look, progress: Progress | None = None) -> None:
        """Until no better word is left, or until `look` raises."""
        known = self._known
        asked = _Period(
            known.period,
            *map(number, (known.scale, known.mean, known.budget, known.step)),
            self._width,
            self._potentials.buffer_info()[0],
        )
        inputs = (self._costs.bandit, self._costs.windows, byref(asked))
        states = self._costs.states
        call("best_word", *inputs, byref(self._found), states=states, look=look, progress=progress)

    @property
    def finished(self) -> bool:
        """Whether no better word is left."""
        return bool(self._found.finished)

    @property
    def runs(self) -> list[tuple[Word, int]]:
        """The best word that was found; empty: it is the one that was known."""
        return list(self._runs())

    def _runs(self) -> Iterator[tuple[Word, int]]:
        found, at = self._found, 0
        letters = tuple(found.letter[: found.letters]) if found.parts else ()
        for i in range(found.parts):
            yield letters[at : at + found.lengths[i]], found.repeats[i]
            at += found.lengths[i]

    @property
    def stages(self) -> list[tuple[int, int, int]]:
        """(root, since, period) of the states that were removed, in order."""
        return [(one.root, one.since, one.period) for one in self._found.stage[: self._found.stages]]

    @property
    def last(self) -> tuple[int, Array] | None:
        """The multiplier and the potentials that prove the rest, if there are any."""
        vector = self._found.last
        if not vector.values:
            return None
        potentials = Owned(vector.values, vector.states, vector.bytes).array()
        vector.values = None
        return self._found.multiplier, potentials

    def __del__(self) -> None:
        found = self._found
        for memory in (found.stage, found.lengths, found.repeats, found.letter, found.last.values):
            self._free(memory)
