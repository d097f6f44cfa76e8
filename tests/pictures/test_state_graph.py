import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

import tallyplan as tp
from tallyplan.model.words import read
from tallyplan.pictures import cycle_edges, draw_state_graph, picture_bytes, short
from tallyplan.pictures.style import HUES

THREE_ARMS = tp.TallyingBandit(
    [
        ["77/1000", "23/1000", "29/1000"],
        ["3/1000", "34/1000", "45/1000"],
        ["10/1000", "82/1000", "83/1000"],
    ],
    name="three arms",
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
def test_every_state_is_a_label_and_every_edge_an_arrow(bandit):
    figure = drawn(bandit)
    graph = tp.to_networkx(bandit)
    assert set(identified(figure, "node-")) == {joined(history) for history in graph}
    arrows = identified(figure, "edge-")
    assert set(arrows) == {f"{joined(history)}-{action}" for history, _, action in graph.edges(keys=True)}
    assert len(arrows) == bandit.actions**bandit.memory
    assert all(isinstance(arrow, FancyArrowPatch) for arrow in arrows.values())


@pytest.mark.parametrize("bandit", SMALL, ids=lambda bandit: f"{bandit.actions}-{bandit.memory}")
def test_the_marked_arrows_are_those_of_an_optimal_cycle(bandit):
    marked = set(identified(drawn(bandit), "cycle-"))
    graph = tp.to_networkx(bandit)
    edges = [e for e in graph.edges(keys=True, data="loss") if f"{joined(e[0])}-{e[2]}" in marked]
    assert len(edges) == len(marked)
    assert sorted(source for source, *_ in edges) == sorted(target for _, target, *_ in edges)
    assert sum(loss for *_, loss in edges) / len(edges) == tp.minimum_mean_cycle(bandit).value


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


def test_a_given_word_is_marked_and_its_mean_told_next_to_the_optimum():
    figure = draw_state_graph(THREE_ARMS, word=[0, 0, 1])
    assert set(identified(figure, "cycle-")) == {"01-0", "10-0", "00-1"}
    title = figure.get_suptitle()
    assert "λ* = 59/4000" in title
    assert "mean = 49/3000" in title
    assert title.endswith("001")


def test_a_word_that_repeats_itself_marks_each_edge_once():
    assert cycle_edges(ALTERNATE, [0, 1] * 5) == [((1,), 0), ((0,), 1)]
    assert set(identified(draw_state_graph(ALTERNATE, word=[0, 1] * 5), "cycle-")) == {"1-0", "0-1"}


def test_consecutive_edges_of_a_cycle_meet():
    edges = cycle_edges(THREE_ARMS, [0, 2, 0, 1])
    for (history, action), (following, _) in pairwise([*edges, edges[0]]):
        assert (*history[1:], action) == following


def test_the_title_says_name_sizes_optimum_and_word():
    title = draw_state_graph(THREE_ARMS).get_suptitle()
    for part in ("three arms", "K = 3", "m = 3", "λ* = 59/4000"):
        assert part in title
    assert draw_state_graph(THREE_ARMS, title="my title").get_suptitle().startswith("my title\nK = 3")


def test_few_edges_carry_their_exact_losses():
    labels = identified(draw_state_graph(THREE_ARMS), "loss-")
    edges = tp.to_networkx(THREE_ARMS).edges(keys=True, data="loss")
    assert {gid: label.get_text() for gid, label in labels.items()} == {
        f"{joined(history)}-{action}": short(loss) for history, _, action, loss in edges
    }


def test_many_edges_are_shaded_by_loss_with_a_scale():
    bandit = tp.TallyingBandit(table(2, 6))
    figure = drawn(bandit)
    assert identified(figure, "loss-") == {}
    ticks = [tick.get_text() for tick in figure.axes[1].get_xticklabels()]
    assert ticks == [short(min(bandit.values())), short(max(bandit.values()))]
    arrows = identified(figure, "edge-")
    darkness = {}  # by action, by loss
    marked = identified(figure, "cycle-")  # whose arrows keep their hue
    for history, _, action, loss in tp.to_networkx(bandit).edges(keys=True, data="loss"):
        if f"{joined(history)}-{action}" in marked:
            continue
        shade = round(-sum(arrows[f"{joined(history)}-{action}"].get_edgecolor()[:3]), 9)
        darkness.setdefault(action, {}).setdefault(loss, set()).add(shade)
    for shades in darkness.values():
        by_loss = [shades[loss] for loss in sorted(shades)]
        assert all(len(shade) == 1 for shade in by_loss)
        assert by_loss == sorted(by_loss, key=min)  # the larger the loss, the darker
        assert len(set.union(*by_loss)) == len(shades)


@pytest.mark.parametrize("bandit", SMALL, ids=lambda bandit: f"{bandit.actions}-{bandit.memory}")
def test_arrows_of_an_action_share_a_hue_and_those_of_others_do_not(bandit):
    arrows = identified(drawn(bandit), "edge-")
    hues = {}
    for name, arrow in arrows.items():
        paleness = [1 - part for part in arrow.get_edgecolor()[:3]]
        hue = tuple(round(part / max(paleness), 6) for part in paleness)
        hues.setdefault(name.rpartition("-")[2], set()).add(hue)
    if bandit.actions <= len(HUES):
        assert all(len(shades) == 1 for shades in hues.values())
        assert len(set.union(*hues.values())) == min(bandit.actions, len(hues))


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


def test_losses_of_many_digits_are_shaded_and_the_title_says_that_it_rounds():
    third = Fraction(10**60, 3 * 10**60 + 1)
    figure = draw_state_graph(tp.TallyingBandit([[third, 1], [third, 1]]))
    assert identified(figure, "loss-") == {}
    assert "λ* ≈ 0.3333" in figure.get_suptitle()


def test_equal_losses_are_one_shade_of_each_action():
    arrows = identified(draw_state_graph(tp.TallyingBandit([["1/2"] * 6] * 2)), "edge-").values()
    assert len({tuple(np.round(arrow.get_edgecolor(), 3)) for arrow in arrows}) == 2


def test_one_state_with_three_loops_names_the_actions():
    figure = draw_state_graph(tp.TallyingBandit([["1/2"], ["1/3"], ["2/7"]]))
    assert [label.get_text() for label in identified(figure, "node-").values()] == ["ε"]
    labels = identified(figure, "loss-")
    assert sorted(label.get_text() for label in labels.values()) == ["0: 1/2", "1: 1/3", "2: 2/7"]
    assert set(identified(figure, "cycle-")) == {"ε-2"}


def test_a_single_action_with_a_long_memory_is_one_state():
    figure = draw_state_graph(tp.TallyingBandit([["1/4"] * 30]))
    assert [label.get_text() for label in identified(figure, "node-").values()] == ["000…000"]
    assert set(identified(figure, "cycle-")) == {"0" * 29 + "-0"}


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


def test_png_has_its_signature_and_is_the_same_every_time(tmp_path):
    figure = draw_state_graph(ALTERNATE, tmp_path / "a.png")
    content = (tmp_path / "a.png").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content == picture_bytes(figure, ".png") == picture_bytes(draw_state_graph(ALTERNATE), ".png")


def test_the_users_settings_change_nothing():
    import matplotlib

    expected = picture_bytes(draw_state_graph(ALTERNATE), ".svg")
    with matplotlib.rc_context(
        {"font.size": 30, "lines.linewidth": 9, "text.color": "red", "svg.fonttype": "path"}
    ):
        assert picture_bytes(draw_state_graph(ALTERNATE), ".svg") == expected
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.parametrize(
    "name", ["$x_1$ & <b>", "bell\x07 and null\x00", "$unbalanced", "lone \ud800", "x" * 500]
)
def test_any_name_gives_a_valid_picture(name, tmp_path):
    draw_state_graph(tp.TallyingBandit([["0", "1"], ["0", "1"]], name=name), tmp_path / "a.svg")
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")


@pytest.mark.parametrize(("actions", "memory"), [(2, 8), (65, 1), (23, 2), (9, 3), (2, 5000)])
def test_a_graph_too_large_to_look_at_is_refused(actions, memory, tmp_path):
    bandit = tp.TallyingBandit([["0"] * memory] * actions)
    with pytest.raises(tp.InvalidInput, match=rf"{actions}\^{memory - 1} states .* at most 64 states"):
        draw_state_graph(bandit, tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.gif", "a", "svg", ".svg", "a.svg.gz"])
def test_an_unknown_suffix_is_refused_and_nothing_left_behind(name, tmp_path):
    with pytest.raises(tp.InvalidInput, match=r"\.svg, \.png or \.pdf"):
        draw_state_graph(ALTERNATE, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_a_sentence_and_leaves_nothing(tmp_path):
    with pytest.raises(tp.InvalidInput, match="cannot be written: there is no folder"):
        draw_state_graph(ALTERNATE, tmp_path / "missing" / "a.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(tp.InvalidInput, match="cannot be written"):
        draw_state_graph(ALTERNATE, tmp_path / "folder.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["folder.svg"]


@pytest.mark.parametrize("word", [[], [0, 2], [-1], [True], ["0"]])
def test_a_word_that_is_none_is_refused(word):
    with pytest.raises(tp.InvalidInput, match="word"):
        draw_state_graph(ALTERNATE, word=word)


def test_importing_the_module_does_not_import_matplotlib_and_drawing_not_pyplot():
    program = (
        "import sys, tallyplan as tp, tallyplan.pictures as plots\n"
        "assert 'matplotlib' not in sys.modules\n"
        "plots.draw_state_graph(tp.TallyingBandit([['0', '1']] * 2))\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_words_of_more_than_ten_actions_are_written_so_that_they_can_be_read_back():
    bandit = tp.make("uniform", actions=12, memory=2, seed=3)
    title = draw_state_graph(bandit, word=[1, 0, 11]).get_suptitle()
    assert title.endswith("that of 1,0,11")
    assert read("1,0,11", 12, "the word") == (((1, 0, 11), 1),)
