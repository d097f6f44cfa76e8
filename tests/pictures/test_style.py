"""Hues that the colour-blind tell apart, and text that can be read."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tallyplan.pictures.style import HUES, INK, ON_HUES, styled

# What a dichromat sees of linear RGB (Viénot, Brettel and Mollon 1999, as matrices on linear RGB).
DICHROMATS = {
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def linear(hue):
    return np.array(
        [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(hue)]
    )


def lab(rgb):
    x, y, z = np.cbrt(np.maximum(np.array(TO_XYZ) @ rgb / (0.9505, 1, 1.089), 0) + 1e-6)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one, other):
    light, dark = sorted(
        (float(np.dot((0.2126, 0.7152, 0.0722), linear(hue))) for hue in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("kind", DICHROMATS)
def test_hues_differ_for_the_colour_blind(kind):
    seen = {hue: lab(np.clip(np.array(DICHROMATS[kind]) @ linear(hue), 0, 1)) for hue in HUES}
    assert min(np.linalg.norm(seen[one] - seen[other]) for one, other in combinations(HUES, 2)) > 12


@pytest.mark.parametrize(("hue", "letters"), [(INK, "white"), *zip(HUES, ON_HUES, strict=True)])
def test_text_has_the_contrast_that_small_letters_need(hue, letters):
    assert contrast(hue, letters) >= 4.5


def test_pictures_do_not_depend_on_the_settings_of_the_user():
    import matplotlib as mpl

    with mpl.rc_context({"axes.spines.top": True, "font.size": 30}):
        assert styled(lambda: mpl.rcParams["font.size"])() == 10
        assert mpl.rcParams["font.size"] == 30
