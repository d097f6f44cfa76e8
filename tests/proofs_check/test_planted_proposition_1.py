"""Falsehoods planted in Proposition 1, Algorithm 2 and Lemmas 5, 6 and 8: each must change what is found."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import proofs_check
from proofs_check import definitions
from proofs_check.bayes import deterministic
from proofs_check.claim import Request, Run, named
from proofs_check.computations import elimination
from proofs_check.computations.alg_det import exploration
from proofs_check.paper import algorithm_2
from proofs_check.paper.proposition_1 import exploration as model
from proofs_check.paper.proposition_1 import last_step, lower, upper
from proofs_check.steps import SHOWN, Verdict
from tallyplan.model.instance import TallyingBandit

proofs_check.claims()

REFUTED, CHECKED, UNDECIDED = Verdict.REFUTED, Verdict.CHECKED, Verdict.UNDECIDED


@pytest.fixture(autouse=True)
def small_boxes(monkeypatch):
    monkeypatch.setattr(upper, "SIZES", ((1, range(1, 3)), (2, range(1, 3))))
    monkeypatch.setattr(last_step, "SIZES", ((1, 1), (1, 2), (2, 1), (2, 2)))
    monkeypatch.setattr(lower, "_box", lambda request: [(1, 1, 2), (2, 1, 2), (2, 2, 5), (3, 2, 7)])
    monkeypatch.setattr(elimination, "PERIODS", (2, 3))


def outcome(id, name=None, text=None, of=None):
    """The outcome of a claim, or of another that uses it, a formula of the claim being another."""
    changed = [] if name is None else [named(id).having(name, text)]
    return Run(instead=changed).result(of or id, Request()).outcome


@cache
def unchanged(id):
    """The outcome of a claim on the small boxes."""
    return outcome(id)


AS_THEY_ARE = {
    "proposition-1-upper": Verdict.ARGUED,
    "proposition-1-upper/last-step": REFUTED,
    "proposition-1-lower": REFUTED,
    "proposition-1-lower/quantifiers": REFUTED,
    "proposition-1-lower/queries": Verdict.ARGUED,
    "proposition-1-lower/optimum": Verdict.ARGUED,
    "proposition-1-lower/large-K": Verdict.ARGUED,
    "algorithm-2": Verdict.ARGUED,
    "algorithm-2/horizon": REFUTED,
    "lemma-8": Verdict.ARGUED,
    "lemma-6/chain": Verdict.ARGUED,
    "lemma-6": REFUTED,
    "lemma-5": Verdict.ARGUED,
}


@pytest.mark.parametrize("id", AS_THEY_ARE)
def test_on_the_small_boxes_the_verdicts_are_the_same(id):
    assert unchanged(id).verdict is AS_THEY_ARE[id]


FALSE = [
    ("proposition-1-upper", "bound", "m * K - 2", REFUTED),
    ("proposition-1-upper", "bound", "min(T - m - 1, m * K - 1)", REFUTED),
    ("proposition-1-upper", "horizon", "T >= m", CHECKED),
    ("proposition-1-upper", "memory", "m >= 0", CHECKED),
    ("proposition-1-lower/queries", "few", "m * (K + 2)", REFUTED),
    ("proposition-1-lower/optimum", "loss", "m", REFUTED),
    ("proposition-1-lower/optimum", "loss", "m - 2", REFUTED),
    ("proposition-1-lower/large-K", "stated", "m * K / 64 - (m - 1) >= m * K / 100", REFUTED),
    ("proposition-1-lower/large-K", "large", "K >= 127", REFUTED),
    ("algorithm-2", "when", "x * m - m + y - 1", UNDECIDED),
    ("algorithm-2", "tally", "e_count(x, when) - e_count(x, max(when - m - 1, 0))", CHECKED),
    ("algorithm-2", "column", "1 <= y and y <= m + 1", CHECKED),
    ("lemma-8", "excess", "3 / 2 * C(j)", REFUTED),
    ("lemma-8", "rule", "3 / 2 * C(j)", REFUTED),
    ("lemma-8", "event", "abs(hat(p, j) - loss_of(p)) <= 2 * C(j)", CHECKED),
    ("lemma-6/chain", "gap", "7 / 2 * C(s - 1)", REFUTED),
    ("lemma-6/chain", "first", "s >= 1", CHECKED),
    ("lemma-5", "bound", "K * m * (sqrt(T) + 7 * 2**s * sqrt(T) * C(s - 1))", UNDECIDED),
]


@pytest.mark.parametrize(("id", "name", "text", "verdict"), FALSE)
def test_a_false_variant_is_not_shown(id, name, text, verdict):
    found = outcome(id, name, text)
    assert found.error is None
    assert found.verdict is verdict
    assert found.verdict not in SHOWN


TRUE = [
    ("proposition-1-lower", "bound", "0 * m * K"),
    ("proposition-1-lower/quantifiers", "bound", "0 * m * K"),
    ("algorithm-2/horizon", "remaining", "max(0, T - m * K)"),
    ("proposition-1-upper/last-step", "stated", "m * K + m - tail <= m * K + m"),
    ("lemma-6", "width", "1"),
    ("lemma-6", "first", "s >= 2"),
]


@pytest.mark.parametrize(("id", "name", "text"), TRUE)
def test_a_true_variant_is_not_refuted(id, name, text):
    assert outcome(id, name, text).verdict is not REFUTED


WRONG_REPAIRS = [
    ("proposition-1-lower", "exact", "m * K / 2", "proposition-1-lower"),
    ("proposition-1-lower", "least_loss", "(q * (q + 1) / 2 * m + (K - q) * T) / K", "proposition-1-lower"),
    ("proposition-1-lower", "exact", "m * K / 2", "proposition-1-lower/quantifiers"),
    ("proposition-1-upper", "sharper", "min(T - m, m * K - 2)", "proposition-1-upper/last-step"),
    ("algorithm-2/horizon", "enough", "T >= m * K - 1", "algorithm-2/horizon"),
    ("lemma-6/chain", "gap", "3 * C(s - 1)", "lemma-6"),
]


@pytest.mark.parametrize(("id", "name", "text", "user"), WRONG_REPAIRS)
def test_a_wrong_repair_is_not_called_true(id, name, text, user):
    assert unchanged(user).repair.verdict in SHOWN
    assert outcome(id, name, text, of=user).repair.verdict not in SHOWN


NOT_THE_BEST = [
    ("proposition-1-upper", "sharper", "min(T - m, m * K)"),
    ("proposition-1-upper", "sharper", "min(T - m, m * K - 2)"),
    ("proposition-1-lower", "least_loss", "(q * (q + 1) / 2 * m + (K - q) * T) / K"),
    ("proposition-1-lower/queries", "exactly", "m * K / 2"),
    ("proposition-1-lower/large-K", "least", "ceil(127 * (m - 1) / m)"),
    ("proposition-1-lower/optimum", "exact", "OPT == min(T, m)"),
    ("lemma-8", "excess", "3 * C(j)"),
]


@pytest.mark.parametrize(("id", "name", "text"), NOT_THE_BEST)
def test_no_other_constant_is_called_the_best(id, name, text):
    assert unchanged(id).tight
    assert outcome(id, name, text).tight is None


def test_lemma_5_falls_with_a_weaker_lemma_6():
    assert outcome("lemma-6/chain", "gap", "40 * C(s - 1)", of="lemma-5").verdict not in SHOWN


def test_the_chain_falls_with_a_weaker_lemma_8():
    assert outcome("lemma-8", "stated", "member(star, j) <= 1", of="lemma-6/chain").verdict not in SHOWN


def test_narrower_widths_refute_lemma_6_earlier():
    narrow = named("lemma-6").texts["width"].replace("32", "(1 / 2)")
    assert lower_epochs(narrow) < lower_epochs(named("lemma-6").texts["width"]) == 9


def lower_epochs(width):
    from proofs_check.paper import lemma_6

    [claim] = [named("lemma-6").having("width", width)]
    request = Request(claim=claim, formulas=proofs_check.claim.Formulas(claim.texts))
    return lemma_6._first_failure(request).epochs


def test_equal_rows_do_not_refute_lemma_6(monkeypatch):
    from proofs_check.paper import lemma_6

    monkeypatch.setattr(lemma_6, "BANDIT", TallyingBandit([[1], [1]]))
    assert outcome("lemma-6").verdict is UNDECIDED


def test_an_exploration_that_misses_a_cell_is_noticed(monkeypatch):
    monkeypatch.setattr(algorithm_2, "exploration", lambda K, m: list(range(K)) * m)
    found = named("algorithm-2").examine(Request()).outcome
    assert found.verdict not in SHOWN


def test_beliefs_that_disagree_with_the_formula_show_nothing(monkeypatch):
    honest = deterministic.least_expected_loss
    monkeypatch.setattr(lower, "least_expected_loss", lambda *given: honest(*given) * 2)
    found = outcome("proposition-1-lower")
    assert found.tight is None
    assert found.repair.verdict is UNDECIDED
    assert found.verdict is UNDECIDED or found.verdict is CHECKED


def test_the_lower_bound_fails_where_the_paper_states_it():
    facts = outcome("proposition-1-lower").witness.facts
    K, m, T = facts["K"], facts["m"], facts["horizon"]
    assert (K, m, T) == (128, 1000, 1000)
    one_test = Fraction(m - 1 + (K - 1) * m, K) - (
        m - 1
    )  # always the first action: found with probability 1/K
    assert facts["Bayes regret"] == one_test < facts["stated"] == Fraction(m * K, 128)


# What z3 is told about the exploration, evaluated on explorations.


def functions(K, m, h, rest):
    """The functions of the model for the exploration followed by `rest`, and an arbitrary sequence."""
    e = [*exploration(K, m), *rest, *rest, *rest]
    a = [*rest, *exploration(K, m), *rest, *rest]

    def count(actions, x, t):
        return actions[: int(t)].count(int(x) - 1)

    def beyond(x, n):
        return sum(h[int(x) - 1][int(n) :], Fraction(0))

    return {
        "e": lambda t: e[int(t) - 1] + 1,
        "e_count": lambda x, t: count(e, x, t),
        "a": lambda t: a[int(t) - 1] + 1,
        "a_count": lambda x, t: count(a, x, t),
        "e_row": lambda t: (int(t) - 1) // m + 1,
        "e_col": lambda t: (int(t) - 1) % m + 1,
        "h": lambda x, y: h[int(x) - 1][int(y) - 1],
        "U": beyond,
        "P": lambda x, t: sum((beyond(z, count(a, z, t)) for z in range(1, int(x) + 1)), Fraction(0)),
        "N": lambda x, t: sum(m - count(a, z, t) for z in range(1, int(x) + 1)),
    }


@pytest.mark.parametrize(("K", "m"), [(1, 1), (1, 3), (2, 2), (3, 2), (2, 3)])
def test_the_facts_about_the_exploration_hold(K, m):
    h = [[Fraction(x + 2 * y, 3 * K + 2 * m) for y in range(m)] for x in range(K)]
    given = functions(K, m, h, [K - 1] * m)
    facts = [
        *(
            (model.E.explores("x", "y"), {"x": x, "y": y})
            for x, y in product(range(1, K + 2), range(1, m + 2))
        ),
        *((model.E.place("t"), {"t": t}) for t in range(1, m * K + m)),
        *((model.cell("x", "y"), {"x": x, "y": y}) for x in range(1, K + 1) for y in range(1, m + 1)),
        *((model.cells_beyond("x", "n"), {"x": x, "n": n}) for x in range(1, K + 1) for n in range(m)),
        *((model.cells_left("x", "t"), {"x": x, "t": t}) for x in range(K) for t in range(m + 1)),
    ]
    for fact, values in facts:
        everything = {"K": K, "m": m, **values, **given}
        used = (*fact.formula.names, *fact.formula.functions)
        assert fact.formula.holds(**{name: everything[name] for name in used}), (str(fact), values)


def test_the_tallies_of_the_exploration_are_those_of_the_definitions():
    explored = exploration(3, 2)
    assert [definitions.tally(explored, t, 2) for t in range(6)] == [1, 2] * 3
