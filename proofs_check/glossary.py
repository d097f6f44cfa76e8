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
    "delta": "the probability with which the bound may fail",
    "OPT": "the least loss of T steps",
    "mu": "the least loss per step, in its second period, of a policy that repeats L actions",
    "loss": "what the player loses in T steps",
}
