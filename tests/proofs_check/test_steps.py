"""What becomes of a claim: verdicts, the formulas it uses, violations, and what is printed."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import proofs_check
from proofs_check.claim import Claim, Formulas
from proofs_check.examining import Request, examine
from proofs_check.outcome import Better
from proofs_check.proving import Setting
from proofs_check.report import explanation
from proofs_check.steps import Verdict, weakest

ARGUED, UNDECIDED = Verdict.ARGUED, Verdict.UNDECIDED


def test_what_is_weakest_decides():
    assert weakest(Verdict.PROVED, Verdict.CHECKED, Verdict.ARGUED) is Verdict.CHECKED
    assert weakest(Verdict.PROVED, Verdict.REFUTED) is weakest() is Verdict.UNDECIDED


def made(derive, **fields):
    texts = {"formulas": {"stated": "x > 0"}, "domain": {"large": "x >= 2"}, "symbols": {"x": "a number"}}
    return Claim("test", "{stated}.", "here", derive, **{**texts, **fields})


def test_a_verdict_comes_with_the_domain_it_is_about():
    def derive(request):
        large = request.formulas.large.holds(x=1)
        return request.conclude(None if large else request.argue("clear"), checked_on="a box")

    found = examine(made(derive), Request()).outcome
    assert (found.verdict, found.domain) == (ARGUED, "integers x, x >= 2")
    weaker = examine(made(derive).having("large", "x >= -1"), Request()).outcome
    assert weaker.error == "InternalError: test declares formulas that nothing uses: stated."


def test_a_formula_that_nothing_uses_is_an_error():
    def derive(request):
        return request.conclude(request.argue("clear"))

    idle = examine(made(derive, formulas={"stated": "x > 0", "idle": "x <= 9"}), Request()).outcome
    assert idle.verdict is UNDECIDED
    assert "nothing uses: idle" in idle.error


def test_a_claim_says_what_it_uses():
    def derive(request):
        return request.conclude(request.argue("clear", on=()))

    assert (
        "says that it uses ['lemma-3']" in examine(made(derive, uses=("lemma-3",)), Request()).outcome.error
    )


def test_an_error_in_one_claim_is_its_own():
    def derive(request):
        raise ZeroDivisionError("oops")

    found = examine(made(derive), Request()).outcome
    assert (found.verdict, found.error) == (UNDECIDED, "ZeroDivisionError: oops")


class Bad:
    def __init__(self, confirmed):
        self.confirmed = lambda: confirmed

    def witness(self):
        from proofs_check.witness import Witness

        return Witness({})


def test_a_violation_refutes_only_if_confirmed_and_never_what_is_proved():
    def deriving(shown, confirmed):
        return lambda request: request.conclude(shown(request), violation=Bad(confirmed))

    argued, proved = (lambda request: request.argue("clear")), (lambda request: request.proof().shown())
    kernel = {"setting": Setting(), "formulas": {"stated": "m > 0"}, "domain": {"large": "m >= 2"}}
    kernel |= {"model": {"m": 2}, "symbols": {}}
    assert examine(made(deriving(argued, True)), Request()).outcome.verdict is Verdict.REFUTED
    assert examine(made(deriving(argued, False)), Request()).outcome.verdict is UNDECIDED
    found = examine(made(deriving(proved, True), **kernel), Request()).outcome
    assert "shown and refuted" in found.error


def test_a_statement_must_print_what_is_checked():
    with pytest.raises(ValueError, match="must hold"):
        made(lambda request: None).__class__(
            "t", "x is positive.", "here", None, formulas={"stated": "x > 0"}
        )
    with pytest.raises(ValueError, match="does not declare"):
        Claim("t", "{stated} {bound}", "here", None, formulas={"stated": "m > 0"})
    with pytest.raises(ValueError, match="stand for"):
        Claim("t", "{stated}", "here", None, formulas={"stated": "u > 0"})


def test_the_printed_statement_follows_the_formula():
    one = made(lambda request: None)
    assert one.statement == "x > 0."
    assert one.having("stated", "x > 1").statement == "x > 1."
    assert one.having("large", "x >= 3").on == "integers x, `x >= 3`"


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
            violation=Bad(bool(request.domain) and str(request.formulas.stated) == "m > 2"),
            tight=Better("4", best.shown().verdict),
            repair=Better("m > 1", repaired.verdict),
        )

    one = Claim(
        "one",
        "{stated}.",
        "nowhere",
        derive,
        formulas={"stated": "m > 2", "best": "m * m >= 4", "repaired": "m > 1"},
        domain={"large": "m >= 2"},
        setting=Setting(),
        model={"m": 2},
    )
    result = examine(replace(one), Request())
    assert result.outcome.verdict is Verdict.REFUTED, result.outcome.error
    told = explanation(result, steps=True)
    assert "m * m >= 2 * m: yes, by kernel" in told
    assert "by inspection (argued)" in told
    assert (result.outcome.tight.verdict, result.outcome.repair.verdict) == (Verdict.PROVED, ARGUED)
    steps = result.to_json()["evidence"]["steps"]
    assert [one["then"] for one in steps if "then" in one] == [None, "m * m >= 2 * m", "m * m >= 4"]
