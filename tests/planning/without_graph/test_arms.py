"""Leaving out arms changes no optimum; where the rule does not apply, it may."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    accepted,
    cycle,
    cyclic,
    plan,
    plan_without_graph,
    starts,
    tallying_bandits,
    without_graph,
)

from tallyplan import (
    TallyingBandit,
    load_policy,
    minimum_mean_cycle,
    optimal_cyclic_policy,
    optimal_plan,
    optimal_values,
)
from tallyplan.model.replay import mean_of_word
from tallyplan.planning import arm_reduction, bruteforce
from tallyplan.planning.on_graph.horizon_policy import HorizonPolicy
from tallyplan.planning.without_graph.bounds.fewer_arms import without_expensive_arms, without_useless_arms


def replaced(fewer):
    """The pairs of a reduction by the first rule."""
    return [pair for step in fewer.steps for pair in step.get("removed", ())]


@st.composite
def bandits_with_useless_arms(draw):
    """Some falling or constant arms, and arms that lie above one of them."""
    memory = draw(st.integers(1, 4))
    entry = st.fractions(0, 1, max_denominator=6)
    row = st.lists(entry, min_size=memory, max_size=memory)
    rows = [draw(row)]
    falling = sorted(draw(row), reverse=True)
    rows.append(draw(st.sampled_from([falling, [falling[0]] * memory])))
    rows.append([max(a, b) for a, b in zip(rows[1], draw(row), strict=True)])
    return TallyingBandit([rows[i] for i in draw(st.permutations(range(3)))])


@given(bandits_with_useless_arms())
def test_the_optimum_without_the_arms_left_out_is_the_same(bandit):
    fewer = without_useless_arms(bandit)
    assert fewer.bandit.actions < bandit.actions
    assert cycle(fewer.bandit).value == cycle(bandit).value


@settings(max_examples=30)
@given(bandits_with_useless_arms(), st.integers(0, 9))
def test_the_same_for_every_horizon_and_start(bandit, horizon):
    for start in starts(bandit):
        fewer = without_useless_arms(bandit, played=start)
        value = plan(bandit, horizon, start).value
        assert plan(fewer.bandit, horizon, fewer.renamed(start)).value == value


def test_an_arm_that_was_played_before_cannot_be_left_out():
    """Both arms fall from 1 to 0; only the one that was played is at 0 at once."""
    bandit = TallyingBandit([["1", "0"], ["1", "0"]])
    assert without_useless_arms(bandit, played=[1]).kept == (1,)
    assert plan_without_graph(bandit, 5, [1]).value == plan(bandit, 5, [1]).value == 0


@settings(max_examples=30)
@given(bandits_with_useless_arms(), st.integers(0, 9))
def test_the_certificates_carry_the_reduction(bandit, horizon):
    answer = without_graph(bandit)
    assert answer.proof.method in ("fewer-arms", "cheap-arms")
    assert answer.lower <= cycle(bandit).value <= answer.upper
    game = plan_without_graph(bandit, horizon, [0])
    assert game.lower <= plan(bandit, horizon, [0]).value <= game.upper


@given(tallying_bandits())
def test_only_arms_above_a_falling_one_are_replaced(bandit):
    cheap, fewer = without_expensive_arms(bandit), without_useless_arms(bandit)
    for x, z in replaced(fewer):
        mine, other = cheap.bandit.losses[x], cheap.bandit.losses[z]
        assert list(other) == sorted(other, reverse=True)
        assert all(a <= b for a, b in zip(other, mine, strict=True))
        assert cheap.kept[x] not in fewer.kept
        assert cheap.kept[z] in fewer.kept
    assert not replaced(without_useless_arms(fewer.bandit))


def test_of_several_constant_arms_the_cheapest_stays():
    fewer = without_useless_arms(TallyingBandit([["1/2"] * 3, ["1/3"] * 3, ["2/3"] * 3, ["0", "1", "1"]]))
    assert fewer.kept == (1, 3)
    assert replaced(fewer) == [[0, 1], [2, 1]]


def test_equal_falling_arms_are_merged_and_equal_rising_ones_are_not():
    assert without_useless_arms(TallyingBandit([["1", "0"]] * 3)).kept == (0,)
    taking_turns = TallyingBandit([["0", "1"]] * 2)
    assert without_useless_arms(taking_turns).kept == (0, 1)
    assert cycle(taking_turns).value == 0
    assert cycle(TallyingBandit([["0", "1"]])).value == 1


def test_ten_arms_of_memory_60_of_which_two_matter():
    """Nine arms lose at least 2/3 at every tally, one of them exactly; the tenth is free half the time."""
    rows = [[0] * 30 + [1] * 30, ["2/3"] * 60] + [[Fraction(2, 3) + Fraction(i, 100)] * 60 for i in range(8)]
    answer = without_graph(TallyingBandit(rows))
    assert answer.value == Fraction(1, 3)
    assert answer.argument.startswith("without the actions 2 (by 1)")


@pytest.mark.parametrize("actions", [1, 2, 7])
def test_falling_losses_need_no_search(actions):
    rows = [[Fraction(i + 1, y + i + 2) for y in range(300)] for i in range(actions)]
    answer = without_graph(TallyingBandit(rows))
    assert answer.value == Fraction(1, 301)
    assert answer.word == (0,)


# -- expensive arms ----------------------------------------


@st.composite
def many_armed_bandits(draw):
    """More arms than the rule keeps, of few levels, so that ties are common."""
    memory = draw(st.integers(1, 3))
    entry = st.integers(0, draw(st.sampled_from([1, 2, 4]))).map(lambda n: Fraction(n, 4))
    row = st.lists(entry, min_size=memory, max_size=memory)
    return TallyingBandit(draw(st.lists(row, min_size=2 * memory, max_size=6)))


@given(many_armed_bandits(), st.integers(0, 8))
def test_expensive_arms_are_not_needed_after_any_history(bandit, horizon):
    """Brute force: the histories may have expensive arms, for which one of them stands."""
    fewer = without_expensive_arms(bandit)
    if fewer.bandit.actions == bandit.actions:
        return
    out = next(x for x in range(bandit.actions) if x not in fewer.kept)
    few = TallyingBandit([*fewer.bandit.losses, bandit.losses[out]])
    for start in starts(bandit):
        seen = [fewer.kept.index(x) if x in fewer.kept else few.actions - 1 for x in start]
        assert bruteforce.optimal_values(bandit, horizon, start) == bruteforce.optimal_values(
            few, horizon, seen
        )
        if set(start) <= set(fewer.kept):
            kept = bruteforce.optimal_values(fewer.bandit, horizon, fewer.renamed(start))
            assert bruteforce.optimal_values(bandit, horizon, start) == kept


@settings(max_examples=60)
@given(many_armed_bandits(), st.integers(1, 5))
def test_nor_in_words_of_any_length(bandit, period):
    fewer = without_useless_arms(bandit, period=period)
    if fewer.bandit.actions**period <= 10**3:
        words = product(range(bandit.actions), repeat=period)
        best = min(mean_of_word(bandit, word) for word in words) if bandit.actions**period <= 10**3 else None
        small = cyclic(fewer.bandit, period)
        assert small.value == (cyclic(bandit, period).value if best is None else best)


def test_every_table_of_zeros_and_ones_with_two_arms_more_than_are_kept():
    """m = 1 and 2, all horizons to 6, from every history."""
    for memory, actions in ((1, 3), (2, 4)):
        for entries in product((0, 1), repeat=memory * actions):
            bandit = TallyingBandit([entries[x * memory :][:memory] for x in range(actions)])
            fewer = without_expensive_arms(bandit)
            assert len(fewer.kept) < actions or min(entries) < max(entries)
            if fewer.steps:
                for start in [(), (fewer.kept[-1],)][:memory]:
                    small = bruteforce.optimal_values(fewer.bandit, 6, fewer.renamed(start))
                    assert bruteforce.optimal_values(bandit, 6, start) == small


def test_three_cheap_arms_of_memory_three_are_not_enough():
    """The example of the module's text; with five of them, the fourth arm would go."""
    rows = [["0", "5/6", "1"], ["4/6", "1", "1"], ["5/6", "1", "3/6"], ["5/6", "5/6", "5/6"]]
    four, three = (plan(TallyingBandit(rows[:count]), 7, (0, 1)).value for count in (4, 3))
    assert three - four == Fraction(1, 6)
    assert without_expensive_arms(TallyingBandit(rows)).kept == (0, 1, 2, 3)


@pytest.fixture
def always_reduced(monkeypatch):
    monkeypatch.setattr(arm_reduction, "EDGES_WORTH_SAVING", 0)
    monkeypatch.setattr(arm_reduction, "LEAST_SAVING", Fraction(11, 10))


MANY = TallyingBandit([[Fraction(1 + 3 * x % 11, 12), Fraction(1 + (5 * x + 4) % 13, 14)] for x in range(11)])


@pytest.mark.parametrize("start", [(), (0,), (9,), (10,)])
def test_answers_about_few_arms_are_answers_about_all(always_reduced, start):
    game = plan(MANY, 9, start)
    assert game.proof.method == "cheap-arms"
    assert game.value == bruteforce.optimal_values(MANY, 9, start)[9]
    assert set(start) <= set(game.certificate["dual"]["kept"])
    assert game.policy.value(start, 9) == game.value


def test_cycles_and_words_of_few_arms(always_reduced):
    found = cycle(MANY)
    assert found.proof.method == "cheap-arms"
    assert found.argument.startswith("6 actions are enough, since the others are dearer; ")
    assert found.value == minimum_mean_cycle(MANY, method="graph").value
    assert found.policy.value(found.word[-1:]) == minimum_mean_cycle(MANY, method="graph").policy.value(
        found.word[-1:]
    )
    for period in (1, 2, 3, 4):
        answer = optimal_cyclic_policy(MANY, period)
        accepted(MANY, answer.certificate)
        assert answer.value == min(mean_of_word(MANY, w) for w in product(range(11), repeat=period))


def test_policies_of_few_arms_know_what_every_arm_costs(always_reduced, tmp_path):
    values, plain = optimal_values(MANY, 6), HorizonPolicy(MANY, 6)
    assert type(values.policy) is arm_reduction.PolicyOfFew
    for history in [(), *product(range(11))]:
        for steps in (1, 2, 6):
            assert values.policy.after(history, steps) == plain.after(history, steps)
    values.policy.save(tmp_path / "policy.json")
    assert load_policy(tmp_path / "policy.json").after((10,), 6) == plain.after((10,), 6)


def test_small_instances_are_answered_about_all_their_arms():
    assert cycle(MANY).proof.method == "potentials"
    assert plan(MANY, 9).proof.method == "recursion"


def test_two_thousand_arms():
    """Of which the first two below matter."""
    rows = [[Fraction(x % 1000 + 1, 1001)] * 2 for x in range(2000)]
    rows[77], rows[78] = [Fraction(0), Fraction(1)], [Fraction(1, 2000), Fraction(1)]
    bandit = TallyingBandit(rows)
    assert cycle(bandit).word == (77, 78)
    assert plan(bandit, 10**6).value == 250
    word = optimal_cyclic_policy(bandit, 2)
    accepted(bandit, word.certificate)
    assert word.value == Fraction(1, 4000)
    assert optimal_values(bandit, 10**6).of((78,)) == 250
    assert optimal_plan(bandit, 1, (77,)).runs == (((78,), 1),)
