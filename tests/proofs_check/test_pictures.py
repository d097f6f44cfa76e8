"""The pictures of Lemma 3 and Proposition 1 show the numbers that the claims found."""

from collections import Counter

import pytest

from proofs_check import report
from proofs_check.claim import Request
from proofs_check.computations.cyclic_gap import largest_gaps
from proofs_check.paper.lemma_3 import statement as lemma_3
from proofs_check.paper.proposition_1 import upper as proposition_1_upper
from proofs_check.pictures import lemma_3 as gaps
from proofs_check.pictures import proposition_1 as regrets


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(gaps, "PANELS", {2: (2, 3), 3: (2,), 4: (1,), 5: (1,)})
    monkeypatch.setattr(gaps, "PERIODS", range(1, 8))
    monkeypatch.setattr(gaps, "RESTED", {4: range(3, 8)})
    monkeypatch.setattr(regrets, "PANELS", ((2, 1), (2, 2), (2, 3), (3, 1)))


@pytest.mark.usefixtures("small")
def test_the_curves_are_the_largest_gaps_below_both_lines():
    panel = gaps.figure(lemma_3.STATED, lemma_3.SHARPER).axes[1]
    printed, sharp, curve = panel.lines
    assert (printed.get_ydata()[0], sharp.get_ydata()[0]) == (4, 2)
    cases = largest_gaps(2, 3, range(1, 8), Request())
    assert list(curve.get_xdata()) == [case.period for case in cases]
    assert list(curve.get_ydata()) == [float(case.gap / case.period) for case in cases]
    assert max(curve.get_ydata()) <= 2


@pytest.mark.usefixtures("small")
def test_the_bars_count_every_table_once():
    for panel, (K, m) in zip(
        regrets.figure(proposition_1_upper.STATED, proposition_1_upper.SHARP).axes,
        regrets.PANELS,
        strict=True,
    ):
        bars = Counter({round(bar.get_x() + bar.get_width() / 2): bar.get_height() for bar in panel.patches})
        assert sum(bars.values()) == 2 ** (K * m)
        sharp, printed = (line.get_xdata()[0] for line in panel.lines)
        assert max(bars) == sharp == m * K - 1 < printed == (m + 1) * K


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("id", "words"), [("lemma-3", "sharp: (m - 1)"), ("proposition-1-upper", "printed: (m + 1)")]
)
def test_the_claims_offer_their_pictures(tmp_path, id, words):
    path = tmp_path / "picture.svg"
    report.draw(id, str(path))
    assert words in path.read_text("utf-8")
