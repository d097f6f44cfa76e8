"""The pictures of Lemma 3 and Proposition 1 show the numbers that the claims found."""

from collections import Counter

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from proofs_check.bounds import LEMMA_3, LEMMA_3_SHARP, PROPOSITION_1, PROPOSITION_1_SHARP
from proofs_check.computations.cyclic_gap import largest_gaps
from proofs_check.examining import Request
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
    panel = gaps.figure(LEMMA_3, LEMMA_3_SHARP).axes[1]
    printed, sharp, curve = (np.asarray(line.get_xydata()).T for line in panel.lines)
    assert (printed[1][0], sharp[1][0]) == (4, 2)
    cases = largest_gaps(2, 3, range(1, 8), Request())
    assert list(curve[0]) == [case.period for case in cases]
    assert list(curve[1]) == [float(case.gap / case.period) for case in cases]
    assert max(curve[1]) <= 2


@pytest.mark.usefixtures("small")
def test_the_bars_count_every_table_once():
    for panel, (K, m) in zip(
        regrets.figure(PROPOSITION_1, PROPOSITION_1_SHARP).axes, regrets.PANELS, strict=True
    ):
        boxes = [bar.get_bbox() for bar in panel.patches if isinstance(bar, Rectangle)]
        bars = Counter({round((box.x0 + box.x1) / 2): box.height for box in boxes})
        assert sum(bars.values()) == 2 ** (K * m)
        sharp, printed = (np.asarray(line.get_xdata())[0] for line in panel.lines)
        assert max(bars) == sharp == m * K - 1 < printed == (m + 1) * K
