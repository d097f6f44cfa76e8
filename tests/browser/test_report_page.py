"""The report in a browser: no request, no complaint; filter, search, keyboard; light, dark, phone, print."""

import json
import re

import pytest
from small_report import HOSTILE, small_report

SHOWN = "li.claim:not([hidden])"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    contents, made = small_report(folder)
    (folder / "report.html").write_text(made, encoding="utf-8")
    return folder / "report.html", contents


@pytest.fixture
def page(report, visit):
    with visit(report[0]) as opened:
        yield opened


def shown(page):
    return [one.get_attribute("data-verdict") for one in page.query_selector_all(SHOWN)]


def test_the_file_alone_is_read_and_every_picture_is_drawn(report, visit):
    with visit(report[0]) as page:
        widths = page.eval_on_selector_all("img.chart", "all => all.map(one => one.naturalWidth)")
        assert len(widths) == 3  # constants, regret, study
        assert min(widths) > 100
        requests = page.evaluate("performance.getEntriesByType('resource').length")
    assert requests == 0
    assert page.asked == [report[0].as_uri()]


def test_a_script_that_slipped_through_would_not_run(report, visit):
    path = report[0].with_name("planted.html")
    planted = "<script>document.title = 'ran'</script><svg onload=\"document.title = 'ran'\"></svg>"
    content = report[0].read_text(encoding="utf-8").replace("</footer>", f"</footer>{planted}")
    path.write_text(content, encoding="utf-8")
    with visit(path, complaints="Content Security Policy") as page:
        assert page.title() == page.inner_text("h1") == HOSTILE
        assert HOSTILE[:25] in page.inner_text("#study")  # long names are shortened in tables


def test_the_filter_shows_the_verdicts_that_are_chosen(page, report):
    verdicts = [result.outcome.verdict.value for result in report[1].results]
    assert shown(page) == verdicts
    page.uncheck("input[value=proved]")
    assert shown(page) == [one for one in verdicts if one != "proved"]
    page.click("#expand")
    assert len(page.query_selector_all("li.claim details[open]")) == len(shown(page)) == 1
    page.click("#collapse")
    assert page.query_selector_all("li.claim details[open]") == []
    for other in {*verdicts} - {"proved"}:
        page.uncheck(f"input[value={other}]")
    assert shown(page) == []
    assert page.inner_text("#shown") == "0 of 3 claims shown"


def test_the_search_finds_names_statements_and_evidence(page):
    page.fill("#search", "HORIZON algorithm-2/")
    assert page.inner_text("#shown") == "1 of 3 claims shown"
    assert page.get_attribute(f"{SHOWN} details", "id") == "claim-algorithm-2/horizon"
    page.fill("#search", "nothing of the kind")
    assert shown(page) == []


def test_everything_can_be_done_from_the_keyboard(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "proved"
    page.keyboard.press("Space")
    assert "proved" not in shown(page)
    page.focus("#search")
    page.keyboard.type("slip")
    assert len(shown(page)) == 1
    for _ in range(3):  # the two buttons, then the claim
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    assert page.query_selector(f"{SHOWN} details[open]")


def test_a_link_to_a_claim_opens_it(report, visit):
    with visit(report[0], fragment="#claim-algorithm-2/horizon") as page:
        assert page.get_attribute("li.claim details[open]", "id") == "claim-algorithm-2/horizon"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast_in_both_schemes(report, visit, scheme):
    """Between its ink and the paper behind it, of 4.5 at least, as the WCAG count it."""
    program = """() => {
      const luminance = (colour) => {
        const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((v) => v / 255)
          .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const paper = (one) => {
        for (; one; one = one.parentElement) {
          const colour = getComputedStyle(one).backgroundColor;
          if (!colour.endsWith(", 0)")) return colour;
        }
      };
      const worst = {};
      const read = "h1, h2, h3, p, a, label, .verdict, .gist, td, th, dt, dd, code, button";
      for (const one of document.querySelectorAll(read)) {
        const style = getComputedStyle(one);
        if (!one.textContent.trim()) continue;
        const ink = style.color;
        const both = [ink, paper(one)].map(luminance);
        const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
        if (contrast < 4.5) worst[`${one.tagName} ${one.textContent.slice(0, 40)} ${ink}`] = contrast;
      }
      return worst;
    }"""
    with visit(report[0], scheme=scheme) as page:
        page.click("#expand")
        assert page.evaluate(program) == {}


@pytest.mark.parametrize("width", [320, 390, 768, 1200])
def test_no_page_is_wider_than_its_screen(report, visit, width):
    with visit(report[0], width=width, height=800) as page:
        page.click("#expand")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_in_print_the_evidence_is_there_and_the_controls_are_not(page):
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(page.query_selector_all("li.claim details[open]")) == 3
    assert not page.is_visible("#controls")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.query_selector_all("li.claim details[open]") == []
    assert page.pdf()[:4] == b"%PDF"


def test_without_scripts_the_claims_and_tables_are_there(report, visit):
    with visit(report[0], javascript=False) as page:
        assert len(page.query_selector_all("li.claim")) == 3
        assert not page.is_visible("#controls")
        page.click("li.claim summary >> nth=0")
        assert page.is_visible("li.claim dl >> nth=0")


def test_a_screen_reader_finds_landmarks_names_and_states(page):
    for role, name in {
        "main": None,
        "navigation": "Sections",
        "search": "Claims",
        "contentinfo": None,
    }.items():
        assert page.get_by_role(role, name=name).count() == 1
    assert page.get_by_role("region").count() >= 5
    assert page.get_by_role("checkbox", name=re.compile("refuted")).is_checked()
    assert page.get_by_label("Search in names, statements and evidence").count() == 1
    assert page.get_by_role("status").inner_text() == "3 of 3 claims shown"
    assert page.get_by_role("figure", name=re.compile("lemma-3: exact values")).count() == 1


def test_the_data_can_be_saved(page):
    with page.expect_download() as download:
        page.click("#save")
    data = json.loads(download.value.path().read_text(encoding="utf-8"))
    assert [row["value"] for row in data["constants"]] == ["1/2", "3/1", "1/2"]
