"""What the optimistic learners are, in one place: the radius of an estimate, the width of a cell, the sizes.

A cell is a pair of an action and a tally. One that was seen n times before an epoch has the mean of these
observations as its estimate, off by at most `radius(n)` on the event, and a lower bound that is the estimate
minus the radius, rounded down to a multiple of 1 / G. A visit to it loses at most `width(n)` more than this
lower bound; one to a cell that was never seen, whose lower bound is 0, at most 1. Every step of the proof
takes these from here.
"""

from proofs_check.bounds import OPTIMISM_GRID

LOGARITHM = {"logarithm(K, m, T, delta)": "log(2 * K * m * T / delta)"}
RADIUS = {"radius(K, m, T, delta, n)": "sqrt(logarithm(T, delta) / (2 * n))"}
WIDTH = {"width(K, m, T, delta, G, n)": "1 if n == 0 else 2 * radius(T, delta, n) + 3 / G"}
LEARNER = {**LOGARITHM, **RADIUS, **WIDTH}
SIZES = {
    "actions": "K >= 1",
    "memory": "m >= 1",
    "horizon": "T >= 1",
    "probability": "0 < delta and delta < 1",
}
DOMAIN = {**SIZES, "grid": str(OPTIMISM_GRID)}
MEAN_GIVEN_THE_PAST = "the mean of an observation given the past and the action is the loss"
