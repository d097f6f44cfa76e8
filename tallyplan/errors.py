"""The errors a caller may meet; each message is a sentence: what was wrong, where, what would be right."""

import difflib
from collections.abc import Iterable


class TallyplanError(Exception):
    """Everything that tallyplan raises on purpose."""


class InvalidInput(TallyplanError, ValueError):
    """An instance, an argument or a file that does not make sense."""


class InstanceTooLarge(TallyplanError):
    """The question needs more memory than there is; raised before any of it is allocated."""


class OnlyAnInterval(TallyplanError):
    """A number was asked of an answer that is an interval [lower, upper]."""


class InternalError(TallyplanError):
    """An answer did not survive its own verification: a bug in tallyplan, never the caller's fault."""


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """How the sentence about an unknown word goes on: with the closest known one, or with a full stop.

    >>> did_you_mean("lema-3", ["lemma-2", "lemma-3"]), did_you_mean("x", ["lemma-2"])
    ("; did you mean 'lemma-3'?", '.')
    """
    near = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {near[0]!r}?" if near else "."
