"""Optimism on the known graph: sqrt(mKT) up to a logarithm, with constants (docs/optimism.md)."""

from proofs_check.ours.optimism import bound, cells, epochs, variants

__all__ = ["bound", "cells", "epochs", "variants"]
