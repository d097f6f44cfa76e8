"""Policy sets as inequalities, and exact answers about them."""

from tallyplan.games.policy_set.answers import Answer, PolicySet

__all__ = ["Answer", "PolicySet"]
