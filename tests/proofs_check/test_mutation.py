"""A formula that could be another without anybody noticing is printed, not checked."""

import pytest

import proofs_check
from proofs_check import mutate
from proofs_check.claim import Request, named
from proofs_check.mutate import Mutant, changes, examine, mutants_of, survivors
from proofs_check.steps import Verdict

proofs_check.claims()

# False variants that once were called proved: the claim, the formula, what it was changed to.
FALSEHOODS = [
    ("lemma-3", "bound", "(m - 2) * sqrt(T)"),
    ("lemma-3/lower-end", "lowest", "-(m - 2)"),
    ("lemma-3/lower-end", "well_defined", "m <= L + 2"),
    ("theorem-1/domain", "horizon", "L == 2 * K * m * (2**S - 1)"),
    ("theorem-1/domain", "horizon", "L == K * m"),
    ("theorem-1/sharpened", "horizon", "L == K * m * S"),
    ("theorem-1/sharpened", "sharp", "3 * K * m * sqrt(T)"),
    ("algorithm-1/periods", "periods", "3**s"),
    ("algorithm-1/schedule", "epochs", "log2(sqrt(T) / (8 * K * m) + 1)"),
    ("algorithm-1/schedule", "epoch_steps", "2 * 3**s * K * m * sqrt(T)"),
    ("algorithm-1/schedule", "root", "2 * K * m * (2**S - 1)"),
    ("lemma-4", "bound", "K * m * sqrt(T) * (3 * S + 400 * sqrt(log(2 * K * m * log(T) / delta)))"),
    ("lemma-4/constant", "factor", "100"),
    ("lemma-4/log-t", "most", "log(T) / 3"),
    ("lemma-5", "execution", "sqrt(T) + 7 * 2**s * sqrt(T) * C(s - 1)"),
]


@pytest.mark.parametrize(("id", "name", "text"), FALSEHOODS)
def test_a_planted_falsehood_is_not_shown(id, name, text):
    assert named(id).formula(name).canonical != text
    found = named(id).having(name, text).examine(Request()).outcome
    assert found.verdict not in (Verdict.PROVED, Verdict.ARGUED)


# What a claim quotes is what the other one shows: weaken it, and what rests on it falls.
WEAKENED = [
    ("lemma-6/chain", "gap", "40 * C(s - 1)", "lemma-5"),
    ("lemma-5", "execution", "100 * (sqrt(T) + 8 * 2**s * sqrt(T) * C(s - 1))", "lemma-4"),
    ("lemma-3", "bound", "1000 * (m + 1) * sqrt(T)", "theorem-1/domain"),
    ("algorithm-1/schedule", "root", "5 * K * m * (2**S - 1)", "theorem-1/domain"),
]


@pytest.mark.parametrize(("id", "name", "text", "user"), WEAKENED)
def test_a_weakened_lemma_does_not_carry_what_rests_on_it(id, name, text, user):
    from proofs_check.claim import Run

    assert id in mutate._uses_of(user)
    run = Run(instead=[named(id).having(name, text)])
    assert run.result(user, Request()).outcome.verdict not in (Verdict.PROVED, Verdict.ARGUED)


def test_every_integer_and_relation_is_changed():
    assert set(changes("2 * x <= 3")) == {
        *("2 * x < 3", "2 * x >= 3", "3 * x <= 3", "1 * x <= 3", "4 * x <= 3"),
        *("2 * x <= 4", "2 * x <= 2", "2 * x <= 6"),
    }
    assert any(mutant.text == mutate.ALWAYS for mutant in mutants_of(named("lemma-3")))


def test_a_consequence_is_told_from_a_falsehood():
    one = named("lemma-3")
    assert mutate.follows(one, one.having("bound", "(m + 2) * sqrt(T)"))
    assert not mutate.follows(one, one.having("bound", "m * sqrt(T)"))
    assert mutate.follows(one, one.having("memory", "m >= 2"))
    assert not mutate.follows(one, one.having("memory", "m >= 0"))


def test_a_sample_of_mutants_is_caught():
    claims = [named(id) for id in ("lemma-3/large-memory", "algorithm-1/schedule", "lemma-4/log-t")]
    assert [one.mutant.key for one in examine(claims, sample=12) if one.fate == "survives"] == []


def test_every_explanation_is_of_a_mutant():
    keys = {mutant.key for one in proofs_check.claims() for mutant in mutants_of(one)}
    assert set(survivors()) <= keys
    assert all(len(reason) > 20 for reason in survivors().values())


@pytest.mark.thorough
def test_every_mutant_is_caught_follows_or_is_explained():
    assert [one.mutant.key for one in examine(proofs_check.claims()) if one.fate == "survives"] == []


@pytest.mark.thorough
def test_an_explanation_that_is_not_needed_is_taken_out(monkeypatch):
    monkeypatch.setattr(mutate, "survivors", dict)
    bench = mutate.Bench()
    for key in survivors():
        id, name, text = key.split(": ", 2)
        mutant = Mutant(named(id), name, mutate.ALWAYS if text == "left out" else text)
        assert bench.finding(mutant).fate == "survives"
