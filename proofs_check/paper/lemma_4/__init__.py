"""Lemma 4: the loss of all epochs."""
