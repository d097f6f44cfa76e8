"""What a file of claims is written with."""

from proofs_check.boxes import Found
from proofs_check.claim import claim
from proofs_check.examining import Box, Request
from proofs_check.outcome import Outcome, Repair, Tight
from proofs_check.proving import Proof, Setting
from proofs_check.steps import Shown, Verdict, weakest
from proofs_check.witness import Witness

__all__ = [
    "Box",
    "Found",
    "Outcome",
    "Proof",
    "Repair",
    "Request",
    "Setting",
    "Shown",
    "Tight",
    "Verdict",
    "Witness",
    "claim",
    "weakest",
]
