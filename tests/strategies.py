"""What the planner's tests share: instances biased to corners, and solvers whose every answer is checked.

No test asks a solver directly. `plan`, `cycle` and `cyclic` replay the answer's policy, pass its certificate
through the independent checker, and only then hand the answer on.
"""

import json
from contextlib import contextmanager
from fractions import Fraction
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


def plan(bandit, horizon, start=()):
    answer = optimal_plan(bandit, horizon, start)
    assert sum(len(word) * repeats for word, repeats in answer.runs) == horizon
    assert all(word and repeats >= 1 for word, repeats in answer.runs)
    assert replay_runs(bandit, answer.runs, start) == answer.value
    if horizon <= WRITTEN_OUT:
        assert replay(bandit, expand(answer.runs), start) == answer.value
    accepted(bandit, answer.certificate)
    return answer


def cycle(bandit):
    answer = minimum_mean_cycle(bandit)
    assert mean_of_word(bandit, answer.word) == answer.value
    accepted(bandit, answer.certificate)
    return answer


def without_graph(bandit):
    """The minimum mean cycle by the methods for large memories."""
    answer = minimum_mean_cycle(bandit, method="bounds")
    assert mean_of_word(bandit, answer.word) == answer.upper >= answer.lower
    accepted(bandit, answer.certificate)
    return answer


def plan_without_graph(bandit, horizon, start=()):
    answer = optimal_plan(bandit, horizon, start, method="bounds")
    assert sum(len(word) * repeats for word, repeats in answer.runs) == horizon
    assert replay_runs(bandit, answer.runs, start) == answer.upper >= answer.lower
    accepted(bandit, answer.certificate)
    return answer


def cyclic(bandit, period):
    answer = optimal_cyclic_policy(bandit, period)
    assert len(answer.word) == period
    assert mean_of_word(bandit, answer.word) == answer.value
    accepted(bandit, answer.certificate)
    assert proves_its_period(bandit, answer)
    return answer


def accepted(bandit, certificate):
    if certificate["claim"]["question"] in CHECKED:
        verdict = check(json.loads(json.dumps(certificate)), instance=bandit.to_json())
        assert verdict.status == "accepted", verdict.reason


def proves_its_period(bandit, answer):
    """Section 5 of docs/certificates.md, once more with fractions and dictionaries; small graphs only."""
    keep, gone = bandit.memory - 1, set()
    histories = list(product(range(bandit.actions), repeat=keep))
    edges = [
        (h, (*h, a)[1:] if keep else (), bandit.loss((*h, a)))
        for h in histories
        for a in range(bandit.actions)
    ]
    if len(edges) > 400:
        return True

    def reduced(mean, stage):
        phi = dict(zip(histories, map(int, stage["values"]), strict=True))
        costs = {}
        for here, there, loss in edges:
            cost = stage["scale"] * (loss - mean) + phi[there] - phi[here]
            if gone.isdisjoint((here, there)):
                costs[here, there] = min(cost, costs.get((here, there), cost))
        assert all(cost >= 0 for cost in costs.values())
        return costs

    dual = answer.proof.to_json()
    for stage in dual.get("stages", ()):
        mean = Fraction(stage["mean"])
        budget = stage["scale"] * answer.period * (answer.value - mean)
        for case in stage["roots"]:
            root = histories[case["root"]]
            assert root not in gone
            costs = reduced(mean, stage)
            home = _ways_home(costs, root, histories, budget)
            assert root not in _last_table(costs, home, root, budget, answer.period, case.get("repeat"))
            gone.add(root)
    reduced(answer.value, dual.get("proof", dual))
    return True


def _ways_home(costs, root, histories, budget):
    home = dict.fromkeys(histories, budget) | {root: Fraction(0)}
    for _ in histories:
        for (here, there), cost in costs.items():
            home[here] = min(home[here], cost + home[there])
    return home


def _last_table(costs, home, root, budget, period, repeat):
    def step(table):
        following = {}
        for (here, there), cost in costs.items():
            total = table[here] + cost if here in table else budget
            if total < min(budget - home[there], following.get(there, budget)):
                following[there] = total
        return following

    tables = [{root: Fraction(0)} if budget > 0 else {}]
    while len(tables) <= (period if repeat is None else sum(repeat)) and tables[-1]:
        tables.append(step(tables[-1]))
    if not tables[-1]:
        return {}
    if repeat is None:
        return tables[period]
    time, length = repeat
    assert tables[time] == tables[time + length]
    return tables[time + (period - time) % length]


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


def spread(bandit):
    """The largest minus the smallest loss."""
    return max(bandit.values()) - min(bandit.values())


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
