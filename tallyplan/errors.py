"""The errors a caller may meet; each message is a sentence: what was wrong, where, what would be right."""


class TallyplanError(Exception):
    """Everything that tallyplan raises on purpose."""


class InvalidInput(TallyplanError, ValueError):
    """An instance, an argument or a file that does not make sense."""


class InstanceTooLarge(TallyplanError):
    """The question needs more memory than there is; raised before any of it is allocated."""


class OnlyAnInterval(TallyplanError):
    """A number was asked of an answer that is an interval [lower, upper]."""


class LimitReached(TallyplanError):
    """The time limit has passed before anything could be proved."""


class InternalError(TallyplanError):
    """An answer did not survive its own verification: a bug in tallyplan, never the caller's fault."""
