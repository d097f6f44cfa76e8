"""Lemma 3: a cyclic policy is nearly optimal."""
