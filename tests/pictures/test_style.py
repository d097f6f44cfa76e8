"""Pictures are the same for everybody, and in this version of Matplotlib as recorded (`drawn.json`)."""

import hashlib
import json
import re
from pathlib import Path

import matplotlib as mpl
import pytest

import tallyplan as tp
from tallyplan.games.trials import Setup, play_repeatedly, spread_times
from tallyplan.pictures import draw_losses, draw_state_graph, draw_timeline, picture_bytes
from tallyplan.pictures.regret import draw_regret
from tallyplan.pictures.style import styled

DRAWN = json.loads(Path(__file__).with_name("drawn.json").read_text("utf-8"))
THREE, TEN = (tp.make("uniform", actions=K, memory=m, denominator=20) for K, m in ((3, 3), (10, 2)))


def games(horizons, seeds, times=()):
    setups = [Setup(name, T) for name in ("alg-det", "ucb1", "optimistic-planner") for T in horizons]
    return draw_regret([play_repeatedly(THREE, setup, seeds, times=times) for setup in setups])


PICTURES = {
    "state graph": lambda: draw_state_graph(THREE),
    "one state": lambda: draw_state_graph(tp.TallyingBandit([["1/2"], ["1/3"]])),
    "one action": lambda: draw_state_graph(tp.TallyingBandit([["1/4"] * 30])),
    "arms": lambda: draw_state_graph(tp.make("blocking", delays=[2, 3, 4], rewards=[3, 2, 1])),
    "timeline": lambda: draw_timeline(THREE, tp.optimal_plan(THREE, 10**15).runs),
    "timeline of many arms": lambda: draw_timeline(TEN, [(tuple(range(10)) * 5, 1), ((0, 1), 9)]),
    "losses": lambda: draw_losses(THREE),
    "losses of many tallies": lambda: draw_losses(tp.make("uniform", actions=2, memory=12)),
    "regret by horizon": lambda: games((20, 2000, 20000), 1),
    "regret over time": lambda: games((500,), 7, spread_times(500, 9)),
}


@pytest.mark.skipif(mpl.__version__ != DRAWN["Matplotlib"], reason="recorded with another Matplotlib")
@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_as_recorded(name):
    svg = re.sub(
        rb"\d+\.\d+", lambda number: b"%.1f" % float(number[0]), picture_bytes(PICTURES[name](), ".svg")
    )
    assert hashlib.sha256(svg).hexdigest()[:16] == DRAWN[name]


def test_pictures_do_not_depend_on_the_settings_of_the_user():
    with mpl.rc_context({"axes.spines.top": True, "font.size": 30}):
        assert styled(lambda: mpl.rcParams["font.size"])() == 10
        assert mpl.rcParams["font.size"] == 30
