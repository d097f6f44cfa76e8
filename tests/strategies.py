"""What the planner's tests share: instances biased to corners, and solvers whose every answer is checked.

No test asks a solver directly. `plan`, `cycle` and `cyclic` replay the answer's policy, pass its certificate
through the independent checker, and only then hand the answer on.
"""

import json
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import combinations, product

import pytest
from hypothesis import strategies as st

from tallyplan import TallyingBandit, WeightedTallyBandit, WindowBandit, check
from tallyplan.core import library, questions
from tallyplan.model.replay import mean_of_word, replay, replay_runs
from tallyplan.model.words import expand
from tallyplan.planning.cyclic import optimal_cyclic_policy
from tallyplan.planning.horizon import optimal_plan
from tallyplan.planning.mean_cycle import minimum_mean_cycle

CHECKED = {"horizon", "mean-cycle", "cyclic"}  # the questions whose certificates go to the checker

WRITTEN_OUT = 1000  # plans up to this length are also replayed action by action


# -- solvers whose answers are checked --------------------


def plan(bandit, horizon, start=(), **options):
    answer = optimal_plan(bandit, horizon, start, **options)
    assert sum(len(word) * repeats for word, repeats in answer.runs) == horizon
    assert all(word and repeats >= 1 for word, repeats in answer.runs)
    assert replay_runs(bandit, answer.runs, start) == answer.upper >= answer.lower
    if horizon <= WRITTEN_OUT:
        assert replay(bandit, expand(answer.runs), start) == answer.upper
    accepted(bandit, answer.certificate)
    return answer


def cycle(bandit, **options):
    answer = minimum_mean_cycle(bandit, **options)
    assert mean_of_word(bandit, answer.word) == answer.upper >= answer.lower
    accepted(bandit, answer.certificate)
    return answer


plan_without_graph = partial(plan, method="bounds")
without_graph = partial(cycle, method="bounds")  # the methods for large memories


def cyclic(bandit, period):
    answer = optimal_cyclic_policy(bandit, period)
    assert len(answer.word) == period
    assert mean_of_word(bandit, answer.word) == answer.value
    accepted(bandit, answer.certificate)
    return answer


def accepted(bandit, certificate):
    if certificate["claim"]["question"] in CHECKED:
        verdict = check(json.loads(json.dumps(certificate)), instance=bandit.to_json())
        assert verdict.status == "accepted", verdict.reason


# -- other ways to the same answer --------------------


@contextmanager
def in_plain_python():
    """By `planning.reference`, as if the numbers did not fit 128 bits."""

    def refuse(name):
        raise library.TooWideError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(questions, "function", refuse)
        yield


def as_windows(bandit):
    """The same losses as an arbitrary table over windows."""
    return WindowBandit.from_function(bandit.actions, bandit.memory, bandit.loss)


def as_weighted(bandit):
    """The tallying bandit as a weighted one with weights 1, 1, ..., 1."""
    rows = [{y + 1: loss for y, loss in enumerate(row)} for row in bandit.losses]
    return WeightedTallyBandit([1] * bandit.memory, rows)


def relabelled(bandit, order):
    """The arm x of the new instance is the arm order[x] of the old one."""
    return TallyingBandit([bandit.losses[x] for x in order])


def mapped(bandit, function):
    """Apply a function to every loss."""
    if isinstance(bandit, TallyingBandit):
        return TallyingBandit([[function(value) for value in row] for row in bandit.losses])
    if isinstance(bandit, WindowBandit):
        return WindowBandit(
            bandit.actions, [[function(value) for value in level] for level in bandit.windows]
        )
    rows = [{tally: function(value) for tally, value in row.items()} for row in bandit.losses]
    return WeightedTallyBandit(bandit.weights, rows)


def starts(bandit):
    """Histories of every sort: empty, partial, full, too long; all zeros and mixed."""
    keep, last = bandit.memory - 1, bandit.actions - 1
    mixed = [(last - i) % bandit.actions for i in range(keep + 3)]
    return [(), mixed[: keep // 2], [0] * keep, mixed[:keep], mixed]


# -- instances --------------------


def small_tables(actions, memory, entries):
    """Every K x m table with these entries."""
    for flat in product(entries, repeat=actions * memory):
        yield TallyingBandit([flat[x * memory : (x + 1) * memory] for x in range(actions)])


SIZES = [(1, 1), (1, 2), (2, 1), (1, 4), (3, 1), (2, 2), (2, 2), (3, 2), (2, 3), (2, 3)]
SIZES += [(4, 2), (3, 3), (2, 4)]

# Sevenths, thirteenths, a billionth; the others need 64 bits or Python integers.
DENOMINATORS = [1, 2, 2, 3, 7, 13, 10**9, 2**40 + 15, 10**25]


@st.composite
def losses(draw, count, denominators=DENOMINATORS):
    """`count` losses over one denominator: few values, so that ties are common; zeros and ones often."""
    denominator = draw(st.sampled_from(denominators))
    numerators = st.one_of(
        st.sampled_from([0, denominator]),
        st.integers(0, denominator),
        st.integers(0, min(3, denominator)).map(lambda i: denominator // 2 + i - denominator // 2 * (i > 1)),
    )
    pool = draw(st.lists(numerators, min_size=1, max_size=6))
    return [Fraction(draw(st.sampled_from(pool)), denominator) for _ in range(count)]


@st.composite
def tallying_bandits(draw, sizes=SIZES, denominators=DENOMINATORS):
    actions, memory = draw(st.sampled_from(sizes))
    flat = draw(losses(actions * memory, denominators))
    rows = [flat[x * memory : (x + 1) * memory] for x in range(actions)]
    if draw(st.integers(0, 4)) == 0:
        rows = [rows[0]] * actions
    return TallyingBandit(rows)


@st.composite
def window_bandits(draw, sizes=SIZES, denominators=DENOMINATORS):
    actions, memory = draw(st.sampled_from(sizes))
    return WindowBandit(actions, [draw(losses(actions**j, denominators)) for j in range(1, memory + 1)])


@st.composite
def weighted_bandits(draw, sizes=SIZES, denominators=DENOMINATORS):
    actions, memory = draw(st.sampled_from(sizes))
    weight = st.sampled_from([1, 1, 2, Fraction(1, 2), Fraction(1, 3), 0, -1, Fraction(1, 10**20)])
    weights = draw(st.lists(weight, min_size=memory, max_size=memory))
    tallies = sorted(
        {weights[0] + sum(chosen) for size in range(memory) for chosen in combinations(weights[1:], size)}
    )
    rows = [dict(zip(tallies, draw(losses(len(tallies), denominators)), strict=True)) for _ in range(actions)]
    return WeightedTallyBandit(weights, rows)


def bandits(sizes=SIZES, denominators=DENOMINATORS):
    """All three kinds, tallying ones most often."""
    kinds = (tallying_bandits, tallying_bandits, window_bandits, weighted_bandits)
    return st.one_of([kind(sizes, denominators) for kind in kinds])
