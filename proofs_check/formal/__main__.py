"""`python -m proofs_check.formal`: compile the proofs, print what every theorem rests on, and record it."""

from __future__ import annotations

import sys

import proofs_check
from proofs_check.formal.recorded import theorems
from proofs_check.formal.theorems import recheck, write_record
from tallyplan.cli.common import shown_progress


def main() -> int:
    """The status is 1 if a theorem rests on an axiom not listed, or the record was not what was found now."""
    proofs_check.claims()
    with shown_progress() as progress:
        again = recheck(progress)
    if again.obstacle:
        print(f"error: {again.obstacle}", file=sys.stderr)
        return 3
    for theorem in theorems():
        axioms = again.axioms[theorem.qualified]
        rests = f"rests at most on {', '.join(axioms)}" if axioms else "closed under the global context"
        print(f"{theorem.qualified}: {theorem.says}\n    {rests}")
    wrong = [one.qualified for one in theorems() if not again.stands(one)]
    print(f"{len(theorems())} theorems" + (f"; these do not stand: {', '.join(wrong)}" if wrong else ""))
    if not wrong and write_record():
        print("the record was another, and is written anew: look at it, and run this again", file=sys.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
