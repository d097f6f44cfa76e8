"""The independent checker: does this document prove what it claims?

It follows docs/certificates.md and nothing else: it replays what the primal side plays, evaluates what the
dual side asserts, and never searches. Each rule is one file, and a certificate loads the rules that it names.
Only the standard library is used and all imports are relative, so the folder can be copied and run alone
(`python -m check FILE`).
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any, Protocol

    from .verdict import Verdict

    class Writable(Protocol):
        """An instance as the planners have it: whatever writes itself as a document."""

        def to_json(self) -> dict[str, Any]: ...

    Source = Mapping[str, Any] | str | PathLike[str]

__all__ = ["Verdict", "check"]


def check(certificate: Source, *, instance: Source | Writable | None = None, limit: int = 10**9) -> Verdict:
    """Say whether a certificate proves its claim.

    Parameters
    ----------
    certificate
        A parsed certificate, or the path of a JSON file with one.
    instance
        Your own problem, as a bandit, parsed or as a path: the certificate must be about it. Without it, the
        certificate is checked for the instance (or graph) that it names itself.
    limit
        The most steps to take before the answer is "undecided"; tables may have one entry for every 100.

    Returns
    -------
    A `Verdict`, true if and only if its status is "accepted"; its reason is a sentence. A hostile document is
    refused or undecided, it does not raise.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If the limit is not an integer of at least 0, or no file can have the name given.

    >>> check({"format": "something else"}).status
    'refused'

    See Also
    --------
    tallyplan.check.Verdict : the answer.
    tallyplan.answers.Answer : where certificates come from.
    """
    from .certificate import verdict_on  # with the first document: `import tallyplan` loads no checker

    return verdict_on(certificate, instance, limit)


def __getattr__(name: str) -> Any:
    if name != "Verdict":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .verdict import Verdict

    return Verdict
