"""The steps that are not polynomial, the schedule of Algorithm 1, the eliminations and the picture."""

from fractions import Fraction
from itertools import product

import pytest

from proofs_check.claim import Request
from proofs_check.computations import elimination
from proofs_check.pictures import theorem_1 as picture
from proofs_check.report import draw
from tallyplan.errors import InvalidInput
from tallyplan.formula import Formula
from tallyplan.games.bounds import EPOCHS
from tallyplan.model.replay import mean_of_word


def test_the_search_finds_the_worst_errors(monkeypatch):
    monkeypatch.setattr(elimination, "PERIODS", (3,))
    monkeypatch.setattr(elimination, "WIDTHS", elimination.WIDTHS[:1])
    found = {}
    for one in elimination.eliminations(elimination.RULE, Request(), "test"):
        found.setdefault(one.bandit, []).append(one)
    assert len(found) == 45
    for bandit, played in found.items():
        words, C = played[0].words, played[0].width
        assert len(words) == 4
        mu = [mean_of_word(bandit, word) for word in words]
        excesses, gaps = [], []
        for signs in product((-1, 1), repeat=len(words)):
            estimates = [value + sign * C for value, sign in zip(mu, signs, strict=True)]
            kept = [value for value, e in zip(mu, estimates, strict=True) if e - min(estimates) <= 2 * C]
            optimal = [e for value, e in zip(mu, estimates, strict=True) if value == min(mu)]
            excesses.append(max(optimal) - min(estimates))
            gaps.append(max(kept) - min(mu))
        assert max(one.excess for one in played) == max(excesses)
        assert max(one.gap for one in played) == max(gaps)
        assert all(one.survives for one in played)


def test_the_three_regions_are_where_the_signs_say(monkeypatch):
    assert picture.region(3, 2, Fraction(7, 10)) == picture.NEGATIVE
    assert picture.region(3, 2, Fraction(6, 10)) == picture.VACUOUS
    assert picture.region(1, 10**5, Fraction(1, 2)) == picture.MEANINGFUL
    monkeypatch.setattr(picture, "STATED", Formula("sqrt(T)**2"))  # equal to T: no ball can tell
    assert picture.region(1, 2, Fraction(1, 2)) is None


def test_the_sharpened_bound_is_below_the_horizon_from_its_curve_on():
    from proofs_check.paper.theorem_1 import constants

    delta = Fraction(1, 20)
    for bound in (constants.SHARP, constants.SHARPEST):
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
