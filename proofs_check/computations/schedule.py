"""Algorithm 1 (SE-TB) in formulas: how many epochs there are, how long each is, how wide its band is.

    S   = log2(sqrt(T) / (4Km) + 1)                          epochs
    n_s = 2^s                                                a policy is executed for 2 n_s periods
    T_s = 2 n_s Km sqrt(T)                                   steps of epoch s
    C_s = sqrt(32 Km / (n_s sqrt(T)) log(2KmS / delta))      the band around the estimates

The formulas here are the printed ones; what is wrong with them is for the claims to find. Where S is an
integer, sqrt(T) = 4Km(2^S - 1): these are the *horizons of Algorithm 1*.
"""

from __future__ import annotations

from tallyplan.formula import Formula

EPOCHS = Formula("log2(sqrt(T) / (4 * K * m) + 1)")
PERIODS = Formula("2**s")
EPOCH_STEPS = Formula("2 * 2**s * K * m * sqrt(T)")
WIDTH = Formula("sqrt(32 * K * m / (2**s * sqrt(T)) * log(2 * K * m * S / delta))")
ROOT = Formula("4 * K * m * (2**S - 1)")


def full_epochs(actions: int, memory: int, period: int) -> int:
    """floor(S): the largest s with 4Km(2^s - 1) <= sqrt(T) = period.

    >>> [full_epochs(2, 1, period) for period in (7, 8, 23, 24, 1000)]
    [0, 1, 1, 2, 6]
    """
    epochs = 0
    while ROOT(K=actions, m=memory, S=epochs + 1) <= period:
        epochs += 1
    return epochs


def horizon_root(actions: int, memory: int, epochs: int) -> int:
    """sqrt(T) on the horizon of Algorithm 1 with this many epochs."""
    return int(ROOT(K=actions, m=memory, S=epochs))
