"""What notebooks show: every object a small table, well-formed, nothing of it markup."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from IPython.core.formatters import DisplayFormatter
from strategies import bandits

from proofs_check import verify
from proofs_check.bayes.minimax import minimax_regret
from proofs_check.worst_case.claims import constant, question
from tallyplan import TallyingBandit, make, minimum_mean_cycle, optimal_cyclic_policy, optimal_plan
from tallyplan.games.regret import regrets
from tallyplan.games.trials import Setup, play_repeatedly
from tallyplan.model.display import grid

SMALL = 8000  # characters


def html_of(thing):
    """What a notebook gets from IPython."""
    data, _ = DisplayFormatter().format(thing, include={"text/html"})
    return data["text/html"]


def check_small(thing, cells=1):
    """Well-formed, a table and nothing else, and short; so is `repr`."""
    table = ElementTree.fromstring(html_of(thing))
    assert {part.tag for part in table.iter()} <= {"table", "caption", "tr", "th", "td"}
    assert len(table.findall(".//td")) >= cells
    assert max(len(html_of(thing)), len(repr(thing))) < SMALL


@settings(max_examples=20)
@given(bandits())
def test_bandits_and_answers_are_small_tables(bandit):
    log = [0] * bandit.memory
    setup = Setup("round-robin", 50)
    for thing in (
        bandit,
        optimal_plan(bandit, 10**9),
        optimal_plan(bandit, 5).policy.after([0], 3),
        minimum_mean_cycle(bandit),
        minimum_mean_cycle(bandit).policy,
        optimal_cyclic_policy(bandit, 5),
        regrets(bandit, log),
        play_repeatedly(bandit, setup, 2),
        setup.play(bandit),
    ):
        check_small(thing)


def test_verdicts_and_constants_are_small_tables():
    found = [*verify(["counterexample-3/switches"]), constant(question("lemma-3", 2, 3, period=3))]
    for thing in (*found, minimax_regret(2, 2, 3)):
        check_small(thing, cells=2)


def test_an_answer_of_a_million_letters_is_short():
    bandit = make("uniform", actions=3, memory=4)
    check_small(optimal_cyclic_policy(bandit, 10**6))
    check_small(make("uniform", actions=30, memory=3000))


@pytest.mark.parametrize(("rows", "columns", "letters"), [(10, 12, 80), (11, 13, 81)])
def test_a_table_is_cut_after_ten_rows_twelve_columns_and_eighty_letters(rows, columns, letters):
    table = grid("x" * letters, ["h"] * columns, [("arm", ["c"] * columns)] * rows)
    cut = rows > 10
    assert table.title == ("x" * 77 + "..." if cut else "x" * 80)
    assert table.header == ("", *["h"] * 12, *["..."] * cut)
    assert table.rows == (("arm", *["c"] * 12, *["..."] * cut),) * 10 + (("... 11 rows",),) * cut


def test_a_name_is_no_markup_and_integers_have_no_denominator():
    content = html_of(TallyingBandit([["0", "1/3"]], name="<b>bold</b>"))
    assert "<b>" not in content
    assert "<td>0</td><td>1/3</td>" in content
