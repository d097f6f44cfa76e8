"""Statements of our own, examined like those of the paper; importing the package registers them."""

from proofs_check.ours import (
    arms,
    fewer_actions,
    optimism,
    short_horizons,
    small_games,
    two_arms,
    unknown_memory,
)

__all__ = ["arms", "fewer_actions", "optimism", "short_horizons", "small_games", "two_arms", "unknown_memory"]
