"""What notebooks show: every object a small table, well-formed, nothing of it markup."""

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from strategies import bandits

from tallyplan import TallyingBandit, make, minimum_mean_cycle, optimal_cyclic_policy, optimal_plan

SMALL = 8000  # characters


class Table(HTMLParser):
    """Counts the cells, and checks that tags are closed in order."""

    def __init__(self, content):
        super().__init__()
        self.open, self.cells, self.text = [], 0, []
        self.feed(content)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ("table", "caption", "tr", "th", "td")
        self.open.append(tag)
        self.cells += tag == "td"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@settings(max_examples=20)
@given(bandits())
def test_bandits_and_answers_are_small_tables(bandit):
    shown = [
        bandit,
        optimal_plan(bandit, 10**9),
        minimum_mean_cycle(bandit),
        optimal_cyclic_policy(bandit, 5),
    ]
    for thing in shown:
        content = thing._repr_html_()
        assert Table(content).cells >= 1
        assert len(content) < SMALL


@pytest.mark.parametrize("size", [(1, 1), (3, 4), (2000, 3), (3, 5000)])
def test_a_large_table_of_losses_is_cut_and_says_so(size):
    bandit = make("uniform", actions=size[0], memory=size[1])
    table = Table(bandit._repr_html_())
    assert len(bandit._repr_html_()) < SMALL
    assert table.cells <= 11 * 13
    assert any("..." in text for text in table.text) == (max(size) > 10)


def test_a_name_is_no_markup_and_integers_have_no_denominator():
    content = TallyingBandit([["0", "1/3"]], name="<b>bold</b>")._repr_html_()
    assert "<b>" not in content
    assert "<td>0</td><td>1/3</td>" in content


def test_an_answer_that_is_an_interval_shows_both_ends():
    answer = minimum_mean_cycle(make("uniform", actions=4, memory=40, seed=3), time_limit=0)
    assert not answer.exact
    assert "at least" in answer._repr_html_()
    assert "at most" in answer._repr_html_()
