"""The commands `bayes` and `minimax`: documents, words, pictures, exit statuses."""

import json
from fractions import Fraction

from commands import data, run

from proofs_check.bayes import minimax_regret
from tallyplan.check import check


def size(K, m, T):
    return "--actions", str(K), "--memory", str(m), "--horizon", str(T)


def test_the_needle_as_a_document():
    document = data("bayes", "proposition-1", *size(3, 2, 6))
    assert document["value"] == "2/1"
    assert (document["deterministic_learners"], document["over_sqrt_mKT"]) == ("4/1", "0.3333")
    assert [one["relation"] for one in document["compared"]] == [">", "=", "<"]


def test_theorem_2_as_a_document_and_in_words():
    document = data("bayes", "theorem-2", *size(2, 1, 2), "--epsilon", "1/4")
    assert (document["value"], document["epsilon"]) == ("7/32", "1/4")
    assert document["epsilon_is"] == "the one given"
    assert "7/32  (about 0.21875)" in run("bayes", "theorem-2", *size(2, 1, 2), "--epsilon", "0.25").stdout


def test_minimax_as_a_document_with_strategies_that_hold():
    document = data("minimax", *size(2, 3, 7))
    assert (document["value"], document["deterministic_learners"]) == ("17/10", "3/1")
    certificate = minimax_regret(2, 3, 7).certificate
    sides = {"primal": {"learner": document["learner"]}, "dual": {"prior": document["prior"]}}
    assert check(certificate | sides).reason.endswith("is 17/10.")


def test_a_certificate_is_written_and_accepted(tmp_path):
    out = tmp_path / "minimax.cert"
    assert run("minimax", *size(2, 2, 5), "--grid", "2", "--certificate", str(out)).exit_code == 0
    checked = run("check", str(out))
    assert checked.exit_code == 0
    assert checked.stdout.endswith("is 7/6.\n")


def test_a_table_by_horizon_and_its_picture(tmp_path):
    picture = tmp_path / "by-horizon.svg"
    rows = data("minimax", *size(2, 2, 5), "--table", "--plot", str(picture))
    assert [row["value"] for row in rows] == ["0/1", "1/2", "4/5", "1/1", "1/1", "7/6"]
    drawn = picture.read_text()
    assert all(words in drawn for words in ("m(K - 1)/2", "mK - 1", "minimax", "horizon T"))
    assert "\n 5   7/6 " in run("minimax", *size(2, 2, 5), "--table").stdout


def test_out_of_time_the_exit_status_is_three():
    result = run("minimax", *size(2, 3, 10), "--time-limit", "0", "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 3
    assert Fraction(document["lower"]) < Fraction(53, 30) < Fraction(document["upper"])
    assert "value" not in document
    in_words = run("minimax", *size(2, 3, 10), "--time-limit", "0")
    assert in_words.exit_code == 3
    assert all(words in in_words.stdout for words in ("at least", "at most"))
