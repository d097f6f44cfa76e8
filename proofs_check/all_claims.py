"""Every claim there is; importing their files registers them."""

from __future__ import annotations

from importlib import import_module

from proofs_check.claim import Claim, registered


def claims() -> tuple[Claim, ...]:
    """All claims: those of the paper in its order, then our own.

    >>> [one.id for one in claims() if one.id.startswith("lemma-2")]
    ['lemma-2']

    See Also
    --------
    proofs_check.verify : examines them.
    proofs_check.Claim : what they are.
    """
    from proofs_check.paper import in_order

    import_module("proofs_check.ours")
    return in_order(registered())
