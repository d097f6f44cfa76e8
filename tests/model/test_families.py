"""Every family has the shape it claims, is reproducible, and refuses nonsense in one clear sentence."""

import inspect
import math
import tomllib
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tallyplan.model.arms import ArmBandit
from tallyplan.model.families import FAMILIES, make
from tallyplan.model.instance import TallyingBandit, from_json
from tallyplan.model.kinds import WeightedTallyBandit, WindowBandit
from tallyplan.model.replay import replay

PINNED = tomllib.loads(Path(__file__).with_name("pinned.toml").read_text("utf-8"))
actions = st.integers(1, 5)
memories = st.integers(1, 9)
seeds = st.integers(0, 2**64 - 1)
denominators = st.sampled_from([1, 2, 3, 7, 10, 1000, 10**30])


@st.composite
def members(draw):
    """Any family with parameters that are biased to the smallest sizes."""
    name = draw(st.sampled_from(sorted(FAMILIES)))
    choices = {
        "actions": actions,
        "memory": memories,
        "seed": seeds,
        "denominator": denominators.filter(lambda d: d >= 4 or name != "near-tie"),
        "epsilon": st.sampled_from([Fraction(1, 2), Fraction(1, 7), Fraction(1, 1000)]),
        "cheap": st.fractions(0, 1, max_denominator=20),
        "ratio": st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(9, 10)]),
        "states": st.integers(1, 4),
        "delays": st.just([2, 3]),
        "rewards": st.tuples(*[st.fractions(0, 5, max_denominator=9)] * 2),
        "periods": st.lists(st.integers(1, 5), min_size=1, max_size=3),
    }
    parameters = FAMILIES[name].parameters
    return name, {p.name: draw(choices[p.name]) for p in parameters if p.name in choices}


def losses_of(bandit):
    assert isinstance(bandit, TallyingBandit)
    return bandit.losses


def is_increasing(row):
    return all(a <= b for a, b in pairwise(row))


def is_decreasing_and_convex(row):
    drops = [a - b for a, b in pairwise(row)]
    return all(drop >= 0 for drop in drops) and all(a >= b for a, b in pairwise(drops))


@given(members())
def test_the_name_rebuilds_the_instance_from_text(member):
    name, parameters = member
    bandit = make(name, **parameters)
    family, _, inside = bandit.name.removesuffix(")").partition("(")
    assert family == name
    text = dict(item.split("=") for item in inside.split(", ") if item)
    assert set(parameters) <= set(text)
    assert make(family, **text) == bandit
    assert from_json(bandit.to_json()).name == bandit.name


@pytest.mark.parametrize("line", PINNED)
def test_instances_are_the_same_bit_for_bit_as_ever(line):
    name, *parameters = line.split()
    assert make(name, **dict(one.split("=") for one in parameters)).sha256()[:16] == PINNED[line]


def is_single_peaked(row):
    return any(
        is_decreasing_and_convex(row[:p]) and is_increasing(row[p - 1 :]) for p in range(1, len(row) + 1)
    )


SHAPES = {
    "rotting": is_increasing,
    "congested": is_increasing,
    "improving": is_decreasing_and_convex,
    "decreasing": lambda row: is_increasing(row[::-1]),
    "single-peaked": is_single_peaked,
}


@pytest.mark.parametrize("name", SHAPES)
@given(K=actions, m=memories, d=denominators, seed=seeds)
@settings(max_examples=30)
def test_the_rows_of_a_family_have_its_shape(name, K, m, d, seed):
    bandit = make(name, actions=K, memory=m, denominator=d, seed=seed)
    assert all(map(SHAPES[name], losses_of(bandit)))


@given(K=st.integers(1, 3), m=st.integers(1, 6), d=denominators, seed=seeds)
def test_weighted_losses_increase_with_geometric_recency_weights(K, m, d, seed):
    bandit = make("weighted-recency", actions=K, memory=m, ratio="1/2", denominator=d, seed=seed)
    assert isinstance(bandit, WeightedTallyBandit)
    assert bandit.weights == tuple(Fraction(1, 2**j) for j in range(m))
    for row in bandit.losses:
        assert len(row) == 2 ** (m - 1)
        assert is_increasing([row[w] for w in sorted(row)])


@given(K=st.integers(1, 3), m=st.integers(1, 6), seed=seeds, word=st.lists(st.integers(0, 2), max_size=12))
def test_weights_that_never_fade_give_the_congested_bandit(K, m, seed, word):
    weighted = make("weighted-recency", actions=K, memory=m, ratio=1, seed=seed)
    plain = make("congested", actions=K, memory=m, seed=seed)
    word = [action % K for action in word]
    assert replay(weighted, word) == replay(plain, word)


def test_stochastic_takes_given_means():
    expected = TallyingBandit([["1/2"], ["0.3"], [1]])
    assert make("stochastic", means="1/2, 0.3,1") == expected
    assert make("stochastic", means=[0.5, Fraction(3, 10), 1], actions=3) == expected


@given(m=st.integers(1, 9), seed=seeds, T=st.integers(0, 40))
@settings(max_examples=50)
def test_counterexample_2_rewards_the_secret_cycle_once_every_m_steps(m, seed, T):
    bandit = make("counterexample-2", memory=m, seed=seed)
    assert isinstance(bandit, WindowBandit)
    [secret] = [w[:-1] for w in product((0, 1), repeat=m) if bandit.loss(w) == 0 and w[-1] == 0]
    assert sum(loss == 0 for loss in bandit.values()) == 1
    cycle = (*secret, 0) * (T // m + 1)
    assert replay(bandit, cycle[:T]) <= T - T // m
    assert make("counterexample-2", memory=m, secret=secret) == bandit


@given(K=actions, m=memories, seed=seeds, T=st.integers(0, 30))
def test_proposition_1_best_arm_loses_only_the_set_up(K, m, seed, T):
    bandit = make("proposition-1-lower", actions=K, memory=m, seed=seed)
    [best] = [x for x in range(K) if losses_of(bandit)[x][-1] == 0]
    assert replay(bandit, [best] * T) == min(T, m - 1)
    assert all(replay(bandit, [x] * T) == T for x in range(K) if x != best)
    assert make("proposition-1-lower", actions=K, memory=m, best=best) == bandit


@pytest.mark.parametrize("m", [1, 2, 5, 9, 23, 24, 25, 47, 48, 50])
@given(K=st.integers(2, 4), seed=seeds, T=st.integers(0, 120))
@settings(max_examples=8, deadline=None)
def test_theorem_2_policy_of_the_proof_meets_its_bound(K, m, seed, T):
    half, epsilon, T = Fraction(1, 2), Fraction(1, 10), m + T
    bandit = make("theorem-2-lower", actions=K, memory=m, epsilon=epsilon, seed=seed)
    [(best, tally)] = [(x, y + 1) for x in range(K) for y in range(m) if losses_of(bandit)[x][y] != half]
    assert losses_of(bandit)[best][tally - 1] == half - epsilon
    assert math.ceil(Fraction(23 * m, 24)) <= tally <= m
    period = (best,) * tally + ((best + 1) % K,) * (m - tally)
    below = T * half - epsilon * tally * Fraction(T - m, m) - replay(bandit, (period * T)[:T])
    assert below == epsilon if T % m == 0 else below >= epsilon  # the first period is given away
    assert make("theorem-2-lower", actions=K, memory=m, epsilon=epsilon, best=best, tally=tally) == bandit


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
def test_every_family_documents_itself(family):
    description = inspect.getdoc(family.function)
    assert f"{family.summary}." == description.splitlines()[0]
    assert family.source
    assert ">>> " in description
    assert all(parameter.meaning for parameter in family.parameters)


# -- arms: their states, from the whole history of plays (1) and rests (0)


def age(history, n):
    return next((since for since, played in enumerate(reversed(history)) if played and since < n), n - 1)


def plays(history, n):
    return min(sum(history), n - 1)


def last_switch(history, n):
    if not any(history):
        return n - 1
    run = next((i for i, one in enumerate(reversed(history)) if one != history[-1]), len(history))
    return min(run, n) - 1 + n * history[-1]


@pytest.mark.parametrize("states", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "state"), [("recharging", age), ("rested-rotting", plays), ("last-switch", last_switch)]
)
def test_the_state_of_an_arm_is_what_its_family_says(name, state, states):
    bandit = make(name, actions=1, states=states)
    assert isinstance(bandit, ArmBandit)
    (arm,) = bandit.arms
    for length in range(2 * states + 2):
        for history in product((0, 1), repeat=length):
            at = arm.start
            for played in history:
                at = (arm.played if played else arm.rested)[at]
            assert at == state(history, states)
