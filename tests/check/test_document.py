"""Strict reading, at the very places where a document stops being one."""

import json
import sys

import pytest
from check_build import ALTERNATE, GENERAL, mean_cycle

from tallyplan.check import check
from tallyplan.check.__main__ import main
from tallyplan.check.document import LONGEST_INTEGER, number, parse, rational
from tallyplan.check.verdict import Refused


@pytest.fixture
def read(tmp_path):
    """The verdict on a file with this text."""

    def verdict(text, **options):
        path = tmp_path / "certificate.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return check(path, **options)

    return verdict


@pytest.mark.parametrize(("text", "bytes_each"), [(b"[]", 1), ('"é"'.encode(), 4)])
def test_a_file_may_have_ten_bytes_for_each_entry_of_a_table(read, text, bytes_each):
    most = 1000 // bytes_each  # the limit allows 100 entries
    assert read(text.ljust(most), limit=10**4).status == "refused"
    assert read(text.ljust(most + 1), limit=10**4).status == "undecided"


def test_a_file_is_read_to_the_end_though_the_parts_read_end_where_it_may(read):
    limit = 100 * 2**20  # allows ten parts of 2^20 bytes
    assert read(b"[]".ljust(10 * 2**20), limit=limit).status == "refused"
    assert read(b"[]".ljust(10 * 2**20 + 1), limit=limit).status == "undecided"


@pytest.mark.parametrize(("levels", "status"), [(100, "accepted"), (101, "refused")])
def test_a_hundred_lists_and_objects_within_each_other_are_read(read, levels, status):
    proof = mean_cycle(GENERAL)
    lists: list[object] = []
    for _ in range(levels - 3):
        lists = [lists]
    proof["provenance"]["notes"] = lists  # inside the document and its provenance
    assert check(proof).status == read(json.dumps(proof)).status == status


def test_the_key_that_occurs_twice_is_named(read):
    assert "The key 'b' occurs twice" in read('{"a": 1, "b": 2, "b": 3, "c": 4}').reason


def test_a_key_that_is_no_string_is_refused():
    proof = mean_cycle(GENERAL)
    proof["provenance"][1] = "one"
    assert check(proof).reason == "The provenance has the key 1, which is not a string."


def test_integers_have_at_most_4300_digits(read):
    proof = mean_cycle(GENERAL)
    proof["provenance"]["notes"] = ["9" * (LONGEST_INTEGER + 1), "INTEGER"]  # a string may be longer
    text = json.dumps(proof)
    for sign in ("", "-"):
        assert read(text.replace('"INTEGER"', sign + "9" * LONGEST_INTEGER))
        reason = read(text.replace('"INTEGER"', sign + "9" * (LONGEST_INTEGER + 1))).reason
        assert "an integer has more than 4300 digits" in reason


def test_a_long_text_that_is_no_rational_is_told_the_limit():
    for length in (LONGEST_INTEGER, LONGEST_INTEGER + 1):
        with pytest.raises(Refused) as refusal:
            rational("x" * length, "number")
        assert ("of at most 4300 digits" in str(refusal.value)) == (length > LONGEST_INTEGER)


def test_pythons_own_limit_on_digits_is_as_before():
    before = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(5000)
        check(mean_cycle(ALTERNATE))
        assert sys.get_int_max_str_digits() == 5000
    finally:
        sys.set_int_max_str_digits(before)


def test_an_exponent_has_at_most_the_value_4000():
    assert number("0e4000", "loss") == number("0e-4000", "loss") == 0
    for text in ("0e4001", "0e-4001"):
        with pytest.raises(Refused, match="not a number"):
            number(text, "loss")


def test_a_decimal_is_no_number_of_a_certificate_and_text_in_an_instance():
    assert parse(b"[1, 1.50]", "instance", decimals=True) == [1, "1.50"]
    with pytest.raises(Refused, match=r"The number '1\.50' has a fraction"):
        parse(b"[1, 1.50]", "certificate")


def test_a_file_that_cannot_be_read_is_told_apart_from_a_verdict(tmp_path, capsys):
    assert main([str(tmp_path / "nothing.json")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("The file cannot be read: ")
