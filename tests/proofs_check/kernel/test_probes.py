"""Attempts to prove something false, each refused for its reason; the fuzzer attempts single rules."""

import json
import re
import subprocess
import sys
from unittest import mock

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
from proofs_check.proving import Setting, kept
from proofs_check.theory.argument import Argument
from proofs_check.theory.lines import Line, apply, distinct, proof, sequent
from proofs_check.theory.schemas import LANGUAGE

FALSE = LANGUAGE.read("1 == 2")
T, N, K, M = (Variable(name, INTEGER) for name in ["t", "n", "K", "m"])
A, H, G = Function("a", 1, INTEGER), Function("h", 2, REAL), Function("g", 2, REAL)
ZERO, ONE = number(0), number(1)


def read(text, *symbols):
    return LANGUAGE.having(*symbols).read(text)


def assume(text):
    return rules.assume(read(text))


def entails(*premises, goal="1 == 2"):
    return rules.entails(premises, read(goal) if isinstance(goal, str) else goal)


def at(name, **values):
    """A schema of the theory at other values."""
    found = {Variable(one, INTEGER): number(value) for one, value in values.items()}
    return rules.instantiate(rules.axiom(name), found)


def proved(statement, *symbols):
    return Argument(LANGUAGE.having(*symbols), [], symbols).so(statement).theorem


def constant(name, value):
    return LANGUAGE.define(f"{name}(t)", value)


def recursion_on_a_real_number():
    r, before = (Variable(name, REAL) for name in ("r", "before"))
    return rules.unfold(Symbol("u", (r,), REAL, term("+", variable(before), ONE), ZERO))


def proves_false(line):
    return proves(proof(line), sequent([], FALSE))


def one_play_under_two_tables():
    at = [rules.instantiate(rules.axiom("total"), {H: abstraction(table)}) for table in (H, G)]
    return entails(*at, goal=term("==", *(one.conclusion.parts[1].parts[0] for one in at)))


def one_theorem_at_two_memories():
    always, tally = LANGUAGE.function("lambda t: 1", 1), LANGUAGE.function("lambda x, y: y", 2)
    lines = [at("loss", m=1, t=2), at("loss", m=2, t=2), at("count", x=1, t=2), at("count", x=1, t=1)]
    return entails(*(rules.instantiate(one, {A: always, H: tally}) for one in lines))


def two_claims_about_two_tables():
    values = {Variable("T", INTEGER): number(4), Variable("x", INTEGER): ONE}
    proofs = (kept(id, "stated")["proof"] for id in ("counterexample-3", "counterexample-3/or-traditional"))
    return entails(*(rules.instantiate(rebuilt(one), values) for one in proofs))


def an_unknown_answer():
    with mock.patch.object(z3_question, "STEPS", 10):
        return entails(goal="t * t * t + n * n * n != r * r * r or t * n * r <= 0")


def a_forged_theorem():
    forged = object.__new__(rules.Theorem)
    object.__setattr__(forged, "hypotheses", frozenset())
    object.__setattr__(forged, "conclusion", FALSE)
    return proves_false(Line("axiom", ("log of 1",), forged))


def a_fake_symbol():
    fake = Symbol("OPT", (H, K, M, T), REAL, ZERO)
    parts = abstraction(H), variable(K), variable(M), variable(T)
    return distinct([term("==", term("symbol", *parts, value=fake), ZERO)])


UNKNOWN = "z3 does not confirm that this follows"
OTHER = "the proof concludes something else"
PROBES = {  # by what is attempted: why it is refused, and the attempt
    "a pigeonhole": (
        "no proof was found of 1 == 2",
        lambda: proved("1 == 2", LANGUAGE.define("hole(i)", "min(i, 7)")),
    ),
    "a definition that says something of another": (
        "no proof was found of u(1) == 2",
        lambda: proved(
            "u(1) == 2", constant("u", "1"), LANGUAGE.having(constant("u", "1")).define("w(t)", "u(t) + 1")
        ),
    ),
    "two definitions of one name": (
        UNKNOWN,
        lambda: entails(*(rules.unfold(constant("u", value)) for value in "12")),
    ),
    "two definitions of one name in a claim": (
        "u would be printed for two things",
        lambda: distinct([read("u(1) == 1", constant("u", value)) for value in "12"]),
    ),
    "one theorem at two memories": (UNKNOWN, one_theorem_at_two_memories),
    "one play under two tables": (UNKNOWN, one_play_under_two_tables),
    "two claims about two tables": (UNKNOWN, two_claims_about_two_tables),  # T - 1 and T / 2 - 1
    "no actions": (UNKNOWN, lambda: entails(at("OPT is attained", K=0), at("the best play", K=0))),
    "a recursion on a real number": ("u does not descend on its last parameter", recursion_on_a_real_number),
    "a definition with one parameter twice": (
        "u has no definition, or two parameters of one name",
        lambda: rules.unfold(Symbol("u", (T, T), INTEGER, variable(T))),
    ),
    "a captured index": (
        "n cannot be replaced by a term of sort integer",
        lambda: rules.instantiate(assume("all(t <= n for t in between(0, n))"), {N: term("bound", value=0)}),
    ),
    "an unknown answer": (UNKNOWN, an_unknown_answer),
    "a quantifier for z3": (UNKNOWN, lambda: entails(assume("all(a(t) == 1 for t in between(1, n))"))),
    "a schema of one's own": ("the theory has no schema 'mine'", lambda: rules.axiom("mine")),
    "a theorem of one's own": ("only the rules make theorems", lambda: rules.Theorem(frozenset(), FALSE)),
    "a forged theorem": (OTHER, a_forged_theorem),
    "a rule of one's own": ("there is no rule 'mine'", lambda: rebuilt({"terms": [], "lines": [["mine"]]})),
    "a proof of something else": (OTHER, lambda: proves_false(apply("axiom", "loss"))),
    "a hypothesis that is not claimed": (
        "the proof needs hypotheses that the claim does not have",
        lambda: proves_false(apply("assume", FALSE)),
    ),
    "an answer that z3 never gave": (
        UNKNOWN,
        lambda: proves_false(apply("entails", (), FALSE, decide=lambda statements: True)),
    ),
    "a symbol that looks like one of the theory": ("OPT would be printed for two things", a_fake_symbol),
    "a function that is not defined": ("there is no 'u' here", lambda: assume("u(1) == 1")),
    "a definition of a word of the theory": (
        "total has a meaning already",
        lambda: Setting(define={"total(a, t)": "0"}).symbols,
    ),
}


@pytest.mark.parametrize("attempt", PROBES)
def test_what_is_false_is_not_proved(attempt):
    reason, probe = PROBES[attempt]
    with pytest.raises(KernelError, match=re.escape(reason)):
        probe()


def test_the_probes_fail_for_their_own_reason_not_because_nothing_can_be_proved():
    assert proved("u(1) == 1", constant("u", "1")).hypotheses == frozenset()
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
