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
from tallyplan.model.instance import TallyingBandit
from tallyplan.model.replay import mean_of_word
from tallyplan.planning.effort import Effort
from tallyplan.planning.single_run import best_single_run_word
from tallyplan.planning.without_graph.bounds.prices import best_prices
from tallyplan.planning.without_graph.bounds.tally_graph import (
    TallyGraph,
    compositions,
    number_of_states,
    ranks,
)
from tallyplan.planning.without_graph.bounds.tally_slopes import Climber, best_slopes, priced_slopes
from tallyplan.planning.without_graph.bounds.tight import tight
from tallyplan.planning.without_graph.good_words import improved
from tallyplan.planning.without_graph.long_run import more_arm_bounds
from tallyplan.planning.without_graph.proofs import bounds

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


# -- tallies --------------------


def test_the_tallies_are_listed_in_order():
    for total, parts in [(0, 1), (0, 3), (3, 1), (4, 2), (3, 4)]:
        rows = compositions(total, parts)
        expected = [s for s in product(range(total + 1), repeat=parts) if sum(s) == total]
        assert rows.tolist() == list(map(list, expected))
        assert ranks(rows, total).tolist() == list(range(len(expected)))
        assert total == 0 or len(rows) == number_of_states(parts, total)


def window_potential(graph, slopes, potentials):
    """Phi of docs/large-memory.md on windows: what the slopes and the potentials stand for."""
    m, states = graph.memory, {tuple(s): i for i, s in enumerate(graph.states.tolist())}
    theta = [[row[0], *row, row[-1]] for row in slopes]
    g = []
    for row in theta:
        levels = [0, 0]
        for k in range(1, m - 1):
            ends = [(row[k + 1] - row[k]) * Fraction(k * factor, 2) for factor in (k + 1, 2 * m - 1 - k)]
            levels.append(levels[-1] - min(ends))
        g.append([*levels, levels[-1]])

    def value(window):
        tallies = [window.count(x) for x in range(graph.actions)]
        psi = [sum(j for j, a in enumerate(window) if a == x) for x in range(graph.actions)]
        own = sum(theta[x][y] * psi[x] + g[x][y] for x, y in enumerate(tallies))
        return own - potentials[states[tuple(tallies)]]

    return value


@pytest.mark.parametrize("family", ["uniform", "congested", "single-peaked"])
@pytest.mark.parametrize(("actions", "memory"), [(2, 6), (3, 4), (3, 2), (4, 3)])
def test_the_inequalities_imply_those_on_every_edge_of_the_state_graph(family, actions, memory):
    bandit = tp.make(family, actions=actions, memory=memory, seed=7)
    _, word = best_single_run_word(bandit)
    found = best_slopes(bandit, word, best_prices(bandit), Effort())
    graph = TallyGraph(actions, memory)
    slopes = [[Fraction(int(t), found.scale) for t in row] for row in found.slopes]
    value = window_potential(graph, slopes, [Fraction(int(f), found.scale) for f in found.potentials])
    for steps in product(range(actions), repeat=memory + 1):
        excess_loss = bandit.loss(steps[1:]) - found.bound
        assert value(steps[1:]) - value(steps[:-1]) <= excess_loss


@pytest.mark.parametrize("family", ["uniform", "congested", "sparse", "single-peaked"])
def test_slopes_from_prices_prove_what_the_prices_prove(family):
    bandit = tp.make(family, actions=3, memory=9, seed=2)
    prices, word = best_prices(bandit), best_single_run_word(bandit)[1]
    climber = Climber(bandit, word, Effort())
    assert climber.at(priced_slopes(bandit, prices)).bound >= float(prices.bound) - 1e-9
    assert best_slopes(bandit, word, prices, Effort()).bound >= prices.bound - Fraction(1, 10**6)


def test_compiled_costs_agree_with_the_exact_ones():
    from tallyplan.planning.without_graph.bounds.tally_cycles import _costs

    rng = np.random.default_rng(0)
    for actions, memory in [(2, 1), (2, 2), (3, 3), (4, 5)]:
        graph = TallyGraph(actions, memory)
        losses, slopes = rng.random((actions, memory)), rng.standard_normal((actions, memory - 1))
        steps, loops, _ = _costs(losses, slopes, graph.states, graph.rests, graph.after)
        expected_steps, expected_loops = graph.costs(losses, slopes)
        assert np.allclose(steps, expected_steps)
        assert np.allclose(loops, expected_loops)


@settings(max_examples=30)
@given(tallying_bandits(sizes=[(2, 3), (3, 4), (3, 6)], denominators=[1, 2, 7]), st.integers(0, 10**6))
def test_the_equations_of_a_word_leave_it_its_own_mean(bandit, seed):
    """Under slopes that solve them, and change the right way, no step of the word's walk loses anything."""
    from tallyplan.planning.without_graph.bounds.tight import walk_of

    word = best_single_run_word(bandit)[1]
    equations = tight(bandit, word)
    if equations is None:
        return
    rng = np.random.default_rng(seed)
    shape = (bandit.actions, bandit.memory - 1)
    slopes = np.array(equations.exact(rng.standard_normal(shape).ravel(), 10**6)).reshape(shape)
    walk, signs = walk_of(bandit, word)
    for (x, k), sign in signs.items():
        if sign * (slopes[x, k] - slopes[x, k - 1]) < 0:
            return
    graph = TallyGraph(bandit.actions, bandit.memory)
    losses = np.array([list(row) for row in bandit.losses], dtype=object)
    steps, loops = graph.costs(losses, slopes)
    index = {tuple(s): i for i, s in enumerate(graph.states.tolist())}
    rest = {tuple(r): i for i, r in enumerate(graph.rests.tolist())}
    total = Fraction(0)
    for step in walk:
        left = tuple(y - (x == step.arm) for x, y in enumerate(step.tallies))
        total += steps[rest[left], step.arm] if step.moved else loops[index[step.tallies]]
    assert total <= len(word) * mean_of_word(bandit, word)
    if all(not step.moved for step in walk):
        assert total == len(word) * mean_of_word(bandit, word)


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


@settings(max_examples=20)
@given(tallying_bandits(sizes=[(2, 3), (3, 4), (4, 2)]))
def test_annealing_never_makes_a_word_worse(bandit):
    word = best_single_run_word(bandit)[1]
    assert mean_of_word(bandit, improved(bandit, word, Effort())) <= mean_of_word(bandit, word)


def test_annealing_finds_the_word_that_is_not_a_single_run():
    losses = [[Fraction(n, 1000) for n in row] for row in [(77, 23, 29), (3, 34, 45), (10, 82, 83)]]
    bandit = TallyingBandit(losses)
    word = best_single_run_word(bandit)[1]
    assert mean_of_word(bandit, word) == Fraction(49, 3000)
    assert mean_of_word(bandit, improved(bandit, word, Effort())) == Fraction(59, 4000) == cycle(bandit).value


def made(family, **size) -> tp.TallyingBandit:
    bandit = tp.make(family, **size)
    assert isinstance(bandit, tp.TallyingBandit)
    return bandit


def test_compiled_means_agree_with_the_replay():
    from tallyplan.planning.without_graph.annealing import mean_loss

    bandit = made("uniform", actions=3, memory=5, seed=1)
    losses = np.array([[float(loss) for loss in row] for row in bandit.losses])
    for length in range(1, 13):
        word = tuple(np.random.default_rng(length).integers(0, 3, length).tolist())
        assert abs(mean_loss(losses, np.array(word)) - float(mean_of_word(bandit, word))) < 1e-12


# -- wrong proofs --------------------


def test_a_bound_a_hair_too_high_is_refused():
    bandit = made("uniform", actions=3, memory=6, seed=0)
    word, worst = best_single_run_word(bandit)[1], (max(range(3), key=lambda x: bandit.losses[x][-1]),)
    prices = best_prices(bandit)
    slopes = best_slopes(bandit, word, prices, Effort())
    for proof, bound in ((prices.dual(), prices.bound), (slopes.dual(), slopes.bound)):
        assert tp.check(bounds(bandit, word, bound, proof).certificate)
        document = bounds(bandit, worst, bound + Fraction(1, 10**5), proof).certificate
        assert tp.check(document).status == "refused"


@settings(max_examples=60)
@given(st.data())
def test_a_changed_number_is_refused_or_still_proves_the_bound(data):
    bandit = made("congested", actions=3, memory=4, seed=1)
    word = best_single_run_word(bandit)[1]
    proof = best_slopes(bandit, word, best_prices(bandit), LOOSE)
    dual = proof.dual()
    row = data.draw(st.sampled_from([dual["potentials"], *dual["slopes"]]))
    row[data.draw(st.integers(0, len(row) - 1))] += data.draw(st.sampled_from([-1, 1])) * dual["scale"] // 2
    slopes = [[Fraction(t, dual["scale"]) for t in row] for row in dual["slopes"]]
    graph = TallyGraph(3, 4)
    losses = np.array([[loss - proof.bound for loss in row] for row in bandit.losses], dtype=object)
    steps, loops = graph.costs(losses, np.array(slopes))
    phi = np.array([Fraction(f, dual["scale"]) for f in dual["potentials"]], dtype=object)
    holds = loops.min() >= 0 and all(
        steps[r, a] + phi[graph.after[r, a]] >= phi[graph.after[r, d]]
        for r, a, d in product(range(len(graph.rests)), range(3), range(3))
        if a != d
    )
    assert bool(tp.check(bounds(bandit, word, proof.bound, dual).certificate)) == holds
