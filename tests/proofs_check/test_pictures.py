"""Pictures of claims show the numbers that the claims found."""

from fractions import Fraction

import pytest

from proofs_check.paper import theorem_1
from proofs_check.pictures import theorem_1 as picture
from proofs_check.pictures.constants import draw_constants
from proofs_check.report import draw
from proofs_check.worst_case.claims import constant
from proofs_check.worst_case.table import box
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS


def test_a_cell_is_the_constant_over_all_tables():
    rows = [constant(one) for one in box("proposition-1-upper", [2], [1, 2])]
    axes = draw_constants(rows).axes[0]
    assert [label.get_text() for label in axes.texts] == [str(row.value) for row in rows] == list("11233")


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
