"""Text that can be read on every hue, and pictures that are the same for everybody."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from tallyplan.pictures.style import HUES, INK, ON_HUES, styled


def linear(hue):
    return np.array(
        [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(hue)]
    )


def contrast(one, other):
    light, dark = sorted(
        (float(np.dot((0.2126, 0.7152, 0.0722), linear(hue))) for hue in (one, other)), reverse=True
    )
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("hue", "letters"), [(INK, "white"), *zip(HUES, ON_HUES, strict=True)])
def test_text_has_the_contrast_that_small_letters_need(hue, letters):
    assert contrast(hue, letters) >= 4.5


def test_pictures_do_not_depend_on_the_settings_of_the_user():
    import matplotlib as mpl

    with mpl.rc_context({"axes.spines.top": True, "font.size": 30}):
        assert styled(lambda: mpl.rcParams["font.size"])() == 10
        assert mpl.rcParams["font.size"] == 30
