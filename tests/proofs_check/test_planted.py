"""Changes planted in the claims, one at a time (`planted.toml`): each must change what is found.

A claim that is shown is shown no longer; what quotes a weakened claim falls with it; a false repair is not
called true, nor another constant the best; and a true statement in the place of a false one is not refuted.
"""

import tomllib
from pathlib import Path

import pytest

import proofs_check
from proofs_check.claim import named
from proofs_check.steps import SHOWN, Verdict
from tallyplan.formula import Formula

proofs_check.claims()
TABLE = tomllib.loads(Path(__file__).with_name("planted.toml").read_text(encoding="utf-8"))
PLANTED = [
    pytest.param(
        claim, *row, id=f"{claim} {row[0]}", marks=[pytest.mark.thorough] if row[3].get("thorough") else []
    )
    for claim, rows in TABLE.items()
    for row in rows
]


def shown(part):
    return part is not None and part.verdict in SHOWN


def is_now(verdict):
    """The outcome was another, and is this one, without an error."""
    return (lambda o: o.verdict is not verdict), (lambda o: o.verdict is verdict and o.error is None)


CHANGES = {  # what has to be so before, and after
    "not shown": (lambda o: o.verdict in SHOWN, lambda o: o.verdict not in SHOWN),
    "not tight": (lambda o: o.tight, lambda o: o.tight is None),
    "not repaired": (lambda o: shown(o.repair), lambda o: not shown(o.repair)),
    "not refuted": (
        lambda o: o.verdict is Verdict.REFUTED,
        lambda o: o.verdict is not Verdict.REFUTED and o.witness is None,
    ),
    "part not shown": (
        lambda o: shown(o.tight) or shown(o.repair),
        lambda o: not (shown(o.tight) and shown(o.repair)),
    ),
    "refuted": is_now(Verdict.REFUTED),
    "checked": is_now(Verdict.CHECKED),
    "undecided": is_now(Verdict.UNDECIDED),
}


@pytest.mark.parametrize(("claim", "formula", "text", "then", "options"), PLANTED)
def test_what_is_planted_changes_what_is_found(results, with_formula, claim, formula, text, then, options):
    of = options.get("of", claim)
    assert named(claim).formula(formula).canonical != Formula(text).canonical
    before, after = CHANGES[then]
    assert before(results[of].outcome)
    found = with_formula(claim, formula, text, of=of)
    assert after(found), found.verdict
    if "witness" in options:
        assert options["witness"].items() <= found.witness.facts.items()
