"""Theorem 2: the lower bound for stochastic feedback."""
