"""`python -m proofs_check.formal`: compile the proofs, print what every theorem rests on, and record it."""

from __future__ import annotations

import sys

import proofs_check
from proofs_check.formal.recorded import theorems
from proofs_check.formal.theorems import compiled_now, write_record
from tallyplan.cli.common import shown_progress


def main() -> int:
    """The status is 1 if a theorem rests on an axiom not listed, or the record was not what was found now."""
    proofs_check.claims()
    with shown_progress() as progress:
        found = compiled_now(progress)
    for theorem in theorems():
        axioms = found[theorem.qualified]
        rests = f"rests at most on {', '.join(axioms)}" if axioms else "closed under the global context"
        print(f"{theorem.qualified}: {theorem.says}\n    {rests}")
    wrong = [one.qualified for one in theorems() if not set(found[one.qualified]) <= set(one.axioms)]
    print(f"{len(theorems())} theorems" + (f"; these do not stand: {', '.join(wrong)}" if wrong else ""))
    if not wrong and write_record():
        print("the record was another, and is written anew: look at it, and run this again", file=sys.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
