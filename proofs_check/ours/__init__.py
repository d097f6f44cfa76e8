"""Statements of our own, examined like those of the paper; importing the package registers them."""

from proofs_check.ours import optimism, small_games, steep_gaps, two_arms, unknown_memory

__all__ = ["optimism", "small_games", "steep_gaps", "two_arms", "unknown_memory"]
