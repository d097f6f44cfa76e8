"""What a file of claims is written with."""

from proofs_check.claim import claim
from proofs_check.examining import Box, Request
from proofs_check.outcome import Better, Outcome, Shown, Verdict, Violation, weakest
from proofs_check.proving import Proof, Setting
from proofs_check.witness import Witness

__all__ = [
    "Better",
    "Box",
    "Outcome",
    "Proof",
    "Request",
    "Setting",
    "Shown",
    "Verdict",
    "Violation",
    "Witness",
    "claim",
    "weakest",
]
