"""Bounds of the paper, and their sharp forms, that the claims prove and the best constants are compared with.

K = actions, m = memory, T = horizon.
"""

from tallyplan.formula import Formula

LEMMA_3 = Formula("(m + 1) * sqrt(T)")
LEMMA_3_SHARP = Formula("(m - 1) * sqrt(T)")
PROPOSITION_1 = Formula("(m + 1) * K")
PROPOSITION_1_SHARP = Formula("min(T - m, m * K - 1)")
