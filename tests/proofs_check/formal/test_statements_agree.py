"""What Python states and what is proved in Rocq are the same numbers, at random parameters."""

from fractions import Fraction
from importlib import import_module
from random import Random

import pytest

import proofs_check
from proofs_check import definitions
from proofs_check.ways import formal
from tallyplan.formula import Formula
from tallyplan.model.instance import TallyingBandit

SAMPLES = 20


@pytest.fixture(scope="module")
def proved(compiled):
    """(comparison, parameters, the value in Rocq) at all drawn parameters."""
    random = Random("statements")
    drawn = [(one, one.drawn(random)) for one in formal.comparisons() for _ in range(SAMPLES)]
    values = formal.evaluated([one.proved(at) for one, at in drawn], compiled)
    return [(one, at, value) for (one, at), value in zip(drawn, values, strict=True)]


def differences(proved):
    """The formulas that do not agree at some of the drawn parameters."""
    return {one.formula for one, at, value in proved if one.stated(at) != value}


def test_every_headline_names_a_claim_or_is_ours():
    claims = {claim.id for claim in proofs_check.claims()}
    assert {one.claim for one in formal.theorems()} - {None} <= claims
    assert {one.claim for one in formal.comparisons()} <= claims


def test_formulas_and_functions_agree(proved):
    assert differences(proved) == set()


PLANTED = [
    ("paper.lemma_2", "EXACT", "sqrt(T) + 2"),
    ("paper.lemma_3.statement", "STATED", "m * sqrt(T)"),
    ("paper.lemma_3.statement", "SHARPER", "(m - 2) * sqrt(T)"),
    ("paper.lemma_3.statement", "LOWER_END", "-m"),
    ("paper.proposition_1.upper", "SHARP", "min(T - m, m * K - 2)"),
    ("paper.proposition_1.upper", "STATED", "m * K"),
    ("paper.proposition_1.lower", "BAYES_REGRET", "m * (K - 1) / 4"),
    ("paper.proposition_1.lower", "BAYES_LOSS", "(q * (q + 1) / 2 * m + (K - q) * T) / K"),
    ("paper.lemma_5", "STATED", "K * m * (sqrt(T) + 4 * n * sqrt(T) * C)"),
    ("paper.lemma_6", "GAP", "3 * C"),
    ("paper.lemma_8", "STATED", "C"),
    ("computations.elimination", "RULE", "3 * C"),
]


@pytest.mark.parametrize(("module", "name", "text"), PLANTED)
def test_a_changed_statement_is_noticed(module, name, text, proved, monkeypatch):
    module = f"proofs_check.{module}"
    monkeypatch.setattr(import_module(module), name, Formula(text))
    assert differences(proved) == {f"{module}:{name}"}


def test_every_theorem_rests_on_its_axioms_alone(compiled):
    """Closed under the global context, unless the headline lists the axioms."""
    for allowed in {one.axioms for one in formal.theorems()}:
        chosen = [one for one in formal.theorems() if one.axioms == allowed]
        assert set(formal.axioms_of(chosen, compiled)) <= set(allowed)


# The functions that the theorems speak of, next to the paper's definitions in Python.


def rocq_table(rows):
    return (
        "(Model.entry ("
        + " :: ".join("(" + " :: ".join(map(str, row)) + " :: nil)" for row in rows)
        + " :: nil))"
    )


def rocq_word(word):
    return "(" + "".join(f"{action} :: " for action in word) + "nil)%nat"


def games():
    random = Random("games")
    for _ in range(12):
        K, m, L = random.randint(1, 3), random.randint(1, 4), random.randint(3, 6)
        rows = [[random.randint(0, 9) for _ in range(m)] for _ in range(K)]
        words = [[random.randrange(K) for _ in range(L)] for _ in range(2)]
        yield TallyingBandit([[Fraction(entry, 9) for entry in row] for row in rows]), rows, *words


def test_the_defined_notions_agree(compiled):
    terms, expected = [], []
    for bandit, rows, word, other in games():
        table, m, K = rocq_table(rows), bandit.memory, bandit.actions
        game = f"(Model.tallying {K} {m} {table})"
        terms.append(f"Lemma2.period_loss {K} {m} {table} {rocq_word(word)}")
        expected.append(definitions.mu(bandit, word) * len(word))
        terms.append(f"Counterexample3.charged {game} nil {rocq_word(word)} {rocq_word(other)}")
        expected.append(
            definitions.total_loss(bandit, word) - definitions.traditional_regret(bandit, word, [other])
        )
        cell = (word[-1], definitions.tally(word, len(word) - 1, m))
        counts = definitions.period_counts(word, m, n=2, past=other)
        terms.append(
            f"Z.of_nat (Lemma2.period_count {m} {cell[0]} {cell[1]} {rocq_word(word)} 2 "
            f"(List.rev {rocq_word(other)}))"
        )
        expected.append(Fraction(counts[cell], 9))
        terms.append(f"Model.opt {game} {len(word)} nil")
        expected.append(definitions.optimum(bandit, len(word)))
    assert formal.evaluated(terms, compiled) == [9 * value for value in expected]
