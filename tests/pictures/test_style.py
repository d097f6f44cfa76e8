"""Pictures are the same for everybody."""

import matplotlib as mpl

from tallyplan.pictures.style import styled


def test_pictures_do_not_depend_on_the_settings_of_the_user():
    with mpl.rc_context({"axes.spines.top": True, "font.size": 30}):
        assert styled(lambda: mpl.rcParams["font.size"])() == 10
        assert mpl.rcParams["font.size"] == 30
