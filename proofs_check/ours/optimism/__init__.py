"""Optimism on the known graph: sqrt(mKT) up to a logarithm, with constants (docs/optimism.md)."""

from proofs_check.ours.optimism import bound, epochs, radii

__all__ = ["bound", "epochs", "radii"]
