"""The facts that z3 is told about sequences are true of sequences, worked out from the definitions."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_check import definitions
from proofs_check.ways import sequences
from proofs_check.ways.sequences import Block, Cyclic, Play
from tallyplan.model.instance import TallyingBandit

STEPS = 40


@st.composite
def plays(draw):
    """A table, a period and the block that starts after best * L steps of a sequence."""
    K, m, L = (draw(st.integers(1, 3)) for _ in range(3))
    losses = [[Fraction(draw(st.integers(0, 4)), 4) for _ in range(m)] for _ in range(K)]
    actions = [draw(st.integers(0, K - 1)) for _ in range(STEPS)]
    return TallyingBandit(losses), L, actions


def functions(bandit, name, actions):
    """The functions of a sequence, actions from 1, steps from 1."""

    def total(t):
        return definitions.total_loss(bandit, actions[: int(t)])

    return {
        name: lambda t: Fraction(actions[int(t) - 1] + 1) if t >= 1 else Fraction(0),
        f"{name}_count": lambda x, t: Fraction(actions[: int(t)].count(int(x) - 1)),
        f"{name}_loss": lambda t: (
            definitions.step_loss(bandit, actions, int(t) - 1) if t >= 1 else Fraction(0)
        ),
        f"{name}_total": total,
    }


def table(bandit):
    def h(x, y):
        inside = 1 <= x <= bandit.actions and 1 <= y <= bandit.memory
        return bandit.losses[int(x) - 1][int(y) - 1] if inside else Fraction(0)

    return h


def true(fact, values):
    names = (*fact.formula.names, *fact.formula.functions)
    return fact.formula.holds(**{name: values[name] for name in names})


@given(plays())
@settings(max_examples=60)
def test_the_facts_of_a_sequence(case):
    bandit, L, actions = case
    K, m = bandit.actions, bandit.memory
    a = Play("a")
    values = {"K": K, "m": m, "L": L, "T": L * L, "h": table(bandit), **functions(bandit, "a", actions)}
    values |= {"OPT": definitions.optimum(bandit, L * L) if L * L <= 4 else Fraction(0), "a_any": 1}
    for t in range(STEPS):
        facts = [a.acts(str(t)), a.loses(str(t)), a.bounded(str(t)), a.adds(str(t)), a.begins()]
        facts += [a.counts(str(x), str(t)) for x in range(1, K + 1)] + [a.begins_to_count("1")]
        assert all(true(fact, values) for fact in facts)
    assert true(a.is_at_least_optimal(), values)


@given(plays(), st.integers(0, 3))
@settings(max_examples=60)
def test_the_facts_of_a_repeated_block(case, number):
    bandit, L, actions = case
    best = min(number, L - 1)
    block = (actions[best * L : best * L + L] * STEPS)[:STEPS]
    b = Block("b", Play("a"), "best * L")
    values = {"K": bandit.actions, "m": bandit.memory, "L": L, "best": best}
    values |= functions(bandit, "a", actions) | functions(bandit, "b", block)
    values |= {"b_place": lambda t: Fraction((int(t) - 1) % L + 1)}
    values |= {"mu": definitions.least_mu(bandit, L), "b_any": 1}
    for t in range(STEPS - L):
        facts = [b.copies(str(t)), b.first_period(str(t)), b.later_periods(str(t)), b.repeats(str(t))]
        assert all(true(fact, values) for fact in facts)
    assert true(b.is_at_least_best(), values)


@given(plays())
@settings(max_examples=30)
def test_the_best_block_loses_least(case):
    bandit, L, actions = case
    losses = [
        definitions.total_loss(bandit, actions[: j * L + L])
        - definitions.total_loss(bandit, actions[: j * L])
        for j in range(L)
    ]
    values = {
        "L": L,
        "best": losses.index(min(losses)),
        "least": min(losses),
        **functions(bandit, "a", actions),
    }
    for j in range(-1, L + 1):
        assert all(true(fact, values) for fact in sequences.least_block(Play("a"), str(j)))


def test_a_false_fact_would_be_noticed():
    bandit = TallyingBandit([[0, 1], [1, 0]])
    values = {"m": 2, "h": table(bandit), "K": 2, "L": 2, **functions(bandit, "w", [0, 1] * 20)}
    assert true(Cyclic("w").repeats("3"), values)
    assert not true(Cyclic("w").repeats("3"), {**values, "L": 1})
    assert not true(Play("w").adds("3"), {**values, "w_loss": lambda t: Fraction(7)})


@pytest.mark.parametrize("y", [1, 2, 3])
def test_the_needle_is_the_table_of_the_boxes(y):
    from proofs_check.boxes import needle

    values = {"m": 3, "h": table(needle(2, 3))}
    assert all(true(sequences.needle(str(x), str(y)), values) for x in (1, 2))
