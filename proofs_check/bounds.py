"""Bounds of the paper, and their sharp forms, that the claims prove and the best constants are compared with.

K = actions, m = memory, T = horizon.
"""

from tallyplan.formula import Formula
from tallyplan.games import bounds

LEMMA_3 = Formula("(m + 1) * sqrt(T)")
LEMMA_3_SHARP = Formula("(m - 1) * sqrt(T)")
PROPOSITION_1 = bounds.PROPOSITION_1.formula
PROPOSITION_1_SHARP = bounds.PROPOSITION_1_SHARP.formula
