"""Any number of arms without the state graph: against the graph, against all edges, and wrong proofs."""

import time
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import accepted, cycle, tallying_bandits, without_graph

import tallyplan as tp
from benchmarks.separable_limit import limit_of, verified
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.model.tallies import compositions
from tallyplan.planning.effort import Effort
from tallyplan.planning.single_run import best_single_run_word
from tallyplan.planning.without_graph.bounds import separable
from tallyplan.planning.without_graph.bounds.active_equations import Move, moves_of, tight
from tallyplan.planning.without_graph.bounds.least_loss import bounds
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.bounds.separable import (
    _point_of,
    _proof_below,
    _verified,
    best_separable,
    least_step_and_loop,
)
from tallyplan.planning.without_graph.bounds.separable_program import Program, parts, rows_below
from tallyplan.planning.without_graph.good_words import _Front, _Guide, _step, improved
from tallyplan.planning.without_graph.long_run import more_arm_bounds

FAMILIES = (
    "uniform",
    "congested",
    "decreasing",
    "rotting",
    "improving",
    "single-peaked",
    "sparse",
    "near-tie",
    "equal-arms",
)
SIZES = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (2, 4), (3, 2), (3, 3), (4, 2), (4, 3), (3, 4), (5, 2)]
LOOSE = Effort(gap=Fraction(1, 50))


def all_bounds(bandit, effort=LOOSE):
    """The answer of the method for many arms, through the checker; also where two arms are left."""
    answer = more_arm_bounds(bandit, effort)
    assert mean_of_word(bandit, answer.word) == answer.upper
    accepted(bandit, answer.certificate)
    return answer


def slopes_for(bandit, word, effort=LOOSE):
    return best_separable(Program(bandit, word), best_prices(bandit), effort)


# -- intervals against the truth --------------------


@settings(max_examples=60)
@given(tallying_bandits(sizes=SIZES))
def test_the_interval_contains_the_optimum(bandit):
    answer, value = all_bounds(bandit), cycle(bandit).value
    assert answer.lower <= value <= answer.upper


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("actions", "memory"), [(3, 5), (4, 4), (5, 3)])
def test_the_interval_contains_the_optimum_in_every_family(family, actions, memory):
    for seed in range(6):
        bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
        answer, value = without_graph(bandit), cycle(bandit).value
        assert answer.lower <= value <= answer.upper
        if answer.exact:
            assert answer.value == value


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("actions", "memory"), [(2, 9), (3, 6), (3, 8), (4, 5), (5, 4), (6, 4), (10, 3)])
def test_the_interval_contains_the_optimum_on_thousands(family, actions, memory):
    for seed in range(40):
        bandit = tp.make(family, actions=actions, memory=memory, seed=1000 + seed)
        answer, value = all_bounds(bandit, Effort()), cycle(bandit).value
        assert answer.lower <= value <= answer.upper


def test_most_uniform_tables_are_solved_exactly():
    exact = [
        all_bounds(tp.make("uniform", actions=3, memory=12, seed=seed), Effort()).exact for seed in range(8)
    ]
    assert sum(exact) >= 6  # of 8; without slopes none or one


@pytest.mark.parametrize("entry", [0, 1, "1/3"])
@pytest.mark.parametrize(("actions", "memory"), [(1, 1), (1, 4), (3, 1), (3, 5), (10, 40)])
def test_tables_of_one_entry_are_solved(actions, memory, entry):
    answer = all_bounds(TallyingBandit([[entry] * memory] * actions))
    assert answer.value == Fraction(entry)


def test_equal_arms_and_a_constant_arm():
    arms = [["0", "1/2", "1"]] * 3
    assert all_bounds(TallyingBandit(arms), Effort()).value == 0
    assert all_bounds(TallyingBandit([*arms[:1], ["1/4"] * 3]), Effort()).value == Fraction(1, 6)


def test_long_denominators():
    bandit = TallyingBandit([["1/3", f"1/{10**25 + 13}", "1/2"], ["1/7", "2/3", "1"], ["0", "1/11", "1"]])
    answer, value = all_bounds(bandit, Effort()), cycle(bandit).value
    assert answer.lower <= value <= answer.upper


@pytest.mark.parametrize(("actions", "memory"), [(3, 200), (10, 50)])
def test_large_sizes_give_a_certified_interval(actions, memory):
    bandit = tp.make("congested", actions=actions, memory=memory, seed=3)
    answer = all_bounds(bandit, Effort(gap=Fraction(1, 10)))
    assert 0 < answer.lower <= answer.upper
    assert answer.upper - answer.lower < answer.upper / 10


def test_the_time_limit_ends_the_search():
    bandit = tp.make("uniform", actions=3, memory=60, seed=0)
    began = time.monotonic()
    answer = all_bounds(bandit, Effort.of(Fraction(0), 0.0, lambda words: None))
    assert answer.lower < answer.upper
    assert time.monotonic() - began < 60


# -- prices --------------------


def excess(row, price):
    """The least mean of loss minus price of one arm alone, on its graph: the other arm is free of charge."""
    shift = max(Fraction(0), price) + 1
    scale = 2 + 2 * shift
    arm = [(loss - price + shift) / scale for loss in row]
    return cycle(TallyingBandit([arm, [shift / scale] * len(row)])).value * scale - shift


@settings(max_examples=40)
@given(tallying_bandits(sizes=[(1, 2), (2, 3), (3, 4), (2, 6)], denominators=[1, 2, 3, 7]))
def test_the_excesses_are_the_optima_of_the_arms_alone(bandit):
    prices = best_prices(bandit)
    assert prices.excesses == tuple(excess(row, prices.price) for row in bandit.losses)


@settings(max_examples=60)
@given(tallying_bandits(sizes=[(1, 3), (2, 3), (3, 3), (3, 1)], denominators=[1, 2, 3]), st.fractions(-1, 3))
def test_no_other_price_is_better(bandit, price):
    other = price + sum(excess(row, price) for row in bandit.losses)
    assert other <= best_prices(bandit).bound


# -- slopes and charges --------------------


def test_the_tallies_are_listed_in_order():
    for total, count in [(0, 1), (0, 3), (3, 1), (4, 2), (3, 4)]:
        expected = [list(s) for s in product(range(total + 1), repeat=count) if sum(s) == total]
        assert compositions(total, count).tolist() == expected


def window_potential(slopes, charges):
    """Phi of docs/large-memory.md on windows: what the slopes and the charges stand for."""
    m = len(charges[0])
    theta = [[row[0], *row, row[-1]] if row else [0, 0] for row in slopes]
    g = []
    for row in theta:
        levels = [0, 0]
        for k in range(1, m - 1):
            ends = [(row[k + 1] - row[k]) * Fraction(k * factor, 2) for factor in (k + 1, 2 * m - 1 - k)]
            levels.append(levels[-1] - min(ends))
        g.append([*levels, levels[-1]])

    def value(window):
        total = Fraction(0)
        for x, row in enumerate(theta):
            y, psi = window.count(x), sum(j for j, a in enumerate(window) if a == x)
            total += row[y] * psi + g[x][y] - sum(charges[x][:y])
        return total

    return value


@pytest.mark.parametrize("family", ["uniform", "congested", "single-peaked"])
@pytest.mark.parametrize(("actions", "memory"), [(2, 6), (3, 4), (3, 2), (4, 3), (3, 1)])
def test_the_inequalities_imply_those_on_every_edge_of_the_state_graph(family, actions, memory):
    bandit = tp.make(family, actions=actions, memory=memory, seed=7)
    _, word = best_single_run_word(bandit)
    found = slopes_for(bandit, word)
    rows = [
        [[Fraction(int(n), found.scale) for n in row] for row in part]
        for part in (found.slopes, found.charges)
    ]
    value = window_potential(*rows)
    for steps in product(range(actions), repeat=memory + 1):
        excess_loss = bandit.loss(steps[1:]) - found.bound
        assert value(steps[1:]) - value(steps[:-1]) <= excess_loss


@pytest.mark.parametrize("family", ["uniform", "congested", "sparse", "single-peaked"])
def test_slopes_and_charges_prove_what_prices_prove(family):
    for actions, memory, seed in [(2, 9, 0), (3, 9, 2), (4, 5, 1)]:
        bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
        prices, word = best_prices(bandit), best_single_run_word(bandit)[1]
        assert slopes_for(bandit, word).bound >= prices.bound - Fraction(1, 10**6)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize(("actions", "memory"), [(2, 2), (2, 9), (3, 9), (4, 5)])
def test_the_search_for_slopes_begins_where_the_prices_are(family, actions, memory):
    """Nine digits of their bound are proved without a program, but for the rounding."""
    bandit = tp.make(family, actions=actions, memory=memory, seed=2)
    prices = best_prices(bandit)
    found = _proof_below(bandit, _point_of(bandit, prices), Fraction(1))
    assert 0 <= prices.bound - found.bound <= Fraction(2, 10**9)
    assert (found.bound * 10**9).denominator == 1


def test_a_proof_in_which_only_loops_or_only_steps_fail_is_refused():
    bandit, slopes = TallyingBandit([["1", "1/4"], ["1", "1"]]), np.zeros((2, 1), dtype=object)
    for bound, charge, holds in (
        (Fraction(1, 4), 0, True),
        (Fraction(1, 2), 1, False),
        (Fraction(1, 4), -5, False),
    ):
        charges = np.array([[0, charge], [0, 0]], dtype=object)
        assert (_verified(bandit, bound, 4, slopes, charges) is not None) == holds


def test_of_a_point_that_claims_too_much_fewer_digits_are_proved():
    bandit = tp.make("congested", actions=3, memory=5, seed=2)
    prices = best_prices(bandit)
    point = _point_of(bandit, prices)
    assert _proof_below(bandit, point, Fraction(1, 100)).bound == Fraction(1, 100)
    found = _proof_below(bandit, point.proving(5e-5), Fraction(1))
    assert (found.bound * 10**4).denominator == 1
    assert prices.bound - found.bound <= Fraction(2, 10**4)
    assert _proof_below(bandit, point.proving(5e-3), Fraction(1)) is None


@pytest.mark.parametrize(
    ("family", "actions", "memory", "seed"),
    [
        ("uniform", 3, 4, 1),
        ("uniform", 4, 4, 0),
        ("single-peaked", 3, 6, 0),
        ("single-peaked", 4, 4, 1),
        ("sparse", 4, 4, 1),
        ("sparse", 3, 6, 0),
    ],
)
def test_slopes_and_charges_prove_a_word_optimal_where_prices_do_not(family, actions, memory, seed):
    bandit = tp.make(family, actions=actions, memory=memory, seed=seed)
    best = cycle(bandit)
    assert slopes_for(bandit, best.word, Effort()).bound == best.value > best_prices(bandit).bound


@pytest.mark.parametrize(("actions", "memory", "seed"), [(3, 4, 0), (3, 4, 1), (4, 4, 0), (3, 6, 1)])
def test_where_no_slopes_prove_a_word_their_best_bound_is_found(actions, memory, seed):
    """That of the program with all its rows, without any search for those that matter."""
    bandit = tp.make("congested", actions=actions, memory=memory, seed=seed)
    best = cycle(bandit)
    program = Program(bandit, best.word)
    for s in compositions(memory, actions).tolist():
        for a, d in product(range(actions), repeat=2):
            if s[a] and (a == d or s[d] < memory):
                program.add(Move(tuple(s), a, d), 0.0)
    program.free_bound()
    most = program.solve(Effort()).bound
    assert most < best.value - Fraction(1, 1000)
    assert abs(slopes_for(bandit, best.word, Effort()).bound - Fraction(most)) < Fraction(1, 10**8)


@st.composite
def weights(draw):
    """Integer losses, slopes and charges of a few arms."""
    actions, memory = draw(st.sampled_from([(2, 1), (2, 4), (3, 1), (3, 4), (4, 3)]))
    numbers = st.integers(-9, 9)
    shapes = [(actions, memory), (actions, memory - 1), (actions, memory)]
    return [
        np.array(draw(st.lists(numbers, min_size=k * n, max_size=k * n)), dtype=np.int64).reshape(k, n)
        for k, n in shapes
    ]


def every_move(losses, slopes, charges, trend=None):
    """The cost of each move, by its definition; with a trend, as if slopes rose or fell by that."""
    actions, memory = losses.shape
    theta = [[0, *row, 0] for row in slopes.tolist()]
    for s in compositions(memory, actions).tolist():
        held = sum(y * theta[x][y] for x, y in enumerate(s))
        for a, d in product(range(actions), repeat=2):
            if s[a] == 0:
                continue
            y, cost = s[a], losses[a, s[a] - 1] - memory * theta[a][s[a]] + held
            if a != d:
                jump = theta[a][y] - theta[a][y - 1]
                if 1 < y < memory:
                    jump = abs(jump) if trend is None else jump * trend[a, y - 2]
                jump *= (y - 1) * (memory - y)
                cost -= jump - charges[a, y - 1] + charges[d, s[d]]
            yield Move(tuple(s), a, d), cost


@settings(max_examples=60)
@given(weights())
def test_the_least_costs_are_those_of_all_moves(numbers):
    costs = dict(every_move(*numbers))
    loops = [cost for move, cost in costs.items() if move.arm == move.dropped]
    steps = [cost for move, cost in costs.items() if move.arm != move.dropped]
    for kind in (np.int64, object):
        losses, slopes, charges = (array.astype(kind) for array in numbers)
        assert least_step_and_loop(losses, slopes, charges, 10**9) == (min(steps), min(loops))


@settings(max_examples=60)
@given(weights(), st.integers(-40, 0))
def test_rows_below_a_level_are_found_with_their_slacks(numbers, level):
    costs = dict(every_move(*numbers))
    losses, slopes, charges = (array.astype(float) for array in numbers)
    found = list(rows_below(parts(losses, slopes, charges, 1e9), float(level)))
    assert all(slack == costs[move] < level for slack, move in found)
    assert min((slack for slack, _ in found), default=level) == min(level, *costs.values())


@pytest.mark.parametrize(("actions", "memory"), [(2, 1), (2, 2), (2, 3), (2, 5), (3, 4), (3, 6)])
def test_the_equations_of_a_word_make_its_steps_cost_the_mean(actions, memory):
    """Whatever the unknowns that are left free are, where slopes rise, fall or stay as they were said to."""
    solved, random = 0, np.random.default_rng(memory)
    for seed in range(40):
        bandit = made("uniform", actions=actions, memory=memory, seed=seed)
        word = tuple(random.integers(0, actions, random.integers(1, 8)).tolist())
        mean, moves = mean_of_word(bandit, word), moves_of(bandit, word)
        trend = random.integers(-1, 2, (actions, max(0, memory - 2)))
        given_slopes = np.concatenate([np.zeros((actions, 1)), trend], axis=1).cumsum(axis=1)[:, : memory - 1]
        equations = tight(bandit, moves, mean, given_slopes)
        if equations is None:
            continue
        wild = random.standard_normal(actions * (2 * memory - 1))
        exact = np.array(equations.exact(wild, 10**6), dtype=object)
        slopes, charges = (part.reshape(actions, -1) for part in np.split(exact, [given_slopes.size]))
        losses = np.array([list(row) for row in bandit.losses], dtype=object)
        costs = dict(every_move(losses, slopes, charges, trend))
        assert {costs[move] for move in moves} == {mean}
        for x, y in {(move.arm, move.tallies[move.arm]) for move in moves if move.arm != move.dropped}:
            assert not 1 < y < memory or trend[x, y - 2] != 0 or slopes[x, y - 1] == slopes[x, y - 2]
        solved += 1
    assert solved > 10


# -- words --------------------


@settings(max_examples=40)
@given(tallying_bandits(sizes=[(1, 2), (2, 3), (3, 4), (3, 1), (2, 7), (4, 3)]))
@example(TallyingBandit([["0", "1"]]))
def test_single_runs_without_the_table_of_all_periods_are_as_good(bandit):
    from tallyplan.planning import single_run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(single_run, "SMALL_TABLE", 0)
        word = single_run.good_single_run_word(bandit, Effort())
    assert mean_of_word(bandit, word) == best_single_run_word(bandit)[0]


def along_the_bound(bandit, effort=LOOSE):
    """The best single-run word, the slopes and charges for it, and the word that is found along them."""
    word = best_single_run_word(bandit)[1]
    proof = slopes_for(bandit, word)
    return word, proof, improved(bandit, word, proof, effort)


@settings(max_examples=20)
@given(tallying_bandits(sizes=[(2, 3), (3, 4), (4, 2), (1, 2)]))
def test_a_search_along_the_bound_never_makes_a_word_worse(bandit):
    word, _, found = along_the_bound(bandit)
    assert mean_of_word(bandit, found) <= mean_of_word(bandit, word)


def test_a_search_without_time_keeps_the_word():
    word, _, found = along_the_bound(DRIFTING, Effort(deadline=0.0))
    assert found == word


DRIFTING = TallyingBandit(
    [[Fraction(n, 1000) for n in row] for row in [(77, 23, 29), (3, 34, 45), (10, 82, 83)]]
)


@pytest.mark.parametrize(
    "bandit",
    [
        DRIFTING,
        tp.make(
            "uniform", actions=3, memory=12, seed=0
        ),  # the best word has 110 steps, the constant 31% more
        tp.make("congested", actions=4, memory=8, seed=2),
        tp.make("uniform", actions=10, memory=5, seed=0),
    ],
)
def test_a_search_along_the_bound_finds_words_that_are_not_single_runs(bandit):
    word, _, found = along_the_bound(bandit)
    assert mean_of_word(bandit, found) == cycle(bandit).value < mean_of_word(bandit, word)


def test_a_word_that_is_no_single_run_is_found_and_then_proved():
    assert all_bounds(DRIFTING, Effort()).value == Fraction(59, 4000)
    answer = all_bounds(tp.make("uniform", actions=3, memory=3, seed=3), Effort())
    assert answer.upper == Fraction(319, 1000) > answer.lower > Fraction(315, 1000)


def test_slopes_are_looked_for_if_the_prices_are_not_enough_and_there_is_time(monkeypatch):
    for effort, method in (
        (Effort(), "separable"),
        (Effort(gap=Fraction(9, 10)), "per-arm"),
        (Effort(deadline=0.0), "per-arm"),
    ):
        assert all_bounds(DRIFTING, effort).proof.method == method
    monkeypatch.setattr(separable, "MOST_ENTRIES", 8)
    assert all_bounds(DRIFTING, Effort()).proof.method == "per-arm"


@pytest.mark.parametrize(
    ("family", "actions", "memory"), [("uniform", 3, 5), ("congested", 2, 7), ("rotting", 4, 2)]
)
def test_the_search_follows_the_potential_of_the_proof(family, actions, memory):
    bandit = tp.make(family, actions=actions, memory=memory, seed=3)
    _, proof, _ = along_the_bound(bandit)
    rows = [
        [[Fraction(int(n), proof.scale) for n in row] for row in part]
        for part in (proof.slopes, proof.charges)
    ]
    value = window_potential(*rows)
    guide = _Guide.of(bandit, proof)
    windows = list(product(range(actions), repeat=memory))
    front = _Front.at(guide, windows)
    unit = Fraction(int(guide.excess.max())) / max(loss - proof.bound for loss in bandit.values())
    assert all(
        abs(value(window) - found / unit) < Fraction(1, 10**9)
        for window, found in zip(windows, front.spent.tolist(), strict=True)
    )
    after, layer = _step(guide, front)
    excess = after.spent - guide.parts(after.tallies, after.moments).sum(axis=1)
    assert excess.min() >= -(2**20)
    assert after.oldest == 1 % memory
    for i, (parent, arm) in enumerate(zip(layer.parents.tolist(), layer.arms.tolist(), strict=True)):
        window = (*windows[parent][1:], arm)
        turned = after.windows[i].tolist()
        assert (*turned[1:], turned[0]) == window
        assert after.names[i] == _Front.at(guide, [window]).names[0]
        assert after.moments[i].tolist() == [
            sum(j for j, a in enumerate(window) if a == x) for x in range(actions)
        ]


def test_without_a_time_limit_nobody_looks_at_the_clock(monkeypatch):
    def clock():
        raise AssertionError("the answer depends on the time")

    monkeypatch.setattr(time, "monotonic", clock)
    for family in ("uniform", "congested"):
        assert tp.minimum_mean_cycle(made(family, actions=3, memory=9, seed=2), method="bounds").lower > 0


def test_the_work_of_the_linear_program_is_limited():
    bandit = made("uniform", actions=3, memory=12, seed=0)
    word = best_single_run_word(bandit)[1]
    most = slopes_for(bandit, word).bound
    assert slopes_for(bandit, word, Effort(work=0)).bound >= best_prices(bandit).bound - Fraction(1, 10**8)
    assert slopes_for(bandit, word, Effort(work=10**4)).bound < most
    for small in (made("congested", actions=3, memory=6, seed=1), made("congested", actions=4, memory=4)):
        cut_short = slopes_for(small, best_single_run_word(small)[1], Effort(work=10**4))
        assert cut_short.bound >= best_prices(small).bound - Fraction(2, 10**9)
        assert all_bounds(small, Effort(work=0)).lower == best_prices(small).bound
    program = Program(bandit, word)
    assert program.solve(Effort(work=500)) is None
    assert 0 < program.work <= 500


def test_a_word_that_its_own_steps_rule_out_does_not_end_the_search_for_slopes():
    bandit = made("single-peaked", actions=3, memory=20, seed=1)
    answer = without_graph(bandit)
    assert answer.proof.method == "separable"
    assert answer.lower > best_prices(bandit).bound


def made(family, **size) -> tp.TallyingBandit:
    bandit = tp.make(family, **size)
    assert isinstance(bandit, tp.TallyingBandit)
    return bandit


# -- wrong proofs --------------------


def test_a_bound_a_hair_too_high_is_refused():
    bandit = made("uniform", actions=3, memory=6, seed=0)
    word, worst = best_single_run_word(bandit)[1], (max(range(3), key=lambda x: bandit.losses[x][-1]),)
    prices = best_prices(bandit)
    slopes = slopes_for(bandit, word)
    for proof, bound in ((prices.dual(), prices.bound), (slopes.dual(), slopes.bound)):
        assert tp.check(bounds(bandit, word, bound, proof).certificate)
        document = bounds(bandit, worst, bound + Fraction(1, 10**5), proof).certificate
        assert tp.check(document).status == "refused"


# -- how much slopes and charges can prove at most --------------------


def moves_with_weights(bandit, word):
    """The moves of the word, repeated until it is longer than the memory, each as often as it occurs."""
    word = tuple(word) * bandit.memory
    window, steps = list(word[-bandit.memory :]), []
    for arm in word:
        window, dropped = [*window[1:], arm], window[0]
        steps.append(Move(tuple(window.count(x) for x in range(bandit.actions)), arm, dropped))
    return {move: Fraction(steps.count(move), len(steps)) for move in steps}


@settings(max_examples=40)
@given(
    tallying_bandits(sizes=[(1, 3), (2, 1), (2, 3), (3, 3), (3, 4)]), st.lists(st.integers(0, 2), min_size=1)
)
def test_the_moves_of_any_word_prove_its_mean(bandit, word):
    word = tuple(arm % bandit.actions for arm in word[:12])
    assert verified(bandit, moves_with_weights(bandit, word)).most == mean_of_word(bandit, word)


@settings(max_examples=40)
@given(tallying_bandits(sizes=[(2, 3), (2, 5), (3, 3), (3, 4), (4, 3)]))
def test_the_limit_is_met_by_the_bound_that_is_found(bandit):
    nothing = np.zeros((bandit.actions, bandit.memory), dtype=int)
    limit = limit_of(bandit, [move for move, _ in every_move(nothing, nothing[:, 1:], nothing)])
    optimum = cycle(bandit)
    assert limit.most <= optimum.value
    assert 0 <= limit.most - slopes_for(bandit, optimum.word, Effort()).bound < Fraction(1, 10**6)


@settings(max_examples=40)
@given(weights())
def test_no_slopes_and_charges_exceed_the_limit(numbers):
    losses = numbers[0]
    least, most = int(losses.min()), int(losses.max())
    unit = most - least or 1
    costs = dict(every_move(*numbers))
    bandit = TallyingBandit([[Fraction(int(loss) - least, unit) for loss in row] for row in losses])
    assert min(costs.values()) <= limit_of(bandit, list(costs)).most * unit + least


ALONE = TallyingBandit([["0", "1", "1", "1"]] * 2)  # of two arms, each of which should be played rarely


@pytest.mark.parametrize(
    ("bandit", "moves"),
    [
        (
            TallyingBandit([["0", "1"]] * 2),
            [Move((1, 1), 0, 1), Move((1, 1), 1, 0)],
        ),  # tallies that only rise
        (ALONE, [Move((3, 1), 0, 1), Move((2, 2), 1, 0)]),  # played half the time with a mean tally of 5/2
        (
            ALONE,
            [Move((1, 3), 0, 0), Move((3, 1), 1, 1)],
        ),  # the means are right, but nothing leads from 1 to 3
    ],
)
def test_weights_that_prove_no_limit_are_refused(bandit, moves):
    assert verified(bandit, {move: Fraction(1, 2) for move in moves}) is None
    assert limit_of(bandit, moves) is None


def test_weights_are_a_distribution():
    loops = {Move((4, 0), 0, 0): Fraction(1, 2), Move((0, 4), 1, 1): Fraction(1, 2)}
    assert verified(ALONE, loops).most == 1
    for first in ("1/3", "3/2"):
        assert verified(ALONE, loops | {Move((4, 0), 0, 0): Fraction(first)}) is None
    assert verified(ALONE, dict(zip(loops, (Fraction(3, 2), Fraction(-1, 2)), strict=True))) is None
