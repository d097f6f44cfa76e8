"""How far steps show a formula: what is given must come from somewhere, and words are named as words."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import proofs_check
from proofs_check.claim import Claim, Formulas, Repair, Request, Tight
from proofs_check.report import explanation
from proofs_check.steps import BY_HAND, Fact, Step, Verdict, argued, show, weakest
from proofs_check.ways.for_all import for_all, identity, induction
from tallyplan.formula import Formula

ARGUED, UNDECIDED = Verdict.ARGUED, Verdict.UNDECIDED


def shown(conclusion, steps, domain=(), integers=()):
    return show(Formula(conclusion), steps, [Formula(one) for one in domain], integers)


def test_a_chain_from_the_domain_shows_but_only_the_kernel_proves():
    steps = [for_all("", given=["x >= 2"], then="x >= 1"), for_all("", given=["x >= 1"], then="x > 0")]
    assert shown("x > 0", steps, ["x >= 2"]).verdict is ARGUED
    assert shown("x > 0", steps, ["x >= 2"]).because == (BY_HAND,)
    assert shown("x  >  0", steps, ["x>=2"]).verdict is ARGUED  # spelling does not matter


def test_a_hypothesis_from_nowhere_proves_nothing():
    steps = [for_all("", given=["x >= 1"], then="x > 0")]
    found = shown("x > 0", steps, ["x >= 2"])
    assert found.verdict is UNDECIDED
    assert found.because == ("no step shows x >= 1",)


def test_steps_that_do_not_conclude_prove_nothing():
    steps = [for_all("", given=["x >= 2"], then="x >= 1")]
    assert shown("x > 0", steps, ["x >= 2"]).because == ("no step concludes x > 0",)


def test_a_conclusion_is_not_its_own_reason():
    circular = [argued("clear", then="x > 0"), for_all("", given=["x > 0"], then="x > 0")]
    assert shown("x > 0", circular).verdict is UNDECIDED


def test_words_alone_conclude_nothing():
    assert shown("x > 0", [argued("clear", then="x > 0")]).verdict is UNDECIDED


def test_a_link_in_words_is_named_and_makes_it_argued():
    steps = [argued("Hoeffding", then="x >= 1"), for_all("", given=["x >= 1"], then="x > 0")]
    found = shown("x > 0", steps)
    assert found.verdict is ARGUED
    assert found.because == ("'Hoeffding' is argued", BY_HAND)


def test_a_step_that_fails_anywhere_leaves_it_undecided():
    steps = [for_all("", then="x >= 1"), for_all("", given=["x >= 2"], then="x > 0")]
    assert shown("x > 0", steps, ["x >= 2"]).verdict is UNDECIDED


def test_a_fact_is_as_good_as_the_step_it_comes_from():
    good = for_all("", given=["y >= 1"], then="y * y >= y")
    use = for_all("", given=["x >= 1", good.at(y="x")], then="x * x >= x")
    assert shown("x * x >= x", [use], ["x >= 1"]).because == (BY_HAND,)
    words = argued("clear", then="y * y >= y", given=["y >= 1"])
    use = for_all("", given=["x >= 1", words.at(y="x")], then="x * x >= x")
    assert shown("x * x >= x", [use], ["x >= 1"]).because == ("'clear' is argued", BY_HAND)
    bad = Step("", "z3", None, Formula("y * y >= y"))
    use = for_all("", given=[bad.at(y="x")], then="x * x >= x")
    assert shown("x * x >= x", [use]).verdict is UNDECIDED


def test_an_instance_keeps_its_hypotheses():
    good = for_all("", given=["y >= 1"], then="y * y >= y")
    assert for_all("", given=[good.at(y="x")], then="x * x >= x").holds is False  # nothing says x >= 1


def test_what_holds_for_integers_is_not_used_for_reals():
    whole = for_all("n integer", then="n * n >= n")
    assert whole.holds
    assert for_all("x real", given=[whole.at(n="x")], then="x * x >= x").holds is not True
    assert for_all("k integer", given=[whole.at(n="k")], then="k * k >= k").holds


def test_an_integer_that_the_claim_does_not_declare_is_an_open_end():
    steps = [for_all("n integer", then="n * n >= n")]
    assert shown("n * n >= n", steps).because == ("the steps take n to be an integer",)
    assert shown("n * n >= n", steps, integers=["n"]).verdict is ARGUED


def test_a_name_has_one_meaning_in_an_argument():
    facts = [Fact(Formula(f"x == {n}"), f"definition of {n}", defines="x") for n in (1, 2)]
    steps = [for_all("", given=[fact], then="x >= 1") for fact in facts]
    assert "x has two meanings" in shown("x >= 1", steps).because[0]


def test_hypotheses_that_contradict_each_other_are_refused():
    step = for_all("x real", given=["x > 1", "x < 1"], then="x == 7")
    assert step.holds is False
    assert "contradicts itself" in step.by


def test_an_induction_needs_both_steps_integers_and_nothing_about_one_value():
    start, add = Fact(Formula("S(0) == 0"), "d"), Fact(Formula("implies(n >= 0, S(n + 1) == S(n) + 2)"), "d")
    right = induction("n S(integer) integer", on="n", start=0, then="S(n) == 2 * n", given=[start, add])
    assert right.holds
    assert not induction("n S(integer) integer", on="n", start=0, then="S(n) == 2 * n", given=[add]).holds
    assert not induction("n S(integer) integer", on="n", start=0, then="S(n) == 2 * n", given=[start]).holds
    with pytest.raises(ValueError, match="needed for all"):
        induction("n S(integer) integer", on="n", start=0, then="S(n) == 2 * n", given=["S(n) == 2 * n"])
    with pytest.raises(ValueError, match="needs integers"):
        induction("x real", on="x", start=0, then="x >= 0")


def test_an_identity_for_positive_values_says_so():
    assert str(identity("sqrt(x**2)", "x").hypotheses[0]) == "x > 0"
    assert identity("sqrt(x**2)", "x", given=["x >= 1"]).holds
    assert not identity("sqrt(x**2)", "x", given=["x >= -1"]).holds


def test_what_is_weakest_decides():
    assert weakest(Verdict.PROVED, Verdict.CHECKED, Verdict.ARGUED) is Verdict.CHECKED
    assert weakest(Verdict.PROVED, Verdict.REFUTED) is weakest() is Verdict.UNDECIDED


def made(derive, **fields):
    texts = {"formulas": {"stated": "x > 0"}, "domain": {"large": "x >= 2"}, "symbols": {"x": "a number"}}
    return Claim("test", "{stated}.", "here", derive, **{**texts, **fields})


def proof(request):
    f = request.formulas
    return [for_all("", given=[f.large], then=f.stated)]


def test_a_verdict_comes_with_the_domain_it_is_about():
    def derive(request):
        return request.conclude(request.show("stated", proof(request)), method="z3", checked_on="a box")

    found = made(derive).examine(Request()).outcome
    assert (found.verdict, found.domain) == (ARGUED, "x >= 2")
    weaker = made(derive).having("large", "x >= -1").examine(Request()).outcome
    assert (weaker.verdict, weaker.domain) == (Verdict.CHECKED, "a box")


def test_a_hypothesis_in_words_makes_a_claim_argued():
    def derive(request):
        return request.conclude(request.show("stated", proof(request)), method="z3")

    found = made(derive, assuming=("independence",)).examine(Request()).outcome
    assert found.verdict is ARGUED
    assert any("in words" in str(one) for one in found.evidence.steps)


def test_a_formula_that_nothing_uses_is_an_error():
    def derive(request):
        return request.conclude(request.show("stated", proof(request)), method="z3")

    idle = made(derive, domain={"large": "x >= 2", "idle": "x <= 9"}).examine(Request()).outcome
    assert idle.verdict is UNDECIDED
    assert "nothing uses: idle" in idle.error


def test_a_claim_says_what_it_uses():
    def derive(request):
        return request.conclude(request.show("stated", proof(request)), method="z3")

    assert "says that it uses ['lemma-3']" in made(derive, uses=("lemma-3",)).examine(Request()).outcome.error


def test_an_error_in_one_claim_is_its_own():
    def derive(request):
        raise ZeroDivisionError("oops")

    found = made(derive).examine(Request()).outcome
    assert (found.verdict, found.error) == (UNDECIDED, "ZeroDivisionError: oops")


class Bad:
    def __init__(self, confirmed):
        self.confirmed = lambda: confirmed

    def witness(self):
        from proofs_check.witness import Witness

        return Witness({})


def test_a_violation_refutes_only_if_confirmed_and_never_what_is_proved():
    def deriving(confirmed):
        return lambda request: request.conclude(
            request.show("stated", proof(request)), method="z3", violation=Bad(confirmed)
        )

    loose = {"domain": {"large": "x >= -1"}}
    assert made(deriving(True), **loose).examine(Request()).outcome.verdict is Verdict.REFUTED
    assert made(deriving(False), **loose).examine(Request()).outcome.verdict is UNDECIDED
    assert made(deriving(True)).examine(Request()).outcome.verdict is Verdict.REFUTED  # it was only argued


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
    assert one.having("large", "x >= 3").on == "x >= 3"


def test_a_formula_may_name_another():
    f = Formulas({"bound": "m + 1", "stated": "2 * x <= bound * bound"})
    assert str(f.stated) == "2 * x <= (m + 1) * (m + 1)"


def test_no_claim_writes_its_verdict_down():
    for folder in ("paper", "ours"):
        for file in (Path(proofs_check.__file__).parent / folder).rglob("*.py"):
            assert not re.search(r"(?<!-> )\bOutcome\(", file.read_text()), file


def test_z3_is_told_once_about_each_root():
    import z3

    from proofs_check.ways.z3_question import Z3Reading

    reading = Z3Reading("x y real", [], z3.Context())
    reading.read("sqrt(x) * sqrt(y) <= sqrt(x) + 1")
    reading.read("sqrt(y) >= 0")
    assert len(reading.known) == 2


def test_the_answer_does_not_depend_on_what_was_asked_before(monkeypatch):
    from proofs_check.ways import z3_question
    from proofs_check.ways.z3_question import Question

    def asked():
        return Question("x y z integer", ["x > 0", "y > x"], "x**3 + y**3 != z**3")

    monkeypatch.setattr(z3_question, "Z3_STEPS", 10**5)
    first = asked().answer()
    for number in range(20):
        Question("x y real", [], f"x * x + y * y >= {number} * x").answer()
    assert asked().answer() is first


def test_an_unlucky_search_is_tried_again(monkeypatch):
    from proofs_check.ways import z3_question
    from proofs_check.ways.z3_question import Question

    seeds = []

    def check(self, more, steps, seed=0):
        seeds.append(seed)
        return False if seed == 2 else None

    monkeypatch.setattr(Question, "_check", check)
    monkeypatch.setattr(z3_question, "TRIES", 3)
    assert Question("x real", [], "x * x >= 0").answer() is True
    assert seeds == [0, 1, 2]


def test_the_steps_of_a_best_constant_and_of_a_repair_are_printed():
    def derive(request):
        best = request.show("best", [for_all("", given=["x >= 2"], then="x * x >= 4", words="squared")])
        repaired = request.show("repaired", [for_all("", given=["x >= 2"], then="x >= 2 and x > 1")])
        return request.conclude(
            None,
            method="z3",
            violation=Bad(True),
            tight=Tight("4", best.verdict),
            repair=Repair("x > 1", repaired.verdict),
        )

    one = Claim(
        "one",
        "{stated}.",
        "nowhere",
        derive,
        formulas={"stated": "x > 2", "best": "x * x >= 4", "repaired": "x >= 2 and x > 1"},
        domain={"large": "x >= 2"},
        symbols={"x": "a number"},
    )

    def reads_all(request):
        assert (str(request.formulas.stated), len(request.domain)) == ("x > 2", 1)
        return derive(request)

    result = replace(one, derive=reads_all).examine(Request())
    assert result.outcome.verdict is Verdict.REFUTED, result.outcome.error
    told = explanation(result, steps=True)
    assert "squared\n              x >= 2 |- x * x >= 4: yes, by z3" in told
    assert "x >= 2 |- x >= 2 and x > 1: yes, by z3" in told
    assert result.outcome.evidence.size == "2 steps"
    assert [step["then"] for step in result.to_json()["evidence"]["steps"] if "then" in step] == [
        "x * x >= 4",
        "x >= 2 and x > 1",
    ]
