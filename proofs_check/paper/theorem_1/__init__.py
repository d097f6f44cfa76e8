"""Theorem 1: the regret of SE-TB."""
