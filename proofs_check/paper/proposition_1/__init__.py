"""Proposition 1: deterministic feedback, both bounds."""
