"""Games between a learner and a bandit, and their exact regret."""
