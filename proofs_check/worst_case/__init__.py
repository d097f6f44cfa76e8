"""Best constants: the exact supremum over all loss tables of the gap between two policy classes.

>>> from proofs_check.worst_case import Cyclic, Optimal, worst_case
>>> answer = worst_case(Cyclic(2, 2, 9, 3), Optimal(2, 2, 9))  # Lemma 3 at K = m = 2, T = 9
>>> str(answer.value), answer.exact
('3', True)
"""

from proofs_check.worst_case.engine import WorstCase, worst_case
from proofs_check.worst_case.policies import (
    CLASSES,
    AlgDet,
    Constant,
    Cyclic,
    Optimal,
    PolicyClass,
    SingleRun,
)

__all__ = [
    "CLASSES",
    "AlgDet",
    "Constant",
    "Cyclic",
    "Optimal",
    "PolicyClass",
    "SingleRun",
    "WorstCase",
    "worst_case",
]
