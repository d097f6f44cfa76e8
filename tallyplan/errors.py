"""The errors a caller may meet; each message is a sentence: what was wrong, where, what would be right."""

import difflib
from collections.abc import Iterable
from typing import Any


class TallyplanError(Exception):
    """Everything that tallyplan raises on purpose.

    >>> import tallyplan as tp
    >>> issubclass(tp.InvalidInput, tp.TallyplanError)
    True
    """


class InvalidInput(TallyplanError, ValueError):
    """An instance, an argument or a file that does not make sense.

    >>> import tallyplan as tp
    >>> try:
    ...     tp.TallyingBandit([["0", "2"]])
    ... except tp.InvalidInput as error:
    ...     print(error)
    losses[0][1] is '2'; a loss lies between 0 and 1 (`rescale` brings others there).
    """


class ForbiddenPlay(InvalidInput):
    """An action that an arm forbids: it may not be played in its state, or another one may not rest."""


class InstanceTooLarge(TallyplanError):
    """The question needs more memory than there is; raised before any of it is allocated.

    >>> import tallyplan as tp
    >>> bandit = tp.TallyingBandit([["0"] * 60, ["1"] * 60])
    >>> try:
    ...     tp.minimum_mean_cycle(bandit, method="graph")
    ... except tp.InstanceTooLarge:
    ...     print("2^59 histories")
    2^59 histories
    """


class OnlyAnInterval(TallyplanError):
    """A number was asked of an answer that is an interval [lower, upper]; `exact` says which it is.

    >>> import tallyplan as tp
    >>> from tallyplan.answers import Interval
    >>> try:
    ...     Interval(0, 1).value
    ... except tp.OnlyAnInterval:
    ...     print("only an interval")
    only an interval
    """


class TimeLimitReached(TallyplanError):
    """A game had to be given up before its end, or nothing was proved in the time that there was."""


class NoPlay(TallyplanError):
    """Arms forbid every play that the question asks for; `certificate` proves it.

    >>> import tallyplan as tp
    >>> once = tp.Arm(0, played=[1, None], rested=[0, 1], losses=[0, None])
    >>> try:
    ...     tp.optimal_plan(tp.ArmBandit([once]), horizon=2)
    ... except tp.NoPlay as answer:
    ...     print(answer, bool(tp.check(answer.certificate)))
    there is no play of 2 steps. True
    """

    def __init__(self, sentence: str, certificate: dict[str, Any]) -> None:
        super().__init__(sentence)
        self.certificate = certificate


class InternalError(TallyplanError):
    """An answer did not survive its own verification: a bug in tallyplan, never the caller's fault.

    >>> import tallyplan as tp
    >>> issubclass(tp.InternalError, tp.InvalidInput)
    False
    """


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """How the sentence about an unknown word goes on: with the closest known one, or with a full stop.

    >>> did_you_mean("lema-3", ["lemma-2", "lemma-3"]), did_you_mean("x", ["lemma-2"])
    ("; did you mean 'lemma-3'?", '.')
    """
    near = difflib.get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f"; did you mean {near[0]!r}?" if near else "."
