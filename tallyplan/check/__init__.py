"""The independent checker: does this document prove what it claims?

It follows docs/certificates.md and nothing else: it replays what the primal side plays, evaluates what the
dual side asserts, and never searches. Each rule is one file, and a certificate loads the rules that it names.
Only the standard library is used and all imports are relative, so the folder can be copied and run alone.
"""

from collections import namedtuple

__all__ = ["Verdict", "check"]
LIMIT = 10**9


class Verdict(namedtuple("Verdict", "status reason by", defaults=[""])):
    """What `check` answers: a status, a sentence, and by how many lines and which rules it was accepted.

    >>> bool(Verdict("undecided", "That would take too long."))
    False
    """

    def __bool__(self) -> bool:
        return bool(self.status == "accepted")


def check(certificate: object, *, instance: object = None, limit: int = LIMIT) -> Verdict:
    """Say whether a certificate proves its claim: the verdict is true if and only if it is accepted.

    Parameters
    ----------
    certificate
        A parsed certificate, or the path of a JSON file with one; `OSError` if that cannot be read.
    instance
        Your own problem, as a bandit or written as in a certificate: the certificate must be about it.
    limit
        The most steps to take before the answer is "undecided"; tables may have one entry for every 100.

    >>> check({"format": "something else"}).status
    'refused'
    """
    from .certificate import verdict_on  # with the first document: `import tallyplan` loads no checker

    return Verdict(*verdict_on(certificate, instance, limit))
