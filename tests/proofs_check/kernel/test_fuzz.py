"""Random claims and random applications of the rules make no theorem that a small model contradicts."""

import inspect
import textwrap

import kernel_fuzz
import pytest
from kernel_fuzz import Fuzzer

from proofs_check.kernel import rules, terms, z3_question

TRIES = 40_000  # until a planted fault shows itself; most do within the first 500


def test_random_rules_prove_nothing_false():
    fuzzer = Fuzzer(1)
    assert fuzzer.run(600) == []
    assert fuzzer.counts["refused"] < 500


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(20))
def test_random_rules_prove_nothing_false_in_many_tries(seed):
    assert Fuzzer(seed).run(1000) == []


GUARDS = 'guards += [term("<=", lo, place), term("<=", place, hi)]'
CLOSED = "if not symbol.body.free <= known or not (symbol.base or symbol.body).free <= {*parameters}:"
FAULTS = [  # a function of the kernel, a line of it, and what stands there instead
    (rules.instantiate, "(substituted(part, values) for part in one.hypotheses)", "one.hypotheses"),
    (rules.instantiate, "substituted(one.conclusion, values)", "one.conclusion"),
    (rules.discharge, 'term("implies", hypothesis, one.conclusion)', "one.conclusion"),
    (rules.cut, "lemma.hypotheses | (one.hypotheses - {lemma.conclusion})", "lemma.hypotheses"),
    (rules.generalise, "index in free([*rest, lo, hi])", "index in free([lo, hi])"),
    (rules.generalise, "index in free([*rest, lo, hi])", "index in free(rest)"),
    (rules.generalise, "rest = one.hypotheses - inside", "rest = frozenset()"),
    (rules.specialise, GUARDS, "pass"),
    (rules.specialise, GUARDS, 'guards += [term("<=", lo, place)]'),
    (rules.induct, "if [base.conclusion, step.conclusion] != wanted:", "if step.conclusion != wanted[1]:"),
    (rules.induct, "if [base.conclusion, step.conclusion] != wanted:", "if base.conclusion != wanted[0]:"),
    (rules.induct, "rest = base.hypotheses | (step.hypotheses - used - {since})", "rest = base.hypotheses"),
    (rules.induct, "(other | {index}) & free([*rest, start])", "other & free([*rest, start])"),
    (rules.induct, "(other | {index}) & free([*rest, start])", "{index} & free([*rest, start])"),
    (rules.induct, "or index in other", ""),
    (rules.induct, "index.sort != INTEGER or start.sort != INTEGER or", ""),
    (rules.induct, "_theorem([*rest, since], statement)", "_theorem(rest, statement)"),
    (rules.entails, "(part for one in premises for part in one.hypotheses)", "()"),
    (rules.entails, "not decide(stated)", "False"),
    (rules.unfold, CLOSED, "if False:"),
    (rules.unfold, "if body.sort not in (INTEGER, symbol.sort):", "if False:"),
    (rules.unfold, 'start = term("<=", values[-1], number(0))', 'start = term("<=", values[-1], number(1))'),
    (terms._shifted, "value=part.value + by", "value=part.value"),
    (terms.opened, "place = part.value - depth", "place = part.value"),
    (terms.closed, 'term("bound", value=depth)', 'term("bound", value=0)'),
    (z3_question.Reader._term, '*(part for part in one.parts if part.op == "lambda")', ""),
    (z3_question.Reader._term, 'left <= right if one.op == "min" else left >= right', "left <= right"),
    (z3_question.Reader._term, "z3.RealVal(0, context), quotient", "z3.RealVal(1, context), quotient"),
]


@pytest.mark.parametrize(("function", "line", "instead"), FAULTS)
def test_the_fuzzer_notices_every_fault_that_is_planted(monkeypatch, function, line, instead):
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(line) == 1
    made = vars(inspect.getmodule(function)).copy()
    exec(source.replace(line, instead), made)
    for module in (rules, terms, z3_question, z3_question.Reader, kernel_fuzz):
        if getattr(module, function.__name__, None) is function:
            monkeypatch.setattr(module, function.__name__, made[function.__name__])
    assert any(Fuzzer(seed).run(500) for seed in range(TRIES // 500))
