"""The page to play with: its JavaScript gives tallyplan's answers, and its hues are those of the pictures."""

import json
import random
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

import tallyplan as tp
from tallyplan.model.rationals import text
from tallyplan.pictures.style import HUES

STATIC = Path(__file__).parents[2] / "docs" / "_static"
SIZES = [(1, 1), (1, 5), (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)]
ANSWER = """
const { Tally } = require(process.argv[1]);
const tables = JSON.parse(require("fs").readFileSync(0, "utf-8"));
const answers = tables.map((losses) => {
  const best = Tally.minimumMeanCycle(losses.map((row) => row.map(Tally.parse)));
  const steps = Tally.steps(best.word, best.graph).map((step) => [step.action, step.tally]);
  return [Tally.written(best.value), best.word, steps];
});
console.log(JSON.stringify(answers));
"""


def tables():
    """Corners of every size, then random tables: few values with many ties, thousandths, odd denominators."""
    draw = random.Random(16)
    for K, m in SIZES:
        yield [["0"] * m] * K
        yield [["1"] * m] * K
        yield [[text(Fraction(y, m)) for y in range(m)]] * K
        for denominator in (1, 1, 2, 3, 7, 1000, 10**9 + 7, 10**30):
            for _ in range(3):
                yield [
                    [text(Fraction(draw.randint(0, denominator), denominator)) for _ in range(m)]
                    for _ in range(K)
                ]
    yield [["1", f"{10**12 + 1}/{2 * 10**12}"], ["1", "1/2"]]  # nearly a tie
    yield [["0.077", "0.023", "0.029"], ["0.003", "0.034", "0.045"], ["0.010", "0.082", "0.083"]]


def run_node(program, given):
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        pytest.skip("Node is not installed: the JavaScript of the page was not run here (Debian: nodejs)")
    done = subprocess.run(
        [node, "-e", program, str(STATIC / "play.js")],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_answers_of_the_page_are_those_of_the_planner():
    given = list(tables())
    for losses, (value, word, steps) in zip(given, run_node(ANSWER, given), strict=True):
        bandit = tp.TallyingBandit(losses)
        assert value == text(tp.minimum_mean_cycle(bandit).value)
        assert tp.mean_of_word(bandit, word) == Fraction(value)
        assert sum(bandit.losses[x][y - 1] for x, y in steps) / len(steps) == Fraction(value)


def test_links_to_a_table_are_read_back_and_others_refused():
    program = """
    const { TallyPage } = require(process.argv[1]);
    const given = JSON.parse(require("fs").readFileSync(0, "utf-8"));
    const again = (text) => { const table = TallyPage.read(text); return table && TallyPage.write(table); };
    console.log(JSON.stringify(given.map(again)));
    """
    good = ["10;0,10;0,10", "1;0", "1000;77,23,29;3,34,45;10,82,83", "2;1,1,1,1,1"]
    bad = ["", "10", "0;0", "10;11", "10;1,2;3", "10;-1", "10;0.5", "10;x", "10;1;1;1;1;1", "1;0,0,0,0,0,0"]
    bad += ["5000;1"]
    assert run_node(program, [*good, *bad]) == [*good, *[None] * len(bad)]


def test_the_hues_of_the_page_are_those_of_the_pictures():
    found = re.search(r"HUES = \[([^\]]+)\]", (STATIC / "play.js").read_text(encoding="utf-8"))
    assert found is not None
    assert re.findall(r"#\w{6}", found[1]) == list(HUES[:4])


def test_the_page_loads_its_own_files_and_nothing_else():
    for name in ("play.js", "play.css", "play.html"):
        content = (STATIC / name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in content
        assert not re.search(
            r"fetch\(|XMLHttpRequest|WebSocket|import\(|sendBeacon|eval\(|innerHTML", content
        )
    loaded = re.findall(r'(?:src|href)="([^"]+)"', (STATIC / "play.html").read_text(encoding="utf-8"))
    assert sorted(loaded) == ["play.css", "play.js"]
