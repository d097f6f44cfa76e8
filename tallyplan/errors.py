"""The errors a caller may meet. Each message is a sentence for a person: what was wrong, where, what is right."""


class TallyplanError(Exception):
    """Everything that tallyplan raises on purpose."""


class InvalidInput(TallyplanError, ValueError):
    """An instance, an argument or a file that does not make sense."""


class InstanceTooLarge(TallyplanError):
    """The question needs more memory than there is; raised before any of it is allocated."""


class InternalError(TallyplanError):
    """An answer did not survive its own verification: a bug in tallyplan, never the caller's fault."""
