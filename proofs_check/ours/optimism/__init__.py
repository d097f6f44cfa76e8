"""Optimism on the known graph: sqrt(mKT) up to a logarithm, with constants (docs/optimism.md)."""

from proofs_check.ours.optimism import anytime, bound, epochs, few_epochs, grouping, radii, variants

__all__ = ["anytime", "bound", "epochs", "few_epochs", "grouping", "radii", "variants"]
