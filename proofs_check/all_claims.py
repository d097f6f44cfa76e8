"""Every claim there is; importing their files registers them."""

from __future__ import annotations

from importlib import import_module

from proofs_check.claim import Claim, registered


def claims() -> tuple[Claim, ...]:
    """All claims: those of the paper in its order, then our own."""
    from proofs_check.paper import in_order

    import_module("proofs_check.ours")
    return in_order(registered())
