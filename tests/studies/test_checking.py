"""`study check`: honest rows pass, a row that was changed does not."""

import sqlite3
import sys

import pytest
from small_study import CODE, ITEMS, SPEC, run_here

from tallyplan import TallyingBandit, minimum_mean_cycle
from tallyplan.studies.questions import Outcome, question
from tallyplan.studies.runners import check_study
from tallyplan.studies.store import Store


def checked(code=CODE, **options):
    with Store("results.db") as store:
        return check_study(store, code=code, **options)


def change(statement):
    with sqlite3.connect("results.db") as database:
        assert database.execute(statement).rowcount >= 1


def test_honest_rows_are_verified(spec):
    run_here(spec)
    found = checked()
    assert (found.verified, found.repeated, found.wrong, found.undecided) == (ITEMS, 0, (), ())
    assert checked(limit=3).verified == 3


ROW = "(SELECT key FROM items WHERE question = '{}' ORDER BY id LIMIT 1)"
VALUE = "UPDATE results SET lower = '1/7', upper = '1/7' WHERE key = "


@pytest.mark.parametrize(
    "statement",
    [
        VALUE + ROW.format("cycle"),
        VALUE + ROW.format("plan"),
        VALUE + ROW.format("play"),
        'UPDATE results SET facts = \'{"loss": "0/1"}\' WHERE key = ' + ROW.format("play"),
        "UPDATE items SET parameters = '{\"horizon\": 8}' WHERE key = " + ROW.format("plan"),
        "UPDATE results SET certificate = (SELECT certificate FROM results ORDER BY key DESC LIMIT 1) "
        "WHERE key = " + ROW.format("cycle"),
    ],
)
def test_a_row_that_was_changed_is_found(spec, statement):
    run_here(spec)
    change(statement)
    found = checked()
    assert len(found.wrong) == 1, found
    assert found.verified == ITEMS - 1


@pytest.mark.usefixtures("registries")
def test_a_certificate_about_another_instance_is_refused(spec):
    @question("free")
    def free(bandit):
        """Whatever the instance, the answer for one whose losses are 0."""
        answer = minimum_mean_cycle(TallyingBandit([[0, 0, 0]] * 2))
        return Outcome(answer.lower, answer.upper, {}, answer.certificate)

    instances, *_ = SPEC.split("\n\n")
    spec.write_text(f'{instances}\n[[questions]]\nask = "free"\n')
    run_here(spec)
    found = checked()
    assert (found.verified, len(found.wrong)) == (0, 4)
    assert "(row 1)" in found.wrong[0]


def test_rows_that_need_code_which_nobody_named_are_undecided_and_nothing_is_imported(spec):
    run_here(spec)
    del sys.modules["my_study_players"]
    found = checked(code=())
    assert (found.verified, found.wrong, len(found.undecided)) == (ITEMS - 12, (), 12)
    assert "--code my_study_players" in found.undecided[0]
    assert "my_study_players" not in sys.modules
