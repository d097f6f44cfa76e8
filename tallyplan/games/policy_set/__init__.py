"""Policy sets as inequalities, and exact answers about them."""

from tallyplan.games.policy_set.sets import PolicyAnswer, PolicySet

__all__ = ["PolicyAnswer", "PolicySet"]
