"""Statements of our own, examined like those of the paper; importing the package registers them."""

from proofs_check.ours import (
    arms,
    one_action_less,
    optimism,
    short_horizons,
    small_games,
    steep_gaps,
    two_arms,
    unknown_memory,
)

__all__ = [
    "arms",
    "one_action_less",
    "optimism",
    "short_horizons",
    "small_games",
    "steep_gaps",
    "two_arms",
    "unknown_memory",
]
