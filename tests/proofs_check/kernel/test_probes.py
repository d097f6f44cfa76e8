"""Attempts to prove something false, each in its own way; none succeeds. Each says why it is refused."""

import json
import re
import subprocess
import sys

import pytest

from proofs_check.kernel import rules, z3_question
from proofs_check.kernel.proof import proves, rebuilt
from proofs_check.kernel.terms import (
    INTEGER,
    REAL,
    Function,
    KernelError,
    Symbol,
    Variable,
    abstraction,
    number,
    term,
    variable,
)
from proofs_check.proving import Setting
from proofs_check.theory.argument import Argument
from proofs_check.theory.lines import Line, apply, distinct, proof, sequent
from proofs_check.theory.schemas import LANGUAGE

FALSE = LANGUAGE.read("1 == 2")
T, N, K, M, R = (Variable(name, INTEGER) for name in ["t", "n", "K", "m", "r"])
A, H, G = Function("a", 1, INTEGER), Function("h", 2, REAL), Function("g", 2, REAL)


def read(text, *symbols):
    return LANGUAGE.having(*symbols).read(text)


def proved(statement, *hypotheses, symbols=()):
    language = LANGUAGE.having(*symbols)
    argument = Argument(language, [language.read(one) for one in hypotheses], symbols)
    return argument.so(statement).theorem


def constant(name, value):
    return LANGUAGE.define(f"{name}(t)", value)


def pigeonhole():
    """no proof was found of 1 == 2"""
    hole = LANGUAGE.define("hole(i)", "min(i, 7)")
    return proved("1 == 2", symbols=[hole])


def a_definition_that_says_something_of_another():
    """no proof was found of u(1) == 2"""
    one, two = constant("u", "1"), LANGUAGE.having(constant("u", "1")).define("w(t)", "u(t) + 1")
    return proved("u(1) == 2", symbols=[one, two])


def two_definitions_of_one_name():
    """z3 does not confirm that this follows"""
    one, two = constant("u", "1"), constant("u", "2")
    return rules.entails([rules.unfold(one), rules.unfold(two)], FALSE)


def two_definitions_of_one_name_in_a_claim():
    """u would be printed for two things"""
    one, two = (read("u(1) == 1", constant("u", value)) for value in "12")
    return distinct([one, two])


def one_theorem_at_two_memories():
    """z3 does not confirm that this follows"""
    shared = rules.axiom("loss")
    at = [rules.instantiate(shared, {M: number(value)}) for value in (1, 2)]
    return rules.entails(at, FALSE)


def one_play_under_two_tables():
    """z3 does not confirm that this follows"""
    shared = rules.axiom("total")
    at = [rules.instantiate(shared, {H: abstraction(table)}) for table in (H, G)]
    same = term("==", *(one.conclusion.parts[1].parts[0] for one in at))
    return rules.entails(at, same)


def a_constant_that_a_hypothesis_fixes():
    """it has hypotheses"""
    two = rules.assume(read("K == 2"))
    three = rules.instantiate(two, {K: number(3)})
    return proves_alone(three.conclusion, [], rules.cut(two, three))


def no_actions():
    """z3 does not confirm that this follows"""
    attained = rules.instantiate(rules.axiom("OPT is attained"), {K: number(0)})
    best = rules.instantiate(rules.axiom("the best play"), {K: number(0)})
    return rules.entails([attained, best], FALSE)


def no_memory():
    """it has hypotheses"""
    least = rules.instantiate(rules.axiom("OPT is least"), {M: number(-1)})
    return proves_alone(least.conclusion, [], least)


def an_empty_domain_over_two_steps():
    """it has hypotheses"""
    above, below = rules.assume(read("t >= 1")), rules.assume(read("t <= 0"))
    return proves_alone(FALSE, [read("t >= 1")], rules.entails([above, below], FALSE))


def a_definition_that_mentions_itself():
    """the definition of u depends on more than its parameters"""
    body = term("+", variable(Variable("before", INTEGER)), number(1))
    return rules.unfold(Symbol("u", (T,), INTEGER, body))


def a_recursion_that_does_not_descend():
    """the definition of u depends on more than its parameters"""
    body = term("+", variable(Variable("before", INTEGER)), number(1))
    return rules.unfold(Symbol("u", (T,), INTEGER, body, body))


def a_recursion_on_a_real_number():
    """u does not descend on its last parameter"""
    body = term("+", variable(Variable("before", REAL)), number(1))
    return rules.unfold(Symbol("u", (Variable("r", REAL),), REAL, body, number(0)))


def a_definition_with_a_hidden_parameter():
    """the definition of u depends on more than its parameters"""
    return rules.unfold(Symbol("u", (T,), INTEGER, variable(K)))


def a_definition_with_one_parameter_twice():
    """u has no definition, or two parameters of one name"""
    return rules.unfold(Symbol("u", (T, T), INTEGER, variable(T)))


def a_real_number_for_an_integer():
    """u is declared an integer, and defined as a real number"""
    return rules.unfold(Symbol("u", (T,), INTEGER, read("t / 2")))


def an_index_that_a_hypothesis_fixes():
    """t is not free to be any index"""
    return rules.generalise(rules.assume(read("t == 1")), T, number(0), number(5))


def an_index_in_its_own_bound():
    """t is not free to be any index"""
    inside = rules.entails([rules.assume(read("t <= t + 1"))], read("t <= t + 1"))
    return rules.generalise(inside, T, number(0), read("t + 1"))


def an_induction_on_what_a_hypothesis_fixes():
    """a hypothesis fixes what the induction is about"""
    goal = read("n <= K")
    base = rules.entails([rules.assume(read("0 <= K"))], read("0 <= K"))
    step = rules.entails([rules.assume(read("n + 1 <= K"))], read("n + 1 <= K"))
    return rules.induct(goal, N, number(0), base, step)


def an_induction_without_its_start():
    """the two parts of the induction conclude something else"""
    goal = read("n == 1")
    return rules.induct(goal, N, number(0), rules.assume(read("1 == 1")), rules.assume(read("n + 1 == 1")))


def an_induction_that_uses_its_conclusion():
    """it has hypotheses"""
    goal = read("n >= 5")
    base = rules.assume(read("0 >= 5"))
    step = rules.entails([rules.assume(goal)], read("n + 1 >= 5"))
    return proves_alone(goal, [read("0 <= n")], rules.induct(goal, N, number(0), base, step))


def an_induction_hypothesis_at_the_next_place():
    """induction is on an integer"""
    goal = read("n >= 5")
    following = read("n + 1 >= 5")
    step = rules.assume(following)
    return rules.induct(goal, N, number(0), rules.assume(read("0 >= 5")), step, [{N: read("n + 1")}])


def a_place_outside_the_range():
    """z3 does not confirm that this follows"""
    every = rules.assume(read("all(a(t) == 1 for t in between(1, 0))"))
    return rules.entails([rules.specialise(every, number(5))], read("a(5) == 1"))


def a_captured_index():
    """n cannot be replaced by a term of sort integer"""
    every = read("all(t <= n for t in between(0, n))")
    bound = term("bound", value=0)
    return rules.instantiate(rules.assume(every), {N: bound})


def an_unknown_answer(monkeypatch):
    """z3 does not confirm that this follows"""
    monkeypatch.setattr(z3_question, "STEPS", 10)
    return rules.entails([], read("t * t * t + n * n * n != r * r * r or t * n * r <= 0"))


def what_does_not_follow():
    """z3 does not confirm that this follows"""
    return rules.entails([rules.assume(read("n >= 1"))], read("n >= 2"))


def a_quantifier_for_z3():
    """z3 does not confirm that this follows"""
    return rules.entails([rules.assume(read("all(a(t) == 1 for t in between(1, n))"))], FALSE)


def a_schema_of_ones_own():
    """the theory has no schema 'everything is 1'"""
    return rules.axiom("everything is 1")


def a_theorem_of_ones_own():
    """only the rules make theorems"""
    return rules.Theorem(frozenset(), FALSE)


def a_forged_theorem():
    """the proof concludes something else"""
    forged = object.__new__(rules.Theorem)
    object.__setattr__(forged, "hypotheses", frozenset())
    object.__setattr__(forged, "conclusion", FALSE)
    return proves(proof(Line("axiom", ("log of 1",), forged)), sequent([], FALSE))


def a_rule_of_ones_own():
    """there is no rule 'believe'"""
    return rebuilt({"terms": [], "lines": [["believe"]]})


def a_proof_of_something_else():
    """the proof concludes something else"""
    return proves(proof(apply("axiom", "loss")), sequent([], FALSE))


def a_hypothesis_that_is_not_claimed():
    """the proof needs hypotheses that the claim does not have"""
    return proves(proof(apply("assume", FALSE)), sequent([], FALSE))


def an_answer_that_z3_never_gave():
    """z3 does not confirm that this follows"""
    line = apply("entails", (), FALSE, decide=lambda statements: True)
    return proves(proof(line), sequent([], FALSE))


def a_symbol_that_only_looks_like_one_of_the_theory():
    """OPT would be printed for two things"""
    fake = Symbol("OPT", (H, K, M, T), REAL, number(0))
    parts = abstraction(H), variable(K), variable(M), variable(T)
    zero = term("==", term("symbol", *parts, value=fake), number(0))
    return distinct([zero])


def a_definition_of_a_word_of_the_theory():
    """total has a meaning already"""
    return Setting(define={"total(a, t)": "0"}).symbols


def proves_alone(conclusion, hypotheses, made):
    if made.conclusion is not conclusion or not made.hypotheses <= set(hypotheses):
        raise KernelError("it has hypotheses")
    return made


PROBES = [
    one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__ and one.__doc__
]


@pytest.mark.parametrize("probe", PROBES, ids=lambda one: one.__name__)
def test_what_is_false_is_not_proved(probe, monkeypatch):
    wants = probe.__code__.co_varnames[: probe.__code__.co_argcount]
    with pytest.raises(KernelError, match=re.escape(probe.__doc__)):
        probe(*([monkeypatch] if "monkeypatch" in wants else []))


def test_the_probes_fail_for_their_own_reason_not_because_nothing_can_be_proved():
    assert proved("u(1) == 1", symbols=[constant("u", "1")]).hypotheses == frozenset()
    twice = LANGUAGE.define("twice(n)", "before + 2", base="0")
    language = LANGUAGE.having(twice)
    argument = Argument(language, [], [twice])
    line = argument.induct("n", "twice(n) == 2 * n")
    assert line.theorem.conclusion is language.read("implies(0 <= n, twice(n) == 2 * n)")


def test_a_proof_is_rebuilt_in_a_process_of_its_own():
    argument = Argument(LANGUAGE, [])
    line = argument.so("total(a, 1) == loss(a, 1)")
    document = {"proof": proof(line), "claim": sequent([], line.theorem.conclusion)}
    other = {**document, "claim": sequent([], FALSE)}
    done = subprocess.run(
        [sys.executable, "-m", "proofs_check.kernel.proof"],
        input="".join(json.dumps(one) + "\n" for one in (document, other)),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    answers = [json.loads(one) for one in done.stdout.splitlines()]
    assert answers == [None, "KernelError: the proof concludes something else"]
