"""Arms as automata, against brute force on the product graph that shares nothing with the planner."""

import random
from fractions import Fraction
from itertools import product

import pytest

import tallyplan as tp

SHARDS, EACH = 25, 200


def arms_of(rng):
    """A few small automata: forbidden plays, deadlines, absorbing and unreachable states, wide numbers."""
    unit = rng.choice([1, 2, 7, 7, 10, 3**60])
    forbidden, deadline = rng.choice([0, 0, 0.3]), rng.choice([0, 0, 0.3])
    arms = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        n = rng.randint(1, 4)
        losses = [
            None if rng.random() < forbidden else Fraction(rng.randint(0, unit), unit) for _ in range(n)
        ]
        losses[0] = losses[0] if any(loss is not None for loss in losses) else Fraction(1)
        rested = [
            None if loss is not None and rng.random() < deadline else rng.randrange(n) for loss in losses
        ]
        arms.append(tp.Arm(rng.randrange(n), [rng.randrange(n) for _ in range(n)], rested, losses))
    return arms if rng.random() < 0.8 else [arms[0]] * len(arms)


def moves(arms, state):
    """(action, state after, loss) of every play that is allowed."""
    for x, arm in enumerate(arms):
        after = [a.played[i] if x == y else a.rested[i] for y, (a, i) in enumerate(zip(arms, state))]
        if arm.losses[state[x]] is not None and None not in after:
            yield x, tuple(after), arm.losses[state[x]]


def totals(arms, state, steps):
    """The losses of all plays of so many steps."""
    if steps == 0:
        return [Fraction(0)]
    return [loss + rest for _, to, loss in moves(arms, state) for rest in totals(arms, to, steps - 1)]


def values(arms, state, steps):
    """The least loss of 0, 1, ..., steps steps; None where there is no play."""
    layers = [{}]
    reached = reachable(arms, state)
    layers = [dict.fromkeys(reached, Fraction(0))]
    for _ in range(steps):
        last = layers[-1]
        layers.append(
            {
                s: min(found)
                for s in reached
                if (found := [c + last[t] for _, t, c in moves(arms, s) if t in last])
            }
        )
    return [layer.get(state) for layer in layers]


def reachable(arms, state):
    seen, ahead = {state}, [state]
    for s in ahead:
        for _, to, _ in moves(arms, s):
            if to not in seen:
                seen.add(to)
                ahead.append(to)
    return ahead


def karp(arms, state):
    """min over v of max over k of (F_n(v) - F_k(v)) / (n - k), F_k(v) the least sum of k edges into v."""
    states = reachable(arms, state)
    layers = [dict.fromkeys(states, Fraction(0))]
    for _ in states:
        ahead = {}
        for s, total in layers[-1].items():
            for _, to, loss in moves(arms, s):
                ahead[to] = min(total + loss, ahead.get(to, total + loss))
        layers.append(ahead)
    n, last = len(states), layers[-1]
    return min(
        (max((last[v] - layers[k][v]) / (n - k) for k in range(n) if v in layers[k]) for v in last),
        default=None,
    )


def closed(arms, state, period):
    """The least loss per step of a closed walk of `period` steps."""
    found = []
    for root in reachable(arms, state):
        layer = {root: Fraction(0)}
        for _ in range(period):
            ahead = {}
            for s, total in layer.items():
                for _, to, loss in moves(arms, s):
                    ahead[to] = min(total + loss, ahead.get(to, total + loss))
            layer = ahead
        found += [layer[root] / period] if root in layer else []
    return min(found, default=None)


def answer(ask, *arguments, **named):
    """The value of an answer, or None where there is no play; either way with an accepted certificate."""
    try:
        found = ask(*arguments, **named)
    except tp.NoPlay as none:
        assert tp.check(none.certificate), tp.check(none.certificate).reason
        return None
    assert tp.check(found.certificate), tp.check(found.certificate).reason
    return found.value


@pytest.mark.parametrize("shard", range(SHARDS))
def test_every_question_agrees_with_brute_force(shard):
    rng = random.Random(shard)
    for _ in range(EACH):
        arms = arms_of(rng)
        bandit, first = tp.ArmBandit(arms), tuple(arm.start for arm in arms)
        expected = values(arms, first, 10)
        steps = rng.randint(0, 10)
        assert answer(tp.optimal_plan, bandit, steps) == expected[steps]
        if steps < 6:
            assert min(totals(arms, first, steps), default=None) == expected[steps]
        assert answer(tp.minimum_mean_cycle, bandit) == karp(arms, first)
        period = rng.randint(1, 7)
        assert answer(tp.optimal_cyclic_policy, bandit, period) == closed(arms, first, period)
        long = rng.choice([50, 10**3, 10**15])
        found = answer(tp.optimal_plan, bandit, long)
        assert (found is None) == (karp(arms, first) is None)
        if long == 50:
            assert found == values(arms, first, 50)[50]
