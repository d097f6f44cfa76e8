"""What is planned: instances, exact numbers, words, tallies, the state graph, and named families."""

from tallyplan.model import arms, kinds  # every kind of bandit that a file may hold

__all__ = ["arms", "kinds"]
