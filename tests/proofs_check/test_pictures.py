"""Pictures of claims show the numbers that the claims found."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from proofs_check.bounds import LEMMA_3, LEMMA_3_SHARP, PROPOSITION_1, PROPOSITION_1_SHARP
from proofs_check.computations.cyclic_gap import largest_gaps
from proofs_check.examining import Request
from proofs_check.paper import theorem_1
from proofs_check.pictures import lemma_3 as gaps
from proofs_check.pictures import proposition_1 as regrets
from proofs_check.pictures import theorem_1 as picture
from proofs_check.report import draw
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS


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


def test_the_three_regions_are_where_the_signs_say(monkeypatch):
    assert picture.region(3, 2, Fraction(7, 10)) == picture.NEGATIVE
    assert picture.region(3, 2, Fraction(6, 10)) == picture.VACUOUS
    assert picture.region(1, 10**5, Fraction(1, 2)) == picture.MEANINGFUL
    monkeypatch.setattr(picture, "STATED", Formula("sqrt(T)**2"))  # equal to T: no ball can tell
    assert picture.region(1, 2, Fraction(1, 2)) is None


def test_the_sharpened_bound_is_below_the_horizon_from_its_curve_on():
    delta = Fraction(1, 20)
    for bound in (theorem_1.SHARP, theorem_1.SHARPEST):
        root = picture.first_root_below(bound, 2, delta)
        real = Formula(str(bound).replace("S", f"({EPOCHS})"))
        assert real.ball(K=2, m=1, T=root**2, delta=delta) < root**2
        assert real.ball(K=2, m=1, T=(root - 1) ** 2, delta=delta) >= (root - 1) ** 2


def test_the_picture_of_theorem_1_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(picture, "FIELDS_PER_DECADE", 1)
    draw("theorem-1", str(tmp_path / "regions.svg"))
    text = (tmp_path / "regions.svg").read_text()
    assert all(name in text for name in picture.COLOURS)
    with pytest.raises(InvalidInput, match="does not end in"):
        draw("theorem-1", str(tmp_path / "regions.docx"))
