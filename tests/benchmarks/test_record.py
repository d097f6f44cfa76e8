"""A shorter race never replaces the committed results."""

import pytest

from benchmarks.race.questions import QUESTIONS
from benchmarks.race.report import reasons_not_to_record


def records(command="python -m benchmarks.race --full", source="one"):
    return [{"question": question, "command": command, "source": source} for question in QUESTIONS]


def test_a_full_race_of_one_version_may_be_recorded():
    assert reasons_not_to_record(records()) == []


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (records("python -m benchmarks.race"), "shorter race"),
        (records("python -m benchmarks.race --full --peers lemon-howard"), "shorter race"),
        (records()[1:], "not asked: startup"),
        (records() + records(source="two"), "2 versions of the code"),
    ],
)
def test_everything_less_is_refused_with_its_reason(found, reason):
    (told,) = reasons_not_to_record(found)
    assert reason in told
