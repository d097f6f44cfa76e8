"""Best constants: the exact supremum over all loss tables of the gap between two policy classes.

`worst_case` computes it from the vertices of a polyhedron; `constant` asks for the constants of the paper's
claims. docs/constants.md tells the theory.

>>> from proofs_check.worst_case import Cyclic, Optimal, worst_case
>>> answer = worst_case(Cyclic(2, 2, 9, 3), Optimal(2, 2, 9))  # Lemma 3 at K = m = 2, T = 9
>>> str(answer.value), answer.exact
('3', True)
"""

from proofs_check.worst_case.claims import BestConstant, constant, question
from proofs_check.worst_case.engine import WorstCase, worst_case
from proofs_check.worst_case.policies import (
    CLASSES,
    AlgDet,
    Constant,
    Cyclic,
    Listed,
    Optimal,
    PolicyClass,
    SingleRun,
)

__all__ = [
    "CLASSES",
    "AlgDet",
    "BestConstant",
    "Constant",
    "Cyclic",
    "Listed",
    "Optimal",
    "PolicyClass",
    "SingleRun",
    "WorstCase",
    "constant",
    "question",
    "worst_case",
]
