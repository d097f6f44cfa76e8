import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import cache

import pytest
from matplotlib.patches import FancyArrowPatch

import tallyplan as tp
from tallyplan.pictures import draw_state_graph

THREE_ARMS = tp.TallyingBandit(
    [["0.077", "0.023", "0.029"], ["0.003", "0.034", "0.045"], ["0.010", "0.082", "0.083"]], name="three arms"
)
ALTERNATE = tp.TallyingBandit([["0", "1"], ["0", "1"]], name="counterexample-3")


def table(actions, memory):
    return [[Fraction((5 * x + 3 * y) % 11, 11) for y in range(memory)] for x in range(actions)]


SMALL = [
    ALTERNATE,
    THREE_ARMS,
    *[
        tp.TallyingBandit(table(*size))
        for size in [(1, 1), (1, 4), (3, 1), (2, 3), (2, 4), (4, 3), (2, 6), (12, 2)]
    ],
    tp.WindowBandit.from_function(2, 3, lambda window: Fraction(sum(window), 3)),
    tp.WeightedTallyBandit(["1", "1/2"], [{"1": 0, "3/2": 1}] * 2),
    tp.make("pinwheel", periods=[2, 4, 4]),  # from some states, no play leads to the cycle
]


drawn = cache(draw_state_graph)  # the tests only look


def identified(figure, prefix):
    """The artists of the drawing whose group id starts with the prefix, by the rest of that id."""
    artists = [*figure.axes[0].patches, *figure.axes[0].texts]
    found = [(a.get_gid().removeprefix(prefix), a) for a in artists if a.get_gid().startswith(prefix)]
    assert len(dict(found)) == len(found)
    return dict(found)


def joined(history):
    return ("," if any(action > 9 for action in history) else "").join(map(str, history)) or "ε"


@pytest.mark.parametrize("bandit", SMALL, ids=lambda bandit: f"{bandit.actions}-{bandit.memory}")
def test_every_state_is_a_label_every_edge_an_arrow_and_the_marked_ones_an_optimal_cycle(bandit):
    figure, graph = drawn(bandit), tp.to_networkx(bandit)
    assert set(identified(figure, "node-")) == {joined(history) for history in graph}
    arrows, marked = identified(figure, "edge-"), set(identified(figure, "cycle-"))
    edges = {f"{joined(edge[0])}-{edge[2]}": edge for edge in graph.edges(keys=True, data="loss")}
    assert set(arrows) == set(edges) >= marked
    assert all(isinstance(arrow, FancyArrowPatch) for arrow in arrows.values())
    cycle = [edges[name] for name in marked]
    assert sorted(source for source, *_ in cycle) == sorted(target for _, target, *_ in cycle)
    assert sum(loss for *_, loss in cycle) / len(cycle) == tp.minimum_mean_cycle(bandit).value


@pytest.mark.parametrize("bandit", SMALL, ids=lambda bandit: f"{bandit.actions}-{bandit.memory}")
def test_arrows_begin_and_end_at_the_rims_of_their_states(bandit):
    figure = drawn(bandit)
    discs = {gid: complex(*disc.get_center()) for gid, disc in identified(figure, "disc-").items()}
    arrows = identified(figure, "edge-")
    assert min([abs(p - q) for p in discs.values() for q in discs.values() if p != q], default=9) > 2.5
    for history, target, action in tp.to_networkx(bandit).edges(keys=True):
        vertices = arrows[f"{joined(history)}-{action}"]._path_original.vertices
        ends = complex(*vertices[0]), complex(*vertices[-1])
        assert abs(ends[0] - discs[joined(history)]) == pytest.approx(1)
        assert abs(ends[1] - discs[joined(target)]) == pytest.approx(1)
    shapes = {tuple(map(tuple, arrow._path_original.vertices.round(6))) for arrow in arrows.values()}
    assert len(shapes | {shape[::-1] for shape in shapes}) == 2 * len(arrows)


def test_actions_that_lead_from_one_state_to_the_same_are_arrows_side_by_side():
    idle = tp.Arm(0, [0, 0], [0, 0], [0, 1])
    for bandit in (tp.ArmBandit([idle, idle]), tp.make("blocking", delays="2,3", rewards="1,1")):
        arrows = identified(draw_state_graph(bandit), "edge-").values()
        assert len({arrow._path_original.vertices.round(6).tobytes() for arrow in arrows}) == len(arrows)


LONG = Fraction(10**60, 3 * 10**60 + 1)


@pytest.mark.parametrize("losses", [table(2, 6), [[LONG, 1], [LONG, 1]]])
def test_many_edges_and_long_losses_are_not_labelled(losses):
    figure = draw_state_graph(tp.TallyingBandit(losses))
    assert identified(figure, "loss-") == {}
    arrows = identified(figure, "edge-")
    assert len({(name[-1], arrow.get_edgecolor()) for name, arrow in arrows.items()}) == 2  # hues of actions
    assert ("λ* ≈ 0.3333" in figure.get_suptitle()) == (losses[0][0] == LONG)


@pytest.mark.parametrize("seed", range(6))
def test_no_other_state_lies_on_the_marker_of_the_optimal_cycle(seed):
    bandit = tp.make("uniform", actions=4, memory=3, seed=seed)
    figure = drawn(bandit)
    discs = {gid: complex(*disc.get_center()) for gid, disc in identified(figure, "disc-").items()}
    for name, band in identified(figure, "cycle-").items():
        source = name.rpartition("-")[0]
        target = (source + name[-1])[1:]
        points = band.get_path().interpolated(1).to_polygons(closed_only=False)[0]
        others = [place for gid, place in discs.items() if gid not in (source, target)]
        assert min(abs(complex(*point) - place) for point in points for place in others) > 1.6


def test_svg_is_xml_with_its_labels_as_text_and_the_same_every_time(tmp_path):
    draw_state_graph(THREE_ARMS, tmp_path / "a.svg")
    draw_state_graph(THREE_ARMS, tmp_path / "b.SVG")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.SVG").read_bytes()
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = ["".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")]
    for label in ("00", "12", "22", "77/1000", "17/500", "1/100"):
        assert label in texts
    assert any("λ* = 59/4000" in line for line in texts)
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert sum(name.startswith("edge-") for name in ids) == 27
    assert sum(name.startswith("cycle-") for name in ids) == 4
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    "name", ["$x_1$ & <b>", "bell\x07 and null\x00", "$unbalanced", "lone \ud800", "x" * 500]
)
def test_any_name_gives_a_valid_picture(name, tmp_path):
    draw_state_graph(tp.TallyingBandit([["0", "1"], ["0", "1"]], name=name), tmp_path / "a.svg")
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(("actions", "memory"), [(2, 8), (513, 1), (23, 2), (9, 3), (2, 5000)])
def test_a_graph_too_large_to_look_at_is_refused(actions, memory, tmp_path):
    bandit = tp.TallyingBandit([["0"] * memory] * actions)
    with pytest.raises(tp.InvalidInput, match=rf"{actions}\^{memory - 1} states .* at most 64 states"):
        draw_state_graph(bandit, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


def test_importing_the_module_does_not_import_matplotlib_and_drawing_not_pyplot():
    program = (
        "import sys, tallyplan as tp, tallyplan.pictures as plots\n"
        "assert 'matplotlib' not in sys.modules\n"
        "plots.draw_state_graph(tp.TallyingBandit([['0', '1']] * 2))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
