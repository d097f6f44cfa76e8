"""Bounds of the paper, and their sharp forms, that the claims prove and the best constants are compared with.

K = actions, m = memory, T = horizon.
"""

from tallyplan.formula import Formula
from tallyplan.games import bounds

LEMMA_3 = Formula("(m + 1) * sqrt(T)")
LEMMA_3_SHARP = Formula("(m - 1) * sqrt(T)")
PROPOSITION_1 = bounds.PROPOSITION_1.formula
PROPOSITION_1_SHARP = bounds.PROPOSITION_1_SHARP.formula

OPTIMISM = bounds.OPTIMISM.formula
OPTIMISM_LOG = Formula("log(2 * K * m * T / delta)")
OPTIMISM_ANYTIME = bounds.OPTIMISM_ANYTIME.formula
OPTIMISM_FEW_EPOCHS = bounds.OPTIMISM_FEW_EPOCHS.formula
OPTIMISM_WITHIN_GAPS = bounds.OPTIMISM_WITHIN_GAPS.formula
CARMAB = bounds.CARMAB.formula
OPTIMISM_GRID = Formula("G >= 3 * T")  # estimates are multiples of 1 / G, rounded down
OPTIMISM_GAP = Formula("1996")  # times sqrt(log): how far the bound is from that of Theorem 2, ...
OPTIMISM_ENOUGH = Formula("m**3 * K * log2(2 * T / (K * m))")  # ... for T from there on
