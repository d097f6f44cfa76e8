"""Studies of constants, minimax regrets and claims: the rows are what the commands say."""

from fractions import Fraction

import pytest

from proofs_check.bayes.minimax import minimax_by_horizon
from proofs_check.worst_case.claims import constant
from proofs_check.worst_case.claims import question as at_size
from tallyplan import InvalidInput
from tallyplan.studies.runners import check_study, local_workers, resumable, run
from tallyplan.studies.spec import study_of
from tallyplan.studies.tables import table

SIZE = {"actions": 2, "memory": 2}
QUESTIONS = [
    {"ask": "constants", "claim": "gap:constant:optimal", "horizon": [3, 4]} | SIZE,
    {"ask": "minimax", "horizon": 4} | SIZE,
    {"ask": "claim", "id": "counterexample-3"},
]


def test_a_study_asks_for_constants_minimax_regrets_and_claims(tmp_path):
    with resumable(tmp_path / "r.db", study_of({"questions": QUESTIONS})) as kept:
        assert run(kept, local_workers(1)).failed == 0
        found = table(kept.store)
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        checked = check_study(kept.store)
    gap = [constant(at_size("gap:constant:optimal", 2, 2, horizon=T)).value for T in (3, 4)]
    assert [Fraction(row["value"]) for row in rows[:2]] == gap
    (game,) = minimax_by_horizon(2, 2, [4])
    assert Fraction(rows[2]["value"]) == game.value
    assert (rows[3]["status"], rows[3]["value"]) == ("told", None)
    assert rows[3]["verdict"] in ("proved", "argued", "checked", "refuted")
    sizes = [(row["actions"], row["memory"], row["horizon"]) for row in rows[:3]]
    assert sizes == [(2, 2, 3), (2, 2, 4), (2, 2, 4)]
    assert (checked.verified, checked.repeated, checked.wrong) == (3, 1, ())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"ask": "constants", "claim": "lemma-33", "horizon": 4} | SIZE, "lemma-33"),
        ({"ask": "constants", "claim": "lemma-3"} | SIZE, "needs a horizon or a period"),
        ({"ask": "minimax", "horizon": -1} | SIZE, "at least 0"),
        ({"ask": "claim", "id": "lemma-33"}, "lemma-33"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_computed(asked, words):
    with pytest.raises(InvalidInput, match=words):
        study_of({"questions": [asked]})
