"""What becomes of a claim: verdicts, the formulas it uses, violations, and what is printed."""

import re
from pathlib import Path

import pytest

import proofs_check
from proofs_check.claim import Claim, Formulas
from proofs_check.examining import Request, examine
from proofs_check.outcome import Better, Verdict, Violation, weakest
from proofs_check.proving import Setting
from proofs_check.report import explanation
from proofs_check.witness import Witness

ARGUED, UNDECIDED = Verdict.ARGUED, Verdict.UNDECIDED


def test_what_is_weakest_decides():
    assert weakest(Verdict.PROVED, Verdict.CHECKED, Verdict.ARGUED) is Verdict.CHECKED
    assert weakest(Verdict.PROVED, Verdict.REFUTED) is weakest() is Verdict.UNDECIDED


def made(derive=None, **fields):
    texts = {"formulas": {"stated": "x > 0"}, "domain": {"large": "x >= 2"}, "symbols": {"x": "a number"}}
    return Claim("test", "{stated}.", "here", derive, **{**texts, **fields})


def found(derive, **fields):
    return examine(made(derive, **fields), Request()).outcome


def in_words(request):
    return request.conclude(request.argue("clear", on=()))


def only_at_two(request):
    large = request.formulas.large.holds(x=1)
    return request.conclude(None if large else request.argue("clear"), checked_on="a box")


def test_a_verdict_comes_with_the_domain_it_is_about():
    assert (found(only_at_two).verdict, found(only_at_two).domain) == (ARGUED, "integers x, x >= 2")


IDLE = {"formulas": {"stated": "x > 0", "idle": "x <= 9"}}


@pytest.mark.parametrize(
    ("derive", "fields", "error"),
    [
        (only_at_two, {"domain": {"large": "x >= -1"}}, "test declares formulas that nothing uses: stated."),
        (in_words, IDLE, "nothing uses: idle"),
        (in_words, {"uses": ("lemma-3",)}, "says that it uses ['lemma-3']"),
        (lambda request: 1 / 0, {}, "ZeroDivisionError: division by zero"),
    ],
)
def test_an_examination_that_breaks_leaves_its_claim_undecided_and_says_why(derive, fields, error):
    outcome = found(derive, **fields)
    assert outcome.verdict is UNDECIDED
    assert error in outcome.error


KERNEL = {"setting": Setting(), "model": {"m": 2}, "symbols": {}, "domain": {"large": "m >= 2"}}


def test_a_violation_refutes_only_if_confirmed_and_never_what_is_proved():
    def deriving(shown, confirmed):
        return lambda request: request.conclude(shown(request), violation=Violation(Witness({}), confirmed))

    argued, proved = (lambda request: request.argue("clear")), (lambda request: request.proof().shown())
    assert found(deriving(argued, True)).verdict is Verdict.REFUTED
    assert found(deriving(argued, False)).verdict is UNDECIDED
    outcome = found(deriving(proved, True), **KERNEL, formulas={"stated": "m > 0"})
    assert "shown and refuted" in outcome.error


@pytest.mark.parametrize(
    ("words", "stated", "error"),
    [
        ("x is positive.", "m > 0", "must hold"),
        ("{stated} {bound}", "m > 0", "does not declare"),
        ("{stated}", "u > 0", "stand for"),
    ],
)
def test_a_statement_must_print_what_is_checked(words, stated, error):
    with pytest.raises(ValueError, match=error):
        Claim("t", words, "here", None, formulas={"stated": stated})


def test_the_printed_statement_follows_the_formula():
    assert made().statement == "x > 0."
    assert made().having("stated", "x > 1").statement == "x > 1."
    assert made().having("large", "x >= 3").on == "integers x, `x >= 3`"


def test_a_formula_may_name_another():
    f = Formulas({"bound": "m + 1", "stated": "2 * x <= bound * bound"})
    assert str(f.stated) == "2 * x <= (m + 1) * (m + 1)"


def test_no_claim_writes_its_verdict_down():
    for folder in ("paper", "ours"):
        for file in (Path(proofs_check.__file__).parent / folder).rglob("*.py"):
            assert not re.search(r"(?<!-> )\bOutcome\(", file.read_text()), file


def test_the_steps_of_a_best_constant_and_of_a_repair_are_printed():
    def derive(request):
        best, repaired = request.proof("best"), request.argue("by inspection", name="repaired")
        best.have("m * m >= 2 * m")
        return request.conclude(
            None,
            violation=Violation(
                Witness({}), bool(request.domain) and str(request.formulas.stated) == "m > 2"
            ),
            tight=Better("4", best.shown().verdict),
            repair=Better("m > 1", repaired.verdict),
        )

    formulas = {"stated": "m > 2", "best": "m * m >= 4", "repaired": "m > 1"}
    result = examine(made(derive, **KERNEL, formulas=formulas), Request())
    assert result.outcome.verdict is Verdict.REFUTED, result.outcome.error
    told = explanation(result, steps=True)
    assert "m * m >= 2 * m: yes, by kernel" in told
    assert "by inspection (argued)" in told
    assert (result.outcome.tight.verdict, result.outcome.repair.verdict) == (Verdict.PROVED, ARGUED)
    steps = result.to_json()["evidence"]["steps"]
    assert [one["then"] for one in steps if "then" in one] == [None, "m * m >= 2 * m", "m * m >= 4"]
