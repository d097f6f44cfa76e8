"""What the names in the formulas of the claims stand for: the same in every claim.

A claim may quote another only because both mean the same by these; a name that is not here belongs to one
claim, which says what it stands for (`symbols`).
"""

GLOSSARY = {
    "K": "the number of actions",
    "m": "the memory",
    "T": "the horizon",
    "L": "the root of the horizon, and the period of a cyclic policy",
    "S": "the number of epochs of Algorithm 1",
    "E": "E(s), the steps that the first s epochs of Algorithm 1 take",
    "delta": "the probability with which the bound may fail",
    "OPT": "the least loss of T steps",
    "mu": "the least loss per step, in its second period, of a policy that repeats L actions",
    "loss": "what the player loses in T steps",
    "s": "the number of an epoch",
    "C": "C(s), how far the estimates of epoch s may be off",
    "cost": "cost(s), what epoch s loses beyond mu per step",
    "mean": "the loss per step of a cyclic policy in its second period",
    "widths": "widths(s), the sum of 8 K m n_j sqrt(T) C(j - 1) over the epochs j = 2..s",
}
