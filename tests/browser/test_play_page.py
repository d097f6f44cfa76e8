"""The page to play with, in a browser: its answers are the planner's, and a slider changes them."""

from fractions import Fraction
from pathlib import Path

import pytest

import tallyplan as tp
from tallyplan.model.rationals import text

PAGE = Path(__file__).parents[2] / "docs" / "_static" / "play.html"
FILES = [PAGE.with_name(name).as_uri() for name in ("play.html", "play.css", "play.js")]
ROOT = ".tallyplan-play"


def answer(page):
    page.wait_for_selector(f"{ROOT}[data-value]")
    word = page.get_attribute(ROOT, "data-word") or ""
    return page.get_attribute(ROOT, "data-value"), tuple(map(int, word.split(",")))


def planner_agrees(page, denominator, rows):
    bandit = tp.TallyingBandit([[Fraction(n, denominator) for n in row] for row in rows])
    value, word = answer(page)
    assert value == text(tp.minimum_mean_cycle(bandit).value)
    assert tp.mean_of_word(bandit, word) == Fraction(value)
    assert value in page.inner_text(".tp-answer")


def test_the_page_reads_its_three_files_and_nothing_else(visit):
    with visit(PAGE) as page:
        assert answer(page)[0] == "59/4000"
    assert sorted(page.asked) == sorted(FILES)


@pytest.mark.parametrize("rows", [[[1]], [[0, 2, 5]], [[3, 1], [2, 2], [0, 9], [4, 4]]])
def test_a_table_from_a_link_has_the_answer_of_the_planner(visit, rows):
    with visit(PAGE, fragment="#10;" + ";".join(",".join(map(str, row)) for row in rows)) as page:
        planner_agrees(page, 10, rows)
        cells = page.eval_on_selector_all("[data-cell]", "all => all.map(one => Number(one.value))")
        assert cells == [loss for row in rows for loss in row]


def test_a_slider_moved_by_keys_changes_value_word_and_link(visit):
    rows = [[77, 23, 29], [3, 34, 45], [10, 82, 83]]
    with visit(PAGE) as page:
        page.focus("[data-cell='0,1']")
        for _ in range(10):
            page.keyboard.press("ArrowLeft")
        rows[0][1] = 13
        planner_agrees(page, 1000, rows)
        assert answer(page)[1] == (0, 0, 1)
        assert page.get_attribute("[data-cell='0,1']", "aria-valuetext") == "13/1000"
        assert page.url.endswith("#1000;77,13,29;3,34,45;10,82,83")


def test_examples_sizes_and_steps_can_be_chosen(visit):
    with visit(PAGE) as page:
        page.get_by_label("example").select_option(label="Counterexample 3 of the paper")
        assert answer(page)[0] == "0/1"
        page.get_by_label("losses in steps of").select_option("4")
        assert page.inner_text("pre code") == '{"memory":2,"losses":[["0/1","1/1"],["0/1","1/1"]]}'
        memory = page.get_by_label("memory m")
        memory.focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("[data-cell='0,2']")
        assert page.locator("[data-cell]").count() == 6


def test_the_pictures_have_every_arrow_and_mark_the_cycle(visit):
    with visit(PAGE) as page:
        value, word = answer(page)
        assert page.locator("svg .arrow").count() == 27
        assert page.locator("svg .arrow.marked").count() == len(word) == 4
        assert page.locator("svg .disc").count() == 4
        assert page.locator("svg[role=img]").count() == 2
        assert value == "59/4000"


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (390, "light"), (1200, "dark")])
def test_it_fits_a_phone_in_light_and_dark(visit, width, scheme):
    with visit(PAGE, width=width, height=800, scheme=scheme) as page:
        answer(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
