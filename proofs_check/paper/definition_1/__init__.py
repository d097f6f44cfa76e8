"""Definition 1: the tallying bandit."""
