"""What a result hands to the checker: one self-contained JSON document (docs/certificates.md)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import tallyplan
from tallyplan.model.instance import Bandit
from tallyplan.model.rationals import text

FORMAT = "tallyplan-certificate"
VERSION = 1


def document(
    bandit: Bandit, *, claim: dict[str, Any], value: Fraction, primal: dict[str, Any], dual: dict[str, Any]
) -> dict[str, Any]:
    """Put instance, claim, primal, dual and provenance together."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "instance": bandit.to_json(),
        "claim": claim | {"value": text(value)},
        "primal": primal,
        "dual": dual,
        "provenance": {
            "program": "tallyplan",
            "version": tallyplan.__version__,
            "instance_sha256": bandit.sha256(),
        },
    }
